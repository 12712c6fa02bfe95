"""What is a study? A folder of tables; it orders what is to be made and publishes it, and answers questions.

study = uq.open("news.study")
study.add("pages.jsonl")
overlaps = study.run(uq.Overlaps(k=5))
overlaps.head()
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unquilt import adding, exporting, facts, removing, running, sizing, summary, verifying
from unquilt.catalogue import TABLES, method_named, methods_with
from unquilt.engine import Engine
from unquilt.errors import UsageError
from unquilt.manifest import Manifest, Run
from unquilt.method import Method
from unquilt.read import STDIN, Fields, Reader, readers_for
from unquilt.store import Store, writing
from unquilt.text import WORDS_VERSION
from unquilt.watch import Watch

if TYPE_CHECKING:
    import pyarrow as pa

    from unquilt.engine.local import Local


@dataclass
class Study:
    """Made by `unquilt.open`."""

    folder: Path
    engine: Engine
    watch: Watch = field(default_factory=Watch)
    memory: int = 0
    """Bytes it promises to stay within (`--memory`)."""

    def __post_init__(self) -> None:
        self._store = Store(self.folder)

    @property
    def manifest(self) -> Manifest:
        return self._store.read()

    def add(self, *inputs: str | Path, snapshot: str | None = None, fields: Fields | None = None) -> list[adding.Added]:
        """Read files into the study ("-": JSONL from stdin); a file that is there already changes nothing."""
        readers = readers_for(inputs, fields or Fields())
        with self._store.writer():
            return [self._add(path, reader, snapshot) for path, reader in readers]

    def _add(self, path: Path, reader: Reader, snapshot: str | None) -> adding.Added:
        if str(path) != STDIN:
            added = adding.add(self._store, path, reader, snapshot, self.watch)
        else:
            with self._store.workroom("stdin") as room:
                added = adding.add(self._store, _spooled(room), reader, snapshot, self.watch, name="stdin")
        self.watch.added(added.file.name, added.file.pages, added.file.skipped, added.already)
        return added

    def scan(
        self,
        *inputs: str | Path,
        snapshot: str | None = None,
        fields: Fields | None = None,
        params: Mapping[str, Any] | None = None,
    ) -> summary.Summary:
        """Read files, run every method, and say what was found. `params` like `{"k": 4}` or `{"overlaps": {"k": 4}}`."""
        methods = methods_with(params or {})
        self.add(*inputs, snapshot=snapshot, fields=fields)
        running.foresee(self._store, self.engine, [step for method in methods for step in method.steps()])
        for method in methods:
            self.run(method)
        return self.summary()

    def run(self, method: Method) -> Result:
        """Make what the method lacks, and nothing twice."""
        with self._store.writer():
            made = running.run(self._store, self.engine, method.steps(), self.watch)
            run = Run(method.name, method.params())
            if run not in self.manifest.runs:
                self._store.write(self.manifest.with_run(run))
        return Result(self, method, tuple(made))

    def plan(self, method: Method) -> list[running.Planned]:
        """What `run` would make, what it would reuse, why, and what that would take."""
        planned = running.plan(self._store, method.steps())
        return sizing.sized(planned, method.steps(), self.manifest)

    def remove(self, *, urls: Iterable[str] = (), hosts: Iterable[str] = ()) -> removing.Removed:
        """Take pages out for good: all captures of the URLs (or ids) and hosts named, and what they said.

        Results are made again. At the end nothing of the pages is left in the study's files but their numbers and
        where in the input they were; inputs, exports and copies of the study are not touched.
        """
        made: list[str] = []
        with self._store.writer():
            removed = removing.remove(self._store, tuple(urls), tuple(hosts))
            self._store.sweep()
            # Also when nothing is new: an earlier removal may have been stopped before the results were made again.
            for run in self.manifest.runs:
                made += running.run(self._store, self.engine, method_named(run.method).of(run.params).steps(), self.watch)
            self._store.sweep()
        return replace(removed, made=tuple(dict.fromkeys(made)))

    def summary(self) -> summary.Summary:
        """What was found so far, in numbers."""
        return summary.of(self)

    def sql(self, query: str) -> pa.Table:
        """Ask the published tables in SQL (DuckDB's); every table of docs/tables.md goes by its name."""
        return exporting.ask(self._store, self.manifest, query)

    def table(self, name: str) -> pa.Table:
        """One table as published; `pages` is the corpus with its texts."""
        return exporting.whole(self._store, self.manifest, name)

    def rows(self, name: str, *, limit: int | None = None) -> pa.Table:
        """A table with ids and URLs in place of page numbers, as `show` and `export` give it."""
        return exporting.readable(self._store, self.manifest, name, limit)

    def first(self, name: str, rows: int = 20) -> pa.Table:
        """The most interesting rows of a table, as `show` gives them."""
        return exporting.first(self._store, self.manifest, name, rows)

    def counts(self, name: str, by: str) -> pa.Table:
        """How many rows of a table have each value of a column, the most frequent first."""
        return exporting.counts(self._store, self.manifest, name, by)

    def export(self, name: str, path: str | Path) -> int:
        """Write a table to a file (.parquet, .jsonl or .csv); gives the number of rows."""
        return exporting.export(self._store, self.manifest, name, Path(path))

    def verify(self) -> list[str]:
        """Read every table again and compare; one sentence for each that is not what was published."""
        return verifying.verify(self._store, self.manifest)

    def tables(self) -> list[str]:
        """Names of the published tables."""
        return sorted(self.manifest.tables)

    def contents(self) -> list[dict[str, Any]]:
        """Every table that can be shown or exported: its name, its rows, and what a row is."""
        return facts.tables(self.manifest)

    def info(self) -> dict[str, Any]:
        """What the study is made of: versions, inputs, parameters, tables, and the commands that make it again."""
        return facts.of(self._store)


@dataclass(frozen=True)
class Result:
    """What a method made."""

    study: Study
    method: Method
    made: Sequence[str]

    def arrow(self, table: str | None = None) -> pa.Table:
        """The method's main table, or another of its tables, with ids and URLs."""
        return self.study.rows(self._name(table))

    def head(self, rows: int = 10, table: str | None = None) -> list[dict[str, Any]]:
        """The most interesting rows; `arrow` gives all of them, in the order of their key."""
        found: list[dict[str, Any]] = self.study.first(self._name(table), rows).to_pylist()
        return found

    def sql(self, query: str) -> pa.Table:
        return self.study.sql(query)

    def _name(self, table: str | None) -> str:
        names = [t.name for t in self.method.tables]
        if table is not None and table not in names:
            raise UsageError(f"{self.method.name} makes no table `{table}`; it makes {', '.join(names)}")
        return table or self.method.result.name


def open(
    folder: str | Path,
    *,
    create: bool = True,
    memory: str | None = None,
    threads: int | None = None,
    tmp: str | Path | None = None,
    engine: str = "local",
    watch: Watch | None = None,
) -> Study:
    """Open a study, or make an empty one. `memory` like "8GB" or "60%"; `threads` defaults to all cores."""
    path = Path(folder)
    made = _engine(engine, memory, threads, tmp)
    study = Study(path, made, watch or Watch(), made.budget.total)
    store = Store(path)
    if create and not store.exists():
        store.create(WORDS_VERSION)
    else:
        store.read()
    return study


def _engine(name: str, memory: str | None, threads: int | None, tmp: str | Path | None) -> Local:
    if name != "local":
        raise UsageError(f"there is no engine `{name}`; the engines are: local")
    import os

    from unquilt.engine.budget import DEFAULT_SHARE, Budget, available, enough
    from unquilt.engine.local import Local

    total = enough(memory) if memory is not None else int(available() * DEFAULT_SHARE)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if threads is not None and threads < 1:
        raise UsageError(f"threads={threads} is out of range; give at least 1")
    return Local(Budget(total, threads or cores), Path(tmp) if tmp is not None else None)


def _spooled(room: Path) -> Path:
    """What comes on stdin, in a file: it is read twice, once for its SHA-256."""
    path = room / "stdin.jsonl"
    with writing(room), path.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    return path


def discard(folder: Path) -> None:
    """Delete a study; for those that a command made for itself."""
    with writing(folder):
        shutil.rmtree(folder, ignore_errors=True)


__all__ = ["TABLES", "Result", "Study", "discard", "open"]
