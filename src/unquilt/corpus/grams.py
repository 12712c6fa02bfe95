"""From texts to grams on parts: the map that every method on k-grams begins with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from unquilt.arrays import to_numpy
from unquilt.corpus.text import utf8
from unquilt.step import Around, Block, Map, Part, Rows
from unquilt.table import Column, Table

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

PAGE_SIZE = Table(
    name="page_size",
    version=1,
    key=("page",),
    sentence="Each row says how long one page of the corpus is.",
    columns=(
        Column("page", "int64", "the page", page=True),
        Column("words", "int64", "words of its text"),
        Column("grams", "int64", "distinct k-grams of its text"),
    ),
    order=("words DESC",),
)

# A word and its space are about 6 bytes of text and become one row of 8; words of one letter cost more.
SPILL = 1.5


def _gram_blocks(batch: pa.RecordBatch, around: Around) -> Iterable[Block | Rows]:
    """Distinct k-grams of every page of the corpus in the batch, cut into parts; and the pages' sizes."""

    from unquilt import kernel

    if not batch.num_rows:
        return
    pages = to_numpy(batch.column("page"))
    keep = _among(pages, around.beside["current"]["page"])
    text, offsets = utf8(batch.column("text"))
    k, first = around.params["k"], int(pages[0])
    rows, parts, words, grams = kernel.gram_blocks(text, offsets, first, keep, k, around.bits)
    yield Rows("page_size", PAGE_SIZE.batch(page=pages[keep], words=words[keep], grams=grams[keep]))
    for part in range(1 << around.bits):
        yield Block(part, rows[parts[part] : parts[part + 1]])


def _among(pages: NDArray[Any], current: NDArray[Any]) -> NDArray[Any]:
    """Which of a batch's pages, which are consecutive numbers, are in the sorted array `current`."""
    import numpy as np

    keep = np.zeros(len(pages), bool)
    low, high = np.searchsorted(current, [pages[0], pages[-1] + 1])
    keep[current[low:high] - pages[0]] = True
    return keep


def gram_map() -> Map:
    return Map("gram_blocks", 1, _gram_blocks, spill=SPILL)


def sorted_grams(part: Part) -> tuple[NDArray[Any], NDArray[Any]]:
    """(grams, pages) of a part, sorted by gram, then page."""
    import numpy as np

    from unquilt import kernel

    blocks = [b.view(np.uint64) for b in part.blocks]
    part.blocks.clear()
    rows = np.concatenate(blocks) if blocks else np.zeros(0, np.uint64)
    blocks.clear()
    return kernel.leaf_sort(rows, part.number, part.bits)


def part_of(keys: NDArray[Any], span: int, bits: int) -> NDArray[Any]:
    """Parts as ranges of a key in [0, span), so that parts in order are keys in order."""
    return (keys << bits) // max(span, 1)


def cut(keys: NDArray[Any], span: int, bits: int) -> Iterator[tuple[int, NDArray[Any]]]:
    """(part, indices of the keys that belong to it), for parts that have any; order within a part is kept."""
    import numpy as np

    parts = part_of(keys, span, bits)
    order = np.argsort(parts, kind="stable")
    edges = np.flatnonzero(np.diff(parts[order])) + 1
    for piece in np.split(order, edges):
        if len(piece):
            yield int(parts[piece[0]]), piece
