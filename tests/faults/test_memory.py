"""`--memory` is a promise over everything the process holds; where it cannot be kept, it says so and what it needs."""

from __future__ import annotations

import re
import subprocess
import threading
import time
from pathlib import Path

import psutil
import pyarrow as pa
import pytest
from corpora import stream, write
from processes import COMMAND, USAGE, check, complaint, run
from test_odd_corpora import large, lines, page

import unquilt
from unquilt.corpus.capture import CAPTURE
from unquilt.manifest import Held
from unquilt.parquet import TableWriter
from unquilt.store import Store

MB = 1_000_000
SLACK = 1.2
LEAST = 320


def peak(*args: str | Path) -> int:
    """Bytes that all processes of a command held at their most."""
    return watched(*args)[0]


def watched(*args: str | Path, code: int = 0) -> tuple[int, str]:
    """The same, looked at from outside all the while, and what the command said."""
    with subprocess.Popen([*COMMAND, *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        most = 0
        said: list[str] = []
        reader = threading.Thread(target=lambda: said.append(process.stdout.read() if process.stdout else ""))
        reader.start()
        while process.poll() is None:
            most = max(most, _held(process.pid))
            time.sleep(0.005)
        reader.join()
    assert process.returncode == code, said
    return most, said[0]


def _held(pid: int) -> int:
    total = 0
    try:
        parent = psutil.Process(pid)
        for one in [parent, *parent.children(recursive=True)]:
            total += one.memory_info().rss
    except psutil.NoSuchProcess:
        pass
    return total


def corpus(path: Path, megabytes: int) -> Path:
    """Pages as long as those of the web, some 4 kB of text; so many bytes of text in all."""
    return write(path, stream(megabytes * MB // 4000, seed=3, hosts=200, words=600))


def decoded(study: Path) -> int:
    return unquilt.open(study, create=False).manifest.tables["capture"].decoded


def asked_for(said: str) -> str:
    found = re.search(r"--memory \w+ is too small .*; give at least (\d+MB)", said)
    assert found is not None, said
    return found[1]


def test_too_little_to_work_with_is_told_before_anything_is_read(tmp_path: Path) -> None:
    path, study = corpus(tmp_path / "pages.jsonl", 3), tmp_path / "a.study"
    for little in ("1MB", "100MB", f"{LEAST - 1}MB"):
        enough = asked_for(complaint(check(run("scan", path, "-o", study, "--memory", little), USAGE)))
        assert not study.exists()
    check(run("scan", path, "-o", study, "--memory", enough))


def test_too_little_for_one_huge_page_is_told_and_the_amount_works(tmp_path: Path) -> None:
    path, study = tmp_path / "pages.jsonl", tmp_path / "a.study"
    path.write_bytes(lines([page(0, large()), page(1, "word1 stands1 here word2 stands2 here word3")]))
    said = complaint(check(run("scan", path, "-o", study, "--memory", "350MB"), USAGE))
    assert unquilt.open(study).verify() == []
    # Reading is told of first; what a step needs beside it is told once the page is there.
    said = complaint(check(run("scan", path, "-o", study, "--memory", asked_for(said)), USAGE))
    check(run("scan", path, "-o", study, "--memory", asked_for(said)))


def check_kept(folder: Path, *, times: float, threads: int) -> None:
    path, study = corpus(folder / "pages.jsonl", int(times * LEAST) + 10), folder / "a.study"
    most = peak("scan", path, "-o", study, "--memory", f"{LEAST}MB", "--threads", str(threads))
    assert decoded(study) >= times * LEAST * MB
    assert most <= SLACK * LEAST * MB, f"{most / MB:.0f} MB of {LEAST}"


def test_the_promise_is_kept_by_many_threads(tmp_path: Path) -> None:
    """Without it so many threads hold more than 400 MB on this input."""
    check_kept(tmp_path, times=0.3, threads=16)


@pytest.mark.long
@pytest.mark.parametrize("threads", [1, 2, 8])
def test_the_promise_is_kept_on_ten_times_the_budget(threads: int, tmp_path: Path) -> None:
    check_kept(tmp_path, times=10, threads=threads)


def filled(study: Path, pages: int, characters: int) -> Path:
    """A study of so many pages, written without reading any: texts that differ, and cost little to make."""
    opened = unquilt.open(study, memory="4GB")
    store, common = Store(study), "word " * (characters // 5)
    with store.writer(), store.workroom("filled") as room:
        (room / CAPTURE.name).mkdir()
        writer = TableWriter(room / CAPTURE.name / "part-00000.parquet", CAPTURE)
        for first in range(0, pages, 500):
            writer.write(_captures(range(first, min(pages, first + 500)), common))
        segment = store.place(CAPTURE.name, room / CAPTURE.name, [writer.close()], base=0, fingerprint="filled")
        store.write(store.read().with_tables({CAPTURE.name: Held(CAPTURE.version, "", (segment,))}))
    opened.run(unquilt.Copies())
    return study


def _captures(numbers: range, common: str) -> pa.RecordBatch:
    """Two pages each have the same words, so that every one has a row in `copy`."""
    urls = [f"https://host-{n % 100}.example/{n}" for n in numbers]
    given = {"page": list(numbers), "id": urls, "url": urls, "text": [f"{common}{n // 2}" for n in numbers], "same": list(numbers)}
    given |= {"host": [f"host-{n % 100}.example" for n in numbers], "file": ["filled"] * len(numbers)}
    nothing = {"string": "", "bool": False}
    others = {c.name: [None if c.nullable else nothing.get(c.type, 0)] * len(numbers) for c in CAPTURE.columns}
    return CAPTURE.batch(**{**others, **given})


READ = [
    ["export", "pages", "-o", "pages.csv"],
    ["export", "pages", "-o", "pages.parquet"],
    ["export", "copy", "-o", "copy.jsonl"],
    ["show", "pages", "-n", "2"],
    ["show", "pages", "--json"],
    ["show", "pages", "--by", "title"],
    ["show", "copy"],
]


def check_reading(study: Path, folder: Path, commands: list[list[str]]) -> None:
    said = {}
    for name, *more in commands:
        words = [str(folder / w) if w.startswith(("pages.", "copy.")) else w for w in more]
        said[" ".join([name, *more])] = peak(name, study, *words, "--memory", f"{LEAST}MB", "--threads", "8") / MB
    assert max(said.values()) <= SLACK * LEAST, said


@pytest.fixture(scope="module")
def forty_thousand(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled(tmp_path_factory.mktemp("filled") / "a.study", 40_000, 6000)


def test_the_promise_is_kept_by_those_who_read(forty_thousand: Path, tmp_path: Path) -> None:
    """240 MB of text. Left to itself, DuckDB held 600 MB and more to export these pages."""
    check_reading(forty_thousand, tmp_path, [READ[1], READ[3]])


@pytest.mark.long
def test_the_promise_is_kept_by_those_who_read_much(tmp_path: Path) -> None:
    study = filled(tmp_path / "a.study", 200_000, 12_000)
    check_reading(study, tmp_path, [*READ, ["show", "pages", "--by", "text", "-n", "1"]])
