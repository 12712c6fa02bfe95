"""Who does the work makes no difference: none, one or two processes beside this one, and what a bad record does to them."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from archives import html, http

from unquilt.engine.budget import FLOOR
from unquilt.extract import pool as pools
from unquilt.extract.page import COST, How
from unquilt.extract.pool import Pool, processes_for
from unquilt.extract.rows import Extracted, Work
from unquilt.read import Found, Record, Response
from unquilt.read.room import TooDear

MB = 1_000_000
DEADLY = "http://deadly.example/"
# A worker that ends, by its own signal, at a record from there; the product has no such thing.
VICTIM = f"""
import os, signal
from unquilt.extract import rows, worker
from unquilt.read import Response
true = rows.page_of_response
def page_of_response(record, *more):
    if record.url.startswith({DEADLY!r}):
        os.kill(os.getpid(), signal.SIGSEGV) if record.url.endswith("signal") else os._exit(7)
    return true(record, *more)
rows.page_of_response = page_of_response
worker.main()
"""


def page(number: int, url: str | None = None) -> Found:
    return Found(number, 1, Response(http(html(str(number))), http=True, url=url or f"http://a.example/{number}"))


def works(number: int, each: int = 3) -> list[Work]:
    return [Work("in", None, How(), [page(n) for n in range(at, at + each)]) for at in range(0, number * each, each)]


def texts(made: list[Extracted]) -> list[str]:
    return [text for one in made for text in one.tables["capture"].column("text").to_pylist()]


@pytest.fixture(scope="module")
def two() -> Iterator[Pool]:
    """A pool whose processes several tests use."""
    with Pool(2) as pool:
        yield pool


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are started for the first batch."""
    monkeypatch.setattr(pools, "ALONE", 0)


def workers() -> list[psutil.Process]:
    return [p for p in psutil.Process().children() if "unquilt.extract.worker" in " ".join(p.cmdline())]


def test_the_rows_are_the_same_in_the_same_order_however_many_processes_there_are(two):
    given = works(12)
    with Pool() as none, Pool(1) as one:
        alone = list(none.map(given))
        assert list(one.map(given)) == alone
        assert workers() == []
    assert list(two.map(given)) == alone
    assert 0 < len(workers()) <= 2
    assert list(two.map(given)) == alone
    assert texts(alone) == [f"This is {n}." for n in range(36)]


def test_no_process_is_left_when_the_pool_is_closed(at_once):
    before = set(workers())
    with Pool(2) as pool:
        assert len(list(pool.map(works(2)))) == 2
        assert set(workers()) > before
    assert set(workers()) == before


def test_a_small_input_starts_no_process():
    before = workers()
    with Pool(2) as pool:
        assert len(list(pool.map(works(4)))) == 4
        assert workers() == before


def test_a_record_that_ends_its_process_is_left_out_and_the_rest_is_read(at_once, monkeypatch):
    monkeypatch.setattr(pools, "COMMAND", (sys.executable, "-c", VICTIM))
    given = works(5)
    given[1] = Work("in", None, How(), [page(4, DEADLY + "exit")])
    given[2] = Work("in", None, How(), [page(6), page(7, DEADLY + "signal"), page(8)])
    with Pool(2) as pool:
        made = list(pool.map(given))
    assert texts(made) == [f"This is {n}." for n in range(15) if n not in (3, 4, 5, 7)]
    assert [dict(one.skipped) for one in made] == [{}, {"cannot be read": 1}, {"cannot be read": 1}, {}, {}]
    told = [one.tables["skipped"].to_pylist() for one in made[1:3]]
    assert [(skip["offset"], skip["url"], skip["detail"]) for (skip,) in told] == [
        (4, DEADLY + "exit", "the process that read it ended with code 7"),
        (7, DEADLY + "signal", "the process that read it ended with signal 11"),
    ]
    assert made[2].tables["capture"].column("page").to_pylist() == [0, 1]


def test_a_worker_hears_nothing_of_ctrl_c(two, at_once):
    made = two.map(works(8))
    first = next(made)
    for worker in workers():
        worker.send_signal(2)
    assert len([first, *made]) == 8
    assert workers() != []


INTERRUPTED = """
import os, signal, sys, threading, time
from unquilt.extract import pool as pools
from unquilt.extract.page import How
from unquilt.extract.rows import Work
from unquilt.read import Found, Response

pools.ALONE = 0
body = b"<p>" + b"12.5.2020 and words <b>b</b> " * 20_000
def works():
    for n in range(1000):
        if n == 9:
            threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        yield Work("in", None, How(), [Found(n, 1, Response(body, url="http://a.example/", content_type="text/html"))])
began = time.monotonic()
try:
    with pools.Pool(2) as pool:
        for made in pool.map(works()):
            began = time.monotonic()
except KeyboardInterrupt:
    print("stopped", len(pool._workers), time.monotonic() - began < 10)
"""


def test_ctrl_c_while_workers_run_ends_them_all():
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=100)
    assert (done.stdout, done.stderr) == ("stopped 0 True\n", "")


def test_workers_do_not_outlive_a_process_that_is_killed(tmp_path: Path):
    lines = INTERRUPTED.replace("signal.SIGINT", "signal.SIGKILL")
    with subprocess.Popen([sys.executable, "-c", lines], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as started:
        seen: set[psutil.Process] = set()
        while started.poll() is None:
            try:
                seen.update(psutil.Process(started.pid).children())
            except psutil.NoSuchProcess:
                break
            time.sleep(0.01)
    assert len(seen) == 2
    assert psutil.wait_procs(seen, timeout=30)[1] == []


def test_a_file_in_the_folder_we_are_in_is_no_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once):
    """Workers are Python, which looks for modules where it is started."""
    (tmp_path / "struct.py").write_text("raise SystemExit('taken for a module')")
    monkeypatch.chdir(tmp_path)
    with Pool(2) as pool:
        assert sum(one.pages for one in pool.map(works(3))) == 9


@pytest.mark.parametrize(("most", "taken"), [(pools.WAITING_BYTES, 6), (1, 3)])
def test_what_waits_is_bounded(most, taken, two, at_once, monkeypatch):
    monkeypatch.setattr(pools, "WAITING_BYTES", most)
    given = iter(works(40))
    made = two.map(given)
    next(made)
    left = len(list(given))
    assert 40 - left <= taken
    assert len(list(made)) == 39 - left


def test_the_number_of_processes_follows_from_the_memory():
    assert [processes_for(FLOOR + n * pools.WORKER_BYTES, 8) for n in (0, 1, 2, 100)] == [0, 1, 2, 8]
    assert processes_for(FLOOR - 1, 8) == 0


def test_a_record_may_take_more_where_there_is_more(monkeypatch):
    monkeypatch.setattr(pools, "resident", lambda: 150 * MB)
    assert Pool(2).room is None
    small, large, shared = (Pool(n, memory).room for n, memory in ((0, 400 * MB), (0, 800 * MB), (2, 1400 * MB)))
    assert small is not None
    assert large is not None
    assert shared is not None
    assert 0 < small.whole < large.whole <= 800 * MB - 150 * MB
    assert small.share == small.whole
    assert 0 < shared.share < shared.whole


def test_a_page_that_takes_more_than_a_worker_may_is_read_when_no_worker_is_there(at_once):
    body = b"<p>" + b"12.5.2020 " * 120_000
    large = Found(100, 1, Response(body, url="http://large.example/", content_type="text/html"))
    given = works(9)
    given[4] = Work("in", None, How(), [page(12), large, page(14)])
    with Pool() as none, Pool(2, 2000 * MB) as pool:
        alone = list(none.map(given))
        pool._share = COST * len(body) - 1
        before = set(workers())
        made = pool.map(given)
        assert [next(made) for _ in range(5)] == alone[:5]
        assert set(workers()) <= before
        assert list(made) == alone[5:]


def test_a_record_that_takes_all_is_read_when_no_worker_is_there(at_once):
    """The reader says so before it reads it, and what was read before it comes out first."""
    with Pool(2, 2000 * MB) as pool:
        assert pool.room is not None
        room = pool.room
        seen: list[int] = []

        def reading() -> Iterator[Work]:
            yield from works(7)
            seen.append(len(pool._workers))
            room.take(room.share + 1, "a line")
            seen.append(len(pool._workers))
            yield Work("in", None, How(), [Found(90, 1, Record("large"))])
            yield from works(3)

        made = list(pool.map(reading()))
    assert seen[0] > 0
    assert seen[1] == 0
    assert texts(made) == [*(f"This is {n}." for n in range(21)), "large", *(f"This is {n}." for n in range(9))]


def test_what_takes_more_than_all_memory_is_refused():
    with Pool(0, 400 * MB) as pool:
        assert pool.room is not None
        with pytest.raises(TooDear):
            pool.room.take(400 * MB, "a line")
        body = b"<p>" + b"word " * 3_000_000
        with pytest.raises(TooDear) as raised:
            list(pool.map([Work("in", None, How(), [Found(0, 1, Response(body, url="http://a.example/", content_type="text/html"))])]))
    assert "http://a.example/" in raised.value.what
