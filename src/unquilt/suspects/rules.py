"""When is a page suspect? Rules on what its URL, its words and its title show, each with what a person can check.

- soft 404: two of three: it says that there is no such page (`says so`), it is short, its words stand on many pages of its
  host. Where it does not say so, those pages must have many addresses beside what varies in them (`same words`).
- calendar: URLs that differ in a date, of which many have the same words (`same words`), or are short and lie far ahead of
  the day they were fetched (`dates ahead`), or are short and span more years than is likely (`dates too wide`).
- trap: many URLs with the same words that differ in a session (`session`; all but the first are marked), in the values or the
  choice of parameters (`parameter`) or in numbers (`running number`); or one that repeats itself (`loop`).

"Many" is `pages`; "short" is at most `words` words without URL, numbers and dates. Pages with the same words have to be short
where what varies is in the path: manuals stand there long and word for word in many versions, and are worth a look of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unquilt.corpus.capture import CAPTURE, REDIRECT
from unquilt.corpus.current import CURRENT
from unquilt.step import Query, Step
from unquilt.suspects.address import ADDRESS
from unquilt.suspects.bare_text import BARE_TEXT
from unquilt.suspects.not_found import NOT_FOUND
from unquilt.table import Column, Table

SAME_WORDS = Table(
    name="same_words",
    version=1,
    key=("page",),
    sentence="Each row is a page of a host that has many pages with the same words in title and text, but for URLs, numbers and dates.",
    columns=(
        Column("page", "int64", "the page", page=True),
        Column("first_page", "int64", "the page of these words with the smallest number; maybe itself", page=True),
        Column("pages", "int64", "pages of the host with these words"),
        Column("words", "int64", "words of its text, without those"),
    ),
    order=("pages DESC", "first_page"),
)

SUSPECT = Table(
    name="suspect",
    version=1,
    key=("page", "kind", "sign"),
    sentence="Each row is one sign that a page is no page of its own: a soft 404, or one of endlessly many.",
    columns=(
        Column("page", "int64", "the page", page=True),
        Column("kind", "string", "what it seems to be: `soft 404`, `calendar` or `trap`"),
        Column("sign", "string", "which rule says so, as docs/suspects.md names them"),
        Column("found", "string", "the sentence or part of the title; the family of URLs; what follows itself in the URL", nullable=True),
        Column("detail", "string", "where it says so (`title`, `text`); from which month to which", nullable=True),
        Column("pages", "int64", "pages of the host that show it together"),
        Column("first_page", "int64", "one of them, that with the smallest number; maybe itself", page=True),
    ),
    order=("pages DESC", "first_page", "kind", "sign"),
)

REDIRECT_SINK = Table(
    name="redirect_sink",
    version=1,
    key=("target",),
    sentence="Each row is one address to which many different URLs redirect, as the home page of a site that has no 404.",
    columns=(
        Column("target", "string", "where they lead"),
        Column("urls", "int64", "URLs that lead there; http and https count once"),
        Column("example", "string", "one of them, the first in the order of the alphabet"),
    ),
    order=("urls DESC",),
)

# A page that was captured several times, each with an id of its own, is one URL: hence the distinct ones are counted, but only
# where there are enough pages at all.
_SAME_WORDS = """
WITH bare AS (
    SELECT page, server, words, first_half, second_half FROM bare_text JOIN current USING (page) WHERE words > 0 AND server >= 0
), repeated AS (
    SELECT server, first_half, second_half FROM bare GROUP BY server, first_half, second_half HAVING count(*) >= $pages
), member AS (
    SELECT page, server, bare.words, first_half, second_half, url
    FROM bare JOIN repeated USING (server, first_half, second_half) JOIN capture USING (page)
), alike AS (
    SELECT server, first_half, second_half, min(page) AS first_page, count(DISTINCT url) AS pages
    FROM member GROUP BY server, first_half, second_half HAVING count(DISTINCT url) >= $pages
)
SELECT page, first_page, pages, words FROM member JOIN alike USING (server, first_half, second_half) ORDER BY page
"""

# 2629746 seconds are a month on average, 31556952 a year.
_SUSPECT = """
WITH spread AS (
    SELECT first_page, count(DISTINCT coalesce(family, url)) AS addresses
    FROM same_words JOIN capture USING (page) LEFT JOIN address USING (page)
    GROUP BY first_page
), member AS (
    SELECT page, family, varies, month, begins FROM address JOIN current USING (page) WHERE varies IS NOT NULL
), alike AS (
    SELECT family, first_page AS model, count(*) AS pages, min(page) AS first_page
    FROM member JOIN same_words USING (page) GROUP BY family, first_page HAVING count(*) >= $pages
), repeated AS (
    SELECT page, family, varies, alike.pages, alike.first_page
    FROM (SELECT page, family, varies, first_page AS model, words FROM member JOIN same_words USING (page)) AS one
    JOIN alike USING (family, model)
    WHERE varies = 'session' OR family LIKE '%?%' OR words <= $words
), told AS (
    SELECT page, server, place, phrase, words, first_half, second_half
    FROM not_found JOIN current USING (page) JOIN bare_text USING (page)
), told_alike AS (
    SELECT server, first_half, second_half, count(*) AS pages, min(page) AS first_page
    FROM told WHERE server >= 0 GROUP BY server, first_half, second_half
), dated AS (
    SELECT page, family, month, begins, begins - $ahead * 2629746000000 > fetched_at AS ahead
    FROM member JOIN capture USING (page) JOIN bare_text USING (page)
    WHERE month IS NOT NULL AND bare_text.words <= $words
), span AS (
    SELECT family, min(month) AS first_month, max(month) AS last_month, max(begins) - min(begins) AS width,
           count(*) AS pages, min(page) AS first_page,
           count(*) FILTER (WHERE ahead) AS pages_ahead, min(page) FILTER (WHERE ahead) AS first_ahead
    FROM dated GROUP BY family HAVING count(*) >= $pages
)
SELECT page, 'soft 404' AS kind, 'says so' AS sign, phrase AS found, place AS detail,
       coalesce(pages, 1) AS pages, coalesce(first_page, page) AS first_page
FROM told LEFT JOIN told_alike USING (server, first_half, second_half)
WHERE words <= $words OR EXISTS (SELECT 1 FROM same_words WHERE same_words.page = told.page)
UNION ALL
SELECT page, 'soft 404', 'same words', NULL, NULL, pages, first_page
FROM same_words JOIN spread USING (first_page)
WHERE words <= $words AND addresses >= $pages AND NOT EXISTS (SELECT 1 FROM not_found WHERE not_found.page = same_words.page)
UNION ALL
SELECT page, CASE varies WHEN 'date' THEN 'calendar' ELSE 'trap' END,
       CASE varies WHEN 'date' THEN 'same words' WHEN 'number' THEN 'running number' ELSE varies END, family, NULL, pages, first_page
FROM repeated WHERE varies <> 'session' OR page <> first_page
UNION ALL
SELECT page, 'calendar', 'dates ahead', family, 'until ' || last_month, pages_ahead, first_ahead
FROM dated JOIN span USING (family) WHERE ahead AND pages_ahead >= $pages
UNION ALL
SELECT page, 'calendar', 'dates too wide', family, first_month || ' to ' || last_month, span.pages, span.first_page
FROM dated JOIN span USING (family) WHERE width >= $years * 31556952000000
UNION ALL
SELECT page, 'trap', 'loop', loop, NULL, 1, page FROM address JOIN current USING (page) WHERE loop IS NOT NULL
ORDER BY page, kind, sign
"""

_REDIRECT_SINK = """
SELECT target, count(DISTINCT regexp_extract(url, '^[a-z]+:(.*)$', 1)) AS urls, min(url) AS example
FROM redirect WHERE url IS NOT NULL AND target IS NOT NULL AND url <> target
GROUP BY target HAVING count(DISTINCT regexp_extract(url, '^[a-z]+:(.*)$', 1)) >= $pages
ORDER BY target
"""


def steps(params: Mapping[str, Any]) -> list[Step]:
    """`pages`, `words`, `ahead` and `years`, as the method `Suspects` has them."""
    many = {"pages": params["pages"]}
    limits = {name: params[name] for name in ("pages", "words", "ahead", "years")}
    return [
        Query(SAME_WORDS, _SAME_WORDS, (BARE_TEXT, CURRENT, CAPTURE), many),
        Query(SUSPECT, _SUSPECT, (SAME_WORDS, BARE_TEXT, NOT_FOUND, ADDRESS, CURRENT, CAPTURE), limits),
        Query(REDIRECT_SINK, _REDIRECT_SINK, (REDIRECT,), many),
    ]
