"""How fast is a WARC read, beside its peers and for itself? A table for people, JSON for programs; exit code 1 when a bar is missed.

    python bench/reading.py [--pages 8086] [--rounds 3] [--data FOLDER] [--json reading.json] [SECTION...]

Sections: visible, main, add, memory. The WARC is made of real pages, compressed record by record, and thrown away at the
end; pages come again with other URLs until there are so many. Times are CPU seconds, user and system, of a process and its
children, the median of rounds in which the contenders take turns. Every contender gives a row for each page; how far the
words of the texts agree is printed with the times. `docs/benchmarks.md` says what the bars are.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from report import Line, beside, closed, head, row

PAGES = 8_086  # those of the shared data, twice
ROUNDS = 3
WARM = 20  # pages that are read before the clock starts
FEW, GROWN = 4_000, 8  # with fewer, what processes keep is not full yet
MEMORY = "1GB"
AGREE = 0.5
FACT_KEYS = ("fastwarc", "resiliparse", "trafilatura", "datatrove", "pyarrow")
DATA = Path(os.environ.get("UNQUILT_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data") / "pages"
WORD = re.compile(r"\w+")
FEED = re.compile(r"<(?:rss|feed)\b", re.IGNORECASE)
"""No page, though filed with the pages: some contenders pass over it."""


@dataclass(frozen=True)
class Bench:
    """The WARC, a small one of the same pages, and how often each contender has its turn."""

    warc: Path
    warm: Path
    room: Path
    rounds: int
    data: Path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help="only these")
    parser.add_argument("--pages", type=int, default=PAGES, help="pages of the WARC (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="turns of each contender (default: %(default)s)")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of demo_mixed.parquet")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--options", default="{}", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.child:
        print(json.dumps(child_reads(chosen.child, **json.loads(chosen.options))))
        return 0
    unknown = sorted(set(chosen.sections) - set(SECTIONS))
    if unknown:
        parser.error(f"there is no section `{unknown[0]}`; the sections are: {', '.join(SECTIONS)}")
    with tempfile.TemporaryDirectory(prefix="unquilt-bench-") as room:
        return measured(Path(room), chosen)


def measured(room: Path, chosen: argparse.Namespace) -> int:
    bench = Bench(room / "pages.warc.gz", room / "warm.warc.gz", room, chosen.rounds, chosen.data)
    corpus = write_warc(bench.warc, chosen.data, chosen.pages)
    write_warc(bench.warm, chosen.data, WARM)
    known, said = head(FACT_KEYS, pages=chosen.pages, **corpus)
    print(said, flush=True)
    lines: list[Line] = []
    for name in chosen.sections or SECTIONS:
        for line in SECTIONS[name](bench):
            lines.append(line)
            print(row(line), flush=True)
    return closed(lines, known, chosen.json)


# The WARC


def write_warc(path: Path, data: Path, pages: int) -> dict[str, Any]:
    """What is in it: bytes of HTML, bytes of the file, and the SHA-256 of `url LF html LF` of its pages."""
    import pyarrow.parquet as pq

    source = pq.read_table(data / "demo_mixed.parquet", columns=["url", "html"]).to_pylist()
    rows = [(one["url"], one["html"].encode()) for one in source if not FEED.search(one["html"][:1000])]
    rows.sort(key=lambda row: hashlib.sha256(row[0].encode()).digest())  # so that few pages are of all kinds too
    digest, size = hashlib.sha256(), 0
    with open(path, "wb") as file:
        for number in range(pages):
            again, at = divmod(number, len(rows))
            url, html = numbered(rows[at][0], again), rows[at][1]
            file.write(gzip.compress(response(url, html, number), mtime=0))
            digest.update(b"%b\n%b\n" % (url.encode(), html))
            size += len(html)
    return {"html_bytes": size, "warc_bytes": path.stat().st_size, "sha256": digest.hexdigest()}


def numbered(url: str, again: int) -> str:
    return f"{url}{'&' if '?' in url else '?'}again={again}" if again else url


def response(url: str, html: bytes, number: int) -> bytes:
    """A record as crawlers write it. It names the type of its payload, as Common Crawl does, so that datatrove need not guess it."""
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%b" % (len(html), html)
    fields = (
        "WARC/1.0",
        "WARC-Type: response",
        f"WARC-Target-URI: {url}",
        "WARC-Date: 2024-05-06T07:08:09Z",
        f"WARC-Record-ID: <urn:uuid:{uuid.UUID(int=number)}>",
        "WARC-Identified-Payload-Type: text/html",
        "Content-Type: application/http; msgtype=response",
        f"Content-Length: {len(block)}",
    )
    return "".join(f"{field}\r\n" for field in fields).encode() + b"\r\n" + block + b"\r\n\r\n"


# What runs in processes of its own


def child_reads(name: str, warc: str, warm: str, keep: str) -> dict[str, Any]:
    """CPU seconds of one reading; its rows are kept in a file after the clock has stopped."""
    from readers import READINGS

    read = READINGS[name]()
    read(Path(warm))
    began = cpu()
    rows = read(Path(warc))
    seconds = cpu() - began
    if keep:
        write_rows(Path(keep), rows)
    return {"cpu": seconds, "rows": len(rows)}


def cpu() -> float:
    own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def write_rows(path: Path, rows: Sequence[Any]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {name: [getattr(one, name) for one in rows] for name in ("url", "text", "date")}
    pq.write_table(pa.table(columns, pa.schema([(name, pa.string()) for name in columns])), path)


def child(name: str, **options: Any) -> dict[str, Any]:
    command = [sys.executable, __file__, "--child", name, "--options", json.dumps(options)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{name} failed:\n{done.stderr}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


# Sections


def visible(bench: Bench) -> list[Line]:
    return compared(bench, "visible text", "unquilt text", {"fastwarc + resiliparse": 0.6, "datatrove + trafilatura": 10})


def main_text(bench: Bench) -> list[Line]:
    bars = {"fastwarc + trafilatura": 5, "fastwarc + trafilatura, no extensive search for dates": 5}
    return compared(bench, "main text, dates", "unquilt pages", bars)


def compared(bench: Bench, section: str, mine: str, bars: dict[str, float]) -> list[Line]:
    spent: dict[str, list[float]] = {}
    kept = {name: bench.room / f"{number}.parquet" for number, name in enumerate((mine, *bars))}
    for turn in range(bench.rounds):
        for name, path in kept.items():
            found = child(name, warc=str(bench.warc), warm=str(bench.warm), keep="" if turn else str(path))
            spent.setdefault(name, []).append(found["cpu"])
    seconds = {name: median(all_) for name, all_ in spent.items()}
    return [
        beside(section, f"{name} ({agreement(kept[mine], kept[name])})", seconds[mine], seconds[name], bar) for name, bar in bars.items()
    ]


def agreement(mine: Path, peer: Path) -> str:
    """How far two contenders gave the same rows. Not the same pages, or other words: then the times say nothing."""
    import pyarrow.parquet as pq

    from unquilt.read.url import normalised

    rows = [{normalised(r["url"]): r for r in pq.read_table(path).to_pylist()} for path in (mine, peer)]
    lost = {url for url, r in rows[0].items() if r["text"]} - rows[1].keys()
    if not rows[1].keys() <= rows[0].keys() or len(lost) > len(rows[0]) / 10:
        raise SystemExit(f"{mine} and {peer} have other pages: {len(rows[0])} and {len(rows[1])}, {len(lost)} without a text")
    shared, ours, theirs = shared_words(rows[0], rows[1])
    if shared < AGREE * min(ours, theirs):
        raise SystemExit(f"{mine} and {peer} have other texts: {shared} words shared of {ours} and {theirs}")
    dated = [sum(r["date"] is not None for r in some.values()) for some in rows]
    dates = f", dates on {dated[0]:,} and {dated[1]:,}" if any(dated) else ""
    return f"{len(rows[1]):,} of {len(rows[0]):,} pages, {shared / theirs:.1%} of its words here, {shared / ours:.1%} of ours there{dates}"


def shared_words(mine: dict[str | None, Any], peer: dict[str | None, Any]) -> tuple[int, int, int]:
    shared = ours = theirs = 0
    for url in mine.keys() & peer.keys():
        a, b = (Counter(WORD.findall(rows[url]["text"].lower())) for rows in (mine, peer))
        shared, ours, theirs = shared + (a & b).total(), ours + a.total(), theirs + b.total()
    return shared, ours, theirs


def add(bench: Bench) -> list[Line]:
    """The whole of it: tables written, on all cores."""
    runs = [added(bench.warc, bench.room / f"{turn}.study") for turn in range(bench.rounds)]
    seconds = median(one.cpu for one in runs)
    wall = median(one.wall for one in runs)
    megabytes = runs[0].pages / wall
    return [Line("add", f"`unquilt add`, CPU seconds; {wall:.1f} s on the clock; pages a second", seconds, None, megabytes, "", None)]


def memory(bench: Bench) -> list[Line]:
    """Does the peak of all processes grow with the number of pages?"""
    peaks = []
    for number in (FEW, GROWN * FEW):
        path = bench.room / f"{number}.warc.gz"
        write_warc(path, bench.data, number)
        peaks.append(max(added(path, bench.room / f"{number}-{turn}.study").peak for turn in range(bench.rounds)) / 1e6)
    apart = abs(peaks[1] / peaks[0] - 1)
    what = f"peak MB of {GROWN * FEW:,} and of {FEW:,} pages, --memory {MEMORY}, percent apart"
    return [Line("memory", what, peaks[1], peaks[0], 100 * apart, "<= 10", apart <= 0.1)]


@dataclass(frozen=True)
class Added:
    pages: int
    cpu: float
    wall: float
    peak: int


def added(warc: Path, study: Path) -> Added:
    """One `unquilt add`; its processes are looked at from outside all the while."""
    before, began = cpu(), time.perf_counter()
    command = [sys.executable, "-m", "unquilt", "add", str(study), str(warc), "--memory", MEMORY]
    with tempfile.TemporaryFile() as said, subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT) as process:
        most = 0
        while process.poll() is None:
            most = max(most, resident(process.pid))
            time.sleep(0.02)
        said.seek(0)
        if process.returncode:
            raise SystemExit(f"`unquilt add` failed:\n{said.read().decode()}")
    wall, spent = time.perf_counter() - began, cpu() - before
    import unquilt

    return Added(unquilt.open(study, create=False).manifest.tables["capture"].rows, spent, wall, most)


def resident(pid: int) -> int:
    """Bytes that a process and its children hold; what they share is counted for each."""
    import psutil

    try:
        parent = psutil.Process(pid)
        return sum(one.memory_info().rss for one in (parent, *parent.children(recursive=True)))
    except psutil.NoSuchProcess:
        return 0


SECTIONS: dict[str, Callable[[Bench], list[Line]]] = {"visible": visible, "main": main_text, "add": add, "memory": memory}

if __name__ == "__main__":
    sys.exit(main())
