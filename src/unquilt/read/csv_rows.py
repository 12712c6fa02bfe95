"""Where does a row of CSV end, and what are its fields?

Rows end in LF or CR LF. A field that begins with a double quote may hold delimiters and line ends, and `""` for a quote; a quote
further on in a field is itself. Behind the quote that closes a field comes a delimiter or the end of the row. Where it does not,
or where a field is never closed, the first line alone is the broken row, and the next row begins behind it.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import IO

from unquilt.read.compressed import Damaged

PIECE = 1 << 20
BOM = b"\xef\xbb\xbf"
QUOTED = re.compile(rb'(?:[^"]++|"")*+')
START, WITHIN, QUOTING, CLOSING, RETURN, BROKEN = range(6)
"""Where in a field. CLOSING: at a quote that ends it, or is the first of two; RETURN: at the CR behind that; BROKEN: at what
must not stand there."""
WRONG = {QUOTING: "a field begins with a quote and none ends it", BROKEN: "a field goes on behind the quote that ends it"}


@dataclass(frozen=True)
class Row:
    offset: int
    length: int
    """0: there is no more."""
    data: bytes | None
    """None: it is over the limit, and was read past without being held."""
    broken: str | None = None


class Rows:
    """The rows from `at` on, of what `opened_at` opens. Where its compression is damaged they end, and `damaged` says so."""

    def __init__(self, opened_at: Callable[[int], IO[bytes]], at: int, delimiter: bytes) -> None:
        self.damaged: Damaged | None = None
        self._opened_at = opened_at
        self._delimiter = delimiter
        self._at = self._end = at
        self._open_until = 0
        """The lines that end before it were read in vain for the end of a quote; what one of them opens is not closed either."""
        self._file = opened_at(at)
        self._again = io.BytesIO()

    def __enter__(self) -> Rows:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()

    def next(self, limit: int) -> Row:
        held: bytearray | None = bytearray()
        length = first_line = 0
        state = START
        while piece := self._piece():
            if state != BROKEN:
                state = _after(piece.removeprefix(BOM) if self._at + length == 0 else piece, state, self._delimiter)
            length += len(piece)
            if held is not None and length <= limit:
                held += piece
            else:
                held = None
            if piece.endswith(b"\n"):
                first_line = first_line or length
                if state != QUOTING or self._at + length < self._open_until:
                    break
            elif state == BROKEN and first_line:
                break
        if state in WRONG:
            return self._broken(first_line or length, length, held, WRONG[state])
        row = Row(self._at, length, bytes(held) if held is not None else None)
        self._at += length
        return row

    @property
    def at(self) -> int:
        """Where the next row begins."""
        return self._at

    @property
    def lost(self) -> int:
        """How much there was behind the last row, where damage took the rest."""
        return max(self._end - self._at, 0)

    def _broken(self, line: int, length: int, held: bytearray | None, what: str) -> Row:
        row = Row(self._at, line, None, what)
        self._open_until = max(self._open_until, self._at + length)
        self._at += line
        if line < length:
            if held is None:
                self._file.close()
                self._file, self.damaged = self._opened_at(self._at), None
            else:
                self._again = io.BytesIO(held[line:])
        return row

    def _piece(self) -> bytes:
        """The next line, or a part of one that is long."""
        piece = self._again.readline(PIECE)
        if piece or self.damaged:
            return piece
        try:
            return self._file.readline(PIECE)
        except Damaged as damaged:
            self.damaged = damaged
            self._end = self._file.tell()
        return b""


def _after(piece: bytes, state: int, delimiter: bytes) -> int:
    """Where in a field the piece ends."""
    if state in (START, WITHIN) and b'"' not in piece:  # most lines
        return START if piece.endswith((b"\n", delimiter)) else WITHIN
    at, end = 0, len(piece)
    while at < end and state != BROKEN:
        if state == WITHIN:
            found = piece.find(delimiter, at)
            state, at = (START, found + 1) if found >= 0 else (WITHIN, end)
        elif state == QUOTING:
            match = QUOTED.match(piece, at)
            at = match.end() if match else at
            if at < end:
                state, at = CLOSING, at + 1
        else:
            sign = piece[at : at + 1]
            if state == START:
                state = QUOTING if sign == b'"' else START if sign == delimiter else WITHIN
            elif state == CLOSING:
                state = {b'"': QUOTING, delimiter: START, b"\n": WITHIN, b"\r": RETURN}.get(sign, BROKEN)
            else:
                state = WITHIN if sign == b"\n" else BROKEN
            at += 1
    return START if state == WITHIN and piece.endswith(b"\n") else state


def cells(row: bytes, delimiter: bytes, most: int) -> list[bytes]:
    """The fields of a row, no more than `most` of them."""
    row = row.removesuffix(b"\n").removesuffix(b"\r")
    if b'"' not in row:
        return row.split(delimiter, most)[:most]
    found: list[bytes] = []
    at = 0
    while len(found) < most:
        quoted = b""
        if row[at : at + 1] == b'"':
            match = QUOTED.match(row, at + 1)
            end = match.end() if match else at + 1
            quoted = row[at + 1 : end].replace(b'""', b'"')
            at = end + 1
        end = row.find(delimiter, at)
        found.append(quoted + row[at : end if end >= 0 else len(row)])
        if end < 0:
            break
        at = end + 1
    return found
