"""Compressed files as if they were not: members behind each other, damage, bombs; and files that are not what their name says."""

import bz2
import gzip
import io
from functools import partial
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from memory import said

from unquilt.read.compressed import Damaged, compression, opened

PACK = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".zst": zstandard.ZstdCompressor(write_checksum=True).compress,
}
ENDINGS = pytest.mark.parametrize("ending", PACK)


def written(tmp_path: Path, ending: str, data: bytes) -> Path:
    path = tmp_path / f"x{ending}"
    path.write_bytes(data)
    return path


def lines(path: Path, start: int = 0) -> list[bytes | str]:
    """Lines, and what is said of damage between them with its place."""
    found: list[bytes | str] = []
    with opened(path) as file:
        file.seek(start)
        while True:
            try:
                line = file.readline()
            except Damaged as damaged:
                found.append(f"{damaged.skip.detail} @{file.tell()}")
                continue
            if not line:
                return found
            found.append(line)


@ENDINGS
def test_members_behind_each_other_are_one_file(tmp_path, ending):
    pack = PACK[ending]
    assert lines(written(tmp_path, ending, pack(b"one\ntw") + pack(b"") + pack(b"o\n"))) == [b"one\n", b"two\n"]


def test_zstd_frames_of_every_form_are_read_also_behind_one_to_be_skipped(tmp_path):
    streamed = io.BytesIO()
    with zstandard.ZstdCompressor().stream_writer(streamed, closefd=False) as writer:
        writer.write(b"streamed\n")
    no_size = zstandard.ZstdCompressor(write_content_size=False).compress(b"no size\n")
    skippable = b"\x50\x2a\x4d\x18\x04\0\0\0abcd"
    data = PACK[".zst"](b"x" * 300_000 + b"\n") + skippable + streamed.getvalue() + no_size
    long, *rest = lines(written(tmp_path, ".zst", data))
    assert (len(long), rest) == (300_001, [b"streamed\n", b"no size\n"])


@ENDINGS
def test_a_truncated_file_gives_what_is_there_and_says_so(tmp_path, ending):
    data = PACK[ending](b"one\n") + PACK[ending](b"two\n")[:-3]
    said = lines(written(tmp_path, ending, data))
    assert said[0] == b"one\n"
    assert str(said[-1]).startswith("the compressed stream ends too early; the rest of the file is lost @")


@ENDINGS
def test_behind_damage_it_goes_on_at_the_next_member(tmp_path, ending):
    pack = PACK[ending]
    first, bad, last = pack(b"one\n" * 500), bytearray(pack(bytes(range(256)) * 40)), pack(b"three\n")
    bad[len(bad) // 2 : len(bad) // 2 + 8] = b"\xff" * 8
    before = lines(written(tmp_path, ending, first))
    said = lines(written(tmp_path, ending, first + bytes(bad) + last))
    assert said[:500] == before
    assert said[-1] == b"three\n"
    assert sum(isinstance(s, str) for s in said) == 1
    assert "the rest of the file is lost" not in str(said)


@ENDINGS
def test_garbage_behind_a_member_is_told_and_does_not_hide_what_follows(tmp_path, ending):
    pack = PACK[ending]
    told = f"what lies behind a member is no {dict(zip(PACK, ('gzip', 'bzip2', 'zstd'), strict=True))[ending]}"
    path = written(tmp_path, ending, pack(b"one\n") + b"garbage")
    assert lines(path) == [b"one\n", f"{told}; the rest of the file is lost @5"]
    path = written(tmp_path, ending, pack(b"one\n") + b"garbage" + pack(b"two\n"))
    assert lines(path) == [b"one\n", f"{told} @5", b"two\n"]
    assert lines(path, 4) == [f"{told} @5", b"two\n"]
    assert lines(path, 5) == [b"two\n"]


@ENDINGS
def test_zeros_behind_a_member_are_filling(tmp_path, ending):
    pack = PACK[ending]
    zeros = b"\0" * 3_000_000
    assert lines(written(tmp_path, ending, pack(b"one\n") + zeros + pack(b"two\n") + zeros)) == [b"one\n", b"two\n"]


@ENDINGS
@pytest.mark.parametrize("name", ["x", "x.jsonl", "x.gz", "x.zst"])
def test_what_a_file_begins_with_counts_and_not_its_name(tmp_path, ending, name):
    (tmp_path / name).write_bytes(PACK[ending]("één\n".encode()))
    assert lines(tmp_path / name) == ["één\n".encode()]


@ENDINGS
def test_text_is_text_whatever_its_name_says(tmp_path, ending):
    text = "né" * 254 + "日本\n"
    assert lines(written(tmp_path, ending, text.encode())) == [text.encode()]
    assert lines(written(tmp_path, ending, b"")) == []


@ENDINGS
def test_a_file_that_begins_with_neither_is_damaged(tmp_path, ending):
    said = lines(written(tmp_path, ending, b"\xff\xfe\xfd" * 99 + PACK[ending](b"two\n")))
    assert len(said) == 2
    assert isinstance(said[0], str)
    assert said[1] == b"two\n"


def test_a_window_too_large_is_refused(tmp_path):
    parameters = zstandard.ZstdCompressionParameters(window_log=30)
    packer = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    data = packer.compress(b"x" * 1000) + packer.flush()
    (said,) = lines(written(tmp_path, ".zst", data))
    assert "memory" in str(said)
    assert "the rest of the file is lost" in str(said)


def test_the_ending_is_that_of_the_compression():
    assert [compression(n) for n in ("a.jsonl.GZ", "a.bz2", "a.zst", "a.jsonl", "gz")] == [".gz", ".bz2", ".zst", "", ""]


BOMB = """
from pathlib import Path
from unquilt.read import Fields, Limits, jsonl
path, limit = Path(sys.argv[1]), int(sys.argv[2])
next(jsonl.read(Path(sys.argv[3]), 0, Fields(), Limits()))
before = peak()
founds = list(jsonl.read(path, 0, Fields(), Limits(record_bytes=limit)))
print(peak() - before, [f.skips[0].reason if f.skips else f.record.text for f in founds], founds[1].length)
"""


@ENDINGS
def test_a_bomb_costs_no_memory_and_the_next_record_is_read(tmp_path, ending):
    good, zeros = b'{"text": "good"}\n', b"0" * (1 << 20)
    size = 128 << 20
    path = written(tmp_path, ending, b"")
    with {".gz": partial(gzip.open, compresslevel=1), ".bz2": bz2.open, ".zst": zstandard.open}[ending](path, mode="wb") as file:
        file.write(good)
        for _ in range(size >> 20):
            file.write(zeros)
        file.write(b"\n" + good)
    assert path.stat().st_size < 700_000
    small = written(tmp_path, f".small{ending}", PACK[ending](good))
    grown, rest = said(BOMB, path, "1000000", small).split(" ", 1)
    assert rest == f"['good', 'record too large', 'good'] {size + 1}\n"
    assert int(grown) < 60, "megabytes"


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(list(PACK)), st.binary(max_size=60), st.integers(0, 200), st.binary(max_size=6))
def test_no_damage_stops_the_reading_and_places_are_the_same_again(tmp_path_factory, ending, garbage, at, other):
    tmp_path = tmp_path_factory.mktemp("damage")
    data = PACK[ending](b"one\ntwo\n") + PACK[ending](garbage + b"\nthree\n") + garbage
    at = min(at, len(data))
    path = written(tmp_path, ending, data[:at] + other + data[at + len(other) :])
    once = lines(path)
    assert once == lines(path)
    whole = sum(len(s) for s in once if isinstance(s, bytes))
    assert whole <= len(garbage) * 2 + 200
