"""How do files become captures? Read in order, written in segments, each published as soon as it is whole.

So a killed `add` goes on at the segment it was in, and the numbers of captures depend on the input alone.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from unquilt.corpus.capture import CAPTURE, SKIPPED, same_key
from unquilt.errors import InputError
from unquilt.manifest import Held, InputFile, Manifest
from unquilt.parquet import TableWriter, Written
from unquilt.read import Found, Reader, Record, Skip
from unquilt.read.url import host_of
from unquilt.store import Store, writing
from unquilt.table import Table
from unquilt.watch import Watch

SEGMENT_BYTES = 256 << 20  # decoded bytes of captures after which a segment is closed
BATCH_ROWS = 1000
BATCH_BYTES = 4 << 20
NO_TEXT = "no text field"


@dataclass(frozen=True)
class Added:
    """What came of one input file."""

    file: InputFile
    already: bool


def add(store: Store, path: Path, reader: Reader, snapshot: str | None, watch: Watch, name: str | None = None) -> Added:
    """Add one file, under another name where one is given; the caller holds the store's writer lock."""
    manifest = store.read()
    file = _identified(path, reader, snapshot, name)
    known = next((f for f in manifest.inputs if f.same_as(file)), file)
    if known.complete:
        return Added(known, already=True)
    with watch.stage(f"read {path.name}", file.bytes, "bytes"), writing(store.folder):
        for adding in _segments(store, path, reader, known, watch):
            manifest, known = adding.publish(manifest)
    return Added(known, already=False)


def _segments(store: Store, path: Path, reader: Reader, known: InputFile, watch: Watch) -> Iterator[_Segment]:
    founds = _readable(path, reader.read(path, known.done))
    at = known.done
    while True:
        with store.workroom("add") as room:
            segment = _Segment(store, room, known, at)
            more = segment.fill(founds, watch)
            yield segment
            known, at = segment.known, segment.end
        if not more:
            return


def _readable(path: Path, founds: Iterator[Found]) -> Iterator[Found]:
    """What goes wrong in reading is the input's fault, and must not be taken for one of the study."""
    try:
        yield from founds
    except OSError as error:
        raise _unreadable(path, error) from error


@dataclass
class _Segment:
    """A stretch of one input file on its way to becoming a segment of `capture`, and one of `skipped`."""

    store: Store
    room: Path
    known: InputFile
    start: int
    end: int = 0
    complete: bool = False
    _captures: _Columns = field(default_factory=lambda: _Columns(CAPTURE))
    _skips: _Columns = field(default_factory=lambda: _Columns(SKIPPED))
    _reasons: set[str] = field(default_factory=set)

    def fill(self, founds: Iterator[Found], watch: Watch) -> bool:
        """Take founds until the segment is full; says whether there may be more."""
        tables = self.store.read().tables
        self._captures.open(self.room, _next_base(tables.get(CAPTURE.name)))
        self._skips.open(self.room, _next_base(tables.get(SKIPPED.name)))
        self.end = self.start
        for found in founds:
            self._take(found)
            self.end = found.offset + found.length
            watch.advance(found.length if self.known.bytes > 1 else 0)
            if self._captures.bytes >= SEGMENT_BYTES:
                return True
        self.complete = True
        return False

    def _take(self, found: Found) -> None:
        if found.record is not None:
            self._captures.add(_capture_row(found, found.record, self.known))
        for skip in found.skips:
            self._reasons.add(skip.reason)
            self._skips.add(_skip_row(found, skip, self.known))

    def publish(self, manifest: Manifest) -> tuple[Manifest, InputFile]:
        captures, skips = self._captures.close(), self._skips.close()
        if self.complete and self.known.pages + captures.rows == 0 and self._reasons == {NO_TEXT}:
            raise InputError(f"`{self.known.name}` has no record with a text; name the field that holds it with --text-field")
        known = replace(
            self.known,
            pages=self.known.pages + captures.rows,
            skipped=self.known.skipped + self._skips.records,
            done=self.end,
            complete=self.complete,
        )
        made = {CAPTURE: (captures, self._captures.base), SKIPPED: (skips, self._skips.base)}
        tables = {t.name: self._held(manifest, t, *one) for t, one in made.items() if one[0].rows or t.name not in manifest.tables}
        manifest = self.store.write(manifest.with_tables(tables).with_input(known))
        self.known = known
        return manifest, known

    def _held(self, manifest: Manifest, table: Table, written: Written, base: int) -> Held:
        before = manifest.tables.get(table.name, Held(table.version, "", ()))
        print_ = _segment_fingerprint(self.known, self.start, base)
        segment = self.store.place(table.name, self.room / table.name, [written], base=base, fingerprint=print_)
        # A segment without rows only shows the table's schema; the first with rows takes its place.
        kept = tuple(s for s in before.segments if s.rows)
        return replace(before, segments=(*kept, segment))


class _Columns:
    """Rows gathered to batches of one table's columns, with numbers from `base` on."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.bytes = 0
        self.records = 0

    def open(self, room: Path, base: int) -> None:
        self.base = self._next = base
        (room / self._table.name).mkdir()
        self._writer = TableWriter(room / self._table.name / "part-00000.parquet", self._table)
        self._rows: list[tuple[Any, ...]] = []
        self._waiting = 0

    def add(self, row: tuple[Any, ...]) -> None:
        self._rows.append((self._next, *row))
        self._next += 1
        self.records += row[0] == "record"
        size = sum(len(v) for v in row if isinstance(v, str))
        self.bytes += size
        self._waiting += size
        if len(self._rows) >= BATCH_ROWS or self._waiting >= BATCH_BYTES:
            self._flush()

    def _flush(self) -> None:
        columns = zip(*self._rows, strict=True) if self._rows else ([] for _ in self._table.columns)
        self._writer.write(self._table.batch(**dict(zip(self._table.names, map(list, columns), strict=True))))
        self._rows, self._waiting = [], 0

    def close(self) -> Written:
        self._flush()
        return self._writer.close()


def _capture_row(found: Found, r: Record, file: InputFile) -> tuple[Any, ...]:
    id_ = r.given_id or r.url or f"{file.name}#{found.offset}"
    host = host_of(r.url) if r.url else None
    origin = (file.name, found.offset, found.length)
    same = same_key(r.url, id_)
    return (id_, r.url, host, same, r.fetched_at, r.published_at, r.language, r.title, r.text, file.snapshot, *origin)


def _skip_row(found: Found, s: Skip, file: InputFile) -> tuple[Any, ...]:
    return (s.what, file.name, found.offset, s.url, s.reason, s.detail)


def _next_base(held: Held | None) -> int:
    return max((s.base + s.rows for s in held.segments), default=0) if held else 0


def _segment_fingerprint(file: InputFile, start: int, base: int) -> str:
    facts = [file.name, file.sha256, dict(file.reader), file.snapshot, start, base]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def _identified(path: Path, reader: Reader, snapshot: str | None, name: str | None) -> InputFile:
    whole = hashlib.sha256()
    size = 0
    try:
        with open(path, "rb") as file:
            while piece := file.read(1 << 20):
                whole.update(piece)
                size += len(piece)
    except OSError as error:
        raise _unreadable(path, error) from error
    return InputFile(name or _printable(path), size, whole.hexdigest(), reader.recipe(), snapshot)


def _unreadable(path: Path, error: OSError) -> InputError:
    return InputError(f"`{path}` cannot be read ({error.strerror or error}); check the name and its permissions")


def _printable(path: Path) -> str:
    """A file's name as text, whatever bytes it is made of."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")
