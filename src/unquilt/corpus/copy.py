"""Which pages are exact copies of each other? Those with the same words in the same order."""

from __future__ import annotations

from unquilt.corpus import current, fingerprint
from unquilt.corpus.current import CURRENT
from unquilt.corpus.fingerprint import FINGERPRINT
from unquilt.step import Query, Step
from unquilt.table import Column, Table

COPY = Table(
    name="copy",
    version=1,
    key=("page",),
    sentence="Each row is a page whose folded text stands on another page too.",
    columns=(
        Column("page", "int64", "the page", page=True),
        Column("first_page", "int64", "the page of the same text with the smallest number; maybe itself", page=True),
        Column("pages", "int64", "pages with this text"),
        Column("words", "int64", "words of the text"),
    ),
    order=("pages DESC", "words DESC", "first_page"),
)

# Pages without a word are not copies of each other: there is nothing that could be copied.
_COPY = """
WITH text AS (
    SELECT page, first_half, second_half, words FROM fingerprint JOIN current USING (page) WHERE words > 0
), repeated AS (
    SELECT first_half, second_half, min(page) AS first_page, count(*) AS pages
    FROM text GROUP BY first_half, second_half HAVING count(*) > 1
)
SELECT page, first_page, pages, words FROM text JOIN repeated USING (first_half, second_half) ORDER BY page
"""


def steps() -> list[Step]:
    return [*current.steps(), *fingerprint.steps(), Query(COPY, _COPY, (FINGERPRINT, CURRENT))]
