"""How do steps run on one machine? DuckDB for queries; for the rest threads, and blocks spilled to files.

Kernels release the interpreter's lock, so threads are enough. What a thread yields is taken in the order
of its work, never of its finishing: results depend on nothing but input and parameters.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from unquilt.arrays import dtype_of, to_numpy
from unquilt.engine import View, sql
from unquilt.engine.budget import MARGIN, Budget, give_back
from unquilt.engine.spill import Spill
from unquilt.errors import MemoryTooSmall, StepFailed, UnquiltError
from unquilt.parquet import GroupPlace, TableWriter, Written, batches_of, let_go, open_file, read_group
from unquilt.step import Around, MapReduce, Part, Query, Reduce, Rows, Step, Yielded
from unquilt.store import writing
from unquilt.table import Table
from unquilt.watch import Watch

if TYPE_CHECKING:
    import pyarrow.parquet as pq

READ_COST = 3.0  # bytes held while a row group of one decoded byte is read: compressed pages, columns, a copy
MOST_BITS = 14
FEWEST_BITS = 4  # a few parts for every thread, so that none waits long for another
# Parts of about this size, however large the exchange: then a part's memory and its share of the cost that each
# part has do not grow with the corpus, and what a kernel sorts is near the cache.
PART_BYTES = 4 << 20


@dataclass
class Local:
    """`bits` fixes the number of parts of every exchange to 2**bits, for tests; usually it follows from the budget."""

    budget: Budget
    tmp: Path | None = None
    bits: int | None = None
    spilled: int = 0
    """Bytes written to exchanges so far."""

    def foresee(self, steps: Sequence[tuple[Step, Mapping[str, View]]]) -> None:
        """The amount that is asked for is enough for all of them, not for the first that stumbles."""
        maps = [(_map_need(s, views[s.input.name]), s) for s, views in steps if isinstance(s, MapReduce)]
        if maps:
            give_back()
            need, step = max(maps, key=lambda one: one[0])
            self.budget.workers(need, _one_batch(step))

    def run(self, step: Step, views: Mapping[str, View], folder: Path, watch: Watch) -> dict[str, list[Written]]:
        folder.mkdir(parents=True, exist_ok=True)
        with writing(folder), self._scratch(folder) as scratch:
            if isinstance(step, Query):
                return self._query(step, views, folder, scratch, watch)
            return _Exchange(self, step, views, folder, scratch, watch).run()

    @contextmanager
    def _scratch(self, folder: Path) -> Iterator[Path]:
        """Where a step spills. Below --tmp, which studies may share, each has a folder of its own, the same every
        time, so that what a killed run left there goes with the next one."""
        if self.tmp is None:
            yield folder
            return
        scratch = self.tmp / f"unquilt-{hashlib.sha256(os.fsencode(folder.parent.resolve())).hexdigest()[:16]}"
        with writing(scratch):
            shutil.rmtree(scratch, ignore_errors=True)
            scratch.mkdir(parents=True)
        try:
            yield scratch
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def _query(self, step: Query, views: Mapping[str, View], folder: Path, scratch: Path, watch: Watch) -> dict[str, list[Written]]:
        with watch.stage(step.name, 0, ""):
            sql.check(views, step)
            *earlier, last = sql.TRIES
            for how in earlier:
                try:
                    return self._try_query(step, views, folder, scratch, how)
                except MemoryTooSmall as error:
                    watch.detail(f"{step.name}: {error}; trying with more of it and fewer threads")
            return self._try_query(step, views, folder, scratch, last)

    def _try_query(self, step: Query, views: Mapping[str, View], folder: Path, scratch: Path, how: sql.Try) -> dict[str, list[Written]]:
        give_back()
        with (
            _Outputs((step.table,), folder) as outputs,
            sql.opened(views, self.budget, how, scratch) as connection,
        ):
            for batch in sql.batches(connection, step):
                with _named(step, "its answer"):
                    outputs.put([Rows(step.table.name, batch)])
            return outputs.finish()


@dataclass(frozen=True)
class _Task:
    call: Callable[[], list[Rows]]
    where: str
    need: int
    """Bytes it holds while it runs; 0 where the number of threads already accounts for it."""


@dataclass
class _Exchange:
    """One MapReduce step as it runs."""

    local: Local
    step: MapReduce
    views: Mapping[str, View]
    folder: Path
    scratch: Path
    watch: Watch
    stop: threading.Event = field(default_factory=threading.Event)
    spills: list[Spill] = field(default_factory=list)

    def run(self) -> dict[str, list[Written]]:
        source = self.views[self.step.input.name]
        beside = {t.name: _columns(self.views[t.name], c) for t, c in self.step.beside}
        try:
            with _Outputs(self.step.tables, self.folder) as outputs:
                spill = self._map(source, beside, outputs)
                for stage, reduce in enumerate(self.step.reduces):
                    spill = self._reduce(stage, reduce, spill, beside, outputs)
                return outputs.finish()
        finally:
            for one in self.spills:
                one.remove()

    def _map(self, source: View, beside: Mapping[str, Any], outputs: _Outputs) -> Spill | None:
        threads = self.local.budget.workers(_map_need(self.step, source), _one_batch(self.step))
        first = self.step.reduces[0] if self.step.reduces else None
        bits = self._bits(source.decoded * self.step.map.spill, first)
        spill = self._spill(0, bits) if self.step.reduces else None
        around = Around(self.step.params, beside, bits)
        files = _OpenFiles(self.step.input.name)

        def map_one(place: GroupPlace) -> list[Rows]:
            batch = read_group(files.get(place.path), place, list(self.step.columns))
            rows = self._sort_out(self.step.map.call(batch, around), spill, place.segment, place.batch)
            self.watch.advance(batch.num_rows)
            return rows

        with self.watch.stage(f"{self.step.name}: {self.step.map.name}", source.rows, "rows"):
            tasks = (
                _Task(partial(map_one, p), f"{p.table} segment {p.segment}, row group {p.batch}", 0)
                for p in _places(source, self.step.input.name)
            )
            self._work(tasks, threads, outputs)
        if spill is not None:
            spill.finish()
            self.local.spilled += spill.written
        return spill

    def _reduce(self, stage: int, reduce: Reduce, spill: Spill | None, beside: Mapping[str, Any], outputs: _Outputs) -> Spill | None:
        assert spill is not None
        give_back()
        last = stage + 1 == len(self.step.reduces)
        after = None if last else self.step.reduces[stage + 1]
        bits = self._bits(spill.written * reduce.spill, after)
        onward = None if last else self._spill(stage + 1, bits)
        around = Around(self.step.params, beside, bits)
        parts = range(1 << spill.bits)

        def reduce_one(number: int) -> list[Rows]:
            part = Part(number, spill.bits, spill.take(number))
            rows = self._sort_out(reduce.call(part, around), onward, 0, number)
            self.watch.advance(1)
            return rows

        with self.watch.stage(f"{self.step.name}: {reduce.name}", len(parts), "parts"):
            tasks = (
                _Task(partial(reduce_one, n), f"part {n} of {len(parts)}", int(spill.size(n) * (1 + reduce.memory)) + (1 << 20))
                for n in parts
            )
            self._work(tasks, self.local.budget.threads, outputs)
        if onward is not None:
            onward.finish()
            self.local.spilled += onward.written
        return onward

    def _work(self, tasks: Iterable[_Task], threads: int, outputs: _Outputs) -> None:
        """Run tasks on threads, as many at a time as their needs fit; take what they return in their order."""
        room = self.local.budget.room()
        waiting: deque[tuple[Future[list[Rows]], _Task]] = deque()
        held = 0
        pool = ThreadPoolExecutor(threads, thread_name_prefix="unquilt")
        try:
            for task in tasks:
                self._check_fits(task, room)
                while waiting and (len(waiting) >= 3 * threads or held + task.need > room):
                    future, done = waiting.popleft()
                    self._put(outputs, future.result(), done)
                    held -= done.need
                waiting.append((pool.submit(self._guarded, task), task))
                held += task.need
            while waiting:
                future, done = waiting.popleft()
                self._put(outputs, future.result(), done)
        finally:
            self.stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            self.stop.clear()

    def _check_fits(self, task: _Task, room: int) -> None:
        if task.need > room:
            total = self.local.budget.total
            raise MemoryTooSmall(
                f"--memory {total / 1e6:.0f}MB is too small for {task.where} of step {self.step.name}; "
                f"give at least {(total + task.need - room) * MARGIN / 1e6:.0f}MB"
            )

    def _guarded(self, task: _Task) -> list[Rows]:
        if self.stop.is_set():
            return []
        with _named(self.step, task.where):
            return task.call()

    def _put(self, outputs: _Outputs, rows: list[Rows], task: _Task) -> None:
        with _named(self.step, task.where):
            outputs.put(rows)

    def _sort_out(self, yielded: Iterable[Yielded], spill: Spill | None, segment: int, batch: int) -> list[Rows]:
        rows = []
        for place, one in enumerate(yielded):
            if self.stop.is_set():
                break
            if isinstance(one, Rows):
                rows.append(one)
            elif spill is None:
                raise ValueError("a block was yielded where no reduce follows")
            else:
                spill.add(one.part, segment, batch, place, one.data)
        return rows

    def _bits(self, expected: float, reduce: Reduce | None) -> int:
        """Parts of PART_BYTES, or of what each thread can hold with a good deal to spare, for `expected` is a guess."""
        if reduce is None:
            return 0
        if self.local.bits is not None:
            return self.local.bits
        room = max(self.local.budget.room(), 1 << 20)
        size = min(PART_BYTES, room / (self.local.budget.threads * (1 + reduce.memory) * 4))
        bits = FEWEST_BITS
        while expected / (1 << bits) > size and bits < MOST_BITS:
            bits += 1
        return bits

    def _spill(self, stage: int, bits: int) -> Spill:
        self.spills.append(Spill(self.scratch / f"exchange-{stage}", bits))
        return self.spills[-1]


def _map_need(step: MapReduce, source: View) -> int:
    """Bytes that one thread holds while it maps the largest row group."""
    return int(source.group_bytes * (READ_COST + 2 * step.map.spill)) + (8 << 20)


def _one_batch(step: MapReduce) -> str:
    return f"one batch of {step.input.name} in step {step.name}"


@contextmanager
def _named(step: Step, where: str) -> Iterator[None]:
    """The one place where what a kernel raises, or what is wrong with its rows, gets its step, tables and part."""
    try:
        yield
    except (UnquiltError, OSError, MemoryError):
        raise
    except Exception as error:
        tables = ", ".join(t.name for t in step.tables)
        what = " ".join(str(error).split())
        raise StepFailed(
            f"step {step.name} (makes {tables}) failed at {where}: {type(error).__name__}: {what}; "
            "nothing was published; please report this with the command and the line above"
        ) from error


class _Outputs:
    """The files of a step's tables while they are written."""

    def __init__(self, tables: tuple[Table, ...], folder: Path) -> None:
        self._writers: dict[str, TableWriter] = {}
        for table in tables:
            (folder / table.name).mkdir(parents=True, exist_ok=True)
            self._writers[table.name] = TableWriter(folder / table.name / "part-00000.parquet", table)

    def put(self, rows: list[Rows]) -> None:
        for one in rows:
            if one.table not in self._writers:
                raise ValueError(f"rows of table {one.table} were yielded, which the step does not make")
            self._writers[one.table].write(one.batch)

    def finish(self) -> dict[str, list[Written]]:
        writers, self._writers = self._writers, {}
        return {name: [writer.close()] for name, writer in writers.items()}

    def __enter__(self) -> _Outputs:
        return self

    def __exit__(self, *_: object) -> None:
        for writer in self._writers.values():
            writer.abandon()


class _OpenFiles:
    """A Parquet file stays open in the thread that reads it."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._local = threading.local()

    def get(self, path: Path) -> pq.ParquetFile:
        if getattr(self._local, "path", None) != path:
            if hasattr(self._local, "file"):
                let_go(self._local.__dict__.pop("file"))
            self._local.path, self._local.file = path, open_file(path, self._table)
        file: pq.ParquetFile = self._local.file
        return file


def _places(view: View, table: str) -> Iterator[GroupPlace]:
    for number, segment in enumerate(view.segments):
        batch = 0
        for path in segment.files:
            file = open_file(path, table)
            groups = file.num_row_groups
            let_go(file)
            del file
            for group in range(groups):
                yield GroupPlace(path, table, number, group, batch)
                batch += 1


def _columns(view: View, columns: tuple[str, ...]) -> dict[str, Any]:
    """Whole columns of a small table as arrays."""
    pieces: dict[str, list[Any]] = {c: [] for c in columns}
    for path in view.files:
        for batch in batches_of(path, view.table.name, list(columns)):
            for c in columns:
                if batch.column(c).null_count:
                    raise ValueError(f"column {c} of table {view.table.name} has nulls, and cannot stand beside a kernel as an array")
                pieces[c].append(to_numpy(batch.column(c)))
    types = {c: dtype_of(view.table.schema.field(c).type) for c in columns}
    return {c: np.concatenate(p) if p else np.zeros(0, types[c]) for c, p in pieces.items()}
