"""How does the body of an archived HTTP message become the bytes that were meant? Its codings are undone, as far as they go.

Labels are wrong on the web and in archives, so the bytes decide: a coding is undone where the body is in it, another
where it is in that one, none where it is in none; a compressed body without a label is undone where text was announced.
What was decoded before an error stays. One coding is undone at a time, and nothing grows past the limit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from io import BytesIO

from unquilt.read.http_coding import UNDO, Undone, coding_of
from unquilt.read.http_head import Message
from unquilt.read.media_type import BINARY, HTML, announces_text, kind_of
from unquilt.read.record import Skip

MOST_CODINGS = 8
MOST_CHUNKS = 1_000_000
START = 1024
MOST_TRAILERS = 64 << 10
SIZE = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,16})[ \t]*(?:;[^\n]{0,4096})?\r?\n")
TRAILERS = re.compile(rb"(?:[!-9;-~]+:[^\n]*\n|\r?\n)*+\Z")  # fields and blank lines; without a way back, which doubles with each
MARKED = ("gzip", "zstd")  # their first bytes are no accident
ALIASES = {"x-gzip": "gzip", "brotli": "br", "x-deflate": "deflate", "zlib": "deflate", "zst": "zstd"}
NONE = {"", "identity", "none", "chunked", "binary", "8bit", "7bit", "utf-8", "text/html", "trailers"}
CONTROLS = bytes(b for b in range(32) if b not in b"\t\n\f\r\x1b")
HIGH = bytes(range(0x80, 0x100))


@dataclass(frozen=True)
class Body:
    data: bytes
    problems: tuple[Skip, ...] = ()
    cut: bool = False
    """Over the limit: `data` is its begin."""


def decoded(message: Message, limit: int) -> Body:
    """The body without its codings, at most `limit` bytes of it."""
    problems: list[Skip] = []
    # No coding makes its input longer than this, so that more of it would not be kept anyway.
    most = limit + limit // 64 + START
    chunked = any("chunked" in value.lower() for value in message.all("transfer-encoding"))
    data = _dechunked(message.block, message.body, most, problems) if chunked else None
    if data is None:
        data = message.block[message.body : message.body + most]
    codings = _codings(message, problems)
    for coding in codings:
        data = _without(coding, data, limit, problems)
    data = _unlabelled(data, message, limit, problems)
    if len(data) <= limit:
        return Body(data, tuple(problems))
    problems.append(Skip("body too large", f"the limit is {limit:,} bytes; the rest was left out", "body"))
    return Body(data[:limit], tuple(problems), cut=True)


def _codings(message: Message, problems: list[Skip]) -> list[str]:
    """Last applied first."""
    values = message.all("content-encoding") + message.all("transfer-encoding")
    named = [token.strip(" \t\"'").lower() for value in values for token in value[:4096].split(",")]
    codings = [ALIASES.get(token, token) for token in named if token not in NONE][::-1]
    if len(codings) > MOST_CODINGS:
        problems.append(Skip("too many codings", f"{len(codings)}, at most {MOST_CODINGS} are undone", "body"))
    return codings[:MOST_CODINGS]


def _without(coding: str, data: bytes, limit: int, problems: list[Skip]) -> bytes:
    """`data` with one coding undone: the one it is labelled with, or the one it is in."""
    if not data:
        return data
    partial: list[tuple[Undone, str]] = []
    for candidate in _candidates(coding, coding_of(data)):
        undone = UNDO[candidate](data, limit)
        if undone.whole:
            return undone.data
        partial.append((undone, candidate))
    if (text := _by_trial(data, limit)) is not None:
        return text
    sure = coding_of(data) if coding_of(data) in MARKED else None
    best = next((both for both in partial if both[0].data or both[1] == sure), None)
    if best:
        return _told(*best, data, problems)
    if kind_of(None, data) != BINARY:
        return data  # labelled wrongly, or undone by the archive
    what = ("damaged compression", f"the body is not {coding}") if coding in UNDO else ("unknown coding", f"Content-Encoding {coding[:60]}")
    problems.append(Skip(*what, "body"))
    return b""


def _candidates(label: str, seen: str | None) -> list[str]:
    """What is seen goes first where it is sure."""
    return [c for c in dict.fromkeys((seen, label) if seen in MARKED else (label, seen)) if c in UNDO]


def _by_trial(data: bytes, limit: int) -> bytes | None:
    """Compressed bytes that are not in what they are labelled with: the coding that makes a whole text of them is theirs."""
    if _is_text(data):
        return None
    tried = (UNDO[coding](data, limit) for coding in ("deflate", "br"))
    return next((undone.data for undone in tried if undone.whole and len(undone.data) >= len(data) and _is_text(undone.data)), None)


def _told(undone: Undone, coding: str, data: bytes, problems: list[Skip]) -> bytes:
    if coding not in MARKED and (_is_text(data) or (len(undone.data) < len(data) and kind_of(None, data) != BINARY)):
        return data  # a text in which the coding's first bytes came about by chance
    if undone.early:
        problems.append(Skip("truncated compression", f"{coding} ends early; {len(undone.data)} bytes were decoded", "body"))
    elif undone.wrong:
        problems.append(Skip("damaged compression", f"{coding}: {undone.wrong}; {len(undone.data)} bytes were decoded", "body"))
    return undone.data


def _is_text(data: bytes) -> bool:
    """Begins as compressed bytes hardly do: no controls, mostly ASCII or valid UTF-8."""
    start = data[:512]
    if len(start.translate(None, CONTROLS)) < len(start):
        return False
    ascii_only = start.translate(None, HIGH)
    return len(ascii_only) * 2 > len(start) or not start.decode("utf-8", "ignore").isascii()


def _unlabelled(data: bytes, message: Message, limit: int, problems: list[Skip]) -> bytes:
    """Compressed without a label: for the way, where text was announced, or where nothing was and a page is inside."""
    if coding_of(data) not in MARKED and _is_text(data):
        return data
    media_type, _ = message.type
    for _ in range(2):
        if (coding := coding_of(data)) not in MARKED:
            break
        if not announces_text(media_type) and (media_type or not _holds_a_page(coding, data)):
            return data
        data = _without(coding, data, limit, problems)
    else:
        return data
    return (_by_trial(data, limit) or data) if announces_text(media_type) else data


def _holds_a_page(coding: str, data: bytes) -> bool:
    return kind_of(None, UNDO[coding](data[: 4 * START], START).data[:START]) == HTML


def _dechunked(block: bytes, start: int, most: int, problems: list[Skip]) -> bytes | None:
    """None where the body does not begin with a whole chunk: many archives have undone the chunks and kept the header."""
    out, at, chunks = BytesIO(), start, 0
    while (size := SIZE.match(block, at)) and out.tell() <= most and chunks < MOST_CHUNKS:
        begin, end = size.end(), size.end() + int(size[1], 16)
        at = _after_line_end(block, end)
        if chunks == 0 and not _follows(block, begin, end, at):
            return None
        if begin == end:
            if not TRAILERS.match(block, begin, begin + MOST_TRAILERS):
                problems.append(Skip("bytes after the last chunk", f"{len(block) - begin} bytes", "body"))
            return out.getvalue()
        out.write(block[begin:end])
        chunks += 1
        if at == end:
            break
    if chunks == 0:
        return None
    if at >= len(block):
        problems.append(Skip("truncated chunks", f"the body ends after {out.tell()} bytes without a last chunk", "body"))
    elif out.tell() <= most:
        what = "no size of a chunk" if chunks < MOST_CHUNKS else f"more than {MOST_CHUNKS:,} chunks"
        problems.append(Skip("broken chunks", f"{what} at byte {at - start} of the body; {len(block) - at} bytes were left out", "body"))
    return out.getvalue()


def _after_line_end(data: bytes, at: int) -> int:
    return at + (2 if data.startswith(b"\r\n", at) else 1 if data.startswith(b"\n", at) else 0)


def _follows(data: bytes, begin: int, end: int, after: int) -> bool:
    """Is the first line that looks like a size one? Then a line end, the end of the body or, after a zero, only trailers come."""
    return TRAILERS.match(data, begin, begin + MOST_TRAILERS) is not None if begin == end else after > end or end >= len(data)
