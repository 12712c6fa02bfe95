"""Which pages flood every comparison without being pages of their own: soft 404s, calendars, traps of crawlers?

They are marked, not dropped: a method that leaves them out asks for pages that are not in `suspect`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from unquilt.method import Method, param
from unquilt.step import Step
from unquilt.suspects.rules import REDIRECT_SINK, SAME_WORDS, SUSPECT
from unquilt.table import Table


@dataclass(frozen=True)
class Suspects(Method):
    """Pages that say there is no such page, and URLs without end that lead to the same words: soft 404s, calendars, traps."""

    pages: int = param(10, "pages of a host with the same words are many", low=2, high=1_000_000)
    words: int = param(200, "a page of at most so many words, without its URL, numbers and dates, is short", low=0, high=4000)
    ahead: int = param(24, "a date so many months after the page was fetched lies far ahead", low=1, high=12_000)
    years: int = param(50, "dates of one family of URLs that span so many years are too wide", low=1, high=10_000)
    repeats: int = param(3, "what follows itself so often in a URL is a loop", low=2, high=100)

    name: ClassVar[str] = "suspects"
    result: ClassVar[Table] = SUSPECT
    tables: ClassVar[tuple[Table, ...]] = (SUSPECT, SAME_WORDS, REDIRECT_SINK)

    def steps(self) -> Sequence[Step]:
        from unquilt.corpus import current
        from unquilt.suspects import address, bare_text, not_found, rules

        return [*current.steps(), bare_text.step(), address.step(self.repeats), not_found.step(), *rules.steps(self.params())]
