"""Which dates near a page's heading have a year of two digits only?

They are looked for where a page gives no other date, and believed after a word like `Published` or in an element named after dates:
otherwise `10.11.12` is a version, a score, a price.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from unquilt.text.date_clue import WEAK, Clue, Rank, Reading
from unquilt.text.date_label import label_of
from unquilt.text.date_text import DATE_BY_NAME, names_about
from unquilt.text.heading import Heading
from unquilt.text.html import RUN_ELEMENT

if TYPE_CHECKING:
    from unquilt.text.html import HtmlPage

_SHORT = re.compile(r"(?<![\d./:-])(\d{1,2}([./-])(?:\d{1,2}|[^\W\d_]{3})\2)(\d\d)(?![\d./:%-])")
_LAST_CENTURY = "90"
_YEAR_FIRST = frozenset("zh ja ko hu lt mn".split())
_ABOVE, _BELOW = 400, 600


def of_short_years(page: HtmlPage, heading: Heading, reading: Reading) -> Iterator[Clue]:
    """`Published 18.02.20`, `<span class="date">18-Feb-20</span>`; not in languages that write the year first."""
    if heading.row < 0 or reading.language in _YEAR_FIRST:
        return
    for short in _SHORT.finditer(page.text, max(0, heading.begin - _ABOVE), heading.end + _BELOW):
        begin, end = short.span()
        row = int(page.runs[max(0, int(np.searchsorted(page.runs[:, 0], begin, "right")) - 1), RUN_ELEMENT])
        label = label_of(page.text, begin, end)
        if not (label or DATE_BY_NAME.search(names_about(page, row))) or not heading.near(begin, end) or heading.apart(row):
            continue
        written = reading.value(f"{short[1]}{19 if short[3] >= _LAST_CENTURY else 20}{short[3]}")
        if written:
            yield Clue(Rank.LAST, WEAK, "year of two digits", short[0], written, label == "modified", heading.distance(begin, end))
