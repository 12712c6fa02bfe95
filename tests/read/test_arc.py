"""Records of ARC files: a line and a block, in both versions, and what is done where the line is odd."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from archives import arc, html, http, version_block
from restarts import check, reasons

from unquilt.read import Fields, Found, Limits, Response, archive
from unquilt.read.arc import Arc

BODY = http(html("one"))
WHEN = int(datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC).timestamp()) * 1_000_000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "a.arc"


def read(file: Path, *records: bytes, limits: Limits | None = None) -> list[Found]:
    file.write_bytes(b"".join(records))
    return check(lambda start: list(archive.read(file, start, Fields(), limits or Limits())), end=file.stat().st_size)


def pages(founds: list[Found]) -> list[tuple[str | None, bytes]]:
    return [(f.record.url, f.record.block) for f in founds if isinstance(f.record, Response)]


@pytest.mark.parametrize(("version", "more"), [(1, ""), (2, " 200 - - 0 a.arc"), (2, " 302 checksum http://b.example/ 17 a.arc")])
def test_both_versions_are_read(file: Path, version: int, more: str) -> None:
    block, first, second = read(file, version_block(version), arc(block=BODY, more=more), arc("http://a.example/2", BODY, more=more))
    assert [(s.reason, s.what) for s in block.skips] == [("version block", "other")]
    assert first.record == Response(BODY, True, "http://a.example/", fetched_at=WHEN, content_type="text/html", ip="1.2.3.4")
    assert pages([second]) == [("http://a.example/2", BODY)]
    assert not first.skips


def test_a_file_may_begin_with_any_record(file: Path) -> None:
    assert pages(read(file, arc(block=BODY))) == [("http://a.example/", BODY)]


def test_a_url_may_hold_spaces(file: Path) -> None:
    assert pages(read(file, version_block(), arc("http://a.example/a b 1.2.3.4 c", BODY))) == [
        ("http://a.example/a%20b%201.2.3.4%20c", BODY)
    ]


def test_a_type_may_hold_spaces(file: Path) -> None:
    (found,) = read(file, arc(block=BODY, type_="text/html; charset=utf-8"))
    assert isinstance(found.record, Response)
    assert found.record.content_type == "text/html;"
    assert pages([found]) == [("http://a.example/", BODY)]


@pytest.mark.parametrize("ip", ["-", "0.0.0.0"])
def test_an_address_that_says_nothing_is_none(file: Path, ip: str) -> None:
    (found,) = read(file, arc(block=BODY, ip=ip, type_="no-type"))
    assert isinstance(found.record, Response)
    assert (found.record.ip, found.record.content_type) == (None, None)


def test_an_address_of_version_six_is_one(file: Path) -> None:
    (found,) = read(file, arc(block=BODY, ip="2001:db8::1"))
    assert isinstance(found.record, Response)
    assert found.record.ip == "2001:db8::1"


def test_a_record_of_a_lookup_is_listed(file: Path) -> None:
    found, after = read(file, arc("dns:a.example", b"20200101\na.example. 1 IN A 1.2.3.4"), arc(block=BODY))
    assert [(s.reason, s.what) for s in found.skips] == [("record of a lookup", "other")]
    assert pages([after]) == [("http://a.example/", BODY)]


def test_what_is_no_http_is_a_page_as_it_was_filed(file: Path) -> None:
    (found,) = read(file, arc("ftp://a.example/x", b"words", type_="text/plain"))
    assert isinstance(found.record, Response)
    assert (found.record.http, found.record.block) == (False, b"words")


@pytest.mark.parametrize("date", ["20090365000000", "2009"])
def test_a_date_that_is_none_is_told_and_the_page_kept(file: Path, date: str) -> None:
    found, after = read(file, arc(block=BODY, date=f"{date:0<8}"), arc("http://a.example/2", BODY))
    assert pages([found, after]) == [("http://a.example/", BODY), ("http://a.example/2", BODY)]
    assert reasons([found]) == ["date not understood"]


def test_a_length_that_is_no_number_ends_the_record_at_the_next(file: Path) -> None:
    found, after = read(file, arc(block=BODY, length="many"), arc("http://a.example/2", BODY))
    assert pages([found, after]) == [("http://a.example/", BODY), ("http://a.example/2", BODY)]
    assert reasons([found]) == ["no length"]


@pytest.mark.parametrize("by", [-30, -1, 2, 3, 30, 5000, 1 << 50])
def test_a_wrong_length_ends_the_record_at_the_next(file: Path, by: int) -> None:
    first, second, third = read(
        file, arc(block=BODY, length=len(BODY) + by), arc("http://a.example/2", BODY), arc("http://a.example/3", BODY)
    )
    assert pages([first, second, third]) == [("http://a.example/", BODY), ("http://a.example/2", BODY), ("http://a.example/3", BODY)]
    assert reasons([first]) == ["wrong length"]


def test_a_length_with_the_line_end_behind_the_block_in_it_is_believed(file: Path) -> None:
    founds = read(file, arc(block=BODY, length=len(BODY) + 1), arc("http://a.example/2", BODY))
    assert pages(founds) == [("http://a.example/", BODY + b"\n"), ("http://a.example/2", BODY)]
    assert not reasons(founds)


def test_of_a_block_that_ends_early_what_is_there_is_read(file: Path) -> None:
    (found,) = read(file, arc(block=BODY)[:-20])
    assert pages([found]) == [("http://a.example/", BODY[:-19])]
    assert reasons([found]) == ["truncated"]


@pytest.mark.parametrize("kept", [10, 25, 50])
def test_a_head_that_ends_early_is_told(file: Path, kept: int) -> None:
    first, cut = read(file, arc(block=BODY), arc("http://a.example/another", BODY)[:kept])
    assert pages([first]) == [("http://a.example/", BODY)]
    assert reasons([cut]) == ["truncated"]


GARBAGE = [
    b"\x00\xff" * 300,
    b"Donkey Kong country",
    b"no: head at all\n" * 20,
    b"scheme:" + b"x" * 3000 + b"\n",
    b"scheme:x - y\n",
    b"<html>\n<p>1.2.3.4 20200101 x\n</html>",
]


@pytest.mark.parametrize("garbage", GARBAGE)
def test_garbage_is_told_and_no_record_is_lost(file: Path, garbage: bytes) -> None:
    founds = read(file, garbage, arc(block=BODY), garbage, arc("http://a.example/2", BODY), garbage)
    assert [url for url, _ in pages(founds)] == ["http://a.example/", "http://a.example/2"]
    assert all(block.startswith(BODY) for _, block in pages(founds))
    assert set(reasons(founds)) <= {"not a record", "wrong length", "truncated"}
    assert reasons(founds)[0] == "not a record"


def test_a_page_that_holds_lines_of_archives_is_whole(file: Path) -> None:
    inner = http(b"<pre>\n" + arc("http://b.example/", b"inner") + b"</pre>")
    assert pages(read(file, arc(block=inner), arc("http://a.example/2", BODY))) == [
        ("http://a.example/", inner),
        ("http://a.example/2", BODY),
    ]


def test_a_body_over_the_limit_is_cut_there_and_the_next_record_is_read(file: Path) -> None:
    large = http(b"x" * 5000)
    found, after = read(file, arc(block=large), arc("http://a.example/2", BODY), limits=Limits(body_bytes=1000))
    assert pages([found, after]) == [("http://a.example/", large[: len(http(b"")) + 1000]), ("http://a.example/2", BODY)]
    assert reasons([found]) == ["body too large"]


HOSTILE = {
    "addresses and dates": b" 11 202001010000",
    "dashes and dates": b" - 202001010000 x",
    "digits": b" - " + b"1" * 20,
    "letters": b" " + b"a" * 45,
    "spaces": b" ",
}


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("end", [b"\r x\n", b" x\n", b"\n", b""])
def test_no_line_takes_long(unit: bytes, end: bytes) -> None:
    form = Arc(Limits())
    line = b"http://a.example/" + unit * (200_000 // len(unit)) + end
    begin = time.process_time()
    form.parsed(line)
    form.find(bytearray(unit * (1500 // len(unit)) + end) * 100, 0)
    assert time.process_time() - begin < 1
