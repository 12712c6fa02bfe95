"""Which dates in a page's text are said of the page itself?

Those near its heading or with a word like `Published`, in elements that are there for dates, in short pieces of text, or at the
beginning of a paragraph. What stands in comments, lists of other pages and prose dates something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from unquilt.text.date_clue import WEAK, Clue, Rank, Reading
from unquilt.text.date_label import label_of
from unquilt.text.heading import APART, FRAME, Heading
from unquilt.text.html import BEGIN, END, PARENT

if TYPE_CHECKING:
    from unquilt.text.html import HtmlPage

_MOST_TEXT, _MOST_DATES = 40_000, 60
_SHORT_LINE, _SHORT_NAMED, _DATELINE, _SHORT_ELEMENT, _LONG_ELEMENT = 100, 200, 25, 200, 600
_BESIDE, _BESIDE_NAMED = 120, 300
PUBLISHED_BY_NAME = re.compile(r"publi|entry-date|post-date|pubdate|posted|created")
DATE_BY_NAME = re.compile(r"dat(?:e|um)|publi|posted|submitted|time|byline|meta\b|fecha|stamp")


def of_text(page: HtmlPage, begin: int, end: int, heading: Heading, reading: Reading) -> Iterator[Clue]:
    """Dates between two places of the text, at most 60 in at most 40,000 characters."""
    if not len(page.runs):
        return
    last = begin
    for written in reading.text(page.text[begin : min(end, begin + _MOST_TEXT)], _MOST_DATES):
        at, behind, before = begin + written.begin, begin + written.end, last
        last = behind
        run = max(0, int(np.searchsorted(page.runs[:, 0], at, "right")) - 1)
        run_begin, run_end, row = page.runs[run, :3].tolist()
        line_begin, line_end = max(run_begin, page.text.rfind("\n", run_begin, at) + 1), page.text.find("\n", behind, run_end)
        names, label = names_about(page, row), label_of(page.text, at, behind, before)
        named = DATE_BY_NAME.search(names) is not None
        short = (line_end if line_end >= 0 else run_end) - line_begin <= (_SHORT_NAMED if named else _SHORT_LINE)
        if not (short or _is_dateline(page.text[run_begin:at]) or (named and label)):
            continue
        distance, near = heading.distance(at, behind), heading.near(at, behind)
        apart = 0 if near and distance < (_BESIDE_NAMED if named else _BESIDE) else heading.apart(row)
        if (apart == APART and label != "published") or (apart == FRAME and not (near or label or named)):
            continue
        rank, source = _rank(near, apart, named, label), WEAK if apart == APART else "text"
        changed = label == "modified" or (not label and changed_by_name(names))
        yield Clue(rank, source, names[:60] or label, page.text[at:behind], written, changed, distance)


def _rank(near: bool, apart: int, named: bool, label: str) -> Rank:
    if apart == APART:
        return Rank.LAST
    if near and not apart:
        return Rank.NAMED if named else Rank.LABELLED if label else Rank.NEAR
    return Rank.FAR_LABELLED if label or (named and (near or not apart)) else Rank.FAR


def changed_by_name(names: str) -> bool:
    """`updated` alone says modified; `published updated` is how many themes mark the one date they show."""
    return "modif" in names or "changed" in names or ("updated" in names and not PUBLISHED_BY_NAME.search(names))


def _is_dateline(before: str) -> bool:
    """`Berlin, ` or `(`: what may stand before the date that begins a paragraph."""
    return len(before) <= _DATELINE and len(before.split()) <= 2


def names_about(page: HtmlPage, row: int) -> str:
    """Of the element and what is closely around it."""
    names = []
    for longest in (_LONG_ELEMENT, _SHORT_ELEMENT, _SHORT_ELEMENT):
        if row < 0 or page.elements[row, END] - page.elements[row, BEGIN] > longest:
            break
        if page.names[row]:
            names.append(page.names[row])
        row = int(page.elements[row, PARENT])
    return " ".join(names)
