"""Which day does a piece of text name? Dates as pages write them; what is not surely a date is none.

A date has day, month and a year of four digits. Impossible ones (2009-03-65) and years of two digits are refused, and so is
`04/03/2020` unless the caller says which number is the day (`dayfirst`) or one of them can only be that.
`at` is the moment where an offset is written beside the time; otherwise the written day and time taken as if they were UTC.
`day` is the day as written, whatever the offset.
"""

# ruff: noqa: RUF001 - letters of many scripts look alike

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from unquilt.text.months import month

LONGEST = 200
"""Characters of a value that are looked at."""
_WINDOW, _CLOSE = 48, 12
_MOST_MARKS = 200
_FIRST_YEAR, _LAST_YEAR = 1000, 2400
_EPOCH = date(1970, 1, 1).toordinal()
_DAY = 86_400_000_000

# Every quantifier is bounded and every pattern is tried at one place or in a window: no text makes them slow.
# Years begin with a one or a two, Latin, Arabic, Persian, Devanagari, Bengali, Thai or of full width: what is looked for first is fast.
_YEAR = re.compile(r"[12\u0661\u0662\u06f1\u06f2\u0967\u0968\u09e7\u09e8\u0e51\u0e52\uff11\uff12]\d{3}(?!\d)")
_WORD = r"((?:كانون |تشرين )?[^\W\d_][^\s\d.,:;/|()<>\[\]{}–—-]{2,15}|[\u0e01-\u0edf]{1,4}\.[\u0e01-\u0edf]{1,2})"
_DIGIT = re.compile(r"\d")
_BIG_ENDIAN = re.compile(r"\s?([-/.|])\s?(\d{1,2})\s?\1\s?(\d{1,2})(?!\d)")
_IDEOGRAPHS = re.compile(r"\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일號号]?")
_NAME_AFTER = re.compile(rf"(?:\.? gada| m\.|ko| оны| жылғы|[.,/-])?[^\S\n]?(?:(\d{{1,2}})\.?\s)?{_WORD}[.,]?[\s/-]?(?:(\d{{1,2}})(?!\d))?")
_NUMBERS_BEFORE = re.compile(r"(?<![\d.,/|-])(\d{1,2})\s?([-/.|])\s?(\d{1,2})\s?\2\s?$")
_DAY_NAME_BEFORE = re.compile(
    rf"(?<![\d.,:])(\d{{1,2}})(?:\.?(?:st|nd|rd|th|er|º|ª|°|:e|-е|-го))?[.,]?(?:\s?[-/]|\s?(?:d['’]|de |of |del |ta['’] ?|a ))?\s?{_WORD}"
    r"[.,]?(?:\s?[-/]|,?\s(?:de |del |of |г\. )?)?\s?$"
)
_NAME_DAY_BEFORE = re.compile(rf"{_WORD}[.,]?[\s/-]\s?(\d{{1,2}})(?:st|nd|rd|th)?(?:[,.]?\s{{1,2}}(?:of )?|[/-]|,\s?(?:at )?)$")
_NAMED_BEFORE = ((_DAY_NAME_BEFORE, 1, 2), (_NAME_DAY_BEFORE, 2, 1))
_VIETNAMESE_BEFORE = re.compile(r"(?<!\d)(\d{1,2})\s?(?:tháng|thg)\s?(\d{1,2})(?:\s?,|\s?năm)?\s?$", re.IGNORECASE)
_CLOCK_BEFORE = re.compile(rf"{_WORD} {{1,2}}(\d{{1,2}}) (\d\d):(\d\d):(\d\d) (?:([A-Z]{{1,5}}|[+-]\d{{4}}) )?$")
_TIME = re.compile(
    r"(?:T|\s?[,;|·•@–—-]\s?|\s|\s?,?\s(?:um|at|à|às|a las|kl\.?|klo|ore|alle|alle ore|о|в|u|saat)\s)"
    r"(\d{1,2})(?:[:.h]|\sh\s)(\d\d)(?!\d)(?:[:.](\d\d?)(?:[.,](\d{1,9}))?)?(?:\s?([AaPp])\.?[Mm]\b\.?)?"
    r"(?:\s?(Z\b|(?:UTC|GMT)\s?[+-]\d\d?(?::?\d\d)?(?!\d)|[+-]\d\d(?::?\d\d)?(?!\d)|[A-Z]{3,4}\b))?"
)
_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T?(\d\d)(\d\d)(\d\d)?(Z|[+-]\d\d:?\d\d)?)?(?!\d)", re.ASCII)
_SECONDS = re.compile(r"(\d{10})(\d{3})?$", re.ASCII)
_SIGNED = re.compile(r"([+-])(\d\d?):?(\d\d)?$")
_SHORT_YEAR = re.compile(r"(?<!\d)(\d\d?)-([A-Za-z]{3})-(\d\d)(?= \d\d:)", re.ASCII)
_CENTURY = 70
"""In HTTP dates of two digits the first year of the last century: such dates are as old as the web at most."""
# The zones of RFC 2822, and Central Europe's.
_ZONES = {
    "Z": 0,
    "UT": 0,
    "UTC": 0,
    "GMT": 0,
    "EST": -300,
    "EDT": -240,
    "CST": -360,
    "CDT": -300,
    "MST": -420,
    "MDT": -360,
    "PST": -480,
    "PDT": -420,
}
_ZONES |= {"CET": 60, "CEST": 120}


class Written(NamedTuple):
    """A date that was read between `begin` and `end`."""

    begin: int
    end: int
    day: str
    at: int
    offset: int | None = None
    """Minutes east of Greenwich, where that is written."""


def dates_in(text: str, *, dayfirst: bool | None = None, language: str | None = None, most: int = 50) -> list[Written]:
    """The dates written in `text`, in order, at most `most`."""
    found: list[Written] = []
    behind = 0
    for year in _YEAR.finditer(text):
        begin = year.start()
        if begin and text[begin - 1].isdecimal():
            continue
        one = _around(text, begin, year.end(), dayfirst, language)
        if one is not None and one.begin >= behind:
            found.append(one)
            behind = one.end
            if len(found) == most:
                break
    return found


def date_of(value: str, *, dayfirst: bool | None = None, language: str | None = None) -> Written | None:
    """The date of a value that is there to give one: also `20200218T101500Z` and seconds or milliseconds since 1970."""
    value = value[:LONGEST].strip()
    compact = _COMPACT.match(value)
    if compact:
        return _written(0, compact.end(), int(compact[1]), int(compact[2]), int(compact[3]), _clock(*compact.group(4, 5, 6)), compact[7])
    seconds = _SECONDS.match(value)
    if seconds:
        at = int(seconds[1]) * 1_000_000 + int(seconds[2] or 0) * 1000
        return Written(0, seconds.end(), date.fromordinal(_EPOCH + at // _DAY).isoformat(), at, 0)
    dates = dates_in(value, dayfirst=dayfirst, language=language, most=1)
    return dates[0] if dates else None


def http_date(value: str) -> int | None:
    """Microseconds since 1970 of the value of a header like `Last-Modified`.

    The three forms of HTTP, `Tue, 18 Feb 2020 10:15:00 GMT`, `Tuesday, 18-Feb-20 10:15:00 GMT` and `Tue Feb 18 10:15:00 2020`, and
    the others that servers send: with an offset, without a zone (which is taken for UTC), ISO 8601, seconds since 1970.
    """
    written = date_of(_SHORT_YEAR.sub(_with_century, value[:LONGEST], count=1), dayfirst=None, language="en")
    return written.at if written else None


def _with_century(short: re.Match[str]) -> str:
    return f"{short[1]} {short[2]} {'19' if int(short[3]) >= _CENTURY else '20'}{short[3]}"


def order_in(text: str) -> bool | None:
    """True: a date like 18/02/2020 is in the text; False: one like 02/18/2020; None: neither, or both."""
    orders: set[bool] = set()
    for mark in ("/20", "/19", "-20", "-19"):
        at = text.find(mark)
        for _ in range(_MOST_MARKS):
            if at < 0 or len(orders) == 2:
                break
            numbers = _NUMBERS_BEFORE.search(text, max(0, at - 12), at + 1)
            if numbers and (int(numbers[1]) > 12) != (int(numbers[3]) > 12):
                orders.add(int(numbers[1]) > 12)
            at = text.find(mark, at + 3)
    return orders.pop() if len(orders) == 1 else None


def _around(text: str, begin: int, end: int, dayfirst: bool | None, language: str | None) -> Written | None:
    year = int(text[begin:end])
    if 2400 < year < 2600 and (language == "th" or "\u0e01" <= max(text[max(0, begin - 20) : begin], default="") <= "\u0e5b"):
        year -= 543
    return (
        _big_endian(text, begin, end, year)
        or _before(text, begin, end, year, dayfirst, language)
        or _name_after(text, begin, end, year, language)
    )


def _big_endian(text: str, begin: int, end: int, year: int) -> Written | None:
    numbers = _BIG_ENDIAN.match(text, end)
    if numbers:
        return _in_text(text, begin, numbers.end(), year, int(numbers[2]), int(numbers[3]))
    numbers = _IDEOGRAPHS.match(text, end)
    return _in_text(text, begin, numbers.end(), year, int(numbers[1]), int(numbers[2])) if numbers else None


def _name_after(text: str, begin: int, end: int, year: int, language: str | None) -> Written | None:
    named = _NAME_AFTER.match(text, end)
    number = month(named[2], language) if named and (named[1] or named[3]) else None
    return _in_text(text, begin, named.end(), year, number, int(named[1] or named[3])) if named and number else None


def _before(text: str, begin: int, end: int, year: int, dayfirst: bool | None, language: str | None) -> Written | None:
    """The rest of a date that ends with its year. Most years are of none, and have no number close in front of them."""
    start = max(0, begin - _WINDOW)
    window = text[start:begin]
    close = _DIGIT.search(window, max(0, len(window) - _CLOSE)) is not None
    numbers = _NUMBERS_BEFORE.search(window) if close else None
    if numbers:
        pair = _day_and_month(int(numbers[1]), int(numbers[3]), numbers[2] == "." or dayfirst)
        return _in_text(text, start + numbers.start(), end, year, pair[1], pair[0]) if pair else None
    for pattern, day, name in _NAMED_BEFORE if close else _NAMED_BEFORE[:1]:
        named = pattern.search(window)
        number = month(named[name], language) if named else None
        if named and number:
            return _in_text(text, start + named.start(), end, year, number, int(named[day]))
    return _otherwise_before(window, start, text, end, year, language) if close else None


def _otherwise_before(window: str, start: int, text: str, end: int, year: int, language: str | None) -> Written | None:
    """`18 tháng 2 năm`, `Feb 18 10:15:00 CET`."""
    numbers = _VIETNAMESE_BEFORE.search(window)
    if numbers:
        return _in_text(text, start + numbers.start(), end, year, int(numbers[2]), int(numbers[1]))
    clock = _CLOCK_BEFORE.search(window)
    number = month(clock[1], language) if clock else None
    if clock and number:
        return _written(start + clock.start(), end, year, number, int(clock[2]), _clock(*clock.group(3, 4, 5)), clock[6])
    return None


def _day_and_month(first: int, second: int, dayfirst: bool | None) -> tuple[int, int] | None:
    if first > 12 or second > 12:
        return (first, second) if first > 12 else (second, first)
    if dayfirst is None:
        return (first, second) if first == second else None
    return (first, second) if dayfirst else (second, first)


def _in_text(text: str, begin: int, end: int, year: int, number: int, day: int) -> Written | None:
    time = _TIME.match(text, end)
    if time is None:
        return _written(begin, end, year, number, day)
    clock = _clock(*time.group(1, 2, 3), fraction=time[4], half=time[5])
    return _written(begin, time.end(), year, number, day, clock, time[6])


def _written(begin: int, end: int, year: int, number: int, day: int, clock: int | None = None, zone: str | None = None) -> Written | None:
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        return None
    try:
        when = date(year, number, day)
    except ValueError:
        return None
    offset = _offset(zone) if zone and clock is not None else None
    at = (when.toordinal() - _EPOCH) * _DAY + (clock or 0) - (offset or 0) * 60_000_000
    return Written(begin, end, when.isoformat(), at, offset)


def _clock(hour: str | None, minute: str | None, second: str | None, *, fraction: str | None = None, half: str | None = None) -> int | None:
    """Microseconds after the written day's beginning; None where that is no time."""
    hours, minutes, seconds = int(hour or 0), int(minute or 0), int(second or 0)
    if half:
        hours = hours % 12 + (12 if half in "Pp" else 0)
    if hour is None or hours > 23 or minutes > 59 or seconds > 60:
        return None
    return ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + int((fraction or "0")[:6].ljust(6, "0"))


def _offset(zone: str) -> int | None:
    """Minutes east of Greenwich; None: the letters mean this in one country and that in the next."""
    signed = _SIGNED.search(zone)
    if signed is None:
        return _ZONES.get(zone)
    minutes = int(signed[2]) * 60 + int(signed[3] or 0)
    return None if minutes > 14 * 60 else -minutes if signed[1] == "-" else minutes
