"""How do words and data reach a person? Without the control characters a page may carry, within the width there is."""

from __future__ import annotations

import json
import os
import re
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

CUT = 200  # without a terminal: long enough for a URL to be searched for, short enough for a table
LEAST = 12
# What JSON lets through and terminals obey: the controls above ASCII, and those that turn the writing direction.
STEERING = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


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
    print(_json(value))


def print_json_rows(rows: Iterable[Mapping[str, Any]]) -> None:
    """A list, printed as it comes, for it may be longer than what can be held."""
    begin = "["
    for row in rows:
        print(begin + "\n " + _json(row).replace("\n", "\n "), end="")
        begin = ","
    print("[]" if begin == "[" else "\n]")


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=1)
    return STEERING.sub(lambda c: f"\\u{ord(c[0]):04x}", text)


def print_lines(lines: Sequence[str]) -> None:
    for line in lines:
        print(line)


def print_text(text: str) -> None:
    """A page's text: on a terminal without what could steer it, elsewhere as it is."""
    print(printable(text) if sys.stdout.isatty() else text)


def print_bytes(data: bytes) -> None:
    """As they are, for a file or a program; on a terminal without what could steer it."""
    if sys.stdout.isatty():
        print(printable(data.decode("utf-8", "backslashreplace")))
    else:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def print_rows(names: Sequence[str], found: Iterable[Mapping[str, Any]]) -> None:
    """A plain table, columns aligned; what does not fit is cut, and said to be, by an ellipsis."""
    rows = [{name: _short(name, value) for name, value in row.items()} for row in found]
    names = _without_doubles(names, rows)
    cells = [list(names), *([_cell(row[n]) for n in names] for row in rows)]
    widths = _fitted([max(_width(line[i]) for line in cells) for i in range(len(names))])
    numeric = [all(isinstance(r[n], int | float) or r[n] is None for r in rows) for n in names]
    for line in cells:
        padded = [_padded(_cut(c, w), w, right) for c, w, right in zip(line, widths, numeric, strict=True)]
        print("  ".join(padded).rstrip())


def _short(name: str, value: Any) -> Any:
    """Texts are long, and more is cut anyway; but ids are compared with URLs first."""
    if isinstance(value, str) and len(value) > CUT and not name.endswith(("id", "url")):
        return value[: CUT + 1]
    return value


def _without_doubles(names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Without the ids where they are the URLs anyway: a person reads them once."""

    def double(name: str) -> bool:
        url = name.removesuffix("id") + "url"
        return name.endswith("id") and url in names and all(r[name] == r[url] for r in rows)

    return [n for n in names if not (rows and double(n))]


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, str) and len(value) > CUT:
        value = value[: CUT + 1]  # more is cut anyway, and texts are long
    text = printable(json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value))
    return text.replace("\n", " ").replace("\t", " ")


def _fitted(widths: list[int]) -> list[int]:
    """The widths that fit the terminal: the widest column gives way first, none below LEAST."""
    widths = [min(w, CUT) for w in widths]
    room = _columns() - 2 * (len(widths) - 1)
    while (excess := sum(widths) - room) > 0 and max(widths) > LEAST:
        widest = widths.index(max(widths))
        others = max((w for w in widths if w < widths[widest]), default=LEAST)
        widths[widest] -= min(excess, widths[widest] - max(LEAST, others - 1))
    return widths


def _columns() -> int:
    """Columns of the terminal; without one there is no end to a line."""
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or 1 << 30
    except (OSError, ValueError):
        return 1 << 30


def _cut(text: str, width: int) -> str:
    if _width(text) <= width:
        return text
    while _width(text) > width - 1:
        text = text[: -max(1, (_width(text) - width) // 2)]
    return text + "…"


def _padded(text: str, width: int, right: bool) -> str:
    space = " " * (width - _width(text))
    return space + text if right else text + space


def _width(text: str) -> int:
    """Cells of a terminal: ideographs take two, marks none."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.category(c) in ("Mn", "Me") else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
