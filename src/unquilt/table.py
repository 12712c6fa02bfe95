"""What is a table? A name, columns with a meaning, a total key, and one sentence that says what a row is."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from unquilt.arrays import to_arrow

if TYPE_CHECKING:
    import pyarrow as pa

TYPES = ("int64", "int32", "double", "bool", "string", "list<int64>")


@dataclass(frozen=True)
class Column:
    name: str
    type: str
    meaning: str
    nullable: bool = False
    page: bool = False
    """The column holds numbers of captures; exports say their ids and URLs instead."""

    def __post_init__(self) -> None:
        if self.type not in TYPES:
            raise ValueError(f"column {self.name} has type {self.type}; tables use {', '.join(TYPES)}")


@dataclass(frozen=True)
class Table:
    """Rows are sorted by `key` and no two rows share one, so that equal tables are equal row by row."""

    name: str
    version: int
    key: tuple[str, ...]
    sentence: str
    columns: tuple[Column, ...]
    order: tuple[str, ...] = ()
    """What comes first when a person looks, as terms of ORDER BY; the key breaks ties. Files stay in key order."""

    def __post_init__(self) -> None:
        nullable = [c.name for c in self.columns if c.nullable and c.name in self.key]
        if nullable or not set(self.key) <= set(self.names):
            raise ValueError(f"table {self.name}: every column of the key {self.key} must be there and not be nullable")

    @cached_property
    def schema(self) -> pa.Schema:
        import pyarrow as pa

        fields = [pa.field(c.name, _arrow_type(c.type), nullable=c.nullable, metadata={"meaning": c.meaning}) for c in self.columns]
        facts = {"name": self.name, "version": self.version, "key": list(self.key), "sentence": self.sentence}
        return pa.schema(fields, metadata={"unquilt": json.dumps(facts, ensure_ascii=False)})

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(c.name for c in self.columns)

    def conform(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """The batch with this table's columns, in its order and types; a null where none may be raises."""
        import pyarrow as pa

        arrays = []
        for column, field in zip(self.columns, self.schema, strict=True):
            array = batch.column(column.name)
            if array.type != field.type:
                array = array.cast(field.type)
            if array.null_count and not column.nullable:
                raise ValueError(f"column {column.name} of table {self.name} has {array.null_count} nulls")
            arrays.append(array)
        return pa.RecordBatch.from_arrays(arrays, schema=self.schema)

    def batch(self, **columns: object) -> pa.RecordBatch:
        """A batch from one sequence or array a column."""
        import pyarrow as pa

        arrays = [to_arrow(columns[f.name], f.type) for f in self.schema]
        return self.conform(pa.RecordBatch.from_arrays(arrays, names=list(self.names)))

    def empty(self) -> pa.RecordBatch:
        return self.batch(**{c.name: [] for c in self.columns})


def _arrow_type(name: str) -> pa.DataType:
    import pyarrow as pa

    if name == "list<int64>":
        return pa.list_(pa.field("element", pa.int64(), nullable=False))  # as Parquet names it
    return {
        "int64": pa.int64(),
        "int32": pa.int32(),
        "double": pa.float64(),
        "bool": pa.bool_(),
        "string": pa.string(),
    }[name]


def by_name(tables: Iterable[Table]) -> dict[str, Table]:
    return {t.name: t for t in tables}
