"""Which files lie below a folder, and what of it cannot be read? In the order of their paths' bytes.

Links to folders are not followed: what lies in the folder is read at its own place, what lies outside of it is not given.
Web archives are inputs of their own, so that they are told apart from what else there is.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from unquilt.read.names import is_archive, parts
from unquilt.read.record import Skip

METADATA = ".wat"  # archives without a page


@dataclass(frozen=True)
class Entry:
    """A file by its path in the folder, or a folder or link of which nothing can be read."""

    path: Path
    skip: Skip | None = None
    size: int = 0


def entries(folder: Path) -> Iterator[Entry]:
    """All but the web archives. A folder that cannot be listed itself is an OSError."""
    root = Path(os.path.realpath(folder))
    for path, error in _all(folder):
        if error is not None:
            yield Entry(path, _unreadable(error))
        elif not _is_archive(folder, path):
            yield _file(folder, path, root)


def archives(folder: Path) -> tuple[list[Path], bool]:
    """The web archives in it, by their paths in the folder; and whether there is anything else."""
    found: list[Path] = []
    others = False
    for path, error in _all(folder):
        if error is None and _is_archive(folder, path):
            found.append(path)
        else:
            others = True
    return found, others


def _is_archive(folder: Path, path: Path) -> bool:
    """A file, not a link to one: what it leads to is read at its own place."""
    plain = parts(path.name)[0]
    if plain.endswith(METADATA) or not (is_archive(path.name) or plain.endswith(".wacz")):
        return False
    try:
        return stat.S_ISREG((folder / path).lstat().st_mode)
    except OSError:
        return False


def _all(folder: Path) -> Iterator[tuple[Path, OSError | None]]:
    """The files in it, and folders of which nothing can be read, with the reason."""
    waiting = _within(folder, Path())
    while waiting:
        below = waiting.pop()
        if not below.is_folder:
            yield below.path, None
            continue
        try:
            waiting += _within(folder, below.path)
        except OSError as error:
            yield below.path, error


@dataclass(frozen=True, slots=True)
class _Below:
    path: Path
    is_folder: bool


def _within(folder: Path, path: Path) -> list[_Below]:
    """What lies in a folder, the last first."""
    with os.scandir(folder / path) as found:
        names = sorted((os.fsencode(e.name) + b"/" * e.is_dir(follow_symlinks=False), e.name) for e in found)
    return [_Below(path / name, key.endswith(b"/")) for key, name in reversed(names)]


def _file(folder: Path, path: Path, root: Path) -> Entry:
    try:
        told = (folder / path).lstat()
        skip = _linked(folder / path, root) if stat.S_ISLNK(told.st_mode) else None
        return Entry(path, skip, 0 if skip else (folder / path).stat().st_size)
    except OSError as error:
        return Entry(path, _unreadable(error))


def _linked(link: Path, root: Path) -> Skip | None:
    """What speaks against reading a link; None for one to a file within the folder."""
    try:
        target = link.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        return Skip("symbolic link", "it leads nowhere" if isinstance(error, FileNotFoundError) else "it leads in a circle")
    if not target.is_relative_to(root):
        return Skip("symbolic link", "it leads out of the folder")
    if target.is_dir():
        return Skip("symbolic link", "it leads to a folder, which is read at its own place")
    return None


def _unreadable(error: OSError) -> Skip:
    return Skip("cannot be read", error.strerror or str(error))
