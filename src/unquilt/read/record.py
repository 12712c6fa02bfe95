"""What a reader yields: a record, or a thing it had to leave out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Record:
    """One page as the input has it. Dates are microseconds since 1970, UTC."""

    text: str
    given_id: str | None = None
    url: str | None = None
    title: str | None = None
    language: str | None = None
    fetched_at: int | None = None
    published_at: int | None = None


@dataclass(frozen=True)
class Skip:
    """Something that was left out: the whole record (`what` is "record"), or one field of it."""

    reason: str
    detail: str | None = None
    what: str = "record"
    url: str | None = None


@dataclass(frozen=True)
class Found:
    """What was found between `offset` and `offset + length`."""

    offset: int
    length: int
    record: Record | None
    skips: tuple[Skip, ...] = ()


@dataclass(frozen=True)
class Fields:
    """Names of the columns that hold what we look for; None: the usual names are tried."""

    id: str | None = None
    url: str | None = None
    text: str | None = None
    date: str | None = None

    def candidates(self) -> dict[str, tuple[str, ...]]:
        """For each field of a record, the names to try in order."""
        return {
            "given_id": (self.id,) if self.id else ("id",),
            "url": (self.url,) if self.url else ("url",),
            "text": (self.text,) if self.text else ("text",),
            "published_at": (self.date,) if self.date else ("date", "published"),
            "fetched_at": ("fetched", "fetched_at"),
            "title": ("title",),
            "language": ("language", "lang"),
        }


@dataclass(frozen=True)
class Limits:
    """Bounds against hostile input."""

    record_bytes: int = 256 << 20
    url_bytes: int = 64 << 10
