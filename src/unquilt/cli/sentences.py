"""Numbers into words: what the commands say."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from unquilt.adding import Added
from unquilt.catalogue import TABLES
from unquilt.cli.output import printable
from unquilt.summary import Summary
from unquilt.version import __version__

if TYPE_CHECKING:
    from unquilt.study import Study


def of_added(added: Added) -> str:
    f = added.file
    if added.already:
        return f"{f.name}: is in the study already, nothing changed"
    skipped = f", {f.skipped:,} records skipped" if f.skipped else ""
    return f"{f.name}: {f.pages:,} pages{skipped}"


def added_as_dict(added: Added) -> dict[str, Any]:
    return {**asdict(added.file), "already": added.already}


def of_summary(s: Summary, folder: str) -> Iterator[str]:
    yield f"pages      {s.pages:,}" + _more(s.captures - s.removed - s.pages, "older captures") + _more(s.removed, "removed")
    yield f"hosts      {s.hosts:,}"
    reasons = ", ".join(f"{printable(r)} {n:,}" for r, n in s.skipped)
    yield f"skipped    {s.skipped_records:,}" + (f" ({reasons})" if reasons else "")
    yield f"copies     {s.copies:,} pages repeat the text of another" + (f" ({s.copied_texts:,} texts)" if s.copies else "")
    yield _repeated(s)
    if s.pairs:
        yield "most shared:"
        for p in s.pairs:
            yield f"  {p.grams:>9,}  {printable(p.host_a)} and {printable(p.host_b)}"
    name = shlex.quote(folder)
    yield "next:"
    if s.copies:
        yield f"  unquilt show {name} copy"
    yield f"  unquilt show {name} host_overlap"
    if s.skipped_records:
        yield f"  unquilt show {name} skipped"
    yield f"  unquilt export {name} host_pair -o pairs.csv"


def _repeated(s: Summary) -> str:
    if s.repeated_share is None:
        return f"repeated   nothing to compare: no page has {s.k} words"
    common = f"; {s.common:,} on more" if s.common else ""
    return f"repeated   {s.repeated_share:.1%} of {s.grams:,} different {s.k}-word passages are on 2 to {s.m} pages{common}"


def _more(n: int, what: str) -> str:
    return f" ({n:,} {what})" if n else ""


def tables(study: Study) -> list[dict[str, Any]]:
    held = study.manifest.tables
    rows = [{"table": n, "rows": held[n].rows, "each row": _sentence(n)} for n in sorted(held)]
    if "current" in held:
        rows.insert(0, {"table": "pages", "rows": held["current"].rows, "each row": "is one page of the corpus, with its text"})
    return rows


def _sentence(name: str) -> str:
    return TABLES[name].sentence.removeprefix("Each row ").rstrip(".") if name in TABLES else ""


def info(study: Study) -> dict[str, Any]:
    from unquilt import kernel

    m = study.manifest
    return {
        "study": str(study.folder),
        "format": m.format,
        "made_by": m.made_by,
        "unquilt": __version__,
        "words_version": m.words_version,
        "simd": kernel.simd_level(),
        "inputs": [asdict(f) for f in m.inputs],
        "runs": [{"method": r.method, "params": dict(r.params)} for r in m.runs],
        "tables": {
            n: {"rows": h.rows, "segments": len(h.segments), "version": h.version, "digest": h.identity} for n, h in sorted(m.tables.items())
        },
        "again": [*(_again_add(study, f) for f in m.inputs), *(_again_run(study, r.method, dict(r.params)) for r in m.runs)],
    }


def _again_add(study: Study, f: Any) -> str:
    fields = [f"--{k}-field {shlex.quote(v)}" for k, v in f.reader["fields"].items() if v]
    snapshot = [f"--snapshot {shlex.quote(f.snapshot)}"] if f.snapshot else []
    return " ".join(["unquilt add", shlex.quote(str(study.folder)), shlex.quote(f.name), *snapshot, *fields])


def _again_run(study: Study, method: str, params: dict[str, Any]) -> str:
    options = [f"--{k.replace('_', '-')} {shlex.quote(str(v))}" for k, v in params.items()]
    return " ".join(["unquilt run", shlex.quote(str(study.folder)), method, *options])


def of_info(facts: dict[str, Any]) -> Iterator[str]:
    yield f"study      {printable(facts['study'])}, format {facts['format']}, made by unquilt {facts['made_by']}"
    yield f"unquilt    {facts['unquilt']}, words version {facts['words_version']}, SIMD level {facts['simd']}"
    for f in facts["inputs"]:
        whole = "" if f["complete"] else f", read up to {f['done']:,}"
        yield f"input      {printable(f['name'])}  {f['bytes']:,} bytes  sha256 {f['sha256'][:16]}…  {f['pages']:,} pages, {f['skipped']:,} skipped{whole}"
    for n, t in facts["tables"].items():
        yield f"table      {n}  {t['rows']:,} rows  {t['digest'][:16]}…"
    for problem in facts.get("damaged", []):
        yield f"damaged    {printable(problem)}"
    if "damaged" in facts and not facts["damaged"]:
        yield "verified   every table is what was published"
    for command in facts["again"]:
        yield f"again      {printable(command)}"
