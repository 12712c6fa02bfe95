"""Members of compressed files: taken apart as other programs do, in small pieces, whatever is damaged; and the next one is found."""

from __future__ import annotations

import bz2
import gzip
import io
import os
import random
import zlib
from collections.abc import Callable
from unittest.mock import patch

import lz4.frame
import pytest
import zstandard
from archives import lz4_frame, stored, with_dictionary, zstd_frame
from hypothesis import given, settings
from hypothesis import strategies as st

from unquilt.read import codec, members
from unquilt.read.codec import Compression, compression_of
from unquilt.read.members import Member, Members, begins_at, member_before, next_member

ENDLESS = 1 << 62


def streamed(data: bytes) -> bytes:
    """Without the size in its head, in blocks as they come, some of one byte over and over."""
    packer = zstandard.ZstdCompressor(level=1, write_content_size=False).compressobj()
    half = len(data) // 2
    return packer.compress(data[:half]) + packer.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK) + packer.compress(data[half:]) + packer.flush()


def lz4_linked(data: bytes) -> bytes:
    return lz4.frame.compress(data, block_linked=True, block_checksum=True, store_size=True, block_size=lz4.frame.BLOCKSIZE_MAX64KB)


def named(data: bytes) -> bytes:
    out = io.BytesIO()
    with gzip.GzipFile("a name", "wb", fileobj=out, mtime=7) as file:
        file.write(data)
    return out.getvalue()


PACK: dict[str, tuple[Callable[[], Compression], Callable[[bytes], bytes]]] = {
    "gzip": (codec.gzip, lambda data: gzip.compress(data, mtime=0)),
    "gzip with a name": (codec.gzip, named),
    "stored gzip": (codec.gzip, stored),
    "zstd": (lambda: codec.zstd(io.BytesIO()), zstd_frame),
    "streamed zstd": (lambda: codec.zstd(io.BytesIO()), streamed),
    "lz4": (codec.lz4, lz4_frame),
    "lz4 with linked blocks": (codec.lz4, lz4_linked),
}
EVERY = pytest.mark.parametrize("packing", PACK)
NOISE = random.Random(7).randbytes(1000)
DATA = {
    "nothing": b"",
    "a byte": b"x",
    "noise": NOISE * 3,
    "zeros": b"\0" * 3_000_000,
    "text": b"".join(b"line %d of many\n" % n for n in range(60_000)),
    "noise for long": random.Random(8).randbytes(1_500_000),
}


def pieces(member: Member | Members) -> list[bytes]:
    return list(iter(member.piece, b""))


@EVERY
@pytest.mark.parametrize("data", DATA.values(), ids=DATA)
def test_a_member_gives_what_was_packed_in_pieces_and_says_where_it_ends(packing: str, data: bytes) -> None:
    compression, pack = PACK[packing]
    packed = pack(data)
    member = Member(io.BytesIO(b"before" + packed + b"behind"), 6, compression(), ENDLESS)
    got = pieces(member)
    assert b"".join(got) == data
    assert (member.end, member.fault) == (6 + len(packed), None)
    assert max(map(len, got), default=0) <= codec.PIECE


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(list(PACK)), st.binary(max_size=300), st.integers(0, 40), st.integers(1, 40))
def test_it_does_not_matter_in_which_pieces_a_file_is_read(packing: str, data: bytes, times: int, feed: int) -> None:
    compression, pack = PACK[packing]
    packed = pack(data * times)
    with patch.object(members, "FEED", feed):
        member = Member(io.BytesIO(packed + b"behind"), 0, compression(), ENDLESS)
        assert member.whole(ENDLESS) == data * times
    assert member.end == len(packed)


def test_more_than_was_asked_for_is_not_given_as_a_whole() -> None:
    packed = gzip.compress(b"x" * 1000)
    assert Member(io.BytesIO(packed), 0, codec.gzip(), ENDLESS).whole(999) is None
    assert Member(io.BytesIO(packed), 0, codec.gzip(), ENDLESS).whole(1000) == b"x" * 1000
    assert Member(io.BytesIO(packed[:-1]), 0, codec.gzip(), ENDLESS).whole(1000) is None


def byte_by_byte(compression: Compression, packed: bytes) -> bytes:
    """All that comes out of a decoder before it fails."""
    decoder, out = compression.decoder(), b""
    try:
        for at in range(len(packed)):
            out += decoder.decode(packed[at : at + 1])
            while decoder.waiting:
                out += decoder.decode(b"")
            if decoder.eof:
                break
    except compression.errors:
        pass
    return out


@EVERY
def test_of_a_member_that_ends_early_all_there_is_comes_out(packing: str) -> None:
    compression, pack = PACK[packing]
    packed = pack(NOISE[:200] + b"text " * 100)
    for kept in range(1, len(packed), 3):
        member = Member(io.BytesIO(packed[:kept]), 0, compression(), ENDLESS)
        assert b"".join(pieces(member)) == byte_by_byte(compression(), packed[:kept])
        assert member.end is None
        assert member.fault is not None
        assert member.fault.reason == "truncated"


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(list(PACK)), st.integers(0, 10_000), st.binary(min_size=1, max_size=4), st.integers(1, 300))
def test_all_that_comes_before_damage_comes_out(packing: str, at: int, other: bytes, feed: int) -> None:
    compression, pack = PACK[packing]
    data = NOISE[:300] + b"some text " * 200 + NOISE[300:400]
    packed = pack(data)
    at %= len(packed)
    packed = packed[:at] + other + packed[at + len(other) :]
    with patch.object(members, "FEED", feed):
        member = Member(io.BytesIO(packed), 0, compression(), ENDLESS)
        got = b"".join(pieces(member))
    assert got == byte_by_byte(compression(), packed)
    assert (member.end is None) == (member.fault is not None)


def by_zlib(packed: bytes) -> bytes:
    decoder, out = zlib.decompressobj(31), b""
    try:
        for at in range(len(packed)):
            out += decoder.decompress(packed[at : at + 1])
    except zlib.error:
        pass
    return out


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 2000), st.integers(10, 10_000), st.integers(0, 7), st.booleans())
def test_of_damaged_gzip_there_is_as_much_as_zlib_has(noise: int, times: int, at: int, bit: int, is_cut: bool) -> None:
    packed = bytearray(gzip.compress(NOISE[:noise] + b"some text " * times, mtime=0))
    at = min(at, len(packed) - 1)
    packed[at] ^= 1 << bit
    damaged = bytes(packed[:at] if is_cut else packed)
    got = b"".join(pieces(Member(io.BytesIO(damaged), 0, codec.gzip(), ENDLESS)))
    assert got == by_zlib(damaged) if is_cut else got.startswith(by_zlib(damaged))


@pytest.mark.parametrize("packing", [p for p in PACK if p != "stored gzip"])
def test_what_unpacks_to_too_much_is_stopped(packing: str) -> None:
    compression, pack = PACK[packing]
    member = Member(io.BytesIO(pack(b"\0" * (8 << 20))), 0, compression(), 1 << 20)
    out = sum(map(len, pieces(member)))
    assert member.fault is not None
    assert member.fault.reason == "record too large"
    assert 1 << 20 < out <= (1 << 20) + members.RATIO * (member.fed - member.start) + codec.PIECE


def test_what_was_unpacked_before_a_record_does_not_count_against_it() -> None:
    member = Member(io.BytesIO(gzip.compress(b"\0" * (8 << 20))), 0, codec.gzip(), 1 << 20)
    while member.piece():
        member.mark()
    assert member.fault is None


@EVERY
def test_members_are_read_as_one(packing: str) -> None:
    compression, pack = PACK[packing]
    file = io.BytesIO(b"".join(map(pack, [b"one ", b"", b"two ", b"three"])))
    all_ = Members(file, 0, compression(), ENDLESS)
    assert (b"".join(pieces(all_)), all_.fault) == (b"one two three", None)
    file = io.BytesIO(pack(b"one ") + b"garbage" + pack(b"two"))
    all_ = Members(file, 0, compression(), ENDLESS)
    assert b"".join(pieces(all_)) == b"one "
    assert all_.fault is not None
    assert all_.fault.reason == "damaged compression"


@settings(max_examples=80, deadline=None)
@given(
    st.sampled_from(list(PACK)),
    st.lists(st.tuples(st.sampled_from([b"yes", b"no", b"ye", b""]), st.binary(max_size=12), st.booleans()), max_size=6),
    st.integers(0, 400),
    st.integers(30, 200),
)
def test_the_next_member_and_the_one_before_are_those_that_trying_everywhere_finds(
    packing: str, parts: list[tuple[bytes, bytes, bool]], start: int, window: int
) -> None:
    compression_, pack = PACK[packing]
    compression = compression_()
    data = b"".join((pack(said) if not cut else pack(said + NOISE)[:200]) + garbage + compression.magic[:2] for said, garbage, cut in parts)
    start = min(start, len(data))

    def is_one(at: int) -> bool:
        return data.startswith(compression.magic, at) and byte_by_byte(compression, data[at:]).startswith(b"yes")

    right = [at for at in range(len(data)) if is_one(at)]
    file = io.BytesIO(data)
    with patch.object(members, "SCAN", window):
        after = next_member(file, start, compression, starts)
        stopped = next_member(file, 0, compression, starts, start)
        before = member_before(file, start, compression, starts)
    assert after == next((at for at in right if at >= start), None)
    assert stopped == next((at for at in right if at < start), None)
    assert before == next((at for at in reversed(right) if at < start), None)


def starts(first: bytes) -> bool:
    return first.startswith(b"yes")


def test_bytes_that_look_like_members_cost_little_each() -> None:
    """An lz4 frame that announces a large block needs all of it before anything comes out."""
    head = lz4.frame.compress(b"", block_size=lz4.frame.BLOCKSIZE_MAX4MB)[:7] + (4 << 20).to_bytes(4, "little")

    class Counting(io.BytesIO):
        given = 0

        def read(self, size: int | None = -1) -> bytes:
            data = super().read(size)
            self.given += len(data)
            return data

    file = Counting(head * 20_000 + os.urandom(5 << 20))
    assert next_member(file, 0, codec.lz4(), starts) is None
    assert file.given < members._Look.ALLOWANCE + (8 << 20) + 20_000 * 2500


def test_the_compression_is_known_by_the_first_bytes() -> None:
    def name(data: bytes) -> str | None:
        found = compression_of(io.BytesIO(data))
        return found.name if found else None

    assert [name(PACK[p][1](b"x")) for p in PACK] == [PACK[p][0]().name for p in PACK]
    assert name(with_dictionary([b"x"])[0]) == "zstd"
    assert [name(d) for d in (b"", b"\x1f", b"WARC/1.0\r\n", bz2.compress(b"x"))] == [None] * 4


@pytest.mark.parametrize("compressed", [False, True])
def test_the_words_that_frames_share_are_in_the_first_one(compressed: bool) -> None:
    all_ = with_dictionary([b"WARC/1.0\r\none", b"WARC/1.0\r\ntwo"], compressed)
    file = io.BytesIO(b"".join(all_))
    found = compression_of(file)
    assert found is not None
    assert b"".join(pieces(Members(file, 0, found, ENDLESS))) == b"WARC/1.0\r\noneWARC/1.0\r\ntwo"
    assert begins_at(file, 0, found)
    without = Members(io.BytesIO(b"".join(all_[1:])), 0, codec.zstd(io.BytesIO()), ENDLESS)
    pieces(without)
    assert without.fault is not None


DICTIONARIES = {
    "cut off": b"\x5d\x2a\x4d\x18\xff\xff\xff\x00abc",
    "too large": b"\x5d\x2a\x4d\x18\xff\xff\xff\xff",
    "damaged": b"\x5d\x2a\x4d\x18\x08\x00\x00\x00\x28\xb5\x2f\xfd\xff\xff\xff\xff",
}


@pytest.mark.parametrize("first", DICTIONARIES.values(), ids=DICTIONARIES)
def test_words_that_are_not_whole_stop_nothing(first: bytes) -> None:
    found = compression_of(io.BytesIO(first))
    assert found is not None
    Members(io.BytesIO(first + zstd_frame(b"x")), 0, found, ENDLESS).piece()


def test_frames_that_are_not_to_be_unpacked_are_passed_over() -> None:
    skipped = b"\x5a\x2a\x4d\x18" + (100_000).to_bytes(4, "little") + b"x" * 100_000
    for compression, pack in (PACK["zstd"], PACK["lz4"]):
        file = io.BytesIO(skipped + pack(b"one ") + skipped + pack(b"two") + skipped)
        all_ = Members(file, 0, compression(), ENDLESS)
        assert (b"".join(pieces(all_)), all_.fault) == (b"one two", None)


def test_a_frame_that_asks_for_too_much_memory_is_not_unpacked() -> None:
    parameters = zstandard.ZstdCompressionParameters(window_log=27)
    packer = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    member = Member(io.BytesIO(packer.compress(b"x" * 1000) + packer.flush()), 0, codec.zstd(io.BytesIO()), ENDLESS)
    assert member.piece() == b""
    assert member.fault is not None
    assert "memory" in member.fault.detail
