"""Were tables made of what the study holds now? What `plan` would make again was not, and mostly because files were added since."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from unquilt.catalogue import METHODS, method_named
from unquilt.corpus import current
from unquilt.corpus.capture import CAPTURE
from unquilt.corpus.current import CURRENT
from unquilt.manifest import Manifest
from unquilt.method import Method
from unquilt.pages import PAGES
from unquilt.resolving import PREFIX
from unquilt.running import NOTHING, Planned, plan
from unquilt.step import fingerprint
from unquilt.store import Store

GONE = "files are missing or of another size"
"""Not stale but damaged, which is told where they are read."""
FURTHEST = 200
"""Segments of captures to go back in search of what a table was made of."""


@dataclass(frozen=True)
class Stale:
    """`tables` are not what `method` would make now: because of `files` that were added since, or for another `reason`."""

    tables: tuple[str, ...]
    method: str
    files: int
    reason: str

    def sentence(self, folder: str) -> str:
        names = ", ".join(f"`{t}`" for t in self.tables)
        were, command = "was" if len(self.tables) == 1 else "were", f"`unquilt run {shlex.quote(folder)} {self.method}`"
        if not self.files:
            return f"{names} {were} not made of what the study holds now ({self.reason}); {command} makes {_it(self.tables)} again"
        many = "1 file was" if self.files == 1 else f"{self.files:,} files were"
        return f"{names} {were} made before {many} added; {command} makes {_it(self.tables)} again"


def _it(tables: Sequence[str]) -> str:
    return "it" if len(tables) == 1 else "them"


def of_tables(store: Store, manifest: Manifest, names: Iterable[str]) -> Iterator[Stale]:
    """Which of these tables are stale, by the method that makes them."""
    left = {CURRENT.name if n == PAGES.name else n: n for n in names}
    for method in _methods(manifest):
        mine = {t.name: left.pop(t.name) for step in method.steps() for t in step.tables if t.name in left}
        stale = of_method(store, manifest, method, mine) if mine else None
        if stale is not None:
            yield replace(stale, tables=tuple(mine[t] for t in stale.tables))


def of_method(store: Store, manifest: Manifest, method: Method, names: Iterable[str]) -> Stale | None:
    """Of these tables of a method, those that it would make anew."""
    again = {t: p for p in plan(store, method.steps()) if p.action == "make" and p.reason != GONE for t in p.tables}
    tables = tuple(n for n in names if n in again and n in manifest.tables)
    if not tables:
        return None
    return Stale(tables, method.name, _files_since(manifest), _reason(again.values()))


def _reason(again: Iterable[Planned]) -> str:
    """The first step is the one that has changed; the others follow from it."""
    return next(iter(again)).reason


def _methods(manifest: Manifest) -> list[Method]:
    """As they were run, then as they would be."""
    run = [method_named(r.method).of(r.params) for r in manifest.runs if r.method in {m.name for m in METHODS}]
    return [*run, *(m() for m in METHODS if m.name not in {r.name for r in run})]


def _files_since(manifest: Manifest) -> int:
    """How many files were added since the hosts of captures were counted, which every method begins with; 0: not known."""
    first, *_ = current.steps()
    held, captures = manifest.tables.get(first.name), manifest.tables.get(CAPTURE.name, NOTHING)
    if held is None:
        return 0
    others = {t.name: manifest.tables.get(t.name, NOTHING).identity for t in first.reads}
    for since in range(1, min(len(captures.segments), FURTHEST) + 1):
        before = replace(captures, segments=captures.segments[:-since])
        if fingerprint(first, {**others, CAPTURE.name: before.identity}) == held.fingerprint:
            rows = sum(s.rows for s in captures.segments[-since:] if not s.fingerprint.startswith(PREFIX))
            return _last_files(manifest, rows)
    return 0


def _last_files(manifest: Manifest, captures: int) -> int:
    files = 0
    for one in reversed(manifest.inputs):
        if captures > 0 and one.pages:
            captures -= one.pages
            files += 1
    return files
