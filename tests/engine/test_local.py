"""The embedded engine does what every engine has to do, with any number of threads and parts."""

from pathlib import Path

from conformance import *  # noqa: F403  the whole suite runs below
from conformance import configurations

from unquilt.engine.budget import SLACK, Budget, resident
from unquilt.engine.local import Local

PLENTY = 64 << 30


def _small(tmp: Path) -> Local:
    """Little more than what a query needs."""
    return Local(Budget(resident() + SLACK + (120 << 20), threads=2), tmp)


configuration = configurations(
    {
        "1 thread, 1 part": lambda tmp: Local(Budget(PLENTY, 1), bits=0),
        "1 thread, 8 parts": lambda tmp: Local(Budget(PLENTY, 1), tmp, bits=3),
        "1 thread, 64 parts": lambda tmp: Local(Budget(PLENTY, 1), bits=6),
        "2 threads, 1 part": lambda tmp: Local(Budget(PLENTY, 2), tmp, bits=0),
        "2 threads, 8 parts": lambda tmp: Local(Budget(PLENTY, 2), bits=3),
        "2 threads, 64 parts": lambda tmp: Local(Budget(PLENTY, 2), tmp, bits=6),
        "small memory": _small,
    }
)
