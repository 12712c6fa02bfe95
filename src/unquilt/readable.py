"""How is a table said to people? With the id and URL of a page beside its number, in the order of the key or of interest.

Few rows get their names by looking up the captures they speak of; all rows of a table that is sorted by page, by reading
along `capture`; only tables that speak of several pages a row are joined by DuckDB.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from unquilt.arrays import to_arrow, to_numpy
from unquilt.asking import Stream, answers
from unquilt.catalogue import TABLES
from unquilt.corpus.capture import CAPTURE
from unquilt.corpus.current import CURRENT
from unquilt.engine.sql import VERIFY
from unquilt.errors import DamagedTable, UsageError
from unquilt.nearest import unknown
from unquilt.pages import PAGES, pages
from unquilt.reading import Published, batches, mask, picked
from unquilt.table import Column, Table

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

NAMES = ("id", "url")
FEW = 1000
"""Rows whose captures are looked up one by one."""


@dataclass(frozen=True)
class Shown:
    """A column as it is shown: the table's own, or `field` of the capture whose number is in the column `of`."""

    column: Column
    field: str
    of: str | None = None


def table_named(published: Published, name: str) -> Table:
    held = published.manifest.tables
    there = [*([PAGES.name] if CURRENT.name in held else []), *sorted(held)]
    if name not in there:
        if name in TABLES or name == PAGES.name:
            raise UsageError(f"table `{name}` is not made yet; `unquilt run STUDY METHOD` makes it")
        raise UsageError(unknown("table", name, there))
    if name not in TABLES and name != PAGES.name:
        raise UsageError(f"table `{name}` is not one of this version; install the one that made it")
    return PAGES if name == PAGES.name else TABLES[name]


def readable(table: Table) -> Table:
    """The table as it is shown."""
    return Table(table.name, table.version, table.key, table.sentence, tuple(s.column for s in _shown(table)))


def rows(published: Published, table: Table, limit: int | None = None) -> Iterator[pa.RecordBatch]:
    """The table as it is shown, in the order of its key."""
    spoken_of = _spoken_of(table)
    if not spoken_of:
        return _limited(_own(published, table), limit)
    if limit is not None and limit <= FEW:
        return _looked_up(published, table, _limited(_own(published, table), limit))
    if spoken_of == list(table.key[:1]):
        return _limited(_read_along(published, table), limit)
    return _joined(published, table, _order(table), limit)


def first(published: Published, table: Table, limit: int | None = None) -> Iterator[pa.RecordBatch]:
    """The table as it is shown, the most interesting rows first, as the table itself says what is interesting."""
    if not table.order:
        return rows(published, table, limit)
    if _spoken_of(table) and (limit is None or limit > FEW):
        return _joined(published, table, _order(table, interest=True), limit)
    query = f"SELECT {_quoted(table.names)} FROM own ORDER BY {_order(table, interest=True)}{_up_to(limit)}"
    found = map(table.conform, answers(published, query, {"own": _stream(published, table, table.names)}))
    return _looked_up(published, table, found) if _spoken_of(table) else found


def counts(published: Published, table: Table, by: str, limit: int | None = None) -> pa.Table:
    """How many rows have each value of a column, the most frequent first."""
    import pyarrow as pa

    shown = {s.column.name: s for s in _shown(table)}
    if by not in shown:
        raise UsageError(unknown(f"column of {table.name}", by, list(shown)))
    count = "rows" if by != "rows" else "count"
    streams, column, source = _for_one(published, table, shown[by])
    query = f'SELECT {column}, count(*) AS "{count}" FROM {source} GROUP BY 1 ORDER BY 2 DESC, 1 NULLS LAST{_up_to(limit)}'
    schema = pa.schema([readable(table).schema.field(by).remove_metadata(), pa.field(count, pa.int64())])
    found = [pa.RecordBatch.from_arrays(b.columns, names=schema.names) for b in answers(published, query, streams)]
    return pa.Table.from_batches(found).cast(schema) if found else schema.empty_table()


def _for_one(published: Published, table: Table, chosen: Shown) -> tuple[dict[str, Stream], str, str]:
    """What the counts of one column are asked of: streams, the column, and where it is."""
    if chosen.of is None:
        return {"own": _stream(published, table, [chosen.field])}, f'"{chosen.field}"', "own"
    streams = {"own": _stream(published, table, [chosen.of]), "named": _stream(published, CAPTURE, ["page", chosen.field])}
    return streams, f'named."{chosen.field}"', f'own JOIN named ON own."{chosen.of}" = named.page'


def _shown(table: Table) -> list[Shown]:
    return [shown for c in table.columns for shown in (Shown(c, c.name), *_names(c))]


def _names(c: Column) -> Iterator[Shown]:
    """What stands beside the number of a capture."""
    for name in NAMES if c.page else ():
        column = Column(c.name.removesuffix("page") + name, "string", f"{name} of {c.meaning}", nullable=name == "url")
        yield Shown(column, name, c.name)


def _spoken_of(table: Table) -> list[str]:
    """Columns that hold numbers of captures."""
    return [c.name for c in table.columns if c.page]


def _own(published: Published, table: Table, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
    return pages(published, columns) if table is PAGES else batches(published.view(table), columns)


def _stream(published: Published, table: Table, columns: Sequence[str]) -> Stream:
    import pyarrow as pa

    names = [n for n in table.names if n in columns]
    return Stream(pa.schema([table.schema.field(n) for n in names]), partial(_own, published, table, names))


def _limited(found: Iterable[pa.RecordBatch], limit: int | None) -> Iterator[pa.RecordBatch]:
    for batch in found:
        if limit is None:
            yield batch
        elif limit > 0:
            yield batch.slice(0, limit)
            limit -= batch.num_rows
        if limit is not None and limit <= 0:
            return


def _looked_up(published: Published, table: Table, found: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in found:
        if not batch.num_rows:
            continue
        numbers = _numbers(batch, _spoken_of(table))
        yield _named(table, batch, [*picked(published, CAPTURE, numbers, ["page", *NAMES])])


def _read_along(published: Published, table: Table) -> Iterator[pa.RecordBatch]:
    """Of a table that is sorted by page. A page may go on in the next batch, and so the captures that it is among are kept."""
    captures = batches(published.view(CAPTURE), ["page", *NAMES])
    ahead = next(captures, None)
    for batch in _own(published, table):
        numbers = _numbers(batch, _spoken_of(table))
        names = []
        while ahead is not None:
            names.append(_only(ahead, numbers))
            if to_numpy(ahead.column("page"))[-1] >= numbers[-1]:
                break
            ahead = next(captures, None)
        yield _named(table, batch, names)


def _numbers(batch: pa.RecordBatch, columns: Sequence[str]) -> NDArray[Any]:
    """Of all captures that the batch speaks of, each once, sorted."""
    import numpy as np

    return np.unique(np.concatenate([to_numpy(batch.column(c)) for c in columns]))


def _only(captures: pa.RecordBatch, numbers: NDArray[Any]) -> pa.RecordBatch:
    import numpy as np

    return captures.filter(mask(np.isin(to_numpy(captures.column("page")), numbers)))


def _named(table: Table, batch: pa.RecordBatch, captures: Sequence[pa.RecordBatch]) -> pa.RecordBatch:
    """The batch as it is shown; `captures`: numbers and names of those that it speaks of, sorted."""
    import pyarrow as pa

    schema = readable(table).schema
    found = pa.Table.from_batches(captures).combine_chunks() if captures else None
    arrays = []
    for shown in _shown(table):
        if shown.of is None:
            arrays.append(batch.column(shown.field))
        else:
            arrays.append(_taken(table, found, shown.field, to_numpy(batch.column(shown.of))))
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _taken(table: Table, captures: pa.Table | None, field: str, numbers: NDArray[Any]) -> pa.Array:
    import numpy as np
    import pyarrow as pa

    known = to_numpy(captures["page"].combine_chunks()) if captures is not None else np.zeros(0, np.int64)
    places = known.searchsorted(numbers)
    if captures is None or not len(known) or (known[np.minimum(places, len(known) - 1)] != numbers).any():
        raise _lost(table)
    return captures[field].combine_chunks().take(to_arrow(places, pa.int64()))


def _joined(published: Published, table: Table, order: str, limit: int | None) -> Iterator[pa.RecordBatch]:
    """By DuckDB, which spills what does not fit."""
    streams = {"own": _stream(published, table, table.names)}
    joins = ""
    for column in _spoken_of(table):
        streams[f"{column} of"] = _stream(published, CAPTURE, ["page", *NAMES])
        joins += f' JOIN "{column} of" ON own."{column}" = "{column} of".page'
    chosen = ", ".join(f'"{s.of} of"."{s.field}" AS "{s.column.name}"' if s.of else f'own."{s.field}"' for s in _shown(table))
    own = "own" if limit is None else f"(SELECT * FROM own ORDER BY {order}{_up_to(limit)}) AS own"
    query = f"SELECT * FROM (SELECT {chosen} FROM {own}{joins}) ORDER BY {order}"
    found, shown = 0, readable(table)
    for batch in answers(published, query, streams):
        found += batch.num_rows
        yield shown.conform(batch)
    there = published.view(table).rows
    if found != (there if limit is None else min(limit, there)):
        raise _lost(table)


def _lost(table: Table) -> DamagedTable:
    return DamagedTable(f"table {table.name} speaks of captures that are not there; {VERIFY}")


def _order(table: Table, *, interest: bool = False) -> str:
    return ", ".join([*(table.order if interest else ()), *(f'"{k}"' for k in table.key)])


def _up_to(limit: int | None) -> str:
    return "" if limit is None else f" LIMIT {int(limit)}"


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f'"{n}"' for n in names)
