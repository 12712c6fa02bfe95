"""May a record of this size be held? What it takes is told before it is taken, so that memory stays within what was promised."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

SMALL = 1 << 20
"""What is no larger is not asked about: it is in the room that every process has anyhow."""
COST = 8
"""Bytes that each byte of a text takes until it is in a table, and in the methods after that: itself, its characters as Python has
them (up to four bytes each), its words. Measured: 3 to 7."""


class TooDear(Exception):
    """`what` takes `need` bytes, which are not there."""

    def __init__(self, need: int, what: str) -> None:
        super().__init__(need, what)
        self.need = need
        self.what = what


@dataclass(frozen=True)
class Room:
    """`share` bytes are there for one record, and `whole` once `clear` has put aside all else that could be."""

    share: int
    whole: int
    clear: Callable[[], None]

    def check(self, need: int, what: str) -> None:
        if need > self.whole:
            raise TooDear(need, what)

    def take(self, need: int, what: str) -> None:
        self.check(need, what)
        if need > self.share:
            self.clear()


def bytes_of(value: object) -> int:
    """Of a text, in UTF-8; of anything else none."""
    if isinstance(value, str) and not value.isascii():
        return len(value.encode("utf-8", "replace"))
    return len(value) if isinstance(value, str | bytes) else 0
