"""When are two inputs the same? When their bytes are; of a folder, when its files have the same names and bytes."""

from __future__ import annotations

import hashlib
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from unquilt.errors import InputError
from unquilt.read.folder_files import entries

if TYPE_CHECKING:
    from hashlib import _Hash

PIECE = 1 << 20


def identity(path: Path) -> tuple[int, str]:
    """(bytes, SHA-256). What cannot be read of a folder counts by its name and the reason."""
    whole = hashlib.sha256()
    size = _folder(path, whole) if path.is_dir() else _file(path, whole)
    return size, whole.hexdigest()


def _file(path: Path, whole: _Hash) -> int:
    """A pipe can be read once only, and a device may never end."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise InputError(f"`{path}` is a pipe, a socket or a device; write what it gives to a file, or give it on stdin as `-`")
    size = 0
    with open(path, "rb") as file:
        while piece := file.read(PIECE):
            whole.update(piece)
            size += len(piece)
    return size


def _folder(path: Path, whole: _Hash) -> int:
    size = 0
    for entry in entries(path):
        one = hashlib.sha256(bytes(entry.path) + b"\0")
        try:
            if entry.skip:
                one.update(f"{entry.skip.reason}: {entry.skip.detail}".encode())
            else:
                size += _file(path / entry.path, one)
        except (OSError, InputError) as error:
            one.update(type(error).__name__.encode())
        whole.update(one.digest())
    return size
