"""Which reader reads a file? Decided by its name; the reader says what it needs to be called the same again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from unquilt.errors import UsageError
from unquilt.read import jsonl, table_file
from unquilt.read.record import Fields, Found, Limits

VERSION = 1


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


def reader_for(path: Path, fields: Fields) -> Reader:
    name = path.name.lower()
    for ending, call in KINDS.items():
        if name.endswith(ending):
            return Reader(ending.lstrip("."), fields, call)
    raise UsageError(f"`{path}` is of no kind that is read; give a file that ends in one of {', '.join(KINDS)}")
