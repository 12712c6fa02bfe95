"""Parquet files of others: any type of column that can hold a text, and nulls, wrong types and bad bytes row by row."""

from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from unquilt.errors import InputError
from unquilt.read import Fields, Found, Limits, table_file

NOON = 1_583_064_000_000_000  # 2020-03-01T12:00:00Z


def write(path: Path, row_group_size: int = 2, **columns: pa.Array) -> Path:
    pq.write_table(pa.table(columns), path, row_group_size=row_group_size)
    return path


def read(path: Path, start: int = 0, fields: Fields | None = None) -> list[Found]:
    return list(table_file.read(path, start, fields or Fields(), Limits()))


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
    for column in (bad, pa.Array.from_buffers(pa.string(), 3, bad.buffers())):
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
    with pytest.raises(InputError, match=r"has no column `text`; name the column with --text-field \(it has: body, url\)"):
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


@pytest.mark.parametrize("damage", ["cut", "text"])
def test_a_damaged_file_is_one_sentence(tmp_path, damage):
    path = write(tmp_path / "p.parquet", text=pa.array(["a" * 1000]))
    whole = path.read_bytes()
    path.write_bytes(whole[:-30] if damage == "cut" else b"text")
    with pytest.raises(InputError, match=r"cannot be read as Parquet \(.*\); check that the file is whole"):
        read(path)


def test_a_file_without_rows_holds_nothing(tmp_path):
    assert read(write(tmp_path / "p.parquet", text=pa.array([], pa.string()))) == []
