"""An index of web archives, CDX or CDXJ: of all the records in the archives it names, those it lists.

A place is the byte of the (unpacked) index where a row begins; what is found says as its origin where in which archive the
record lies. Archives are looked for below the root (`--warc-root`, else the folder of the index), by the name that the row
has, then by the last part of it. The root may be a URL (`https://data.example/`): then the bytes of each record are fetched.
Rows of an archive that is not there, or with an offset at which no record begins, are left out with their reason. URL, date
and status are those of the record; that a row says otherwise of the URL is told.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO

from unquilt.read import archive
from unquilt.read.cdx_root import Place, Root, root_of
from unquilt.read.cdx_row import Legend, Row, legend_in, row_in
from unquilt.read.compressed import Damaged, opened
from unquilt.read.part import Part
from unquilt.read.record import Fields, Found, Limits, Skip
from unquilt.read.url import normalised

LONGEST_LINE = 1 << 20
LONGEST_RECORD = 1 << 30  # of a row that does not say how long
ZSTD = b"\x28\xb5\x2f\xfd"
BEGINS = (b"\x1f\x8b", ZSTD, b"\x04\x22\x4d\x18", b"WARC/")
ARC_LINE = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]{1,30}:[^\r\n]")
SAME = re.compile(r"\Ahttps?://(?:www\d?\.)?|/?\Z")


def read(path: Path, start: int, fields: Fields, limits: Limits, *, warc_root: str | None = None) -> Iterator[Found]:
    root = root_of(path, warc_root)
    legend = _legend(path)
    for offset, length, line in _lines(path, start):
        if isinstance(line, Skip):
            yield Found(offset, length, None, (line,))
            continue
        row = row_in(line, legend)
        if isinstance(row, Row):
            yield replace(_found(root, row, fields, limits), offset=offset, length=length, file=row.file)
        elif row is not None:
            yield Found(offset, length, None, (row,))


def fetch(path: Path, file: str, offset: int, length: int, limits: Limits, *, warc_root: str | None = None) -> Found:
    """What is found again in the archive `file`."""
    return _found(root_of(path, warc_root), Row(file, offset, length, None), Fields(), limits)


def _legend(path: Path) -> Legend | None:
    try:
        with opened(path) as file:
            return legend_in(file.readline(LONGEST_LINE))
    except Damaged:
        return None


def _lines(path: Path, start: int) -> Iterator[tuple[int, int, bytes | Skip]]:
    """(where it begins, its length, the line or what is wrong with it)."""
    at = start
    with opened(path) as file:
        if start:
            file.seek(start)
        while True:
            line: bytes | Skip
            try:
                line, length = _line(file)
            except Damaged as damaged:
                line, length = damaged.skip, file.tell() - at
            if not length:
                break
            yield at, length, line
            at += length
    if not at:
        yield 0, 0, Skip("empty file")


def _line(file: IO[bytes]) -> tuple[bytes | Skip, int]:
    line = file.readline(LONGEST_LINE)
    length = len(line)
    if length < LONGEST_LINE or line.endswith(b"\n"):
        return line, length
    while piece := file.readline(LONGEST_LINE):
        length += len(piece)
        if piece.endswith(b"\n"):
            break
    return Skip("record too large", f"a row of {length:,} bytes"), length


def _found(root: Root, row: Row, fields: Fields, limits: Limits) -> Found:
    nothing = Found(0, 0, None, file=row.file, origin=(row.offset, row.length or 1))
    url = normalised(row.url) if row.url else None
    try:
        with root.place(row) as place:
            if isinstance(place, Skip):
                return replace(nothing, skips=(replace(place, url=url),))
            found = _record(place, row, fields, limits)
    except OSError as error:
        return replace(nothing, skips=(Skip("cannot be read", f"{row.file[-150:]}: {error.strerror or error}", url=url),))
    if found is None:
        return replace(nothing, skips=(Skip("wrong offset", f"no record begins at {row.offset:,} of {row.file[-150:]}", url=url),))
    return replace(found, skips=found.skips + _disagreeing(url, found), origin=(row.offset, found.length))


def _record(place: Place, row: Row, fields: Fields, limits: Limits) -> Found | None:
    """Nothing is looked for behind the place, or a wrong index would cost much time."""
    path, offset = place
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(min(offset, size))
        head = file.read(64)
    if not head.startswith(BEGINS) and not ARC_LINE.match(head):
        return None
    if head.startswith(ZSTD):  # what its frames share lies at the beginning of the file
        found = next(archive.read(path, offset, fields, limits), None)
        return found if found is not None and found.offset == offset else None
    part = Part(path, offset, min(size - offset, row.length or LONGEST_RECORD), path.name)
    found = next(archive.read(part, 0, fields, limits), None)
    return found if found is not None and not found.offset and (found.record or found.skips) else None


def _disagreeing(listed: str | None, found: Found) -> tuple[Skip, ...]:
    """What the row says of the URL, where the record says otherwise: the index may be one of other archives."""
    record = found.record
    if listed is None or record is None or record.url is None or SAME.sub("", listed).lower() == SAME.sub("", record.url).lower():
        return ()
    return (Skip("index says otherwise", f"it lists {listed}"[:200], "url", record.url),)
