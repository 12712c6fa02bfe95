"""Rows written in a test become the tables that an engine reads, in segments and row groups of any size."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from unquilt import parquet
from unquilt.engine import Source, View
from unquilt.manifest import Held
from unquilt.parquet import TableWriter, Written, batches_of
from unquilt.store import Store
from unquilt.table import Table

Row = tuple[Any, ...]


def write(path: Path, table: Table, rows: Sequence[Row], group_rows: int) -> Written:
    path.parent.mkdir(parents=True, exist_ok=True)
    with patch.object(parquet, "GROUP_ROWS", group_rows):
        writer = TableWriter(path, table)
        writer.write(batch_of(table, rows))
        return writer.close()


def batch_of(table: Table, rows: Sequence[Row]) -> Any:
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(table.columns)
    return table.batch(**{c.name: list(values) for c, values in zip(table.columns, columns, strict=True)})


def view_of(folder: Path, table: Table, segments: Sequence[Sequence[Row]], group_rows: int = 1 << 16) -> View:
    """A table as an engine sees it, without a study around it."""
    sources = []
    for number, rows in enumerate(segments):
        path = folder / table.name / f"{number}.parquet"
        written = write(path, table, rows, group_rows)
        sources.append(Source((path,), written.decoded, written.group_bytes, written.rows))
    return View(table, tuple(sources))


def publish(store: Store, table: Table, segments: Sequence[Sequence[Row]], group_rows: int) -> None:
    """Publish a table that no step makes."""
    base, placed = 0, []
    for rows in segments:
        with store.workroom("publish") as room:
            written = write(room / table.name / "part-00000.parquet", table, rows, group_rows)
            print_ = hashlib.sha256(f"{base} {written.digest}".encode()).hexdigest()
            placed.append(store.place(table.name, room / table.name, [written], base=base, fingerprint=print_))
        base += len(rows)
    store.write(store.read().with_tables({table.name: Held(table.version, "", tuple(placed))}))


def rows_of(paths: Iterable[Path], table: Table) -> list[Row]:
    """The rows of a table's files as plain tuples, in their order."""
    return [
        row
        for path in paths
        for batch in batches_of(path, table.name)
        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True)
    ]


def published(store: Store, table: Table) -> list[Row]:
    return rows_of(files_of(store, table), table)


def files_of(store: Store, table: Table) -> list[Path]:
    """The files of a published table."""
    segments = store.read().tables[table.name].segments
    return [store.folder / "tables" / segment.folder / one.file for segment in segments for one in segment.files]
