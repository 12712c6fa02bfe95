"""Digests are equal exactly when schema and rows in key order are, however the rows are cut."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unquilt.digest import Digest
from unquilt.table import Column, Table

Row = tuple[Any, ...]
TYPES = ("string", "int64", "int32", "double", "bool", "list<int64>")
TABLE = Table(
    "thing",
    1,
    ("n",),
    "Each row is one thing.",
    (Column("n", "int64", "its number"), *(Column(t, t, f"a {t}", nullable=True) for t in TYPES)),
)
VALUES = {
    "string": st.text(max_size=6),
    "int64": st.integers(-(1 << 63), (1 << 63) - 1),
    "int32": st.integers(-(1 << 31), (1 << 31) - 1),
    "double": st.floats(allow_nan=False),
    "bool": st.booleans(),
    "list<int64>": st.lists(st.integers(-9, 9), max_size=4),
}
FILLED: Row = (0, "text", 7, 8, 0.5, True, [1, 2])
OTHER: Row = (1, "texts", 6, 9, 0.25, False, [1, 3])
NOTHING: Row = (0, "", 0, 0, 0.0, False, [])

rows = st.lists(st.tuples(*(st.none() | VALUES[t] for t in TYPES)), max_size=20).map(
    lambda found: [(n, *row) for n, row in enumerate(found)]
)


def batch(rows: list[Row]) -> pa.RecordBatch:
    columns = list(zip(*rows, strict=True)) or [()] * len(TABLE.columns)
    return TABLE.batch(**dict(zip(TABLE.names, map(list, columns), strict=True)))


def digest(*batches: pa.RecordBatch, table: Table = TABLE) -> str:
    one = Digest(table)
    for each in batches:
        one.update(each)
    return one.hexdigest()


@given(rows=rows, data=st.data())
def test_a_digest_does_not_depend_on_batches(rows: list[Row], data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(rows)), max_size=4)))
    edges = [0, *cuts, len(rows)]
    pieces = [batch(rows[a:b]) for a, b in pairwise(edges)]
    assert digest(*pieces) == digest(batch(rows))


@given(rows=rows, data=st.data())
def test_a_digest_does_not_depend_on_slices(rows: list[Row], data: st.DataObject) -> None:
    before, after = data.draw(st.integers(0, 9)), data.draw(st.integers(0, 9))
    longer = batch([OTHER] * before + rows + [OTHER] * after)
    assert digest(longer.slice(before, len(rows))) == digest(batch(rows))


@given(one=rows, other=rows)
def test_equal_digests_are_equal_rows(one: list[Row], other: list[Row]) -> None:
    assert (digest(batch(one)) == digest(batch(other))) == (repr(one) == repr(other))


@pytest.mark.parametrize("column", range(1, len(FILLED)), ids=TYPES)
@pytest.mark.parametrize("value", [OTHER, NOTHING, (None,) * 7], ids=["another value", "nothing", "null"])
def test_every_cell_counts(column: int, value: Row) -> None:
    changed = (*FILLED[:column], value[column], *FILLED[column + 1 :])
    assert digest(batch([OTHER, changed])) != digest(batch([OTHER, FILLED]))


@pytest.mark.parametrize("column", range(1, len(FILLED)), ids=TYPES)
def test_a_null_is_neither_empty_nor_zero(column: int) -> None:
    null = (*NOTHING[:column], None, *NOTHING[column + 1 :])
    assert digest(batch([null])) != digest(batch([NOTHING]))


def test_the_order_of_rows_counts() -> None:
    assert digest(batch([FILLED, OTHER])) != digest(batch([OTHER, FILLED]))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([(0, "ab"), (1, "c")], [(0, "a"), (1, "bc")]),
        ([(0, "ab"), (1, "")], [(0, "a"), (1, "b")]),
        ([(0, None), (1, "a")], [(0, "a"), (1, None)]),
        ([(0, "")], [(0, ""), (1, "")]),
    ],
)
def test_where_a_text_ends_counts(one: list[Row], other: list[Row]) -> None:
    def texts(rows: list[Row]) -> pa.RecordBatch:
        return batch([(n, text, *FILLED[2:]) for n, text in rows])

    assert digest(texts(one)) != digest(texts(other))


def test_where_a_list_ends_counts() -> None:
    def lists(*rows: list[int] | None) -> str:
        return digest(batch([(n, *FILLED[1:6], row) for n, row in enumerate(rows)]))

    different = [lists([1, 2], [3]), lists([1], [2, 3]), lists([1, 2, 3], []), lists([1, 2, 3], None), lists([1, 2, 3])]
    assert len(set(different)) == len(different)


@pytest.mark.parametrize(
    "table",
    [
        replace(TABLE, name="other"),
        replace(TABLE, version=2),
        replace(TABLE, key=("m",), columns=(replace(TABLE.columns[0], name="m"), *TABLE.columns[1:])),
        replace(TABLE, columns=(*TABLE.columns[:3], replace(TABLE.columns[3], type="int64"), *TABLE.columns[4:])),
    ],
    ids=["name", "version", "name of a column", "type of a column"],
)
def test_the_schema_counts_even_without_rows(table: Table) -> None:
    assert digest(table=table) != digest()


def test_the_key_counts_even_without_rows() -> None:
    both = replace(TABLE, columns=(*TABLE.columns, Column("m", "int64", "a second number")))
    assert digest(table=replace(both, key=("n", "m"))) != digest(table=replace(both, key=("m", "n")))


def test_what_a_table_means_does_not_count() -> None:
    assert digest(batch([FILLED]), table=replace(TABLE, sentence="Said otherwise.")) == digest(batch([FILLED]))


def test_what_lies_under_a_null_does_not_count() -> None:
    """Arrow lets a null have bytes; no reader sees them."""
    two, hidden = pa.array(["ab", "cd"]), pa.py_buffer(b"\x01")
    null = pa.StringArray.from_buffers(2, two.buffers()[1], two.buffers()[2], hidden, 1)
    assert null.to_pylist() == ["ab", None]
    rest = {c: [None, None] for c in TYPES[1:]}
    assert digest(TABLE.batch(n=[0, 1], string=null, **rest)) == digest(TABLE.batch(n=[0, 1], string=["ab", None], **rest))


def test_rows_are_counted() -> None:
    one = Digest(TABLE)
    one.update(batch([FILLED, OTHER]))
    one.update(batch([]))
    assert one.rows == 2


def test_a_digest_is_the_same_next_year() -> None:
    """Written down: a change of this number makes every study of before look damaged."""
    expected = "5ca4493cccfaa6c325089791fa39f4160f2180e104d2fe7e17c54ab81599d8ab"
    assert digest(batch([FILLED, (1, None, None, None, None, None, None)])) == expected
