"""Parquet files of others: one row a page. A place in the file is a row number."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from unquilt.errors import InputError
from unquilt.read.fields import record_of
from unquilt.read.record import Fields, Found, Limits

BATCH = 1024


def read(path: Path, start: int, fields: Fields, limits: Limits) -> Iterator[Found]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
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


def _group(
    file: object, group: int, row: int, start: int, names: list[str], fields: Fields, limits: Limits
) -> Iterator[Found]:
    import pyarrow.parquet as pq

    assert isinstance(file, pq.ParquetFile)
    for batch in file.iter_batches(BATCH, row_groups=[group], columns=names, use_threads=False):
        for value in batch.to_pylist():
            if row >= start:
                record, skips = record_of(value, fields, limits)
                yield Found(row, 1, record, skips)
            row += 1


def _columns(present: list[str], fields: Fields, path: Path) -> list[str]:
    candidates = fields.candidates()
    if not any(n in present for n in candidates["text"]):
        raise InputError(
            f"`{path}` has no column `{candidates['text'][0]}`; name the column with --text-field (it has: {', '.join(present)})"
        )
    return [n for tried in candidates.values() for n in [next((n for n in tried if n in present), None)] if n]
