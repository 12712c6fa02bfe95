"""One JSON object a line, also compressed by gzip. A line that cannot be used is left out, with its place and the reason."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

from unquilt.read.fields import record_of
from unquilt.read.record import Fields, Found, Limits, Skip

PIECE = 1 << 20
BOM = b"\xef\xbb\xbf"
MOST_DIGITS = 4300  # more than that Python refuses to make a number of; no field of ours needs it


def read(path: Path, start: int, fields: Fields, limits: Limits) -> Iterator[Found]:
    with _opened(path) as file:
        file.seek(start)
        offset = start
        while True:
            try:
                line, length = _line(file, limits.record_bytes)
            except (EOFError, zlib.error, gzip.BadGzipFile) as error:
                yield Found(offset, 0, None, (Skip("damaged compression", f"the rest of the file is lost: {error}"),))
                return
            if not length:
                return
            yield _found(line, offset, length, fields, limits)
            offset += length


def _opened(path: Path) -> IO[bytes]:
    compressed = path.name.lower().endswith(".gz")
    return cast("IO[bytes]", gzip.open(path) if compressed else open(path, "rb"))


def _line(file: IO[bytes], limit: int) -> tuple[bytes | None, int]:
    """(line, its length with its end); None for a line over the limit, which is read past without being held."""
    line = file.readline(limit + 1)
    length = len(line)
    if length <= limit or line.endswith(b"\n"):
        return line, length
    while piece := file.readline(PIECE):
        length += len(piece)
        if piece.endswith(b"\n"):
            break
    return None, length


def _found(line: bytes | None, offset: int, length: int, fields: Fields, limits: Limits) -> Found:
    if line is None:
        return _left_out(offset, length, "record too large", f"{length} bytes, the limit is {limits.record_bytes}")
    if not line.strip():
        return Found(offset, length, None)
    try:
        value = json.loads(line.removeprefix(BOM).decode("utf-8"), parse_int=_integer)
    except UnicodeDecodeError as error:
        return _left_out(offset, length, "not UTF-8", f"byte {error.start} of the line")
    except (ValueError, RecursionError) as error:
        return _left_out(offset, length, "not JSON", str(error) or type(error).__name__)
    if not isinstance(value, dict):
        return _left_out(offset, length, "not a JSON object", f"a {type(value).__name__}")
    record, skips = record_of(_strings(value), fields, limits)
    return Found(offset, length, record, skips)


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
