"""Does a file end where it should? What breaks off says so of itself, beside what is wrong with its last record.

A record that is left out counts as one. Behind the place where a file was cut off or is damaged nobody knows how many there were.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from unquilt.read.record import Found, Skip

LOST = "part of the file is lost"
REST_LOST = "the rest of the file is lost"  # as readers of what is no archive end the detail
DAMAGED = "damaged compression"
"""Wherever it is in an archive, nobody knows how many records lay behind."""
CUT_OFF = frozenset(("truncated", DAMAGED))
"""What the last record of an archive says where the archive was cut off there."""
ROWS_LOST = "damaged Parquet"


def marked(founds: Iterable[Found], *, archives: bool) -> Iterator[Found]:
    """The founds, with a skip for the file on those with which a part of it is lost. `archives`: it holds records of such."""
    last: Found | None = None  # it may be the last of its file, and then is one to be marked
    for found in founds:
        if last is not None:
            yield _lost(last) if found.file != last.file else last
            last = None
        if any(_says_so(skip) or (archives and skip.reason == DAMAGED) for skip in found.skips):
            found = _lost(found)
        elif archives and any(skip.reason in CUT_OFF for skip in found.skips):
            last = found
            continue
        yield found
        del found  # it may be most of the memory there is
    if last is not None:
        yield _lost(last)


def _says_so(skip: Skip) -> bool:
    return skip.reason == ROWS_LOST or (skip.detail or "").endswith(REST_LOST)


def _lost(found: Found) -> Found:
    why = next(s for s in found.skips if s.reason in (*CUT_OFF, ROWS_LOST) or _says_so(s))
    return replace(found, skips=(*found.skips, Skip(LOST, f"{why.reason}: {why.detail or ''}"[:200].rstrip(": "), "file")))
