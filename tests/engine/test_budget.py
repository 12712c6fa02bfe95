"""Sizes are read as people write them, limits of control groups count, and the amount that an error names works."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from bench import Bench
from toys import BY_COLOR, CARRYING, LONG, NUMBER, numbers, totals

import unquilt
from unquilt.engine import budget
from unquilt.engine.budget import SLACK, Budget, available, give_back, parse_size, resident
from unquilt.engine.local import Local
from unquilt.errors import MemoryTooSmall, UsageError
from unquilt.step import Step

MB = 1_000_000


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1", 1),
        ("1000", 1000),
        ("12b", 12),
        ("64k", 64_000),
        ("64KB", 64_000),
        ("64KiB", 65_536),
        ("512MB", 512_000_000),
        ("512 mb", 512_000_000),
        (" 8GB ", 8_000_000_000),
        ("1.5GiB", 1_610_612_736),
        ("1.5g", 1_500_000_000),
        ("2TB", 2_000_000_000_000),
        ("2Ti", 2_199_023_255_552),
    ],
)
def test_a_size_is_read(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", " ", "8 GB!", "GB", "-1GB", "1e9", "1,5GB", "0", "0MB", "0%", "8XB", "٨GB%", "nan", "1GBB"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is no amount of memory; write it like 8GB, 512MB or 60%"):
        parse_size(text)


def test_without_a_word_it_is_three_fifths_of_what_is_available(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(budget, "available", lambda: 1000 * MB)
    assert unquilt.open(tmp_path / "a.study").memory == 600 * MB


def test_a_share_is_of_what_is_available(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "available", lambda: 10 * MB)
    assert parse_size("60%") == 6 * MB
    assert parse_size("12.5 %") == 1_250_000
    assert parse_size("100%") == 10 * MB


# --- control groups --------------------------------------------------------------------------------

CGroups = Callable[[str, dict[str, str]], None]


@pytest.fixture
def cgroups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CGroups:
    """Makes control groups: what /proc/self/cgroup says, and files below /sys/fs/cgroup."""
    root, own, real = tmp_path / "cgroup", tmp_path / "self", budget._cgroup_folders
    monkeypatch.setattr(budget, "_cgroup_folders", lambda: real(root, own))
    monkeypatch.setattr(budget, "_free", lambda: 1000 * MB)

    def make(said: str, files: dict[str, str]) -> None:
        own.write_text(said)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text + "\n")

    return make


def test_the_limit_of_a_control_group_counts(cgroups: CGroups) -> None:
    cgroups("0::/job\n", {"job/memory.max": f"{300 * MB}", "job/memory.current": f"{100 * MB}"})
    assert available() == 200 * MB


def test_the_limit_of_a_group_above_counts(cgroups: CGroups) -> None:
    files = {"a/b/c/memory.max": "max", "a/b/c/memory.current": "5", "a/memory.max": f"{50 * MB}", "a/memory.current": f"{20 * MB}"}
    cgroups("0::/a/b/c\n", files)
    assert available() == 30 * MB


def test_the_tightest_limit_counts(cgroups: CGroups) -> None:
    files = {"a/memory.max": f"{80 * MB}", "a/memory.current": "0", "a/b/memory.max": f"{90 * MB}", "a/b/memory.current": f"{20 * MB}"}
    cgroups("0::/a/b\n", files)
    assert available() == 70 * MB


def test_a_container_sees_its_limit_at_the_root(cgroups: CGroups) -> None:
    cgroups("0::/\n", {"memory.max": f"{400 * MB}", "memory.current": f"{100 * MB}"})
    assert available() == 300 * MB


def test_no_limit_is_no_limit(cgroups: CGroups) -> None:
    cgroups("0::/job\n", {"job/memory.max": "max", "job/memory.current": f"{100 * MB}"})
    assert available() == 1000 * MB


def test_a_group_that_uses_more_than_its_limit_leaves_nothing(cgroups: CGroups) -> None:
    cgroups("0::/job\n", {"job/memory.max": f"{100 * MB}", "job/memory.current": f"{101 * MB}"})
    assert available() == 0


V1 = "12:cpu,cpuacct:/job\n7:memory:/job\n1:name=systemd:/job\n0::/job\n"


def test_version_1_has_its_own_names(cgroups: CGroups) -> None:
    cgroups(V1, {"memory/job/memory.limit_in_bytes": f"{300 * MB}", "memory/job/memory.usage_in_bytes": f"{100 * MB}"})
    assert available() == 200 * MB


def test_version_1_in_a_container_sees_its_limit_at_the_root(cgroups: CGroups) -> None:
    cgroups(V1, {"memory/memory.limit_in_bytes": f"{300 * MB}", "memory/memory.usage_in_bytes": f"{100 * MB}"})
    assert available() == 200 * MB


def test_version_1_says_no_limit_by_a_large_number(cgroups: CGroups) -> None:
    cgroups(V1, {"memory/job/memory.limit_in_bytes": "9223372036854771712", "memory/job/memory.usage_in_bytes": "5"})
    assert available() == 1000 * MB


@pytest.mark.parametrize(
    ("said", "files"),
    [
        ("", {}),
        ("0::/nowhere\n", {}),
        ("0::/job\n", {"job/memory.max": "a lot", "job/memory.current": "5"}),
        ("0::/job\n", {"job/memory.max": "100"}),
        ("0::/../../outside\n", {}),
    ],
)
def test_what_cannot_be_read_limits_nothing(cgroups: CGroups, said: str, files: dict[str, str]) -> None:
    cgroups(said, files)
    assert available() == 1000 * MB


# --- budgets ---------------------------------------------------------------------------------------


def test_this_process_holds_something() -> None:
    assert 10 * MB < resident() < 1 << 40


def test_as_many_threads_run_as_fit() -> None:
    roomy = Budget(resident() + SLACK + 100 * MB, threads=8)
    assert roomy.workers(1, "one page") == 8
    assert roomy.workers(30 * MB, "one page") == 3
    assert roomy.workers(90 * MB, "one page") == 1


def test_a_budget_in_which_not_one_thread_fits_is_too_small() -> None:
    with pytest.raises(MemoryTooSmall, match="is too small for one page; give at least"):
        Budget(resident() + SLACK + 10 * MB, threads=8).workers(20 * MB, "one page")


def enough(tmp_path: Path, step: Step, tables: dict[object, object], room: int) -> None:
    """With so much room the step cannot run; with the amount that the error names it can."""
    bench = Bench(lambda tmp: Local(Budget(64 << 30, 2), tmp, bits=0), tmp_path / "bench")
    views = bench.views(step, tables, 1 << 16)  # type: ignore[arg-type]
    bench.run(step, views)  # a first run loads what stays loaded, and so the two below begin with the same
    give_back()
    total = resident() + SLACK + room
    bench.engine = Local(Budget(total, 2), bench.tmp, bits=0)
    with pytest.raises(MemoryTooSmall) as caught:
        bench.run(step, views)
    assert not bench.litter()
    said = re.search(r"--memory (\d+)MB is too small .*give at least (\d+)MB", str(caught.value))
    assert said is not None
    assert abs(int(said[1]) - total / MB) <= 1
    give_back()
    bench.engine = Local(Budget(parse_size(f"{said[2]}MB"), 2), bench.tmp, bits=0)
    assert any(bench.run(step, views).rows.values())


def test_the_amount_that_a_map_asks_for_is_enough(tmp_path: Path) -> None:
    enough(tmp_path, totals(5), {NUMBER: [numbers(24)]}, 4 << 20)


def test_the_amount_that_a_reduce_asks_for_is_enough(tmp_path: Path) -> None:
    texts = [(page, "x" * 4_000_000) for page in range(6)]
    enough(tmp_path, CARRYING, {LONG: [texts]}, 80 << 20)


def test_the_amount_that_a_query_asks_for_is_enough(tmp_path: Path) -> None:
    enough(tmp_path, BY_COLOR, {NUMBER: [numbers(24)]}, 8 << 20)
