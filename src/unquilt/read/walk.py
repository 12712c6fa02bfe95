"""Which records lie in an archive, one after the other, and between which bytes? For every form of archive and of compression.

A place is an offset in the file where records are compressed one by one, or not at all; where one compression holds several,
it is one in the unpacked stream. The first record decides: does its member end with it? Members that then hold several
records all the same give the second one the offset behind the first one's, and so on.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Generic, TypeVar

from unquilt.read.bounds import LOOK, Form, H, Raw, alone, records
from unquilt.read.codec import Compression, compression_of, compressions
from unquilt.read.members import Fault, Member, Members, begins_at, begins_like, member_before, next_member
from unquilt.read.part import Part, opened_part
from unquilt.read.record import Limits
from unquilt.read.stretch import Plain, Source, Stretch

FIRST_LOOK = 16 << 20  # how far the first record is looked for in a file that begins with something else
AT_ONCE = 4 << 20  # members that unpack to no more are unpacked as a whole
BUFFER = 256 << 10
TRIES = 16  # members that are tried to find the one with a place
STREAM = 16  # times as much may come out of a record in a stream, for nothing can be found again behind it


def walk(path: Path | Part, start: int, form: Form[H], limits: Limits) -> Iterator[Raw[H]]:
    """The records from `start` on, which is 0 or the end of an earlier one."""
    with opened_part(path, BUFFER) as file:
        size = file.seek(0, os.SEEK_END)
        compression = _compression(file, form, path.suffixes)
        if compression is None:
            plain = Plain(file, start)
            yield from records(Stretch(lambda at: Plain(file, at), start, plain.peek), form)
            return
        archive = _Archive(file, size, compression, form, limits)
        yield from archive.as_stream(start) if archive.is_stream() else archive.by_member(start)


def is_stream(path: Path, form: Form[H], limits: Limits) -> bool:
    """Does one compression hold several records, so that places are those of the unpacked stream?"""
    with opened_part(path, BUFFER) as file:
        size = file.seek(0, os.SEEK_END)
        compression = _compression(file, form, path.suffixes)
        return compression is not None and _Archive(file, size, compression, form, limits).is_stream()


def first_bytes(path: Path | Part) -> bytes:
    """What the file begins with, unpacked, without line ends."""
    with opened_part(path) as file:
        compression = compression_of(file)
        source = Plain(file, 0) if compression is None else Members(file, 0, compression, AT_ONCE)
        stretch = Stretch(lambda _: source, 0)
        stretch.newlines()
        return stretch.ahead(LOOK)


def _compression(file: IO[bytes], form: Form[H], endings: list[str]) -> Compression | None:
    compression = compression_of(file)
    file.seek(0)
    head = file.read(LOOK)
    if compression is not None or form.starts(head.lstrip(b"\r\n")) or not head:
        return compression
    # The first bytes are damaged, or somebody else's: what the name says counts if there is any of it, else what comes first.
    file.seek(0)
    first = form.find(file.read(FIRST_LOOK), 0)
    possible = list(compressions(file))
    named = [one for one in possible if one.ending in endings]
    if first >= 0 and not named:
        return None
    for one in named + possible:
        at = next_member(file, 0, one, form.starts, FIRST_LOOK if one in named or first < 0 else first)
        if at is not None and one in named:
            return one
        if at is not None:
            first, compression = at, one
    return compression


@dataclass(frozen=True)
class _Archive(Generic[H]):
    """A file of members."""

    file: IO[bytes]
    size: int
    compression: Compression
    form: Form[H]
    limits: Limits

    def is_stream(self) -> bool:
        """Does the first record share its member with others, or is it not whole in it?"""
        offset: int | None = 0 if begins_at(self.file, 0, self.compression) else self._next(0)
        while offset is not None and offset < self.size:
            member = self._member(offset)
            stretch = _one(member)
            for raw in records(stretch, self.form):
                return stretch.held > 0 or (raw.fault is not None and self._goes_on(member))
            offset = member.end if member.end is not None and begins_at(self.file, member.end, self.compression) else None
        return False

    def _goes_on(self, member: Member) -> bool:
        """Is the next member no record of its own?"""
        if member.end is None or not begins_at(self.file, member.end, self.compression):
            return False
        stretch = _one(self._member(member.end))
        stretch.newlines()
        return stretch.fill(LOOK) > 0 and not self.form.starts(stretch.taken(LOOK))

    def as_stream(self, start: int) -> Iterator[Raw[H]]:
        """What damage took away counts as one byte, for nobody knows how many it were."""
        offset, base = 0, 0
        while offset < self.size:
            if not begins_at(self.file, offset, self.compression):
                if base >= start:
                    yield Raw(base, 1, fault=self._no_member(offset))
                offset, base = self._next_any(offset), base + 1
                continue
            opened = _Opened(lambda offset=offset: Members(self.file, offset, self.compression, STREAM * self.limits.record_bytes))  # type: ignore[misc]
            stretch = Stretch(opened, base)
            said = False
            for raw in records(stretch, self.form):
                said = raw.fault is not None and raw.fault == opened.source.fault
                if raw.offset >= start:
                    yield raw
            base = stretch.position
            fault = opened.source.fault
            if fault is None:
                return
            if not said:
                if base >= start:
                    yield Raw(base, 1, fault=fault)
                base += 1
            # What ends with the file has most likely nothing behind it, and bytes of it that look like a member are many.
            offset = (self._next if fault.reason == "truncated" else self._next_any)(opened.source.doubtful)

    def by_member(self, start: int) -> Iterator[Raw[H]]:
        offset = self._begin(start)
        while offset < self.size:
            if begins_at(self.file, offset, self.compression):
                for raw in self._of_member(offset):
                    if raw.offset >= start:
                        yield raw
                    end = raw.offset + raw.length
            else:
                end = self._next(offset)
                yield Raw(offset, end - offset, fault=self._no_member(offset))
            offset = end

    def _begin(self, start: int) -> int:
        """Where the member begins that has a record with this place; where none has, the place itself, which is one of damage.

        That member need not begin like a record, so that they are gone through from one before it that does. What begins so
        may be no member, but bytes within another one; then those that follow do not lead to this place.
        """
        if not 0 < start < self.size or begins_at(self.file, start, self.compression):
            return start
        before: int | None = start
        for _ in range(TRIES):
            before = member_before(self.file, before or 0, self.compression, self.form.starts)
            begin = self._led_to(start, before or 0)
            if begin is not None or before is None:
                return start if begin is None else begin
        return start

    def _led_to(self, start: int, offset: int) -> int | None:
        """The member with a record at `start`, or this place itself, as it is come by from the member at `offset` on."""
        while offset < start:
            if begins_at(self.file, offset, self.compression):
                for raw in self._of_member(offset):
                    if raw.offset == start:
                        return offset
                    end = raw.offset + raw.length
            else:
                end = self._next(offset)
            offset = end
        return start if offset == start else None

    def _of_member(self, offset: int) -> Iterator[Raw[H]]:
        member = self._member(offset)
        unpacked = member.whole(AT_ONCE)
        found = alone(unpacked, self.form) if unpacked else None
        if found is not None and member.end is not None:
            yield Raw(offset, member.end - offset, *found)
            return
        count, opened = 0, _Opened(lambda: self._member(offset))
        first: Raw[H] = Raw(offset, 0)
        for raw in records(Stretch(opened, 0), self.form):
            first = first if count else raw
            count += 1
        member = opened.source
        end = member.end if member.end is not None else self._next(offset + 1)
        if count > 1:
            yield from self._several(offset, end, count)
        else:
            yield first._replace(offset=offset, length=end - offset, fault=first.fault or member.fault)

    def _several(self, offset: int, end: int, count: int) -> Iterator[Raw[H]]:
        opened = _Opened(lambda: self._member(offset))
        last = min(count, end - offset) - 1
        for number, raw in enumerate(records(Stretch(opened, 0), self.form)):
            if number < last:
                yield raw._replace(offset=offset + number, length=1)
            elif number == count - 1 == last:
                yield raw._replace(offset=offset + last, length=end - offset - last, fault=raw.fault or opened.source.fault)
        if last < count - 1:
            fault = Fault("too many records in one member", f"{count - last:,} records have no place of their own")
            yield Raw(offset + last, end - offset - last, fault=fault)

    def _member(self, offset: int) -> Member:
        return Member(self.file, offset, self.compression, self.limits.record_bytes)

    def _no_member(self, offset: int) -> Fault:
        if self.size - offset < len(self.compression.magic) and begins_like(self.file, offset, self.compression):
            return Fault("truncated", f"the head of the {self.compression.name} member ends too early")
        return Fault("damaged compression", f"no {self.compression.name} member begins here")

    def _next(self, offset: int) -> int:
        found = next_member(self.file, offset, self.compression, self.form.starts)
        return self.size if found is None else found

    def _next_any(self, offset: int) -> int:
        """In a stream a record may begin anywhere in a member, so that any will do."""
        found = next_member(self.file, offset, self.compression, bool)
        return self.size if found is None else found


S = TypeVar("S", bound=Source)


class _Opened(Generic[S]):
    """Opens one source, which can only be begun at its begin, as often as is asked; `source` is the last one."""

    def __init__(self, make: Callable[[], S]) -> None:
        self._make = make
        self.source = make()

    def __call__(self, _: int) -> S:
        self.source = self._make()
        return self.source


def _one(member: Member) -> Stretch:
    return Stretch(lambda _: member, 0)
