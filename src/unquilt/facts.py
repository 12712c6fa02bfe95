"""What is a study made of? Versions, inputs, parameters, tables, and the commands that make it again."""

from __future__ import annotations

import platform
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from unquilt import staleness
from unquilt.arrays import to_numpy
from unquilt.catalogue import METHODS, TABLES, method_named
from unquilt.corpus.capture import CAPTURE, TOMBSTONE
from unquilt.manifest import Held, InputFile, Manifest, Run
from unquilt.method import Method
from unquilt.pages import PAGES
from unquilt.read.inputs import STDIN, STDIN_NAME
from unquilt.read.options import Options
from unquilt.reading import Published, batches, picked
from unquilt.running import plan
from unquilt.version import __version__

CHOICES = tuple(f.name for f in fields(Options))
DEFAULT = asdict(Options())
DEPENDENCIES = ("duckdb", "numpy", "pyarrow")
WORDS = "words_version"


def of(published: Published) -> dict[str, Any]:
    from unquilt import kernel
    from unquilt.text import WORDS_VERSION

    m = published.manifest
    return {
        "study": str(published.store.folder),
        "format": m.format,
        "made_by": m.made_by,
        "words_version": WORDS_VERSION,
        "versions": {"unquilt": __version__, "python": platform.python_version(), **{d: _version(d) for d in DEPENDENCIES}},
        "simd": kernel.simd_level(),
        "inputs": [asdict(f) for f in m.inputs],
        "runs": [_run_facts(published, r) for r in m.runs],
        "tables": {n: _table(h) for n, h in sorted(m.tables.items())},
        "again": list(_again(published)),
    }


def _run_facts(published: Published, r: Run) -> dict[str, Any]:
    """With the version of the rule of words that its tables were made by, and why they are stale, if they are."""
    said = {"method": r.method, "params": dict(r.params), "words_version": None, "stale": None}
    if r.method not in {m.name for m in METHODS}:
        return said
    method = method_named(r.method).of(r.params)
    stale = staleness.of_method(published.store, published.manifest, method, [t.name for t in method.tables])
    words = _words_version(published, method)
    return {**said, "words_version": words, "stale": stale.sentence(str(published.store.folder)) if stale else None}


def _words_version(published: Published, method: Method) -> int | None:
    """Steps that read words have the version of the rule among their parameters. None: it cannot be told."""
    from unquilt.text import WORDS_VERSION

    steps = [s for s in method.steps() if WORDS in s.params]
    for version_ in range(max(WORDS_VERSION, published.manifest.words_version), 0, -1):
        made = (plan(published.store, [replace(s, params={**s.params, WORDS: version_})]) for s in steps)
        if steps and all(planned.action == "reuse" for (planned,) in made):
            return version_
    return None


def _table(h: Held) -> dict[str, Any]:
    return {"rows": h.rows, "segments": len(h.segments), "version": h.version, "digest": h.identity}


def tables(manifest: Manifest) -> list[dict[str, Any]]:
    """Every table that can be shown or exported: its name, its rows, and what a row is."""
    held = manifest.tables
    known = [{"table": n, "rows": held[n].rows, "each row": _sentence(TABLES[n].sentence)} for n in sorted(held) if n in TABLES]
    first = [{"table": PAGES.name, "rows": held["current"].rows, "each row": _sentence(PAGES.sentence)}] if "current" in held else []
    return first + known


def _sentence(text: str) -> str:
    return text.removeprefix("Each row ").rstrip(".")


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _again(published: Published) -> Iterator[str]:
    m, folder = published.manifest, published.store.folder
    yield from (_add(folder, f) for f in m.inputs)
    if published.has(TOMBSTONE):
        yield _command("remove", folder, *(f"--url={record}" for record in _removed(published)))
    yield from (_run(folder, r) for r in m.runs)


def _removed(published: Published) -> Iterator[str]:
    """By their places in the input: their names are erased."""
    for dead in batches(published.view(TOMBSTONE)):
        for batch in picked(published, CAPTURE, to_numpy(dead.column("page")), ["file", "offset"]):
            yield from (f"{row['file']}#{row['offset']}" for row in batch.to_pylist())


def _add(folder: Path, f: InputFile) -> str:
    named: Mapping[str, str | None] = f.reader["fields"]
    options = [word for k, v in named.items() if v for word in (f"--{k}-field", v)]
    options += [word for name in CHOICES if f.reader.get(name, DEFAULT[name]) != DEFAULT[name] for word in _choice(name, f.reader[name])]
    snapshot = ["--snapshot", f.snapshot] if f.snapshot else []
    name = STDIN if f.name == STDIN_NAME else f.name
    return _command("add", folder, name, *snapshot, *options)


def _choice(name: str, value: object) -> list[str]:
    if name == "dayfirst":
        return ["--dayfirst" if value else "--monthfirst"]
    return [f"--{name.replace('_', '-')}", str(value)]


def _run(folder: Path, r: Run) -> str:
    return _command("run", folder, r.method, *(word for k, v in r.params.items() for word in (f"--{k.replace('_', '-')}", str(v))))


def _command(name: str, folder: Path, *words: str) -> str:
    return shlex.join(["unquilt", name, str(folder), *words])
