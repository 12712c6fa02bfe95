"""What did a revisit see? The capture it refers to, which it becomes a copy of, with the revisit's own URL, date and place.

An archive that finds a page unchanged writes a revisit instead of the page. The original is looked for in the whole study: it may
lie in another file, and be added later. A revisit that has become a capture is known by its place in the input.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from unquilt.corpus.capture import CAPTURE, LINK, PAGE_DATE, REVISIT, TOMBSTONE
from unquilt.engine import Engine, Source, View
from unquilt.manifest import Held
from unquilt.parquet import Written, batches_of
from unquilt.running import view_of
from unquilt.step import Query
from unquilt.store import Store
from unquilt.table import Column, Table
from unquilt.watch import Watch

MATCH = Table(
    name="match",
    version=1,
    key=("entry",),
    sentence="Each row is one revisit that is still to become a capture, and the capture it refers to.",
    columns=(
        Column("entry", "int64", "number of the revisit"),
        Column("original", "int64", "number of the capture it refers to; null: not in the study", nullable=True),
        Column("copy", "int64", "number the new capture gets", nullable=True),
    ),
)

# With a digest every capture of that payload is as good as another, so the one that was named comes first, then one of the
# same URL, then any one: the first, so that a payload of many captures is not compared with each of them. Without a digest
# (the server said 304) it is the newest capture of the URL that is not younger. Never a capture that is itself a revisit's
# copy: the same answers then come out in whatever order files are added.
_MATCH = """
WITH waiting AS (
    SELECT entry, url, lower(digest) AS digest, coalesce(of_url, url) AS of_url, of_date, fetched_at FROM revisit
    WHERE coalesce(url, digest, of_url) IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM capture
        WHERE capture.file = revisit.file AND capture."offset" = revisit."offset"
          AND coalesce(capture.snapshot, '') = coalesce(revisit.snapshot, '')
    )
), original AS (
    SELECT page, url, fetched_at, lower(digest) AS digest, file, "offset" FROM capture
    WHERE NOT EXISTS (SELECT 1 FROM tombstone WHERE tombstone.page = capture.page)
      AND NOT EXISTS (SELECT 1 FROM revisit WHERE revisit.file = capture.file AND revisit."offset" = capture."offset")
), first_of_digest AS (
    SELECT page, digest FROM original WHERE digest IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY digest ORDER BY fetched_at NULLS LAST, url NULLS LAST, file, "offset", page) = 1
), candidate AS (
    SELECT entry, page FROM waiting JOIN original ON original.digest = waiting.digest AND original.url = waiting.of_url
    UNION
    SELECT entry, page FROM waiting JOIN original ON original.digest = waiting.digest AND original.url = waiting.url
    UNION
    SELECT entry, page FROM waiting JOIN first_of_digest ON first_of_digest.digest = waiting.digest
    UNION
    SELECT entry, page FROM waiting JOIN original ON original.url = waiting.of_url
    WHERE waiting.digest IS NULL
      AND (original.fetched_at IS NULL OR waiting.fetched_at IS NULL OR original.fetched_at <= waiting.fetched_at)
), best AS (
    SELECT entry, page FROM candidate JOIN waiting USING (entry) JOIN original USING (page)
    QUALIFY row_number() OVER (
        PARTITION BY entry
        ORDER BY coalesce(original.url = of_url AND original.fetched_at = of_date, false) DESC,
                 coalesce(original.url = of_url, false) DESC, coalesce(original.url = waiting.url, false) DESC,
                 coalesce(original.fetched_at <= waiting.fetched_at, false) DESC, original.fetched_at DESC NULLS LAST,
                 file, "offset", page
    ) = 1
)
SELECT entry, page AS original,
       CASE WHEN page IS NOT NULL THEN $base + count(page) OVER (ORDER BY entry ROWS UNBOUNDED PRECEDING) - 1 END AS copy
FROM waiting LEFT JOIN best USING (entry) ORDER BY entry
"""

_OWN = {
    "page": "copy",
    "id": "coalesce(revisit.url, revisit.file || '#' || revisit.\"offset\")",
    "url": "revisit.url",
    "host": "revisit.host",
    "domain": "revisit.domain",
    "site": "revisit.site",
    "apart": "false",
    "same": "revisit.same",
    "ip": "revisit.ip",
    "fetched_at": "revisit.fetched_at",
    "snapshot": "revisit.snapshot",
    "file": "revisit.file",
    "offset": 'revisit."offset"',
    "length": "revisit.length",
}
_COPIED = f"""
SELECT {", ".join(_OWN.get(name, f'capture."{name}"') + f' AS "{name}"' for name in CAPTURE.names)}
FROM "match" JOIN revisit USING (entry) JOIN capture ON capture.page = original ORDER BY copy
"""


def _beside(table: Table) -> str:
    """Rows of a table of pages, for the copies."""
    columns = ", ".join(f't."{name}"' for name in table.names if name != "page")
    return f'SELECT copy AS page, {columns} FROM "match" JOIN "{table.name}" AS t ON t.page = original ORDER BY copy, place'


def resolve(store: Store, engine: Engine, watch: Watch) -> int:
    """Make captures of the revisits whose originals are here; the caller holds the writer lock. Gives how many still wait."""
    manifest = store.read()
    revisits, captures = manifest.tables.get(REVISIT.name), manifest.tables.get(CAPTURE.name)
    if revisits is None or not revisits.rows or captures is None:
        return 0
    base = max(s.base + s.rows for s in captures.segments)
    views = {t.name: view_of(store, manifest, t) for t in (CAPTURE, REVISIT, TOMBSTONE, LINK, PAGE_DATE)}
    with store.workroom("resolve") as room:

        def made(table: Table, sql: str, inputs: tuple[Table, ...], **params: int) -> Written:
            step = Query(table, sql, inputs, params)
            (written,) = engine.run(step, {t.name: views[t.name] for t in inputs}, room, watch)[table.name]
            return written

        match = made(MATCH, _MATCH, (CAPTURE, REVISIT, TOMBSTONE), base=base)
        copies = _copies(room / MATCH.name / match.file)
        if copies:
            views[MATCH.name] = _view(MATCH, room / MATCH.name, match)
            written = {CAPTURE: made(CAPTURE, _COPIED, (MATCH, REVISIT, CAPTURE))}
            written |= {t: made(t, _beside(t), (MATCH, t)) for t in (LINK, PAGE_DATE)}
            tables = {t.name: _with(store, manifest.tables[t.name], t, room, base, w) for t, w in written.items() if w.rows}
            store.write(manifest.with_tables(tables))
    return match.rows - copies


def _copies(path: Path) -> int:
    """How many revisits have found what they refer to."""
    return sum(b.num_rows - b.column(0).null_count for b in batches_of(path, MATCH.name, ["copy"]))


PREFIX = "revisits"
"""Fingerprints of segments made here begin with it."""


def _with(store: Store, held: Held, table: Table, room: Path, base: int, written: Written) -> Held:
    print_ = PREFIX + hashlib.sha256(f"{base} {written.digest}".encode()).hexdigest()
    segment = store.place(table.name, room / table.name, [written], base=base, fingerprint=print_)
    return replace(held, segments=(*(s for s in held.segments if s.rows), segment))


def _view(table: Table, folder: Path, written: Written) -> View:
    return View(table, (Source((folder / written.file,), written.decoded, written.group_bytes, written.rows),))
