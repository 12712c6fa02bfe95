"""From grams on parts to counts: how many grams are on how many pages, and how often two hosts share one.

The first reduce sees every page of a gram; it counts within its part. What is counted travels on as rows of
four numbers (kind, a, b, count), and the second reduce adds them up.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from unquilt.corpus.grams import cut, sorted_grams
from unquilt.step import Around, Block, Part, Reduce, Rows
from unquilt.table import Column, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

GRAM_FREQUENCY = Table(
    name="gram_frequency",
    version=1,
    key=("pages",),
    sentence="Each row says how many distinct k-grams are on exactly so many pages (the last: on more than m).",
    columns=(
        Column("pages", "int64", "document frequency, 1 to m; m + 1 stands for more than m"),
        Column("grams", "int64", "distinct k-grams"),
    ),
)

SERVER_OVERLAP = Table(
    name="server_overlap",
    version=1,
    key=("server",),
    sentence="Each row counts the repeated k-grams of the pages of one host.",
    columns=(
        Column("server", "int64", "number of the host"),
        Column("repeated", "int64", "k-grams of its pages that are on 2 to m pages"),
        Column("foreign", "int64", "of these, those that another host has too"),
    ),
    order=("repeated DESC",),
)

SERVER_PAIR = Table(
    name="server_pair",
    version=1,
    key=("server_a", "server_b"),
    sentence="Each row counts the k-grams, of those on 2 to m pages, that two hosts share.",
    columns=(
        Column("server_a", "int64", "number of one host"),
        Column("server_b", "int64", "number of the other, larger"),
        Column("grams", "int64", "distinct k-grams that both have"),
    ),
    order=("grams DESC",),
)

FREQUENCY, REPEATED, FOREIGN, PAIR = range(4)


def reduces() -> tuple[Reduce, ...]:
    return (
        Reduce("count within a part", 1, _count, memory=6.0, spill=0.25),
        Reduce("add up", 1, _add_up, memory=6.0),
    )


def _count(part: Part, around: Around) -> Iterable[Block]:
    import numpy as np

    from unquilt import kernel

    m = around.params["m"]
    grams, pages = sorted_grams(part)
    frequency = kernel.frequencies(grams, m)
    hashes, weights, starts, members = kernel.posting_lists(grams, pages, m)
    del grams, pages, hashes
    groups = len(around.beside["host"]["server"])
    repeated, foreign, a, b, shared = kernel.overlap(weights, starts, members, _server_of(around), groups)
    servers = np.arange(groups)
    tallies = (
        (_tally(FREQUENCY, np.arange(m + 2), 0, frequency), m + 2),
        (_tally(REPEATED, servers, 0, repeated), groups),
        (_tally(FOREIGN, servers, 0, foreign), groups),
        (_tally(PAIR, a, b, shared), groups * (groups - 1) // 2),
    )
    for tally, span in tallies:
        for number, rows in cut(_rank(tally, groups), span, around.bits):
            yield Block(number, tally[rows].reshape(-1))


def _tally(kind: int, a: NDArray[Any], b: NDArray[Any] | int, count: NDArray[Any]) -> NDArray[Any]:
    import numpy as np

    rows = np.zeros((len(count), 4), np.int64)
    rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 3] = kind, a, b, count
    return rows[count > 0]


def _rank(tally: NDArray[Any], groups: int) -> NDArray[Any]:
    """Place of each row's key among all keys of its kind; pairs a < b are counted row by row of the triangle."""
    a: NDArray[Any] = tally[:, 1]
    b: NDArray[Any] = tally[:, 2]
    if not len(tally) or tally[0, 0] != PAIR:
        return a
    rank: NDArray[Any] = a * (2 * groups - a - 1) // 2 + b - a - 1
    return rank


def _server_of(around: Around) -> NDArray[Any]:
    """Host number of every page, -1 where a page has none or is not of the corpus."""
    import numpy as np

    pages, servers = around.beside["current"]["page"], around.beside["current"]["server"]
    of = np.full(int(pages[-1]) + 1 if len(pages) else 0, -1, np.int32)
    of[pages] = servers
    return of


def _add_up(part: Part, around: Around) -> Iterable[Rows]:
    import numpy as np

    rows = np.concatenate([b.view(np.int64) for b in part.blocks]) if part.blocks else np.zeros(0, np.int64)
    keys, counts = _sums(rows.reshape(-1, 4))
    kind = keys[:, 0]
    at = kind == FREQUENCY
    yield Rows("gram_frequency", GRAM_FREQUENCY.batch(pages=keys[at, 1], grams=counts[at]))
    at = kind == PAIR
    yield Rows("server_pair", SERVER_PAIR.batch(server_a=keys[at, 1], server_b=keys[at, 2], grams=counts[at]))
    at = kind == REPEATED
    foreign = dict(zip(keys[kind == FOREIGN, 1].tolist(), counts[kind == FOREIGN].tolist(), strict=True))
    servers = keys[at, 1]
    yield Rows(
        "server_overlap",
        SERVER_OVERLAP.batch(server=servers, repeated=counts[at], foreign=[foreign.get(s, 0) for s in servers.tolist()]),
    )


def _sums(rows: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Rows (kind, a, b, count) with equal (kind, a, b) added up, sorted by them."""
    import numpy as np

    order = np.lexsort((rows[:, 2], rows[:, 1], rows[:, 0]))
    rows = rows[order]
    first = np.ones(len(rows), bool)
    first[1:] = (rows[1:, :3] != rows[:-1, :3]).any(axis=1)
    starts = np.flatnonzero(first)
    return rows[starts, :3], np.add.reduceat(rows[:, 3], starts) if len(starts) else np.zeros(0, np.int64)
