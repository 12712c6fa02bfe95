"""How much memory may be used, and who gets how much of it?

`--memory` is a promise over all that the process holds: the interpreter, Arrow, DuckDB, every thread.
"""

from __future__ import annotations

import gc
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from unquilt.errors import MemoryTooSmall, UsageError

DEFAULT_SHARE = 0.6
SLACK = 32 << 20  # what the allocator keeps, the interpreter's garbage, file handles
FLOOR = 320_000_000  # the interpreter, Arrow, DuckDB and one thread with ordinary row groups; measured
MARGIN = 1.1  # on what is asked for: two runs of the same work were seen to differ by some megabytes
UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}


def parse_size(text: str) -> int:
    """Bytes of `8GB`, `512MB`, `1.5GiB`, `60%` (of what is available)."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(%|([kmgt]i?)?b?)\s*", text.lower())
    if not match:
        raise UsageError(f"`{text}` is no amount of memory; write it like 8GB, 512MB or 60%")
    number, unit, prefix = float(match[1]), match[2], match[3] or ""
    size = available() * number / 100 if unit == "%" else number * UNITS[prefix]
    if size < 1:
        raise UsageError(f"`{text}` is no amount of memory; write it like 8GB, 512MB or 60%")
    return int(size)


def enough(text: str) -> int:
    """Bytes that were asked for, if it is possible to work with them: told before anything is read."""
    size = parse_size(text)
    if size < FLOOR:
        raise MemoryTooSmall(f"--memory {text} is too small to work with; give at least {FLOOR / 1e6:.0f}MB")
    return size


def available() -> int:
    """Bytes this process could have: free memory, and the limits of its control groups."""
    return min([_free(), *_cgroup_room()])


def _free() -> int:
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    if hasattr(os, "sysconf"):  # macOS; untested
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return 4 << 30  # Windows without a way to ask; untested


def _cgroup_room() -> list[int]:
    """Limit minus use of each control group this process is in, versions 2 and 1."""
    rooms = []
    for folder, limit, used in _cgroup_folders():
        try:
            bound = (folder / limit).read_text().strip()
            if bound != "max" and int(bound) < 1 << 60:
                rooms.append(max(0, int(bound) - int((folder / used).read_text())))
        except (OSError, ValueError):
            continue
    return rooms


def _cgroup_folders(root: Path = Path("/sys/fs/cgroup"), own: Path = Path("/proc/self/cgroup")) -> list[tuple[Path, str, str]]:
    try:
        lines = own.read_text().splitlines()
    except OSError:
        return []
    folders = []
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            base, names = root, ("memory.max", "memory.current")
        elif "memory" in controllers.split(","):
            base, names = root / "memory", ("memory.limit_in_bytes", "memory.usage_in_bytes")
        else:
            continue
        inner = base / path.lstrip("/")
        folders += [(f, *names) for f in (inner, *inner.parents) if f == base or base in f.parents]
    return folders


def resident() -> int:
    """Bytes this process holds now."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return 150 << 20  # macOS and Windows: what an idle process was seen to hold; untested


@dataclass(frozen=True)
class Budget:
    total: int
    threads: int

    def room(self) -> int:
        """What is left for the work that starts now."""
        return self.total - resident() - SLACK

    def workers(self, need: int, what: str) -> int:
        """How many threads fit when each needs `need` bytes; fewer than asked, but at least one."""
        fit = self.room() // max(1, need)
        if fit < 1:
            least = resident() + SLACK + need
            raise MemoryTooSmall(f"--memory {self.total / 1e6:.0f}MB is too small for {what}; give at least {least * MARGIN / 1e6:.0f}MB")
        return int(min(fit, self.threads))


def give_back() -> None:
    """Hand freed memory back to the system between stages, where the C library can (glibc).

    Collected first: threads that have ended leave files in cycles, and pyarrow knows a good deal of each file.
    """
    gc.collect()
    if sys.platform == "linux":
        import ctypes

        import pyarrow as pa

        pa.default_memory_pool().release_unused()
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)


def steady_allocator() -> None:
    """Make large arrays come from and go back to the system at once (glibc), so that peaks are what is in use.

    For processes that are ours alone, the command line: a library does not change its host's allocator.
    """
    if sys.platform != "linux":
        return
    import ctypes

    import pyarrow as pa

    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mmap_threshold, arena_max = -3, -8
        mallopt(mmap_threshold, 256 << 10)
        mallopt(arena_max, 2)
    pa.set_memory_pool(pa.system_memory_pool())
