"""How does a file that lies elsewhere get here? Fetched whole into a file, in pieces; a fetch that breaks off goes on where it was.

http and https by Python itself; other URLs (s3, gs ...) by fsspec, which comes with the extra `remote`. A server that fails
or falls silent is asked again, after longer and longer waits, until nothing more has come several times in a row. A server
that gives the whole file where only the rest was asked for is taken at its word: then the file begins anew.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from unquilt.errors import InputError
from unquilt.read.url import shown
from unquilt.watch import Watch

PIECE = 1 << 20
WORTH = 1 << 20  # bytes that have to come for a try not to count
MOST_TRIES = 1000


class Failed(Exception):
    """It may be better the next time; `wait` is how long the server asks to wait."""

    def __init__(self, why: str, wait: float = 0.0) -> None:
        super().__init__(why)
        self.wait = wait


class Refused(Exception):
    """It will be no better the next time. `absent`: there is no such file."""

    def __init__(self, why: str, *, absent: bool = False) -> None:
        super().__init__(why)
        self.absent = absent


@dataclass
class Stream:
    """Bytes from `begin` on (which is not what was asked for where a server ignores that); `size`: of the whole file."""

    begin: int
    size: int | None
    pieces: Iterator[bytes]


class Source(Protocol):
    """A place to fetch from: what lies there from `begin` on, all of it or so many bytes."""

    def opened(self, begin: int, length: int | None = None) -> Stream: ...


@dataclass(frozen=True)
class Patience:
    """`tries` in a row that bring nothing more, `wait` seconds after the first (doubled each time), `silence` until a stall."""

    tries: int = 6
    wait: float = 1.0
    silence: float = 60.0
    longest: float = 60.0


def fetched(url: str, path: Path, watch: Watch, patience: Patience | None = None) -> Path:
    """Writes the file at `url` to `path`; an InputError says why that could not be."""
    patience = patience or Patience()
    source = source_of(url, patience)
    with path.open("wb") as file, watch.stage(f"fetch {path.name}", 0, "bytes"):
        _fetch(source, file, shown(url), watch, patience)
    return path


def piece(url: str, begin: int, length: int, watch: Watch, patience: Patience | None = None) -> bytes | None:
    """So many bytes of the file at `url`, fewer where it ends; None where there is no such file."""
    patience = patience or Patience()
    source = source_of(url, patience)
    for tried in range(1, patience.tries + 1):
        try:
            return _some(source, begin, length)
        except Refused as error:
            if error.absent:
                return None
            raise _refused(shown(url), error) from error
        except Failed as error:
            if tried == patience.tries:
                raise _given_up(shown(url), error, 0, tried) from error
            _wait(shown(url), begin, error, tried, watch, patience)
    return None


def matches(pattern: str) -> list[str]:
    """URLs that a pattern names, by their bytes."""
    from unquilt.read.remote_fsspec import matches

    found = matches(pattern)
    if not found:
        raise InputError(f"`{shown(pattern)}` matches no file; check the pattern and the folder it begins in")
    return found


def source_of(url: str, patience: Patience) -> Source:
    if url.partition(":")[0].lower() in ("http", "https"):
        from unquilt.read.remote_http import Http

        return Http(url, patience.silence)
    from unquilt.read.remote_fsspec import Fsspec

    return Fsspec(url)


def _fetch(source: Source, file: IO[bytes], name: str, watch: Watch, patience: Patience) -> None:
    furthest, fruitless = 0, 0
    for _ in range(MOST_TRIES):
        try:
            _rest(source, file, watch)
            return
        except Refused as error:
            raise _refused(name, error) from error
        except Failed as error:
            here = file.tell()
            fruitless = 0 if here >= furthest + WORTH else fruitless + 1
            furthest = max(furthest, here)
            if fruitless >= patience.tries:
                raise _given_up(name, error, furthest, fruitless) from error
            _wait(name, here, error, fruitless, watch, patience)
    raise _given_up(name, "it breaks off again and again", furthest, MOST_TRIES)


def _wait(name: str, here: int, error: Failed, fruitless: int, watch: Watch, patience: Patience) -> None:
    wait = min(max(patience.wait * 2 ** max(fruitless - 1, 0), error.wait), patience.longest)
    watch.detail(f"`{name}` broke off at {here:,} bytes ({error}); asking again in {wait:.0f} s")
    time.sleep(wait)


def _refused(name: str, why: object) -> InputError:
    return InputError(f"`{name}` cannot be fetched ({why}); check the address and whether it may be read")


def _given_up(name: str, why: object, bytes_: int, tries: int) -> InputError:
    return InputError(f"`{name}` cannot be fetched ({why}; {bytes_:,} bytes came, {tries} tries); try again later, or fetch it otherwise")


def _rest(source: Source, file: IO[bytes], watch: Watch) -> None:
    """What is missing in the file, or all of it where only all of it is given."""
    here = file.tell()
    stream = source.opened(here)
    if stream.begin != here:
        if stream.begin:
            raise Failed(f"bytes from {here:,} on were asked for, and those from {stream.begin:,} on came")
        file.seek(0)
        file.truncate()
        watch.advance(-here)
    for piece in stream.pieces:
        file.write(piece)
        watch.advance(len(piece))
    if stream.size is not None and file.tell() != stream.size:
        here = file.tell()
        if here > stream.size:
            file.seek(0)
            file.truncate()
        raise Failed(f"{here:,} bytes came, {stream.size:,} were announced")


def _some(source: Source, begin: int, length: int) -> bytes:
    stream = source.opened(begin, length)
    if stream.begin != begin:
        raise Refused("the server gives files only whole")
    held = bytearray()
    for data in stream.pieces:
        held += data
        if len(held) >= length:
            break
    if len(held) < length and (stream.size is None or begin + len(held) < stream.size):
        raise Failed(f"{len(held):,} of {length:,} bytes came")
    return bytes(held[:length])
