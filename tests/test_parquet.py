"""The same rows give the same file, whatever way they came; a file that is not as written is found out."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unquilt import parquet
from unquilt.errors import DamagedTable
from unquilt.parquet import TableWriter, Written, batches_of, open_file
from unquilt.table import Column, Table

Row = tuple[Any, ...]
PAGE = Table(
    "page",
    1,
    ("page",),
    "Each row is one page.",
    (
        Column("page", "int64", "the page"),
        Column("text", "string", "what it says", nullable=True),
        Column("links", "list<int64>", "where it leads", nullable=True),
        Column("short", "bool", "it is short", nullable=True),
        Column("share", "double", "its share", nullable=True),
        Column("depth", "int32", "its depth", nullable=True),
    ),
)
PAIR = Table(
    "pair",
    1,
    ("a", "b", "c"),
    "Each row is one pair.",
    (Column("a", "string", "one"), Column("b", "int64", "the other"), Column("c", "string", "a third")),
)


def row(n: int, size: int = 10) -> Row:
    return (n, None if n % 5 == 4 else f"{n} " * (size // 4), None if n % 3 == 2 else [n] * (n % 4), n % 2 == 0, n / 4, n)


def batch(table: Table, rows: list[Row]) -> pa.RecordBatch:
    columns = list(zip(*rows, strict=True)) or [()] * len(table.columns)
    return table.batch(**dict(zip(table.names, map(list, columns), strict=True)))


def write(path: Path, table: Table, *batches: pa.RecordBatch) -> Written:
    writer = TableWriter(path, table)
    for one in batches:
        writer.write(one)
    return writer.close()


def groups(path: Path) -> list[int]:
    metadata = pq.read_metadata(path)
    return [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]


def rows_of(path: Path, columns: list[str] | None = None) -> list[Row]:
    return [r for b in batches_of(path, "page", columns) for r in zip(*(c.to_pylist() for c in b.columns), strict=True)]


@pytest.fixture
def small_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "GROUP_ROWS", 7)
    monkeypatch.setattr(parquet, "GROUP_BYTES", 400)


@pytest.mark.usefixtures("small_groups")
@pytest.mark.parametrize("size", [4, 60, 200, 3000])
def test_the_same_rows_in_any_batches_give_the_same_bytes(tmp_path: Path, size: int) -> None:
    """Limits of rows are met first for the small sizes, limits of bytes for the others."""
    rows = [row(n, size) for n in range(60)]
    whole = write(tmp_path / "whole", PAGE, batch(PAGE, rows))

    @given(st.lists(st.integers(0, 60), max_size=8).map(sorted), st.integers(0, 5))
    def check(cuts: list[int], before: int) -> None:
        edges = [0, *cuts, 60]
        longer = batch(PAGE, [row(n - before, 9) for n in range(before)] + rows)
        pieces = [longer.slice(before + a, b - a) for a, b in pairwise(edges)]
        again = write(tmp_path / "again", PAGE, *pieces)
        assert (tmp_path / "again").read_bytes() == (tmp_path / "whole").read_bytes()
        assert (again.rows, again.decoded, again.group_bytes, again.digest) == (
            whole.rows,
            whole.decoded,
            whole.group_bytes,
            whole.digest,
        )

    check()
    assert rows_of(tmp_path / "whole") == rows


def test_other_types_of_the_same_values_give_the_same_bytes(tmp_path: Path) -> None:
    """A kernel's arrays and a query's answer need not have the table's very types."""
    rows = [row(n) for n in range(20)]
    own = batch(PAGE, rows)
    types = [pa.int32(), pa.large_string(), pa.large_list(pa.int32()), pa.bool_(), pa.float64(), pa.int64()]
    cast = pa.RecordBatch.from_arrays([c.cast(t) for c, t in zip(own.columns, types, strict=True)], names=own.schema.names)
    shuffled = cast.select(["links", "depth", "page", "share", "text", "short"])
    assert write(tmp_path / "own", PAGE, own).digest == write(tmp_path / "cast", PAGE, shuffled).digest
    assert (tmp_path / "own").read_bytes() == (tmp_path / "cast").read_bytes()


def test_what_lies_under_a_null_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrow lets a null have bytes; they must not fill a row group."""
    monkeypatch.setattr(parquet, "GROUP_BYTES", 200)
    texts = pa.array(["x" * 60] * 8)
    null = pa.StringArray.from_buffers(8, texts.buffers()[1], texts.buffers()[2], pa.py_buffer(b"\x01"), 7)
    rest: dict[str, Any] = {c: [None] * 8 for c in PAGE.names[2:]}
    write(tmp_path / "hidden", PAGE, PAGE.batch(page=range(8), text=null, **rest))
    write(tmp_path / "plain", PAGE, PAGE.batch(page=range(8), text=["x" * 60] + [None] * 7, **rest))
    assert groups(tmp_path / "hidden") == groups(tmp_path / "plain")
    assert (tmp_path / "hidden").read_bytes() == (tmp_path / "plain").read_bytes()


def test_a_row_group_ends_at_its_limit_of_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "GROUP_ROWS", 8)
    write(tmp_path / "p", PAGE, batch(PAGE, [row(n) for n in range(5)]), batch(PAGE, [row(n) for n in range(5, 20)]))
    assert groups(tmp_path / "p") == [8, 8, 4]


def test_a_row_group_ends_with_the_row_that_reaches_its_limit_of_bytes(tmp_path: Path) -> None:
    texts = [3_000_000, 3_000_000, 3_000_000, 20_000_000, 1, 9_000_000, 5]
    rows = [(n, "x" * size, [], True, 0.0, 0) for n, size in enumerate(texts)]
    written = write(tmp_path / "p", PAGE, batch(PAGE, rows))
    assert groups(tmp_path / "p") == [2, 2, 2, 1]
    assert written.group_bytes == 23_000_000 + 2 * (4 + 4 + 4 * 8)
    assert written.decoded == sum(texts) + len(texts) * (4 + 4 + 4 * 8)


def test_the_limits_are_65536_rows_and_4_megabytes(tmp_path: Path) -> None:
    table = Table("n", 1, ("n",), "Each row is a number.", (Column("n", "int64", "it"),))
    write(tmp_path / "p", table, table.batch(n=range(150_000)))
    assert groups(tmp_path / "p") == [65_536, 65_536, 18_928]
    assert parquet.GROUP_BYTES == 4 << 20


def test_a_table_without_rows_has_its_schema(tmp_path: Path) -> None:
    for name, batches in (("none", []), ("empty", [PAGE.empty(), PAGE.empty()])):
        written = write(tmp_path / name, PAGE, *batches)
        assert (written.rows, written.decoded, written.group_bytes) == (0, 0, 0)
        assert rows_of(tmp_path / name) == []
        assert pq.read_schema(tmp_path / name).metadata[b"unquilt"] == PAGE.schema.metadata[b"unquilt"]
    assert (tmp_path / "none").read_bytes() == (tmp_path / "empty").read_bytes()


def test_what_is_written_says_what_it_means(tmp_path: Path) -> None:
    write(tmp_path / "p", PAGE, batch(PAGE, [row(1)]))
    schema = pq.read_schema(tmp_path / "p")
    assert schema.metadata == PAGE.schema.metadata
    assert schema.field("text").metadata[b"meaning"] == b"what it says"
    assert [f.nullable for f in schema] == [False, True, True, True, True, True]


# --- keys ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "batches",
    [[[3, 2]], [[3, 3]], [[1, 2, 2, 3]], [[1, 2], [2]], [[1, 5], [], [4]], [[2], [1]]],
)
def test_rows_out_of_order_raise(tmp_path: Path, batches: list[list[int]]) -> None:
    with pytest.raises(ValueError, match="rows of table page are not in the order of its key"):
        write(tmp_path / "p", PAGE, *(batch(PAGE, [row(n) for n in one]) for one in batches))


PAIRS: list[Row] = [("", 9, "a"), ("a", -5, "z"), ("a", 1, ""), ("a", 1, "a"), ("a", 1, "ä"), ("a", 2, ""), ("b", -9, ""), ("ä", 0, "")]


def test_a_key_of_several_columns_is_in_the_order_of_its_bytes(tmp_path: Path) -> None:
    write(tmp_path / "whole", PAIR, batch(PAIR, PAIRS))
    write(tmp_path / "single", PAIR, *(batch(PAIR, [one]) for one in PAIRS))
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "single").read_bytes()


@pytest.mark.parametrize("at", range(len(PAIRS) - 1))
@pytest.mark.parametrize("single", [True, False], ids=["single rows", "one batch"])
def test_two_rows_changed_round_are_out_of_order(tmp_path: Path, at: int, single: bool) -> None:
    rows = [*PAIRS[:at], PAIRS[at + 1], PAIRS[at], *PAIRS[at + 2 :]]
    batches = [batch(PAIR, [one]) for one in rows] if single else [batch(PAIR, rows)]
    with pytest.raises(ValueError, match="order of its key"):
        write(tmp_path / "p", PAIR, *batches)


@pytest.mark.parametrize("rows", [[("a", 1, None), ("b", 1, "a")], [("a", 1, "a"), ("a", 1, None)], [("a", 1, None), ("a", 1, "a")]])
def test_a_key_is_never_null(tmp_path: Path, rows: list[Row]) -> None:
    with pytest.raises(ValueError, match="nulls"):
        write(tmp_path / "p", PAIR, batch(PAIR, rows))


def test_a_null_where_none_may_be_raises(tmp_path: Path) -> None:
    wrong = pa.RecordBatch.from_pydict({"a": ["x", None], "b": [1, 2], "c": ["", ""]})
    with pytest.raises(ValueError, match="column a of table pair has 1 nulls"):
        write(tmp_path / "p", PAIR, wrong)


def test_a_number_too_large_for_its_column_raises(tmp_path: Path) -> None:
    wide = batch(PAGE, [row(1)]).set_column(5, "depth", pa.array([1 << 40]))
    with pytest.raises(ValueError, match="not in range"):
        write(tmp_path / "p", PAGE, wide)


# --- damage ----------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write(tmp_path / "page.parquet", PAGE, batch(PAGE, [row(n, 40) for n in range(30)]))
    return tmp_path / "page.parquet"


def _data(path: Path) -> range:
    """Where the pages of the columns are."""
    group = pq.read_metadata(path).row_group(0)
    columns = [group.column(i) for i in range(group.num_columns)]
    return range(columns[0].data_page_offset, max(c.data_page_offset + c.total_compressed_size for c in columns))


def test_a_changed_byte_in_the_data_is_found(file: Path) -> None:
    """Whichever byte it is: the checksum of the page is wrong, or its header makes no sense, or it is as it was."""
    whole, rows, found = file.read_bytes(), rows_of(file), 0
    for at in _data(file)[::2]:
        damaged = bytearray(whole)
        damaged[at] ^= 0x04
        file.write_bytes(damaged)
        try:
            assert rows_of(file) == rows, f"byte {at} changed the rows"
        except DamagedTable:
            found += 1
    assert found > len(_data(file)[::2]) * 0.9


def _types(path: Path) -> list[pa.DataType]:
    with open_file(path, "page") as file:
        return list(file.schema_arrow.types)


def test_a_changed_byte_in_the_footer_is_found_or_changes_a_type_at_most(file: Path) -> None:
    """The footer has no checksum. A column of another type is left to whoever takes it for what the table says."""
    whole, rows = file.read_bytes(), rows_of(file)
    for at in range(_data(file).stop, len(whole), 3):
        damaged = bytearray(whole)
        damaged[at] ^= 0x04
        file.write_bytes(damaged)
        try:
            found = rows_of(file, list(PAGE.names))
        except DamagedTable:
            continue
        assert found == rows or _types(file) != PAGE.schema.types, f"byte {at} of {len(whole)} changed the rows"


@pytest.mark.parametrize("size", [0, 3, 4, 8, 100, -1, -8])
def test_a_file_cut_short_is_damaged(file: Path, size: int) -> None:
    file.write_bytes(file.read_bytes()[:size])
    with pytest.raises(DamagedTable, match=r"table page cannot be read: page\.parquet is damaged"):
        rows_of(file)


def test_a_file_that_is_gone_is_damaged(file: Path) -> None:
    file.unlink()
    with pytest.raises(DamagedTable, match="table page"):
        open_file(file, "page")


def test_only_the_columns_asked_for_are_read(file: Path) -> None:
    assert rows_of(file, ["page"]) == [(n,) for n in range(30)]
