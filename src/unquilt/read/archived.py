"""What do records of all archives have in common? URLs, dates, a block that may be too large or cut off, and what is said of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from unquilt.read.bounds import H, Raw
from unquilt.read.dates import microseconds
from unquilt.read.members import Fault
from unquilt.read.record import Found, Limits, Record, Response, Revisit, Skip
from unquilt.read.url import normalised, shown

HTTP_HEAD = 1 << 20  # what a block may have beside the body
HEAD_END = re.compile(rb"\n\r?\n")
STAMP = re.compile(
    r"(\d{4})(?:-?(\d\d)(?:-?(\d\d)(?:[Tt ]?(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)?)?)?)?\s*(?:[Zz]|([+-])(\d\d):?(\d\d))?",
    re.ASCII,
)
CUT_SHORT = frozenset(("truncated", "damaged compression", "record too large"))


class Content(NamedTuple):
    """Of a block what is kept. `missing` says why it is not all of it."""

    block: bytes
    missing: str | None
    skips: tuple[Skip, ...]


def content(raw: Raw[H], http: bool, url: str | None, limits: Limits) -> Content:
    block, size = raw.block or (b"", 0)
    limit = limits.body_bytes + (_head_size(block) if http and size > limits.body_bytes else 0)
    fault = raw.fault
    if size > limit:
        skips = [Skip("body too large", f"{size:,} bytes, the first {limit:,} were read", "body", url)]
        if fault is not None and fault.reason != "record too large":
            skips.append(Skip(fault.reason, fault.detail, "body", url))
        return Content(block[:limit], "body too large", tuple(skips))
    if fault is None:
        return Content(block, None, ())
    short = fault.reason in CUT_SHORT or (raw.head is not None and size < (raw.head.length or 0))
    return Content(block, fault.reason if short else None, (Skip(fault.reason, fault.detail, "body", url),))


def without_content(raw: Raw[H]) -> Found:
    """For what is no record, or has no whole head."""
    return Found(raw.offset, raw.length, None, (left_out(raw.fault),) if raw.fault is not None else ())


def left_out(fault: Fault, url: str | None = None) -> Skip:
    return Skip(fault.reason, fault.detail, url=url)


def other(raw: Raw[H], reason: str, detail: str | None, url: str | None) -> Found:
    """A record of a kind that is not read; where it lies wrong, that is said too."""
    wrong = [Skip(raw.fault.reason, raw.fault.detail, "other", url)] if raw.fault is not None else []
    return Found(raw.offset, raw.length, None, (Skip(reason, detail, "other", url), *wrong))


def found(raw: Raw[H], record: Record | Response | Revisit, *skips: Sequence[Skip]) -> Found:
    return Found(raw.offset, raw.length, record, tuple(skip for some in skips for skip in some))


def url_of(value: bytes | None, limits: Limits) -> tuple[str | None, tuple[Skip, ...]]:
    if not value:
        return None, (Skip("no URL", None, "url"),)
    if len(value) > limits.url_bytes:
        return None, (Skip("URL not understood", f"{len(value):,} bytes, the limit is {limits.url_bytes:,}", "url"),)
    text = words(value)
    url = normalised(text)
    return url, () if url is not None else (Skip("URL not understood", shown(text[:1000])[:200], "url"),)


def date_of(value: bytes | None, field: str, url: str | None) -> tuple[int | None, tuple[Skip, ...]]:
    if not value:
        return None, ()
    text = words(value[:100])
    when = stamp(text)
    return when, () if when is not None else (Skip("date not understood", text, field, url),)


@lru_cache(maxsize=64)
def stamp(text: str) -> int | None:
    """Microseconds since 1970 of a date in ISO 8601, or of its digits alone; what is not said of it is the begin of the year, the day."""
    match = STAMP.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second, fraction, sign, *zone = match.groups()
    ahead = timedelta(hours=int(zone[0]), minutes=int(zone[1])) if sign else timedelta()
    try:
        when = datetime(int(year), int(month or 1), int(day or 1), int(hour or 0), int(minute or 0), min(int(second or 0), 59), tzinfo=UTC)
        when += timedelta(microseconds=int((fraction or "")[:6].ljust(6, "0")))
        return microseconds(when + ahead if sign == "-" else when - ahead)
    except (ValueError, OverflowError):
        return None


def words(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _head_size(block: bytes) -> int:
    match = HEAD_END.search(block, 0, HTTP_HEAD)
    return match.end() if match else 0
