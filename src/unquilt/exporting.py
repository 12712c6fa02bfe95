"""From published tables to what users open elsewhere: names of pages instead of numbers, columns people know.

Files hold what the pages hold: in CSV a text that begins with `=`, `+`, `-` or `@` stays as it is, for a changed
text would be another text. Whoever opens such a file in a spreadsheet imports its columns as text.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unquilt.catalogue import TABLES
from unquilt.errors import UsageError
from unquilt.manifest import Manifest
from unquilt.pages import PAGES
from unquilt.parquet import TableWriter
from unquilt.readable import readable, rows, table_named
from unquilt.reading import Published, batches
from unquilt.running import view_of
from unquilt.store import Store, writing
from unquilt.table import Table

if TYPE_CHECKING:
    import pyarrow as pa

_CSV_QUOTED = re.compile(r'[",\r\n]')


@dataclass(frozen=True)
class Exported:
    """What was written: of which table, where, how many rows, in which columns."""

    table: str
    path: str
    rows: int
    columns: tuple[str, ...]


def export(published: Published, name: str, path: Path) -> Exported:
    """Written beside and renamed, so that a file of that name is whole or not there."""
    write = WRITERS.get(path.suffix.lower())
    if write is None:
        raise UsageError(f"`{path}` ends in no format that is written; end it in one of {', '.join(WRITERS)}")
    table = table_named(published, name)
    if not path.parent.is_dir() or path.is_dir():
        what = "is a folder" if path.is_dir() else f"cannot be written: there is no folder `{path.parent}`"
        raise UsageError(f"`{path}` {what}; name a file in a folder that is there")
    part, shown = path.with_name(path.name + ".part"), readable(table)
    with writing(path):
        try:
            number = write(part, shown, map(shown.conform, rows(published, table)))
            os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)
    return Exported(name, str(path), number, shown.names)


def whole(store: Store, manifest: Manifest, name: str) -> pa.Table:
    """A table as published, in memory."""
    import pyarrow as pa

    table = TABLES[name]
    return pa.Table.from_batches(batches(view_of(store, manifest, table)), table.schema)


def _write_parquet(path: Path, table: Table, batches: Iterator[pa.RecordBatch]) -> int:
    writer = TableWriter(path, table)
    try:
        for batch in batches:
            writer.write(batch)
    except BaseException:
        writer.abandon()
        raise
    return writer.close().rows


def _write_jsonl(path: Path, table: Table, batches: Iterator[pa.RecordBatch]) -> int:
    rows = 0
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        for batch in batches:
            for row in batch.to_pylist():
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
            rows += batch.num_rows
    return rows


def _write_csv(path: Path, table: Table, batches: Iterator[pa.RecordBatch]) -> int:
    rows = 0
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(",".join(table.names) + "\n")
        for batch in batches:
            for row in batch.to_pylist():
                file.write(",".join(map(_csv_cell, row.values())) + "\n")
            rows += batch.num_rows
    return rows


def _csv_cell(value: Any) -> str:
    """RFC 4180. Nothing at all is a null, `""` is a text without a character."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value)
    quoted = not text or _CSV_QUOTED.search(text) or text[0].isspace() or text[-1].isspace()
    return '"' + text.replace('"', '""') + '"' if quoted else text


WRITERS: dict[str, Callable[[Path, Table, Iterator[Any]], int]] = {
    ".parquet": _write_parquet,
    ".jsonl": _write_jsonl,
    ".csv": _write_csv,
}

__all__ = ["PAGES", "WRITERS", "Exported", "export", "whole"]
