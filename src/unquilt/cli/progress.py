"""Who watches a long run? A bar where there is a terminal, plain lines where there is none, or nobody (`--quiet`)."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, Any

from unquilt.cli.output import printable, to_stderr
from unquilt.cli.sentences import of_added, of_bytes, of_loud
from unquilt.watch import Watch

EVERY = 5.0  # seconds between plain lines


@dataclass
class PlainWatch(Watch):
    """Lines on stderr and, with `--log-file`, in a file. The end of a stage is always told with -v."""

    quiet: bool = False
    verbose: bool = False
    log: IO[str] | None = None
    _name: str = ""
    _unit: str = ""
    _total: float = 0
    _done: float = 0
    _began: float = 0
    _told: float = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def stage(self, name: str, total: float, unit: str) -> Iterator[None]:
        self._name, self._total, self._unit, self._done = name, total, unit, 0
        self._began = self._told = time.monotonic()
        self._open(name, total)
        try:
            yield
        finally:
            self._close()
        self.detail(f"{name}: done in {time.monotonic() - self._began:.1f} s")

    def advance(self, amount: float) -> None:
        with self._lock:
            self._done += amount
            self._show(amount)

    def added(self, name: str, pages: int, skipped: int, already: bool) -> None:
        self.say(of_added(name, pages, skipped, already))

    def loud(self, name: str, reasons: Sequence[tuple[str, int]], records: int) -> None:
        for reason, n in reasons:
            self.say(of_loud(name, reason, n, records))

    def say(self, sentence: str) -> None:
        self._write_log(sentence)
        if not self.quiet:
            to_stderr(sentence)

    def note(self, sentence: str) -> None:
        """For the log alone: it is said elsewhere."""
        self._write_log(sentence)

    def detail(self, sentence: str) -> None:
        self._write_log(sentence)
        if self.verbose and not self.quiet:
            to_stderr(sentence)

    def _open(self, name: str, total: float) -> None:
        pass

    def _close(self) -> None:
        pass

    def _show(self, amount: float) -> None:
        now = time.monotonic()
        if now - self._told >= EVERY:
            self._told = now
            self.say(self._line(now - self._began))

    def _line(self, seconds: float) -> str:
        """`tally: 40% of 12,000 rows, 800 rows/s, 9 s left`"""
        rate = self._done / seconds if seconds else 0
        if not self._total or not rate:
            return f"{self._name}: {self._amount(self._done)}"
        left = max(0.0, self._total - self._done) / rate
        share = min(1.0, self._done / self._total)
        return f"{self._name}: {share:.0%} of {self._amount(self._total)}, {self._amount(rate)}/s, {left:,.0f} s left"

    def _amount(self, n: float) -> str:
        return of_bytes(n) if self._unit == "bytes" else f"{n:,.0f} {self._unit}"

    def _write_log(self, sentence: str) -> None:
        if self.log is not None:
            stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            print(stamp, printable(sentence), file=self.log, flush=True)


@dataclass
class BarWatch(PlainWatch):
    """A bar with rate and time left."""

    _bar: Any = None
    _task: Any = None

    def _open(self, name: str, total: float) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        rate = TextColumn("{task.fields[rate]}")
        name_, share = TextColumn("{task.description}", markup=False), TextColumn("{task.percentage:>3.0f}%")
        self._bar = Progress(name_, BarColumn(), share, rate, TimeRemainingColumn(), console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task(printable(name), total=total or None, rate="")
        self._bar.start()

    def _close(self) -> None:
        self._bar.stop()

    def _show(self, amount: float) -> None:
        rate = self._done / max(time.monotonic() - self._began, 1e-9)
        self._bar.update(self._task, advance=amount, rate=f"{self._amount(rate)}/s")


def watch_for(*, quiet: bool, verbose: bool, log: IO[str] | None) -> PlainWatch:
    kind = BarWatch if sys.stderr.isatty() and not quiet else PlainWatch
    return kind(quiet=quiet, verbose=verbose, log=log)
