"""How does a Query run here? On a DuckDB of its own that may touch nothing but the files it is given."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from unquilt.engine import View
from unquilt.engine.budget import MARGIN, Budget
from unquilt.errors import DamagedTable, MemoryTooSmall, NoRoom, StepFailed
from unquilt.parquet import batches_of
from unquilt.step import Query
from unquilt.store import utf8_name

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

T = TypeVar("T")

VERIFY = "`unquilt info STUDY --verify` says which file is damaged, and what to do"
DAMAGE = ("Parquet", "parquet", "magic bytes", "Snappy", "ZSTD", "No files found", "Cannot open file")
LEAST = 48 << 20


@dataclass(frozen=True)
class Try:
    """How much of the room DuckDB gets, and how many threads."""

    share: float
    threads: int | None


# What DuckDB does not get it spills, mostly: some operators hold a minimum for each thread, so a query that
# finds too little is tried again with more and on one thread. Its own account leaves out what its allocator
# and its results hold, hence never the whole room.
TRIES = (Try(0.3, None), Try(0.75, 1))
BATCH_ROWS = 1 << 13
CONFIG = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "preserve_insertion_order": "true",
}


@contextmanager
def opened(views: Mapping[str, View], budget: Budget, how: Try, tmp: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    room = budget.room()
    if room < LEAST:
        least = (budget.total - room + LEAST) * MARGIN
        raise MemoryTooSmall(f"--memory {budget.total / 1e6:.0f}MB is too small for a query; give at least {least / 1e6:.0f}MB")
    connection = connect(views, settings(max(LEAST, int(room * how.share)), how.threads or budget.threads, tmp))
    try:
        yield connection
    finally:
        connection.close()


def settings(limit: int, threads: int, tmp: Path) -> dict[str, str]:
    return {"memory_limit": f"{limit}B", "threads": str(threads), "temp_directory": utf8_name(tmp / "duckdb")}


def connect(views: Mapping[str, View], settings: Mapping[str, str]) -> duckdb.DuckDBPyConnection:
    """A DuckDB with one view a table."""
    import duckdb

    connection = duckdb.connect(config={**CONFIG, **settings})
    for name, view in views.items():
        try:
            _show(connection, name, view)
        except duckdb.Error as error:
            connection.close()
            raise DamagedTable(f"table {name} cannot be read ({_first(error)}); {VERIFY}") from error
    return connection


def _show(connection: duckdb.DuckDBPyConnection, name: str, view: View) -> None:
    files = [utf8_name(f) for f in view.files]
    if files:
        listed = ", ".join("'" + f.replace("'", "''") + "'" for f in files)
        # Without hive_partitioning = false a folder that is called `page=7` becomes a column.
        options = "union_by_name = false, hive_partitioning = false"
        columns = ", ".join(f'"{c}"' for c in view.table.names)
        connection.execute(f'CREATE VIEW "{name}" AS SELECT {columns} FROM read_parquet([{listed}], {options})')
    else:
        connection.register(name, view.table.empty())


def check(views: Mapping[str, View], step: Query) -> None:
    """DuckDB does not look at the checksums of pages, so the columns a statement names are read once before it."""
    said = set(re.findall(r"\w+", step.sql))
    for view in views.values():
        columns = [c for c in view.table.names if c in said]
        for path in view.files:
            for _ in batches_of(path, view.table.name, columns):
                pass


def batches(connection: duckdb.DuckDBPyConnection, step: Query) -> Iterator[pa.RecordBatch]:
    import duckdb
    import pyarrow as pa

    try:
        yield from answered(connection, step.sql, step.params)
    except duckdb.OutOfMemoryException as error:
        if "max_temp_directory_size" in str(error):  # it is the disk that had no room to spill to
            raise _no_room(step) from error
        raise MemoryTooSmall(f"--memory is too small for step {step.name} ({_first(error)}); give half as much again") from error
    except (duckdb.Error, pa.ArrowException) as error:
        raise _wrapped(error, step) from error


def answered(
    connection: duckdb.DuckDBPyConnection, query: str, params: Mapping[str, object] | None = None, *, batch_rows: int = BATCH_ROWS
) -> Iterator[pa.RecordBatch]:
    """The answer to one statement, as batches."""
    bound = dict(params) if params else None
    relation = interruptible(connection, lambda: connection.sql(query, params=bound))
    if relation is None:  # a statement that answers nothing
        return
    reader = interruptible(connection, lambda: relation.to_arrow_reader(batch_rows))
    while (batch := interruptible(connection, lambda: next(reader, None))) is not None:
        yield batch


def interruptible(connection: duckdb.DuckDBPyConnection, call: Callable[[], T]) -> T:
    """What DuckDB answers. It does not look for Ctrl-C, so it works on a thread of its own and is told."""
    with ThreadPoolExecutor(1, "unquilt-sql") as worker:
        task = worker.submit(call)
        try:
            return task.result()
        finally:
            while not task.done():
                connection.interrupt()
                wait([task], 0.05)


def _wrapped(error: BaseException, step: Query) -> Exception:
    text = _first(error)
    if "No space left" in text:
        return _no_room(step)
    if any(sign in text for sign in DAMAGE):
        names = ", ".join(t.name for t in step.inputs)
        return DamagedTable(f"step {step.name} cannot read its tables ({names}): {text}; {VERIFY}")
    return StepFailed(f"step {step.name} (makes {step.table.name}) failed: {text}; nothing was published; please report this")


def _no_room(step: Query) -> NoRoom:
    return NoRoom(f"no room left for step {step.name}; free some, or name another folder with --tmp")


def _first(error: BaseException) -> str:
    return str(error).splitlines()[0][:300] if str(error) else type(error).__name__
