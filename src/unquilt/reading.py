"""How are published tables read? In the order of their key, a row group at a time, and never other rows than were written.

Parquet has checksums for the contents of its pages and none for what stands around them: the heads of pages, the footer.
So types and numbers of rows are compared too, with what the table and the manifest say. Of small tables every single
bit was flipped, one after the other: each time there were the same rows, or it was told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unquilt.arrays import to_arrow, to_numpy
from unquilt.engine import Source, View
from unquilt.engine.budget import Budget
from unquilt.engine.sql import VERIFY
from unquilt.errors import DamagedTable
from unquilt.manifest import Held, Manifest
from unquilt.parquet import GroupPlace, let_go, open_file, read_group
from unquilt.running import view_of
from unquilt.store import Store
from unquilt.table import Table

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Published:
    """The tables of a study as one manifest names them, and what whoever asks about them may take."""

    store: Store
    manifest: Manifest
    budget: Budget
    tmp: Path | None = None

    def has(self, table: Table) -> bool:
        return table.name in self.manifest.tables

    def view(self, table: Table) -> View:
        return view_of(self.store, self.manifest, table)


def batches(view: View, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
    """All rows, in the order of the key; `columns` in the order of the table."""
    for source in view.segments:
        yield from _rows(view.table, source, columns)


def picked(published: Published, table: Table, numbers: NDArray[Any], columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """The rows whose key begins with one of these sorted numbers, without reading the others."""
    import numpy as np

    key = table.key[0]
    names = [n for n in table.names if n in {key, *columns}]
    for source, here in _where(published, table, numbers):
        for path in source.files:
            with _Opened(table, path) as file:
                for group in range(file.groups):
                    keep = np.isin(to_numpy(file.read(group, [key]).column(0)), here)
                    if keep.any():
                        yield file.read(group, names).filter(mask(keep))


def _where(published: Published, table: Table, numbers: NDArray[Any]) -> Iterator[tuple[Source, NDArray[Any]]]:
    """Segments, each with those of the numbers that can be in it: it begins with its base, and ends where the next one does."""
    segments = published.manifest.tables.get(table.name, Held(0, "", ())).segments
    for number, segment in enumerate(segments):
        end = segments[number + 1].base if number + 1 < len(segments) else None
        first, last = numbers.searchsorted(segment.base), len(numbers) if end is None else numbers.searchsorted(end)
        if first < last:
            (source,) = view_of(published.store, published.manifest, table, segment).segments
            yield source, numbers[first:last]


def mask(keep: NDArray[Any]) -> pa.Array:
    """Truths, for `filter`."""
    import pyarrow as pa

    return to_arrow(keep.view("i1"), pa.bool_())


def _rows(table: Table, source: Source, columns: Sequence[str] | None) -> Iterator[pa.RecordBatch]:
    names = list(table.names) if columns is None else [n for n in table.names if n in set(columns)]
    rows = 0
    for path in source.files:
        with _Opened(table, path) as file:
            rows += file.rows
            for group in range(file.groups):
                yield file.read(group, names)
    if rows != source.rows:
        raise DamagedTable(f"table {table.name} cannot be read: it has {rows:,} rows where {source.rows:,} were written; {VERIFY}")


class _Opened:
    """A file of a table, of which nothing is believed that can be compared."""

    def __init__(self, table: Table, path: Path) -> None:
        self._table, self._path = table, path
        with self._told():
            self._file: pq.ParquetFile = open_file(path, table.name)
        self._said = self._file.metadata
        self.groups: int = self._said.num_row_groups
        self.rows: int = self._said.num_rows
        if not self._file.schema_arrow.equals(table.schema):
            let_go(self._file)
            raise self._damaged("its columns are not those of the table")

    def read(self, group: int, names: list[str]) -> pa.RecordBatch:
        with self._told():
            batch = read_group(self._file, GroupPlace(self._path, self._table.name, 0, group), names)
            batch.validate()
        if batch.num_rows != self._said.row_group(group).num_rows:
            raise self._damaged("a row group has not the rows it says it has")
        return batch

    @contextmanager
    def _told(self) -> Iterator[None]:
        """For those who only look, the remedy is another one than for those who make tables."""
        import pyarrow as pa

        try:
            yield
        except (DamagedTable, pa.ArrowInvalid) as error:
            raise self._damaged(str(error.__cause__ or error)) from error

    def _damaged(self, what: str) -> DamagedTable:
        what = what.splitlines()[0][:200] if what else "empty"
        return DamagedTable(f"table {self._table.name} cannot be read: {self._path.name} is damaged ({what}); {VERIFY}")

    def __enter__(self) -> _Opened:
        return self

    def __exit__(self, *_: object) -> None:
        let_go(self._file)
