"""From published tables to what users open elsewhere: names of pages instead of numbers, columns people know.

Files hold what the pages hold: in CSV a text that begins with `=`, `+`, `-` or `@` stays as it is, for a changed
text would be another text. Whoever opens such a file in a spreadsheet imports its columns as text.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unquilt.catalogue import TABLES
from unquilt.corpus.capture import CAPTURE
from unquilt.corpus.current import CURRENT
from unquilt.engine import View
from unquilt.engine.sql import answered, connect, interruptible
from unquilt.errors import DamagedTable, UsageError
from unquilt.manifest import Manifest
from unquilt.nearest import unknown
from unquilt.parquet import TableWriter
from unquilt.running import view_of
from unquilt.store import Store, writing
from unquilt.table import Column, Table

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

PAGES = Table(
    name="pages",
    version=1,
    key=("page",),
    sentence="Each row is one page of the corpus, in columns other tools know.",
    columns=(
        Column("page", "int64", "number of the capture"),
        Column("id", "string", "given id, else the normalised URL, else file#record"),
        Column("url", "string", "normalised URL", nullable=True),
        Column("date", "string", "when it says it was published, ISO 8601", nullable=True),
        Column("fetched", "string", "when it was fetched, ISO 8601", nullable=True),
        Column("title", "string", "title", nullable=True),
        Column("text", "string", "the text a person can see"),
        Column("language", "string", "language, as declared by the input", nullable=True),
        Column("snapshot", "string", "name of the crawl", nullable=True),
        Column("warc_filename", "string", "file it was read from (of whatever kind)"),
        Column("warc_record_offset", "int64", "where its record begins there"),
        Column("warc_record_length", "int64", "length of its record"),
    ),
)

_ISO = "strftime(make_timestamp({0}), '%Y-%m-%dT%H:%M:%SZ')"
_PAGES = f"""
SELECT page, id, url, {_ISO.format("published_at")} AS date, {_ISO.format("fetched_at")} AS fetched, title, text,
       language, snapshot, file AS warc_filename, "offset" AS warc_record_offset, length AS warc_record_length
FROM capture SEMI JOIN current USING (page) ORDER BY page
"""


_CSV_QUOTED = re.compile(r'[",\r\n]|^\s|\s$')


def ask(store: Store, manifest: Manifest, query: str) -> pa.Table:
    import duckdb

    with _connected(store, manifest, query) as connection:
        try:
            relation = interruptible(connection, lambda: connection.sql(query))
            if relation is None:
                raise UsageError("the query answers nothing; ask with SELECT")
            return interruptible(connection, relation.to_arrow_table)
        except duckdb.Error as error:
            raise _explained(error, manifest) from error


def whole(store: Store, manifest: Manifest, name: str) -> pa.Table:
    _table_named(name, manifest)
    return ask(store, manifest, _PAGES if name == PAGES.name else f'SELECT * FROM "{name}" ORDER BY {_order(TABLES[name])}')


def readable(store: Store, manifest: Manifest, name: str, limit: int | None) -> pa.Table:
    _, query = _readable(_table_named(name, manifest))
    return ask(store, manifest, query + (f" LIMIT {int(limit)}" if limit is not None else ""))


def first(store: Store, manifest: Manifest, name: str, rows: int) -> pa.Table:
    """The most interesting rows, as the table itself says what is interesting."""
    table = _table_named(name, manifest)
    shown, query = _readable(table)
    order = ", ".join([*table.order, _order(shown)])
    return ask(store, manifest, f"SELECT * FROM ({query}) ORDER BY {order} LIMIT {int(rows)}")


def counts(store: Store, manifest: Manifest, name: str, by: str) -> pa.Table:
    """How many rows have each value of a column, the most frequent first."""
    shown, query = _readable(_table_named(name, manifest))
    if by not in shown.names:
        raise UsageError(unknown(f"column of {name}", by, shown.names))
    count = "rows" if by != "rows" else "count"
    grouped = f'SELECT "{by}", count(*) AS {count} FROM ({query}) GROUP BY "{by}"'
    return ask(store, manifest, f'{grouped} ORDER BY {count} DESC, "{by}" NULLS LAST')


def export(store: Store, manifest: Manifest, name: str, path: Path) -> int:
    """Written beside and renamed, so that a file of that name is whole or not there."""
    import duckdb

    write = WRITERS.get(path.suffix.lower())
    if write is None:
        raise UsageError(f"`{path}` ends in no format that is written; end it in one of {', '.join(WRITERS)}")
    table, query = _readable(_table_named(name, manifest))
    if not path.parent.is_dir() or path.is_dir():
        what = "is a folder" if path.is_dir() else f"cannot be written: there is no folder `{path.parent}`"
        raise UsageError(f"`{path}` {what}; name a file in a folder that is there")
    part = path.with_name(path.name + ".part")
    with writing(path), _connected(store, manifest, query) as connection:
        try:
            rows = write(part, table, _batches(connection, query, table))
            os.replace(part, path)
            return rows
        except duckdb.Error as error:
            raise _explained(error, manifest) from error
        finally:
            part.unlink(missing_ok=True)


def _batches(connection: duckdb.DuckDBPyConnection, query: str, table: Table) -> Iterator[pa.RecordBatch]:
    for batch in answered(connection, query):
        yield table.conform(batch)


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
    return '"' + text.replace('"', '""') + '"' if not text or _CSV_QUOTED.search(text) else text


WRITERS: dict[str, Callable[[Path, Table, Iterator[Any]], int]] = {
    ".parquet": _write_parquet,
    ".jsonl": _write_jsonl,
    ".csv": _write_csv,
}


def _readable(table: Table) -> tuple[Table, str]:
    """The table and the query of its readable form: (id, url) instead of each page number, in key order."""
    if table is PAGES:
        return PAGES, _PAGES
    if not any(c.page for c in table.columns):
        chosen = ", ".join(f't."{c.name}"' for c in table.columns)
        return table, f'SELECT {chosen} FROM "{table.name}" AS t ORDER BY {_order(table)}'
    columns: list[Column] = []
    chosen_: list[str] = []
    joins = []
    for c in table.columns:
        columns.append(c)
        chosen_.append(f't."{c.name}"')
        if c.page:
            prefix = c.name.removesuffix("page")
            joins.append(f'JOIN capture AS "{c.name}_" ON t."{c.name}" = "{c.name}_".page')
            for field in ("id", "url"):
                columns.append(Column(prefix + field, "string", f"{field} of {c.meaning}", nullable=field == "url"))
                chosen_.append(f'"{c.name}_".{field} AS "{prefix}{field}"')
    shown = Table(table.name, table.version, table.key, table.sentence, tuple(columns))
    return shown, f'SELECT {", ".join(chosen_)} FROM "{table.name}" AS t {" ".join(joins)} ORDER BY {_order(table)}'


def _order(table: Table) -> str:
    return ", ".join(f'"{k}"' for k in table.key)


def _table_named(name: str, manifest: Manifest) -> Table:
    published = [*([PAGES.name] if CURRENT.name in manifest.tables else []), *sorted(manifest.tables)]
    if name not in published:
        if name in TABLES or name == PAGES.name:
            raise UsageError(f"table `{name}` is not made yet; `unquilt run STUDY METHOD` makes it")
        raise UsageError(unknown("table", name, published))
    return PAGES if name == PAGES.name else TABLES[name]


def _connected(store: Store, manifest: Manifest, query: str) -> duckdb.DuckDBPyConnection:
    """With the tables whose names occur in the query: opening the others takes time, and one may be damaged."""
    names = {n for n in {CAPTURE.name, "current", *manifest.tables} & set(TABLES) if n in query.lower()}
    views: dict[str, View] = {n: view_of(store, manifest, TABLES[n]) for n in sorted(names)}
    return connect(views, {})


def _explained(error: BaseException, manifest: Manifest) -> Exception:
    text = str(error).splitlines()[0]
    if "Catalog Error" in text or "Binder Error" in text or "Parser Error" in text:
        return UsageError(f"the query is not understood ({text}); the tables are: {', '.join(sorted(manifest.tables))}")
    return DamagedTable(f"the study's tables cannot be read ({text}); `unquilt info STUDY --verify` says which one is damaged")
