"""Blocks come back as they were added, in the order of their batches, and nothing stays behind."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unquilt.engine import spill
from unquilt.engine.spill import Spill

Added = tuple[int, int, int, int, bytes]  # part, segment, batch, place, data


def filled(folder: Path, bits: int, blocks: list[Added]) -> Spill:
    made = Spill(folder, bits)
    for part, segment, batch, place, data in blocks:
        made.add(part, segment, batch, place, np.frombuffer(data, np.uint8))
    made.finish()
    return made


def taken(made: Spill) -> list[list[bytes]]:
    return [[block.tobytes() for block in made.take(part)] for part in range(1 << made.bits)]


def expected(bits: int, blocks: list[Added]) -> list[list[bytes]]:
    return [[b[4] for b in sorted(blocks, key=lambda b: b[:4]) if b[0] == part and b[4]] for part in range(1 << bits)]


blocks_of_four_parts = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 3), st.integers(0, 3), st.binary(max_size=40)),
    max_size=40,
    unique_by=lambda b: b[:4],
)


@given(blocks=blocks_of_four_parts)
def test_blocks_of_any_size_come_back_in_the_order_of_their_batches(tmp_path_factory: pytest.TempPathFactory, blocks: list[Added]) -> None:
    made = filled(tmp_path_factory.mktemp("spill") / "exchange", 2, blocks)
    assert taken(made) == expected(2, blocks)


def test_a_full_buffer_is_written_before_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spill, "BUFFER", 100)
    made = Spill(tmp_path / "exchange", 0)
    for batch in range(5):
        made.add(0, 0, batch, 0, np.full(90, batch, np.uint8))
        assert made.size(0) == (batch + 1) * (32 + 96)
    made.finish()
    assert [block[0] for block in made.take(0)] == [0, 1, 2, 3, 4]


def test_more_parts_than_files_may_be_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spill, "OPEN_FILES", 3)
    monkeypatch.setattr(spill, "BUFFER", 200)
    blocks = [(part, 0, batch, 0, bytes([part, batch])) for batch in range(6) for part in range(16)]
    assert taken(filled(tmp_path / "exchange", 4, blocks)) == expected(4, blocks)


def test_more_blocks_than_one_call_may_write(tmp_path: Path) -> None:
    blocks = [(0, 0, batch, 0, bytes([batch % 256] * (batch % 11))) for batch in range(3000)]
    assert taken(filled(tmp_path / "exchange", 0, blocks)) == expected(0, blocks)


def test_a_write_that_stops_short_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A nearly full disk, and some file systems, take less than they were given."""
    real = os.writev
    monkeypatch.setattr(os, "writev", lambda handle, pieces: real(handle, [np.concatenate(pieces)[:7]]))
    blocks = [(0, 0, batch, 0, bytes([batch] * 33)) for batch in range(9)]
    assert taken(filled(tmp_path / "exchange", 0, blocks)) == expected(0, blocks)


def test_a_block_may_be_larger_than_the_buffer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spill, "BUFFER", 1000)
    blocks = [(0, 0, 0, 0, bytes(9999)), (1, 0, 0, 1, b"x")]
    assert taken(filled(tmp_path / "exchange", 1, blocks)) == expected(1, blocks)


@pytest.mark.parametrize(
    "data",
    [
        np.arange(7, dtype=np.uint64),
        np.arange(7, dtype=np.int32),
        np.arange(20)[::3],
        np.arange(12).reshape(3, 4),
        np.array([True, False, True]),
        np.linspace(0, 1, 5),
    ],
    ids=lambda a: f"{a.dtype}-{a.ndim}",
)
def test_a_block_is_the_bytes_of_its_array(tmp_path: Path, data: Any) -> None:
    made = Spill(tmp_path / "exchange", 0)
    made.add(0, 0, 0, 0, data)
    made.finish()
    (block,) = made.take(0)
    assert block.tobytes() == data.tobytes()


def test_blocks_are_aligned_for_whole_numbers(tmp_path: Path) -> None:
    blocks = [(0, 0, 0, place, bytes(size)) for place, size in enumerate([1, 8, 3, 16, 5, 8])]
    made = filled(tmp_path / "exchange", 0, blocks)
    assert all(block.ctypes.data % 8 == 0 for block in made.take(0))


@pytest.mark.parametrize("part", [-1, 4, 1 << 40])
def test_a_part_out_of_range_is_refused(tmp_path: Path, part: int) -> None:
    made = Spill(tmp_path / "exchange", 2)
    with pytest.raises(ValueError, match=f"a block for part {part} of 4"):
        made.add(part, 0, 0, 0, np.zeros(1, np.uint8))


def test_a_part_is_taken_once_and_its_file_goes(tmp_path: Path) -> None:
    made = filled(tmp_path / "exchange", 1, [(0, 0, 0, 0, b"abc"), (1, 0, 0, 0, b"d")])
    assert made.size(0) > 0
    assert len(made.take(0)) == 1
    assert made.take(0) == []
    assert made.size(0) == 0
    assert [p.name for p in (tmp_path / "exchange").iterdir()] == ["00001.blocks"]


def open_handles() -> int:
    """How many files this process has open, where the system says so."""
    own = Path("/proc/self/fd")
    return len(list(own.iterdir())) if own.is_dir() else 0


def test_nothing_is_left_when_it_is_removed(tmp_path: Path) -> None:
    handles = open_handles()
    made = Spill(tmp_path / "own" / "exchange", 1)
    made.add(0, 0, 0, 0, np.zeros(9, np.uint8))
    made.finish()
    made.add(1, 0, 0, 0, np.zeros(9, np.uint8))
    made.remove()
    assert not (tmp_path / "own" / "exchange").exists()
    assert open_handles() == handles


def test_what_was_written_is_counted(tmp_path: Path) -> None:
    made = filled(tmp_path / "exchange", 1, [(0, 0, 0, 0, b"abc"), (1, 0, 0, 0, b"d" * 50), (0, 1, 0, 0, b"")])
    assert made.written == made.size(0) + made.size(1)


def test_many_threads_add_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spill, "BUFFER", 500)
    made = Spill(tmp_path / "exchange", 2)
    blocks = [(batch % 4, segment, batch, 0, bytes([segment, batch]) * (batch % 9)) for segment in range(8) for batch in range(100)]

    def add(segment: int) -> None:
        for part, of, batch, place, data in blocks:
            if of == segment:
                made.add(part, of, batch, place, np.frombuffer(data, np.uint8))

    threads = [threading.Thread(target=add, args=(segment,)) for segment in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    made.finish()
    assert taken(made) == expected(2, blocks)
