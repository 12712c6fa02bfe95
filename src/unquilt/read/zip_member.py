"""Which files does a zip hold, and where do their bytes lie? Its directory is read piece by piece, and nothing in it believed.

What lies where it should not (a name that leads out of the folder, a link, bytes that are another member's as well), what is
encrypted and what is packed in a way that is not read here is a member with the reason in `refused`.
"""

from __future__ import annotations

import os
import re
import stat
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from unquilt.errors import InputError
from unquilt.read.record import Skip

STORED, DEFLATED = 0, 8
END = struct.Struct("<4s4H2LH")
LOCATOR = struct.Struct("<4sLQL")
END64 = struct.Struct("<4sQ2H2L4Q")
ENTRY = struct.Struct("<4s6H3L5H2L")
LOCAL = struct.Struct("<4s5H3L2H")
FAR = 0xFFFFFFFF  # the number is in the 64-bit extra field
ENCRYPTED, UTF8 = 1, 1 << 11
UNIX = 3
MOST_COMMENT = 1 << 16
MOST_WANTED = 1 << 18
RATIO = 64  # no archive shrinks more
SMALL = 64 << 20  # what may come out of any member
PIECE = 256 << 10
UNSAFE = re.compile(r"[/\\]|[A-Za-z]:|.*\x00|(?:.*[/\\])?\.\.(?:[/\\]|\Z)", re.DOTALL)


@dataclass(frozen=True)
class Member:
    name: str
    method: int
    packed: int
    size: int
    begin: int
    """Where its bytes begin in the zip."""
    refused: Skip | None = None


def members(path: Path, wanted: Callable[[str], bool]) -> list[Member]:
    """Members with names that are wanted, in the order of the zip's directory."""
    with open(path, "rb") as file:
        entries, begin, shift = _directory(file, path)
        file.seek(begin)
        named = (m for m in _entries(file, entries, path) if wanted(m.name))
        found: list[Member] = []
        for member in named:
            if len(found) == MOST_WANTED:
                raise InputError(f"`{path}` holds more than {MOST_WANTED:,} archives; unpack it and give the folder")
            found.append(member)
        return _apart([m if m.refused else _placed(file, m, shift, begin) for m in found])


def unpacked(path: Path, member: Member, into: IO[bytes]) -> Skip | None:
    """Writes out what was deflated; says what is wrong with it. What came out before that is good."""
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    left, size = member.packed, 0
    most = max(SMALL, RATIO * member.packed)
    with open(path, "rb") as file:
        file.seek(member.begin)
        while not stream.eof:
            data = file.read(min(PIECE, left))
            left -= len(data)
            try:
                while not stream.eof:
                    piece = stream.decompress(data, PIECE)
                    size += len(piece)
                    into.write(piece)
                    data = stream.unconsumed_tail
                    if size > most:
                        return Skip("record too large", f"it unpacks to more than {most:,} bytes")
                    if not data and len(piece) < PIECE:
                        break
            except zlib.error as error:
                return Skip("damaged compression", f"{error}; {size:,} bytes came out before")
            if not left and not stream.eof:
                return Skip("truncated", f"the compressed stream ends too early, after {size:,} bytes")
    return None


def _directory(file: IO[bytes], path: Path) -> tuple[int, int, int]:
    """(number of entries, where they begin, how far everything is behind where it says it is)."""
    size = file.seek(0, os.SEEK_END)
    start = max(0, size - END.size - MOST_COMMENT)
    file.seek(start)
    tail = file.read()
    at = tail.rfind(b"PK\5\6")
    if at < 0 or len(tail) - at < END.size:
        raise _no_zip(path, "the directory at its end is missing")
    _, _, _, _, entries, length, offset, _ = END.unpack_from(tail, at)
    end = start + at
    if FAR in (length, offset) or entries == 0xFFFF:
        far = _far(file, end)
        if far is not None:
            entries, length, offset, end = far
    begin = end - length
    if begin < 0 or begin < offset:
        raise _no_zip(path, "its directory begins before the file does")
    return entries, begin, begin - offset


def _far(file: IO[bytes], end: int) -> tuple[int, int, int, int] | None:
    """(entries, length, offset, where the directory ends) as the 64-bit record has it."""
    if end < LOCATOR.size:
        return None
    file.seek(end - LOCATOR.size)
    magic, _, place, _ = LOCATOR.unpack(file.read(LOCATOR.size))
    if magic != b"PK\6\7" or place > end:
        return None
    file.seek(place)
    record = file.read(END64.size)
    if len(record) < END64.size or record[:4] != b"PK\6\6":
        return None
    _, _, _, _, _, _, _, entries, length, offset = END64.unpack(record)
    return entries, length, offset, place


def _entries(file: IO[bytes], count: int, path: Path) -> Iterator[Member]:
    """`begin` of what is yielded is where its local header is."""
    for number in range(count):
        head = file.read(ENTRY.size)
        if len(head) < ENTRY.size or head[:4] != b"PK\1\2":
            raise _no_zip(path, f"its directory ends after {number:,} of {count:,} entries")
        _, made, _, flags, method, _, _, _, packed, size, n, extra_n, comment_n, _, _, mode, begin = ENTRY.unpack(head)
        raw, extra = file.read(n), file.read(extra_n)
        file.seek(comment_n, os.SEEK_CUR)
        name = raw.decode("utf-8" if flags & UTF8 or not raw.isascii() else "ascii", "backslashreplace")
        size, packed, begin = _long(extra, size, packed, begin)
        link = made >> 8 == UNIX and stat.S_ISLNK(mode >> 16)
        yield Member(name, method, packed, size, begin, _refused(name, flags, method, link))


def _long(extra: bytes, *numbers: int) -> list[int]:
    """The numbers, those that are too long for their place taken from the extra field."""
    at, wide = 0, b""
    while len(extra) - at >= 4:
        kind, length = struct.unpack_from("<2H", extra, at)
        if kind == 1:
            wide = extra[at + 4 : at + 4 + length]
            break
        at += 4 + length
    long = iter(struct.unpack(f"<{len(wide) // 8}Q", wide[: len(wide) // 8 * 8]))
    return [next(long, n) if n == FAR else n for n in numbers]


def _refused(name: str, flags: int, method: int, link: bool) -> Skip | None:
    if UNSAFE.match(name):
        return Skip("unsafe name", "it leads out of the zip")
    if link:
        return Skip("symbolic link", "links in a zip are not followed")
    if flags & ENCRYPTED:
        return Skip("encrypted", "there is no way to give a password; unpack it and give the folder")
    if method not in (STORED, DEFLATED):
        return Skip("unknown compression", f"method {method} of zip; unpack it and give the folder")
    return None


def _placed(file: IO[bytes], member: Member, shift: int, directory: int) -> Member:
    """With `begin` behind the local header."""
    at = member.begin + shift
    file.seek(at)
    head = file.read(LOCAL.size)
    if len(head) < LOCAL.size or head[:4] != b"PK\3\4":
        return replace(member, refused=Skip("damaged zip", "it does not begin where the directory says"))
    *_, n, extra_n = LOCAL.unpack(head)
    begin = at + LOCAL.size + n + extra_n
    if begin + member.packed > directory:
        return replace(member, refused=Skip("damaged zip", "it ends behind the end of all members"))
    return replace(member, begin=begin)


def _apart(found: list[Member]) -> list[Member]:
    """Of members that share bytes the first is kept: with them small zips become large."""
    end, sharing = 0, set[int]()
    for number in sorted(range(len(found)), key=lambda n: found[n].begin):
        member = found[number]
        if member.refused is None and member.begin < end:
            sharing.add(number)
        elif member.refused is None:
            end = member.begin + member.packed
    refused = Skip("damaged zip", "its bytes are another member's too")
    return [replace(m, refused=refused) if n in sharing else m for n, m in enumerate(found)]


def _no_zip(path: Path, why: str) -> InputError:
    return InputError(f"`{path}` is not a whole zip ({why}); fetch it again, or give the .warc.gz files themselves")
