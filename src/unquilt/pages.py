"""What is the corpus, in columns that other tools know? The captures that count, read along `capture` and `current` at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from unquilt.arrays import to_numpy
from unquilt.corpus.capture import CAPTURE
from unquilt.corpus.current import CURRENT
from unquilt.reading import Published, batches, mask
from unquilt.table import Column, Table

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

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
        Column("language", "string", "language, as declared, else as found by looking at the text", nullable=True),
        Column("snapshot", "string", "name of the crawl", nullable=True),
        Column("warc_filename", "string", "file it was read from (of whatever kind)"),
        Column("warc_record_offset", "int64", "where its record begins there"),
        Column("warc_record_length", "int64", "length of its record"),
    ),
)

FROM: dict[str, tuple[str, ...]] = {
    "date": ("published_at",),
    "fetched": ("fetched_at",),
    "language": ("language", "detected_language"),
    "warc_filename": ("file",),
    "warc_record_offset": ("offset",),
    "warc_record_length": ("length",),
}
"""Columns of `capture` that a column of `pages` is made of, where it is not the one of that name."""


def pages(published: Published, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
    """The rows of `pages`, as many at a time as `capture` has in a row group; `columns` in the order of the table."""
    names = [n for n in PAGES.names if columns is None or n in columns]
    needed = ["page", *(c for n in names for c in FROM.get(n, (n,)))]
    current = (to_numpy(b.column("page")) for b in batches(published.view(CURRENT), ["page"]))
    for batch in _current(batches(published.view(CAPTURE), needed), current):
        yield _as_pages(batch, names)


def _current(captures: Iterable[pa.RecordBatch], current: Iterator[NDArray[Any]]) -> Iterator[pa.RecordBatch]:
    """Of batches of captures, those that are current: both come in the order of their numbers."""
    import numpy as np

    ahead = np.zeros(0, np.int64)
    for batch in captures:
        numbers = to_numpy(batch.column("page"))
        while not len(ahead) or ahead[-1] < numbers[-1]:
            more = next(current, None)
            if more is None:
                break
            ahead = np.concatenate([ahead, more])
        here = ahead.searchsorted(numbers[-1], "right")
        yield batch.filter(mask(np.isin(numbers, ahead[:here])))
        ahead = ahead[here:]


def _as_pages(batch: pa.RecordBatch, names: Sequence[str]) -> pa.RecordBatch:
    import pyarrow as pa

    arrays = [_column(batch, n) for n in names]
    return pa.RecordBatch.from_arrays(arrays, schema=pa.schema([PAGES.schema.field(n) for n in names]))


def _column(batch: pa.RecordBatch, name: str) -> pa.Array:
    import pyarrow.compute as pc

    sources = [batch.column(c) for c in FROM.get(name, (name,))]
    if name in ("date", "fetched"):
        return _iso(sources[0])
    return pc.coalesce(*sources) if len(sources) > 1 else sources[0]


def _iso(microseconds: pa.Array) -> pa.Array:
    """ISO 8601 in whole seconds, UTC."""
    import pyarrow as pa
    import pyarrow.compute as pc

    moments = pc.floor_temporal(microseconds.cast(pa.timestamp("us")), unit="second").cast(pa.timestamp("s"))
    return pc.strftime(moments, format="%Y-%m-%dT%H:%M:%SZ")
