"""CSV and TSV: a row a page, with the names of the columns in the first. A place is the byte where a row begins.

Fields are divided by `,`, in .tsv by a tab; by `;`, a tab or `|` where the first row has that and no comma (`csv_rows` says what
a row is). A cell that is empty is none. Seconds since 1970 are known by their number of digits.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import IO

from unquilt.errors import InputError
from unquilt.read.compressed import Damaged, compression, opened
from unquilt.read.csv_rows import Row, Rows, cells
from unquilt.read.fields import columns, record_of
from unquilt.read.record import Fields, Found, Limits, Skip

BOM = b"\xef\xbb\xbf"
OTHER_BOMS = (b"\xff\xfe", b"\xfe\xff")
HEADER_BYTES = 1 << 20
DELIMITERS = (b",", b";", b"\t", b"|")
SECONDS = re.compile(r"-?[0-9]{9,11}(?:\.[0-9]{1,9})?")


@dataclass(frozen=True)
class _Header:
    names: tuple[str, ...]
    wanted: tuple[tuple[int, str], ...]
    """The columns that are read, with their places."""
    dates: tuple[str, ...]
    delimiter: bytes
    length: int


def read(path: Path, start: int, fields: Fields, limits: Limits) -> Iterator[Found]:
    try:
        header = _header(path, fields)
    except Damaged as damaged:
        yield Found(0, 1, None, (damaged.skip,))
        return
    if header is None:
        yield Found(0, 0, None, (Skip("empty file"),))
        return
    with Rows(partial(_opened_at, path), max(start, header.length), header.delimiter) as rows:
        # Nothing here keeps what was yielded, which may be most of the memory there is.
        yield from takewhile(lambda found: found.length, _founds(rows, header, fields, limits))
        if rows.damaged and rows.lost:
            yield Found(rows.at, rows.lost, None, (rows.damaged.skip,))


def _founds(rows: Rows, header: _Header, fields: Fields, limits: Limits) -> Iterator[Found]:
    while True:
        yield _next(rows, header, fields, limits)


def _next(rows: Rows, header: _Header, fields: Fields, limits: Limits) -> Found:
    """What the next row holds; of no length at the end."""
    row = rows.next(limits.held_bytes)
    if not row.broken:
        limits.make_room(row.length, f"the row of {row.length:,} bytes at {row.offset:,}")
    return _found(row, header, fields, limits)


def _opened_at(path: Path, at: int) -> IO[bytes]:
    file = opened(path)
    file.seek(at)
    return file


def _found(row: Row, header: _Header, fields: Fields, limits: Limits) -> Found:
    if row.broken:
        return _left_out(row, "broken quotes", row.broken)
    if row.data is None:
        return _left_out(row, "record too large", f"{row.length:,} bytes, the limit is {limits.record_bytes:,}")
    if not row.data.lstrip(b"\r\n"):
        return Found(row.offset, row.length, None)
    held = cells(row.data, header.delimiter, len(header.names) + 1)
    if len(held) != len(header.names):
        many = f"{len(held)}" if len(held) < len(header.names) else "more"
        return _left_out(row, "ragged row", f"it has {many} fields, the first row has {len(header.names)}")
    values: dict[str, str | float | None] = {}
    for place, name in header.wanted:
        try:
            values[name] = held[place].decode("utf-8") or None
        except UnicodeDecodeError:
            return _left_out(row, "not UTF-8", f"`{name}`")
    for name in header.dates:
        value = values[name]
        if isinstance(value, str) and SECONDS.fullmatch(value):
            values[name] = float(value)
    record, skips = record_of(values, fields, limits)
    return Found(row.offset, row.length, record, skips)


def _header(path: Path, fields: Fields) -> _Header | None:
    """The first row that is not blank; None: there is none."""
    head = _head(path)
    if head.startswith(OTHER_BOMS):
        raise InputError(f"`{path}` is UTF-16; make it UTF-8 (`iconv -f utf-16 -t utf-8`)")
    if not head.removeprefix(BOM).strip(b"\r\n"):
        return None
    delimiter, row = _first(path, head)
    if row is None or row.data is None:
        raise InputError(f"`{path}` has no row with the columns' names in its first {HEADER_BYTES:,} bytes; put one there")
    try:
        names = tuple(cell.decode("utf-8") for cell in cells(row.data.removeprefix(BOM), delimiter, HEADER_BYTES))
    except UnicodeDecodeError:
        raise InputError(f"`{path}` is not UTF-8; make it UTF-8 (`iconv -t utf-8`)") from None
    if any("\r" in name for name in names):
        raise InputError(f"`{path}` has lines that end in CR alone; make that LF (`tr '\\r' '\\n'`)")
    wanted = columns(names, fields, path)
    candidates = fields.candidates()
    dates = tuple(name for name in (*candidates["published_at"], *candidates["fetched_at"]) if name in wanted)
    return _Header(names, tuple((names.index(name), name) for name in wanted), dates, delimiter, row.offset + row.length)


def _head(path: Path) -> bytes:
    """The first lines. Damage behind the first of them is for later."""
    head = bytearray()
    with opened(path) as file:
        try:
            while len(head) < HEADER_BYTES and (line := file.readline(HEADER_BYTES - len(head))):
                head += line
        except Damaged:
            if not head.removeprefix(BOM).strip(b"\r\n"):
                raise
    return bytes(head)


def _first(path: Path, head: bytes) -> tuple[bytes, Row | None]:
    """What divides, and the first row: by the delimiter that makes a row of several fields, else by the first that makes a row."""
    name = path.name.lower()
    tsv = name.removesuffix(compression(name)).endswith(".tsv")
    found: tuple[bytes, Row | None] = b",", None
    for delimiter in (b"\t",) if tsv else DELIMITERS:
        row = _first_row(head, delimiter)
        if row is not None and row.data is not None and len(cells(row.data, delimiter, 2)) > 1:
            return delimiter, row
        found = found if found[1] is not None else (delimiter, row)
    return found


def _first_row(head: bytes, delimiter: bytes) -> Row | None:
    with Rows(lambda at: io.BytesIO(head[at:]), 0, delimiter) as rows:
        while (row := rows.next(HEADER_BYTES)).length:
            if row.data is None or row.data.removeprefix(BOM).strip(b"\r\n"):
                whole = row.data is not None and row.offset + row.length < HEADER_BYTES
                return row if whole else None
    return None


def _left_out(row: Row, reason: str, detail: str) -> Found:
    return Found(row.offset, row.length, None, (Skip(reason, detail[:200]),))
