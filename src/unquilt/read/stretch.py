"""What lies ahead in a run of unpacked bytes? A window over it that moves forward, and back where it must."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import IO, Protocol

from unquilt.read.codec import PIECE
from unquilt.read.members import Fault

OVERLAP = 64 << 10  # what is kept of a piece in which no head was found: one may begin at its end
LINE_ENDS = re.compile(rb"[\r\n]*+")


class Source(Protocol):
    """Gives the bytes piece by piece; after the last one `fault` says whether they end where they should."""

    fault: Fault | None

    def piece(self) -> bytes: ...
    def mark(self) -> None: ...


class Plain:
    """A file that is not compressed."""

    fault: Fault | None = None

    def __init__(self, file: IO[bytes], start: int) -> None:
        self._file = file
        self._size = file.seek(0, os.SEEK_END)
        self._at = start

    def mark(self) -> None:
        pass

    def piece(self) -> bytes:
        piece = self.peek(self._at, PIECE)
        self._at += len(piece)
        return piece

    def peek(self, position: int, size: int) -> bytes:
        if position >= self._size:  # it may be one that no file system knows
            return b""
        self._file.seek(position)
        return self._file.read(size)


class Stretch:
    """`buffer[at:]` is what is held of what lies ahead; `position` is where that is in the whole."""

    def __init__(self, opened: Callable[[int], Source], start: int, peek: Callable[[int, int], bytes] | None = None) -> None:
        """`opened` gives the source from a position on, which is always `start` for one that cannot be begun elsewhere.

        `peek` reads at a position without going there; who can do that can begin anywhere.
        """
        self.buffer = bytearray()
        self.at = 0
        self.ended = False
        self.believing = False
        """A length in it was wrong: heads are believed where they are found, without going on to see whether it may be right."""
        self.source = opened(start)
        self.peek = peek
        self._opened = opened
        self._start = self._base = self._record = start

    @property
    def position(self) -> int:
        return self._base + self.at

    @property
    def held(self) -> int:
        return len(self.buffer) - self.at

    def fill(self, size: int) -> int:
        """Holds `size` bytes ahead, or all there are; says how many are held."""
        while (held := len(self.buffer) - self.at) < size and not self.ended:
            piece = self.source.piece()
            self.ended = not piece
            self.buffer += piece
        return held

    def cut(self) -> None:
        """A record begins here: what was before it is let go."""
        self._let_go()
        self._record = self._base
        self.source.mark()

    def taken(self, size: int, ahead: int = 0) -> bytes:
        """The next bytes that are held, or those from `ahead` of them on, without going on."""
        begin = self.at + ahead
        with memoryview(self.buffer) as view:
            return bytes(view[begin : begin + size])

    def ahead(self, size: int) -> bytes:
        """The next bytes, without going on."""
        self.fill(size)
        return self.taken(size)

    def newlines(self) -> None:
        """Goes on to what is no end of a line."""
        while self.fill(1):
            line_ends = LINE_ENDS.match(self.buffer, self.at)
            self.at = line_ends.end() if line_ends else self.at
            del line_ends  # nothing can be added to a buffer a match holds
            if self.at < len(self.buffer):
                return
            self._let_go()

    def until(self, find: Callable[[bytearray, int], int], *, hold: int = 0, most: int | None = None) -> tuple[bytes, bool]:
        """Goes on until `find` finds something, or `most` bytes, or to the end.

        Gives the first `hold` bytes of what it went over, and whether something was found. Of the rest only a little is held.
        """
        end = None if most is None else self.position + most
        kept = bytearray()
        while True:
            place = find(self.buffer, self.at)
            found = place >= 0 and (end is None or self._base + place < end)
            stop = place if found else self._stop(end)
            to = max(self.at, len(self.buffer) - OVERLAP) if stop is None else stop
            kept += self.taken(min(to - self.at, hold - len(kept)))
            self.at = to
            if stop is not None:
                return bytes(kept), found
            self._let_go()
            self.fill(self.held + PIECE)

    def go(self, position: int) -> None:
        """To a place, also to one that was let go; to the end where it lies behind that."""
        ahead = position > self._base + len(self.buffer)
        if position < self._base or (ahead and self.peek is not None and self.peek(position - 1, 1)):
            self._again(self._start if self.peek is None else position)
        while self._base + len(self.buffer) < position and not self.ended:
            self.at = len(self.buffer)
            self._let_go()
            if self._base <= self._record:
                self.source.mark()
            self.fill(1)
        self.at = min(position - self._base, len(self.buffer))

    def _stop(self, end: int | None) -> int | None:
        """Where in the buffer nothing more can be found before `end`; a head that begins before it may go beyond it."""
        last = len(self.buffer)
        if end is not None and self._base + last >= end + (0 if self.ended else OVERLAP):
            return end - self._base
        return last if self.ended else None

    def _let_go(self) -> None:
        del self.buffer[: self.at]
        self._base += self.at
        self.at = 0

    def _again(self, position: int) -> None:
        self.source = self._opened(position)
        self.buffer = bytearray()
        self.at = 0
        self.ended = False
        self._base = position
