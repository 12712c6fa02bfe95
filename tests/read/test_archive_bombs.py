"""Records that are far larger than a page: they cost little memory and time, and the next one is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import lz4.frame
import pytest
import zstandard
from archives import BY_RECORD, ENDINGS, html, http, page, record
from isal import isal_zlib
from memory import said

MB = 1 << 20
SIZE = 130 * MB
LIMIT = 10 + 100  # megabytes: what is kept of a body, and what may come on top
NAMED = {".warc": "plain", ".gz": "gzip", ".zst": "zstd", ".lz4": "lz4"}

READ = """
from pathlib import Path
from unquilt.read import Fields, Limits, archive
def founds(path, limits):
    for found in archive.read(Path(path), 0, Fields(), limits):
        yield found.record and (found.record.url, len(found.record.block)), [s.reason for s in found.skips]
list(founds(sys.argv[1], Limits()))
before = peak()
for record, reasons in founds(sys.argv[2], Limits(record_bytes=int(sys.argv[3]) << 20)):
    print(record, reasons)
print(peak() - before)
"""


def read(path: Path, record_megabytes: int = 256) -> tuple[list[str], int]:
    """(what is found, how many megabytes that took beside those a small file takes)."""
    small = path.with_name(f"small{path.suffix}")
    small.write_bytes(BY_RECORD[NAMED[path.suffix]]([page("small")])[0])
    *founds, grown = said(READ, small, path, str(record_megabytes)).splitlines()
    return founds, int(grown)


def zeros(before: bytes, size: int) -> Iterator[bytes]:
    yield before
    for _ in range(size // MB):
        yield bytes(MB)


def by_gzip(pieces: Iterator[bytes]) -> bytes:
    packer = isal_zlib.compressobj(1, isal_zlib.DEFLATED, 31)
    return b"".join(map(packer.compress, pieces)) + packer.flush()


def by_zstd(pieces: Iterator[bytes]) -> bytes:
    """With the largest window that is still unpacked."""
    packer = zstandard.ZstdCompressor(compression_params=zstandard.ZstdCompressionParameters(window_log=26, strategy=1)).compressobj()
    return b"".join(map(packer.compress, pieces)) + packer.flush()


def by_lz4(pieces: Iterator[bytes]) -> bytes:
    packer = lz4.frame.LZ4FrameCompressor(block_size=lz4.frame.BLOCKSIZE_MAX4MB)
    return packer.begin() + b"".join(map(packer.compress, pieces)) + packer.flush()


PACK: dict[str, Callable[[Iterator[bytes]], bytes]] = {"gzip": by_gzip, "zstd": by_zstd, "lz4": by_lz4}
EVERY = pytest.mark.parametrize("packing", PACK)
ONE, TWO = (f"('http://a.example/{n}', {len(http(html(n)))}) []" for n in ("one", "two"))
BOMB = "http://a.example/bomb"


def bomb(packing: str, size: int = SIZE, announced: int | None = None, type_: str = "response") -> bytes:
    head = http(b"")
    before = record(type_, BOMB, head, length=len(head) + (size if announced is None else announced), after=b"")
    return PACK[packing](zeros(before, size))


def packed_one(packing: str, name: str) -> bytes:
    return BY_RECORD[packing]([page(name)])[0]


@EVERY
@pytest.mark.parametrize("announced", [None, 1000, 1 << 40], ids=["honest", "says less", "says more"])
def test_of_a_bomb_the_first_bytes_are_read_and_then_the_next_record(tmp_path: Path, packing: str, announced: int | None) -> None:
    path = tmp_path / f"a.warc{ENDINGS[packing]}"
    path.write_bytes(packed_one(packing, "one") + bomb(packing, SIZE, announced) + packed_one(packing, "two"))
    (one, large, two), most = read(path)
    assert (one, two) == (ONE, TWO)
    assert large.startswith(f"('{BOMB}', {10_000_000 + len(http(b''))}) ['body too large'")
    assert most < LIMIT


@EVERY
def test_what_is_larger_than_any_record_is_not_unpacked_to_its_end(tmp_path: Path, packing: str) -> None:
    path = tmp_path / f"a.warc{ENDINGS[packing]}"
    path.write_bytes(packed_one(packing, "one") + bomb(packing) + packed_one(packing, "two"))
    (one, large, two), most = read(path, 32)
    assert (one, two) == (ONE, TWO)
    assert large.startswith(f"('{BOMB}', {10_000_000 + len(http(b''))}) ['body too large'")
    assert most < LIMIT


@EVERY
def test_a_bomb_of_no_interest_costs_nothing(tmp_path: Path, packing: str) -> None:
    path = tmp_path / f"a.warc{ENDINGS[packing]}"
    path.write_bytes(packed_one(packing, "one") + bomb(packing, SIZE, type_="metadata") + packed_one(packing, "two"))
    (one, large, two), most = read(path)
    assert (one, large, two) == (ONE, "None ['metadata record']", TWO)
    assert most < LIMIT - 10


@pytest.mark.parametrize("packing", ["gzip", "zstd"])
def test_a_bomb_within_a_stream_is_passed_by(tmp_path: Path, packing: str) -> None:
    def pieces() -> Iterator[bytes]:
        yield page("one")
        yield from zeros(record(url=BOMB, block=http(b""), length=len(http(b"")) + SIZE, after=b""), SIZE)
        yield b"\r\n\r\n" + page("two")

    path = tmp_path / "a.warc"
    path.write_bytes(PACK[packing](pieces()))
    (one, large, two), most = read(path, 32)
    assert (one, two) == (ONE, TWO)
    assert "'body too large'" in large
    assert most < LIMIT


@pytest.mark.parametrize("announced", [1 << 30, 1000, 1 << 50], ids=["honest", "says less", "says more"])
def test_a_body_of_a_gigabyte_is_passed_by(tmp_path: Path, announced: int) -> None:
    path = tmp_path / "a.warc"
    size = 1 << 30 if announced == 1 << 30 else 60 * MB
    with path.open("wb") as file:
        file.write(page("one") + record(url=BOMB, block=http(b""), length=len(http(b"")) + announced, after=b""))
        file.seek(size, 1)
        file.write(b"\r\n\r\n" + page("two"))
    (one, large, two), most = read(path)
    assert (one, two) == (ONE, TWO)
    assert large.startswith(f"('{BOMB}', {10_000_000 + len(http(b''))}) ['body too large'")
    assert most < LIMIT


ENDLESS = {
    "line ends": b"\r\n" * 4096,
    "fields": b"X-Field: value\r\n" * 512,
    "a line": b"words " * 1365,
    "heads": b"WARC/1.0\r\nA:b\r\n" * 64,
}


@pytest.mark.parametrize("unit", ENDLESS.values(), ids=ENDLESS)
def test_what_goes_on_and_on_is_passed_by(tmp_path: Path, unit: bytes) -> None:
    def pieces() -> Iterator[bytes]:
        yield page("one") + b"WARC/1.0\r\nWARC-Type: response\r\n"
        for _ in range(500):
            yield unit
        yield b"\r\n\r\n" + page("two")

    path = tmp_path / "a.warc.gz"
    path.write_bytes(by_gzip(pieces()))
    founds, most = read(path)
    assert (founds[0], founds[-1]) == (ONE, TWO)
    assert most < LIMIT
