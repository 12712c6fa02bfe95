"""What is a clue to a page's date, and how much are clues worth?"""

from __future__ import annotations

from enum import IntEnum
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from unquilt.text.dates import LONGEST, Written, date_of, dates_in, order_in

if TYPE_CHECKING:
    from unquilt.text.html import HtmlPage


MOST_VALUES = 1000
"""Values of a page that are tried: a page of more is one made to take time, or a list of others."""
WEAK = "text, weak"
"""The source of a date in the text that counts only where a page has no other sign."""


class Rank(IntEnum):
    """The kinds of places where a page gives its date, the surest first."""

    URL = 0
    """A whole day in the path of its address: the day as its authors count it, and it does not move with later edits."""
    META = 1
    """A `<meta>` whose name says that it was published then."""
    ELEMENT = 2
    """`<time datetime>` and the like near the heading, in an element whose names say published."""
    NAMED = 3
    """Near the heading, in an element whose names speak of dates."""
    LABELLED = 4
    """Near the heading, after a word like `Published`."""
    JSON_LD = 5
    MICRODATA = 6
    PLAIN_META = 7
    """`<meta name=date>` and the like: some sites write the day of the crawl there."""
    URL_REVERSED = 8
    NEAR = 9
    """Near the heading, in a short piece of text or at the beginning of a paragraph."""
    WEAK = 10
    """Declared, but of something else (a video of the page, the making of the file), or not shown."""
    FAR_LABELLED = 11
    IMAGE = 12
    """A day in the address of the picture that stands for the page."""
    FAR = 13
    LAST = 14
    """After a word like `Published` in what looks like a list of other pages, or a year of two digits."""


class Clue(NamedTuple):
    """A date and where it stands."""

    rank: Rank
    source: str
    detail: str
    found: str
    written: Written
    modified: bool = False
    distance: int = 0
    """Characters from the page's heading, or what stands for that: the least counts among clues of one rank."""


# A page says the same moment in several places.
_date_of = lru_cache(2048)(date_of)


class Reading:
    """How the dates of one page are read: in its language, in the order of its day and month, and not more than there can be of itself."""

    def __init__(self, page: HtmlPage, url: str | None, dayfirst: bool | None) -> None:
        self._page, self._url, self._given = page, url or "", dayfirst
        self.tag = next((value.strip().lower().replace("_", "-") for kind, _, value in page.facts if kind == "html"), "")[:20]
        self.language = self.tag.partition("-")[0] or None
        self._left = MOST_VALUES

    def value(self, value: str) -> Written | None:
        """The date of a value that is there to give one."""
        if self._left == 0:
            return None
        self._left -= 1
        value = value[:LONGEST]
        return _date_of(value, dayfirst=self.dayfirst if _slashed(value) else None, language=self.language)

    def text(self, text: str, most: int) -> list[Written]:
        """The dates in a piece of text."""
        return dates_in(text, dayfirst=self.dayfirst if _slashed(text) else None, language=self.language, most=most)

    @property
    def country(self) -> str:
        """The end of the host's name: a country's, or one that says nothing."""
        return self._url.partition("//")[2].partition("/")[0].partition(":")[0].rpartition(".")[2].lower()

    @cached_property
    def dayfirst(self) -> bool | None:
        """As given; else as in a date of the page that can be read in one way only; else as in its language or country."""
        if self._given is not None:
            return self._given
        shown = order_in(self._page.text)
        if shown is not None:
            return shown
        language, _, region = self.tag.partition("-")
        country = self.country
        if region in _MONTH_FIRST or country == "us":
            return False
        if language and language not in _TORN:
            return True
        if len(region) == 2 or (len(country) == 2 and country not in _FOR_ALL):
            return True
        return False if language else None


_MONTH_FIRST = frozenset(("us", "ph", "pr"))
# English and Filipino pages follow their country; these ends of names tell none.
_TORN = frozenset(("en", "fil", "tl"))
_FOR_ALL = frozenset(("io", "co", "me", "tv", "ai", "cc", "ws", "fm", "to", "ly", "gg"))
_CENTURIES = ("/20", "-20", "/19", "-19", "/ 20", "- 20", "| 20")


def _slashed(text: str) -> bool:
    return any(century in text for century in _CENTURIES)
