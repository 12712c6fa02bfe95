"""What does a reader yield? A record with its text, a response as a server sent it, a revisit, or what had to be left out."""

from __future__ import annotations

from dataclasses import dataclass

from unquilt.read.room import COST, SMALL, Room


@dataclass(frozen=True)
class Record:
    """One page whose text the input gives; it stays as given. Dates are microseconds since 1970, UTC."""

    text: str
    given_id: str | None = None
    url: str | None = None
    title: str | None = None
    language: str | None = None
    fetched_at: int | None = None
    published_at: int | None = None


@dataclass(frozen=True)
class Response:
    """One page as it was sent or filed: bytes in which the text is still to be found.

    `block` begins with the HTTP head where `http` is true. What the input says beside it goes before what the page says.
    """

    block: bytes
    http: bool = False
    url: str | None = None
    given_id: str | None = None
    fetched_at: int | None = None
    content_type: str | None = None
    """As said outside the block: of the record, of the file's name."""
    ip: str | None = None
    digest: str | None = None
    """Of the payload, as the archive has it (`sha1:...`): what revisits refer to."""
    truncated: str | None = None
    """Why the archive has not all of it (WARC-Truncated), or that the record ends too early."""
    title: str | None = None
    language: str | None = None
    published_at: int | None = None


@dataclass(frozen=True)
class Revisit:
    """A capture that was found to be the same as an earlier one, whose payload is not stored again."""

    url: str | None
    fetched_at: int | None
    ip: str | None = None
    digest: str | None = None
    of_url: str | None = None
    of_date: int | None = None


@dataclass(frozen=True)
class Skip:
    """Something that was left out: the whole record (`what` is "record"), or one field of it."""

    reason: str
    detail: str | None = None
    what: str = "record"
    url: str | None = None


@dataclass(frozen=True)
class Found:
    """What was found between `offset` and `offset + length`: places in the input, at whose ends reading can go on."""

    offset: int
    length: int
    record: Record | Response | Revisit | None
    skips: tuple[Skip, ...] = ()
    file: str | None = None
    """The file it lies in, where an input holds several."""
    origin: tuple[int, int] | None = None
    """Offset and length in that file, where places in the input are other ones."""

    @property
    def in_file(self) -> tuple[int, int]:
        return self.origin or (self.offset, self.length)


@dataclass(frozen=True)
class Fields:
    """Names of the columns that hold what we look for; None: the usual names are tried."""

    id: str | None = None
    url: str | None = None
    text: str | None = None
    date: str | None = None
    html: str | None = None

    def candidates(self) -> dict[str, tuple[str, ...]]:
        """For each field of a record, the names to try in order."""
        return {
            "given_id": (self.id,) if self.id else ("id",),
            "url": (self.url,) if self.url else ("url",),
            "text": (self.text,) if self.text else ("text",),
            "html": (self.html,) if self.html else ("html",),
            "published_at": (self.date,) if self.date else ("date", "published"),
            "fetched_at": ("fetched", "fetched_at"),
            "title": ("title",),
            "language": ("language", "lang"),
        }


@dataclass(frozen=True)
class Limits:
    """Bounds against hostile input."""

    record_bytes: int = 256 << 20
    """A line, a row, a file given with its text."""
    body_bytes: int = 10_000_000
    """The body of a response, after its compression is undone."""
    url_bytes: int = 64 << 10
    room: Room | None = None
    """What may be held of one record at a time; None: anything."""

    @property
    def held_bytes(self) -> int:
        """A record of up to so many may be looked at."""
        return self.record_bytes if self.room is None else max(SMALL, min(self.record_bytes, self.room.whole // COST))

    def make_room(self, size: int, what: str, beside: int = 0) -> None:
        """For a record of that size, and so many bytes beside it. Raises TooDear where there is none."""
        if self.room is not None and SMALL < size <= self.record_bytes:
            self.room.take(COST * size + beside, what)
