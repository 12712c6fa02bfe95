"""How is a compressed file read as if it were not? What is damaged is told, and reading goes on at the next member.

gzip, bzip2 and zstd are known by their first bytes; the name counts where a file begins with neither these nor text. Places are
those of the unpacked bytes; to go on in the middle, what lies before is unpacked again. Nobody knows how many bytes damage
took away: it counts as one. Zeros behind a member are filling.
"""

from __future__ import annotations

import bz2
import codecs
import io
import os
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

from unquilt.read.codec import PIECE, Compression, gzip, zstd
from unquilt.read.members import Fault, Member
from unquilt.read.record import Skip

ENDINGS = (".gz", ".bz2", ".zst")
TRIED = 4096  # bytes of what looks like a member that must be unpacked without complaint
SCAN = 1 << 20
ENDLESS = 1 << 62  # whoever reads holds no more than it wants, so nothing speaks against unpacking it all


class Damaged(Exception):
    """Something is lost here. The next read gives what the next member holds, nothing where there is none."""

    def __init__(self, fault: Fault, *, more: bool) -> None:
        super().__init__(fault.detail)
        self.skip = Skip("damaged compression", f"{fault.detail}{'' if more else '; the rest of the file is lost'}"[:200])


DAMAGE = (Damaged,)


def opened(path: Path) -> io.BufferedReader:
    with ExitStack() as until_known:
        file = until_known.enter_context(open(path, "rb"))
        found = _compression(file, path.name)
        file.seek(0)
        until_known.pop_all()
    return file if found is None else io.BufferedReader(_Unpacked(file, found), PIECE)


def is_packed(path: Path) -> bool:
    with open(path, "rb") as file:
        return _compression(file, path.name) is not None


def compression(name: str) -> str:
    """The ending that says how the file is compressed, "" where it is not."""
    return next((e for e in ENDINGS if name.lower().endswith(e)), "")


def _compression(file: IO[bytes], name: str) -> Compression | None:
    head = file.read(512)
    if head.startswith(b"\x1f\x8b"):
        return gzip()
    if head.startswith(b"\x28\xb5\x2f\xfd"):
        return zstd(file)
    if head.startswith(b"BZh") and head[4:10] in (b"1AY&SY", b"\x17rE8P\x90"):
        return _bzip2()
    ending = compression(name)
    if not ending or not head or _is_text(head):
        return None
    return gzip() if ending == ".gz" else _bzip2() if ending == ".bz2" else zstd(file)


def _is_text(head: bytes) -> bool:
    try:
        return "\0" not in codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False


def _bzip2() -> Compression:
    return Compression("bzip2", b"BZh", (OSError,), _Bzip2)


class _Bzip2:
    def __init__(self) -> None:
        self._inner = bz2.BZ2Decompressor()
        self.eof = False
        self.unused = 0
        self.waiting = False

    def decode(self, data: bytes) -> bytes:
        out = self._inner.decompress(data, PIECE)
        self.eof = self._inner.eof
        self.waiting = not self.eof and not self._inner.needs_input
        if self.eof:
            self.unused = len(self._inner.unused_data)
        return out


class _Unpacked(io.RawIOBase):
    """What all members hold, as a file that can be sought forward."""

    def __init__(self, file: IO[bytes], compression: Compression) -> None:
        self._file = file
        self._compression = compression
        self._member: Member | None = Member(file, 0, compression, ENDLESS)
        self._piece = memoryview(b"")
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: Any) -> int:
        if not self._piece:
            self._piece = memoryview(self._unpack())
        size = min(len(buffer), len(self._piece))
        buffer[:size] = self._piece[:size]
        self._piece = self._piece[size:]
        self._at += size
        return size

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Forward; damage on the way was told when it was come by first."""
        if whence != os.SEEK_SET or offset < self._at:
            raise io.UnsupportedOperation("forward only")
        held = bytearray(PIECE)
        while self._at < offset:
            try:
                if not self.readinto(memoryview(held)[: offset - self._at]):
                    break
            except Damaged:
                continue
        return self._at

    def close(self) -> None:
        self._file.close()
        super().close()

    def _unpack(self) -> bytes:
        while self._member is not None:
            if piece := self._member.piece():
                return piece
            fault = self._member.fault or self._follow(self._member)
            if fault is not None:
                self._member = self._next(self._member.start + 1 if self._member.end is None else self._member.end)
                self._at += 1
                raise Damaged(fault, more=self._member is not None)
        return b""

    def _follow(self, member: Member) -> Fault | None:
        """To the member behind one that ended as it should."""
        at = member.end or 0
        head = self._read(at, 8)
        while head.startswith(b"\0"):
            data = self._read(at, SCAN)
            at += len(data) - len(data.lstrip(b"\0"))
            head = self._read(at, 8)
        if head and not self._compression.begins(head):
            return Fault("damaged compression", f"what lies behind a member is no {self._compression.name}")
        self._member = Member(self._file, at, self._compression, ENDLESS) if head else None
        return None

    def _next(self, start: int) -> Member | None:
        """The first member from `start` on that begins like one."""
        magic = self._compression.magic
        while window := self._read(start, SCAN):
            at = window.find(magic)
            while at >= 0:
                if self._begins(start + at):
                    return Member(self._file, start + at, self._compression, ENDLESS)
                at = window.find(magic, at + 1)
            if len(window) < SCAN:
                break
            start += len(window) - len(magic) + 1
        return None

    def _begins(self, at: int) -> bool:
        try:
            self._compression.decoder().decode(self._read(at, TRIED))
        except self._compression.errors:
            return False
        return True

    def _read(self, at: int, size: int) -> bytes:
        self._file.seek(at)
        return self._file.read(size)
