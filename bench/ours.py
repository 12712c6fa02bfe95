"""What unquilt does in the benchmarks: the kernels and the engine as the methods call them."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

import unquilt
from unquilt import kernel, running
from unquilt.corpus import current
from unquilt.corpus.capture import CAPTURE
from unquilt.corpus.current import CURRENT
from unquilt.corpus.grams import PAGE_SIZE, gram_map, sorted_grams
from unquilt.corpus.text import utf8
from unquilt.overlaps.tally import GRAM_FREQUENCY
from unquilt.step import Around, Block, MapReduce, Part, Reduce, Rows
from unquilt.store import Store

BATCH = 1_000  # documents a call: what the engine gives a kernel at a time is 8 MB of text at most
WINDOW = 256  # documents whose grams are made at a time within `gram_blocks`: their words are still in the cache

Arrays = tuple[NDArray[np.uint64], NDArray[np.int64]]


def batches(text: pa.Array, size: int = BATCH) -> list[Arrays]:
    """The bytes and offsets of the texts, `size` pages at a time."""
    return [utf8(text.slice(i, size)) for i in range(0, len(text), size)]


def words(pieces: list[Arrays]) -> list[Arrays]:
    return [kernel.words(*piece) for piece in pieces]


def joined(pieces: list[Arrays]) -> Arrays:
    """The words of all pages in one array, and where those of each page begin."""
    counts = np.concatenate([starts[1:] - starts[:-1] for _, starts in pieces])
    return np.concatenate([found for found, _ in pieces]), np.concatenate([[0], np.cumsum(counts)])


def words_of_lists(lists: pa.Array | pa.ChunkedArray) -> Arrays:
    """Lists of words of others as our hashes of them: what is no word of ours, or two, shows in the counts."""
    if isinstance(lists, pa.ChunkedArray):
        lists = lists.combine_chunks()
    return joined(words(batches(pc.binary_join(lists.cast(pa.list_(pa.string())), " "))))


def frequencies(rows: NDArray[np.uint64], part: int, bits: int, m: int) -> dict[int, int]:
    found, _ = kernel.leaf_sort(rows, part, bits)
    return histogram(kernel.frequencies(found, m))


def histogram(counts: NDArray[np.int64]) -> dict[int, int]:
    return {int(d): int(counts[d]) for d in np.flatnonzero(counts)}


# The whole pass: document frequencies of the k-grams of a study's texts, as one MapReduce step.


def _count(part: Part, around: Around) -> Iterable[Block]:
    found, _ = sorted_grams(part)
    yield Block(0, kernel.frequencies(found, around.params["m"]))


def _add_up(part: Part, around: Around) -> Iterable[Rows]:
    counts = sum((b.view(np.int64) for b in part.blocks), np.zeros(around.params["m"] + 2, np.int64))
    if part.number == 0:
        at = np.flatnonzero(counts)
        yield Rows("gram_frequency", GRAM_FREQUENCY.batch(pages=at, grams=counts[at]))


def whole_step(k: int, m: int) -> MapReduce:
    return MapReduce(
        tables=(PAGE_SIZE, GRAM_FREQUENCY),
        input=CAPTURE,
        columns=("page", "text"),
        map=gram_map(),
        reduces=(Reduce("count within a part", 1, _count, memory=6.0), Reduce("add up", 1, _add_up)),
        beside=((CURRENT, ("page",)),),
        params={"k": k, "m": m},
    )


def prepared(parquet: Path, folder: Path) -> unquilt.Study:
    """A study of the corpus, read and with its list of current pages made: where the whole pass begins."""
    study = unquilt.open(folder, memory="1GB")
    if not study.manifest.inputs:
        # Documents are pieces of pages: their URLs differ in the fragment alone and would count as one page.
        study.add(parquet, fields=unquilt.Fields(url="none"))
        store = Store(folder)
        with store.writer():
            running.run(store, study.engine, current.steps(), study.watch)
    return study


def whole(study: unquilt.Study, k: int = 5, m: int = 50) -> dict[int, int]:
    """The step run by the engine, its tables written and thrown away."""
    store, step = Store(study.folder), whole_step(k, m)
    views = {t.name: running.view_of(store, study.manifest, t) for t in step.reads}
    folder = Path(tempfile.mkdtemp(prefix="whole-", dir=study.folder))
    try:
        study.engine.run(step, views, folder, study.watch)
        rows = pa.parquet.read_table(folder / "gram_frequency")
        return dict(zip(rows["pages"].to_pylist(), rows["grams"].to_pylist(), strict=True))
    finally:
        shutil.rmtree(folder)
