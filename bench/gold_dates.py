"""How many dates of publication are right, beside htmldate, on pages whose date people have looked up?

`python bench/gold_dates.py [--half 0|1] [--wrong] [--peers]`. Right is the same day. Rules are made on half 0; half 1
is scored once, at the end. `--wrong` lists what is not right; it is for half 0 only.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from halves import half

GOLD = Path("pages", "gold_dates_dev.parquet")
MICROSECONDS = 1_000_000

Finder = Callable[[bytes, str], tuple[str | None, str]]
"""The day, and the place it was found at."""


@dataclass(frozen=True)
class Page:
    url: str
    html: bytes
    day: str


@dataclass
class Score:
    name: str
    pages: int = 0
    right: int = 0
    answered: int = 0
    seconds: list[float] = field(default_factory=list)
    places: Counter[str] = field(default_factory=Counter)
    right_by_place: Counter[str] = field(default_factory=Counter)
    wrong: list[tuple[Page, str | None, str]] = field(default_factory=list)

    def row(self) -> str:
        ms = [1000 * t for t in sorted(self.seconds)]
        return (
            f"| {self.name} | {self.right} | {self.right / self.pages:.1%} | {self.answered} | {self.right / max(1, self.answered):.1%} "
            f"| {ms[len(ms) // 2]:.2f} | {ms[len(ms) * 9 // 10]:.2f} | {ms[-1]:.1f} | {sum(self.seconds):.2f} |"
        )


def pages(path: Path, of_half: int | None) -> list[Page]:
    """The pages of one half, or all, as UTF-8."""
    import pyarrow.parquet as pq

    from unquilt.text import charset

    rows = pq.read_table(path).to_pylist()
    chosen = (row for row in rows if of_half is None or half(row["url"]) == of_half)
    return [Page(row["url"], charset.decode(row["html"]).utf8, row["gold_date"]) for row in chosen]


def scored(name: str, find: Finder, of: Iterable[Page]) -> Score:
    score = Score(name)
    find(b"<title>A page</title><p>2020-02-18", "http://example.com/")  # imports are not measured
    for page in of:
        begin = time.process_time()
        day, place = find(page.html, page.url)
        score.seconds.append(time.process_time() - begin)
        score.pages += 1
        score.answered += day is not None
        score.right += day == page.day
        score.places[place] += 1
        score.right_by_place[place] += day == page.day
        if day != page.day:
            score.wrong.append((page, day, place))
    return score


def ours(html: bytes, url: str) -> tuple[str | None, str]:
    return of_page(html_page(html), url)


def of_page(page: Any, url: str) -> tuple[str | None, str]:
    from unquilt.text.published import dates_of

    _, counts = dates_of(page, url, fetched_at=None)
    return (counts.day, counts.source) if counts else (None, "none")


def html_page(html: bytes) -> Any:
    from unquilt.text import html as kernel

    return kernel.page(html)


def parsed(of: Iterable[Page]) -> dict[str, Any]:
    return {page.url: html_page(page.html) for page in of}


def htmldate(extensive: bool) -> Finder:
    import logging

    import htmldate as peer

    logging.disable(logging.ERROR)
    latest = datetime.now(tz=UTC).date().isoformat()

    def find(html: bytes, url: str) -> tuple[str | None, str]:
        found = peer.find_date(html, url=url, original_date=True, extensive_search=extensive, max_date=latest)
        return found, "found" if found else "none"

    return find


def scores(of: list[Page], peers: bool) -> Iterator[Score]:
    yield scored("unquilt", ours, of)
    ready = parsed(of)
    yield scored("unquilt, page read before", lambda _, url: of_page(ready.get(url) or html_page(b""), url), of)
    if peers:
        yield scored("htmldate, extensive", htmldate(True), of)
        yield scored("htmldate, fast", htmldate(False), of)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--half", type=int, choices=(0, 1), default=0, help="0: the half rules are made on; 1: the one held out")
    asked.add_argument("--peers", action="store_true", help="htmldate, too")
    asked.add_argument("--wrong", action="store_true", help="say which pages are not right, too")
    asked.add_argument("--data", type=Path, default=Path(os.environ.get("UNQUILT_DATA") or "../shared/data"))
    args = asked.parse_args()
    of = pages(args.data / GOLD, args.half)
    print(f"Half {args.half}: {len(of)} pages.\n")
    print("| finder | right | of all | answered | right of answered | median ms | 90% ms | most ms | CPU s |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    done = []
    for score in scores(of, args.peers):
        print(score.row(), flush=True)
        done.append(score)
    print("\n| where it stood | pages | right |\n|---|--:|--:|")
    for place, count in done[0].places.most_common():
        print(f"| {place} | {count} | {done[0].right_by_place[place]} |")
    if args.wrong and args.half == 0:
        for page, day, place in done[0].wrong:
            print(f"{page.day} {day} {place} {page.url}")


if __name__ == "__main__":
    main()
