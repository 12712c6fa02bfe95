"""How do words and data reach a person? Without the control characters a page may carry."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

WIDTH = 60


def to_stderr(sentence: str) -> None:
    print(printable(sentence), file=sys.stderr, flush=True)


def printable(text: str) -> str:
    """Control, formatting and private characters as escapes: a page must not steer a terminal."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c in "\n\t" or unicodedata.category(c)[0] != "C" else _escaped(c) for c in text)


def _escaped(c: str) -> str:
    return c.encode("ascii", "backslashreplace").decode() if ord(c) > 127 else f"\\x{ord(c):02x}"


def print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=1))


def print_rows(names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    """A plain table, columns aligned; long texts are cut, and said to be, by an ellipsis."""
    cells = [[_cell(row[n]) for n in names] for row in rows]
    widths = [max(len(n), *(len(c[i]) for c in cells), 0) if cells else len(n) for i, n in enumerate(names)]
    numeric = [all(isinstance(r[n], int | float) or r[n] is None for r in rows) for n in names]
    for line in [list(names), *cells]:
        padded = [c.rjust(w) if right else c.ljust(w) for c, w, right in zip(line, widths, numeric, strict=True)]
        print("  ".join(padded).rstrip())


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    text = printable(json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value))
    text = text.replace("\n", " ").replace("\t", " ")
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"
