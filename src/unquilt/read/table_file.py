"""Parquet files of others: one row a page. A place in the file is a row number."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from unquilt.errors import InputError
from unquilt.read.fields import record_of
from unquilt.read.record import Fields, Found, Limits

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

BATCH = 1024


def read(path: Path, start: int, fields: Fields, limits: Limits) -> Iterator[Found]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(pa.OSFile(os.fsencode(path))) as file:
            names = _columns(file.schema_arrow.names, fields, path)
            row = 0
            for group in range(file.num_row_groups):
                size = file.metadata.row_group(group).num_rows
                if row + size > start:
                    yield from _group(file, group, row, start, names, fields, limits)
                row += size
    except (pa.ArrowException, OSError) as error:
        what = str(error).splitlines()[0][:200]
        raise InputError(f"`{path}` cannot be read as Parquet ({what}); check that the file is whole") from error


def _group(file: pq.ParquetFile, group: int, row: int, start: int, names: list[str], fields: Fields, limits: Limits) -> Iterator[Found]:
    for batch in file.iter_batches(BATCH, row_groups=[group], columns=names, use_threads=False):
        columns = [_plain(column).to_pylist() for column in batch.columns]
        for values in zip(*columns, strict=True):
            if row >= start:
                record, skips = record_of(dict(zip(batch.schema.names, values, strict=True)), fields, limits)
                yield Found(row, 1, record, skips)
            row += 1


def _plain(column: pa.Array) -> pa.Array:
    """Without what would raise in the middle of a column: text that is no UTF-8, times Python has no date for."""
    import pyarrow as pa

    kind = column.type
    if pa.types.is_dictionary(kind):
        return _plain(column.dictionary_decode())
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return column.cast(pa.large_binary())
    if pa.types.is_timestamp(kind):  # as text: what is out of range is not understood, row by row
        return column.cast(pa.timestamp("us", kind.tz), safe=False).view(pa.timestamp("us")).cast(pa.string())
    return column


def _columns(present: list[str], fields: Fields, path: Path) -> list[str]:
    candidates = fields.candidates()
    if not any(n in present for n in candidates["text"]):
        raise InputError(
            f"`{path}` has no column `{candidates['text'][0]}`; name the column with --text-field (it has: {', '.join(present)})"
        )
    return [n for tried in candidates.values() for n in [next((n for n in tried if n in present), None)] if n]
