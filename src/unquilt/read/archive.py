"""Which page does each record of a web archive hold? WARC and ARC, whichever it is by its first bytes, compressed or not.

Pages are responses, resources, and texts that others made of them (WET). Revisits are kept as such. All other records are
listed as `other`; everything that is no record, or not a whole one, has its reason and its place.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from unquilt.read.arc import Arc
from unquilt.read.bounds import Form, H, Raw
from unquilt.read.part import Part
from unquilt.read.record import Fields, Found, Limits, Skip
from unquilt.read.walk import first_bytes, is_stream, walk
from unquilt.read.warc import Warc


def read(path: Path | Part, start: int, fields: Fields, limits: Limits) -> Iterator[Found]:
    if not path.is_file():
        yield Found(0, 0, None, (Skip("not a file", "it cannot be read twice; save it as a file first"),))
        return
    form = _form(path, limits)
    nothing = start == 0
    for raw in walk(path, start, form, limits):
        nothing = False
        yield form.found(raw)
    if nothing:
        yield Found(0, 0, None, (Skip("empty file"),))


def places_in_file(path: Path) -> bool:
    """Are places bytes of the file itself, and not of what one compression of all of it unpacks to?"""
    limits = Limits()
    return not is_stream(path, _form(path, limits), limits)


class _Kind(Form[H], Protocol[H]):
    def found(self, raw: Raw[H]) -> Found: ...


def _form(path: Path | Part, limits: Limits) -> _Kind[Any]:
    """By the first bytes; where they are of neither kind, by the name."""
    warc, arc = Warc(limits), Arc(limits)
    first = first_bytes(path)
    if warc.starts(first):
        return warc
    return arc if arc.starts(first) or ".arc" in map(str.lower, path.suffixes) else warc
