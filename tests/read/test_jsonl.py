"""Lines of JSON as people have them: what is good is read, what is not has its reason and its place."""

import bz2
import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from memory import said
from restarts import check

from unquilt.read import Fields, Found, Limits, Record, Response, jsonl
from unquilt.read.reader import reader_for

DAY = 1_577_836_800_000_000
SMALL = Limits(record_bytes=1000, url_bytes=64 << 10)


def write(path: Path, *lines: bytes) -> Path:
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def read(path: Path, start: int = 0, fields: Fields | None = None, limits: Limits | None = None) -> list[Found]:
    return list(jsonl.read(path, start, fields or Fields(), limits or Limits()))


def reasons(found: Found) -> list[tuple[str, str]]:
    return [(s.what, s.reason) for s in found.skips]


GOOD = b'{"text": "good", "url": "http://a.example/"}'

LEFT_OUT = {
    "not an end": (b'{"text": "a"', "not JSON"),
    "a word": (b"text", "not JSON"),
    "nested too deep": (b"[" * 100_000, "not JSON"),
    "nested too deep in a field": (b'{"text": "a", "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "not JSON"),
    "Latin-1": ('{"text": "caf\u00e9"}'.encode("latin-1"), "not UTF-8"),
    "a surrogate in UTF-8": (b'{"text": "\xed\xa0\x80"}', "not UTF-8"),
    "UTF-16": ('{"text": "a"}'.encode("utf-16"), "not UTF-8"),
    "a BOM and then no UTF-8": (b'\xef\xbb\xbf{"text": "\xff"}', "not UTF-8"),
    "null bytes": (b"\0\0\0", "not JSON"),
    "a list": (b'["text"]', "not a JSON object"),
    "a number": (b"17", "not a JSON object"),
    "null": (b"null", "not a JSON object"),
    "no text": (b'{"url": "http://a.example/"}', "no text field"),
    "another field's text": (b'{"body": "a"}', "no text field"),
    "a number as text": (b'{"text": 17}', "text is no string"),
    "a list as text": (b'{"text": ["a"]}', "text is no string"),
    "an object as text": (b'{"text": {"en": "a"}}', "text is no string"),
    "true as text": (b'{"text": true}', "text is no string"),
}


@pytest.mark.parametrize(("line", "reason"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_a_bad_record_has_its_reason_and_its_place_and_the_rest_is_read(tmp_path, line, reason):
    before, bad, after = read(write(tmp_path / "p.jsonl", GOOD, line, GOOD))
    assert before.record == after.record
    assert after.record.text == "good"
    assert bad.record is None
    assert reasons(bad) == [("record", reason)]
    assert (bad.offset, bad.length) == (len(GOOD) + 1, len(line) + 1)
    assert after.offset == bad.offset + bad.length
    assert len(bad.skips[0].detail) <= 200


KEPT = {
    "an impossible day": (b'"date": "2009-03-65"', "date", "date not understood"),
    "a month": (b'"date": "March 2009"', "date", "date not understood"),
    "not a number": (b'"date": NaN', "date", "date not understood"),
    "infinity": (b'"date": 1e999', "date", "date not understood"),
    "a number beyond Python's": (b'"date": ' + b"9" * 5000, "date", "date not understood"),
    "milliseconds": (b'"date": 1700000000000', "date", "date not understood"),
    "a list as date": (b'"date": [2009]', "date", "date not understood"),
    "true as date": (b'"fetched": true', "fetched", "date not understood"),
    "a long URL": (b'"url": "http://a.example/' + b"x" * 70_000 + b'"', "url", "URL not understood"),
    "a URL without a scheme": (b'"url": "a.example/x"', "url", "URL not understood"),
    "a number as URL": (b'"url": 5', "url", "URL not understood"),
    "a URL with a control character in its host": (b'"url": "http://a\\u0007.example/"', "url", "URL not understood"),
    "a list as id": (b'"id": [1]', "id", "not a string"),
    "true as id": (b'"id": true', "id", "not a string"),
    "a number as title": (b'"title": 5', "title", "not a string"),
    "a list as language": (b'"lang": ["en"]', "lang", "not a string"),
}


@pytest.mark.parametrize(("field", "what", "reason"), KEPT.values(), ids=KEPT)
def test_a_bad_field_is_left_out_and_the_page_is_kept(tmp_path, field, what, reason):
    (found,) = read(write(tmp_path / "p.jsonl", b'{"text": "kept", ' + field + b"}"))
    assert found.record.text == "kept"
    assert reasons(found) == [(what, reason)]
    assert len(found.skips[0].detail) <= 200
    assert (found.record.url, found.record.title, found.record.language) == (None, None, None)
    assert (found.record.published_at, found.record.fetched_at) == (None, None)


def test_a_null_text_is_a_page_without_text(tmp_path):
    (found,) = read(write(tmp_path / "p.jsonl", b'{"text": null}'))
    assert (found.record.text, found.skips) == ("", ())


def test_null_and_empty_fields_are_fields_that_are_not_there(tmp_path):
    (found,) = read(write(tmp_path / "p.jsonl", b'{"text": "a", "url": null, "date": "", "title": null, "id": null}'))
    assert found.skips == ()
    assert (found.record.url, found.record.published_at, found.record.title, found.record.given_id) == (None, None, None, None)


def test_a_byte_order_mark_is_read_past(tmp_path):
    first, second = read(write(tmp_path / "p.jsonl", b"\xef\xbb\xbf" + GOOD, GOOD))
    assert first.record == second.record
    assert second.offset == 3 + len(GOOD) + 1


def test_of_two_fields_of_one_name_the_last_counts(tmp_path):
    (found,) = read(write(tmp_path / "p.jsonl", b'{"text": "first", "text": "last"}'))
    assert found.record.text == "last"


def test_lone_surrogates_become_replacement_characters(tmp_path):
    (found,) = read(write(tmp_path / "p.jsonl", rb'{"text": "a\ud800b\udc00\ud83d\ude00", "title": "\udfff"}'))
    assert found.record.text == "a\ufffdb\ufffd\U0001f600"
    assert found.record.title == "\ufffd"


def test_numbers_beyond_pythons_do_not_cost_the_page(tmp_path):
    (found,) = read(write(tmp_path / "p.jsonl", b'{"text": "a", "id": ' + b"7" * 5000 + b', "n": -' + b"9" * 9000 + b"}"))
    assert (found.record.given_id, found.skips) == ("7" * 5000, ())


@pytest.mark.parametrize(("value", "id_"), [(b"7", "7"), (b"1.5", "1.5"), (b'"x"', "x"), (b'""', None), (b"NaN", None), (b"null", None)])
def test_an_id_is_a_string_or_a_number_and_nothing_is_none(tmp_path, value, id_):
    (found,) = read(write(tmp_path / "p.jsonl", b'{"text": "a", "id": ' + value + b"}"))
    assert (found.record.given_id, found.skips) == (id_, ())


def test_nulls_in_a_text_are_characters(tmp_path):
    first, second = read(write(tmp_path / "p.jsonl", rb'{"text": "a\u0000b", "id": "\u0000"}', GOOD))
    assert (first.record.text, first.record.given_id, second.record.text) == ("a\0b", "\0", "good")


def test_html_is_a_page_whose_text_is_still_to_be_found(tmp_path):
    line = '{"html": "<p>\u00e9\\ud800", "url": "http://a.example/", "title": "t", "date": "2020-01-01"}'.encode()
    (found,) = read(write(tmp_path / "p.jsonl", line))
    said = Response(
        "<p>\u00e9\ufffd".encode(), url="http://a.example/", content_type="text/html; charset=utf-8", title="t", published_at=DAY
    )
    assert (found.record, found.skips) == (said, ())


WHICH = [
    # text, html, --text-field, --html-field, what counts
    ('"t"', '"h"', None, None, "t"),
    ('""', '"h"', None, None, ""),
    ("null", '"h"', None, None, b"h"),
    (None, '"h"', None, None, b"h"),
    (None, "null", None, None, b""),
    ("null", "null", None, None, ""),
    ('"t"', None, None, None, "t"),
    ('"t"', '"h"', None, "html", b"h"),
    ('"t"', "null", None, "html", b""),
    ('"t"', None, None, "html", "no html field"),
    (None, '"h"', "text", None, "no text field"),
    ('"t"', '"h"', "text", "html", "t"),
    ("null", '"h"', "text", "html", b"h"),
    (None, "5", None, None, "HTML is no string"),
    (None, None, None, None, "no text field"),
]


@pytest.mark.parametrize(("text", "html", "text_field", "html_field", "counts"), WHICH)
def test_text_counts_before_html_and_what_is_named_before_what_is_not(tmp_path, text, html, text_field, html_field, counts):
    row = ", ".join(f'"{name}": {value}' for name, value in (("text", text), ("html", html)) if value is not None)
    (found,) = read(write(tmp_path / "p.jsonl", b"{" + row.encode() + b"}"), fields=Fields(text=text_field, html=html_field))
    match found.record:
        case Record(text=said) | Response(block=said):
            assert (said, found.skips) == (counts, ())
        case None:
            assert [s.reason for s in found.skips] == [counts]


def test_html_over_the_limit_is_cut_and_told(tmp_path):
    (found,) = read(write(tmp_path / "p.jsonl", b'{"html": "' + b"x" * 500 + b'"}'), limits=Limits(body_bytes=100))
    assert found.record.block == b"x" * 100
    assert reasons(found) == [("body", "body too large")]


def test_a_line_over_the_limit_is_read_past_without_being_held(tmp_path):
    long = b'{"text": "' + b"x" * 5_000_000 + b'"}'
    before, bad, after = read(write(tmp_path / "p.jsonl", GOOD, long, GOOD), limits=SMALL)
    assert reasons(bad) == [("record", "record too large")]
    assert (bad.offset, bad.length, after.record.text) == (len(GOOD) + 1, len(long) + 1, "good")
    assert before.record == after.record


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_the_limit_holds_for_the_line_with_its_end(tmp_path, more):
    line = b'{"text": "' + b"x" * (1000 + more - 13) + b'"}'
    (found,) = read(write(tmp_path / "p.jsonl", line), limits=SMALL)
    assert found.length == 1000 + more
    assert (found.record is None) == (found.length > 1001)


def test_blank_lines_are_no_records(tmp_path):
    founds = read(write(tmp_path / "p.jsonl", b"", GOOD, b"  \t", GOOD))
    assert [f.record is None for f in founds] == [True, False, True, False]
    assert all(f.skips == () for f in founds)


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_the_last_line_may_end_as_it_likes(tmp_path, end):
    (tmp_path / "p.jsonl").write_bytes(GOOD + end)
    (found,) = read(tmp_path / "p.jsonl")
    assert (found.record.text, found.length) == ("good", len(GOOD + end))


@pytest.mark.parametrize("name", ["p.jsonl", "p.jsonl.gz", "p.jsonl.bz2", "p.jsonl.zst"])
def test_an_empty_file_is_told_of(tmp_path, name):
    pack = {".gz": gzip.compress, "bz2": bz2.compress, "zst": zstandard.compress}.get(name[-3:], bytes)
    for data in (b"", pack(b"")):
        (tmp_path / name).write_bytes(data)
        (found,) = read(tmp_path / name)
        assert (reasons(found), found.offset, found.length) == ([("record", "empty file")], 0, 0)


def test_other_names_of_fields_are_the_only_ones_tried(tmp_path):
    line = b'{"body": "b", "text": "t", "link": "http://l.example/", "url": "http://u.example/", "when": "2020-01-01", "key": "k"}'
    (found,) = read(write(tmp_path / "p.jsonl", line), fields=Fields("key", "link", "body", "when"))
    assert (found.record.text, found.record.url, found.record.given_id) == ("b", "http://l.example/", "k")
    assert found.record.published_at == 1577836800000000
    (found,) = read(write(tmp_path / "p.jsonl", line), fields=Fields(text="absent"))
    assert found.record is None


@pytest.mark.parametrize("name", ["p.jsonl", "p.jsonl.gz", "p.jsonl.bz2", "p.jsonl.zst"])
def test_reading_goes_on_where_it_stopped(tmp_path, name):
    lines = [json.dumps({"text": f"page {i} \u00e9"}).encode() for i in range(20)]
    whole = b"\n".join(lines)
    pack = {".gz": gzip.compress, "bz2": bz2.compress, "zst": zstandard.compress}.get(name[-3:], bytes)
    (tmp_path / name).write_bytes(pack(whole[:300]) + pack(whole[300:]))
    founds = check(lambda start: read(tmp_path / name, start), end=len(whole))
    assert [f.record.text for f in founds] == [f"page {i} \u00e9" for i in range(20)]
    for found in founds:
        line = whole[found.offset : found.offset + found.length]
        assert json.loads(line)["text"] == found.record.text


def test_a_truncated_gzip_file_gives_what_is_there_and_says_so(tmp_path):
    lines = [json.dumps({"text": f"page {i} " + "x" * (i * 37 % 500)}).encode() for i in range(2000)]
    packed = gzip.compress(b"\n".join(lines))
    (tmp_path / "p.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    *founds, last = check(lambda start: read(tmp_path / "p.jsonl.gz", start), at_most=4)
    assert 100 < len(founds) < 2000
    assert all(f.record.text.startswith(f"page {i} ") for i, f in enumerate(founds))
    assert reasons(last) == [("record", "damaged compression")]
    assert "the rest of the file is lost" in last.skips[0].detail


@pytest.mark.parametrize("damage", ["in the middle", "of the checksum"])
def test_a_corrupt_gzip_file_is_told_of(tmp_path, damage):
    packed = bytearray(gzip.compress(b"\n".join([GOOD] * 100_000)))
    packed[len(packed) // 2 if damage == "in the middle" else -6] ^= 0xFF
    (tmp_path / "p.jsonl.gz").write_bytes(packed)
    *founds, last = check(lambda start: read(tmp_path / "p.jsonl.gz", start), at_most=4)
    assert reasons(last) == [("record", "damaged compression")]
    assert last.record is None
    assert all(f.record is None or f.record.text == "good" for f in founds)


def test_behind_a_damaged_member_the_lines_of_the_next_are_read(tmp_path):
    members = [gzip.compress(b"".join(b'{"text": "%d %d"}\n' % (n, i * i) for i in range(500))) for n in range(3)]
    bad = bytearray(members[1])
    bad[len(bad) // 2 : len(bad) // 2 + 20] = b"\xff" * 20
    (tmp_path / "p.jsonl.gz").write_bytes(members[0] + bytes(bad) + members[2])
    founds = check(lambda start: read(tmp_path / "p.jsonl.gz", start), at_most=6)
    texts = [f.record.text for f in founds if f.record]
    assert [t for t in texts if t[0] in "02"] == [f"{n} {i * i}" for n in (0, 2) for i in range(500)]
    assert 0 < len([t for t in texts if t[0] == "1"]) < 500
    assert {s.reason for f in founds for s in f.skips} <= {"damaged compression", "not JSON", "not UTF-8"}
    assert [s.reason for f in founds for s in f.skips].count("damaged compression") == 1


def test_gzip_members_behind_each_other_are_one_file(tmp_path):
    (tmp_path / "p.jsonl.gz").write_bytes(gzip.compress(GOOD + b"\n") + gzip.compress(GOOD))
    assert [f.record.text for f in read(tmp_path / "p.jsonl.gz")] == ["good", "good"]


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
FIELDS = ["text", "url", "date", "published", "fetched", "id", "title", "language", "lang"]


@given(st.dictionaries(st.sampled_from(FIELDS), ANY_JSON))
def test_no_object_stops_the_reading(row):
    found = jsonl._found(json.dumps(row).encode(), 0, 1, Fields(), Limits())
    assert (found.record is None) == any(s.what == "record" for s in found.skips)
    for skip in found.skips:
        assert skip.reason
    if found.record is not None:
        for text in (found.record.text, found.record.url, found.record.title, found.record.given_id, found.record.language):
            assert text is None or text.encode("utf-8") is not None


@given(st.binary(max_size=200))
def test_no_bytes_stop_the_reading(line):
    found = jsonl._found(line, 0, len(line), Fields(), Limits())
    assert found.record is None or found.record.text is not None


PIECES = st.sampled_from(
    [GOOD, b"\n", b"\r\n", b"\xef\xbb\xbf", b"\xff", b"{}", b"[" * 30, b" ", b'{"text": "\\ud800"}', b"\0", b"NaN", b"x" * 99]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(PIECES, max_size=12).map(b"".join), st.booleans())
def test_no_file_stops_the_reading_nor_is_any_of_it_passed_over(tmp_path_factory, data, packed):
    path = tmp_path_factory.mktemp("jsonl") / "p.jsonl"
    path.write_bytes(gzip.compress(data) if packed else data)
    check(lambda start: read(path, start, limits=Limits(record_bytes=90)), end=len(data))


def test_a_reader_says_what_it_needs_to_be_called_the_same_again(tmp_path):
    path = write(tmp_path / "p.JSONL", GOOD)
    reader = reader_for(path, Fields(text="body"))
    assert reader.recipe()["kind"] == "jsonl"
    assert reader.recipe()["fields"] == {"id": None, "url": None, "text": "body", "date": None, "html": None}
    assert replace(reader, fields=Fields()).recipe() != reader.recipe()


MEMORY = """
from pathlib import Path
from unquilt.read import Fields, Limits, jsonl
limits = Limits(record_bytes=1_000_000)
small = list(jsonl.read(Path(sys.argv[1]), 0, Fields(), limits))
before = peak()
founds = list(jsonl.read(Path(sys.argv[2]), 0, Fields(), limits))
grown = peak() - before
print(grown, [s.reason for f in founds for s in f.skips], founds[-1].record.text)
"""


def test_a_line_of_a_quarter_of_a_gigabyte_is_not_held(tmp_path):
    small, large = write(tmp_path / "s.jsonl", GOOD), tmp_path / "l.jsonl"
    with open(large, "wb") as file:
        file.truncate(256 << 20)
        file.seek(0, 2)
        file.write(b"\n" + GOOD)
    grown, rest = said(MEMORY, small, large).split(" ", 1)
    assert rest == "['record too large'] good\n"
    assert int(grown) < 20, "megabytes"
