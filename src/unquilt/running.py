"""What has to be made, and in which order? A step is made when what it was made from, or how, has changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from unquilt.engine import Engine, Source, View
from unquilt.manifest import Held, Manifest, Segment
from unquilt.step import MapReduce, Step, fingerprint
from unquilt.store import Store
from unquilt.table import Table
from unquilt.watch import Watch

NOTHING = Held(0, "", ())


@dataclass(frozen=True)
class Planned:
    """What would happen to a step's tables: `make` or `reuse`, how much of it, and why."""

    tables: tuple[str, ...]
    action: str
    reason: str
    segments: int = 1
    rows: int | None = None
    """Rows it will read; None where they are not made yet."""
    spill: int = 0
    """Bytes of disk it will take while it runs, about."""


def plan(store: Store, steps: Sequence[Step]) -> list[Planned]:
    manifest = store.read()
    planned: list[Planned] = []
    making: set[str] = set()
    for step in _once(steps):
        one = _planned(store, manifest, step, making)
        if one.action == "make":
            making.update(one.tables)
        planned.append(one)
    return planned


def run(store: Store, engine: Engine, steps: Sequence[Step], watch: Watch) -> list[str]:
    """Make what is missing; the caller holds the store's writer lock. Gives the names of the tables made."""
    made = []
    foresee(store, engine, steps)
    for step in _once(steps):
        manifest = store.read()
        if isinstance(step, MapReduce) and step.plain:
            made += _run_plain(store, engine, step, manifest, watch)
        elif not _fresh(store, manifest, step):
            _run_whole(store, engine, step, manifest, watch)
            made += [t.name for t in step.tables]
        else:
            watch.detail(f"{step.name}: nothing has changed")
    return made


def foresee(store: Store, engine: Engine, steps: Sequence[Step]) -> None:
    """Raise where it is known before the first of the steps that there is too little memory for one of them."""
    manifest = store.read()
    engine.foresee([(s, views_of(store, manifest, s)) for s in _once(steps)])


def _once(steps: Sequence[Step]) -> list[Step]:
    return list({s.name: s for s in steps}.values())


def _planned(store: Store, manifest: Manifest, step: Step, making: set[str]) -> Planned:
    tables = tuple(t.name for t in step.tables)
    if isinstance(step, MapReduce) and step.plain:
        missing = [s for s in _held(manifest, step.input).segments if _segment_of(store, manifest, step, s) is None]
        if not missing:
            return Planned(tables, "reuse", "made for every segment of " + step.input.name, 0)
        return Planned(tables, "make", f"{len(missing)} segments of {step.input.name} are new", len(missing))
    if all(t in manifest.tables for t in tables) and not all(_intact(store, manifest.tables[t]) for t in tables):
        return Planned(tables, "make", "files are missing or of another size")
    again = sorted({t.name for t in step.reads} & making)
    if again:
        return Planned(tables, "make", f"{', '.join(again)} may change" if _known(manifest, tables) else "not made yet")
    if _fresh(store, manifest, step):
        return Planned(tables, "reuse", "made from the same input with the same parameters")
    return Planned(tables, "make", "input or parameters changed" if _known(manifest, tables) else "not made yet")


def _known(manifest: Manifest, tables: Sequence[str]) -> bool:
    return all(t in manifest.tables for t in tables)


def _fresh(store: Store, manifest: Manifest, step: Step) -> bool:
    print_ = _fingerprint(manifest, step)
    held = [manifest.tables.get(t.name) for t in step.tables]
    return all(h is not None and h.fingerprint == print_ and _intact(store, h) for h in held)


def _fingerprint(manifest: Manifest, step: Step) -> str:
    return fingerprint(step, {t.name: _held(manifest, t).identity for t in step.reads})


def _intact(store: Store, held: Held) -> bool:
    """Files are there and have their sizes; what is in them is checked by reading (checksums)."""
    return all(_segment_intact(store, s) for s in held.segments)


def _segment_intact(store: Store, segment: Segment) -> bool:
    folder = store.folder / "tables" / segment.folder
    try:
        return all((folder / f.file).stat().st_size == f.bytes for f in segment.files)
    except OSError:
        return False


def _held(manifest: Manifest, table: Table) -> Held:
    return manifest.tables.get(table.name, NOTHING)


def view_of(store: Store, manifest: Manifest, table: Table, only: Segment | None = None) -> View:
    """A table as an engine sees it; a table that was never published has no rows."""
    segments = [only] if only is not None else _held(manifest, table).segments
    return View(table, tuple(_source(store.folder, s) for s in segments))


def views_of(store: Store, manifest: Manifest, step: Step) -> dict[str, View]:
    return {t.name: view_of(store, manifest, t) for t in step.reads}


def _source(folder: Path, s: Segment) -> Source:
    files = tuple(folder / "tables" / s.folder / f.file for f in s.files)
    return Source(files, sum(f.decoded for f in s.files), max((f.group_bytes for f in s.files), default=0), s.rows)


def _run_whole(store: Store, engine: Engine, step: Step, manifest: Manifest, watch: Watch) -> None:
    print_ = _fingerprint(manifest, step)
    with store.workroom(step.name) as room:
        written = engine.run(step, views_of(store, manifest, step), room, watch)
        held = {
            t.name: Held(t.version, print_, (store.place(t.name, room / t.name, written[t.name], base=0, fingerprint=print_),))
            for t in step.tables
        }
        store.write(manifest.with_tables(held))


def _run_plain(store: Store, engine: Engine, step: MapReduce, manifest: Manifest, watch: Watch) -> list[str]:
    """One segment of output for each segment of input; those that are there are kept, others go."""
    made = False
    kept: list[Segment] = []
    for segment in _held(manifest, step.input).segments:
        one = _segment_of(store, manifest, step, segment)
        if one is None:
            one = _run_segment(store, engine, step, manifest, segment, watch)
            made = True
        kept.append(one)
        manifest = _keep(store, manifest, step, kept) if made else manifest
    if not made and tuple(kept) != _held(manifest, step.tables[0]).segments:
        _keep(store, manifest, step, kept)
    return [step.name] if made else []


def _run_segment(store: Store, engine: Engine, step: MapReduce, manifest: Manifest, segment: Segment, watch: Watch) -> Segment:
    (table,) = step.tables  # a plain map makes one table: its segments mirror those of its input
    with store.workroom(step.name) as room:
        views = views_of(store, manifest, step)
        written = engine.run(step, {**views, step.input.name: view_of(store, manifest, step.input, segment)}, room, watch)
        print_ = _segment_print(manifest, step, segment)
        return store.place(table.name, room / table.name, written[table.name], base=segment.base, fingerprint=print_)


def _keep(store: Store, manifest: Manifest, step: MapReduce, kept: Sequence[Segment]) -> Manifest:
    (table,) = step.tables
    before = _held(manifest, table)
    later = tuple(s for s in before.segments if s.base not in {k.base for k in kept} and kept and s.base > kept[-1].base)
    return store.write(manifest.with_tables({table.name: replace(before, version=table.version, segments=(*kept, *later))}))


def _segment_of(store: Store, manifest: Manifest, step: MapReduce, segment: Segment) -> Segment | None:
    print_ = _segment_print(manifest, step, segment)
    found = (s for s in _held(manifest, step.tables[0]).segments if s.fingerprint == print_)
    return next((s for s in found if _segment_intact(store, s)), None)


def _segment_print(manifest: Manifest, step: MapReduce, segment: Segment) -> str:
    """A plain map's output for one segment depends on that segment alone, and on what it sees beside it."""
    beside = {t.name: _held(manifest, t).identity for t, _ in step.beside}
    return fingerprint(step, {**beside, step.input.name: f"{segment.base}:{segment.rows}:{segment.digest}"})
