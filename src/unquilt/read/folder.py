"""A folder of pages as files, or one such file: which of them are pages, and where did they stand?

Files are read in the order of their paths' bytes, and a place is the running number of the file. The URL is that of
`--base-url` with the path behind it; else, where the first folder is named like a host (as `wget -r` names it), `http://`
with the path; else there is none and the id is that of the folder with the path. Where `index.html` lies is the URL of its
folder. The day a file was written says when it was unpacked or copied, not when the page was fetched, so it is not read.
Web archives in a folder are inputs of their own (`inputs`), and not looked at here.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote_from_bytes

from unquilt.errors import InputError
from unquilt.read import media_type
from unquilt.read.compressed import Damaged, compression, opened
from unquilt.read.document import type_of
from unquilt.read.folder_files import Entry, entries
from unquilt.read.names import printable
from unquilt.read.record import Fields, Found, Limits, Record, Response, Skip
from unquilt.read.url import normalised

HTML = {".html": "text/html", ".htm": "text/html", ".shtml": "text/html", ".xhtml": "application/xhtml+xml"}
TEXT = ".txt"
ENDINGS = (*HTML, TEXT)
INDEXES = (b"index.html", b"index.htm")
LOOKS_LIKE_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:\s++|<\?xml[^>]{0,200}+>|<!--(?:(?!-->).){0,500}+-->)*+<(?:!doctype\s++html|html|head|body)[\s>]",
    re.IGNORECASE | re.DOTALL,
)
LABEL = r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?"
HOST = re.compile(rf"(?:(?:{LABEL}\.)+(?![0-9]+(?::|$)){LABEL}|[0-9]{{1,3}}(?:\.[0-9]{{1,3}}){{3}})(?::[0-9]{{1,5}})?")
ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")
IN_PATH = "!$&'()*+,;=:@~"
SNIFFED = 4096

EMPTY = Skip("empty file")
Outcome = tuple[Record | Response | None, tuple[Skip, ...]]


def read(path: Path, start: int, fields: Fields, limits: Limits, *, base_url: str | None = None) -> Iterator[Found]:
    if not path.is_dir():
        if start == 0:
            content, skips = _of_file(path, Path(path.name), limits, _url(Path(path.name), base_url, hosts=False))
            yield Found(0, int(EMPTY not in skips), content, skips)
        return
    for number, entry in enumerate(entries(path)):
        if number >= start:
            url = _url(entry.path, base_url, hosts=True)
            content, skips = _outcome(path, entry, limits, url)
            yield Found(number, 1, content, skips, printable(entry.path), (0, entry.size))


def fetch(path: Path, file: str, limits: Limits) -> bytes:
    """The bytes of one file of the folder, unpacked."""
    if not path.is_dir():
        return _bytes(path, limits.record_bytes)
    for entry in entries(path):
        if printable(entry.path) == file and entry.skip is None:
            return _bytes(path / entry.path, limits.record_bytes)
    raise InputError(f"`{path}` has no file `{file}` any more; add the folder again if it was changed")


def _outcome(folder: Path, entry: Entry, limits: Limits, url: str | None) -> Outcome:
    return (None, (entry.skip,)) if entry.skip else _of_file(folder / entry.path, entry.path, limits, url)


def _of_file(file: Path, relative: Path, limits: Limits, url: str | None) -> Outcome:
    try:
        return _content(file, relative, limits, url)
    except OSError as error:
        return None, (Skip("cannot be read", error.strerror or str(error), url=url),)
    except Damaged as damaged:
        return None, (Skip(damaged.skip.reason, str(damaged)[:200], url=url),)


def _content(file: Path, relative: Path, limits: Limits, url: str | None) -> Outcome:
    if not stat.S_ISREG(file.stat().st_mode):
        return None, (Skip("not a file", "a pipe, a socket or a device", url=url),)
    name = relative.name.lower()
    plain = name.removesuffix(compression(name))
    ending = next((e for e in ENDINGS if plain.endswith(e)), None)
    if ending is None:
        reason = _no_page(name, _head(file, name))
        if reason is not None:
            return None, (Skip(reason, url=url),)
    limit = limits.held_bytes if ending == TEXT else limits.body_bytes
    content = _bytes(file, limit + 1)
    if not content:
        return None, (EMPTY,)
    if ending == TEXT:
        return _text(file, content, limits, url)
    cut = (Skip("body too large", f"the first {limit:,} bytes are read", "body", url),) if len(content) > limit else ()
    return Response(content[:limit], url=url, content_type=HTML.get(ending or "", "text/html")), cut


def _head(file: Path, name: str) -> bytes:
    try:
        return _bytes(file, SNIFFED)
    except Damaged:
        if type_of(name) is None:
            raise
        return b""


def _no_page(name: str, head: bytes) -> str | None:
    """What a file is whose name is not that of a page; None: a page by its first bytes."""
    if LOOKS_LIKE_HTML.match(head):
        return None
    kind = type_of(name) or ("empty file" if not head else media_type.kind_of(None, head))
    return None if kind == media_type.HTML else "not HTML" if kind == media_type.PLAIN else kind


def _text(file: Path, content: bytes, limits: Limits, url: str | None) -> Outcome:
    """`content` is all of it, or enough of it to see that there is no room for all."""
    size = max(len(content), file.stat().st_size)
    if size > limits.record_bytes:
        return None, (Skip("record too large", f"the limit is {limits.record_bytes:,} bytes", url=url),)
    limits.make_room(size, f"`{printable(file)}` of {size:,} bytes")
    utf16 = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        return Record(content.decode("utf-16" if utf16 else "utf-8-sig"), url=url), ()
    except UnicodeDecodeError as error:
        return None, (Skip("not UTF-8", f"byte {error.start}", url=url),)


def _bytes(file: Path, most: int) -> bytes:
    with opened(file) as stream:
        return stream.read(most)


def _url(relative: Path, base_url: str | None, *, hosts: bool) -> str | None:
    """`hosts`: the first folder may be named like the host of what is in it."""
    parts = [os.fsencode(part) for part in relative.parts]
    packed = compression(relative.name)
    if packed:
        parts[-1] = parts[-1][: -len(packed)]
    if parts[-1].lower() in INDEXES:
        parts[-1] = b""
    if base_url is not None:
        return normalised(base_url.rstrip("/") + "/" + "/".join(quote_from_bytes(p, safe=IN_PATH) for p in parts))
    host = relative.parts[0].replace("+", ":") if hosts and len(parts) > 1 else ""
    if not HOST.fullmatch(host):
        return None
    # A `?` in a name is where wget put the query; escapes in it are those of the URL.
    rest = b"/".join(ESCAPE.sub(b"%25", p) for p in parts[1:])
    return normalised(f"http://{host}/{quote_from_bytes(rest, safe='/?%' + IN_PATH)}")
