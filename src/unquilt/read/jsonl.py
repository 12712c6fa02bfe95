"""One JSON object a line, also compressed. A line that cannot be used is left out, with its place and the reason."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import IO, Any

from unquilt.read.compressed import Damaged, opened
from unquilt.read.fields import record_of
from unquilt.read.record import Fields, Found, Limits, Skip

PIECE = 1 << 20
BOM = b"\xef\xbb\xbf"
MOST_DIGITS = 4300  # more than that Python refuses to make a number of; no field of ours needs it


def read(path: Path, start: int, fields: Fields, limits: Limits) -> Iterator[Found]:
    with opened(path) as file:
        if start:
            file.seek(start)
        # Nothing here keeps what was yielded, which may be most of the memory there is.
        yield from takewhile(lambda found: found.length, _founds(file, fields, limits))
        if not file.tell():
            yield Found(0, 0, None, (Skip("empty file"),))


def _founds(file: IO[bytes], fields: Fields, limits: Limits) -> Iterator[Found]:
    while True:
        yield _next(file, fields, limits)


def _next(file: IO[bytes], fields: Fields, limits: Limits) -> Found:
    """What the next line holds; of no length at the end."""
    offset = file.tell()
    try:
        line, length = _line(file, limits.held_bytes)
    except Damaged as damaged:
        return Found(offset, file.tell() - offset, None, (damaged.skip,))
    limits.make_room(length, f"the line of {length:,} bytes at {offset:,}")
    return _found(line, offset, length, fields, limits)


def _line(file: IO[bytes], limit: int) -> tuple[bytes | None, int]:
    """(line, its length with its end); None for a line over the limit, which is read past without being held."""
    line = file.readline(limit + 1)
    length = len(line)
    if length <= limit or line.endswith(b"\n"):
        return line, length
    del line
    while piece := file.readline(PIECE):
        length += len(piece)
        if piece.endswith(b"\n"):
            break
    return None, length


def _found(line: bytes | None, offset: int, length: int, fields: Fields, limits: Limits) -> Found:
    if line is None:
        return _left_out(offset, length, "record too large", f"{length:,} bytes, the limit is {limits.record_bytes:,}")
    if not line or line.isspace():
        return Found(offset, length, None)
    try:
        value = _parsed(line.removeprefix(BOM).decode("utf-8"))
    except UnicodeDecodeError as error:
        return _left_out(offset, length, "not UTF-8", f"byte {error.start} of the line")
    except (ValueError, RecursionError) as error:
        return _left_out(offset, length, "not JSON", str(error) or type(error).__name__)
    if not isinstance(value, dict):
        return _left_out(offset, length, "not a JSON object", f"a {type(value).__name__}")
    record, skips = record_of(_strings(value) if b"\\u" in line else value, fields, limits)
    return Found(offset, length, record, skips)


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError:
        raise
    except ValueError:  # a number too long for Python
        return json.loads(line, parse_int=_integer)


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= MOST_DIGITS else digits


def _left_out(offset: int, length: int, reason: str, detail: str) -> Found:
    return Found(offset, length, None, (Skip(reason, detail[:200]),))


def _strings(value: dict[str, Any]) -> dict[str, Any]:
    """Lone surrogates, which JSON can spell and UTF-8 cannot, become U+FFFD."""
    return {k: _whole(v) if isinstance(v, str) else v for k, v in value.items()}


def _whole(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
