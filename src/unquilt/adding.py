"""How do inputs become captures? Read in order, written in segments, each published as soon as it is whole.

So a killed `add` goes on at the segment it was in, and the numbers of captures depend on the input alone.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from unquilt.corpus.capture import CAPTURE
from unquilt.engine.budget import MARGIN
from unquilt.errors import InputError, MemoryTooSmall
from unquilt.extract.page import How
from unquilt.extract.pool import Pool
from unquilt.extract.rows import TABLES, Extracted, Work, counted_by, renumbered, size_of
from unquilt.manifest import Held, InputFile, Manifest
from unquilt.parquet import TableWriter, Written
from unquilt.read import Found, Reader
from unquilt.read.ending import marked
from unquilt.read.identity import identity
from unquilt.read.room import Room, TooDear
from unquilt.store import Store, writing
from unquilt.table import Table
from unquilt.watch import Watch

if TYPE_CHECKING:
    import pyarrow as pa

SEGMENT_BYTES = 256 << 20  # decoded bytes of captures after which a segment is closed
LOUD = 0.05
BATCH_FOUNDS = 500
BATCH_BYTES = 4 << 20
BODY_COST = 4  # times that the body of a response is held at once until the page in it is looked at
ARCHIVES = ("warc", "wacz")
ALONE = frozenset(("no text field", "no html field"))


@dataclass(frozen=True)
class Added:
    """What came of one input."""

    file: InputFile
    already: bool

    @property
    def loud(self) -> list[tuple[str, int]]:
        """Reasons for which so many of the records were left out that it must be said aloud, the most frequent first."""
        reasons = Counter(self.file.reasons) + Counter(self.file.others)
        return [(reason, n) for reason, n in sorted(reasons.items(), key=lambda r: (-r[1], r[0])) if n > LOUD * self.records]

    @property
    def records(self) -> int:
        """That are pages or should have been: without requests and what else a crawler notes."""
        return self.file.pages + self.file.skipped + sum(self.file.others.values())


@dataclass(frozen=True)
class Input:
    """One input as it is to be added: where it lies, what reads it, and what it is called from now on."""

    path: Path
    reader: Reader
    snapshot: str | None
    how: How
    name: str
    kept: str | None = None


def add(store: Store, one: Input, pool: Pool, watch: Watch) -> Added:
    """Add one input; the caller holds the store's writer lock."""
    manifest = store.read()
    file = _identified(one)
    file = replace(file, label=_label(manifest, file))
    known = next((f for f in manifest.inputs if f.same_as(file)), file)
    if known.complete:
        return Added(known, already=True)
    size, unit = one.reader.extent(one.path, file.bytes)
    with watch.stage(f"read {Path(one.name).name}", max(size - known.done, 0), unit), writing(store.folder):
        pieces = _readable(one, pool, pool.map(_works(one, known.label, known.done, pool.room)))
        more = True
        while more:
            with store.workroom("add") as room:
                segment = _Segment(store, room, known)
                try:
                    more = segment.fill(pieces, lambda piece, done: watch.advance(piece.end - done if size else piece.pages))
                    manifest, known = segment.publish(manifest)
                except BaseException:
                    segment.abandon()
                    raise
    return Added(known, already=False)


def _label(manifest: Manifest, file: InputFile) -> str:
    """What its captures say that they are from: its name, with a part of its digest where another input has that name."""
    taken = {f.label for f in manifest.inputs if f.sha256 != file.sha256}
    labels = (file.name, *(f"{file.name}@{file.sha256[:length]}" for length in (8, 64)))
    return next(label for label in labels if label not in taken)


def _works(one: Input, label: str, start: int, room: Room | None) -> Iterator[Work]:
    """What is read, in batches of bounded size that depend on the input alone. What was yielded is not kept."""
    batch: list[Found] = []
    size = 0
    limits = replace(one.how.limits, room=room)
    if room is not None:
        room.check(BODY_COST * limits.body_bytes, f"bodies of up to {limits.body_bytes:,} bytes (--max-body)")
    for found in marked(one.reader.read(one.path, start, limits), archives=one.reader.kind in ARCHIVES):
        batch.append(found)
        size += size_of(found)
        del found
        if len(batch) >= BATCH_FOUNDS or size >= BATCH_BYTES:
            yield Work(label, one.snapshot, one.how, _taken(batch))
            size = 0
    if batch:
        yield Work(label, one.snapshot, one.how, _taken(batch))


def _taken(batch: list[Found]) -> list[Found]:
    taken = batch[:]
    batch.clear()
    return taken


def _readable(one: Input, pool: Pool, pieces: Iterator[Extracted]) -> Iterator[Extracted]:
    """What goes wrong in reading is the input's fault, and must not be taken for one of the study."""
    try:
        yield from pieces
    except OSError as error:
        raise _unreadable(one.path, error) from error
    except TooDear as dear:
        assert pool.room is not None
        least = (pool.memory + dear.need - pool.room.whole) * MARGIN / 1e6
        raise MemoryTooSmall(
            f"--memory {pool.memory / 1e6:.0f}MB is too small for {dear.what} in `{one.name}`; give at least {least:.0f}MB"
        ) from None


@dataclass
class _Segment:
    """A stretch of one input on its way to becoming a segment of each table that rows are read into."""

    store: Store
    room: Path
    known: InputFile
    end: int = 0
    complete: bool = False
    skipped: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)
    html: int = 0
    lost: int = 0
    _stretches: dict[str, _Stretch] = field(default_factory=dict)

    def fill(self, pieces: Iterator[Extracted], advance: Callable[[Extracted, int], None]) -> bool:
        """Take pieces until the segment is full; says whether there may be more."""
        held = self.store.read().tables
        bases = {t.name: _next_base(held.get(t.name)) for t in TABLES}
        for table in TABLES:  # one after the other: those that are open are abandoned where the next cannot be
            self._stretches[table.name] = _Stretch(table, self.room, bases[counted_by(table).name])
        self.end = self.known.done
        for piece in pieces:
            self._take(piece)
            advance(piece, self.end)
            self.end = piece.end
            if self._stretches[CAPTURE.name].bytes >= SEGMENT_BYTES:
                return True
        self.complete = True
        return False

    def abandon(self) -> None:
        for stretch in self._stretches.values():
            stretch.abandon()

    def _take(self, piece: Extracted) -> None:
        grown = {t.name: piece.tables[counted_by(t).name].num_rows for t in TABLES}
        for name, stretch in self._stretches.items():
            stretch.add(piece.tables[name], grown[name])
        self.skipped += piece.skipped
        self.others += piece.others
        self.html += piece.html
        self.lost += piece.lost

    def publish(self, manifest: Manifest) -> tuple[Manifest, InputFile]:
        written = {name: stretch.close() for name, stretch in self._stretches.items()}
        pages = self.known.pages + written[CAPTURE.name].rows
        reasons = self.skipped + Counter(self.known.reasons)
        if self.complete and not pages and reasons and ALONE.issuperset(reasons):
            name = self.known.name
            raise InputError(f"`{name}` has no record with a text; name the field that holds it with --text-field or --html-field")
        known = replace(
            self.known,
            pages=pages,
            skipped=reasons.total(),
            reasons=dict(sorted(reasons.items())),
            others=dict(sorted((self.others + Counter(self.known.others)).items())),
            html=self.known.html + self.html,
            lost=self.known.lost + self.lost,
            done=self.end,
            complete=self.complete,
        )
        if known.complete and not known.html:  # given texts are in the study already
            known = replace(known, kept=None)
        made = [t for t in TABLES if written[t.name].rows or t.name not in manifest.tables]
        tables = {t.name: self._held(manifest, t, written[t.name]) for t in made}
        return self.store.write(manifest.with_tables(tables).with_input(known)), known

    def _held(self, manifest: Manifest, table: Table, written: Written) -> Held:
        before = manifest.tables.get(table.name, Held(table.version, "", ()))
        base = self._stretches[table.name].base
        print_ = _segment_fingerprint(self.known, base)
        segment = self.store.place(table.name, self.room / table.name, [written], base=base, fingerprint=print_)
        # A segment without rows only shows the table's schema; the first with rows takes its place.
        kept = tuple(s for s in before.segments if s.rows)
        return replace(before, segments=(*kept, segment))


class _Stretch:
    """Rows of one table, numbered from `base` on, while they are written to a file."""

    def __init__(self, table: Table, room: Path, base: int) -> None:
        self.base = self._next = base
        self.bytes = 0
        self._table = table
        (room / table.name).mkdir()
        self._writer = TableWriter(room / table.name / "part-00000.parquet", table)

    def add(self, batch: pa.RecordBatch, grown: int) -> None:
        self._writer.write(renumbered(self._table, batch, self._next))
        self._next += grown
        self.bytes += batch.nbytes

    def abandon(self) -> None:
        self._writer.abandon()

    def close(self) -> Written:
        return self._writer.close()


def _next_base(held: Held | None) -> int:
    return max((s.base + s.rows for s in held.segments), default=0) if held else 0


def _segment_fingerprint(file: InputFile, base: int) -> str:
    """Of the stretch of the file that begins where it was read up to before."""
    facts = [file.name, file.sha256, dict(file.reader), file.snapshot, file.done, base]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def _identified(one: Input) -> InputFile:
    try:
        size, digest = identity(one.path)
    except OSError as error:
        raise _unreadable(one.path, error) from error
    return InputFile(one.name, size, digest, {**one.reader.recipe(), **one.how.recipe()}, one.snapshot, kept=one.kept)


def _unreadable(path: Path, error: OSError) -> InputError:
    return InputError(f"`{path}` cannot be read ({error.strerror or error}); check the name and its permissions")
