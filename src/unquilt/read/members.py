"""How is a compressed file taken apart into its members, and how is the next one found after damage?"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import IO, NamedTuple

from unquilt.read.codec import Compression

FEED = 16 << 10  # what one step is given; what lies behind the member's end in it is read again
RATIO = 64  # no page shrinks more; a longer stretch that does is not unpacked to its end
SCAN = 1 << 20


class Fault(NamedTuple):
    """Why something ends where it should not."""

    reason: str
    detail: str


class Member:
    """What comes out of one member. After its last piece either `end` says where it ends, or `fault` why that is not known."""

    def __init__(self, file: IO[bytes], start: int, compression: Compression, allowance: int) -> None:
        self.start = start
        self.end: int | None = None
        self.fault: Fault | None = None
        self._file = file
        self._compression = compression
        self._allowance = allowance
        self._open()
        self.mark()

    def mark(self) -> None:
        """A record begins: what was unpacked before it is no longer held against the member."""
        self._marked, self._marked_out = self._given, self._out

    def whole(self, most: int) -> bytes | None:
        """All of it; None where it is more than `most`, or faulty."""
        pieces, size = [], 0
        while piece := self.piece():
            pieces.append(piece)
            size += len(piece)
            if size > most:
                return None
        return b"".join(pieces) if self.end is not None else None

    def piece(self) -> bytes:
        """The next bytes; none at the end."""
        while self.end is None and self.fault is None:
            try:
                piece = self._step()
            except self._compression.errors as error:
                piece = self._slower(error)
            if piece:
                return piece
        return b""

    def _open(self) -> None:
        self._decoder = self._compression.decoder()
        self.fed = self._given = self.start  # read up to here; the piece being unpacked begins there
        self._out = 0
        self._feed = FEED

    def _step(self) -> bytes:
        data = b""
        if not self._decoder.waiting:
            self._file.seek(self.fed)
            data = self._file.read(self._feed)
            if not data:
                self.fault = Fault("truncated", "the compressed stream ends too early")
                return b""
            self._given = self.fed
            self.fed += len(data)
        piece = self._decoder.decode(data)
        self._out += len(piece)
        if self._decoder.eof:
            self.end = self.fed - self._decoder.unused
        elif self._out - self._marked_out > self._allowance + RATIO * (self.fed - self._marked):
            self.fault = Fault("record too large", f"it unpacks to more than {self._out - self._marked_out - len(piece):,} bytes")
        return piece

    def _slower(self, error: Exception) -> bytes:
        """A decoder that fails keeps what it had unpacked of the last piece: so to the same place again, and on byte by byte."""
        if self._feed == 1:
            self.fault = Fault("damaged compression", str(error))
            return b""
        done, stop = self._out, self._given
        self._open()
        try:
            while self.fed < stop:
                self._step()
            while self._decoder.waiting:
                self._step()
            self._feed = 1
            piece = b""
            while self._out < done and self.fault is None:
                piece = self._step()
        except self._compression.errors:
            self.fault = Fault("damaged compression", str(error))
            return b""
        return piece[len(piece) - (self._out - done) :] if self._out > done else b""


class Members:
    """Members one after the other, as if they were one."""

    def __init__(self, file: IO[bytes], start: int, compression: Compression, allowance: int) -> None:
        self.start = start
        self.fault: Fault | None = None
        self._file = file
        self._compression = compression
        self._allowance = allowance
        self._member = Member(file, start, compression, allowance)
        self._over = False

    @property
    def doubtful(self) -> int:
        """Behind a fault: from where on members may begin, for what is damaged may have run on into them."""
        return max(self._member.start + 1, self._member.fed - self._compression.overrun)

    def mark(self) -> None:
        self._member.mark()

    def piece(self) -> bytes:
        while not self._over:
            if piece := self._member.piece():
                return piece
            self.fault = self._member.fault
            self._over = self.fault is not None or not self._next()
        return b""

    def _next(self) -> bool:
        end = self._member.end
        assert end is not None
        head = _at(self._file, end, 8)
        if not head:
            return False
        if not self._compression.begins(head):
            self.fault = Fault("damaged compression", f"no {self._compression.name} member begins where the one before it ends")
            return False
        self._member = Member(self._file, end, self._compression, self._allowance)
        return True


def begins_at(file: IO[bytes], offset: int, compression: Compression) -> bool:
    return compression.begins(_at(file, offset, 8))


def begins_like(file: IO[bytes], offset: int, compression: Compression) -> bool:
    """May these last bytes of the file be the first ones of a member?"""
    return compression.magic.startswith(_at(file, offset, len(compression.magic)))


def next_member(
    file: IO[bytes], start: int, compression: Compression, starts: Callable[[bytes], bool], stop: int | None = None
) -> int | None:
    """The first offset from `start` on, and before `stop`, where a member begins whose first bytes `starts` accepts."""
    look = _Look(file, compression, starts)
    for base in itertools.count(start, SCAN):
        size = SCAN if stop is None else min(SCAN, stop - base)
        window = _at(file, base, max(size, 0) + len(compression.magic) - 1)
        at = window.find(compression.magic)
        while at >= 0:
            if look.begins(base + at):
                return base + at
            at = window.find(compression.magic, at + 1)
        if len(window) < SCAN:
            return None
    return None


def member_before(file: IO[bytes], end: int, compression: Compression, starts: Callable[[bytes], bool]) -> int | None:
    """The last offset before `end` where a member begins whose first bytes `starts` accepts."""
    look = _Look(file, compression, starts)
    while end > 0:
        base = max(0, end - SCAN)
        window = _at(file, base, end - base + len(compression.magic) - 1)
        at = window.rfind(compression.magic)
        while at >= 0:
            if look.begins(base + at):
                return base + at
            at = window.rfind(compression.magic, 0, at + len(compression.magic) - 1)
        end = base
    return None


class _Look:
    """Does a member begin here? Most that look like one are none, so few bytes are read at first, and not many in all."""

    SIZES = (256, 2048, 128 << 10, 4 << 20)  # a block of zstd or lz4 comes out as a whole
    ALLOWANCE = 32 << 20
    ENOUGH = 256

    def __init__(self, file: IO[bytes], compression: Compression, starts: Callable[[bytes], bool]) -> None:
        self._file = file
        self._compression = compression
        self._starts = starts
        self._read = 0

    def begins(self, offset: int) -> bool:
        return self._starts(self._first_bytes(offset))

    def _first_bytes(self, offset: int) -> bytes:
        decoder, out = self._compression.decoder(), b""
        try:
            for size in self.SIZES if self._read < self.ALLOWANCE else self.SIZES[:2]:
                data = b"" if decoder.waiting else _at(self._file, offset, size)
                out += decoder.decode(data)
                offset += len(data)
                self._read += len(data)
                if len(out) >= self.ENOUGH or decoder.eof or not (data or decoder.waiting):
                    break
        except self._compression.errors:
            pass
        return out


def _at(file: IO[bytes], offset: int, size: int) -> bytes:
    file.seek(offset)
    return file.read(size)
