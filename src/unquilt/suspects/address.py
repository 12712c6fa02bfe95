"""What varies in a URL? Dates, running numbers, sessions and parameters give way to names in braces: its family."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING

from unquilt.corpus.capture import CAPTURE
from unquilt.step import Around, Map, MapReduce, Rows, Step
from unquilt.table import Column, Table

if TYPE_CHECKING:
    import pyarrow as pa

ADDRESS = Table(
    name="address",
    version=1,
    key=("page",),
    sentence="Each row says what varies in the URL of one capture; URLs in which nothing does have none.",
    columns=(
        Column("page", "int64", "the capture", page=True),
        Column("family", "string", "its URL with names in braces for what varies"),
        Column(
            "varies",
            "string",
            "what does: `date`, `session`, `parameter`, `number`; the first of these; null for a loop alone",
            nullable=True,
        ),
        Column("month", "string", "year and month of the date in it, as 2014-05", nullable=True),
        Column("begins", "int64", "when that month begins, microseconds since 1970, UTC", nullable=True),
        Column("loop", "string", "what follows itself again and again in it, and how often", nullable=True),
    ),
)

DATE, SESSION, PARAMETER, NUMBER = "date", "session", "parameter", "number"
MANY_PARAMETERS = 3
"""From so many on, any subset of a page's parameters may come in any order: their names do not tell families apart."""

Month = tuple[int, int]
_1970 = date(1970, 1, 1).toordinal()
_DAY = 86_400_000_000
_MONTHS = {m: n for n, m in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
_MONTH_NAME = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
# A month without a zero before it counts with a day only: /2034/5 may be page 5 of topic 2034. Digits without a gap count
# behind a word for it: there are more numbers of six and eight digits than days.
_YEAR = r"(1[89]\d\d|2[01]\d\d)"
_SOLID = rf"{_YEAR}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])?(?!\d)"
_IN_PATH = re.compile(
    rf"(?<![\d.]){_YEAR}(?:([/_.\-])(0[1-9]|1[0-2]|{_MONTH_NAME})(?![\da-z])(?:\2([0-3]?\d)(?!\d))?|([/_.\-])([1-9])\5([0-3]?\d)(?!\d))"
    rf"|(?<=[a-z][/_\-]){_SOLID}",
    re.IGNORECASE,
)
_WORD_FOR_IT = re.compile(
    r"(?:archives?|cal|calendar|calendario|calendrier|kalender|agenda|events?|date|days?|months?|schedule|termine)[/_\-]\Z", re.IGNORECASE
)
_WITH_GAPS = re.compile(r"(\d{4})[/.\-](1[0-2]|0?[1-9])(?:[/.\-][0-3]?\d)?(?:T[\d:.%A-Z+\-]*)?")
_WITHOUT = re.compile(_SOLID)
_DATES = frozenset("m ym month date day d dt dato datum fecha data from to start end begin since until cal calendar archive".split())
_YEARS = frozenset("yr year jahr annee ano anno rok god yyyy cal_year calyear".split())
_SHORT_YEARS = frozenset(("y", "yy"))
_IS_MONTH = frozenset("m mo mon month monat mois mes mese mm cal_month calmonth".split())
_IS_DAY = frozenset("d day tag jour dia giorno dd cal_day calday".split())
_SESSIONS = frozenset(
    "s sid sess session sessid sessionid session_id phpsessid jsessionid aspsessionid osid oscsid zenid cfid cftoken xtcsid sesskey".split()
)
_SHORT_SESSIONS = frozenset(("s", "sid"))
_SESSION_IN_PATH = re.compile(
    r";jsessionid=[^/;]*|(?<=/)\([A-Z]\([^/()]*\)\)(?=/)|(?<=/)(?:[0-9a-f]{24,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?=/|$)",
    re.IGNORECASE,
)
_LOOKS_LIKE_SESSION = re.compile(r"(?=[^\d]*\d)(?=[^a-z]*[a-z])[0-9a-z\-]{20,}", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True)
class Address:
    family: str
    varies: str | None
    month: Month | None
    loop: str | None


def address(url: str, repeats: int = 3) -> Address | None:
    """None where nothing varies. `repeats`: so often in a row is a loop."""
    start = url.find("/", url.find("//") + 2)
    if start < 0:
        return None
    before, mark, query = url.partition("?")
    origin, path = before[:start], before[start:]
    loop = _loop_of_path(path, repeats) or (_loop_of_query(query, repeats) if query else None)
    kinds: set[str] = set()
    path, month = _path(path, kinds)
    if query:
        query, dated = _query(query, kinds)
        month = dated if month is None else month
    if month is not None:
        kinds.add(DATE)
    varies = next((kind for kind in (DATE, SESSION, PARAMETER, NUMBER) if kind in kinds), None)
    if varies is None and loop is None:
        return None
    return Address(f"{origin}{path}{mark}{query}", varies, month, loop)


def _path(path: str, kinds: set[str]) -> tuple[str, Month | None]:
    if ";" in path or "(" in path or len(path) > 24:
        path, found = _SESSION_IN_PATH.subn("{session}", path)
        if found:
            kinds.add(SESSION)
    match = _IN_PATH.search(path)
    if match is None or (match[8] and not _WORD_FOR_IT.search(path, max(0, match.start() - 16), match.start())):
        return _numbers(path, kinds), None
    year, month = match[1] or match[8], match[3] or match[6] or match[9]
    day = "{day}" if match[4] or match[7] or match[10] else ""
    gap = match[2] or match[5] or ""
    dated = gap.join(part for part in ("{year}", "{month}", day) if part)
    number = int(month) if month.isdecimal() else _MONTHS[month[:3].lower()]
    return _numbers(path[: match.start()], kinds) + dated + _numbers(path[match.end() :], kinds), (int(year), number)


def _numbers(text: str, kinds: set[str]) -> str:
    text, found = _DIGITS.subn("{n}", text)
    if found:
        kinds.add(NUMBER)
    return text


def _query(query: str, kinds: set[str]) -> tuple[str, Month | None]:
    """The names of the parameters in order of the alphabet, each with what its value is."""
    year: int | None = None
    alone = False
    month: int | None = None
    dated: Month | None = None
    shown: list[str] = []
    free = 0
    for pair in query.replace(";", "&").split("&"):
        name, _, value = pair.partition("=")
        low = name.lower()
        whole = _WITH_GAPS.fullmatch(value) or (_WITHOUT.fullmatch(value) if low in _DATES else None)
        if low in _SESSIONS and not (low in _SHORT_SESSIONS and not _LOOKS_LIKE_SESSION.fullmatch(value)):
            kinds.add(SESSION)
            what = "{session}"
        elif whole is not None and 1800 <= int(whole[1]) < 2200:
            dated = (int(whole[1]), int(whole[2]))
            what = "{date}"
        elif (low in _YEARS or low in _SHORT_YEARS) and value.isdecimal() and len(value) <= 4:
            year, alone, what = int(value), low in _YEARS, "{year}"
        elif low in _IS_MONTH and value.isdecimal() and 1 <= int(value[:4]) <= 12:
            month, what = int(value[:4]), "{month}"
        elif low in _IS_DAY and value.isdecimal() and len(value) <= 2:
            what = "{day}"
        elif _LOOKS_LIKE_SESSION.fullmatch(value):
            kinds.add(SESSION)
            what = "{session}"
        elif value.isdecimal():
            kinds.add(NUMBER)
            what, free = "{n}", free + 1
        else:
            kinds.add(PARAMETER)
            what, free = "{value}", free + 1
        shown.append(f"{name}={what}")
    if dated is None and year and (month or alone):
        dated = (year, month or 1)
    elif dated is None and (year is not None or month is not None):
        kinds.add(NUMBER)
    if free >= MANY_PARAMETERS:
        kinds.add(PARAMETER)
        return "{parameters}", dated
    return "&".join(sorted(shown)), dated


@lru_cache(maxsize=8)
def _again(repeats: int) -> re.Pattern[str]:
    """One to four segments that follow themselves; the group has the number of their width."""
    return re.compile("|".join(_followed(width, repeats) for width in range(1, 5)))


def _followed(width: int, repeats: int) -> str:
    """Segments of digits alone do not count: tiles of maps, dates."""
    digits, segments = rf"(?:/\d++){{{width}}}(?![^/])", rf"(?:/[^/]++){{{width}}}"
    return rf"(?!{digits})({segments})\{width}{{{repeats - 1},}}(?![^/])"


def _loop_of_path(path: str, repeats: int) -> str | None:
    match = _again(repeats).search(path) if path.count("/") >= repeats else None
    return f"{len(match[0]) // len(match[match.lastindex])} times {match[match.lastindex]}" if match and match.lastindex else None


def _loop_of_query(query: str, repeats: int) -> str | None:
    if query.count("&") + 1 < repeats:
        return None
    pair, times = Counter(p for p in query.split("&") if p).most_common(1)[0] if query.strip("&") else ("", 0)
    return f"{times} times {pair}" if times >= repeats else None


def _addresses(batch: pa.RecordBatch, around: Around) -> Iterable[Rows]:
    repeats = around.params["repeats"]
    pages: list[int] = []
    found: list[Address] = []
    for page, url in zip(batch.column("page").to_pylist(), batch.column("url").to_pylist(), strict=True):
        one = address(url, repeats) if url is not None else None
        if one is not None:
            pages.append(page)
            found.append(one)
    yield Rows(
        ADDRESS.name,
        ADDRESS.batch(
            page=pages,
            family=[a.family for a in found],
            varies=[a.varies for a in found],
            month=[f"{a.month[0]:04}-{a.month[1]:02}" if a.month else None for a in found],
            begins=[_begins(*a.month) if a.month else None for a in found],
            loop=[a.loop for a in found],
        ),
    )


@lru_cache(maxsize=1 << 12)
def _begins(year: int, month: int) -> int:
    return (date(year, month, 1).toordinal() - _1970) * _DAY


def step(repeats: int) -> Step:
    return MapReduce(
        tables=(ADDRESS,),
        input=CAPTURE,
        columns=("page", "url"),
        map=Map("addresses", 1, _addresses),
        params={"repeats": repeats},
    )
