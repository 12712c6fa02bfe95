"""A process that makes rows of what another process reads: work comes in on stdin, rows go out on stdout."""

from __future__ import annotations

import os
import pickle
import signal
import struct
import sys
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from unquilt.extract.rows import Extracted, Work

LENGTH = struct.Struct("<Q")


def send(file: IO[bytes], what: Any) -> None:
    data = pickle.dumps(what, protocol=5)
    file.write(LENGTH.pack(len(data)))
    file.write(data)
    file.flush()


def receive(file: IO[bytes]) -> Any:
    """What the other side sent; EOFError when it is gone."""
    head = _exactly(file, LENGTH.size)
    return pickle.loads(_exactly(file, LENGTH.unpack(head)[0]))  # noqa: S301 - from our own process alone


def _exactly(file: IO[bytes], size: int) -> bytes:
    data = file.read(size)
    if len(data) < size:
        raise EOFError
    return data


def main() -> None:
    # Ctrl-C is the other process's to hear; when that ends, however it ends, so does this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from unquilt.engine.budget import steady_allocator

    steady_allocator()
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing a library prints may come between the rows
    while True:
        try:
            send(out, _answer(receive(sys.stdin.buffer)))
        except (EOFError, BrokenPipeError):
            return


def _answer(work: Work) -> Extracted | None:
    """None: there is no room for it in this process."""
    from unquilt.extract.rows import extracted
    from unquilt.read.room import TooDear

    try:
        return extracted(work)
    except TooDear:
        return None
