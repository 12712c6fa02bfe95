"""Where do the archives lie that an index names? In a folder, or at a URL, from which each record is fetched by itself."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol
from urllib.parse import quote

from unquilt.errors import InputError
from unquilt.read.cdx_row import Row
from unquilt.read.record import Skip
from unquilt.read.url import shown
from unquilt.watch import Watch

URL = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]+://")
MOST_FETCHED = 32 << 20  # bytes of one record, as it is compressed


class Place(NamedTuple):
    """A file, and where the record begins in it."""

    path: Path
    offset: int


class Root(Protocol):
    @contextmanager
    def place(self, row: Row) -> Iterator[Place | Skip]:
        """The record that a row means, or why it cannot be had."""
        ...


def root_of(index: Path, warc_root: str | None) -> Root:
    if warc_root is not None and URL.match(warc_root):
        return Remote(warc_root.rstrip("/"))
    folder = index.parent if warc_root is None else Path(warc_root)
    if not folder.is_dir():
        raise InputError(f"`{folder}` is no folder; name the one that the archives of the index lie in with --warc-root, or its URL")
    return Folder(folder)


@dataclass(frozen=True)
class Folder:
    path: Path

    @contextmanager
    def place(self, row: Row) -> Iterator[Place | Skip]:
        if _leads_out(row.file):
            yield _unsafe(row.file)
            return
        found = next((path for path in (self.path / row.file, self.path / Path(row.file).name) if path.is_file()), None)
        yield Place(found, row.offset) if found else _missing(row.file)


@dataclass(frozen=True)
class Remote:
    url: str

    @contextmanager
    def place(self, row: Row) -> Iterator[Place | Skip]:
        if _leads_out(row.file):
            yield _unsafe(row.file)
            return
        from unquilt.read.remote import piece

        length = min(row.length or MOST_FETCHED, MOST_FETCHED)
        data = piece(f"{self.url}/{quote(row.file, errors='surrogateescape')}", row.offset, length, Watch())
        if data is None:
            yield _missing(row.file, f" at {shown(self.url)}")
            return
        with tempfile.NamedTemporaryFile(prefix="unquilt-") as file:
            file.write(data)
            file.flush()
            yield Place(Path(file.name), 0)


def _leads_out(name: str) -> bool:
    """An index may come from anywhere, and its archives must lie below the root."""
    inside = os.path.normpath(name)
    return "\0" in name or inside == ".." or inside.startswith(("/", "../"))


def _unsafe(name: str) -> Skip:
    return Skip("unsafe name", f"{name[-150:]} leads out of the folder of the archives")


def _missing(name: str, where: str = "") -> Skip:
    return Skip("archive missing", f"{name[-150:]} is not there{where}; name its folder with --warc-root")
