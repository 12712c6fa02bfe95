"""Who is told how far the work has come? A Watch; faces bring their own, everybody else gets this silent one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass
class Watch:
    """`stage` opens a piece of work of known size, `advance` says how much of it is done, `say` is a sentence."""

    @contextmanager
    def stage(self, name: str, total: float, unit: str) -> Iterator[None]:
        yield

    def advance(self, amount: float) -> None:
        pass

    def added(self, name: str, pages: int, skipped: int, already: bool) -> None:
        """A file was read, or had been already."""

    def loud(self, name: str, reasons: Sequence[tuple[str, int]], records: int) -> None:
        """Much of a file was left out, for these reasons."""

    def say(self, sentence: str) -> None:
        pass

    def detail(self, sentence: str) -> None:
        """A sentence for those who asked for more (-v)."""
