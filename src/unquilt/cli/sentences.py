"""Numbers into words: what the commands say."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from unquilt.adding import Added
from unquilt.cli.output import printable
from unquilt.running import Planned
from unquilt.summary import Summary


def of_added(name: str, pages: int, skipped: int, already: bool) -> str:
    if already:
        return f"{name}: is in the study already, nothing changed"
    left_out = f", {_many(skipped, 'record')} skipped" if skipped else ""
    return f"{name}: {_many(pages, 'page')}{left_out}"


def added_as_dict(added: Added) -> dict[str, Any]:
    return {**asdict(added.file), "already": added.already}


def of_summary(s: Summary, folder: str) -> Iterator[str]:
    name = shlex.quote(folder)
    if not s.pages:
        why = f"all {s.removed:,} captures are removed" if s.removed else "what was read holds none"
        yield f"{name} has no page: {why}; `unquilt add {name} FILE` adds some"
        return
    yield f"pages      {s.pages:,}" + _more(s.captures - s.removed - s.pages, "older capture") + _more(s.removed, "capture", " removed")
    yield f"hosts      {s.hosts:,}"
    yield f"skipped    {_skipped(s)}"
    if s.fields:
        yield f"           {_many(sum(n for _, n in s.fields), 'field')} of pages that are kept ({_reasons(s.fields)})"
    yield f"copies     {_copies(s)}"
    yield f"repeated   {_repeated(s)}"
    if s.pairs:
        yield "hosts that share most, in passages:"
        yield from (f"  {p.grams:>9,}  {printable(p.host_a)} and {printable(p.host_b)}" for p in s.pairs)
    yield "next:"
    yield from (f"  unquilt {command}" for command in _next(s, name))


def of_unreadable(s: Summary) -> str:
    return f"not one of {_many(s.skipped_records, 'record')} could be read ({_reasons(s.skipped)})"


def of_skipped(s: Summary, most: float) -> str:
    records = s.captures + s.skipped_records
    return f"{s.skipped_records:,} of {records:,} records were skipped ({s.skipped_share:.2%}), more than {most:.2%}"


def _skipped(s: Summary) -> str:
    if not s.skipped:
        return "0"
    return f"{s.skipped_records:,} of {s.captures + s.skipped_records:,} records ({_reasons(s.skipped)})"


def _copies(s: Summary) -> str:
    if not s.copies:
        return "0"
    share = f"{s.copied_share:.1%}"
    texts = f"{s.copied_texts:,} text stands" if s.copied_texts == 1 else f"{s.copied_texts:,} texts stand"
    return f"{s.copies:,} ({share} of the pages); {texts} on {s.copies + s.copied_texts:,} pages, word for word"


def _repeated(s: Summary) -> str:
    if s.repeated_share is None:
        return f"nothing to compare: no page has {_many(s.k, 'word')}"
    common = f"; {s.common:,} on more" if s.common else ""
    return f"{s.repeated_share:.1%} of {s.grams:,} different {s.k}-word passages stand on 2 to {s.m} pages{common}"


def _next(s: Summary, name: str) -> Iterator[str]:
    if s.copies:
        yield f"show {name} copy"
    yield f"show {name} host_overlap"
    if s.skipped or s.fields:
        yield f"show {name} skipped --by reason"
    yield f"export {name} host_pair -o pairs.csv"


def _reasons(reasons: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"{printable(r)} {n:,}" for r, n in reasons)


def _more(n: int, what: str, fact: str = "") -> str:
    return f" ({_many(n, what)}{fact})" if n else ""


def _many(n: int, what: str) -> str:
    return f"{n:,} {what}" if n == 1 else f"{n:,} {what}s"


def of_bytes(n: float) -> str:
    for unit in ("bytes", "kB", "MB", "GB"):
        if n < 1000:
            return f"{n:.0f} {unit}" if unit == "bytes" else f"{n:.1f} {unit}"
        n /= 1000
    return f"{n:.1f} TB"


def planned_as_dict(p: Planned) -> dict[str, Any]:
    return {"tables": list(p.tables), "action": p.action, "rows": p.rows, "spill": p.spill, "why": p.reason}


def of_planned(p: Planned) -> dict[str, Any]:
    rows = "?" if p.rows is None else f"{p.rows:,}"
    make = p.action == "make"
    return {
        "tables": ", ".join(p.tables),
        "action": p.action,
        "reads rows": rows if make else None,
        "disk, about": of_bytes(p.spill) if make and p.spill else None,
        "why": p.reason,
    }


def of_needs(planned: Iterable[Planned], memory: int) -> str:
    make = [p for p in planned if p.action == "make"]
    if not make:
        return "nothing has to be made"
    disk = max(p.spill for p in make)
    return f"to run it: about {of_bytes(disk)} of disk beside the tables, and at most {of_bytes(memory)} of memory (--memory)"


def of_info(facts: dict[str, Any]) -> Iterator[str]:
    versions = ", ".join(f"{name} {number}" for name, number in facts["versions"].items())
    yield f"study      {printable(facts['study'])}, format {facts['format']}, made by unquilt {facts['made_by']}"
    yield f"versions   {versions}, words {facts['words_version']}"
    yield f"machine    SIMD level {facts['simd']}"
    for f in facts["inputs"]:
        whole = "" if f["complete"] else f", read up to {f['done']:,}"
        size = f"{f['bytes']:,} bytes  sha256 {f['sha256'][:16]}…"
        yield f"input      {printable(f['name'])}  {size}  {f['pages']:,} pages, {f['skipped']:,} skipped{whole}"
    for n, t in facts["tables"].items():
        yield f"table      {n}  {t['rows']:,} rows  {t['digest'][:16]}…"
    for problem in facts.get("damaged", []):
        yield f"damaged    {printable(problem)}"
    if "damaged" in facts and not facts["damaged"]:
        yield "verified   every table is what was published"
    for command in facts["again"]:
        yield f"again      {printable(command)}"
