"""Which files does a pattern name? As in the shell: `*`, `?`, `[a-z]`, `**` for folders within folders; by the bytes of their paths.

Names that begin with a dot are meant only where the pattern says the dot. `**` does not go through links to folders.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from unquilt.errors import InputError

MAGIC = "*?["
DEEP = "**"


def is_pattern(text: str) -> bool:
    return any(c in text for c in MAGIC)


def matches(pattern: Path) -> list[Path]:
    """Files that match, and folders too where the pattern has no `**`, with which their files would be named twice."""
    parts = list(pattern.parts)
    base = Path(parts.pop(0)) if pattern.is_absolute() else Path()
    deep = DEEP in parts
    if deep and parts[-1] == DEEP:
        parts.append("*")
    found = {path for path in _below(base, tuple(parts)) if not (deep and path.is_dir())}
    return sorted(found, key=os.fsencode)


def _below(base: Path, parts: tuple[str, ...]) -> Iterator[Path]:
    waiting = [(base, parts)]
    while waiting:
        here, left = waiting.pop()
        if not left:
            yield here
            continue
        first, rest = left[0], left[1:]
        if first == DEEP:
            waiting.append((here, rest if rest[:1] != (DEEP,) else rest[1:]))
            waiting += [(here / e.name, left) for e in _entries(here) if e.is_dir(follow_symlinks=False) and not e.name.startswith(".")]
        elif is_pattern(first):
            waiting += [(here / e.name, rest) for e in _entries(here) if _means(first, e.name) and (not rest or e.is_dir())]
        elif os.path.lexists(here / first):
            waiting.append((here / first, rest))


def _means(pattern: str, name: str) -> bool:
    return fnmatchcase(name, pattern) and (not name.startswith(".") or pattern.startswith("."))


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except NotADirectoryError:
        return []
    except OSError as error:
        raise InputError(f"`{folder}` cannot be read ({error.strerror}); check its permissions, or name the files") from error
