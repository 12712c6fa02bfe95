"""Records of WARC files: what they become, in every version and with every oddity that is found in the wild."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from archives import html, http, page, record, response
from restarts import check, reasons

from unquilt.read import Fields, Found, Limits, Record, Response, Revisit, archive

URL = "http://a.example/"
BODY = http(html("one"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "a.warc"


def read(file: Path, *records: bytes, limits: Limits | None = None) -> list[Found]:
    file.write_bytes(b"".join(records))
    return check(lambda start: list(archive.read(file, start, Fields(), limits or Limits())), end=file.stat().st_size)


def only(file: Path, data: bytes, limits: Limits | None = None) -> Response:
    (found,) = read(file, data, limits=limits)
    assert isinstance(found.record, Response)
    return found.record


def blocks(founds: list[Found]) -> list[bytes]:
    return [f.record.block for f in founds if isinstance(f.record, Response)]


def micros(*when: int) -> int:
    return int(datetime(*when, tzinfo=UTC).timestamp()) * 1_000_000  # type: ignore[misc]


def test_a_response_is_kept_with_all_that_is_said_of_it(file: Path) -> None:
    more = {"WARC_IP_Address": "1.2.3.4", "WARC_Payload_Digest": "sha1:ABC"}
    assert only(file, record(block=BODY, **more)) == Response(
        BODY,
        True,
        URL,
        fetched_at=micros(2020, 1, 2, 3, 4, 5),
        content_type="application/http; msgtype=response",
        ip="1.2.3.4",
        digest="sha1:ABC",
    )


def test_a_resource_is_a_page_as_it_was_filed(file: Path) -> None:
    got = only(file, record("resource", block=html("one"), Content_Type="text/html"))
    assert (got.block, got.http, got.content_type) == (html("one"), False, "text/html")


def test_a_response_without_an_http_head_is_a_page_as_it_was_filed(file: Path) -> None:
    got = only(file, record(block=html("one"), Content_Type="text/html"))
    assert (got.http, got.content_type) == (False, "text/html")


@pytest.mark.parametrize("type_", ["application/http", "Application/HTTP;msgtype=response", "message/http", None, "text/html"])
def test_a_block_that_begins_like_http_is_http(file: Path, type_: str | None) -> None:
    assert only(file, record(block=BODY, Content_Type=type_)).http


def test_a_text_that_others_made_of_a_page_is_a_record(file: Path) -> None:
    wet = record("conversion", block="Größe\n".encode(), Content_Type="text/plain", WARC_Identified_Content_Language="deu,eng")
    (found,) = read(file, wet)
    assert found.record == Record("Größe\n", url=URL, language="deu,eng", fetched_at=micros(2020, 1, 2, 3, 4, 5))
    assert not found.skips


def test_a_text_that_is_not_utf_8_is_kept_and_that_is_told(file: Path) -> None:
    (found,) = read(file, record("conversion", block=b"Gr\xf6\xdfe"))
    assert isinstance(found.record, Record)
    assert found.record.text == "Gr��e"
    assert [(s.reason, s.what) for s in found.skips] == [("not UTF-8", "text")]


def test_a_text_over_the_limit_is_not_cut_within_a_character(file: Path) -> None:
    (found,) = read(file, record("conversion", block="ä".encode() * 100), limits=Limits(body_bytes=31))
    assert isinstance(found.record, Record)
    assert found.record.text == "ä" * 15
    assert reasons([found]) == ["body too large"]


def test_a_conversion_to_html_is_a_page(file: Path) -> None:
    assert only(file, record("conversion", block=html("one"), Content_Type="text/html")).block == html("one")


def test_a_revisit_says_what_it_is_the_same_as(file: Path) -> None:
    more = {
        "WARC_Refers_To_Target_URI": "<http://b.example/x>",
        "WARC_Refers_To_Date": "2019-01-01T00:00:00Z",
        "WARC_Payload_Digest": "sha1:X",
    }
    (found,) = read(file, record("revisit", block=b"HTTP/1.1 200 OK\r\n\r\n", **more))
    assert found.record == Revisit(
        URL, micros(2020, 1, 2, 3, 4, 5), digest="sha1:X", of_url="http://b.example/x", of_date=micros(2019, 1, 1)
    )
    assert not found.skips


OTHERS = {
    "warcinfo": (record("warcinfo", None, b"software: x\r\n"), "warcinfo record"),
    "request": (record("request", block=b"GET / HTTP/1.1\r\n\r\n"), "request record"),
    "metadata": (record("metadata", block=b"via: x"), "metadata record"),
    "continuation": (record("continuation", block=b"more"), "continuation record"),
    "of nobody": (record("monkeys"), "unknown type of record"),
    "a lookup": (
        record("response", "dns:a.example", b"20200101\na.example. 1 IN A 1.2.3.4", Content_Type="text/dns"),
        "record of a lookup",
    ),
    "a log": (record("resource", "metadata://gnu.org/software/wget/warc/wget.log", b"x", Content_Type="text/plain"), "note of the crawler"),
    "a screenshot": (record("resource", "urn:view:http://a.example/", b"x", Content_Type="image/png"), "note of the crawler"),
}


@pytest.mark.parametrize(("data", "reason"), OTHERS.values(), ids=OTHERS)
def test_what_holds_no_page_is_listed(file: Path, data: bytes, reason: str) -> None:
    before, found, after = read(file, page("one"), data, page("two"))
    assert found.record is None
    assert [(s.reason, s.what) for s in found.skips] == [(reason, "other")]
    assert before.record is not None
    assert after.record is not None


def test_a_record_of_no_type_is_left_out(file: Path) -> None:
    assert reasons(read(file, record(WARC_Type=None, block=BODY), page("two"))) == ["no WARC-Type"]


@pytest.mark.parametrize("version", ["0.17", "0.18", "0.9", "1.0", "1.1", "2.0", "1.0 "])
@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
def test_every_version_is_read_with_either_end_of_lines(file: Path, version: str, end: bytes) -> None:
    founds = read(file, *(record(url=f"{URL}{n}", block=BODY, version=version, end=end) for n in range(3)))
    assert blocks(founds) == [BODY] * 3
    assert [f.record.url for f in founds if f.record] == [f"{URL}{n}" for n in range(3)]
    assert not reasons(founds)


@pytest.mark.parametrize("after", [b"", b"\n", b"\r\n", b"\n\n", b"\r\n\r\n", b"\r\n" * 9, b"\r\n\r\n\n"])
def test_as_many_line_ends_as_there_are_stand_between_records(file: Path, after: bytes) -> None:
    founds = read(file, record(block=BODY, after=after), record(block=BODY, after=after))
    assert blocks(founds) == [BODY] * 2
    assert not reasons(founds)


def test_line_ends_in_front_belong_to_the_first_record(file: Path) -> None:
    founds = read(file, b"\r\n\n", page("one"), page("two"))
    assert blocks(founds) == [http(html("one")), http(html("two"))]


def test_folded_lines_are_one(file: Path) -> None:
    data = page("one").replace(b"WARC-Date: ", b"WARC-Date:\r\n\t ").replace(b"http://a.example", b"\r\n  http://a.example", 1)
    got = only(file, data)
    assert (got.url, got.fetched_at) == (f"{URL}one", micros(2020, 1, 2, 3, 4, 5))


def test_names_of_fields_are_read_in_any_case_and_with_any_space(file: Path) -> None:
    data = page("one").replace(b"WARC-Type: response", b"wArC-tYpE :\t Response ").replace(b"Content-Length:", b"CONTENT-LENGTH:")
    assert only(file, data.replace(b"WARC/1.0", b"warc/1.0")).url == f"{URL}one"


def test_of_fields_said_twice_the_first_counts(file: Path) -> None:
    data = page("one").replace(b"WARC-Date: ", b"WARC-Target-URI: http://b.example/\r\nWARC-Date: ")
    assert only(file, data).url == f"{URL}one"


def test_lines_of_a_head_that_are_none_are_passed_over(file: Path) -> None:
    assert only(file, page("one").replace(b"WARC-Date: ", b"\xff\xfe rubbish\r\n: \r\nWARC-Date: ")).block == http(html("one"))


def test_a_url_in_angle_brackets_is_one(file: Path) -> None:
    assert only(file, response("<http://a.example/x>", html("one"))).url == "http://a.example/x"


WRONG_URLS = {
    "missing": (None, "no URL"),
    "empty": ("", "no URL"),
    "relative": ("/index.html", "URL not understood"),
    "words": ("no url at all", "URL not understood"),
    "too long": ("http://a.example/" + "x" * 70_000, "URL not understood"),
}


@pytest.mark.parametrize(("url", "reason"), WRONG_URLS.values(), ids=WRONG_URLS)
def test_a_page_without_a_url_is_kept_and_that_is_told(file: Path, url: str | None, reason: str) -> None:
    found, after = read(file, record(url=url, block=BODY), page("two"))
    assert isinstance(found.record, Response)
    assert (found.record.url, found.record.block) == (None, BODY)
    assert [(s.reason, s.what) for s in found.skips] == [(reason, "url")]
    assert not after.skips


@pytest.mark.parametrize(
    ("said", "when"),
    [
        ("2020-01-02T03:04:05.123456Z", micros(2020, 1, 2, 3, 4, 5) + 123_456),
        ("2020-01-02T03:04:05.123456789Z", micros(2020, 1, 2, 3, 4, 5) + 123_456),
        ("2020-01-02T03:04:05+02:00", micros(2020, 1, 2, 1, 4, 5)),
        ("20200102030405", micros(2020, 1, 2, 3, 4, 5)),
        ("2020-01-02T23:59:60Z", micros(2020, 1, 2, 23, 59, 59)),
        ("2020-01-02", micros(2020, 1, 2)),
        ("2020-01", micros(2020, 1, 1)),
        ("2020", micros(2020, 1, 1)),
    ],
)
def test_dates_are_read_as_exact_as_they_are(file: Path, said: str, when: int) -> None:
    assert only(file, record(block=BODY, WARC_Date=said)).fetched_at == when


@pytest.mark.parametrize("said", ["2009-03-65T00:00:00Z", "yesterday", "0000-01-01", "9999-12-31T23:59:59-23:00", "٢٠٢٠-01-01"])
def test_a_date_that_is_none_is_told_and_the_page_kept(file: Path, said: str) -> None:
    (found,) = read(file, record(block=BODY, WARC_Date=said))
    assert isinstance(found.record, Response)
    assert found.record.fetched_at is None
    assert [(s.reason, s.what) for s in found.skips] == [("date not understood", "fetched_at")]


def test_the_first_of_several_segments_is_read_and_the_others_are_listed(file: Path) -> None:
    first, more = read(file, record(block=BODY, WARC_Segment_Number="1"), record("continuation", block=b"x", WARC_Segment_Number="2"))
    assert isinstance(first.record, Response)
    assert first.record.truncated == "in segments"
    assert reasons([first, more]) == ["in segments", "continuation record"]


def test_what_the_crawler_cut_off_is_known(file: Path) -> None:
    assert only(file, record(block=BODY, WARC_Truncated="length")).truncated == "length"


def test_a_body_over_the_limit_is_cut_there_and_the_next_record_is_read(file: Path) -> None:
    large = http(b"<p>" + b"x" * 5000)
    found, after = read(file, record(block=large), page("two"), limits=Limits(body_bytes=1000))
    assert isinstance(found.record, Response)
    head = len(http(b""))
    assert found.record.block == large[: head + 1000]
    assert found.record.truncated == "body too large"
    assert [(s.reason, s.detail) for s in found.skips] == [("body too large", f"{len(large):,} bytes, the first {head + 1000:,} were read")]
    assert blocks([after]) == [http(html("two"))]


def test_a_body_of_just_the_limit_is_whole(file: Path) -> None:
    assert only(file, record(block=http(b"x" * 1000)), Limits(body_bytes=1000)).truncated is None


def test_an_archive_within_a_record_is_not_taken_apart(file: Path) -> None:
    inner = page("one") + page("two")
    founds = read(file, record("resource", block=inner, Content_Type="application/warc"), page("three"))
    assert blocks(founds) == [inner, http(html("three"))]
    assert not reasons(founds)


def test_an_empty_block_is_one(file: Path) -> None:
    assert blocks(read(file, record(block=b""), page("two"))) == [b"", http(html("two"))]


@pytest.mark.parametrize("size", [1 << 18, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20])
@pytest.mark.parametrize("packed", ["a.warc", "one.warc.gz"])
def test_blocks_of_any_size_are_whole(tmp_path: Path, size: int, packed: str) -> None:
    from archives import packed as compressed

    large = http(b"<p>" + bytes(range(256)) * (size // 256) + b"WARC/1.0\r\nA: b\r\n\r\n")
    data = record(block=large) + page("two") + record(block=large) + page("four")
    file = tmp_path / packed
    file.write_bytes(compressed(data) if packed.endswith(".gz") else data)
    founds = list(archive.read(file, 0, Fields(), Limits()))
    assert blocks(founds) == [large, http(html("two")), large, http(html("four"))]
    assert not reasons(founds)


def test_an_empty_file_is_told(file: Path) -> None:
    (found,) = read(file)
    assert (found.length, reasons([found])) == (0, ["empty file"])


def test_what_cannot_be_read_twice_is_told(tmp_path: Path) -> None:
    assert reasons(list(archive.read(tmp_path, 0, Fields(), Limits()))) == ["not a file"]
