"""How much of the corpus stands on several pages, and which hosts share most with each other?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from unquilt.corpus import current
from unquilt.corpus.current import CURRENT, HOST
from unquilt.corpus.grams import PAGE_SIZE, gram_map
from unquilt.method import Method, param
from unquilt.overlaps.tally import GRAM_FREQUENCY, SERVER_OVERLAP, SERVER_PAIR, reduces
from unquilt.step import MapReduce, Query, Step
from unquilt.table import Column, Table

HOST_OVERLAP = Table(
    name="host_overlap",
    version=1,
    key=("host",),
    sentence="Each row says how much of one host's pages stands on other pages too.",
    columns=(
        Column("host", "string", "name of the host"),
        Column("pages", "int64", "its pages in the corpus"),
        Column("grams", "int64", "distinct k-grams of each of its pages, summed"),
        Column("repeated", "int64", "of these, those on 2 to m pages"),
        Column("foreign", "int64", "of these, those that another host has too"),
    ),
    order=("repeated / nullif(grams, 0) DESC NULLS LAST", "repeated DESC"),
)

HOST_PAIR = Table(
    name="host_pair",
    version=1,
    key=("host_a", "host_b"),
    sentence="Each row says how many k-grams, of those on 2 to m pages, two hosts share.",
    columns=(
        Column("host_a", "string", "one host, first by name"),
        Column("host_b", "string", "the other"),
        Column("grams", "int64", "distinct k-grams that both have"),
    ),
    order=("grams DESC",),
)

_HOST_OVERLAP = """
WITH size AS (
    SELECT server, count(*) AS pages, CAST(sum(grams) AS BIGINT) AS grams
    FROM page_size JOIN current USING (page) GROUP BY server
)
SELECT host, pages, grams, coalesce(repeated, 0) AS repeated, coalesce(foreign_, 0) AS "foreign"
FROM size JOIN host USING (server)
LEFT JOIN (SELECT server, repeated, "foreign" AS foreign_ FROM server_overlap) USING (server)
ORDER BY host
"""

_HOST_PAIR = """
SELECT a.host AS host_a, b.host AS host_b, grams
FROM server_pair
JOIN host AS a ON server_a = a.server
JOIN host AS b ON server_b = b.server
ORDER BY host_a, host_b
"""


@dataclass(frozen=True)
class Overlaps(Method):
    """Passages that stand on 2 to m pages: their share, and which hosts share most. A passage is k words in a row."""

    k: int = param(5, "words a gram", low=1, high=64)
    m: int = param(50, "a gram on more pages than this is common, not copied", low=2, high=1000, alias=("max-df",))

    name: ClassVar[str] = "overlaps"
    result: ClassVar[Table] = HOST_OVERLAP
    tables: ClassVar[tuple[Table, ...]] = (HOST_OVERLAP, HOST_PAIR, GRAM_FREQUENCY, PAGE_SIZE)

    def steps(self) -> Sequence[Step]:
        from unquilt.corpus.capture import CAPTURE
        from unquilt.text import WORDS_VERSION

        tally = MapReduce(
            tables=(PAGE_SIZE, GRAM_FREQUENCY, SERVER_OVERLAP, SERVER_PAIR),
            input=CAPTURE,
            columns=("page", "text"),
            map=gram_map(),
            reduces=reduces(),
            beside=((CURRENT, ("page", "server")), (HOST, ("server",))),
            params={"k": self.k, "m": self.m, "words_version": WORDS_VERSION},
        )
        return [
            *current.steps(),
            tally,
            Query(HOST_OVERLAP, _HOST_OVERLAP, (PAGE_SIZE, CURRENT, HOST, SERVER_OVERLAP)),
            Query(HOST_PAIR, _HOST_PAIR, (SERVER_PAIR, HOST)),
        ]
