"""One engine at work in a folder of its own: what it made, what it said, and what it left lying about."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from publishing import Row, rows_of, view_of

from unquilt.digest import Digest
from unquilt.engine import Engine, View
from unquilt.parquet import Written, batches_of
from unquilt.step import Step
from unquilt.table import Table
from unquilt.watch import Watch

Segments = Sequence[Sequence[Row]]
Configuration = Callable[[Path], Engine]
"""Makes an engine that keeps its temporary files, if it wants a place of its own for them, in this folder."""


@dataclass
class Made:
    """What a step made."""

    folder: Path
    tables: Sequence[Table]
    written: Mapping[str, list[Written]]

    def files(self, table: Table) -> list[Path]:
        return [self.folder / table.name / one.file for one in self.written[table.name]]

    @property
    def rows(self) -> dict[str, list[Row]]:
        return {t.name: rows_of(self.files(t), t) for t in self.tables}

    @property
    def digests(self) -> dict[str, str]:
        return {t.name: digest_of(self.files(t), t) for t in self.tables}

    @property
    def bytes(self) -> dict[str, list[bytes]]:
        return {t.name: [path.read_bytes() for path in self.files(t)] for t in self.tables}


@dataclass
class Bench:
    configuration: Configuration
    folder: Path
    watch: Watch = field(default_factory=Watch)
    _runs: int = 0

    def __post_init__(self) -> None:
        self.tmp.mkdir(parents=True)
        self.engine = self.configuration(self.tmp)

    @property
    def tmp(self) -> Path:
        return self.folder / "tmp"

    def views(self, step: Step, tables: Mapping[Table, Segments], group_rows: int = 3) -> dict[str, View]:
        """The step's input; a table that is not given was never published."""
        given = {t.name: view_of(self.folder / "given", t, segments, group_rows) for t, segments in tables.items()}
        return {t.name: given.get(t.name, View(t, ())) for t in step.reads}

    def make(self, step: Step, tables: Mapping[Table, Segments], group_rows: int = 3) -> Made:
        return self.run(step, self.views(step, tables, group_rows))

    def run(self, step: Step, views: Mapping[str, View]) -> Made:
        self._runs += 1
        folder = self.folder / f"out {self._runs}"
        return Made(folder, step.tables, self.engine.run(step, views, folder, self.watch))

    def litter(self) -> list[str]:
        """What lies in the engine's folders and is no file of a table: blocks, spilled queries, locks."""
        here = [p for out in self.folder.glob("out *") for p in out.rglob("*") if p.is_file() and p.suffix != ".parquet"]
        return sorted(str(p.relative_to(self.folder)) for p in (*here, *self.tmp.rglob("*")))


def digest_of(paths: Sequence[Path], table: Table) -> str:
    digest = Digest(table)
    for path in paths:
        for batch in batches_of(path, table.name):
            digest.update(table.conform(batch))
    return digest.hexdigest()


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """Ctrl-C, so many seconds from now."""
    main = threading.main_thread().ident
    assert main is not None
    timer = threading.Timer(seconds, signal.pthread_kill, (main, signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


@dataclass
class InterruptingWatch(Watch):
    """Raises as a face does whose user has had enough: at the call of `advance` or `stage` of that number."""

    at: int
    calls: int = 0
    stages: list[str] = field(default_factory=list)

    @contextmanager
    def stage(self, name: str, total: float, unit: str) -> Iterator[None]:
        self.stages.append(name)
        yield

    def advance(self, amount: float) -> None:
        self.calls += 1
        if self.calls >= self.at:
            raise KeyboardInterrupt


def threads_left(before: set[threading.Thread], patience: float = 2.0) -> list[str]:
    """Names of threads that are there now and were not before."""
    until = time.monotonic() + patience
    while time.monotonic() < until and set(threading.enumerate()) - before:
        time.sleep(0.01)
    return sorted(t.name for t in set(threading.enumerate()) - before)
