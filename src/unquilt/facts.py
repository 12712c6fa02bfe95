"""What is a study made of? Versions, inputs, parameters, tables, and the commands that make it again."""

from __future__ import annotations

import platform
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from unquilt import exporting
from unquilt.catalogue import TABLES
from unquilt.corpus.capture import TOMBSTONE
from unquilt.manifest import Held, InputFile, Manifest, Run
from unquilt.read import STDIN
from unquilt.store import Store
from unquilt.version import __version__

# By their places in the input: their names are erased.
_REMOVED = """SELECT file || '#' || "offset" AS record FROM capture JOIN tombstone USING (page) ORDER BY page"""
DEPENDENCIES = ("duckdb", "numpy", "pyarrow")


def of(store: Store) -> dict[str, Any]:
    from unquilt import kernel

    m = store.read()
    return {
        "study": str(store.folder),
        "format": m.format,
        "made_by": m.made_by,
        "words_version": m.words_version,
        "versions": {"unquilt": __version__, "python": platform.python_version(), **{d: _version(d) for d in DEPENDENCIES}},
        "simd": kernel.simd_level(),
        "inputs": [asdict(f) for f in m.inputs],
        "runs": [{"method": r.method, "params": dict(r.params)} for r in m.runs],
        "tables": {n: _table(h) for n, h in sorted(m.tables.items())},
        "again": list(_again(store, m)),
    }


def _table(h: Held) -> dict[str, Any]:
    return {"rows": h.rows, "segments": len(h.segments), "version": h.version, "digest": h.identity}


def tables(manifest: Manifest) -> list[dict[str, Any]]:
    """Every table that can be shown or exported: its name, its rows, and what a row is."""
    held = manifest.tables
    known = [{"table": n, "rows": held[n].rows, "each row": _sentence(TABLES[n].sentence)} for n in sorted(held) if n in TABLES]
    pages = exporting.PAGES
    first = [{"table": pages.name, "rows": held["current"].rows, "each row": _sentence(pages.sentence)}] if "current" in held else []
    return first + known


def _sentence(text: str) -> str:
    return text.removeprefix("Each row ").rstrip(".")


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _again(store: Store, m: Manifest) -> Iterator[str]:
    yield from (_add(store.folder, f) for f in m.inputs)
    if TOMBSTONE.name in m.tables:
        removed = exporting.ask(store, m, _REMOVED)["record"].to_pylist()
        yield _command("remove", store.folder, *(f"--url={record}" for record in removed))
    yield from (_run(store.folder, r) for r in m.runs)


def _add(folder: Path, f: InputFile) -> str:
    fields: Mapping[str, str | None] = f.reader["fields"]
    options = [word for k, v in fields.items() if v for word in (f"--{k}-field", v)]
    snapshot = ["--snapshot", f.snapshot] if f.snapshot else []
    name = STDIN if f.name == "stdin" else f.name  # files have endings, so none is called that
    return _command("add", folder, name, *snapshot, *options)


def _run(folder: Path, r: Run) -> str:
    return _command("run", folder, r.method, *(word for k, v in r.params.items() for word in (f"--{k.replace('_', '-')}", str(v))))


def _command(name: str, folder: Path, *words: str) -> str:
    return shlex.join(["unquilt", name, str(folder), *words])
