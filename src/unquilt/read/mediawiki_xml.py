"""Which pages does a MediaWiki export hold? One after the other, however long the file, also behind a damaged place.

Nothing is held but the revision that is being read (and the newest so far). Declarations of entities end the reading: an
export has none, and they can make gigabytes of a line. Behind XML that is not well-formed it goes on at the next `<page>`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from xml.parsers import expat

from unquilt.read.compressed import Damaged, opened
from unquilt.read.dates import microseconds
from unquilt.read.record import Limits, Skip

PIECE = 1 << 16
PAGE = b"<page>"
DEEPEST = 64
LONGEST_TAG = 1 << 20
LONGEST_FIELD = 1 << 16
WIKITEXT = ("", "wikitext")


@dataclass
class Site:
    base: str = ""
    language: str | None = None
    namespaces: dict[int, str] = field(default_factory=dict)


@dataclass
class Revision:
    id: str = ""
    timestamp: str = ""
    model: str = ""
    wikitext: str | None = ""
    """None: it is larger than the limit."""
    characters: int = 0
    absent: str | None = None
    """Why the export has no text of it."""

    @property
    def when(self) -> int | None:
        return microseconds(self.timestamp) if self.timestamp else None


@dataclass
class Page:
    title: str = ""
    namespace: str = ""
    id: str = ""
    redirect: str | None = None
    revision: Revision | None = None


@dataclass(frozen=True)
class Unit:
    """A page with its newest revision, or each revision with its page, by its running number; or what is wrong."""

    number: int
    page: Page | None
    skip: Skip | None = None
    length: int = 1


def units(path: Path, every_revision: bool, limits: Limits, site: Site) -> Iterator[Unit]:
    """The export's units from the first on; `site` is filled when its element is read, before the first page."""
    with opened(path) as file:
        yield from _Export(file, every_revision, limits, site).read()


class _Refused(Exception):
    """The file is none of those we read; what was found instead."""

    def __init__(self, skip: Skip) -> None:
        super().__init__(skip.reason)
        self.skip = skip


class _Trouble(Exception):
    """What is not as it should be, and from which byte on it may be again."""

    def __init__(self, what: str, at: int) -> None:
        super().__init__(what)
        self.at = at


class _Export:
    def __init__(self, file: BufferedReader, every_revision: bool, limits: Limits, site: Site) -> None:
        self._file = file
        self._every = every_revision
        self._limits = limits
        self._site = site
        self._found: list[Unit] = []
        self._number = 0
        self._path: list[str] = []
        self._pieces: list[str] = []
        self._room = 0
        self._page: Page | None = None
        self._revision: Revision | None = None
        self._namespace: int | None = None
        self._damaged: Damaged | None = None
        """Met when the last bytes were asked for, and not told yet."""
        self._fed = 0  # bytes the parser was given before the piece
        self._parser = self._new_parser()

    def read(self) -> Iterator[Unit]:
        piece = self._read()
        if not piece and self._damaged is None:
            yield Unit(0, None, Skip("empty file"), length=0)
            return
        try:
            yield from self._pages(piece)
        except _Refused as refused:
            yield Unit(self._number, None, refused.skip)

    def _pages(self, piece: bytes) -> Iterator[Unit]:
        while True:
            trouble = self._parse(piece) if piece or self._damaged is None else None
            yield from self._take()
            if trouble is None and piece:
                self._fed += len(piece)
                piece = self._read()
                continue
            if trouble is None and self._damaged is None:
                return
            skip = Skip("damaged XML", str(trouble)[:200]) if self._damaged is None else self._damaged.skip
            self._damaged = None
            piece = self._next_page(b"" if trouble is None else piece[max(trouble.at - self._fed, 0) :])
            ends = not piece and self._damaged is None
            yield self._broken(skip, ends=ends)
            if ends:
                return
            self._restart()

    def _read(self) -> bytes:
        """The next bytes; none at the end, and where damage took some away."""
        try:
            return self._file.read1(PIECE)
        except Damaged as damaged:
            self._damaged = damaged
            return b""

    def _parse(self, piece: bytes) -> _Trouble | None:
        """Feed a piece (none: the end). What is not as it should be, and from where on it may be again."""
        try:
            self._parser.Parse(piece, not piece)
        except expat.ExpatError as error:
            what = expat.ErrorString(error.code) or "not well-formed"
            return _Trouble("the file ends too early" if not piece else what, self._parser.ErrorByteIndex + 1)
        except _Trouble as trouble:
            return trouble
        if self._fed + len(piece) - self._parser.CurrentByteIndex > LONGEST_TAG + PIECE:
            return _Trouble(f"a tag of more than {LONGEST_TAG:,} bytes", self._fed + len(piece))
        return None

    def _next_page(self, rest: bytes) -> bytes:
        """From the next `<page>` on, b"" where there is none."""
        while (at := rest.find(PAGE)) < 0:
            more = self._read()
            if not more:
                return b""
            rest = rest[1 - len(PAGE) :] + more
        return rest[at:]

    def _restart(self) -> None:
        self._parser = self._new_parser()
        self._parser.Parse(b"<mediawiki>", False)
        self._fed = len(b"<mediawiki>")

    def _take(self) -> list[Unit]:
        found, self._found = self._found, []
        return found

    def _broken(self, skip: Skip, *, ends: bool) -> Unit:
        """The page that was being read is lost; the place counts as one."""
        lost = "; the rest of the file is lost"
        if ends and not (skip.detail or "").endswith(lost):
            skip = Skip(skip.reason, f"{skip.detail}{lost}")
        self._page = self._revision = None
        self._number += 1
        return Unit(self._number - 1, None, skip)

    # What the parser calls

    def _new_parser(self) -> expat.XMLParserType:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._data
        parser.EntityDeclHandler = self._entity
        parser.SkippedEntityHandler = lambda name, _: self._data(f"&{name};")
        self._path = []
        self._pieces = []
        return parser

    def _entity(self, name: str, *_: object) -> None:
        raise _Refused(Skip("XML entities", f"it declares `{name[:100]}`; an export declares none"))

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        if not self._path:
            if name != "mediawiki":
                raise _Refused(Skip("not a MediaWiki export", f"its root element is `{name[:100]}`"))
            self._site.language = attributes.get("xml:lang") or self._site.language
        self._path.append(name)
        # A handler that raises is not the last thing the parser does with a piece, so the place is taken here.
        if len(self._path) > DEEPEST:
            raise _Trouble(f"elements nested more than {DEEPEST} deep", self._parser.CurrentByteIndex + 1)
        self._pieces, self._room = [], LONGEST_FIELD
        if name == "page":
            if self._page is not None:
                raise _Trouble("a page begins within a page", self._parser.CurrentByteIndex)
            self._page = Page()
        elif name == "revision" and self._page:
            self._revision = Revision()
        elif name == "redirect" and self._page:
            self._page.redirect = attributes.get("title", "")
        elif name == "namespace":
            key = attributes.get("key", "")
            self._namespace = int(key) if key.lstrip("-").isdecimal() and len(key) < 10 else None
        elif name == "text" and self._revision and self._path[-2:-1] == ["revision"]:
            self._room = self._limits.body_bytes
            self._revision.absent = "it was deleted" if "deleted" in attributes else self._stub(attributes)

    @staticmethod
    def _stub(attributes: dict[str, str]) -> str | None:
        """Stubs say how long a text is that they do not hold."""
        return "the export has no texts (a stub)" if attributes.get("bytes", "0") != "0" else None

    def _data(self, data: str) -> None:
        self._room -= len(data)
        if self._room >= 0:
            self._pieces.append(data)

    def _end(self, name: str) -> None:
        parent = self._path[-2] if len(self._path) > 1 else ""
        value = "".join(self._pieces)
        if parent == "revision" and self._revision:
            self._of_revision(self._revision, name, value)
        elif parent == "page" and self._page:
            self._of_page(self._page, name, value.strip())
        elif name == "page" and self._page:
            if not self._every:
                self._add(self._page, self._page.revision)
            self._page = None
        elif name == "base" and parent == "siteinfo":
            self._site.base = value.strip()
        elif name == "namespace" and self._namespace is not None and len(self._site.namespaces) < 1000:
            self._site.namespaces[self._namespace] = value.strip()
        self._path.pop()
        self._pieces, self._room = [], LONGEST_FIELD

    def _of_page(self, page: Page, name: str, value: str) -> None:
        if name == "title":
            page.title = value
        elif name == "ns":
            page.namespace = value
        elif name == "id":
            page.id = value
        elif name == "revision" and self._revision:
            if self._every:
                self._add(page, self._revision)
            elif page.revision is None or (self._revision.when or 0) >= (page.revision.when or 0):
                page.revision = self._revision
            self._revision = None

    def _of_revision(self, revision: Revision, name: str, value: str) -> None:
        if name == "id":
            revision.id = value.strip()
        elif name == "timestamp":
            revision.timestamp = value.strip()
        elif name == "model":
            revision.model = value.strip()
        elif name == "text":
            revision.wikitext = value if self._room >= 0 else None
            revision.characters = self._limits.body_bytes - self._room
            if revision.characters:
                revision.absent = None

    def _add(self, page: Page, revision: Revision | None) -> None:
        whole = Page(page.title, page.namespace, page.id, page.redirect, revision)
        self._found.append(Unit(self._number, whole))
        self._number += 1
