"""What is the least of an input that still breaks in the same way? Pieces are taken out, large ones first."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from pathlib import Path

SECONDS = 60.0

Target = Callable[[bytes], None]


def shrunk(target: Target, path: Path) -> Path:
    """A file beside it with the smaller input."""
    data = path.read_bytes()
    small = path.with_name(f"small-{path.name}")
    small.write_bytes(least(data, lambda one: broken(target, one), time.monotonic() + SECONDS))
    return small


def least(data: bytes, how: Callable[[bytes], str], until: float) -> bytes:
    wanted = how(data)
    size = len(data) // 2 if wanted else 0  # what is only slow is left as it is
    while size and time.monotonic() < until:
        at, taken = 0, False
        while at < len(data) and time.monotonic() < until:
            shorter = data[:at] + data[at + size :]
            if how(shorter) == wanted:
                data, taken = shorter, True
            else:
                at += size
        size = size if taken and size == 1 else size // 2
    return data


def broken(target: Target, data: bytes) -> str:
    """The kind of exception and the line of ours it came from; "" where there is none."""
    try:
        target(data)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
        lines = [f for f in traceback.extract_tb(error.__traceback__) if "unquilt" in f.filename or "fuzz" in f.filename]
        return f"{type(error).__name__} {lines[-1].filename}:{lines[-1].lineno}" if lines else type(error).__name__
    return ""
