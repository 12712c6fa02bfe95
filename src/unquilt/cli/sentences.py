"""Numbers into words: what the commands say."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

from unquilt.adding import Added
from unquilt.cli.output import printable
from unquilt.looking import Page
from unquilt.running import Planned
from unquilt.summary import Summary

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def of_added(name: str, pages: int, skipped: int, already: bool) -> str:
    if already:
        return f"{name}: is in the study already, nothing changed"
    left_out = f", {_many(skipped, 'record')} skipped" if skipped else ""
    return f"{name}: {_many(pages, 'page')}{left_out}"


def of_loud(name: str, reason: str, n: int, records: int) -> str:
    return f"{name}: {n / records:.0%} of its records were left out: {reason} ({n:,} of {records:,})"


def of_page(page: Page) -> Iterator[str]:
    facts = page.facts
    for name in ("id", "url", "title", "description", "canonical", "host", "domain", "ip", "status", "content_type", "charset", "robots"):
        if facts[name] is not None:
            yield f"{name.replace('_', ' '):<12} {printable(str(facts[name]))}"
    language = facts["language"] or facts["detected_language"]
    if language:
        yield f"language     {printable(language)}" + (" (declared)" if facts["language"] else " (found by looking)")
    if facts["published_at"] is not None:
        yield f"published    {_moment(facts['published_at'])}, as {_said_by(page)} says"
    for name, column in (("modified", "last_modified"), ("fetched", "fetched_at")):
        if facts[column] is not None:
            yield f"{name:<12} {_moment(facts[column])}"
    yield f"text         {_many(facts['words'], 'word')}, of which {len(page.main_text):,} of {len(page.text):,} characters are main text"
    yield f"links        {len(page.links):,}"
    yield f"captures     {page.captures:,}" + (f", this one of snapshot {printable(facts['snapshot'])}" if facts["snapshot"] else "")
    yield f"from         {printable(facts['file'])}, offset {facts['offset']:,}, length {facts['length']:,}"


def _said_by(page: Page) -> str:
    if page.facts["published_by"] == "input":
        return "the input"
    counts = next((d for d in page.dates if d["counts"]), None)
    return f"{counts['source']} {counts['detail']} (`{printable(counts['found'])}`)" if counts else str(page.facts["published_by"])


def _moment(microseconds: int) -> str:
    """ISO 8601; also of years that Python's dates do not reach."""
    try:
        return (EPOCH + timedelta(microseconds=microseconds)).strftime("%Y-%m-%dT%H:%M:%SZ")
    except OverflowError:
        return f"{microseconds} microseconds after 1970"


def added_as_dict(added: Added) -> dict[str, Any]:
    return {**asdict(added.file), "already": added.already}


def of_summary(s: Summary, folder: str) -> Iterator[str]:
    name = shlex.quote(folder)
    if not s.pages:
        why = f"all {s.removed:,} captures are removed" if s.removed else "what was read holds none"
        yield f"{name} has no page: {why}; `unquilt add {name} FILE` adds some"
        return
    others = s.captures - s.removed - s.pages
    yield f"pages      {s.pages:,}" + (_more(others, "older capture") if not s.stale else "") + _more(s.removed, "capture", " removed")
    yield f"hosts      {s.hosts:,}"
    yield f"skipped    {_skipped(s)}"
    if s.others:
        yield f"           {_many(sum(n for _, n in s.others), 'record')} that are no pages ({_reasons(s.others)})"
    if s.fields:
        yield f"           {_many(sum(n for _, n in s.fields), 'field')} of pages that are kept ({_reasons(s.fields)})"
    if s.lost:
        yield f"lost       {of_lost(s)}"
    if s.suspects:
        yield f"suspect    {_reasons(s.suspects)}: pages that are hardly pages of their own"
    yield f"copies     {_copies(s)}"
    yield f"repeated   {_repeated(s)}"
    if s.pairs:
        yield "hosts that share most, in passages:"
        yield from (f"  {p.grams:>9,}  {printable(p.host_a)} and {printable(p.host_b)}" for p in s.pairs)
    yield from (f"stale      {printable(sentence)}" for sentence in s.stale)
    yield "next:"
    yield from (f"  unquilt {command}" for command in _next(s, name))


def of_unreadable(s: Summary) -> str:
    return f"not one of {_many(s.skipped_records, 'record')} could be read ({_reasons(s.skipped)})"


def of_lost(s: Summary) -> str:
    return f"the rest of {_many(s.lost, 'file')}, cut off or damaged; nobody knows how many records that were"


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
    if s.suspects:
        yield f"show {name} suspect"
    if s.skipped or s.others or s.fields or s.lost:
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
    for run in facts["runs"]:
        words = run["words_version"]
        if words not in (None, facts["words_version"]):
            yield f"words      {run['method']} was made by version {words} of the rule of words; this unquilt has {facts['words_version']}"
        if run["stale"]:
            yield f"stale      {printable(run['stale'])}"
    for problem in facts.get("damaged", []):
        yield f"damaged    {printable(problem)}"
    if "damaged" in facts and not facts["damaged"]:
        yield "verified   every table is what was published"
    for command in facts["again"]:
        yield f"again      {printable(command)}"
