"""Who makes rows of what is read? This process for a small input, processes of its own for a large one; in order.

A record that ends the process which reads it is left out, told of, and nothing else is lost with it. One that takes more
memory than there is beside the others is read when no others are there.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from unquilt.engine.budget import FLOOR, give_back, resident
from unquilt.extract.rows import UNREADABLE, Extracted, Work, extracted, joined
from unquilt.extract.worker import receive, send
from unquilt.read.record import Found, Skip
from unquilt.read.room import Room

COMMAND = (sys.executable, "-P", "-c", "from unquilt.extract.worker import main; main()")  # -P: nothing from the folder we are in
ALONE = 4  # batches that this process makes before others are started
WORKER_BYTES = 260_000_000  # what a worker was seen to hold, its share of waiting work included
WORKER_BASE = 150_000_000  # of it what it holds before it has work
BASE = 190_000_000  # what this process holds when everything it reads with is loaded
WAITING_BYTES = 32 << 20

Outcome = Extracted | Work


def processes_for(memory: int, threads: int) -> int:
    """Processes that may read beside this one."""
    return int(min(threads, max(0, memory - FLOOR) // WORKER_BYTES))


class Pool:
    """`processes` below two: all of it is done here. `memory`: bytes that all of them may hold together; None: any."""

    def __init__(self, processes: int = 0, memory: int | None = None) -> None:
        self._processes = processes if processes > 1 else 0
        self._waiting: deque[tuple[Future[Outcome], int]] = deque()
        self._threads: ThreadPoolExecutor | None = None
        self._workers: list[_Worker] = []
        self._own = threading.local()
        self._lock = threading.Lock()
        self._alone = False
        self._over = False
        self.memory = memory or 0
        self.room: Room | None = None
        self._share: int | None = None
        if memory is not None:
            own = memory - max(resident(), BASE)
            beside = max(0, memory - FLOOR - self._processes * WORKER_BYTES) // (self._processes + 1)
            self._share = WORKER_BYTES - WORKER_BASE + beside
            self.room = Room(min(own, FLOOR - BASE + beside) if self._processes else own, own, self.clear)

    def map(self, works: Iterable[Work]) -> Iterator[Extracted]:
        works = iter(works)
        few = islice(works, ALONE) if self._processes else works
        yield from map(self._here, few)
        if self._processes:
            yield from self._spread(works)

    def clear(self) -> None:
        """Wait for what is being done, and end the other processes: the next work has all the memory."""
        wait([future for future, _ in self._waiting])
        self._end_workers()
        give_back()
        self._alone = True

    def _here(self, work: Work) -> Extracted:
        self._alone = False
        return extracted(replace(work, room=self.room.whole) if self.room is not None else work)

    def _spread(self, works: Iterator[Work]) -> Iterator[Extracted]:
        for work in works:
            if self._alone:
                yield from self._done(down_to=0)
                made = self._here(work)
                del work  # while its rows are written
                yield made
                continue
            size = work.size
            yield from self._done(down_to=2 * self._processes, holding=WAITING_BYTES - size)
            if self._threads is None:
                self._threads = ThreadPoolExecutor(self._processes, "unquilt-read")
            self._waiting.append((self._threads.submit(self._by_worker, replace(work, room=self._share)), size))
            del work
        yield from self._done(down_to=0)

    def _done(self, *, down_to: int, holding: int = WAITING_BYTES) -> Iterator[Extracted]:
        """What comes first of what is waiting, until no more than so many wait, of no more bytes."""
        while self._waiting and (len(self._waiting) > down_to or sum(size for _, size in self._waiting) > holding):
            future, _ = self._waiting.popleft()
            made = future.result()
            if isinstance(made, Work):
                self.clear()
                made = self._here(made)
            yield made

    def _by_worker(self, work: Work) -> Outcome:
        """The work itself where a process beside others has no room for it."""
        worker = self._worker()
        try:
            return worker.extracted(work) or work
        except (EOFError, BrokenPipeError):
            if self._over:  # it was we who ended it
                raise
            code = worker.end()
        if len(work.founds) == 1:
            return extracted(replace(work, founds=[_deadly(work.founds[0], code)]))
        return joined([self._one_by_worker(replace(work, founds=[found])) for found in work.founds])

    def _one_by_worker(self, work: Work) -> Extracted:
        made = self._by_worker(work)
        return made if isinstance(made, Extracted) else extracted(work)

    def _worker(self) -> _Worker:
        worker: _Worker | None = getattr(self._own, "worker", None)
        if worker is None or worker.is_over:
            worker = self._own.worker = _Worker()
            with self._lock:
                self._workers.append(worker)
        return worker

    def _end_workers(self) -> None:
        with self._lock:
            workers, self._workers = self._workers, []
        for worker in workers:
            worker.end()

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self._over = True
        self._end_workers()
        if self._threads is not None:
            self._threads.shutdown(wait=True, cancel_futures=True)
        self._end_workers()


class _Worker:
    def __init__(self) -> None:
        # A group of its own, so that the terminal's Ctrl-C does not reach it.
        self._process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, process_group=0)  # noqa: S603
        self.is_over = False

    def extracted(self, work: Work) -> Extracted | None:
        """None: it has no room for that."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        send(self._process.stdin, work)
        result = receive(self._process.stdout)
        assert isinstance(result, Extracted | None)
        return result

    def end(self) -> int:
        """How it ended, by itself or now."""
        self.is_over = True
        self._process.kill()
        with suppress(BrokenPipeError), self._process:  # closes the pipes, and what was sent may not have arrived
            pass
        return self._process.wait()


def _deadly(found: Found, code: int) -> Found:
    how = f"signal {-code}" if code < 0 else f"code {code}"
    url = getattr(found.record, "url", None)
    return replace(found, record=None, skips=(*found.skips, Skip(UNREADABLE, f"the process that read it ended with {how}", url=url)))
