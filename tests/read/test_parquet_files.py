"""Parquet files of others: any type of column that can hold a text, and nulls, wrong types and bad bytes row by row."""

import re
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memory import said
from restarts import check

from unquilt.errors import InputError
from unquilt.read import Fields, Found, Limits, Response, table_file

NOON = 1_583_064_000_000_000  # 2020-03-01T12:00:00Z


def write(path: Path, row_group_size: int = 2, **columns: pa.Array) -> Path:
    pq.write_table(pa.table(columns), path, row_group_size=row_group_size)
    return path


def read(path: Path, start: int = 0, fields: Fields | None = None, limits: Limits | None = None) -> list[Found]:
    return list(table_file.read(path, start, fields or Fields(), limits or Limits()))


def texts(founds: list[Found]) -> list[str | None]:
    return [f.record.text if f.record else None for f in founds]


@pytest.mark.parametrize(
    "type_",
    [pa.string(), pa.large_string(), pa.binary(), pa.large_binary(), pa.dictionary(pa.int32(), pa.string()), pa.string_view()],
    ids=str,
)
def test_a_text_is_a_text_in_whatever_column(tmp_path, type_):
    values = ["one", None, "", "\u4e09", "one"]
    if pa.types.is_binary(type_) or pa.types.is_large_binary(type_):
        values = [v if v is None else v.encode() for v in values]
    column = pa.array(list(values), pa.string() if pa.types.is_dictionary(type_) else type_)
    founds = read(write(tmp_path / "p.parquet", text=column.cast(type_), url=pa.array(["http://a.example/"] * 5)))
    assert texts(founds) == ["one", "", "", "\u4e09", "one"]
    assert [(f.offset, f.length) for f in founds] == [(i, 1) for i in range(5)]
    assert all(f.skips == () for f in founds)


def test_text_that_is_no_utf8_is_left_out_row_by_row(tmp_path):
    bad = pa.array([b"good", b"\xff\xfe", b"also"], pa.binary())
    view = pa.Array.from_buffers(pa.string_view(), 3, bad.cast(pa.binary_view()).buffers())
    for column in (bad, pa.Array.from_buffers(pa.string(), 3, bad.buffers()), view):
        founds = read(write(tmp_path / "p.parquet", text=column))
        assert texts(founds) == ["good", None, "also"]
        assert [(s.what, s.reason) for s in founds[1].skips] == [("record", "not UTF-8")]


@pytest.mark.parametrize(
    "column",
    [pa.array([1, 2]), pa.array([["a"], ["b"]]), pa.array([{"en": "a"}, {"en": "b"}]), pa.array([True, False]), pa.array([1.5, 2.5])],
    ids=lambda c: str(c.type),
)
def test_a_column_of_something_else_is_no_text(tmp_path, column):
    founds = read(write(tmp_path / "p.parquet", text=column))
    assert texts(founds) == [None, None]
    assert {(s.what, s.reason) for f in founds for s in f.skips} == {("record", "text is no string")}


def test_a_file_without_a_column_of_text_is_told_of_with_what_it_has(tmp_path):
    path = write(tmp_path / "p.parquet", body=pa.array(["a"]), url=pa.array(["b"]))
    with pytest.raises(
        InputError, match=r"has no column `text` or `html`; name the column with --text-field or --html-field \(it has: body, url\)"
    ):
        read(path)
    assert texts(read(path, fields=Fields(text="body"))) == ["a"]


@pytest.mark.parametrize(
    "column",
    [
        pa.array([datetime(2020, 3, 1, 12)], pa.timestamp("s")),
        pa.array([datetime(2020, 3, 1, 12)], pa.timestamp("ms")),
        pa.array([NOON], pa.timestamp("us")),
        pa.array([NOON * 1000 + 1], pa.timestamp("ns")),
        pa.array([datetime(2020, 3, 1, 12, tzinfo=UTC)], pa.timestamp("us", "UTC")),
        pa.array([datetime(2020, 3, 1, 13, tzinfo=timezone(timedelta(hours=1)))], pa.timestamp("us", "Europe/Berlin")),
        pa.array(["2020-03-01T12:00:00Z"]),
        pa.array([NOON // 1_000_000]),
        pa.array([NOON / 1_000_000]),
    ],
    ids=lambda c: str(c.type),
)
def test_a_time_is_a_time_in_whatever_column(tmp_path, column):
    (found,) = read(write(tmp_path / "p.parquet", text=pa.array(["a"]), date=column))
    assert (found.record.published_at, found.skips) == (NOON, ())


def test_a_day_is_its_first_moment(tmp_path):
    (found,) = read(write(tmp_path / "p.parquet", text=pa.array(["a"]), date=pa.array([date(1969, 12, 31)])))
    assert (found.record.published_at, found.skips) == (-86_400_000_000, ())


def test_a_time_no_calendar_has_costs_the_date_of_its_row_only(tmp_path):
    column = pa.array([NOON, 2**62, None], pa.timestamp("us"))
    founds = read(write(tmp_path / "p.parquet", text=pa.array(["a", "b", "c"]), date=column))
    assert [f.record.published_at for f in founds] == [NOON, None, None]
    assert [[s.reason for s in f.skips] for f in founds] == [[], ["date not understood"], []]


def test_reading_goes_on_where_it_stopped(tmp_path):
    path = write(tmp_path / "p.parquet", row_group_size=3, text=pa.array([f"page {i}" for i in range(10)]))
    founds = read(path)
    for at in range(11):
        assert read(path, at) == founds[at:]


def test_columns_nobody_asked_for_are_not_read(tmp_path):
    path = write(tmp_path / "p.parquet", text=pa.array(["a"]), html=pa.array([["any", "thing"]]))
    assert texts(read(path)) == ["a"]


NO_CALENDAR = [
    pa.array([2**53, NOON // 10**6], pa.timestamp("s")),
    pa.array([2**62, NOON // 1000], pa.timestamp("ms", "UTC")),
    pa.array([-(2**62), NOON], pa.timestamp("us")),
    pa.array([2**31 - 1, NOON // 86_400_000_000], pa.date32()),
    pa.array([2**53 * 86_400_000 // 2**26, NOON // 86_400_000_000 * 86_400_000], pa.date64()),
    pa.array([2**62, NOON // 10**6]),
    pa.array([1e300, NOON / 1e6]),
    pa.array([float("nan"), NOON / 1e6]),
    pa.array(["2009-03-65", "2020-03-01T12:00:00Z"]),
    pa.array([b"\xff", b"2020-03-01T12:00:00Z"]),
]


@pytest.mark.parametrize("column", NO_CALENDAR, ids=lambda c: str(c.type))
def test_a_date_that_is_none_is_told_and_no_other_one_is_made_of_it(tmp_path, column):
    bad, good = read(write(tmp_path / "p.parquet", text=pa.array(["a", "b"]), date=column))
    assert (bad.record.published_at, [s.reason for s in bad.skips]) == (None, ["date not understood"])
    assert good.record.published_at in (NOON, NOON // 86_400_000_000 * 86_400_000_000)
    assert good.skips == ()


ODD = [
    pa.array([2**62], pa.duration("s")),
    pa.array([10**12], pa.time64("us")),
    pa.array([b"0123456789abcdef"], pa.uuid()),
    pa.array([b"\xff\xfe"], pa.binary(2)),
    pa.array([1], pa.decimal128(38, 0)),
    pa.array([1.5], pa.float16()),
    pa.array([None], pa.null()),
    pa.array([[[1]]]),
    pa.array([{"a": [{"b": 1}]}]),
    pa.array([[("k", "v")]], pa.map_(pa.string(), pa.string())),
    pa.array([["a", None]], pa.list_(pa.string(), 2)),
]


@pytest.mark.parametrize("column", ODD, ids=lambda c: str(c.type))
def test_a_column_of_any_type_in_any_place_costs_its_field_at_most(tmp_path, column):
    for field in ("id", "url", "title", "date", "lang", "fetched"):
        (found,) = read(write(tmp_path / "p.parquet", text=pa.array(["kept"]), **{field: column}))
        assert found.record.text == "kept"
        assert {s.what for s in found.skips} <= {field}
    for field in ("text", "html"):
        (found,) = read(write(tmp_path / "p.parquet", **{field: column}))
        assert found.record is not None or [s.what for s in found.skips] == ["record"]


def test_ids_are_strings_or_numbers_and_nan_is_none(tmp_path):
    for column, ids in (
        (pa.array([1, None, 3]), ["1", None, "3"]),
        (pa.array([1.0, float("nan"), 2.5]), ["1.0", None, "2.5"]),
        (pa.array([b"a", b"\xff", b""]), ["a", None, None]),
    ):
        founds = read(write(tmp_path / "p.parquet", text=pa.array(["a"] * 3), id=column))
        assert [f.record.given_id for f in founds] == ids


def test_html_in_bytes_has_its_charset_still_to_be_found(tmp_path):
    for column, type_ in (
        (pa.array([b"<p>\xe9"]), "text/html"),
        (pa.array(["<p>\u00e9"]), "text/html; charset=utf-8"),
    ):
        (found,) = read(write(tmp_path / "p.parquet", html=column, url=pa.array(["http://a.example/"])))
        assert found.record == Response(column.cast(pa.binary())[0].as_py(), url="http://a.example/", content_type=type_)


def test_html_beside_a_text_is_not_read_but_where_it_is_named(tmp_path):
    path = write(tmp_path / "p.parquet", text=pa.array(["t", None]), html=pa.array(["h", "i"]))
    assert texts(read(path)) == ["t", ""]
    assert [f.record.block for f in read(path, fields=Fields(html="html"))] == [b"h", b"i"]
    first, second = read(path, fields=Fields(text="text", html="html"))
    assert (first.record.text, second.record.block) == ("t", b"i")


MEMORY = """
from itertools import islice
from pathlib import Path
from unquilt.read import Fields, Limits, table_file
import pyarrow.parquet
before = peak()
founds = table_file.read(Path(sys.argv[1]), 0, Fields(), Limits())
print([len(found.record.text) for found in islice(founds, 20)], peak() - before, sep=";")
"""


def test_a_value_that_very_many_rows_repeat_is_held_for_few_at_once(tmp_path):
    same = pa.DictionaryArray.from_arrays(pa.array([0] * 100_000, pa.int32()), pa.array(["x" * 10_000_000]))
    path = write(tmp_path / "p.parquet", row_group_size=100_000, text=same)
    assert path.stat().st_size < 1_000_000
    sizes, grown = said(MEMORY, path).split(";")
    assert sizes == str([10_000_000] * 20)
    assert int(grown) < 400, "megabytes"


def test_a_row_over_the_limit_is_left_out_and_the_next_is_read(tmp_path):
    path = write(tmp_path / "p.parquet", text=pa.array(["a", "b" * 2000, "c"]))
    founds = read(path, limits=Limits(record_bytes=1000))
    assert texts(founds) == ["a", None, "c"]
    assert [s.reason for s in founds[1].skips] == ["record too large"]


def test_of_a_damaged_row_group_the_rest_is_lost_and_the_next_is_read(tmp_path):
    path = write(tmp_path / "p.parquet", row_group_size=100, text=pa.array([f"page {i * 7919 % 1000}" for i in range(300)]))
    column = pq.ParquetFile(path).metadata.row_group(1).column(0)
    data = bytearray(path.read_bytes())
    data[column.dictionary_page_offset : column.data_page_offset + 10] = b"\xff" * (
        column.data_page_offset + 10 - column.dictionary_page_offset
    )
    path.write_bytes(data)
    founds = check(lambda start: read(path, start), end=300, at_most=20)
    assert len([f for f in founds if f.record]) == 200
    (bad,) = [f for f in founds if f.skips]
    assert (bad.offset, bad.length, bad.skips[0].reason) == (100, 100, "damaged Parquet")
    assert bad.skips[0].detail.startswith("100 rows are lost: ")


def test_an_empty_file_is_no_parquet(tmp_path):
    (tmp_path / "p.parquet").write_bytes(b"")
    with pytest.raises(InputError, match="cannot be read as Parquet"):
        read(tmp_path / "p.parquet")


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_damage_stops_the_reading_but_with_a_sentence(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("parquet") / "p.parquet"
    kind = data.draw(st.sampled_from(["snappy", "zstd", "none"]))
    table = pa.table({"text": ["page", None, "x" * 50] * 4, "date": pa.array([NOON] * 12, pa.timestamp("us")), "id": list(range(12))})
    pq.write_table(table, path, row_group_size=5, compression=kind, store_schema=data.draw(st.booleans()))
    whole = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(whole) - 1))
        whole[at : at + 1] = data.draw(st.binary(max_size=2))
    path.write_bytes(whole)
    try:
        founds = read(path)
    except InputError as error:
        said = str(error)
    else:
        said = ""
        assert founds == check(lambda start: read(path, start))
    assert not said or re.search("cannot be read as Parquet|has no column", said)


@pytest.mark.parametrize("damage", ["cut", "text"])
def test_a_damaged_file_is_one_sentence(tmp_path, damage):
    path = write(tmp_path / "p.parquet", text=pa.array(["a" * 1000]))
    whole = path.read_bytes()
    path.write_bytes(whole[:-30] if damage == "cut" else b"text")
    with pytest.raises(InputError, match=r"cannot be read as Parquet \(.*\); check that the file is whole"):
        read(path)


def test_a_file_without_rows_holds_nothing(tmp_path):
    assert read(write(tmp_path / "p.parquet", text=pa.array([], pa.string()))) == []
