"""What will a step need before it is run? Rows to read and bytes of disk, from what the manifest knows of its input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from unquilt.manifest import Manifest
from unquilt.running import NOTHING, Planned
from unquilt.step import MapReduce, Step


def sized(planned: Sequence[Planned], steps: Sequence[Step], manifest: Manifest) -> list[Planned]:
    step_of = {tuple(t.name for t in s.tables): s for s in steps}
    made = {t for p in planned if p.action == "make" for t in p.tables}
    return [replace(p, rows=_rows(p, step_of[p.tables], manifest, made), spill=_spill(p, step_of[p.tables], manifest)) for p in planned]


def _rows(p: Planned, step: Step, manifest: Manifest, made: set[str]) -> int | None:
    if p.action != "make":
        return 0
    if isinstance(step, MapReduce) and step.input.name not in made:
        segments = manifest.tables.get(step.input.name, NOTHING).segments
        return sum(s.rows for s in (segments[-p.segments :] if step.plain else segments))
    if any(t.name in made for t in step.reads):
        return None  # who can say how many there will be
    return sum(manifest.tables.get(t.name, NOTHING).rows for t in step.reads)


def _spill(p: Planned, step: Step, manifest: Manifest) -> int:
    """The blocks of the first exchange, and of those that wait beside them in the next."""
    if p.action != "make" or not isinstance(step, MapReduce):
        return 0
    blocks = manifest.tables.get(step.input.name, NOTHING).decoded * step.map.spill
    return int(blocks * (1 + sum(r.spill for r in step.reduces)))
