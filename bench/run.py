"""unquilt's core beside its peers, in one command: a table for people, JSON for programs.

    python bench/run.py [--documents 50000] [--json bench.json] [SECTION...]

Sections: words, grams, frequencies, whole, threads, growth, memory. Times are CPU seconds, the median of five
runs in which the contenders take turns; a section fails when contenders do not return the same rows. Bars are
what the project promises itself (`docs/benchmarks.md`); the exit code is 1 when one is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from report import Line, beside, closed, head, row

ROUNDS = 5
SMALLEST = 10_000
LEVELS = ("portable", "x86-64-v2", "x86-64-v3", "x86-64-v4")
GRAM_BARS = {"x86-64-v4": 10.0, "x86-64-v3": 7.0, "x86-64-v2": 5.0, "portable": 5.0}
KEEPING = {"MALLOC_TRIM_THRESHOLD_": str(1 << 30), "MALLOC_MMAP_THRESHOLD_": str(1 << 30), "MALLOC_TOP_PAD_": str(64 << 20)}
WORDS_APART = 1e-5  # of all words: Polars makes two code points of a capital I with a dot, as Python does
K, M = 5, 50
FOLDER = Path(os.environ.get("UNQUILT_BENCH", Path.home() / ".cache" / "unquilt-bench"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="*", default=[], metavar="SECTION", help="only these")
    parser.add_argument("--documents", type=int, default=50_000, help="documents of the whole pass and the threads")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    parser.add_argument("--child", metavar="NAME", help=argparse.SUPPRESS)
    parser.add_argument("--options", default="{}", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.child:
        print(json.dumps(CHILDREN[chosen.child](**json.loads(chosen.options))))
        return 0
    unknown = sorted(set(chosen.sections) - set(SECTIONS))
    if unknown:
        parser.error(f"there is no section `{unknown[0]}`; the sections are: {', '.join(SECTIONS)}")
    lines: list[Line] = []
    known, said = head(("numpy", "pyarrow", "duckdb", "polars"), sha256=digest(SMALLEST))
    print(said)
    for name in chosen.sections or SECTIONS:
        for line in SECTIONS[name](chosen.documents):
            lines.append(line)
            print(row(line), flush=True)
    return closed(lines, known, chosen.json)


def digest(documents: int) -> str:
    """Of the smallest corpus, with which all others begin."""
    import pyarrow.parquet as pq

    from corpus import Statistics

    statistics = Statistics()
    for batch in pq.ParquetFile(corpus(documents)).iter_batches():
        statistics.add(batch)
    return statistics.sha256.hexdigest()


def corpus(documents: int) -> Path:
    path = FOLDER / f"debian-{documents}.parquet"
    if not path.exists():
        subprocess.run([sys.executable, str(Path(__file__).with_name("corpus.py")), "--documents", str(documents)], check=True)
    return path


def child(name: str, env: dict[str, str] | None = None, **options: Any) -> dict[str, Any]:
    """Run one measurement in a process of its own, so that levels, threads and memory are its own."""
    command = [sys.executable, __file__, "--child", name, "--options", json.dumps(options)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **(env or {})})
    if done.returncode:
        raise SystemExit(f"{name} {options} failed:\n{done.stderr}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def alternated(contenders: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """Median CPU seconds of each; they take turns, so that a noisy minute hits all of them."""
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, call in contenders.items():
            began = time.process_time()
            call()
            times[name].append(time.process_time() - began)
    return {name: median(t) for name, t in times.items()}


def same(what: str, rows: dict[str, Any]) -> None:
    first, *others = rows
    for other in others:
        if rows[first] != rows[other]:
            raise SystemExit(f"{what}: {first} and {other} do not return the same rows")


# What runs in children


def child_words(documents: int) -> dict[str, float]:
    import pyarrow.parquet as pq

    import ours
    import peers

    table = pq.read_table(corpus(documents), columns=["text"])
    pieces = ours.batches(table["text"].combine_chunks())
    contenders: dict[str, Callable[[], Any]] = {
        "unquilt": lambda: ours.words(pieces),
        "polars": lambda: peers.words_polars(table),
        "duckdb": lambda: peers.words_duckdb(table),
        "pyarrow": lambda: peers.words_pyarrow(table),
    }
    mine = ours.joined(contenders["unquilt"]())
    for name in ("polars", "duckdb", "pyarrow"):
        same_words(name, mine, ours.words_of_lists(contenders[name]()))
    return alternated(contenders)


def same_words(peer: str, mine: Any, theirs: Any) -> None:
    """As many words in each document, and the same ones, but for a share of `WORDS_APART`."""
    import numpy as np

    (words, starts), (others, their_starts) = mine, theirs
    if not np.array_equal(starts, their_starts):
        raise SystemExit(f"words: unquilt and {peer} do not find as many of them in each document")
    differ = int((words != others).sum())
    if differ > WORDS_APART * len(words):
        raise SystemExit(f"words: of {len(words):,} words {differ:,} of unquilt and {peer} are not the same")


def child_grams(documents: int) -> dict[str, float]:
    import numpy as np
    import pyarrow.parquet as pq

    import ours
    import peers
    from unquilt import kernel

    text = pq.read_table(corpus(documents), columns=["text"])["text"].combine_chunks()
    base = 0x5692161D100B05E5
    constants = [pow(base, K - 1 - t, 2**64) for t in range(K)]
    contenders: dict[str, Callable[..., Any]] = {
        "unquilt": lambda words, starts: kernel.grams(words, starts, K),
        "numpy": lambda words, starts: peers.grams_numpy(words, starts, K, constants=constants, multiplier=0xD6E8FEB86659FD93),
    }
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        spent = dict.fromkeys(contenders, 0.0)
        for window in ours.batches(text, ours.WINDOW):
            words, starts = kernel.words(*window)
            rows = {}
            for name, call in contenders.items():
                call(words, starts)  # each finds the words in the cache, and the allocator warm
                began = time.process_time()
                rows[name] = call(words, starts)
                spent[name] += time.process_time() - began
            if not all(np.array_equal(x, y) for x, y in zip(rows["unquilt"], rows["numpy"], strict=True)):
                raise SystemExit("grams: unquilt and numpy do not return the same rows")
        for name, seconds in spent.items():
            times[name].append(seconds)
    return {name: median(t) for name, t in times.items()}


def child_frequencies(documents: int, bits: int) -> dict[str, float]:
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    import ours
    import peers
    from unquilt import kernel

    text = pq.read_table(corpus(documents), columns=["text"])["text"].combine_chunks()
    rows = _part_rows(text, bits)
    grams, pages = kernel.leaf_sort(rows, 0, bits)
    order = np.random.default_rng(1).permutation(len(grams))
    table = pa.table({"gram": grams[order], "page": pages[order]})
    contenders: dict[str, Callable[[], Any]] = {
        "unquilt": lambda: ours.frequencies(rows, 0, bits, M),
        "duckdb": lambda: peers.frequencies_duckdb(table, m=M),
        "polars": lambda: peers.frequencies_polars(table, m=M),
        "pyarrow": lambda: peers.frequencies_pyarrow(table, m=M),
    }
    same("document frequencies", {n: call() for n, call in contenders.items()})
    return alternated(contenders) | {"rows": len(grams)}


def _part_rows(text: Any, bits: int) -> Any:
    """The rows of part 0 as the engine would hand them to the reduce."""
    import numpy as np

    import ours
    from unquilt import kernel

    blocks, first = [], 0
    for piece in ours.batches(text):
        n = len(piece[1]) - 1
        rows, parts, _, _ = kernel.gram_blocks(*piece, first, np.ones(n, bool), K, bits)
        blocks.append(rows[parts[0] : parts[1]])
        first += n
    return np.concatenate(blocks)


def child_whole(contender: str, documents: int, threads: int, memory: str, warm: bool = False) -> dict[str, Any]:
    import ours
    import peers
    import unquilt

    study = ours.prepared(corpus(documents), FOLDER / f"debian-{documents}.study")
    mine = unquilt.open(study.folder, create=False, memory=memory, threads=threads)
    if warm:
        ours.whole(mine, K, M)
    calls: dict[str, Callable[[], dict[int, int]]] = {
        "unquilt": lambda: ours.whole(mine, K, M),
        "duckdb": lambda: peers.whole_duckdb(corpus(documents), K, M, threads=threads, memory_limit=memory),
        "polars": lambda: peers.whole_polars(corpus(documents), K, M),
    }
    began, wall = time.process_time(), time.perf_counter()
    found = calls[contender]()
    return {
        "cpu": time.process_time() - began,
        "wall": time.perf_counter() - wall,
        "peak": _peak(),
        "rows": {str(k): v for k, v in sorted(found.items())},
    }


def child_prepare(documents: int) -> dict[str, Any]:
    import ours

    ours.prepared(corpus(documents), FOLDER / f"debian-{documents}.study")
    return {}


def child_memory(documents: int, memory: str) -> dict[str, Any]:
    """Peak of a process that does nothing but the whole pass."""
    import ours
    import unquilt
    from unquilt.engine.budget import steady_allocator

    steady_allocator()
    study = unquilt.open(FOLDER / f"debian-{documents}.study", create=False, memory=memory, threads=2)
    ours.whole(study, K, M)
    return {"peak": _peak()}


def _peak() -> int:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


CHILDREN: dict[str, Callable[..., dict[str, Any]]] = {
    "words": child_words,
    "grams": child_grams,
    "frequencies": child_frequencies,
    "whole": child_whole,
    "prepare": child_prepare,
    "memory": child_memory,
}


# Sections


def levels() -> list[str]:
    code = "from unquilt import kernel; print(*kernel.simd_levels())"
    can = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    return [level for level in LEVELS if level in can]


def one_thread(level: str) -> dict[str, str]:
    return {"UNQUILT_SIMD": level, "POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"}


def words(_: int) -> list[Line]:
    lines = []
    for level in levels():
        t = child("words", one_thread(level), documents=SMALLEST)
        bars = {"polars": 8.0, "duckdb": None, "pyarrow": None}
        lines += [beside("words", f"{level}, {peer}", t["unquilt"], t[peer], bar) for peer, bar in bars.items()]
    return lines


def grams(_: int) -> list[Line]:
    lines = []
    for level in levels():
        around = one_thread(level) | numpy_at(level)
        t = child("grams", around, documents=SMALLEST)
        lines.append(beside("grams", f"{level}, numpy", t["unquilt"], t["numpy"], GRAM_BARS[level]))
        # glibc gives freed memory back and faults it in again; NumPy, which makes more arrays, suffers more from that.
        t = child("grams", around | KEEPING, documents=SMALLEST)
        lines.append(beside("grams", f"{level}, numpy, with an allocator that keeps its memory", t["unquilt"], t["numpy"], None))
    return lines


def numpy_at(level: str) -> dict[str, str]:
    """NumPy with what a CPU of this level has, since it would take the best there is."""
    from numpy._core._multiarray_umath import __cpu_dispatch__ as more

    off = more if level in ("portable", "x86-64-v2") else [name for name in more if name != "X86_V3"]
    return {"NPY_DISABLE_CPU_FEATURES": " ".join(off)} if "X86_V3" in more and level != "x86-64-v4" else {}


def frequencies(_: int) -> list[Line]:
    lines = []
    for level in levels():
        t = child("frequencies", one_thread(level), documents=50_000, bits=4)
        for peer in ("duckdb", "polars", "pyarrow"):
            what = f"{level}, {peer}, {t['rows'] / 1e6:.1f} M rows"
            lines.append(beside("sort + frequency", what, t["unquilt"], t[peer], 2.5 if peer == "duckdb" else None))
    return lines


def whole(documents: int) -> list[Line]:
    child("prepare", documents=documents)
    times: dict[str, list[float]] = {}
    rows: dict[str, Any] = {}
    peaks: dict[str, float] = {}
    for _ in range(ROUNDS):
        for name in ("unquilt", "duckdb", "polars"):
            found = child("whole", {"POLARS_MAX_THREADS": "2"}, contender=name, documents=documents, threads=2, memory="1GB")
            times.setdefault(name, []).append(found["cpu"])
            rows[name], peaks[name] = found["rows"], found["peak"] / 1e6
    same("document frequencies", rows)
    t = {name: median(x) for name, x in times.items()}
    bars = {"duckdb": 5.0, "polars": 4.0}
    held = {name: f"{documents:,} documents, {name}, peak {peaks['unquilt']:.0f} MB against {peaks[name]:.0f} MB" for name in bars}
    return [beside("whole pass", held[name], t["unquilt"], t[name], bar) for name, bar in bars.items()]


def threads(documents: int) -> list[Line]:
    child("prepare", documents=documents)
    runs: dict[int, list[dict[str, Any]]] = {1: [], 2: []}
    for _ in range(ROUNDS):
        for n in runs:
            runs[n].append(child("whole", contender="unquilt", documents=documents, threads=n, memory="1GB"))
    wall = {n: min(r["wall"] for r in found) for n, found in runs.items()}
    cpu = {n: min(r["cpu"] for r in found) for n, found in runs.items()}
    speed, more = wall[1] / wall[2], cpu[2] / cpu[1] - 1
    return [
        Line("threads", "wall of two, wall of one, best of five", wall[2], wall[1], speed, ">= 1.7", speed >= 1.7),
        Line("threads", "CPU of two, CPU of one, more in percent", cpu[2], cpu[1], 100 * more, "<= 10", more <= 0.1),
    ]


def growth(_: int) -> list[Line]:
    lines: list[Line] = []
    costs: list[float] = []
    for documents in (SMALLEST, 50_000, 200_000):
        child("prepare", documents=documents)
        # Warm: what a process does once, like importing, is no cost of a row.
        found = [child("whole", contender="unquilt", documents=documents, threads=1, memory="1GB", warm=True) for _ in range(ROUNDS)]
        cpu = median(f["cpu"] for f in found)
        gram_rows = _gram_rows(documents)
        costs.append(cpu / gram_rows * 1e9)
        lines.append(Line("growth", f"{documents:,} documents, ns a gram row", cpu, None, costs[-1], "", None))
    spread = max(costs) / min(costs) - 1
    lines.append(Line("growth", "spread of the cost a gram row, percent", max(costs), min(costs), 100 * spread, "<= 15", spread <= 0.15))
    return lines


def _gram_rows(documents: int) -> int:
    code = (
        "import sys, json; sys.path.insert(0, sys.argv[1]); import ours, unquilt; from pathlib import Path; "
        "import pyarrow.compute as pc; s = unquilt.open(sys.argv[2], create=False); "
        "print(s.run(unquilt.Overlaps()).study.sql('select sum(grams) as n from page_size')['n'][0].as_py())"
    )
    folder = FOLDER / f"debian-{documents}.study"
    done = subprocess.run([sys.executable, "-c", code, str(Path(__file__).parent), str(folder)], capture_output=True, text=True, check=True)
    return int(done.stdout.split()[-1])


def memory(_: int) -> list[Line]:
    peaks = {}
    for documents in (50_000, 400_000):
        child("prepare", documents=documents)
        peaks[documents] = max(child("memory", documents=documents, memory="512MB")["peak"] for _ in range(3)) / 1e6
    low, high = peaks[50_000], peaks[400_000]
    spread = abs(high / low - 1)
    return [
        Line("memory", "peak MB of 400,000 and of 50,000 documents, percent apart", high, low, 100 * spread, "<= 5", spread <= 0.05),
        Line("memory", "peak MB within --memory 512MB and a fifth", high, 512.0, high / 512.0, "<= 1.2", high <= 512 * 1.2),
    ]


SECTIONS: dict[str, Callable[[int], list[Line]]] = {
    "words": words,
    "grams": grams,
    "frequencies": frequencies,
    "whole": whole,
    "threads": threads,
    "growth": growth,
    "memory": memory,
}

if __name__ == "__main__":
    sys.exit(main())
