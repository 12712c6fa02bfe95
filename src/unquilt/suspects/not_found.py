"""Which pages say that they are none? Those with a phrase for it in their title, or in a sentence of a text of some lines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from unquilt.arrays import to_arrow, to_numpy
from unquilt.corpus.capture import CAPTURE
from unquilt.corpus.text import utf8
from unquilt.step import Around, Map, MapReduce, Rows, Step
from unquilt.table import Column, Table
from unquilt.text.not_found import told

if TYPE_CHECKING:
    import pyarrow as pa

LONGEST = 6_000
"""Bytes of text. Longer pages may say anything somewhere."""

NOT_FOUND = Table(
    name="not_found",
    version=1,
    key=("page",),
    sentence="Each row is one capture of at most 6,000 bytes of text that says that there is no such page.",
    columns=(
        Column("page", "int64", "the capture", page=True),
        Column("place", "string", "where it says so: `title` or `text`"),
        Column("phrase", "string", "the part of the title, or the sentence, that does"),
    ),
)


def _not_found(batch: pa.RecordBatch, around: Around) -> Iterable[Rows]:
    import numpy as np

    _, offsets = utf8(batch.column("text"))
    short = np.flatnonzero(np.diff(offsets) <= LONGEST)
    some = batch.take(to_arrow(short, _int64()))
    found = told(some.column("title").to_pylist(), some.column("text").to_pylist())
    at = [place for place, one in enumerate(found) if one is not None]
    said = [one for one in found if one is not None]
    pages = to_numpy(some.column("page"))[at]
    yield Rows(NOT_FOUND.name, NOT_FOUND.batch(page=pages, place=[t.place for t in said], phrase=[t.phrase for t in said]))


def _int64() -> pa.DataType:
    import pyarrow as pa

    return pa.int64()


def step() -> Step:
    from unquilt.text.not_found import VERSION

    return MapReduce(
        tables=(NOT_FOUND,),
        input=CAPTURE,
        columns=("page", "title", "text"),
        map=Map("not found", VERSION, _not_found, spill=2.0),
    )
