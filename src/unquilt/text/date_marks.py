"""Which dates does a page declare: in its address, in its head, and on its elements?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from unquilt.text.date_clue import Clue, Rank, Reading
from unquilt.text.date_label import label_of
from unquilt.text.date_text import PUBLISHED_BY_NAME, changed_by_name
from unquilt.text.dates import LONGEST
from unquilt.text.heading import Heading, letters
from unquilt.text.html import BEGIN, END
from unquilt.text.json_ld import MODIFIED, stated_dates

if TYPE_CHECKING:
    from unquilt.text.html import HtmlPage

# Names as the web writes them, without their separators.
_PUBLISHED = frozenset(
    """
    articlepublishedtime articlepublished ogarticlepublishedtime ogpublishedtime publishedtime datepublished pubdate publishdate
    publisheddate publicationdate articlepubdate articledate articledateoriginal parselypubdate sailthrudate dcdateissued
    dctermsissued dcissued dcdatecreated dctermscreated dccreated dcdatepublished dctermsdate dcdate dcdatesubmitted
    citationpublicationdate citationonlinedate citationdate bepresscitationdate eprintsdate prismpublicationdate
    cxenseparserecspublishtime cxenserecspublishtime rbpubdate displaydate dateissued dateposted postdate publicationdatetime
    firstpublished articlecreated originalpublicationdate
    """.split()
)
_CHANGED = re.compile(r"modif|updat|revis|lastmod|moddate")
_SPEAKING = re.compile(r"publi|pubdate|issued|posted|upload|created|^timestamp$|date$")
_NOT_OF_PAGES = re.compile(
    r"expir|valid|until|event|start|end|birth|app|site|verif|build|cache|copyright|image|url|description|title|publisher"
)
_OF_VIDEOS = "uploaddate"
_LONGEST_NAME = 100
_OWN_ADDRESS = ("canonical", "og:url")
_DESCRIPTIONS = ("description", "og:description")
_PREFIX = re.compile(r"(?:schema|sioc|xhv):")
_SEPARATORS = str.maketrans("", "", "-_.: /")

_DAY_IN_PATH = re.compile(
    r"(?<!\d)(?<!\d-)((?:19|20)\d\d)(?:[-_.](\d{1,2})[-_.](\d{1,2})(?!\d)|/(\d{1,2})/(\d{1,2})(?=[/?#]|$)|/(\d\d)-?(\d\d)(?=[/?#]|$))",
    re.ASCII,
)
_COMPACT_IN_PATH = re.compile(r"(?<!\d)((?:19|20)\d\d)(0[1-9]|1[0-2])([0-3]\d)(?!\d)", re.ASCII)
_REVERSED_IN_PATH = re.compile(r"(?<!\d)(?<!\d-)\d{1,2}([-_.])\d{1,2}\1(?:19|20)\d\d(?!\d)", re.ASCII)


def of_url(url: str, reading: Reading, detail: str = "path") -> Iterator[Clue]:
    """`/2019/11/19/`, `/2019-11-19-`, `/20191119`, `-19-11-2019-` in the path."""
    path = url[:2000].partition("//")[2].partition("/")[2]
    for pattern in (_DAY_IN_PATH, _COMPACT_IN_PATH):
        day = pattern.search(path)
        written = reading.value("-".join(part for part in day.groups() if part)) if day else None
        if day and written:
            yield Clue(Rank.URL, "url", detail, day[0], written)
            return
    day = _REVERSED_IN_PATH.search(path)
    written = reading.value(day[0].replace("_", "-")) if day else None
    if day and written:
        yield Clue(Rank.URL_REVERSED, "url", detail, day[0], written)


def of_facts(page: HtmlPage, heading: Heading, reading: Reading) -> Iterator[Clue]:
    """What the head and the elements declare, in their order."""
    for kind, name, value in page.facts:
        if name in _OWN_ADDRESS:
            yield from of_url(value, reading, name)
        elif kind == "meta" or kind == "itemprop":
            meaning = _meaning(kind, name) if value and len(name) <= _LONGEST_NAME else None
            if meaning is not None:
                yield from _of_property(meaning, kind, name, value, reading)
        elif kind == "json-ld":
            yield from _of_json_ld(value, heading, reading)
        elif kind == "time" or kind == "abbr":
            yield from _of_element(page, kind, int(name), value, heading, reading)
        elif kind == "http-equiv" and name == "last-modified":
            written = reading.value(value)
            if written:
                yield Clue(Rank.WEAK, "meta", name, value, written, True)


def _of_property(meaning: tuple[Rank, bool], kind: str, name: str, value: str, reading: Reading) -> Iterator[Clue]:
    rank, changed = meaning
    source = "microdata" if kind == "itemprop" else "open graph" if name.startswith(("og:", "article:")) else "meta"
    if rank == Rank.IMAGE:
        yield from (clue._replace(rank=rank, source=source, detail=name) for clue in of_url(value, reading))
    elif rank == Rank.FAR_LABELLED:
        value = value[:LONGEST].strip()
        written = reading.value(value)
        if written and label_of(value, written.begin, written.end) == "published":
            yield Clue(rank, source, name, value[written.begin : written.end], written)
    else:
        written = reading.value(value) if len(value) <= LONGEST else None
        if written:
            yield Clue(rank, source, name, value, written, changed)


@lru_cache(4096)
def _meaning(kind: str, name: str) -> tuple[Rank, bool] | None:
    """How much the property of a name is worth, and whether it says modified; None: it is no date, or not the page's."""
    if name == "og:image" or name in _DESCRIPTIONS:
        return Rank.IMAGE if name == "og:image" else Rank.FAR_LABELLED, False
    key = _PREFIX.sub("", name).translate(_SEPARATORS)
    if key in _PUBLISHED:
        return Rank.MICRODATA if kind == "itemprop" else Rank.META, False
    if _NOT_OF_PAGES.search(key):
        return None
    if _CHANGED.search(key):
        return Rank.WEAK, True
    if _SPEAKING.search(key):
        return Rank.WEAK if key == _OF_VIDEOS else Rank.PLAIN_META, False
    return None


def _of_json_ld(text: str, heading: Heading, reading: Reading) -> Iterator[Clue]:
    for stated in stated_dates(text):
        written = reading.value(stated.value)
        if written:
            headline = letters(stated.headline)
            other = bool(headline and heading.titles) and not any(headline in title or title in headline for title in heading.titles)
            rank = Rank.JSON_LD if stated.article < 2 and stated.key == "datePublished" else Rank.WEAK
            yield Clue(rank, "json-ld", stated.key, stated.value, written, stated.key in MODIFIED, 3 * other + stated.article)


def _of_element(page: HtmlPage, kind: str, row: int, value: str, heading: Heading, reading: Reading) -> Iterator[Clue]:
    written = reading.value(value)
    if written is None or heading.apart(row):
        return
    detail = "title" if kind == "abbr" else "datetime"
    if row < 0:
        yield Clue(Rank.WEAK, kind, detail, value, written)
        return
    begin, end = int(page.elements[row, BEGIN]), int(page.elements[row, END])
    names = page.names[row]
    changed = changed_by_name(names) or label_of(page.text, begin, begin) == "modified"
    rank = Rank.FAR if not heading.near(begin, end) else Rank.ELEMENT if PUBLISHED_BY_NAME.search(names) else Rank.NAMED
    yield Clue(rank, kind, detail, value, written, changed, heading.distance(begin, end))
