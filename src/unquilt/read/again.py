"""What were the bytes of a page? Read again from the input it came from, by what its capture says of its origin.

Of an archive that is the body of the response as a browser would have got it, without chunks and compression; of a folder
the file, unpacked; of rows the field that holds the HTML; of a MediaWiki export the wikitext.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from unquilt.errors import InputError
from unquilt.read.identity import identity
from unquilt.read.reader import Reader
from unquilt.read.record import Found, Limits, Record, Response

LIMITS = Limits(body_bytes=Limits().record_bytes)  # the whole of it, also where only its beginning was read
COMPARED = 4 << 30  # of larger inputs the size is compared, and not every byte
GIVE_AGAIN = "put the one that was added back, or add this one"


@dataclass(frozen=True)
class Origin:
    """`file`, `offset` and `length` of a capture."""

    file: str
    offset: int
    length: int


@dataclass(frozen=True)
class Again:
    """`what` it is: "html", "wikitext" or "text"."""

    data: bytes
    what: str = "html"


def again(reader: Reader, path: Path, origin: Origin) -> Again:
    """An InputError says why they cannot be had."""
    try:
        return FETCH.get(reader.kind, _row)(reader, path, origin)
    except FileNotFoundError:
        raise _gone(str(path)) from None
    except OSError as error:
        raise InputError(f"`{path}` cannot be read ({error.strerror or error}); check its permissions") from error


def check_unchanged(path: Path, name: str, size: int, sha256: str) -> None:
    """Is the input what it was when it was added? Places in another one mean nothing."""
    try:
        now = identity(path) if path.is_dir() or path.stat().st_size <= COMPARED else (path.stat().st_size, sha256)
    except OSError:
        raise _gone(name) from None
    if now == (size, sha256):
        return
    how = f"it had {size:,} bytes, now it has {now[0]:,}" if now[0] != size else "as many bytes, others"
    raise InputError(f"`{name}` was changed since it was added ({how}); {GIVE_AGAIN}")


def _gone(name: str) -> InputError:
    return InputError(f"`{name}` is not there any more, and the study keeps no HTML; put it back to where it was")


def _row(reader: Reader, path: Path, origin: Origin) -> Again:
    found = next(reader.read(path, origin.offset, LIMITS), None)
    if found is None or (found.offset, found.length) != (origin.offset, origin.length):
        raise _elsewhere(path, origin)
    return _content(found, path)


def _archived(reader: Reader, path: Path, origin: Origin) -> Again:
    from unquilt.read import archive

    found = next(archive.read(path, origin.offset, reader.fields, LIMITS), None)
    if found is None or (found.offset, found.length) != (origin.offset, origin.length):
        raise _elsewhere(path, origin)
    return _content(found, path)


def _zipped(reader: Reader, path: Path, origin: Origin) -> Again:
    from unquilt.read import wacz

    found = wacz.fetch(path, origin.file, origin.offset, LIMITS)
    if found is None or (found.offset, found.length) != (origin.offset, origin.length):
        raise _elsewhere(path, origin)
    return _content(found, path)


def _indexed(reader: Reader, path: Path, origin: Origin) -> Again:
    from unquilt.read import cdx

    found = cdx.fetch(path, origin.file, origin.offset, origin.length, LIMITS, warc_root=reader.options.warc_root)
    if found.record is None and found.skips:
        raise InputError(f"`{origin.file}` has not the record any more ({found.skips[0].reason}); {GIVE_AGAIN}")
    return _content(found, path)


def _filed(reader: Reader, path: Path, origin: Origin) -> Again:
    from unquilt.read import folder
    from unquilt.read.names import parts

    data = folder.fetch(path, origin.file if path.is_dir() else path.name, LIMITS)
    return Again(data, "text" if parts(origin.file)[0].endswith(folder.TEXT) else "html")


def _exported(reader: Reader, path: Path, origin: Origin) -> Again:
    from unquilt.read import mediawiki

    return Again(mediawiki.fetch(path, origin.offset, LIMITS, revisions=reader.options.revisions), "wikitext")


FETCH: dict[str, Callable[[Reader, Path, Origin], Again]] = {
    "warc": _archived,
    "wacz": _zipped,
    "cdx": _indexed,
    "folder": _filed,
    "html": _filed,
    "mediawiki": _exported,
}


def _content(found: Found, path: Path) -> Again:
    from unquilt.read import http

    match found.record:
        case Response(block=block, http=True):
            return Again(http.decoded(http.parse(block), LIMITS.body_bytes).data)
        case Response(block=block):
            return Again(block)
        case Record():
            raise InputError(f"`{path}` gives its pages as text, so there is no HTML of them; leave --html out to see the text")
    raise InputError(f"`{path}` has no page there; {GIVE_AGAIN}")


def _elsewhere(path: Path, origin: Origin) -> InputError:
    return InputError(f"`{path}` has no record of {origin.length:,} at {origin.offset:,} any more, so it was changed; {GIVE_AGAIN}")
