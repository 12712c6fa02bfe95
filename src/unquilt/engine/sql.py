"""How does a Query run here? On a DuckDB of its own that may touch nothing but the files it is given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from unquilt.engine import View
from unquilt.engine.budget import Budget
from unquilt.errors import DamagedTable, MemoryTooSmall, NoRoom, StepFailed
from unquilt.step import Query

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

LEAST = 48 << 20
BATCH_ROWS = 1 << 13
CONFIG = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "preserve_insertion_order": "true",
}


@contextmanager
def opened(views: Mapping[str, View], room: int, budget: Budget, tmp: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    if room < LEAST:
        raise MemoryTooSmall(
            f"--memory {budget.total / 1e6:.0f}MB is too small for a query; give at least {(budget.total - room + LEAST) / 1e6:.0f}MB"
        )
    # DuckDB's own account leaves out what its allocator and results hold: a fifth was seen, a quarter is kept.
    limit = {"memory_limit": f"{int(room * 0.75)}B", "threads": str(budget.threads), "temp_directory": str(tmp / "duckdb")}
    connection = connect(views, limit)
    try:
        yield connection
    finally:
        connection.close()


def connect(views: Mapping[str, View], settings: Mapping[str, str]) -> duckdb.DuckDBPyConnection:
    """A DuckDB with one view a table."""
    import duckdb

    connection = duckdb.connect(config={**CONFIG, **settings})
    for name, view in views.items():
        files = [str(f) for f in view.files]
        if files:
            listed = ", ".join("'" + f.replace("'", "''") + "'" for f in files)
            connection.execute(f'CREATE VIEW "{name}" AS SELECT * FROM read_parquet([{listed}], union_by_name = false)')
        else:
            connection.register(name, view.table.empty())
    return connection


def batches(connection: duckdb.DuckDBPyConnection, step: Query) -> Iterator[pa.RecordBatch]:
    import duckdb
    import pyarrow as pa

    try:
        yield from answered(connection, step.sql, step.params)
    except duckdb.OutOfMemoryException as error:
        raise MemoryTooSmall(f"--memory is too small for step {step.name} ({_first(error)}); give it more") from error
    except (duckdb.Error, pa.ArrowException) as error:
        raise _wrapped(error, step) from error


def answered(
    connection: duckdb.DuckDBPyConnection, query: str, params: Mapping[str, object] | None = None
) -> Iterator[pa.RecordBatch]:
    """The answer to one statement, as batches."""
    relation = connection.sql(query, params=dict(params) if params else None)
    if relation is not None:  # a statement that answers nothing
        yield from relation.to_arrow_reader(BATCH_ROWS)


def _wrapped(error: BaseException, step: Query) -> Exception:
    text = _first(error)
    if "No space left" in text or "max_temp_directory_size" in text:
        return NoRoom(f"no room left for step {step.name}; free some, or name another folder with --tmp")
    if any(sign in text for sign in ("Parquet", "parquet", "magic bytes", "Snappy", "ZSTD")):
        names = ", ".join(t.name for t in step.inputs)
        return DamagedTable(f"step {step.name} cannot read its tables ({names}): {text}; `unquilt info STUDY --verify` says which")
    return StepFailed(f"step {step.name} (makes {step.table.name}) failed: {text}; nothing was published; please report this")


def _first(error: BaseException) -> str:
    return str(error).splitlines()[0][:300] if str(error) else type(error).__name__
