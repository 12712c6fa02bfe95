"""What is a study? A folder of tables; it orders what is to be made and publishes it, and answers questions.

study = uq.open("news.study")
study.add("pages.jsonl")
overlaps = study.run(uq.Overlaps(k=5))
overlaps.head()
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unquilt import adding, asking, exporting, facts, looking, readable, removing, resolving, running, sizing, staleness, summary, verifying
from unquilt.catalogue import TABLES, method_named, methods_with
from unquilt.engine import Engine
from unquilt.engine.budget import Budget
from unquilt.errors import UnquiltError, UsageError
from unquilt.extract.page import How
from unquilt.extract.pool import Pool, processes_for
from unquilt.manifest import Manifest, Run
from unquilt.method import Method
from unquilt.pages import PAGES
from unquilt.read.inputs import Given, brought, reader_of_brought, readers_for
from unquilt.read.options import Options
from unquilt.read.reader import Reader
from unquilt.read.record import Fields
from unquilt.reading import Published
from unquilt.store import Store
from unquilt.table import Table
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
    threads: int = 1
    tmp: Path | None = None
    """Where questions spill what does not fit; None: in the study."""

    def __post_init__(self) -> None:
        self._store = Store(self.folder)
        self._said: set[staleness.Stale] = set()
        self._verified: set[verifying.Seen] = set()

    @property
    def manifest(self) -> Manifest:
        return self._store.read()

    def add(
        self, *inputs: str | Path, snapshot: str | None = None, fields: Fields | None = None, options: Options | None = None
    ) -> list[adding.Added]:
        """Read inputs into the study: files, folders, patterns, "@list.txt", URLs, "-" (stdin); what is there already changes nothing."""
        fields, options = fields or Fields(), options or Options()
        found = readers_for(inputs, fields, options)
        how = How.of(options)
        with self._store.writer(), Pool(processes_for(self.memory, self.threads), self.memory or None) as pool:
            later = partial(reader_of_brought, fields=fields, options=options)
            added = [self._add(one, reader or partial(later, one=one), snapshot, how, pool) for one, reader in found]
            waiting = resolving.resolve(self._store, self.engine, self.watch)
            self._store.sweep()
        for one in added:
            self.watch.loud(one.file.name, one.loud, one.records)
            if one.file.lost:
                self.watch.say(f"{one.file.name}: part of it is lost, for it was cut off or is damaged; fetch it again if you can")
        if waiting:
            self.watch.say(f"revisits whose originals are not in the study: {waiting:,} (table `revisit`)")
        return added

    def _add(self, one: Given, reader: Reader | Callable[[Path], Reader], snapshot: str | None, how: How, pool: Pool) -> adding.Added:
        with self._store.workroom("input") as room:
            path = brought(one, room, self.watch)
            found = reader if isinstance(reader, Reader) else reader(path)
            kept = None
            if not one.is_here and one.url is None:
                path = self._store.keep(path)
                kept = path.name
            added = adding.add(self._store, adding.Input(path, found, snapshot, how, one.name, kept), pool, self.watch)
        self.watch.added(added.file.name, added.file.pages, added.file.skipped, added.already)
        return added

    def scan(
        self,
        *inputs: str | Path,
        snapshot: str | None = None,
        fields: Fields | None = None,
        options: Options | None = None,
        params: Mapping[str, Any] | None = None,
    ) -> summary.Summary:
        """Read files, run every method, and say what was found. `params` like `{"k": 4}` or `{"overlaps": {"k": 4}}`."""
        methods = methods_with(params or {})
        self.add(*inputs, snapshot=snapshot, fields=fields, options=options)
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
        return Result(self, method, tuple(made), _identities(self.manifest, [t.name for t in method.tables]))

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

    def page(self, name: str) -> looking.Page:
        """All that is known of the page with this id or URL."""
        return looking.page(self._published(), name)

    def html(self, name: str, inputs: str | Path | None = None) -> bytes:
        """The archived bytes of a page again, from the input it was read from, which may lie in another folder now (`inputs`)."""
        return looking.html(self._published(), name, Path(inputs) if inputs is not None else None, self.watch)

    def summary(self) -> summary.Summary:
        """What was found so far, in numbers."""
        return summary.of(self._published())

    def sql(self, query: str) -> pa.Table:
        """Ask the published tables in SQL (DuckDB's); every table of docs/tables.md goes by its name."""
        published = self._published()
        names = asking.named(published, query)
        self._say_stale(published, names)
        verifying.check(self._store, published.manifest, names, self.threads, self._verified)
        return asking.ask(published, query)

    def table(self, name: str) -> pa.Table:
        """One table as published; `pages` is the corpus with its texts."""
        published = self._published(name)
        table = readable.table_named(published, name)
        return self.rows(name) if table is PAGES else exporting.whole(self._store, published.manifest, name)

    def rows(self, name: str, *, limit: int | None = None) -> pa.Table:
        """A table with ids and URLs in place of page numbers, as `show` and `export` give it."""
        published = self._published(name)
        table = readable.table_named(published, name)
        return _whole(table, readable.rows(published, table, limit))

    def first(self, name: str, rows: int | None = 20) -> pa.Table:
        """The most interesting rows of a table, as `show` gives them; None: all of them."""
        published = self._published(name)
        table = readable.table_named(published, name)
        return _whole(table, readable.first(published, table, rows))

    def each(self, name: str, rows: int | None = None) -> Iterator[dict[str, Any]]:
        """The same rows one by one, so that they need not be held all at once."""
        published = self._published(name)
        for batch in readable.first(published, readable.table_named(published, name), rows):
            yield from batch.to_pylist()

    def counts(self, name: str, by: str, *, limit: int | None = None) -> pa.Table:
        """How many rows of a table have each value of a column, the most frequent first."""
        published = self._published(name)
        return readable.counts(published, readable.table_named(published, name), by, limit)

    def export(self, name: str, path: str | Path) -> int:
        """Write a table to a file (.parquet, .jsonl or .csv); gives the number of rows."""
        return exporting.export(self._published(name), name, Path(path)).rows

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
        return facts.of(self._published())

    def _published(self, *names: str) -> Published:
        """The tables as they are now; where one of these is stale, that is said."""
        published = Published(self._store, self.manifest, Budget(self.memory, self.threads), self.tmp)
        self._say_stale(published, names)
        return published

    def _say_stale(self, published: Published, names: Iterable[str]) -> None:
        """Once: a command may ask several times."""
        for stale in staleness.of_tables(self._store, published.manifest, names):
            if stale not in self._said:
                self._said.add(stale)
                self.watch.say(stale.sentence(str(self.folder)))


@dataclass(frozen=True)
class Result:
    """What a method made. It answers with these rows or not at all: `made_of` says which tables of the study they are."""

    study: Study
    method: Method
    made: Sequence[str]
    made_of: Mapping[str, str] = field(default_factory=dict)

    def arrow(self, table: str | None = None) -> pa.Table:
        """The method's main table, or another of its tables, with ids and URLs."""
        return self.study.rows(self._name(table))

    def head(self, rows: int = 10, table: str | None = None) -> list[dict[str, Any]]:
        """The most interesting rows; `arrow` gives all of them, in the order of their key."""
        found: list[dict[str, Any]] = self.study.first(self._name(table), rows).to_pylist()
        return found

    def sql(self, query: str) -> pa.Table:
        """Ask the study's tables in SQL; those of the method have to be the ones it made."""
        for name in asking.named(self.study._published(), query):
            self._check(name)
        return self.study.sql(query)

    @property
    def stale(self) -> str | None:
        """A sentence where it was not made of what the study holds now: files were added since."""
        study, names = self.study, [t.name for t in self.method.tables]
        found = staleness.of_method(study._store, study.manifest, self.method, names)
        return found.sentence(str(study.folder)) if found else None

    def _name(self, table: str | None) -> str:
        names = [t.name for t in self.method.tables]
        if table is not None and table not in names:
            raise UsageError(f"{self.method.name} makes no table `{table}`; it makes {', '.join(names)}")
        name = table or self.method.result.name
        self._check(name)
        return name

    def _check(self, name: str) -> None:
        if name in self.made_of and _identities(self.study.manifest, [name]).get(name) != self.made_of[name]:
            raise UsageError(
                f"table `{name}` of {self.study.folder} is not the one that this result was made with, for it was made anew since; "
                f"`study.run({self.method!r})` gives these rows again"
            )


def _identities(manifest: Manifest, names: Iterable[str]) -> dict[str, str]:
    """What changes exactly when the rows of a table do."""
    return {name: manifest.tables[name].identity for name in names if name in manifest.tables}


def _whole(table: Table, batches: Iterable[pa.RecordBatch]) -> pa.Table:
    import pyarrow as pa

    schema = readable.readable(table).schema
    return pa.Table.from_batches([b.cast(schema) for b in batches], schema)


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
    study = Study(path, made, watch or Watch(), made.budget.total, made.budget.threads, made.tmp)
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


def discard_empty(folder: Path) -> None:
    """Delete a study into which nothing was read; for those that a command made for itself."""
    store = Store(folder)
    if not store.exists():
        return
    with suppress(UnquiltError), store.writer():  # it may have become another's
        if not store.read().inputs:
            shutil.rmtree(folder, ignore_errors=True)


__all__ = ["TABLES", "Result", "Study", "discard_empty", "open"]
