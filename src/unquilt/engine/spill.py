"""Where do blocks wait? In one file a part; each block behind a header that says which batch it came from."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unquilt.store import writing

HEADER = 4  # int64 words: segment, batch, place among the blocks of the batch, bytes
BUFFER = 4 << 20
MOST_PIECES = 1000  # of one writev
OPEN_FILES = 600
BINARY = getattr(os, "O_BINARY", 0)  # Windows would turn line feeds into two bytes; untested


class Spill:
    """Blocks of one exchange. Many threads add; each part is read once, and its file goes with the reading."""

    def __init__(self, folder: Path, bits: int) -> None:
        folder.mkdir(parents=True)
        self.bits = bits
        self.written = 0
        self._folder = folder
        self._waiting: dict[int, list[NDArray[np.uint8]]] = {}
        self._bytes = 0
        self._lock = threading.Lock()
        self._handles: dict[int, int] = {}

    def add(self, part: int, segment: int, batch: int, place: int, data: NDArray[Any]) -> None:
        if not 0 <= part < 1 << self.bits:
            raise ValueError(f"a block for part {part} of {1 << self.bits}")
        if not data.nbytes:
            return
        header = np.array([segment, batch, place, data.nbytes], np.int64).view(np.uint8)
        body = np.ascontiguousarray(data).view(np.uint8)
        padding = np.zeros(-data.nbytes % 8, np.uint8)  # so that every block starts aligned
        with self._lock:
            self._waiting.setdefault(part, []).extend((header, body, padding))
            self._bytes += body.nbytes + header.nbytes + padding.nbytes
            if self._bytes >= BUFFER:
                self._flush()

    def finish(self) -> None:
        with self._lock:
            self._flush()
            self._close()

    def _flush(self) -> None:
        """Under the lock: while one thread writes, the others hold back what they would add, so memory is bounded."""
        with writing(self._folder):
            for part, pieces in sorted(self._waiting.items()):
                handle = self._handle(part)
                for start in range(0, len(pieces), MOST_PIECES):
                    _write_all(handle, pieces[start : start + MOST_PIECES])
                if len(self._handles) > OPEN_FILES:
                    self._close()
        self.written += self._bytes
        self._waiting, self._bytes = {}, 0

    def _handle(self, part: int) -> int:
        if part not in self._handles:
            self._handles[part] = os.open(self._path(part), os.O_WRONLY | os.O_CREAT | os.O_APPEND | BINARY, 0o600)
        return self._handles[part]

    def _close(self) -> None:
        for handle in self._handles.values():
            os.close(handle)
        self._handles = {}

    def _path(self, part: int) -> Path:
        return self._folder / f"{part:05d}.blocks"

    def size(self, part: int) -> int:
        try:
            return self._path(part).stat().st_size
        except FileNotFoundError:
            return 0

    def remove(self) -> None:
        """Whatever is left of it goes: after the last part, or after a failure."""
        with self._lock:
            self._waiting, self._bytes = {}, 0
            self._close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def take(self, part: int) -> list[NDArray[np.uint8]]:
        """The part's blocks in the order of (segment, batch), never in that of arrival; the file is removed."""
        path = self._path(part)
        if not path.exists():
            return []
        whole = np.fromfile(path, np.uint8)
        path.unlink()
        return [block for _, _, _, block in sorted(_blocks(whole), key=lambda b: b[:3])]


def _write_all(handle: int, pieces: list[NDArray[np.uint8]]) -> None:
    done = os.writev(handle, [p.data for p in pieces]) if hasattr(os, "writev") else 0  # Windows has none; untested
    if done < sum(p.nbytes for p in pieces):
        # A full disk takes less than all before it fails: go on in plain steps, and let it say so.
        rest = np.concatenate(pieces).data[done:]
        while rest:
            rest = rest[os.write(handle, rest) :]


def _blocks(whole: NDArray[np.uint8]) -> list[tuple[int, int, int, NDArray[np.uint8]]]:
    found, at = [], 0
    while at < len(whole):
        segment, batch, place, size = whole[at : at + 8 * HEADER].view(np.int64).tolist()
        start = at + 8 * HEADER
        found.append((segment, batch, place, whole[start : start + size]))
        at = start + size + -size % 8
    return found
