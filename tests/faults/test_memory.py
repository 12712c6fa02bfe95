"""`--memory` is a promise over everything the process holds; where it cannot be kept, it says so and what it needs."""

from __future__ import annotations

import re
import subprocess
import threading
import time
from pathlib import Path

import psutil
import pytest
from corpora import stream, write
from processes import COMMAND, USAGE, check, complaint, run
from test_odd_corpora import large, lines, page

import unquilt

MB = 1_000_000
SLACK = 1.2
LEAST = 320


def peak(*args: str | Path) -> int:
    """Bytes that all processes of a command held at their most, looked at from outside all the while."""
    with subprocess.Popen([*COMMAND, *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        most = 0
        said: list[str] = []
        reader = threading.Thread(target=lambda: said.append(process.stdout.read() if process.stdout else ""))
        reader.start()
        while process.poll() is None:
            most = max(most, _held(process.pid))
            time.sleep(0.005)
        reader.join()
    assert process.returncode == 0, said
    return most


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
