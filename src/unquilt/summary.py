"""What was found so far, in few numbers; faces only put them into words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from unquilt.study import Study


@dataclass(frozen=True)
class Pair:
    """Two hosts and the number of k-grams, of those on 2 to m pages, that both have."""

    host_a: str
    host_b: str
    grams: int


@dataclass(frozen=True)
class Summary:
    """`skipped`: records that were left out, `fields`: fields of pages that are kept; both by reason.
    `copies`: pages with the words of a page before them, of `copied_texts` texts.
    `repeated_share`: of all distinct k-grams, those on 2 to m pages; `common`: grams on more than m pages.
    """

    captures: int
    pages: int
    hosts: int
    removed: int
    skipped: Sequence[tuple[str, int]]
    fields: Sequence[tuple[str, int]]
    copies: int
    copied_texts: int
    k: int
    m: int
    grams: int
    repeated: int
    common: int
    pairs: Sequence[Pair]

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


def of(study: Study, pairs: int = 5) -> Summary:
    have = set(study.tables())

    def one(table: str, what: str) -> int:
        return int(study.sql(f"SELECT {what} AS n FROM {table}")["n"][0].as_py() or 0) if table in have else 0

    def rows(table: str, query: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = study.sql(query).to_pylist() if table in have else []
        return found

    params = next((r.params for r in study.manifest.runs if r.method == "overlaps"), {"k": 0, "m": 0})
    k, m = int(params["k"]), int(params["m"])
    reasons = "SELECT reason, count(*) AS n FROM skipped WHERE what {} 'record' GROUP BY reason ORDER BY n DESC, reason"
    shared = f"SELECT * FROM host_pair ORDER BY grams DESC, host_a, host_b LIMIT {pairs}"
    return Summary(
        captures=one("capture", "count(*)"),
        pages=one("current", "count(*)"),
        hosts=one("host", "count(*)"),
        removed=one("tombstone", "count(*)"),
        skipped=[(r["reason"], r["n"]) for r in rows("skipped", reasons.format("="))],
        fields=[(r["reason"], r["n"]) for r in rows("skipped", reasons.format("<>"))],
        copies=one("copy", "count(*) FILTER (WHERE page <> first_page)"),
        copied_texts=one("copy", "count(DISTINCT first_page)"),
        k=k,
        m=m,
        grams=one("gram_frequency", "sum(grams)"),
        repeated=one("gram_frequency", f"sum(grams) FILTER (WHERE pages BETWEEN 2 AND {m})"),
        common=one("gram_frequency", f"sum(grams) FILTER (WHERE pages > {m})"),
        pairs=[Pair(**r) for r in rows("host_pair", shared)],
    )
