"""When was a page published? The dates it gives of itself, with where they stand, and the one that counts.

A date's `day` is the day as it is written, which is what its authors and readers mean. `at` is the moment, where an offset from UTC
is written beside the time; otherwise it is the written day and time as if they were UTC, and without a time that day's beginning.
So `day` is the one to show and to compare with what people say, `at` the one to order by.

The surest place counts (date_clue.py) unless others together outweigh it (date_choice.py), dates of publication before dates of change;
of those only one that the page shows can count, since with no other beside it readers take it for the page's date. Where what counts
is written in UTC, and the address or the text near the heading give the same moment or the day beside it, these count: they are local.
Otherwise `day` is that of the country or language of the page, if all its clocks agree on it (date_zone.py).
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from unquilt.text.date_choice import choice
from unquilt.text.date_clue import Clue, Rank, Reading
from unquilt.text.date_marks import of_facts, of_url
from unquilt.text.date_short_year import of_short_years
from unquilt.text.date_text import of_text
from unquilt.text.date_zone import day_where_written
from unquilt.text.dates import LONGEST
from unquilt.text.heading import Heading

if TYPE_CHECKING:
    from unquilt.text.html import HtmlPage

_MINUTE, _DAY = 60_000_000, 86_400_000_000
_IN_1990 = 631_152_000_000_000
_ABOVE, _BELOW = 400, 1200


@dataclass(frozen=True)
class PageDate:
    """A date that a page gives of itself."""

    source: str
    """url, open graph, meta, json-ld, microdata, time, abbr, text or "text, weak"."""
    detail: str
    """The name of the property or attribute; of a date in the text, the names of its element or the kind of word before it."""
    found: str
    """As written, at most 200 characters."""
    at: int
    """Microseconds since 1970."""
    day: str
    """As written: `2020-02-18`; of the one that counts, if it is in UTC, the day where the page is written."""
    kind: str
    """published or modified."""
    flag: str | None
    """Why it never counts: "future", "before 1990"."""


def dates_of(
    page: HtmlPage, url: str | None, *, fetched_at: int | None, dayfirst: bool | None = None
) -> tuple[list[PageDate], PageDate | None]:
    """The dates that a page gives of itself, and the one that counts.

    In the order of the page: its address, what it declares, its text. Of the text all is read only where no surer place has a date,
    otherwise the part about its heading. A date more than two days after the page was fetched, or after now where that is not known,
    is flagged as future.
    """
    reading = Reading(page, url, dayfirst)
    clues = _clues(page, url, reading)
    latest = (fetched_at if fetched_at is not None else time.time_ns() // 1000) + 2 * _DAY
    dates = [_date(clue, latest) for clue in clues]
    best = choice([clue for clue, date in zip(clues, dates, strict=True) if date.flag is None])
    if best is None:
        return dates, None
    at = next(at for at, clue in enumerate(clues) if clue is best)
    dates[at] = replace(dates[at], day=_local_day(best, clues, reading))
    return dates, dates[at]


def _clues(page: HtmlPage, url: str | None, reading: Reading) -> list[Clue]:
    heading = Heading(page)
    clues = [*(of_url(url, reading) if url else ()), *of_facts(page, heading, reading)]
    if any(clue.rank < Rank.NEAR and not clue.modified for clue in clues):
        return [*clues, *of_text(page, max(0, heading.begin - _ABOVE), heading.end + _BELOW, heading, reading)]
    clues += of_text(page, 0, len(page.text), heading, reading)
    silent = all(clue.modified for clue in clues)
    return [*clues, *(of_short_years(page, heading, reading) if silent else ())]


def _local_day(best: Clue, clues: list[Clue], reading: Reading) -> str:
    """A time without an offset is in UTC where another place has the same one and says so."""
    written = best.written
    in_utc = any(clue.written.offset == 0 and abs(clue.written.at - written.at) < _MINUTE for clue in clues)
    day = day_where_written(written.at, reading.country, reading.language) if not written.offset and in_utc else None
    return day or written.day


def _date(clue: Clue, latest: int) -> PageDate:
    at = clue.written.at
    flag = "future" if at > latest else "before 1990" if at < _IN_1990 else None
    kind = "modified" if clue.modified else "published"
    return PageDate(clue.source, clue.detail, clue.found[:LONGEST], at, clue.written.day, kind, flag)
