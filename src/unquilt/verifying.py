"""Is every published table still what was published? Each is read whole and its digest compared."""

from __future__ import annotations

from unquilt.catalogue import TABLES
from unquilt.digest import Digest
from unquilt.errors import DamagedTable
from unquilt.manifest import Manifest, Segment
from unquilt.parquet import batches_of
from unquilt.store import Store


def verify(store: Store, manifest: Manifest) -> list[str]:
    return [
        problem
        for name, held in sorted(manifest.tables.items())
        for segment in held.segments
        if (problem := _problem(store, name, segment)) is not None
    ]


def _problem(store: Store, name: str, segment: Segment) -> str | None:
    if name not in TABLES:
        return f"table {name} is not one of this version; install the one that made it"
    table = TABLES[name]
    digest = Digest(table)
    try:
        for file in segment.files:
            for batch in batches_of(store.folder / "tables" / segment.folder / file.file, name):
                digest.update(table.conform(batch))
    except (DamagedTable, ValueError, KeyError) as error:
        return str(error)
    if digest.hexdigest() != segment.digest:
        return f"table {name}: {segment.folder} holds other rows than were published; delete its folder and run the command again"
    return None
