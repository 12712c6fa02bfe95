"""Which pages do methods read? The newest live capture of every URL, and nothing that was removed."""

from __future__ import annotations

from unquilt.corpus.capture import CAPTURE, TOMBSTONE
from unquilt.step import Query, Step
from unquilt.table import Column, Table

HOST = Table(
    name="host",
    version=1,
    key=("server",),
    sentence="Each row is one host that live captures come from.",
    columns=(
        Column("server", "int64", "number of the host, from 0 in the order of names"),
        Column("host", "string", "name of the host, lower case"),
        Column("captures", "int64", "live captures of its pages"),
    ),
    order=("captures DESC",),
)

CURRENT = Table(
    name="current",
    version=1,
    key=("page",),
    sentence="Each row is one page of the corpus: the newest live capture of its URL (of its id where that counts, see docs/inputs.md).",
    columns=(
        Column("page", "int64", "number of the capture"),
        Column("server", "int64", "number of its host, -1 where it has none"),
    ),
)

# "Newest" needs a total order: a capture without a date counts as older than any with one, and of two
# equally old ones the one that was read later wins. Most pages have one capture: only those whose `same`
# occurs again are sorted by URL, so that memory does not grow with all URLs of the crawl.
_CURRENT = """
WITH live AS (
    SELECT page, host, same FROM capture
    WHERE NOT EXISTS (SELECT 1 FROM tombstone WHERE tombstone.page = capture.page)
), several AS (
    SELECT same FROM live GROUP BY same HAVING count(*) > 1
), newest AS (
    SELECT page, host FROM live WHERE NOT EXISTS (SELECT 1 FROM several WHERE several.same = live.same)
    UNION ALL
    SELECT page, host FROM (
        SELECT capture.page, capture.host,
               row_number() OVER (
                   PARTITION BY url, CASE WHEN apart OR url IS NULL THEN id END
                   ORDER BY fetched_at DESC NULLS LAST, capture.page DESC
               ) AS place
        FROM capture JOIN several USING (same)
        WHERE NOT EXISTS (SELECT 1 FROM tombstone WHERE tombstone.page = capture.page)
    ) WHERE place = 1
)
SELECT page, coalesce(server, -1) AS server FROM newest LEFT JOIN host USING (host) ORDER BY page
"""

_HOST = """
SELECT row_number() OVER (ORDER BY host) - 1 AS server, host, captures
FROM (
    SELECT host, count(*) AS captures
    FROM capture
    WHERE host IS NOT NULL AND NOT EXISTS (SELECT 1 FROM tombstone WHERE tombstone.page = capture.page)
    GROUP BY host
)
ORDER BY server
"""


def steps() -> list[Step]:
    return [
        Query(HOST, _HOST, (CAPTURE, TOMBSTONE)),
        Query(CURRENT, _CURRENT, (CAPTURE, TOMBSTONE, HOST)),
    ]
