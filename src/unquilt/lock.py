"""Who writes to a study? One process at a time: a lock of the operating system, with its holder's name in the file.

The lock goes away with its process, so a stale file never locks anybody out; the name in it is only read
when the lock is held.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from unquilt.errors import NotWritable, StudyLocked

FILE = "lock"
TRIES, PAUSE = 5, 0.1  # seconds


@contextmanager
def held(folder: Path) -> Iterator[None]:
    path = folder / FILE
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise NotWritable(f"{folder} cannot be written ({error.strerror}); give it write permission or copy the study") from error
    try:
        if not _taken(folder, handle):
            raise StudyLocked(f"{folder} is being written by {_holder(handle)}; wait for it to end, or stop it")
        _sign(handle)
        yield
        _unsign(handle)
    finally:
        os.close(handle)  # closing gives the lock back


def _taken(folder: Path, handle: int) -> bool:
    """Tried for a moment: another may only make the study, or has not signed yet."""
    try:
        for attempt in range(TRIES):
            if attempt:
                time.sleep(PAUSE)
            if _take(handle):
                return True
    except OSError as error:
        raise NotWritable(f"{folder} cannot be locked ({error.strerror}); use a file system that has locks") from error
    return False


def _sign(handle: int) -> None:
    """On a full disk the lock stays without a name, and is a lock still."""
    command = " ".join(Path(sys.argv[0]).name if i == 0 else a for i, a in enumerate(sys.argv))
    facts = {"pid": os.getpid(), "host": socket.gethostname(), "command": command[:500]}
    with suppress(OSError):
        os.ftruncate(handle, 0)
        os.lseek(handle, 0, os.SEEK_SET)
        os.write(handle, json.dumps(facts).encode())


def _unsign(handle: int) -> None:
    """A command may name what it removes, and that must not stay."""
    with suppress(OSError):
        os.ftruncate(handle, 0)


def _holder(handle: int) -> str:
    try:
        os.lseek(handle, 0, os.SEEK_SET)
        facts = json.loads(os.read(handle, 4096))
        return f"process {facts['pid']} on {facts['host']} (`{facts['command']}`)"
    except (ValueError, KeyError, TypeError):
        return "another process"


if sys.platform == "win32":  # untested: no Windows machine runs the suite
    import msvcrt

    BEHIND = 1 << 30  # a locked byte cannot be read there, and the holder's name is to be

    def _take(handle: int) -> bool:
        try:
            os.lseek(handle, BEHIND, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _take(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
