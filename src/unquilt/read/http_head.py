"""What does the head of an archived HTTP message say? Whatever can be read of it; nothing raises.

Heads are read as archives have them: CRLF or bare LF, folded lines, values that are no ASCII, `HTTP/2`, interim answers
(100 Continue) before the real one, no status line, no head at all (then everything is body).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MOST_HEAD, MOST_FIELDS = 1 << 20, 10_000
MOST_TYPES, MOST_TYPE = 8, 1024  # what is longer is no media type, and costs its square
STATUS = re.compile(rb"(?:HTTP|[A-Z]{2,8}(?=/\d))(?:/\d{1,3}(?:\.\d{1,3})?)?[ \t]+(\d{3})(?![^ \t\r\n])[^\n]*(?:\n|\Z)", re.IGNORECASE)
STATUS_LINE = re.compile(rb"(?:HTTP/|[A-Z]{2,8}/\d[.\d]*(?=[ \t]\d{3})|HTTP(?=[ \t]+\d{3}))[^\n]*(?:\n|\Z)", re.IGNORECASE)
FIELD = re.compile(rb"(:?[!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*:([^\n]*)\Z")
PARAMETER = re.compile(r"""[ \t]*([^\s;="]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"?|([^;]*))[^;]*(?:;|$)""", re.DOTALL)
PART = re.compile(r"""(?:[^,"]|"(?:[^"\\]|\\.)*(?:"|$))+""", re.DOTALL)
TYPE = re.compile(r"[!#$%&'*+.^_`|~0-9a-z-]+/[!#$%&'*+.^_`|~0-9a-z-]+\Z")
BLANK = re.compile(rb"\n\r?\n")
SPACE = " \t\r\n\f"


@dataclass(frozen=True)
class Message:
    """`block[body:]` is the body as it was sent or archived. Names of headers are in lower case, in order."""

    block: bytes
    body: int
    status: int | None = None
    headers: tuple[tuple[str, str], ...] = ()

    def all(self, name: str) -> list[str]:
        """The values of every header of the name, for those that are lists (Content-Encoding, Link, X-Robots-Tag)."""
        return [value for key, value in self.headers if key == name.lower()]

    def first(self, name: str) -> str | None:
        """For headers that should be there once (Location, Last-Modified, Date)."""
        return next(iter(self.all(name)), None)

    def last(self, name: str) -> str | None:
        return next(reversed(self.all(name)), None)

    @property
    def type(self) -> tuple[str | None, str | None]:
        """Media type and charset of Content-Type; of several the last that is one counts, as in browsers."""
        said = map(content_type, self.all("content-type")[: -MOST_TYPES - 1 : -1])
        return next((both for both in said if both[0]), (None, None))


def parse(block: bytes) -> Message:
    start, message = 0, _parsed(block, 0)
    while message.status and 100 <= message.status < 200 and message.status != 101 and message.body > start:
        start = message.body
        if not STATUS_LINE.match(block, start):
            break
        message = _parsed(block, start)
    return message


def _parsed(block: bytes, start: int) -> Message:
    line = STATUS_LINE.match(block, start)
    headers, body, whole = _fields(block, line.end() if line else start)
    if not line and not (whole and headers):
        return Message(block, start)
    status = STATUS.match(block, start)
    return Message(block, body, int(status[1]) if status else _pseudo_status(headers), tuple(headers))


def _pseudo_status(headers: list[tuple[str, str]]) -> int | None:
    """HTTP/2 sends the status as a field."""
    said = next((value for name, value in headers if name == ":status"), "")
    return int(said) if len(said) == 3 and said.isascii() and said.isdigit() else None


def _fields(block: bytes, at: int) -> tuple[list[tuple[str, str]], int, bool]:
    """(fields, where the body begins, whether every line of the head was one). A line that is none is left out."""
    fields: list[tuple[str, list[bytes]]] = []
    whole = True
    end = min(len(block), at + MOST_HEAD)
    while at < end:
        stop = block.find(b"\n", at, end)
        line = block[at : stop if stop >= 0 else end].rstrip(b"\r")
        if not line:
            return _read(fields), (stop if stop >= 0 else end - 1) + 1, whole
        if line[:1] == b"<":  # markup: the blank line is missing
            return _read(fields), at, False
        field = FIELD.match(line)
        if field and len(fields) < MOST_FIELDS:
            fields.append((field[1].decode("ascii").lower(), [field[2]]))
        elif line[:1] in b" \t" and fields:
            fields[-1][1].append(line)
        else:
            whole = False
        at = (stop if stop >= 0 else end - 1) + 1
    blank = BLANK.search(block, at) if end < len(block) else None
    return _read(fields), blank.end() if blank else at, False


def _read(fields: list[tuple[str, list[bytes]]]) -> list[tuple[str, str]]:
    return [(name, _value(lines)) for name, lines in fields]


def _value(lines: list[bytes]) -> str:
    value = b" ".join(line.strip(b" \t\r") for line in lines)
    try:
        return value.decode().strip(SPACE)
    except UnicodeDecodeError:
        return value.decode("latin-1").strip(SPACE)


def content_type(value: str | None) -> tuple[str | None, str | None]:
    """(media type in lower case, charset). Of several types between commas the last counts; it keeps the charset of its like."""
    media_type = charset = None
    for part in PART.findall((value or "")[:MOST_TYPE]):
        named, _, rest = part.partition(";")
        named = named.strip(SPACE).lower()
        if not TYPE.match(named) or named == "*/*":
            continue
        said = _charset(rest)
        charset = said or (charset if named == media_type else None)
        media_type = named
    return media_type, charset


def _charset(parameters: str) -> str | None:
    for name, quoted, plain in PARAMETER.findall(parameters):
        if name.lower() == "charset":
            return re.sub(r"\\(.)", r"\1", quoted or plain).strip(SPACE + "'\"") or None
    return None
