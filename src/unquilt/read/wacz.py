"""A WACZ: the archives in a zip, one after the other, without unpacking it where they are stored as they are.

A place is the number of the archive in the zip (times 2^44) and the place in that archive, so that reading goes on in the
middle of one. Archives that are deflated as well are unpacked to a temporary file, one at a time. Indexes and lists of pages
are not read: all they say is in the archives. A zip in the zip is not opened.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from unquilt.errors import InputError
from unquilt.read import archive
from unquilt.read.names import is_archive
from unquilt.read.part import Part
from unquilt.read.record import Fields, Found, Limits, Skip
from unquilt.read.zip_member import DEFLATED, Member, members, unpacked

WITHIN = 44  # bits of a place that are the place in the archive
LAST = (1 << WITHIN) - 1
FOLDER = "archive/"


def read(path: Path, start: int, fields: Fields, limits: Limits, *, room: Path | None = None) -> Iterator[Found]:
    found = members(path, _wanted)
    if not any(is_archive(m.name) for m in found):
        if not start:
            yield Found(0, 1, None, (Skip("no archive", "there is no .warc or .arc in the zip"),))
        return
    for number in range(start >> WITHIN, len(found)):
        base = number << WITHIN
        for one in _found(path, found[number], max(start - base, 0), fields, limits, room):
            yield replace(one, offset=base + one.offset, file=found[number].name, origin=(one.offset, one.length))


def fetch(path: Path, file: str, offset: int, limits: Limits, *, room: Path | None = None) -> Found | None:
    """What is found there again."""
    member = next((m for m in members(path, lambda name: name == file) if m.refused is None), None)
    if member is None:
        raise InputError(f"`{path}` has no archive `{file}` any more; add it again if it was changed")
    return next(_found(path, member, offset, Fields(), limits, room), None)


def _wanted(name: str) -> bool:
    return not name.endswith("/") and (name.startswith(FOLDER) or is_archive(name))


def _found(path: Path, member: Member, start: int, fields: Fields, limits: Limits, room: Path | None) -> Iterator[Found]:
    """What is found in one archive; its last place says what is wrong with it as a whole."""
    refused = member.refused or (None if is_archive(member.name) else Skip("not an archive", "neither .warc nor .arc"))
    if refused is not None:
        yield Found(0, LAST + 1, None, (refused,))
        return
    with _bytes(path, member, room) as (part, wrong):
        yield from archive.read(part, start, fields, limits)
    if wrong is not None:
        yield Found(LAST, 1, None, (wrong,))


@contextmanager
def _bytes(path: Path, member: Member, room: Path | None) -> Iterator[tuple[Part, Skip | None]]:
    if member.method != DEFLATED:
        yield Part(path, member.begin, member.packed, member.name), None
        return
    with tempfile.NamedTemporaryFile(dir=room, prefix="unquilt-") as file:
        wrong = unpacked(path, member, file)
        file.flush()
        yield Part(Path(file.name), 0, file.tell(), member.name), wrong
