"""What is a record of an ARC file? A line with URL, address, date, type and length, in version 2 with more between, and a block."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from unquilt.read.archived import HTTP_HEAD, content, date_of, found, other, url_of, without_content, words
from unquilt.read.bounds import Head, Raw
from unquilt.read.record import Found, Limits, Response

SCHEME = re.compile(rb"(?!t?tps?:|ps:)[A-Za-z][A-Za-z0-9+.-]{1,30}:[^\x00-\x1f]")
SCHEMES = re.compile(rb"(?:https?|ftp|gopher|dns|whois|filedesc|rtsp|mms|news|nntp):", re.IGNORECASE)
IP = re.compile(rb"[0-9A-Fa-f:.]{2,45}|-")
DATES = (re.compile(rb"\d{12,20}"), re.compile(rb"\d{8,20}|-"))  # as they should be, as they are in a pinch
MIDDLE = re.compile(rb" (?:[0-9A-Fa-f:.]{2,45}|-) \d{12,20} ")
LAST = re.compile(rb" \S{1,20}\r?\n\Z")
LONGEST_TYPE = 2048  # and all else behind the date
LONGEST_LINE = 70 << 10
VERSION_BLOCK = b"filedesc:"
NO_ADDRESS = ("-", "0.0.0.0")  # noqa: S104


@dataclass(frozen=True, slots=True)
class ArcHead(Head):
    url: bytes
    ip: bytes = b"-"
    date: bytes = b"-"
    type: bytes = b""


@dataclass(frozen=True)
class Arc:
    limits: Limits

    def starts(self, after: bytes) -> bool:
        """An URL too long for its line to be seen as a whole is believed."""
        if not SCHEME.match(after):
            return False
        line, end, _ = after.partition(b"\n")
        return not end or line[:9].lower() == VERSION_BLOCK or _parsed(line) is not None

    def begun(self, rest: bytes) -> bool:
        return SCHEMES.match(rest) is not None and b"\n" not in rest

    def separated(self, after: bytes) -> bool:
        """A line end alone may stand anywhere in a page, so that a head must follow it."""
        return False

    def head_end(self, text: bytes) -> int:
        return text.find(b"\n") + 1 or -1

    def find(self, buffer: bytes | bytearray, at: int) -> int:
        for middle, end in _middles(buffer, at):
            if middle < at:
                continue
            line = max(buffer.rfind(b"\n", at, middle) + 1, at, middle - LONGEST_LINE)
            begin = _begin(bytes(buffer[line:end]))
            if begin is not None:
                return line + begin
            at = end
        return -1

    def inside(self, head: bytes) -> int:
        """An address may hold another one (`https://archive.example/web/http://a.example/`), so who could tell."""
        return -1

    def parsed(self, head: bytes) -> ArcHead | None:
        parts = _parsed(head.rstrip(b"\r\n"))
        if parts is None:
            return None
        keep = 0 if parts.url[:9].lower() == VERSION_BLOCK else self.limits.body_bytes + HTTP_HEAD
        length = int(parts.length) if parts.length.isdigit() and len(parts.length) < 19 else None
        return ArcHead(length, keep, parts.url, parts.ip, parts.date, parts.type.split(b" ", 1)[0])

    def found(self, raw: Raw[ArcHead]) -> Found:
        head = raw.head
        if head is None or raw.block is None:
            return without_content(raw)
        if head.url[:9].lower() == VERSION_BLOCK:
            return other(raw, "version block", None, None)
        url, url_skips = url_of(head.url, self.limits)
        if head.url[:6].lower().startswith((b"dns:", b"whois:")):
            return other(raw, "record of a lookup", words(head.url[:200]), url)
        fetched_at, date_skips = date_of(head.date, "fetched_at", url)
        http = head.url[:5].lower().startswith((b"http:", b"https"))
        body = content(raw, http, url, self.limits)
        ip = words(head.ip)
        type_ = words(head.type) or None
        response = Response(
            body.block,
            http,
            url,
            fetched_at=fetched_at,
            content_type=type_ if type_ != "no-type" else None,
            ip=ip if ip not in NO_ADDRESS else None,
            truncated=body.missing,
        )
        return found(raw, response, url_skips, date_skips, body.skips)


class _Parts(NamedTuple):
    url: bytes
    ip: bytes
    date: bytes
    type: bytes
    length: bytes


def _parsed(line: bytes) -> _Parts | None:
    """URLs may hold spaces, and so may types: the first address with a date behind it divides them."""
    said = line.split(b" ")
    if len(said) < 5 or len(said[-1]) > 20 or len(said[-1].split()) != 1:
        return None
    n = next((n for date in DATES for n in range(1, len(said) - 3) if date.fullmatch(said[n + 1]) and IP.fullmatch(said[n])), None)
    if n is None:
        return None
    url, type_ = b" ".join(said[:n]), b" ".join(said[n + 2 : -1])
    return _Parts(url, said[n], said[n + 1], type_, said[-1]) if url and b"\r" not in type_ else None


def _middles(buffer: bytes | bytearray, at: int) -> Iterator[tuple[int, int]]:
    """(where there is an address and a date, where that line ends) of lines that end as heads do."""
    while match := MIDDLE.search(buffer, at):
        middle, behind = match.span()
        del match  # nothing can be added to a buffer a match holds
        end = buffer.find(b"\n", behind, behind + LONGEST_TYPE) + 1
        if end and LAST.search(bytes(buffer[max(behind, end - 24) : end])):
            yield middle, end
        at = behind - 1


def _begin(line: bytes) -> int | None:
    """Where in a line the head of a record begins: with it, or behind what damage has left there."""
    if SCHEME.match(line):
        return 0
    return max((match.start() for match in SCHEMES.finditer(line)), default=None)
