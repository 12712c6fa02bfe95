"""How do steps run on one machine? DuckDB for queries; for the rest threads, and blocks spilled to files.

Kernels release the interpreter's lock, so threads are enough. What a thread yields is taken in the order
of its work, never of its finishing: results depend on nothing but input and parameters.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from unquilt.engine import View, sql
from unquilt.engine.budget import Budget, give_back
from unquilt.engine.spill import Spill
from unquilt.errors import MemoryTooSmall, StepFailed, UnquiltError
from unquilt.parquet import GroupPlace, TableWriter, Written, batches_of, open_file, read_group
from unquilt.step import Around, MapReduce, Part, Query, Reduce, Rows, Step, Yielded
from unquilt.store import writing
from unquilt.table import Table
from unquilt.watch import Watch

if TYPE_CHECKING:
    import pyarrow.parquet as pq

READ_COST = 3.0  # bytes held while a row group of one decoded byte is read: compressed pages, columns, a copy
MOST_BITS = 14
FEWEST_BITS = 6


@dataclass
class Local:
    """`bits` fixes the number of parts of every exchange to 2**bits, for tests; usually it follows from the budget."""

    budget: Budget
    tmp: Path | None = None
    bits: int | None = None
    spilled: int = 0
    """Bytes written to exchanges so far."""

    def run(self, step: Step, views: Mapping[str, View], folder: Path, watch: Watch) -> dict[str, list[Written]]:
        folder.mkdir(parents=True, exist_ok=True)
        with writing(folder):
            if isinstance(step, Query):
                return self._query(step, views, folder, watch)
            return _Exchange(self, step, views, folder, watch).run()

    def _query(self, step: Query, views: Mapping[str, View], folder: Path, watch: Watch) -> dict[str, list[Written]]:
        give_back()
        with watch.stage(step.name, 0, ""), _Outputs((step.table,), folder) as outputs:
            room = self.budget.room()
            with sql.opened(views, room, self.budget, self.tmp or folder) as connection:
                for batch in sql.batches(connection, step):
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
    watch: Watch
    stop: threading.Event = field(default_factory=threading.Event)

    def run(self) -> dict[str, list[Written]]:
        source = self.views[self.step.input.name]
        beside = {t.name: _columns(self.views[t.name], c) for t, c in self.step.beside}
        with _Outputs(self.step.tables, self.folder) as outputs:
            spills = self._map(source, beside, outputs)
            for stage, reduce in enumerate(self.step.reduces):
                spills = self._reduce(stage, reduce, spills, beside, outputs)
            return outputs.finish()

    def _map(self, source: View, beside: Mapping[str, Any], outputs: _Outputs) -> Spill | None:
        need = int(source.group_bytes * (READ_COST + 2 * self.step.map.spill)) + (8 << 20)
        threads = self.local.budget.workers(need, f"one batch of {self.step.input.name} in step {self.step.name}")
        bits = self._bits(source.decoded * self.step.map.spill, self.step.reduces[0] if self.step.reduces else None)
        spill = self._spill(0, bits) if self.step.reduces else None
        around = Around(self.step.params, beside, bits)
        files = _OpenFiles(self.step.input.name)

        def map_one(place: GroupPlace) -> list[Rows]:
            batch = read_group(files.get(place.path), place, list(self.step.columns))
            rows = self._sort_out(self.step.map.call(batch, around), spill, place.segment, place.group)
            self.watch.advance(batch.num_rows)
            return rows

        rows = sum(_rows(f, self.step.input.name) for f in source.files)
        with self.watch.stage(f"{self.step.name}: {self.step.map.name}", rows, "rows"):
            tasks = (
                _Task(partial(map_one, p), f"{p.table} segment {p.segment}, row group {p.group}", 0)
                for p in _places(source, self.step.input.name)
            )
            self._work(tasks, threads, outputs)
        if spill is not None:
            spill.finish()
            self.local.spilled += spill.written
        return spill

    def _reduce(
        self, stage: int, reduce: Reduce, spill: Spill | None, beside: Mapping[str, Any], outputs: _Outputs
    ) -> Spill | None:
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
        waiting: deque[tuple[Future[list[Rows]], int]] = deque()
        held = 0
        pool = ThreadPoolExecutor(threads, thread_name_prefix="unquilt")
        try:
            for task in tasks:
                self._check_fits(task, room)
                while waiting and (len(waiting) >= 3 * threads or held + task.need > room):
                    future, freed = waiting.popleft()
                    outputs.put(future.result())
                    held -= freed
                waiting.append((pool.submit(self._guarded, task), task.need))
                held += task.need
            while waiting:
                outputs.put(waiting.popleft()[0].result())
        finally:
            self.stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            self.stop.clear()

    def _check_fits(self, task: _Task, room: int) -> None:
        if task.need > room:
            total = self.local.budget.total
            raise MemoryTooSmall(
                f"--memory {total / 1e6:.0f}MB is too small for {task.where} of step {self.step.name}; "
                f"give at least {(total + task.need - room) * 1.02 / 1e6:.0f}MB"
            )

    def _guarded(self, task: _Task) -> list[Rows]:
        """The one place where what a kernel raises gets its table, step and part."""
        if self.stop.is_set():
            return []
        try:
            return task.call()
        except (UnquiltError, OSError, MemoryError):
            raise
        except Exception as error:
            tables = ", ".join(t.name for t in self.step.tables)
            raise StepFailed(
                f"step {self.step.name} (makes {tables}) failed at {task.where}: {type(error).__name__}: {error}; "
                "nothing was published; please report this with the command and the line above"
            ) from error

    def _sort_out(self, yielded: Iterable[Yielded], spill: Spill | None, segment: int, batch: int) -> list[Rows]:
        rows = []
        for place, one in enumerate(yielded):
            if isinstance(one, Rows):
                rows.append(one)
            elif spill is None:
                raise ValueError("a block was yielded where no reduce follows")
            else:
                spill.add(one.part, segment, batch, place, one.data)
        return rows

    def _bits(self, expected: float, reduce: Reduce | None) -> int:
        """So many parts that each thread can hold one; more where the guess was low would be safe, fewer not."""
        if reduce is None:
            return 0
        if self.local.bits is not None:
            return self.local.bits
        share = max(self.local.budget.room(), 1 << 20) / (self.local.budget.threads * (1 + reduce.memory) * 4)
        bits = FEWEST_BITS
        while expected / (1 << bits) > share and bits < MOST_BITS:
            bits += 1
        return bits

    def _spill(self, stage: int, bits: int) -> Spill:
        folder = self.local.tmp / f"unquilt-{self.folder.name}" if self.local.tmp else self.folder
        return Spill(folder / f"exchange-{stage}", bits)


class _Outputs:
    """The files of a step's tables while they are written."""

    def __init__(self, tables: tuple[Table, ...], folder: Path) -> None:
        self._writers: dict[str, TableWriter] = {}
        for table in tables:
            (folder / table.name).mkdir(parents=True, exist_ok=True)
            self._writers[table.name] = TableWriter(folder / table.name / "part-00000.parquet", table)

    def put(self, rows: list[Rows]) -> None:
        for one in rows:
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
            self._local.path, self._local.file = path, open_file(path, self._table)
        file: pq.ParquetFile = self._local.file
        return file


def _places(view: View, table: str) -> Iterator[GroupPlace]:
    for number, segment in enumerate(view.segments):
        group = 0
        for path in segment.files:
            with open_file(path, table) as file:
                groups = file.num_row_groups
            for one in range(groups):
                yield GroupPlace(path, table, number, one)
                group += 1


def _rows(path: Path, table: str) -> int:
    with open_file(path, table) as file:
        return int(file.metadata.num_rows)


def _columns(view: View, columns: tuple[str, ...]) -> dict[str, Any]:
    """Whole columns of a small table as arrays."""
    pieces: dict[str, list[Any]] = {c: [] for c in columns}
    for path in view.files:
        for batch in batches_of(path, view.table.name, list(columns)):
            for c in columns:
                pieces[c].append(batch.column(c).to_numpy(zero_copy_only=False))
    types = {f.name: f.type.to_pandas_dtype() for f in view.table.schema}
    return {c: np.concatenate(p) if p else np.zeros(0, types[c]) for c, p in pieces.items()}
