"""Which moment does a date of an input name? ISO 8601, the fourteen digits of web archives, seconds since 1970; else none.

Nothing is guessed: `01/03/2009` names two days, 31 April none, and a number of milliseconds would be a year far ahead.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)

# Python's own reader of ISO 8601 takes any character between day and time, and names of weeks as their first day.
_ISO = re.compile(
    r"(\d{4}-\d\d-\d\d|\d{8})(?:[T ](\d\d(?::?\d\d(?::?\d\d(?:[.,]\d{1,12})?)?)?)(?: ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?))?)?", re.ASCII
)
_DIGITS = re.compile(r"(\d{8})(\d{6})", re.ASCII)


def microseconds(value: object) -> int | None:
    """Microseconds since 1970 in UTC; a date without a zone is taken as UTC. None: not understood."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return _seconds(value)
    if isinstance(value, datetime):
        return _of(value)
    if isinstance(value, date):
        return _of(datetime.combine(value, time()))
    return _written(value.strip()) if isinstance(value, str) else None


def iso(value: int | None) -> str | None:
    """`2026-03-01T12:00:00Z` of microseconds since 1970."""
    if value is None:
        return None
    try:
        when = EPOCH + value * MICROSECOND
    except OverflowError:
        return None
    return when.isoformat(timespec="auto").replace("+00:00", "Z")


def _written(text: str) -> int | None:
    shape = _ISO.fullmatch(text) or _DIGITS.fullmatch(text)
    if shape is None:
        return None
    day, time_of_day, zone = (*shape.groups(), None)[:3]
    if zone and zone[:1] in "+-" and (zone[1:3] > "14" or zone[-2:] > "59"):
        return None
    try:
        return _of(datetime.fromisoformat(f"{day}T{time_of_day or '00'}{'Z' if zone in ('UTC', 'GMT') else zone or ''}"))
    except ValueError:
        return None


def _of(when: datetime) -> int | None:
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    try:
        return (when - EPOCH) // MICROSECOND
    except OverflowError:
        return None


def _seconds(value: float) -> int | None:
    try:
        result = int(value * 1_000_000)
    except (ValueError, OverflowError):
        return None
    return result if iso(result) is not None else None
