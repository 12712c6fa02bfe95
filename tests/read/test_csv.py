"""CSV as people have it: whatever a row looks like, it is a page or has its reason, and the next row is read."""

import csv
import gzip
import io
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from restarts import check, reasons

from unquilt.errors import InputError
from unquilt.read import Fields, Found, Limits, Response, csv_file

HEADER = b"id,text,url\n"


def written(tmp_path: Path, data: bytes, name: str = "p.csv") -> Path:
    (tmp_path / name).write_bytes(data)
    return tmp_path / name


def read(path: Path, start: int = 0, fields: Fields | None = None, limits: Limits | None = None) -> list[Found]:
    return list(csv_file.read(path, start, fields or Fields(), limits or Limits()))


def texts(founds: list[Found]) -> list[str | None]:
    return [f.record.text if f.record else None for f in founds if f.record or f.skips]


def test_a_row_is_a_page(tmp_path):
    rows = b'1,"one, ""two""\nthree",http://A.example\r\n2,,\n'
    first, second = read(written(tmp_path, HEADER + rows))
    assert (first.record.given_id, first.record.text, first.record.url) == ("1", 'one, "two"\nthree', "http://a.example/")
    assert (second.record.given_id, second.record.text, second.record.url) == ("2", "", None)
    assert first.skips == second.skips == ()


@pytest.mark.parametrize(("name", "delimiter"), [("p.csv", ","), ("p.csv", ";"), ("p.csv", "\t"), ("p.csv", "|"), ("p.tsv", "\t")])
def test_the_first_row_says_what_divides(tmp_path, name, delimiter):
    rows = f"id{delimiter}text\n1{delimiter}a b\n".encode()
    (found,) = read(written(tmp_path, rows, name))
    assert (found.record.given_id, found.record.text) == ("1", "a b")


def test_tsv_has_commas_and_semicolons_in_its_fields(tmp_path):
    (found,) = read(written(tmp_path, b"text\ta;b,c\nx,y;z\t1\n", "p.TSV"))
    assert found.record.text == "x,y;z"


def test_one_column_is_a_table_too(tmp_path):
    assert texts(read(written(tmp_path, b"text\na\n\nb c\n"))) == ["a", "b c"]


LEFT_OUT = {
    "too few fields": (b"1,a\n", "ragged row"),
    "too many fields": (b"1,a,b,c\n", "ragged row"),
    "no UTF-8": (b"1,caf\xe9,\n", "not UTF-8"),
    "text behind a closing quote": (b'1,"a" b,\n', "broken quotes"),
    "a CR alone behind a closing quote": (b'1,"a"\r,\n', "broken quotes"),
    "a quote that is not closed": (b'1,"a,\n', "broken quotes"),
    "too long": (b"1," + b"x" * 2000 + b",\n", "record too large"),
    "too long, and quoted": (b'1,"' + b"x\n" * 2000 + b'",\n', "record too large"),
}


@pytest.mark.parametrize(("row", "reason"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_a_bad_row_has_its_reason_and_its_place_and_the_rest_is_read(tmp_path, row, reason):
    good = b'7,"good, page",http://a.example/\n'
    path = written(tmp_path, HEADER + good + row + good)
    limits = Limits(record_bytes=1000)
    founds = check(lambda start: read(path, start, limits=limits), begin=len(HEADER), end=path.stat().st_size)
    assert texts(founds) == ["good, page", None, "good, page"]
    assert reasons(founds) == [reason]
    assert (founds[1].offset, founds[1].length) == (len(HEADER) + len(good), len(row))


def test_a_quote_within_a_field_is_itself(tmp_path):
    assert texts(read(written(tmp_path, HEADER + b'1,6" or 7",\n2,a,\n'))) == ['6" or 7"', "a"]


def test_nulls_are_characters(tmp_path):
    assert texts(read(written(tmp_path, HEADER + b"1,a\0b,\n"))) == ["a\0b"]


def test_a_byte_order_mark_is_no_part_of_a_name(tmp_path):
    for quoted in (b"text", b'"text"'):
        assert texts(read(written(tmp_path, b"\xef\xbb\xbf" + quoted + b",id\nx,1\n"))) == ["x"]


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
@pytest.mark.parametrize("last", [b"2,b,", b'2,b,""'])
def test_the_last_row_may_end_as_it_likes(tmp_path, last, end):
    path = written(tmp_path, HEADER + b"1,a,\r\n" + last + end)
    assert texts(check(lambda start: read(path, start), begin=len(HEADER), end=path.stat().st_size)) == ["a", "b"]


def test_dates_are_known_by_their_form(tmp_path):
    rows = b"text,date,fetched\na,2020-03-01,1583064000\nb,2009-03-65,20\nc,,1583064000.5\n"
    founds = read(written(tmp_path, rows))
    assert [f.record.published_at for f in founds] == [1_583_020_800_000_000, None, None]
    assert [f.record.fetched_at for f in founds] == [1_583_064_000_000_000, None, 1_583_064_000_500_000]
    assert reasons(founds) == ["date not understood"] * 2


def test_html_is_kept_as_it_is(tmp_path):
    rows = 'url,html\nhttp://a.example/,"<p title=""x"">é</p>"\n'.encode()
    (found,) = read(written(tmp_path, rows))
    assert isinstance(found.record, Response)
    assert found.record.block.decode() == '<p title="x">é</p>'
    assert found.record.content_type == "text/html; charset=utf-8"


def test_html_over_the_limit_is_cut_and_told(tmp_path):
    (found,) = read(written(tmp_path, b"html\n" + b"<p>" + b"x" * 500 + b"\n"), limits=Limits(body_bytes=100))
    assert len(found.record.block) == 100
    assert [(s.what, s.reason) for s in found.skips] == [("body", "body too large")]


@pytest.mark.parametrize("data", [b"", b"\n\r\n"])
def test_a_file_without_a_row_is_told_of(tmp_path, data):
    assert reasons(read(written(tmp_path, data))) == ["empty file"]


REFUSED = {
    "no names": (b"1,first page,http://a.example/\n", r"has no column `text` or `html`; .*\(it has: 1, first page, http://a.example/\)"),
    "UTF-16": ("id,text\n1,a\n".encode("utf-16"), "is UTF-16; make it UTF-8"),
    "Latin-1 names": (b"text,caf\xe9\na,b\n", "is not UTF-8"),
    "CR alone": (b"id,text\r1,a\r", "lines that end in CR alone"),
    "an endless first row": (b'"text' + b"\nx" * 600_000, "has no row with the columns' names"),
    "a first row with broken quotes": (b'"text"x,id\na,b\n', "has no row with the columns' names"),
}


@pytest.mark.parametrize(("data", "said"), REFUSED.values(), ids=REFUSED)
def test_a_file_whose_columns_are_unknown_is_refused_in_one_sentence(tmp_path, data, said):
    with pytest.raises(InputError, match=said):
        read(written(tmp_path, data))


def test_other_names_of_columns_are_given(tmp_path):
    path = written(tmp_path, b"body,link,key\nb,http://a.example/,k\n")
    (found,) = read(path, fields=Fields(id="key", url="link", text="body"))
    assert (found.record.text, found.record.url, found.record.given_id) == ("b", "http://a.example/", "k")


def test_of_two_columns_of_one_name_the_first_counts(tmp_path):
    assert texts(read(written(tmp_path, b"text,text\na,b\n"))) == ["a"]


def test_compressed_and_damaged_the_rows_before_are_read(tmp_path):
    rows = HEADER + b"".join(b"%d,page %d,\n" % (i, i * i * 7919 % 10007) for i in range(2000))
    packed = gzip.compress(rows)
    path = written(tmp_path, packed[: len(packed) // 2], "p.csv.gz")
    founds = check(lambda start: read(path, start), begin=len(HEADER), at_most=6)
    assert reasons(founds) == ["damaged compression"]
    assert 100 < len(founds) < 2000
    path = written(tmp_path, packed[:20], "q.csv.gz")
    assert reasons(read(path)) == ["damaged compression"]


def test_a_quote_left_open_before_damage_costs_its_line_only(tmp_path):
    packed = gzip.compress(HEADER + b'1,"a,\n2,b,\n3,c,\n') + b"garbage"
    path = written(tmp_path, packed, "p.csv.gz")
    founds = check(lambda start: read(path, start), begin=len(HEADER))
    assert texts(founds) == [None, "b", "c", None]
    assert reasons(founds) == ["broken quotes", "damaged compression"]


def test_a_long_row_whose_quote_is_never_closed_costs_its_first_line_only(tmp_path):
    rows = b'1,"a,\n' + b"2,b,\n" * 1000
    path = written(tmp_path, HEADER + rows)
    founds = read(path, limits=Limits(record_bytes=100))
    assert texts(founds) == [None] + ["b"] * 1000
    packed = written(tmp_path, gzip.compress(HEADER + rows), "p.csv.gz")
    assert read(packed, limits=Limits(record_bytes=100)) == founds


@pytest.mark.parametrize("line", [b'x","\n', b'x,"\n', b'"a\n', b'""\n', b'"",x"\n'])
@pytest.mark.parametrize("end", [b"", b'"z\n'])
def test_many_open_quotes_take_no_long_time(tmp_path, line, end):
    path = written(tmp_path, b"a,text\n" + line * 30_000 + end)
    began = time.thread_time()
    founds = read(path)
    assert time.thread_time() - began < 3  # about .2; where each looked for its end to the end, it would be minutes
    assert sum(f.length for f in founds) == path.stat().st_size - 7


CELL = st.text('ab,;"\n\r\t|é \0', max_size=6)
ROWS = st.lists(st.tuples(CELL, CELL), min_size=1, max_size=8)


@settings(max_examples=60, deadline=None)
@given(ROWS, st.sampled_from([",", ";", "\t"]), st.sampled_from(["\n", "\r\n"]))
def test_what_others_write_is_read_as_they_mean_it(tmp_path_factory, rows, delimiter, end):
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerows([("id", "text"), *rows])
    path = written(tmp_path_factory.mktemp("csv"), file.getvalue().encode())
    founds = check(lambda start: read(path, start), begin=len(f'"id"{delimiter}"text"{end}'), end=path.stat().st_size)
    assert [(f.record.given_id, f.record.text) for f in founds] == [(i or None, t) for i, t in rows]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from([b'"', b'""', b",", b"\n", b"\r\n", b"\r", b"a", b"bc", b"\0", b"\xff"]), max_size=30).map(b"".join))
@example(b'"\r')
@example(b'a,"b\n"c,d"\n')
def test_no_bytes_stop_the_reading_nor_are_any_passed_over(tmp_path_factory, data):
    path = written(tmp_path_factory.mktemp("csv"), b"text,id\n" + data)
    founds = check(lambda start: read(path, start, limits=Limits(record_bytes=20)), begin=8, end=8 + len(data))
    assert all(f.record is None or f.record.text is not None for f in founds)
    packed = written(path.parent, gzip.compress(path.read_bytes()), "p.csv.gz")
    assert read(packed, limits=Limits(record_bytes=20)) == founds
