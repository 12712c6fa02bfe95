"""Lines of JSON as people have them: what is good is read, what is not has its reason and its place."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unquilt.read import Fields, Found, Limits, jsonl, reader_for

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
    "a URL with a control character": (b'"url": "http://a.example/\\u0007"', "url", "URL not understood"),
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


@pytest.mark.parametrize(("value", "id_"), [(b"7", "7"), (b"1.5", "1.5"), (b'"x"', "x"), (b"[1]", None), (b"{}", None)])
def test_an_id_is_a_string_or_a_number(tmp_path, value, id_):
    (found,) = read(write(tmp_path / "p.jsonl", b'{"text": "a", "id": ' + value + b"}"))
    assert found.record.given_id == id_


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


def test_a_file_without_a_byte_holds_nothing(tmp_path):
    assert read(write(tmp_path / "p.jsonl")) == []


def test_other_names_of_fields_are_the_only_ones_tried(tmp_path):
    line = b'{"body": "b", "text": "t", "link": "http://l.example/", "url": "http://u.example/", "when": "2020-01-01", "key": "k"}'
    (found,) = read(write(tmp_path / "p.jsonl", line), fields=Fields("key", "link", "body", "when"))
    assert (found.record.text, found.record.url, found.record.given_id) == ("b", "http://l.example/", "k")
    assert found.record.published_at == 1577836800000000
    (found,) = read(write(tmp_path / "p.jsonl", line), fields=Fields(text="absent"))
    assert found.record is None


@pytest.mark.parametrize("name", ["p.jsonl", "p.jsonl.gz"])
def test_reading_goes_on_where_it_stopped(tmp_path, name):
    lines = [json.dumps({"text": f"page {i} \u00e9"}).encode() for i in range(20)]
    whole = b"\n".join(lines)
    (tmp_path / name).write_bytes(gzip.compress(whole) if name.endswith("gz") else whole)
    founds = read(tmp_path / name)
    assert [f.record.text for f in founds] == [f"page {i} \u00e9" for i in range(20)]
    for at, found in enumerate(founds):
        assert read(tmp_path / name, found.offset) == founds[at:]
        line = whole[found.offset : found.offset + found.length]
        assert json.loads(line)["text"] == found.record.text


def test_a_truncated_gzip_file_gives_what_is_there_and_says_so(tmp_path):
    lines = [json.dumps({"text": f"page {i} " + "x" * (i * 37 % 500)}).encode() for i in range(2000)]
    packed = gzip.compress(b"\n".join(lines))
    (tmp_path / "p.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    *founds, last = read(tmp_path / "p.jsonl.gz")
    assert 100 < len(founds) < 2000
    assert all(f.record.text.startswith(f"page {i} ") for i, f in enumerate(founds))
    assert reasons(last) == [("record", "damaged compression")]
    assert last.offset == founds[-1].offset + founds[-1].length


@pytest.mark.parametrize("damage", ["in the middle", "of the checksum", "no gzip at all"])
def test_a_corrupt_gzip_file_is_told_of(tmp_path, damage):
    packed = bytearray(gzip.compress(b"\n".join([GOOD] * 100_000)))
    if damage == "no gzip at all":
        packed = bytearray(GOOD)
    else:
        packed[len(packed) // 2 if damage == "in the middle" else -6] ^= 0xFF
    (tmp_path / "p.jsonl.gz").write_bytes(packed)
    *founds, last = read(tmp_path / "p.jsonl.gz")
    assert reasons(last) == [("record", "damaged compression")]
    assert last.record is None
    assert all(f.record is None or f.record.text == "good" for f in founds)


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


def test_a_reader_says_what_it_needs_to_be_called_the_same_again(tmp_path):
    path = write(tmp_path / "p.JSONL", GOOD)
    reader = reader_for(path, Fields(text="body"))
    assert reader.recipe() == {"kind": "jsonl", "version": 1, "fields": {"id": None, "url": None, "text": "body", "date": None}}
    assert replace(reader, fields=Fields()).recipe() != reader.recipe()
