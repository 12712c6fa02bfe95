"""How is a stretch of a file read as if it were a file of its own? A record an index points to, an archive stored in a zip."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

PIECE = 64 << 10


@dataclass(frozen=True)
class Part:
    """`size` bytes of the file at `path`, from `begin` on; `name` is what they are called."""

    path: Path
    begin: int
    size: int
    name: str

    def __str__(self) -> str:
        return self.name

    def is_file(self) -> bool:
        return self.path.is_file()

    @property
    def suffixes(self) -> list[str]:
        return Path(self.name).suffixes


def opened_part(what: Path | Part, buffer: int = PIECE) -> IO[bytes]:
    """For reading and seeking; a file is a part of its own."""
    return io.BufferedReader(_Window(what), buffer) if isinstance(what, Part) else open(what, "rb", buffering=buffer)


class _Window(io.RawIOBase):
    def __init__(self, part: Part) -> None:
        self._part = part
        self._at = 0
        self._file = open(part.path, "rb", buffering=0)  # noqa: SIM115 - closed with the window

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        room = min(len(buffer), max(self._part.size - self._at, 0))
        self._file.seek(self._part.begin + self._at)
        read = self._file.readinto(memoryview(buffer)[:room]) or 0
        self._at += read
        return read

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._part.size}[whence]
        self._at = max(base + offset, 0)
        return self._at

    def tell(self) -> int:
        return self._at

    def close(self) -> None:
        self._file.close()
        super().close()
