"""How much memory does some work need? Done in a process of its own, for what the operating system says of this one is the past."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

# ru_maxrss is handed down: a child that was started by a large process is said to have been as large.
PEAK = """
import resource, sys

def peak():
    try:
        with open("/proc/self/status") as file:
            return next(int(line.split()[1]) // 1024 for line in file if line.startswith("VmHWM"))
    except FileNotFoundError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1 << 20 if sys.platform == "darwin" else 1 << 10)
"""


def said(code: str, *arguments: str | Path) -> str:
    """What the code prints; in it `peak()` are the most megabytes the process has held so far."""
    done = subprocess.run([sys.executable, "-c", PEAK + code, *arguments], capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    return done.stdout
