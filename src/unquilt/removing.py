"""How are pages taken out? Each capture gets a tombstone, and what it said is deleted; nothing made afterwards sees it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from unquilt import exporting
from unquilt.corpus.capture import CAPTURE, LINK, PAGE_DATE, REDIRECT, REVISIT, SKIPPED, TOMBSTONE
from unquilt.manifest import Held, Manifest, Segment
from unquilt.parquet import TableWriter, Written, batches_of
from unquilt.read.url import host_of, normalised
from unquilt.resolving import PREFIX
from unquilt.store import Store
from unquilt.table import Column, Table

if TYPE_CHECKING:
    import pyarrow as pa

    Rewrite: TypeAlias = Callable[[Table, pa.RecordBatch, list[int]], pa.RecordBatch]

ENTRIES = (SKIPPED, REDIRECT, REVISIT)
BESIDE = (LINK, PAGE_DATE)
PLACE = frozenset(("what", "reason", "file", "offset", "length"))
"""What stays of a removed page beside its number: where in the input it was, and why it was left out."""
NAMES = ("id", "url", "detail", "target", "of_url", "digest")
"""Columns of which a row that says something has one at least."""


@dataclass(frozen=True)
class Removed:
    """How many captures went, which of the names given were not found, and which tables were made again."""

    captures: int
    unknown: tuple[str, ...]
    made: tuple[str, ...] = ()


def remove(store: Store, urls: Iterable[str], hosts: Iterable[str]) -> Removed:
    """Take pages out for good; the caller holds the store's writer lock, makes results again, and sweeps.

    In one step of the manifest the captures get their tombstones, and their segments make way for ones in
    which the rows are blank: no id, URL, text or title. So are the entries about these records and URLs in
    `skipped`, `redirect` and `revisit`; links and dates of the pages are not there any more.
    The segments of before are deleted by the next sweep, which is when the text is gone from the disk. It is
    deleted, not overwritten; inputs, exports and copies of the study are not ours to reach.
    """
    manifest = store.read()
    wanted = _Wanted.of(urls, hosts)
    with store.workroom("remove") as room:
        captures = _erase(store, manifest, CAPTURE, wanted, room)
        wanted = replace(wanted, records=frozenset(captures.records))
        entries = {t: _erase(store, manifest, t, wanted, room) for t in ENTRIES}
        changed = {t.name: erasure.held for t, erasure in {CAPTURE: captures, **entries}.items() if erasure.numbers}
        if captures.numbers:
            changed |= {t.name: _dropped(store, manifest, t, captures.numbers, room) for t in BESIDE if t.name in manifest.tables}
            changed[TOMBSTONE.name] = _tombstones(store, manifest, captures.numbers, room)
        if changed:
            store.write(_without_kept(manifest).with_tables(changed))
    found = captures.found.union(*(e.found for e in entries.values()))
    return Removed(len(captures.numbers), wanted.unknown(found))


def _without_kept(manifest: Manifest) -> Manifest:
    """Copies of inputs hold what was removed too; the next sweep deletes them, whole."""
    return replace(manifest, inputs=tuple(replace(i, kept=None) for i in manifest.inputs))


@dataclass(frozen=True)
class _Wanted:
    """Names as they are stored, each with the name that was given; and records that go with others."""

    pages: Mapping[str | None, str]
    hosts: Mapping[str | None, str]
    records: frozenset[str] = frozenset()

    @classmethod
    def of(cls, urls: Iterable[str], hosts: Iterable[str]) -> _Wanted:
        pages: dict[str | None, str] = {name: url for url in urls for name in (normalised(url), url) if name is not None}
        return cls(pages, {h.lower().rstrip("."): h for h in hosts})

    def unknown(self, found: Iterable[str]) -> tuple[str, ...]:
        given = [*self.pages.values(), *self.hosts.values()]
        return tuple(dict.fromkeys(g for g in given if g not in set(found)))

    def named_by(self, row: Mapping[str, Any]) -> set[str]:
        """Which of the names given stand for this row: its id, its URL, its host, or its place in the input."""
        url = row["url"]
        host = row["host"] if "host" in row else host_of(url) if url else None
        names = [self.pages.get(n) for n in (row.get("id"), url, _record(row))]
        return {name for name in (*names, self.hosts.get(host)) if name is not None}


@dataclass
class _Erasure:
    """A table after it: as held, the keys of the rows that were blanked, their records, the names that were found."""

    held: Held
    numbers: list[int] = field(default_factory=list)
    records: set[str] = field(default_factory=set)
    found: set[str] = field(default_factory=set)

    def look(self, table: Table, path: Path, wanted: _Wanted) -> None:
        key = table.key[0]
        columns = [key, *(c for c in (*NAMES, "host", "file", "offset") if c in table.names)]
        for batch in batches_of(path, table.name, columns):
            for row in batch.to_pylist():
                names = wanted.named_by(row)
                self.found |= names
                if (names or _record(row) in wanted.records) and not _erased(row):
                    self.numbers.append(row[key])
                    self.records.add(_record(row))


def _record(row: Mapping[str, Any]) -> str:
    """The name every record has, like the id of a page that has no other."""
    return f"{row['file']}#{row['offset']}"


def _erased(row: Mapping[str, Any]) -> bool:
    return not any(row.get(c) for c in NAMES)


def _erase(store: Store, manifest: Manifest, table: Table, wanted: _Wanted, room: Path) -> _Erasure:
    erasure = _Erasure(manifest.tables.get(table.name, Held(table.version, "", ())))
    segments = []
    for segment in erasure.held.segments:
        before = len(erasure.numbers)
        for path in store.files_of(segment):
            erasure.look(table, path, wanted)
        hits = erasure.numbers[before:]
        segments.append(_rewritten(store, table, segment, hits, room, _blank) if hits else segment)
    erasure.held = replace(erasure.held, segments=tuple(segments))
    return erasure


def _dropped(store: Store, manifest: Manifest, table: Table, pages: list[int], room: Path) -> Held:
    """A table of pages without the rows of these."""
    held = manifest.tables[table.name]
    if not held.segments:
        return held
    ends = [*(s.base for s in held.segments[1:]), max(pages) + 1]
    segments = []
    for segment, end in zip(held.segments, ends, strict=True):
        hits = [p for p in pages if segment.base <= p < end]
        segments.append(_rewritten(store, table, segment, hits, room, _without) if hits else segment)
    return replace(held, segments=tuple(segments))


def _rewritten(store: Store, table: Table, segment: Segment, numbers: list[int], room: Path, rewrite: Rewrite) -> Segment:
    made = room / table.name / str(segment.base)
    batches = (rewrite(table, b, numbers) for path in store.files_of(segment) for b in batches_of(path, table.name))
    written = _written(made, table, batches)
    # Revisits that became captures are known by how the fingerprint begins, and stay known.
    before, digest = segment.fingerprint, hashlib.sha256((segment.fingerprint + written.digest).encode()).hexdigest()
    print_ = PREFIX + digest if before.startswith(PREFIX) else digest
    return store.place(table.name, made, [written], base=segment.base, fingerprint=print_)


def _blank(table: Table, batch: pa.RecordBatch, numbers: list[int]) -> pa.RecordBatch:
    import pyarrow as pa
    import pyarrow.compute as pc

    gone = _among(batch, numbers)
    columns = {
        c.name: pc.if_else(gone, pa.scalar(_nothing(c), array.type), array) if c.name not in PLACE and c.name != table.key[0] else array
        for c, array in zip(table.columns, batch.columns, strict=True)
    }
    return table.batch(**columns)


def _without(table: Table, batch: pa.RecordBatch, numbers: list[int]) -> pa.RecordBatch:
    import pyarrow.compute as pc

    return batch.filter(pc.invert(_among(batch, numbers)))


def _among(batch: pa.RecordBatch, numbers: list[int]) -> pa.Array:
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.is_in(batch.column(0), pa.array(numbers, pa.int64()))


def _nothing(column: Column) -> Any:
    if column.nullable:
        return None
    return {"string": "", "bool": False}.get(column.type, 0)


def _tombstones(store: Store, manifest: Manifest, numbers: list[int], room: Path) -> Held:
    before = exporting.whole(store, manifest, TOMBSTONE.name)["page"].to_pylist() if TOMBSTONE.name in manifest.tables else []
    made = room / TOMBSTONE.name
    written = _written(made, TOMBSTONE, [TOMBSTONE.batch(page=sorted({*before, *numbers}))])
    print_ = hashlib.sha256(written.digest.encode()).hexdigest()
    return Held(TOMBSTONE.version, print_, (store.place(TOMBSTONE.name, made, [written], base=0, fingerprint=print_),))


def _written(folder: Path, table: Table, batches: Iterable[pa.RecordBatch]) -> Written:
    folder.mkdir(parents=True)
    writer = TableWriter(folder / "part-00000.parquet", table)
    for batch in batches:
        writer.write(batch)
    return writer.close()
