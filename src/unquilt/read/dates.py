"""Dates as inputs write them: ISO 8601 and seconds since 1970. Whatever else there is, is not guessed."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


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
    if isinstance(value, str):
        try:
            return _of(datetime.fromisoformat(value.strip()))
        except (ValueError, OverflowError):
            return None
    return None


def iso(value: int | None) -> str | None:
    """`2026-03-01T12:00:00Z` of microseconds since 1970."""
    if value is None:
        return None
    try:
        when = EPOCH + value * MICROSECOND
    except OverflowError:
        return None
    return when.isoformat(timespec="auto").replace("+00:00", "Z")


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
