"""Runs one command of unquilt with things going wrong at named, counted points: no sleeping, no chance.

    python victim.py PLAN COMMAND...

PLAN is JSON: `record` (a file to which the points that were passed are written), `stop` ([point, n, signal]:
the process sends itself the signal when it passes the point for the n-th time), `full` ([point, n]: from there
on every write says that no space is left), `small` (captures and blocks go out in small pieces).
A point is `stage | what`, as in `page_size: add up | take`. The product knows nothing of all this.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import unquilt.adding
import unquilt.engine.local
import unquilt.engine.spill
import unquilt.engine.sql
from unquilt.cli import main, progress
from unquilt.engine.spill import Spill
from unquilt.parquet import TableWriter


class Points:
    def __init__(self, plan: dict[str, Any]) -> None:
        self.plan = plan
        self.stage = "create"
        self.passed: Counter[str] = Counter()
        self.full = False
        self._lock = threading.Lock()

    def at(self, what: str) -> None:
        point = f"{self.stage} | {what}"
        with self._lock:
            self.passed[point] += 1
            count = self.passed[point]
        if self.plan.get("stop", [None])[:2] == [point, count]:
            self.note("stopped")
            os.kill(os.getpid(), getattr(signal, self.plan["stop"][2]))
        if self.plan.get("full") == [point, count]:
            self.full = True

    def check_room(self) -> None:
        if self.full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def note(self, how: str) -> None:
        if "record" in self.plan:
            with open(self.plan["record"], "w", encoding="utf-8") as file:
                json.dump({"how": how, "passed": list(self.passed.items())}, file)


def hook(points: Points) -> None:
    _hook_stages(points)
    _wrap(points, os, "fsync", "fsync", writes=True)
    _wrap(points, os, "rename", "rename", writes=True)
    _wrap(points, os, "replace", "replace", writes=True)
    _wrap(points, os, "writev", "write blocks", writes=True)
    _wrap(points, Spill, "add", "add")
    _wrap(points, Spill, "take", "take")
    _wrap(points, Spill, "finish", "finish")
    _wrap(points, TableWriter, "__init__", "open table", writes=True)
    _wrap(points, TableWriter, "write", "rows", writes=True)
    _wrap(points, TableWriter, "close", "close table", writes=True)
    _wrap(points, unquilt.engine.sql, "connect", "connect")


def _hook_stages(points: Points) -> None:
    stage, advance = progress.PlainWatch.stage, progress.PlainWatch.advance

    @contextmanager
    def staged(watch: progress.PlainWatch, name: str, total: float, unit: str) -> Iterator[None]:
        points.stage = name.split(" ")[0] if name.startswith("read ") else name
        with stage(watch, name, total, unit):
            points.at("begin")
            yield
            points.at("end")
        points.stage = "read" if name.startswith("read ") else f"publish after {name}"

    def advanced(watch: progress.PlainWatch, amount: float) -> None:
        advance(watch, amount)
        points.at("advance")

    progress.PlainWatch.stage, progress.PlainWatch.advance = staged, advanced  # type: ignore[method-assign]


def _wrap(points: Points, owner: Any, name: str, what: str, *, writes: bool = False) -> None:
    call: Callable[..., Any] = getattr(owner, name)

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        points.at(f"before {what}")
        if writes:
            points.check_room()
        result = call(*args, **kwargs)
        points.at(f"after {what}")
        return result

    setattr(owner, name, wrapped)


def small() -> None:
    unquilt.adding.SEGMENT_BYTES = 20_000
    unquilt.engine.spill.BUFFER = 10_000


if __name__ == "__main__":
    plan = json.loads(sys.argv.pop(1))
    sys.argv[0] = "unquilt"
    points = Points(plan)
    if plan.get("small"):
        small()
    hook(points)
    try:
        main()
    finally:
        if "stop" not in plan:
            points.note("ended")
