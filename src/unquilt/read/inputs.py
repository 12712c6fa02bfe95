"""What did the user type? Files, folders, patterns, lists of them (`@list.txt`), URLs, `-` for what comes on stdin.

All of it becomes a list of inputs before the first is read, and whatever can be said against one is said then. A folder is an
input of the pages in it, and each web archive in it is one of its own.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import unquote, urlsplit

from unquilt.errors import InputError, UsageError
from unquilt.read import folder_files, globs
from unquilt.read.compressed import Damaged, opened
from unquilt.read.names import printable
from unquilt.read.options import Options
from unquilt.read.reader import Reader, kind_named, reader_for
from unquilt.read.record import Fields
from unquilt.read.url import shown
from unquilt.watch import Watch

STDIN = "-"
STDIN_NAME = "stdin"
URL = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]+://")
LONGEST_LINE = 64 << 10
MOST_LINES = 1_000_000


@dataclass(frozen=True)
class Given:
    """One input. `name` is what it is called from now on; `path` where it lies, `url` where it has to be fetched from.

    With neither, or where the path is a pipe (`stream`), it can be read only once.
    """

    name: str
    path: Path | None = None
    url: str | None = None
    stream: bool = False

    @property
    def is_here(self) -> bool:
        """It can be read where it lies, as often as needed."""
        return self.path is not None and not self.stream


def given(typed: Sequence[str | Path]) -> list[Given]:
    """The inputs that are meant, each once."""
    found = [one for what in typed for one in (_of_path(what) if isinstance(what, Path) and str(what) != STDIN else _given(str(what)))]
    return list({one.name: one for one in reversed(found)}.values())[::-1]


def readers_for(typed: Sequence[str | Path], fields: Fields, options: Options | None = None) -> list[tuple[Given, Reader | None]]:
    """Inputs with their readers; none for those whose first bytes have to be seen, once they are here (`brought`)."""
    options = options or Options()
    options.check()
    return [(one, _reader_before(one, fields, options)) for one in given(typed)]


def _reader_before(one: Given, fields: Fields, options: Options) -> Reader | None:
    if one.is_here:
        assert one.path is not None
        return reader_for(one.path, fields, options)
    kind = kind_named(_file_name(one.url), one.name) if one.url else None
    return Reader(kind, fields, options) if kind else None


def brought(one: Given, room: Path, watch: Watch) -> Path:
    """Where the input can be read from: its own place, else a file in `room`, which it is copied to."""
    if one.is_here:
        assert one.path is not None
        return one.path
    if one.url is not None:
        from unquilt.read.remote import fetched

        return fetched(one.url, room / _file_name(one.url), watch)
    if one.path is None:
        return _spooled(sys.stdin.buffer, room)
    with open(one.path, "rb") as file:
        return _spooled(file, room)


def reader_of_brought(path: Path, one: Given, fields: Fields, options: Options | None = None) -> Reader:
    """The reader of an input that had to be brought; what comes on stdin and has no other form is JSONL."""
    try:
        return reader_for(path, fields, options)
    except UsageError:
        if one.url is None:
            return Reader("jsonl", fields, options or Options())
        raise


def _given(text: str) -> Iterator[Given]:
    if text == STDIN:
        yield Given(STDIN_NAME, stream=True)
    elif text.startswith("@"):
        yield from _listed(Path(text[1:]))
    elif URL.match(text):
        yield from _of_url(text)
    elif globs.is_pattern(text) and not os.path.lexists(text):
        found = globs.matches(Path(text))
        if not found:
            raise InputError(f"`{text}` matches no file; check the pattern and the folder it begins in")
        yield from (one for path in found for one in _of_path(path))
    else:
        yield from _of_path(Path(text))


def _of_path(path: Path) -> Iterator[Given]:
    """A file; a folder, as an input of pages, and each web archive in it as one of its own."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:  # a name with NUL in it is a ValueError
        raise InputError(f"`{printable(path)}` cannot be read ({_why(error)}); check the name and its permissions") from None
    if not stat.S_ISDIR(mode):
        yield _of_file(path, stream=not stat.S_ISREG(mode))
        return
    try:
        archives, others = folder_files.archives(path)
    except OSError as error:
        raise InputError(f"`{printable(path)}` cannot be read ({_why(error)}); check the name and its permissions") from None
    if others or not archives:
        yield _of_file(path)
    yield from (_of_file(path / archive) for archive in archives)


def _of_file(path: Path, *, stream: bool = False) -> Given:
    name = printable(path)
    return Given(f"./{name}" if name == STDIN_NAME else name, path, stream=stream)


def _why(error: OSError | ValueError) -> str:
    match error:
        case FileNotFoundError() | NotADirectoryError() | ValueError():
            return "there is no such file"
        case PermissionError():
            return "its permissions forbid it"
    return error.strerror or str(error)


def _of_url(url: str) -> Iterator[Given]:
    scheme = url.partition(":")[0].lower()
    if scheme == "file":
        yield from _given(unquote(urlsplit(url).path))
        return
    if scheme not in ("http", "https") and globs.is_pattern(url):
        from unquilt.read.remote import matches

        yield from (Given(shown(u), url=u) for u in matches(url))
        return
    yield Given(shown(url), url=url)


def _listed(path: Path) -> Iterator[Given]:
    """What a list names, a line each; paths in it begin where the list lies."""
    nothing = True
    for number, line in enumerate(_lines(path), 1):
        if not line or line.startswith("#"):
            continue
        nothing = False
        if line == STDIN or line.startswith("@"):
            raise UsageError(f"`{path}` line {number} is `{line[:200]}`; a list names files, folders, patterns and URLs only")
        try:
            yield from _given(line if URL.match(line) else str(path.parent / line))
        except InputError as error:
            raise InputError(f"`{path}` line {number}: {error}") from error
    if nothing:
        raise InputError(f"`{path}` names no file; give a list with a file or URL a line")


def _lines(path: Path) -> Iterator[str]:
    try:
        with opened(path) as file:
            for _ in range(MOST_LINES):
                line = file.readline(LONGEST_LINE)
                if not line:
                    return
                yield os.fsdecode(line.removeprefix(b"\xef\xbb\xbf").strip(b" \t\r\n"))
    except OSError as error:
        raise InputError(f"`{path}` cannot be read ({error.strerror or error}); give a list with a file or URL a line") from error
    except Damaged as error:
        raise InputError(f"`{path}` cannot be unpacked ({error}); give a list with a file or URL a line") from error
    raise UsageError(f"`{path}` has more than {MOST_LINES:,} lines; divide it, or give a folder")


def _file_name(url: str | None) -> str:
    """The last part of the URL's path, as a name that a file may have."""
    name = unquote(urlsplit(url or "").path.rstrip("/").rpartition("/")[2])
    return re.sub(r"[^A-Za-z0-9._\-]", "_", name)[-100:].lstrip(".") or "fetched"


def _spooled(stream: IO[bytes], room: Path) -> Path:
    """What can be read only once, in a file; how it is compressed its first bytes say."""
    path = room / STDIN_NAME
    with path.open("wb") as file:
        shutil.copyfileobj(stream, file, 1 << 20)
    return path
