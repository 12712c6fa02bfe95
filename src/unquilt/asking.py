"""How is a question in SQL answered? On a DuckDB of its own, within the memory and on the threads that were given.

Our own questions read streams of rows, which are checked as they come (`reading`), and each stream once. The questions
of users go to the files, for DuckDB plans better what it knows; whoever passes one on has the files compared before.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unquilt.catalogue import TABLES
from unquilt.corpus.capture import CAPTURE
from unquilt.corpus.current import CURRENT
from unquilt.engine import sql
from unquilt.errors import CannotGoOn, DamagedTable, MemoryTooSmall, NoRoom, UnquiltError, UsageError
from unquilt.reading import Published
from unquilt.store import writing

if TYPE_CHECKING:
    import pyarrow as pa

BATCH_ROWS = 1 << 11
SURE = 1 / 4
"""Share of --memory that a question always gets: in Python, what else the process holds is the user's own."""
LONGEST = 300


@dataclass(frozen=True)
class Stream:
    """Rows for one question, under a name that stands once in it."""

    schema: pa.Schema
    rows: Callable[[], Iterator[pa.RecordBatch]]


def answers(published: Published, query: str, streams: Mapping[str, Stream]) -> Iterator[pa.RecordBatch]:
    """The answer to a question of ours, as batches."""
    *earlier, last = sql.TRIES
    for how in earlier:
        tried = _tried(published, query, streams, how)
        try:
            first = next(tried, None)
        except MemoryTooSmall:
            continue
        if first is not None:
            yield first
            yield from tried
        return
    yield from _tried(published, query, streams, last)


def rows(published: Published, query: str, streams: Mapping[str, Stream]) -> list[dict[str, Any]]:
    """A short answer."""
    return [row for batch in answers(published, query, streams) for row in batch.to_pylist()]


def _tried(published: Published, query: str, streams: Mapping[str, Stream], how: sql.Try) -> Iterator[pa.RecordBatch]:
    import duckdb
    import pyarrow as pa

    broken: list[UnquiltError] = []
    with _settings(published, how) as settings, sql.connect({}, settings) as connection:
        for name, stream in streams.items():
            connection.register(name, pa.RecordBatchReader.from_batches(stream.schema, _kept(stream, broken)))
        try:
            yield from sql.answered(connection, query, batch_rows=BATCH_ROWS)
        except (duckdb.Error, pa.ArrowException) as error:
            raise broken[0] if broken else explained(error) from error


def _kept(stream: Stream, broken: list[UnquiltError]) -> Iterator[pa.RecordBatch]:
    """Of what goes wrong in reading DuckDB passes on the words alone."""
    try:
        yield from stream.rows()
    except UnquiltError as error:
        broken.append(error)
        raise


def named(published: Published, query: str) -> list[str]:
    """Published tables whose names occur in a question; opening the others takes time, and one may be damaged."""
    return sorted(_said(query) & TABLES.keys() & published.manifest.tables.keys())


def _said(query: str) -> set[str]:
    return set(re.findall(r"\w+", query.lower()))


def ask(published: Published, query: str) -> pa.Table:
    """The answer to a question of a user, whole."""
    *earlier, last = sql.TRIES
    for how in earlier:
        try:
            return _asked(published, query, how)
        except MemoryTooSmall:
            continue
    return _asked(published, query, last)


def _asked(published: Published, query: str, how: sql.Try) -> pa.Table:
    import duckdb

    names = {*named(published, query), *(_said(query) & {CAPTURE.name, CURRENT.name})}  # which are empty before there are any
    views = {name: published.view(TABLES[name]) for name in sorted(names)}
    with _settings(published, how) as settings, sql.connect(views, settings) as connection:
        try:
            relation = sql.interruptible(connection, lambda: connection.sql(query))
            if relation is None:
                raise UsageError("the query answers nothing; ask with SELECT")
            return sql.interruptible(connection, relation.to_arrow_table)
        except duckdb.Error as error:
            raise explained(error, sorted(published.manifest.tables)) from error


@contextmanager
def _settings(published: Published, how: sql.Try) -> Iterator[dict[str, str]]:
    """What DuckDB may take; it spills to a folder that goes with the question."""
    budget = published.budget
    limit = max(sql.LEAST, int(budget.room() * how.share), int(budget.total * SURE))
    with _room(published) as room:
        yield sql.settings(limit, how.threads or budget.threads, room)


@contextmanager
def _room(published: Published) -> Iterator[Path]:
    """In --tmp; else in the study, where the next writer sweeps what a killed reader leaves; else, where nobody may
    write there, where the system has such things."""
    room = Path(_made(published))
    try:
        yield room
    finally:
        shutil.rmtree(room, ignore_errors=True)


def _made(published: Published) -> str:
    if published.tmp is not None:
        with writing(published.tmp):
            published.tmp.mkdir(parents=True, exist_ok=True)
            return tempfile.mkdtemp(prefix="unquilt-", dir=published.tmp)
    try:
        published.store.work.mkdir(exist_ok=True)
        return tempfile.mkdtemp(prefix="ask-", dir=published.store.work)
    except OSError:
        return tempfile.mkdtemp(prefix="unquilt-")


def explained(error: BaseException, tables: list[str] | None = None) -> Exception:
    """`tables`: those there are, where the question is a user's and may be wrong."""
    import duckdb

    text = (str(error).splitlines() or [type(error).__name__])[0][:LONGEST]
    if "No space left" in text or "max_temp_directory_size" in str(error):
        return NoRoom("no room left for what this question spills; free some, or name another folder with --tmp")
    if isinstance(error, duckdb.OutOfMemoryException):
        return MemoryTooSmall(f"--memory is too small for this question ({text}); give half as much again")
    if tables is None:
        return CannotGoOn(f"the study's tables could not be asked ({text}); please report this")
    if isinstance(error, duckdb.IOException):
        return DamagedTable(f"the study's tables cannot be read ({text}); {sql.VERIFY}")
    return UsageError(f"the query cannot be answered ({text}); the tables are: {', '.join(tables)}")
