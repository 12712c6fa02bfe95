"""What is an engine? Whatever runs steps: it gets published tables and a folder, and leaves finished files there.

An engine knows steps. It knows no table by name, no page and no word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from unquilt.parquet import Written
from unquilt.step import Step
from unquilt.table import Table
from unquilt.watch import Watch


@dataclass(frozen=True)
class Source:
    """One segment of a table, as files to read."""

    files: tuple[Path, ...]
    decoded: int
    group_bytes: int
    rows: int = 0
    """How many rows, for those who watch."""


@dataclass(frozen=True)
class View:
    """A published table as an engine sees it."""

    table: Table
    segments: tuple[Source, ...]

    @property
    def files(self) -> list[Path]:
        return [f for s in self.segments for f in s.files]

    @property
    def decoded(self) -> int:
        return sum(s.decoded for s in self.segments)

    @property
    def rows(self) -> int:
        return sum(s.rows for s in self.segments)

    @property
    def group_bytes(self) -> int:
        return max((s.group_bytes for s in self.segments), default=0)


class Engine(Protocol):
    def foresee(self, steps: Sequence[tuple[Step, Mapping[str, View]]]) -> None:
        """Raise where it is known before the first of the steps that there is too little for one of them."""
        ...

    def run(self, step: Step, views: Mapping[str, View], folder: Path, watch: Watch) -> dict[str, list[Written]]:
        """Make the step's tables: the files of table T in `folder/T`, in key order."""
        ...
