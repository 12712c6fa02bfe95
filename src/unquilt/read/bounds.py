"""Where does a record end, and the next one begin? Its length says so, if what lies behind it is what must lie there.

Where it is not, the record ends at the next head that can be found, and what was wrong is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

from unquilt.read.members import Fault
from unquilt.read.stretch import Stretch

LOOK = 512
FIRST_HEAD = 4 << 10
MOST_HEAD = 256 << 10
AT_ONCE = 1 << 20  # blocks up to this size are held with what lies behind them


@dataclass(frozen=True, slots=True)
class Head:
    """What a record says of itself before its block. `keep`: how much of the block is wanted."""

    length: int | None
    keep: int


H = TypeVar("H", bound=Head)
H_co = TypeVar("H_co", bound=Head, covariant=True)


class Form(Protocol[H_co]):
    """What a record looks like."""

    def starts(self, after: bytes) -> bool:
        """Does a record begin with these bytes? They may be no more than the first of its head."""
        ...

    def begun(self, rest: bytes) -> bool:
        """May these last bytes be the beginning of a record?"""
        ...

    def head_end(self, text: bytes) -> int:
        """Where the head is over with which it begins; -1: not in it."""
        ...

    def find(self, buffer: bytes | bytearray, at: int) -> int:
        """Where a record begins from `at` on, even in the middle of a line; -1: nowhere."""
        ...

    def inside(self, head: bytes) -> int:
        """Where within a head another one begins, for damage took what was between; -1: nowhere."""
        ...

    def parsed(self, head: bytes) -> H_co | None:
        """None: it is no head."""
        ...

    def separated(self, after: bytes) -> bool:
        """Do these bytes, with which no record begins, at least begin with what must stand behind a block?"""
        ...


class Block(NamedTuple):
    held: bytes = b""
    size: int = 0
    """Also of what is not held."""


class Raw(NamedTuple, Generic[H]):
    """A record as it lies there. Without a head it is something else; without a block its head is not whole."""

    offset: int
    length: int
    head: H | None = None
    block: Block | None = None
    fault: Fault | None = None


Parts = tuple[H | None, Block | None, Fault | None]


def records(stretch: Stretch, form: Form[H]) -> Iterator[Raw[H]]:
    """What lies in a stretch, with positions in it."""
    while True:
        stretch.cut()
        start = stretch.position
        stretch.newlines()
        if not stretch.fill(1):
            if stretch.position > start:
                yield Raw(start, stretch.position - start)
            return
        head, block, fault = _record(stretch, form)
        stretch.newlines()
        yield Raw(start, stretch.position - start, head, block, fault)


def alone(unpacked: bytes, form: Form[H]) -> tuple[H, Block] | None:
    """The one record these bytes are, if nothing is wrong with it: the short way to what `records` would yield."""
    if not form.starts(unpacked[:LOOK]):
        return None
    begin = form.head_end(unpacked)
    if begin < 0 or begin > MOST_HEAD:
        return None
    text = unpacked[:begin]
    head = form.parsed(text) if form.inside(text) < 0 else None
    if head is None or head.length is None:
        return None
    end = begin + head.length
    if end > len(unpacked) or unpacked[end:].strip(b"\r\n"):
        return None
    return head, Block(unpacked[begin : min(end, begin + head.keep)], head.length)


def _record(stretch: Stretch, form: Form[H]) -> Parts[H]:
    if not form.starts(stretch.ahead(LOOK)):
        return _stray(stretch, form)
    text, is_whole = _head(stretch, form)
    if not is_whole:
        return _headless(stretch, form, text)
    head = form.parsed(text)
    if head is None:
        return _stray(stretch, form)
    stretch.at += len(text)
    return _measured(stretch, form, head, head.length) if head.length is not None else _unmeasured(stretch, form, head)


def _stray(stretch: Stretch, form: Form[H]) -> Parts[H]:
    """Bytes with which no record begins."""
    first = stretch.taken(LOOK)
    stretch.at += 1
    _, found = stretch.until(form.find)
    if not found and stretch.source.fault is not None:
        return None, None, stretch.source.fault
    if not found and form.begun(first):
        return None, None, Fault("truncated", "the head of the record ends too early")
    return None, None, Fault("not a record", f"it begins with {first[:40]!r}")


def _head(stretch: Stretch, form: Form[H]) -> tuple[bytes, bool]:
    """The head, or what there is of it, and whether it is whole: it has an end, near enough, and no other head in it.

    Little is looked through at first, or heads without end that come one after the other would cost much time.
    """
    size = FIRST_HEAD
    while True:
        text = stretch.ahead(size)
        end = form.head_end(text)
        head = text if end < 0 else text[:end]
        inner = form.inside(head)
        if inner >= 0:
            return head[:inner], False
        if end >= 0 or len(text) < size or size == MOST_HEAD:
            return head, end >= 0
        size = min(8 * size, MOST_HEAD)


def _headless(stretch: Stretch, form: Form[H], text: bytes) -> Parts[H]:
    stretch.at += 1
    _, found = stretch.until(form.find)
    if not found and stretch.source.fault is not None:
        return form.parsed(text), None, stretch.source.fault
    if not found and len(text) < MOST_HEAD:
        return form.parsed(text), None, Fault("truncated", "the head of the record ends too early")
    return form.parsed(text), None, Fault("head without end", f"none in {len(text):,} bytes")


def _measured(stretch: Stretch, form: Form[H], head: H, length: int) -> Parts[H]:
    """The length is believed at once where a record, or nothing, follows; else only if no record begins within the block."""
    begin = stretch.position
    wanted = min(length, head.keep)
    if length <= AT_ONCE:
        if stretch.fill(length + LOOK) >= length and _follows(form, stretch.taken(LOOK, length)):
            block = Block(stretch.taken(wanted), length)
            stretch.at += length
            return head, block, None
    elif stretch.peek is not None:
        # One byte more than what lies behind, to tell a block that ends with the file from one that goes beyond it.
        last = stretch.peek(begin + length - 1, LOOK + 1)
        if last and _follows(form, last[1:]):
            block = Block(stretch.ahead(wanted), length)
            stretch.go(begin + length)
            return head, block, None
    elif not stretch.believing:
        block = Block(stretch.ahead(wanted), length)
        stretch.go(begin + length)
        if stretch.position == begin + length and _follows(form, stretch.ahead(LOOK)):
            return head, block, None
        stretch.believing = True
    stretch.go(begin)
    return _doubted(stretch, form, head, length)


def _follows(form: Form[H], after: bytes) -> bool:
    """Does a record, or nothing, come after the ends of lines?"""
    rest = after.lstrip(b"\r\n")
    return not rest or form.starts(rest)


def _doubted(stretch: Stretch, form: Form[H], head: H, length: int) -> Parts[H]:
    begin = stretch.position
    held, found = stretch.until(form.find, hold=head.keep, most=length)
    if not found and stretch.position == begin + length:
        after = stretch.ahead(LOOK)
        if _follows(form, after) or form.separated(after):
            return head, Block(held, length), None
        more, found = stretch.until(form.find, hold=head.keep - len(held))
        held += more
    block = _trimmed(held, stretch.position - begin)
    return head, block, _wrong(stretch, found, block.size, length)


def _unmeasured(stretch: Stretch, form: Form[H], head: H) -> Parts[H]:
    begin = stretch.position
    held, found = stretch.until(form.find, hold=head.keep)
    fault = None if found else stretch.source.fault
    fault = fault or Fault("no length", f"the record was read up to the {'next one' if found else 'end'}")
    return head, _trimmed(held, stretch.position - begin), fault


def _trimmed(held: bytes, size: int) -> Block:
    """Without the line ends that stand behind every block, if its end is held."""
    if len(held) < size:
        return Block(held, size)
    end = held[-4:]
    block = held[: len(held) - len(end) + len(end.rstrip(b"\r\n"))]
    return Block(block, len(block))


def _wrong(stretch: Stretch, found: bool, size: int, length: int) -> Fault:
    if not found and stretch.source.fault is not None:
        return stretch.source.fault
    if not found and size < length:
        return Fault("truncated", f"{size:,} of {length:,} bytes are there")
    return Fault("wrong length", f"{length:,} bytes are announced, {size:,} lie before the {'next record' if found else 'end'}")
