"""What does a row of an index say? Which record it means: file, offset and length, and the URL. For all forms of CDX and CDXJ.

CDX names its columns by letters in the first line (` CDX N b a m s k r M S V g`); without that line a row of 9, 10 or 11
columns is one of the three usual forms. CDXJ has a key, a time stamp and an object of JSON in each line.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from unquilt.read.record import Skip
from unquilt.read.url import shown

HEAD = re.compile(rb"(?:\xef\xbb\xbf)?(.)CDX(?:\1\w)+\s*\Z", re.DOTALL)
JSON = re.compile(rb"(?:\S+ \S+ )?(\{.*\})\s*\Z", re.DOTALL)
USUAL = {9: "N b a m s k r V g", 10: "N b a m s k r M V g", 11: "N b a m s k r M S V g"}
LONGEST_NAME = 4096


@dataclass(frozen=True)
class Legend:
    """What divides the columns, and the letter of each."""

    delimiter: bytes
    letters: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """`length` is None where the index does not say it."""

    file: str
    offset: int
    length: int | None
    url: str | None


def legend_in(line: bytes) -> Legend | None:
    match = HEAD.match(line)
    if match is None:
        return None
    return Legend(match[1], tuple(line[match.end(1) :].decode("latin-1").strip().split(match[1].decode("latin-1"))[1:]))


def row_in(line: bytes, legend: Legend | None) -> Row | Skip | None:
    """None for what is no row: empty lines, the first line, comments of CDXJ."""
    text = line.strip(b"\r\n")
    if not text.strip() or text.startswith(b"!") or HEAD.match(line):
        return None
    said = JSON.match(text)
    found = _of_json(said[1]) if said else _of_columns(text, legend)
    if found is None:
        return Skip("not a row of an index", shown(text[:150].decode("utf-8", "replace")))
    file, offset, length, url = found
    if not isinstance(file, str) or not 0 < len(file) <= LONGEST_NAME or _number(offset) is None:
        return Skip("no place in the index", "the row does not say in which file and where the record is", url=_url(url))
    return Row(file, _number(offset) or 0, _number(length) or None, url if isinstance(url, str) else None)


def _of_json(text: bytes) -> tuple[Any, Any, Any, Any] | None:
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return (said.get("filename"), said.get("offset"), said.get("length"), said.get("url")) if isinstance(said, dict) else None


def _of_columns(text: bytes, legend: Legend | None) -> tuple[Any, Any, Any, Any] | None:
    columns = text.strip(b" ").split(legend.delimiter if legend else b" ", 100)
    letters = legend.letters if legend else tuple(USUAL.get(len(columns), "").split())
    if not letters or len(letters) != len(columns):
        return None
    said = dict(zip(letters, (c.decode("utf-8", "surrogateescape") for c in columns), strict=True))
    offset = said.get("V", "-")
    plain = offset == "-" and not said.get("g", "").endswith((".gz", ".zst", ".lz4"))
    return said.get("g"), said.get("v") if plain else offset, said.get("S"), said.get("a")


def _number(said: Any) -> int | None:
    """As JSON has numbers, or as text."""
    if isinstance(said, str) and said.isascii() and said.isdigit() and len(said) < 19:
        return int(said)
    return said if isinstance(said, int) and not isinstance(said, bool) and 0 <= said < 1 << 62 else None


def _url(said: Any) -> str | None:
    return shown(said[:1000]) if isinstance(said, str) else None
