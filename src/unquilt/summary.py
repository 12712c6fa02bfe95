"""What was found so far, in few numbers; faces only put them into words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from unquilt import asking, staleness
from unquilt.asking import Stream
from unquilt.catalogue import TABLES
from unquilt.read.ending import LOST
from unquilt.reading import Published, batches


@dataclass(frozen=True)
class Pair:
    """Two hosts and the number of k-grams, of those on 2 to m pages, that both have."""

    host_a: str
    host_b: str
    grams: int


@dataclass(frozen=True)
class Summary:
    """`skipped`: records that were left out, `others`: those that are no pages, `fields`: fields of pages that are kept; by reason.
    `lost`: files that were cut off or are damaged, so that nobody knows how many records they had.
    `suspects`: pages that are hardly pages of their own, by kind.
    `copies`: pages with the words of a page before them, of `copied_texts` texts.
    `repeated_share`: of all distinct k-grams, those on 2 to m pages; `common`: grams on more than m pages.
    `stale`: a sentence for each method whose tables are not made of what the study holds now; what they say is of before.
    """

    captures: int
    pages: int
    hosts: int
    removed: int
    skipped: Sequence[tuple[str, int]]
    others: Sequence[tuple[str, int]]
    fields: Sequence[tuple[str, int]]
    lost: int
    suspects: Sequence[tuple[str, int]]
    copies: int
    copied_texts: int
    k: int
    m: int
    grams: int
    repeated: int
    common: int
    pairs: Sequence[Pair]
    stale: Sequence[str] = ()

    @property
    def repeated_share(self) -> float | None:
        return self.repeated / self.grams if self.grams else None

    @property
    def copied_share(self) -> float | None:
        return self.copies / self.pages if self.pages else None

    @property
    def skipped_share(self) -> float | None:
        records = self.captures + self.skipped_records
        return self.skipped_records / records if records else None

    @property
    def skipped_records(self) -> int:
        return sum(n for _, n in self.skipped)

    def to_dict(self) -> dict[str, Any]:
        shares = {s: getattr(self, s) for s in ("copied_share", "repeated_share", "skipped_share")}
        return {**asdict(self), **shares}


def of(published: Published, pairs: int = 5) -> Summary:
    manifest = published.manifest
    have = manifest.tables
    params = next((r.params for r in manifest.runs if r.method == "overlaps"), {"k": 0, "m": 0})
    k, m = int(params["k"]), int(params["m"])
    copy = _one(published, "copy", "count(*) FILTER (WHERE page <> first_page) AS copies, count(DISTINCT first_page) AS texts")
    among = f"sum(grams) FILTER (WHERE pages BETWEEN 2 AND {m}) AS repeated, sum(grams) FILTER (WHERE pages > {m}) AS common"
    grams = _one(published, "gram_frequency", f"sum(grams) AS grams, {among}")
    left_out = _rows(published, "skipped", "what, reason, count(*) AS n FROM own GROUP BY what, reason ORDER BY n DESC, reason, what")
    kinds = _rows(published, "suspect", "kind, count(DISTINCT page) AS n FROM own GROUP BY kind ORDER BY n DESC, kind")
    shared = _rows(published, "host_pair", f"host_a, host_b, grams FROM own ORDER BY grams DESC, host_a, host_b LIMIT {pairs}")
    return Summary(
        captures=_held(published, "capture"),
        pages=_held(published, "current"),
        hosts=_held(published, "host"),
        removed=_held(published, "tombstone"),
        skipped=_by_reason(r for r in left_out if r["what"] == "record"),
        others=_by_reason(r for r in left_out if r["what"] == "other"),
        fields=_by_reason(r for r in left_out if r["what"] not in ("record", "other", "file")),
        lost=sum(r["n"] for r in left_out if r["what"] == "file" and r["reason"] == LOST),
        suspects=[(r["kind"], r["n"]) for r in kinds],
        copies=copy.get("copies", 0),
        copied_texts=copy.get("texts", 0),
        k=k,
        m=m,
        grams=grams.get("grams", 0),
        repeated=grams.get("repeated", 0),
        common=grams.get("common", 0),
        pairs=[Pair(**r) for r in shared],
        stale=[s.sentence(str(published.store.folder)) for s in staleness.of_tables(published.store, manifest, ["pages", *have])],
    )


def _held(published: Published, table: str) -> int:
    held = published.manifest.tables.get(table)
    return held.rows if held else 0


def _rows(published: Published, table: str, query: str) -> list[dict[str, Any]]:
    """What is asked of a table, or nothing where it is not made."""
    if table not in published.manifest.tables:
        return []
    one = TABLES[table]
    return asking.rows(published, f"SELECT {query}", {"own": Stream(one.schema, partial(batches, published.view(one)))})


def _one(published: Published, table: str, query: str) -> dict[str, int]:
    return {name: int(n or 0) for row in _rows(published, table, f"{query} FROM own") for name, n in row.items()}


def _by_reason(left_out: Iterable[dict[str, Any]]) -> list[tuple[str, int]]:
    reasons: Counter[str] = Counter()
    for row in left_out:
        reasons[row["reason"]] += row["n"]
    return sorted(reasons.items(), key=lambda one: (-one[1], one[0]))
