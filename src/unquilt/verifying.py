"""Is every published file still what was published? Each is read whole and its SHA-256 compared."""

from __future__ import annotations

from unquilt.catalogue import TABLES
from unquilt.corpus.capture import SOURCES
from unquilt.manifest import Manifest, Segment
from unquilt.parquet import Written, sha256
from unquilt.store import Store

ANEW = "put it back from a copy, or make the study anew"
AGAIN = "delete its folder and run the command again"


def verify(store: Store, manifest: Manifest) -> list[str]:
    """One sentence for each file that is not what was published, and for each table nobody here knows."""
    unknown = sorted(manifest.tables.keys() - TABLES)
    problems = [f"table {name} is not one of this version; install the one that made it" for name in unknown]
    for name, held in sorted(manifest.tables.items()):
        remedy = ANEW if name in {t.name for t in SOURCES} else AGAIN
        for segment in held.segments:
            for file in segment.files:
                what = _problem(store, segment, file)
                if what is not None:
                    problems.append(f"table {name}: {segment.folder}/{file.file} {what}; {remedy}")
    return problems


def _problem(store: Store, segment: Segment, file: Written) -> str | None:
    try:
        found = sha256(store.folder / "tables" / segment.folder / file.file)
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    return None if found == file.sha256 else "is not what was published"
