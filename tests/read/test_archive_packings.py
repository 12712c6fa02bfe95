"""Archives in every way they are packed: the same records, and places that other programs know them by."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from archives import BY_RECORD, IN_ONE, PACKED, arc, html, http, packed, page, places, record, response, version_block
from fastwarc.warc import ArchiveIterator as Fast
from restarts import check
from warcio.archiveiterator import ArchiveIterator as Warcio

from unquilt.read import Fields, Found, Limits, archive

LONG = html("long") + bytes(range(256)) * 600 + b"\nWARC/1.0\r\nWARC-Type: response\r\n\r\n" + b"\n\n" * 50
RECORDS = {
    "WARC": [
        record("warcinfo", None, b"software: x\r\n"),
        page("one"),
        record("request", "http://a.example/one", b"GET /one HTTP/1.1\r\n\r\n"),
        response("http://a.example/long", LONG),
        record("revisit", "http://a.example/again", http(b"")),
        response("http://a.example/empty", b"", version="1.1"),
        page("two"),
    ],
    "WARC with bare line feeds": [response(f"http://a.example/{n}", html(n), end=b"\n", version="0.17") for n in ("one", "two", "three")],
    "ARC": [
        version_block(),
        arc("http://a.example/one", http(html("one"))),
        arc("http://a.example/long", http(LONG)),
        arc(block=http(b"")),
    ],
    "ARC of version 2": [version_block(2), *(arc(f"http://a.example/{n}", http(html(n)), more=" 200 - - 0 a.arc") for n in ("one", "two"))],
}
EVERY_PACKING = pytest.mark.parametrize("packing", PACKED)
EVERY_KIND = pytest.mark.parametrize("kind", RECORDS)


def read(path: Path) -> Callable[[int], list[Found]]:
    return lambda start: list(archive.read(path, start, Fields(), Limits()))


def said(founds: list[Found]) -> list[tuple[object, object]]:
    return [(f.record, f.skips) for f in founds if f.record or f.skips]


@EVERY_PACKING
@EVERY_KIND
def test_the_same_records_are_found_and_from_any_of_them_on(tmp_path: Path, packing: str, kind: str) -> None:
    path, plain = tmp_path / "a", tmp_path / "plain"
    members = PACKED[packing](RECORDS[kind])
    path.write_bytes(b"".join(members))
    plain.write_bytes(b"".join(RECORDS[kind]))
    founds = check(read(path), end=path.stat().st_size if packing in BY_RECORD else plain.stat().st_size)
    assert said(founds) == said(read(plain)(0))
    assert len(said(founds)) == len(RECORDS[kind])
    assert not [s for f in founds for s in f.skips if s.what not in ("other", "url")]


@pytest.mark.parametrize("packing", BY_RECORD)
@EVERY_KIND
def test_places_of_records_packed_one_by_one_are_those_in_the_file(tmp_path: Path, packing: str, kind: str) -> None:
    members = BY_RECORD[packing](RECORDS[kind])
    path = tmp_path / "a"
    path.write_bytes(b"".join(members))
    ours = [(f.offset, f.length) for f in read(path)(0) if f.record or f.skips]
    assert ours == places(members)[len(members) - len(RECORDS[kind]) :]


@pytest.mark.parametrize("packing", IN_ONE)
@EVERY_KIND
def test_places_of_records_packed_together_are_those_in_what_is_unpacked(tmp_path: Path, packing: str, kind: str) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"".join(IN_ONE[packing](RECORDS[kind])))
    assert [(f.offset, f.length) for f in read(path)(0)] == places(RECORDS[kind])


@pytest.mark.parametrize("packing", ["plain", "gzip", "stored gzip"])
@EVERY_KIND
def test_places_are_those_that_warcio_has(tmp_path: Path, packing: str, kind: str) -> None:
    data = b"".join(PACKED[packing](RECORDS[kind]))
    path = tmp_path / "a"
    path.write_bytes(data)
    theirs, reader = [], Warcio(BytesIO(data), no_record_parse=True)
    for one in reader:
        one.raw_stream.read()
        theirs.append((reader.get_record_offset(), reader.get_record_length()))
    ours = [(f.offset, f.length) for f in read(path)(0)]
    assert [offset for offset, _ in ours] == [offset for offset, _ in theirs]
    if packing != "plain":  # of these it does not count all line ends that stand behind the block
        assert ours == theirs


@pytest.mark.parametrize("packing", ["plain", "gzip", "stored gzip", "lz4"])
def test_places_are_those_that_fastwarc_has(tmp_path: Path, packing: str) -> None:
    data = b"".join(PACKED[packing](RECORDS["WARC"]))
    path = tmp_path / "a"
    path.write_bytes(data)
    theirs = [one.stream_pos for one in Fast(BytesIO(data), parse_http=False)]
    assert [f.offset for f in read(path)(0)] == theirs


def test_members_that_hold_several_records_have_places_of_their_own(tmp_path: Path) -> None:
    """Where the first record fills its member, but others do not: the second one of a member is a byte behind the first."""
    first, *others = (page(n) for n in ("one", "two", "three", "four"))
    members = [packed(first), packed(b"".join(others)), packed(page("five"))]
    path = tmp_path / "a"
    path.write_bytes(b"".join(members))
    founds = check(read(path), end=path.stat().st_size)
    begin = len(members[0])
    assert [f.offset for f in founds] == [0, begin, begin + 1, begin + 2, begin + len(members[1])]
    assert [f.record.url for f in founds if f.record] == [f"http://a.example/{n}" for n in ("one", "two", "three", "four", "five")]


def test_more_records_than_bytes_in_a_member_are_told(tmp_path: Path) -> None:
    many = packed(record("metadata", block=b"") * 3000)
    path = tmp_path / "a"
    path.write_bytes(packed(page("one")) + many + packed(page("two")))
    founds = check(read(path), end=path.stat().st_size, at_most=4)
    assert [s.reason for s in founds[-2].skips] == ["too many records in one member"]
    assert [f.record.url for f in founds if f.record] == ["http://a.example/one", "http://a.example/two"]


@pytest.mark.parametrize("kind", ["WARC", "ARC"])
def test_a_member_of_nothing_costs_nothing(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"".join(packed(data) for one in RECORDS[kind] for data in (one, b"", b"\r\n")))
    assert len(said(check(read(path), end=path.stat().st_size))) == len(RECORDS[kind])
