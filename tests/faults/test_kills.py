"""A run that is stopped anywhere, and started again, ends as if nothing had happened."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from processes import INTERRUPTED, check, exports, manifest, run, run_victim, tree

import unquilt

SIGNALS = ("SIGKILL", "SIGINT", "SIGTERM")
SMALL = {"small": True}


@dataclass(frozen=True)
class Point:
    """Where a run is stopped: when it passes `name` for the n-th time."""

    name: str
    n: int
    signal: str

    @property
    def stage(self) -> str:
        return self.name.split(" | ")[0]


@dataclass(frozen=True)
class Undisturbed:
    """What a scan of the corpus ends in, and the points it passes on its way."""

    inputs: list[Path]
    tables: dict[str, str]
    manifest: dict[str, object]
    exports: dict[str, str]
    passed: list[tuple[str, int]]

    @property
    def stages(self) -> set[str]:
        return {name.split(" | ")[0] for name, _ in self.passed}


@pytest.fixture(scope="module")
def undisturbed(corpus: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    folder = tmp_path_factory.mktemp("undisturbed")
    study, record = folder / "a.study", folder / "passed.json"
    check(run_victim({**SMALL, "record": str(record)}, *scan(corpus, study)))
    passed = [(name, n) for name, n in json.loads(record.read_text())["passed"]]
    return Undisturbed(corpus, tree(study / "tables"), manifest(study), exports(study, folder / "out"), passed)


def scan(corpus: list[Path], study: Path) -> list[str | Path]:
    return ["scan", *corpus, "-o", study, "--threads", "2", "--memory", "1GB"]


def points(undisturbed: Undisturbed, number: int, seed: int) -> list[Point]:
    """One in every stage, one between every rename and the manifest that names it, the others anywhere."""
    chance = random.Random(seed)
    names = dict(undisturbed.passed)
    chosen = [chance.choice([n for n in names if n.startswith(stage + " | ")]) for stage in sorted(undisturbed.stages)]
    chosen += [n for n in names if n.endswith("| after rename")]
    chosen += chance.choices(list(names), k=max(0, number - len(chosen)))
    kinds = chance.sample(SIGNALS * number, number)
    return [Point(n, chance.randint(1, names[n]), signal) for n, signal in zip(chosen[:number], kinds, strict=True)]


def stop_and_go_on(undisturbed: Undisturbed, point: Point, folder: Path) -> None:
    study, record = folder / "a.study", folder / "record.json"
    plan = {**SMALL, "record": str(record), "stop": [point.name, point.n, point.signal]}
    done = run_victim(plan, *scan(undisturbed.inputs, study))
    assert record.exists(), f"the run never came to {point}\n{done.stderr}"
    check_stopped(done.returncode, done.stderr, point)
    check_whole(study)
    check(run_victim(SMALL, *scan(undisturbed.inputs, study)))
    assert manifest(study) == undisturbed.manifest
    assert tree(study / "tables") == undisturbed.tables
    if point.signal == "SIGKILL":  # exports are made of these very bytes; now and then it is looked at
        assert exports(study, folder / "out") == undisturbed.exports
    assert not (study / "work").exists() or not any((study / "work").iterdir())


def check_stopped(code: int, stderr: str, point: Point) -> None:
    assert "Traceback" not in stderr, stderr
    if point.signal == "SIGKILL":
        assert code == -9
    else:
        assert code == INTERRUPTED, stderr
        assert "the same command goes on from there" in stderr


def check_whole(study: Path) -> None:
    """What a stopped run leaves can be read, all of it."""
    if (study / "manifest.json").exists():
        assert unquilt.open(study, create=False).verify() == []


POINTS, MANY = 44, 400


@pytest.mark.parametrize("number", range(POINTS))
def test_a_stopped_scan_goes_on_to_the_same_bytes(number: int, undisturbed: Undisturbed, tmp_path: Path) -> None:
    stop_and_go_on(undisturbed, points(undisturbed, POINTS, seed=9)[number], tmp_path)


def test_the_points_are_in_every_stage(undisturbed: Undisturbed, capsys: pytest.CaptureFixture[str]) -> None:
    chosen = points(undisturbed, POINTS, seed=9)
    with capsys.disabled():
        print()
        for point in sorted(chosen, key=lambda p: p.name):
            print(f"  {point.signal:8} {point.name} ({point.n})")
    assert {p.stage for p in chosen} == undisturbed.stages
    assert {p.signal for p in chosen} == set(SIGNALS)
    assert len(undisturbed.stages) >= 15


@pytest.mark.long
@pytest.mark.parametrize("number", range(MANY))
def test_a_scan_goes_on_wherever_it_is_stopped(number: int, undisturbed: Undisturbed, tmp_path: Path) -> None:
    stop_and_go_on(undisturbed, points(undisturbed, MANY, seed=10)[number], tmp_path)


def test_a_kill_leaves_nothing_in_tmp_once_the_command_went_on(undisturbed: Undisturbed, tmp_path: Path) -> None:
    study, tmp = tmp_path / "a.study", tmp_path / "spill"
    command = [*scan(undisturbed.inputs, study), "--tmp", tmp]
    stop = ["page_size: count within a part | before take", 2, "SIGKILL"]
    assert run_victim({**SMALL, "stop": stop}, *command).returncode == -9
    assert list(tmp.rglob("*.blocks"))
    check(run_victim(SMALL, *command))
    assert list(tmp.iterdir()) == []
    assert tree(study / "tables") == undisturbed.tables


REMOVE = ["--host", "host-3.example", "--url", "https://host-5.example/1/5"]


@pytest.fixture(scope="module")
def removed(corpus: list[Path], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A study, and what it is after a removal that nothing disturbed."""
    folder = tmp_path_factory.mktemp("removed")
    unquilt.open(folder / "before.study").scan(*corpus)
    shutil.copytree(folder / "before.study", folder / "after.study")
    check(run("remove", folder / "after.study", *REMOVE))
    return folder / "before.study", tree(folder / "after.study" / "tables")


@pytest.mark.parametrize(
    ("point", "n", "signal"),
    [
        ("create | before rename", 1, "SIGKILL"),
        ("create | after rename", 3, "SIGINT"),
        ("create | before replace", 1, "SIGKILL"),
        ("create | after replace", 1, "SIGKILL"),
        ("host | begin", 1, "SIGINT"),
        ("page_size: count within a part | begin", 1, "SIGKILL"),
        ("publish after current | after rename", 1, "SIGTERM"),
    ],
)
def test_a_stopped_removal_goes_on_to_the_same_bytes(
    point: str, n: int, signal: str, removed: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    before, after = removed
    study, record = tmp_path / "a.study", tmp_path / "record.json"
    shutil.copytree(before, study)
    done = run_victim({"stop": [point, n, signal], "record": str(record)}, "remove", study, *REMOVE)
    assert record.exists()
    check_stopped(done.returncode, done.stderr, Point(point, n, signal))
    check_whole(study)
    check(run("remove", study, *REMOVE))
    assert tree(study / "tables") == after


LONG_QUERY = """
import os, signal, threading
from pathlib import Path
from unquilt.cli.main import _catch_signals
from unquilt.engine.sql import answered, connect

_catch_signals()
connection = connect({}, {})
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    list(answered(connection, "SELECT sum(a.range * b.range) FROM range(1000000) AS a, range(1000000) AS b"))
except KeyboardInterrupt:
    print("stopped")
"""


def test_a_long_query_stops_at_ctrl_c() -> None:
    done = subprocess.run([sys.executable, "-c", LONG_QUERY], capture_output=True, text=True, timeout=60)
    assert done.stdout == "stopped\n", done.stderr
