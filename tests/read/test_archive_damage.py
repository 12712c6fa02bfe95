"""Damaged archives: whatever was done to some bytes, what lies apart from them is read, and all that is lost is told with its place."""

from __future__ import annotations

import gzip
import random
from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import pytest
from archives import BY_RECORD, ENDINGS, PACKED, arc, html, http, packed, page, places, record, response, stored
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from restarts import check, reasons

from unquilt.read import Fields, Found, Limits, Response, archive
from unquilt.read.bounds import records
from unquilt.read.stretch import Plain, Stretch
from unquilt.read.warc import Warc

NAMES = ("one", "two", "three")
PAGES = [page(n) for n in NAMES]
GARBAGE = {
    "noise": random.Random(7).randbytes(700),
    "zeros": b"\0" * 2000,
    "words": b"Donkey Kong country\n",
    "the begin of a head": b"WARC/1.0\r\nWARC-Type: resp",
    "a page": b"<html>\n\n<p>WARC/1.0 is a format</html>\r\n\r\n",
}
SPLIT = ("plain", "gzip", "stored gzip", "zstd", "lz4")
TOLD = {
    "truncated",
    "damaged compression",
    "not a record",
    "wrong length",
    "no length",
    "head without end",
    "no WARC-Type",
    "unknown type of record",
    "empty file",
    "too many records in one member",
}


def read(path: Path, data: bytes, *, end: int | None = None, at_most: int = 40) -> list[Found]:
    path.write_bytes(data)
    return check(lambda start: list(archive.read(path, start, Fields(), Limits())), end=end, at_most=at_most)


def whole(founds: list[Found]) -> list[str]:
    """Names of the pages with which nothing is wrong."""
    return [_name(f) for f in founds if isinstance(f.record, Response) and not f.skips and f.record.block == http(html(_name(f)))]


def _pages(founds: list[Found]) -> list[str]:
    """Also of those with which something may be wrong."""
    return [_name(f) for f in founds if isinstance(f.record, Response) and f.record.block == http(html(_name(f)))]


def _name(found: Found) -> str:
    assert isinstance(found.record, Response)
    return str(found.record.url).rpartition("/")[2]


@pytest.mark.parametrize("packing", SPLIT)
def test_of_a_file_that_ends_anywhere_all_that_is_whole_is_read_and_the_end_is_told(tmp_path: Path, packing: str) -> None:
    members = PACKED[packing](PAGES)
    data = b"".join(members)
    ends = [begin + length for begin, length in places(members)]
    line_ends = 4 if packing == "plain" else 0
    for kept in range(0, len(data), 5):
        founds = read(tmp_path / "a.warc", data[:kept], end=kept, at_most=4)
        count = sum(end - line_ends <= kept for end in ends)
        assert whole(founds) == list(NAMES[:count])
        told = [] if kept in ends or (count and kept < ends[count - 1]) else ["truncated"] if kept else ["empty file"]
        assert reasons(founds) == told or (kept < 4 and len(reasons(founds)) == 1), kept


def test_of_a_stream_that_ends_anywhere_all_that_is_there_is_read(tmp_path: Path) -> None:
    data = stored(b"".join(PAGES))
    for kept in range(20, len(data), 7):
        founds = read(tmp_path / "a.warc.gz", data[:kept], at_most=4)
        assert _pages(founds) == [n for n in NAMES if html(n) in data[:kept]]
        assert "truncated" in reasons(founds)


def test_what_is_packed_within_a_page_is_not_taken_for_what_follows(tmp_path: Path) -> None:
    inner = b"".join(packed(page(f"inner {n}")[100:]) for n in range(5))
    data = stored(PAGES[0] + response("http://a.example/two", inner))
    founds = read(tmp_path / "a.warc.gz", data[:-50])
    assert whole(founds) == ["one"]
    assert reasons(founds) == ["truncated"]


@pytest.mark.parametrize("packing", ["gzip", "stored gzip", "zstd", "lz4"])
def test_behind_a_damaged_member_it_goes_on_at_the_next(tmp_path: Path, packing: str) -> None:
    members = PACKED[packing](PAGES)
    begin, length = places(members)[1]
    for at in range(begin, begin + length, 5):
        data = bytearray(b"".join(members))
        data[at] ^= 0x55
        founds = read(tmp_path / "a.warc", bytes(data), end=len(data), at_most=4)
        names = whole(founds)
        assert names[:1] + names[-1:] == ["one", "three"], at
        assert "two" in names or reasons(founds), at


@pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE)
@pytest.mark.parametrize("packing", SPLIT)
@pytest.mark.parametrize("at", [0, 1, 2, 3])
def test_garbage_is_told_and_no_record_is_lost(tmp_path: Path, packing: str, garbage: bytes, at: int) -> None:
    if not at and packing != "plain":
        garbage = garbage.replace(b"WARC", b"WORD")  # what begins like a plain archive is read as one
    members = PACKED[packing](PAGES)
    members.insert(at, garbage)
    data = b"".join(members)
    founds = read(tmp_path / f"a.warc{ENDINGS.get(packing, '')}", data, end=len(data))
    assert whole(founds) == list(NAMES)
    begin, length = places(members)[at]
    told = [f for f in founds if f.skips]
    assert [(f.offset, f.length) for f in told] == [(begin, length)]
    assert len(reasons(founds)) == 1
    assert set(reasons(founds)) <= TOLD


@pytest.mark.parametrize("packing", ["gzip", "zstd", "lz4"])
def test_a_file_whose_name_does_not_say_how_it_is_packed_is_read_behind_garbage(tmp_path: Path, packing: str) -> None:
    data = GARBAGE["noise"] + b"".join(PACKED[packing](PAGES))
    assert _pages(read(tmp_path / "a.dat", data, end=len(data))) == list(NAMES)


@pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE)
def test_garbage_between_the_members_of_a_stream_is_told_and_no_record_is_lost(tmp_path: Path, garbage: bytes) -> None:
    first = packed(b"".join(PAGES[:2]) + page("cut")[:100])
    founds = read(tmp_path / "a.warc.gz", first + garbage + packed(page("cut")[100:] + PAGES[2]))
    assert whole(founds) == list(NAMES)
    assert "damaged compression" in reasons(founds)


LENGTHS = [*range(-60, 60), 300, 500, 1000, 1 << 20, (1 << 20) + 1, 1 << 31, 1 << 59, 10**30]


@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
@pytest.mark.parametrize("packing", ["plain", "gzip", "one gzip"])
def test_a_wrong_length_costs_no_record(tmp_path: Path, packing: str, end: bytes) -> None:
    block = http(b"<p>of two\n\nor three lines</p>")
    for by in LENGTHS:
        records = [response(f"http://a.example/{n}", html(n), end=end) for n in NAMES]
        records[1] = record(url="http://a.example/two", block=block, length=len(block) + by, end=end)
        founds = read(tmp_path / "a.warc", b"".join(PACKED[packing](records)), at_most=4)
        assert [n for n in whole(founds) if n != "two"] == ["one", "three"], by
        _check_wrong(founds, block, by, end)


def _check_wrong(founds: list[Found], block: bytes, by: int, end: bytes) -> None:
    (wrong,) = (f for f in founds if isinstance(f.record, Response) and _name(f) == "two")
    assert isinstance(wrong.record, Response)
    got = wrong.record.block
    if by < 0 and block[by:].startswith((b"\r\n\r\n", b"\n\n")):
        # An empty line behind what was announced: it is the block, and the rest is something between records.
        assert (got, reasons(founds)) == (block[:by], ["not a record"])
    elif 0 <= by <= 2 * len(end):  # line ends behind the block
        assert (got, reasons(founds)) == (block + (end * 2)[:by], [])
    else:
        assert got == block, by
        assert len(reasons(founds)) == 1
        assert reasons(founds)[0] in ("wrong length", "truncated", "no length")


@pytest.mark.parametrize("packing", ["plain", "gzip", "one gzip", "two records a member"])
@pytest.mark.parametrize("said", ["", "-5", "ten", "٣", "0x10", None])
def test_without_a_length_a_record_ends_at_the_next(tmp_path: Path, packing: str, said: str | None) -> None:
    records = [PAGES[0], record(url="http://a.example/two", block=http(html("two")), Content_Length=said), PAGES[2]]
    founds = read(tmp_path / "a.warc", b"".join(PACKED[packing](records)))
    assert [_name(f) for f in founds] == list(NAMES)
    assert [f.record.block for f in founds if isinstance(f.record, Response)] == [http(html(n)) for n in NAMES]
    assert reasons(founds) == ["no length"]


@pytest.mark.parametrize("packing", ["plain", "gzip", "one gzip"])
def test_a_head_without_end_costs_no_other_record(tmp_path: Path, packing: str) -> None:
    for headless in (PAGES[1][:150], PAGES[1][:60] + b"X-More: y\r\n" * 50_000):
        founds = read(tmp_path / "a.warc", b"".join(PACKED[packing]([PAGES[0], headless, PAGES[2]])))
        assert whole(founds) == ["one", "three"]
        assert set(reasons(founds)) & {"head without end", "truncated"}


def test_lengths_that_are_wrong_in_every_record_are_told_in_every_one(tmp_path: Path) -> None:
    """As of a file that was sent as text, so that CR LF became LF."""
    data = b"".join(PAGES).replace(b"\r\n", b"\n")
    founds = read(tmp_path / "a.warc", data, end=len(data))
    assert [_name(f) for f in founds] == list(NAMES)
    assert [f.record.block for f in founds if isinstance(f.record, Response)] == [http(html(n)).replace(b"\r\n", b"\n") for n in NAMES]
    assert reasons(founds) == ["wrong length"] * 2 + ["truncated"]


def test_a_stream_is_gone_back_in_once_however_many_lengths_are_wrong() -> None:
    opened: list[int] = []
    data = b"".join(record(url=f"http://a.example/{n}", block=http(b"x" * 400_000), length=2 << 20) for n in range(12))

    def begin(at: int) -> Plain:
        opened.append(at)
        return Plain(BytesIO(data), at)

    founds = list(records(Stretch(begin, 0), Warc(Limits(body_bytes=1000))))
    assert [f.fault.reason for f in founds if f.fault] == ["wrong length"] * 11 + ["truncated"]
    assert opened == [0, 0]


def test_a_file_in_the_middle_of_being_written_is_read_up_to_there(tmp_path: Path) -> None:
    data = b"".join(map(packed, PAGES))
    founds = read(tmp_path / "a.warc.gz.open", data[:-30], end=len(data) - 30)
    assert whole(founds) == ["one", "two"]
    assert reasons(founds) == ["truncated"]


bodies = st.lists(
    st.sampled_from(
        [
            b"some words ",
            b"\n",
            b"\r\n\r\n",
            b"\n\n",
            b"WARC/1.0\r\nWARC-Type: response\r\n",
            b"Content-Length: 70\r\n\r\n",
            b"\nhttp://b.example/ 1.2.3.4 20200102030405 text/html 7\n",
            bytes(range(256)),
            b"\x1f\x8b\x08\0\0",
            page("inner"),
            packed(page("packed")),
        ]
    ),
    max_size=8,
).map(b"".join)
damages = st.tuples(st.integers(0, 1 << 20), st.integers(0, 400), st.binary(max_size=12) | st.just(b"\0" * 500) | st.just(page("new")[:90]))


def _damaged(data: bytes, at: int, gone: int, new: bytes) -> tuple[bytes, int, int]:
    """(the data, where the damage begins, where what follows it began)."""
    at %= len(data) + 1
    return data[:at] + new + data[at + gone :], at, min(at + gone, len(data))


class Case(NamedTuple):
    """An archive of pages, in which other bytes stand from `begin` on for those that stood there up to `end`."""

    packing: str
    is_arc: bool
    bodies: list[bytes]
    places: list[tuple[int, int]]
    words: bytes  # a dictionary, without which nothing can be read, and which stays whole
    data: bytes
    begin: int
    end: int

    @property
    def name(self) -> str:
        return f"damaged{'.arc' if self.is_arc else '.warc'}{ENDINGS.get(self.packing, '')}"

    def is_ambiguous(self) -> bool:
        """It begins like an archive that is not packed; or the length of the damaged record leads just to the end of the file."""
        if self.packing != "plain":
            return self.data.lstrip(b"\r\n").startswith((b"WARC", b"http"))
        ends = [offset + length - 4 for offset, length in self.places if offset <= self.begin < offset + length]
        return any(self.begin < end and not self.data[end:].strip(b"\r\n") for end in ends)

    def apart(self) -> Counter[bytes]:
        """Pages that the damage has left alone."""
        before, behind = self._room()
        return Counter(
            http(body)
            for body, (offset, length) in zip(self.bodies, self.places, strict=True)
            if offset + length + (behind if self.is_arc or b"WARC/" in body else 0) <= self.begin or offset >= self.end + before
        )

    def _room(self) -> tuple[int, int]:
        """How far before and behind a record there must be no damage.

        An ARC has no mark between records, so that one begins and ends for sure only where others are in their places. So does
        a record of a WARC end where its block holds what could be a record.
        """
        return (0, 0) if self.packing != "plain" else (1, 120) if self.is_arc else (0, 20)


def _case(packing: str, is_arc: bool, bodies: list[bytes], damage: tuple[int, int, bytes]) -> Case:
    urls = [f"http://a.example/{n}" for n in range(len(bodies))]
    records = [arc(url, http(body)) if is_arc else response(url, body) for url, body in zip(urls, bodies, strict=True)]
    members = BY_RECORD[packing](records)
    words = members[: len(members) - len(records)]
    members = members[len(words) :]
    at, gone, new = damage
    if is_arc and new.startswith(b"WARC"):  # at the begin it would make a WARC of it
        new = arc("http://a.example/new")[:60]
    data, begin, end = _damaged(b"".join(members), at, gone, new)
    return Case(packing, is_arc, bodies, places(members), b"".join(words), data, begin, end)


cases = st.builds(_case, st.sampled_from(list(BY_RECORD)), st.booleans(), st.lists(bodies, min_size=1, max_size=6), damages)


@settings(max_examples=120, deadline=None)
@given(cases)
def test_what_lies_apart_from_the_damage_is_found(tmp_path_factory: pytest.TempPathFactory, case: Case) -> None:
    assume(not case.is_ambiguous())
    founds = read(tmp_path_factory.getbasetemp() / case.name, case.words + case.data, at_most=6)
    assert not case.apart() - Counter(f.record.block for f in founds if isinstance(f.record, Response))


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(list(PACKED)), st.lists(bodies, min_size=1, max_size=5), st.lists(damages, max_size=3), st.booleans())
def test_no_damage_stops_the_reading_and_from_every_place_it_goes_on_the_same(
    tmp_path_factory: pytest.TempPathFactory, packing: str, bodies: list[bytes], several: list[tuple[int, int, bytes]], is_arc: bool
) -> None:
    records = [arc(block=body) if is_arc else record("resource", block=body) for body in bodies]
    data = b"".join(PACKED[packing](records))
    for damage in several:
        data, _, _ = _damaged(data, *damage)
    path = tmp_path_factory.getbasetemp() / "several.warc"
    founds = read(path, data, end=len(data) if packing in BY_RECORD and not several else None, at_most=6)
    assert founds or not data


def test_noise_is_told_as_what_it_is(tmp_path: Path) -> None:
    for data in (random.Random(1).randbytes(50_000), b"\0" * 50_000, gzip.compress(b"words " * 9000), b"words " * 9000):
        founds = read(tmp_path / "a.warc.gz", data)
        assert not [f for f in founds if f.record]
        assert set(reasons(founds)) <= TOLD
        assert reasons(founds)
