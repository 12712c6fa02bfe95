"""How is a table written and read? One Parquet writer with fixed row groups, for published tables and exports.

The same rows give the same bytes, however they arrive: rows are gathered to row groups whose limits
depend on the rows alone. Every page carries a checksum that is verified where kernels read; DuckDB does not
verify it, so the manifest also has a SHA-256 of the whole file, which `unquilt info --verify` compares.
"""

from __future__ import annotations

import gc
import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from unquilt.arrays import to_numpy
from unquilt.digest import Digest
from unquilt.errors import DamagedTable
from unquilt.table import Table

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq
    from numpy.typing import NDArray

# A row group is what one thread holds decoded at a time, so its size is part of every memory promise.
GROUP_ROWS = 1 << 16
GROUP_BYTES = 4 << 20


@dataclass(frozen=True)
class Written:
    """What a writer knows of its file at the end. `group_bytes` is the largest row group, decoded."""

    file: str
    rows: int
    bytes: int
    decoded: int
    group_bytes: int
    digest: str
    sha256: str


class TableWriter:
    """Writes batches in key order to one file; a row out of order raises, for then the key is not total."""

    def __init__(self, path: Path, table: Table) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self._path, self._table = path, table
        self._sink = pa.OSFile(os.fsencode(path), "wb")  # names in bytes, for a name need not be UTF-8
        self._file = pq.ParquetWriter(
            self._sink,
            table.schema,
            compression="zstd",
            compression_level=1,
            use_dictionary=False,
            write_statistics=[c for c in table.key if c not in ("url", "host")] or False,
            write_page_checksum=True,
            store_schema=True,
            version="2.6",
        )
        self._digest = Digest(table)
        self._waiting: list[pa.RecordBatch] = []
        self._rows = self._bytes = 0
        self._last: pa.RecordBatch | None = None
        self._decoded = self._group_bytes = 0

    def write(self, batch: pa.RecordBatch) -> None:
        batch = self._table.conform(batch)
        if not batch.num_rows:
            return
        self._check_order(batch)
        self._digest.update(batch)
        start = 0
        sizes = _running_sizes(batch)
        while start < batch.num_rows:
            stop = self._group_end(sizes, start)
            self._waiting.append(batch.slice(start, stop - start))
            self._rows += stop - start
            self._bytes += int(sizes[stop] - sizes[start])
            start = stop
            if self._rows >= GROUP_ROWS or self._bytes >= GROUP_BYTES:
                self._write_group()

    def _group_end(self, sizes: NDArray[np.int64], start: int) -> int:
        """A group ends with the row that reaches GROUP_ROWS rows or GROUP_BYTES bytes."""
        enough = int(sizes.searchsorted(sizes[start] + GROUP_BYTES - self._bytes))
        return max(start + 1, min(enough, start + GROUP_ROWS - self._rows, len(sizes) - 1))

    def _write_group(self) -> None:
        import pyarrow as pa

        if not self._rows:
            return
        group = pa.Table.from_batches(self._waiting).combine_chunks()
        self._file.write_table(group, row_group_size=self._rows)
        self._decoded += self._bytes
        self._group_bytes = max(self._group_bytes, self._bytes)
        self._waiting, self._rows, self._bytes = [], 0, 0

    def _check_order(self, batch: pa.RecordBatch) -> None:
        import pyarrow as pa

        keys = batch.select(list(self._table.key))
        edge = [self._last, keys] if self._last is not None else [keys]
        joined = pa.Table.from_batches(edge).combine_chunks()
        if joined.num_rows > 1 and not _ascending(joined):
            raise ValueError(f"rows of table {self._table.name} are not in the order of its key {self._table.key}")
        self._last = keys.slice(keys.num_rows - 1)

    def abandon(self) -> None:
        """The file is not wanted any more. Left open, Arrow would try to end it when it is collected, and complain on a full disk."""
        self._file.is_open = False
        with suppress(OSError):
            self._sink.close()

    def close(self) -> Written:
        self._write_group()
        self._file.close()
        self._sink.close()
        size, digest = self._path.stat().st_size, self._digest
        return Written(self._path.name, digest.rows, size, self._decoded, self._group_bytes, digest.hexdigest(), sha256(self._path))


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _running_sizes(batch: pa.RecordBatch) -> NDArray[np.int64]:
    """sizes[i]: decoded bytes of the rows before row i."""
    import numpy as np
    import pyarrow as pa

    each = np.zeros(batch.num_rows, np.int64)
    for array in batch.columns:
        if pa.types.is_string(array.type) or pa.types.is_list(array.type):
            offsets = np.frombuffer(array.buffers()[1], np.int32)[array.offset : array.offset + len(array) + 1]
            lengths = np.diff(offsets)
            if array.null_count:  # Arrow lets a null have bytes, which are not written
                lengths = np.where(to_numpy(array.is_valid()), lengths, 0)
            each += lengths * (8 if pa.types.is_list(array.type) else 1) + 4
        else:
            each += 8
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(each)])


def _ascending(keys: pa.Table) -> bool:
    import pyarrow.compute as pc

    later: pa.ChunkedArray | None = None
    for name in reversed(keys.column_names):
        before, after = keys[name].slice(0, keys.num_rows - 1), keys[name].slice(1)
        here = pc.less(before, after)
        later = here if later is None else pc.or_(here, pc.and_(pc.equal(before, after), later))
    return bool(pc.all(later).as_py()) and later is not None and not later.null_count


@dataclass(frozen=True)
class GroupPlace:
    """One row group of a published file: the unit a map reads."""

    path: Path
    table: str
    segment: int
    group: int
    batch: int = 0
    """Its number among the row groups of all files of the segment."""


def open_file(path: Path, table: str) -> pq.ParquetFile:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(pa.OSFile(os.fsencode(path)), page_checksum_verification=True, memory_map=False, pre_buffer=False)
        _check_footer(file)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise _damaged(path, table, error) from error
    return file


def _check_footer(file: pq.ParquetFile) -> None:
    """It has no checksum, and a row group that claims fewer rows than it has would be cut short without a word."""
    said = file.metadata
    if sum(said.row_group(i).num_rows for i in range(said.num_row_groups)) != said.num_rows:
        raise ValueError("its row groups do not add up to its rows")
    said.schema.to_arrow_schema()


def let_go(file: pq.ParquetFile) -> None:
    """Close a file and free what is known of it: pyarrow keeps that in a cycle, a megabyte and a half a hundred row groups."""
    file.close()
    del file
    gc.collect(1)


def read_group(file: pq.ParquetFile, place: GroupPlace, columns: list[str]) -> pa.RecordBatch:
    import pyarrow as pa

    try:
        rows = file.read_row_group(place.group, columns=columns, use_threads=False)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise _damaged(place.path, place.table, error) from error
    lacking = sorted(set(columns) - set(rows.column_names))
    if lacking:
        raise _damaged(place.path, place.table, KeyError(f"it has no column {', '.join(lacking)}"))
    batches = rows.combine_chunks().to_batches()
    return batches[0] if batches else pa.RecordBatch.from_pylist([], schema=rows.schema)


def batches_of(path: Path, table: str, columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
    with open_file(path, table) as file:
        names = columns if columns is not None else file.schema_arrow.names
        for group in range(file.num_row_groups):
            yield read_group(file, GroupPlace(path, table, 0, group), names)


def _damaged(path: Path, table: str, error: BaseException) -> DamagedTable:
    what = str(error).splitlines()[0][:200]
    return DamagedTable(
        f"table {table} cannot be read: {path.name} is damaged ({what}); "
        f"delete {path.parent} and run the command again, or make the study anew if it is a table of the input"
    )
