"""Which pages have the same words? Each page's folded text gets a fingerprint of 128 bits, once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from unquilt.corpus.capture import CAPTURE
from unquilt.corpus.text import utf8
from unquilt.step import Around, Map, MapReduce, Rows, Step
from unquilt.table import Column, Table

if TYPE_CHECKING:
    import pyarrow as pa

FINGERPRINT = Table(
    name="fingerprint",
    version=1,
    key=("page",),
    sentence="Each row is the fingerprint of the folded text of one capture.",
    columns=(
        Column("page", "int64", "number of the capture"),
        Column("words", "int64", "words of its text"),
        Column("first_half", "int64", "first 64 bits of the fingerprint of its words in order"),
        Column("second_half", "int64", "last 64 bits"),
    ),
)


def _fingerprints(batch: pa.RecordBatch, around: Around) -> Iterable[Rows]:
    import numpy as np

    from unquilt import kernel

    words, starts = kernel.words(*utf8(batch.column("text")))
    halves = kernel.fingerprints(words, starts).view(np.int64)
    yield Rows(
        "fingerprint",
        FINGERPRINT.batch(page=batch.column("page"), words=np.diff(starts), first_half=halves[0::2], second_half=halves[1::2]),
    )


def steps() -> list[Step]:
    from unquilt.text import WORDS_VERSION

    return [
        MapReduce(
            tables=(FINGERPRINT,),
            input=CAPTURE,
            columns=("page", "text"),
            map=Map("fingerprints", 1, _fingerprints, spill=1.4),
            params={"words_version": WORDS_VERSION},
        )
    ]
