"""Parquet files of others: one row a page. A place in the file is a row number.

Of a row group that is damaged the rows are lost from the damage on; the next one is read. Memory is bounded by what a few rows hold,
however large a row group is, and a value that many rows repeat is not held for many rows at once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from unquilt.errors import InputError
from unquilt.read.column import stand_in, values
from unquilt.read.fields import columns, record_of
from unquilt.read.parquet_pages import Pages, Wrong, chunks, pages, whole
from unquilt.read.record import Fields, Found, Limits, Skip
from unquilt.read.room import bytes_of

if TYPE_CHECKING:
    import pyarrow.parquet as pq

BATCH_BYTES = 4 << 20
MOST_BYTES = 64 << 20  # of a batch whose rows are all as long as any can be
MOST_ROWS = 64  # of a batch
READ_BYTES = 1 << 20  # of a column at once


def read(path: Path, start: int, fields: Fields, limits: Limits) -> Iterator[Found]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        # With `pre_buffer` all of a row group would be read at once.
        with open(path, "rb") as raw, pq.ParquetFile(pa.OSFile(os.fsencode(path)), buffer_size=READ_BYTES, pre_buffer=False) as file:
            yield from _Table(path, raw, file, fields, limits).rows(start)
    except (pa.ArrowException, UnicodeDecodeError, OSError) as error:
        if isinstance(error, OSError) and error.errno:
            raise
        raise InputError(f"`{path}` cannot be read as Parquet ({_first_line(error)}); check that the file is whole") from error


def rows(path: Path) -> int:
    """How many there are, for those who watch."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        number: int = pq.read_metadata(pa.OSFile(os.fsencode(path))).num_rows
    except (pa.ArrowException, OSError):
        return 0
    return number


class _Table:
    def __init__(self, path: Path, raw: IO[bytes], file: pq.ParquetFile, fields: Fields, limits: Limits) -> None:
        self._raw = raw
        self._file = file
        self._fields = fields
        self._limits = limits
        schema = file.schema_arrow
        names = columns(schema.names, fields, path)
        kinds = {name: stand_in(schema.field(schema.names.index(name)).type) for name in names}
        self._instead = {name: kind for name, kind in kinds.items() if kind is not None}
        self._read = [name for name in names if name not in self._instead]
        self._chunks = chunks(raw, self._read)

    def rows(self, start: int) -> Iterator[Found]:
        row = 0
        for group in range(self._file.num_row_groups):
            size = self._file.metadata.row_group(group).num_rows
            if row + size > start:
                yield from self._group(group, _Rows(row, row + size), start)
            row += size

    def _group(self, group: int, rows: _Rows, start: int) -> Iterator[Found]:
        import pyarrow as pa

        at = max(rows.begin, start)
        try:
            for found in self._founds(group, rows.begin, start):
                at = found.offset + 1
                yield found
        except (pa.ArrowException, OSError, Wrong) as error:
            if isinstance(error, OSError) and error.errno:
                raise
            lost = f"{rows.end - at:,} rows are lost: {_first_line(error)}"
            if at < rows.end:
                yield Found(at, rows.end - at, None, (Skip("damaged Parquet", lost[:200]),))

    def _founds(self, group: int, row: int, start: int) -> Iterator[Found]:
        pages = self._pages(group)
        cost = sum(p.cost for p in pages)
        longest = max((p.largest + p.dictionary for p in pages), default=0)
        if self._limits.room is not None:
            self._limits.room.take(cost, f"row group {group}, of whose columns {longest:,} bytes have to be read at once")
        size = self._batch_rows(group, pages)
        for batch in self._file.iter_batches(size, row_groups=[group], columns=self._read, use_threads=False):
            if row + batch.num_rows > start:
                cells = [values(column) for column in batch.columns]
                for number in range(row, row + batch.num_rows):
                    line = dict(zip(batch.schema.names, map(next, cells), strict=True))
                    if number >= start:
                        yield self._found(number, line | self._instead, cost)
            row += batch.num_rows

    def _found(self, row: int, line: dict[str, Any], cost: int) -> Found:
        """`cost`: what is held already to read it."""
        size = sum(map(bytes_of, line.values()))
        if size > self._limits.record_bytes:
            what = f"{size:,} bytes, the limit is {self._limits.record_bytes:,}"
            return Found(row, 1, None, (Skip("record too large", what),))
        self._limits.make_room(size, f"row {row:,} of {size:,} bytes", beside=cost)
        record, skips = record_of(line, self._fields, self._limits)
        return Found(row, 1, record, skips)

    def _pages(self, group: int) -> list[Pages]:
        """Of the columns that are read."""
        if group < len(self._chunks):
            return [pages(self._raw, chunk) for chunk in self._chunks[group]]
        return [whole(max(self._file.metadata.row_group(group).total_byte_size, 0))]

    def _batch_rows(self, group: int, pages: list[Pages]) -> int:
        """How many rows make a batch of about `BATCH_BYTES`, as far as the file's own figures can be believed.

        No value is longer than the page or dictionary it lies in; and rows of which no page has few lie in two pages at most.
        """
        told = self._file.metadata.row_group(group)
        usual: int = BATCH_BYTES * told.num_rows // max(told.total_byte_size, 1)
        longest = max((p.dictionary if p.fewest >= MOST_ROWS else max(p.dictionary, p.largest) for p in pages), default=0)
        return max(min(usual, MOST_BYTES // max(longest, 1), MOST_ROWS), 1)


@dataclass(frozen=True)
class _Rows:
    begin: int
    end: int


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
