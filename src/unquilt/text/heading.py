"""Which element is a page's own heading, and what on the page stands apart from it?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from unquilt.text.html import BEGIN, END, PARENT, RUN_ELEMENT, TAG, TAGS

if TYPE_CHECKING:
    from unquilt.text.html import HtmlPage

APART, FRAME = 2, 1
_H1 = TAGS.index("h1")
_IS_HEADING = np.isin(TAGS, ("h1", "h2", "h3", "h4"))
_TAGS = {TAGS.index(tag): APART for tag in ("nav", "pre", "code")} | {TAGS.index(tag): FRAME for tag in ("aside", "footer")}
# Names that sites give to comments and to lists of other pages; and to what frames a page.
_APART = re.compile(
    r"comment|relat(?:ed|ion)|recommend|popular|trend|teaser|archive|calendar|carousel|slide|promo|widget_|widget-area|recent|latest|"
    r"most-?read|read-?(?:more|next|also)|more-?(?:news|stories|articles|from)|next-|prev-|navi|\bnav\b|\bmenu|ticker|similar|also-|cookie"
)
_FRAME = re.compile(r"foot|copyright|sidebar")
# Between a page's title and its site's name.
_SITE = re.compile(r"\s[|\u2013\u2014»•·:-]{1,2}\s")
_SHORT_TITLE = 15
_MOST_HEADINGS, _MOST_TITLES = 60, 6
_HEAD = 200
"""Facts among which the titles are."""
_MOST_AROUND = 100
"""Elements around a place that are asked, the innermost first: deeper pages are made to take time."""
_BEFORE, _BEHIND = 4, 600
_LONGEST_NAMES = 300


class Heading:
    """The element, and the characters of it in the page's text; none and (0, 0) where a page has no heading."""

    def __init__(self, page: HtmlPage) -> None:
        self._page = page
        said = (v for k, n, v in page.facts[:_HEAD] if v and (k == "title" or (k == "meta" and n in ("og:title", "twitter:title"))))
        self._titles_as_written = list(islice(said, _MOST_TITLES))
        self.titles = [letters(title) for title in self._titles_as_written]
        self.row, self.begin, self.end = self._own()
        self._around = frozenset(self._ancestors(self.row))
        self._known: dict[int, int] = {}

    def distance(self, begin: int, end: int) -> int:
        """Characters between the heading and a place in the text."""
        return max(0, begin - self.end if begin >= self.begin else self.begin - end)

    def near(self, begin: int, end: int) -> bool:
        """Soon after the heading, or before it with hardly anything between: farther up is the head of the site."""
        if self.row < 0:
            return False
        if begin >= self.begin:
            return begin - self.end <= _BEHIND
        first, last = np.searchsorted(self._page.runs[:, 0], (end, self.begin))
        return bool(last - first < _BEFORE)

    def apart(self, row: int) -> int:
        """APART: in a part of the page that is not about the page; FRAME: in a footer; else 0. What holds the heading is neither."""
        verdict = 0
        for one in islice(self._ancestors(row), _MOST_AROUND):
            if one in self._around or verdict == APART:
                break
            if one not in self._known:
                self._known[one] = self._one(one)
            verdict = max(verdict, self._known[one])
        return verdict

    def _one(self, row: int) -> int:
        names, by_tag = self._page.names[row], _TAGS.get(int(self._page.elements[row, TAG]), 0)
        by_name = _apart_by(names[:_LONGEST_NAMES]) if names else 0
        if not by_name and not by_tag:
            return 0
        # `with-sidebar`, `comments-open`: names of what holds the most of the page say what else is in it.
        if 2 * (self._page.elements[row, END] - self._page.elements[row, BEGIN]) > len(self._page.text):
            return 0
        return max(by_tag, by_name)

    def _own(self) -> tuple[int, int, int]:
        """The heading with the longest text that a title has; else the place where the text repeats a title; else the first h1."""
        page = self._page
        rows = _IS_HEADING[page.elements[:, TAG]].nonzero()[0][:_MOST_HEADINGS].tolist()
        best, longest = -1, 3
        for row in rows:
            begin, end = int(page.elements[row, BEGIN]), int(page.elements[row, END])
            length = self._in_title(letters(page.text[begin : min(end, begin + 300)]))
            if length > longest:
                best, longest = row, length
        if longest < _SHORT_TITLE:
            place = self._in_text()
            if place is not None:
                return place
        if best < 0:
            best = next((r for r in rows if page.elements[r, TAG] == _H1 and page.elements[r, END] - page.elements[r, BEGIN] > 3), -1)
        return (best, int(page.elements[best, BEGIN]), int(page.elements[best, END])) if best >= 0 else (-1, 0, 0)

    def _in_title(self, text: str) -> int:
        """How many letters a heading has in common with a title. `3 comments on ...` has no more of it than the title's own heading."""
        return max(
            (min(len(text), len(title)) for title in self.titles if text in title or (title in text and 2 * len(title) > len(text))),
            default=0,
        )

    def _in_text(self) -> tuple[int, int, int] | None:
        for title in self._titles_as_written:
            part = max(_SITE.split(title[:300]), key=len).strip()
            begin = self._page.text.find(part) if len(part) >= _SHORT_TITLE else -1
            if begin >= 0:
                run = max(0, int(np.searchsorted(self._page.runs[:, 0], begin, "right")) - 1)
                return int(self._page.runs[run, RUN_ELEMENT]), begin, begin + len(part)
        return None

    def _ancestors(self, row: int) -> Iterator[int]:
        while row >= 0:
            yield row
            row = int(self._page.elements[row, PARENT])


@lru_cache(4096)
def _apart_by(names: str) -> int:
    return APART if _APART.search(names) else FRAME if _FRAME.search(names) else 0


def letters(text: str) -> str:
    """To compare titles by: without white space and case."""
    return "".join(text[:400].split()).casefold()[:300]
