"""Is every published file still what was published? Each is read whole and its SHA-256 compared."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

from unquilt.catalogue import TABLES
from unquilt.corpus.capture import SOURCES
from unquilt.engine.sql import VERIFY
from unquilt.errors import DamagedTable
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


def check(store: Store, manifest: Manifest, names: Iterable[str], threads: int, known: set[Seen]) -> None:
    """Raise where a file of these tables is not what was published. `known`: files that need not be read again, grows."""
    files = [(n, s, f, _seen(store, s, f)) for n in names for s in manifest.tables[n].segments for f in s.files]
    new = [one for one in files if one[3] not in known]
    with ThreadPoolExecutor(threads, "unquilt-verify") as pool:
        problems = list(pool.map(lambda one: _problem(store, one[1], one[2]), new))
    for (name, segment, file, seen), problem in zip(new, problems, strict=True):
        if problem is not None:
            raise DamagedTable(f"table {name} cannot be read: {segment.folder}/{file.file} {problem}; {VERIFY}")
        known.add(seen)


Seen = tuple[str, int, int]
"""A file as it was when it was compared: its name, its size, and when it was changed last."""


def _seen(store: Store, segment: Segment, file: Written) -> Seen:
    path = store.folder / "tables" / segment.folder / file.file
    try:
        said = path.stat()
    except OSError:
        return str(path), -1, -1
    return str(path), said.st_size, said.st_mtime_ns


def _problem(store: Store, segment: Segment, file: Written) -> str | None:
    try:
        found = sha256(store.folder / "tables" / segment.folder / file.file)
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    return None if found == file.sha256 else "is not what was published"
