"""Which reader reads a file? Decided by its name; the reader says what it needs to be called the same again."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from unquilt.errors import InputError, UsageError
from unquilt.read import jsonl, table_file
from unquilt.read.record import Fields, Found, Limits

VERSION = 1
STDIN = "-"


@dataclass(frozen=True)
class Reader:
    """`read(path, start)` yields what is found from `start` on, where `start` is 0 or the end of an earlier `Found`."""

    kind: str
    fields: Fields
    call: Callable[[Path, int, Fields, Limits], Iterator[Found]]

    def read(self, path: Path, start: int) -> Iterator[Found]:
        return self.call(path, start, self.fields, Limits())

    def recipe(self) -> dict[str, Any]:
        return {"kind": self.kind, "version": VERSION, "fields": asdict(self.fields)}


KINDS: dict[str, Callable[[Path, int, Fields, Limits], Iterator[Found]]] = {
    ".jsonl": jsonl.read,
    ".ndjson": jsonl.read,
    ".jsonl.gz": jsonl.read,
    ".ndjson.gz": jsonl.read,
    ".parquet": table_file.read,
}


def readers_for(inputs: Sequence[str | Path], fields: Fields) -> list[tuple[Path, Reader]]:
    """A reader for each input. Whatever can be said against one is said before the first of them is read."""
    return [(Path(i), reader_for(Path(i), fields)) for i in inputs]


def reader_for(path: Path, fields: Fields) -> Reader:
    if str(path) == STDIN:
        return Reader("jsonl", fields, jsonl.read)
    if path.is_dir():
        raise UsageError(f"`{path}` is a folder; name the files in it, like {path / '*.jsonl'}")
    kind = next((k for k in KINDS if path.name.lower().endswith(k)), None)
    if kind is None:
        raise UsageError(f"`{path}` is of no kind that is read; give a file that ends in one of {', '.join(KINDS)}")
    if not os.access(path, os.R_OK):
        why = "its permissions forbid it" if path.exists() else "there is no such file"
        raise InputError(f"`{path}` cannot be read ({why}); check the name and its permissions")
    return Reader(kind.lstrip("."), fields, KINDS[kind])
