"""A full disk stops a run with one sentence; nothing half is published, and with room the same command goes on."""

from __future__ import annotations

import json
import resource
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from processes import CANNOT_GO_ON, Done, check, complaint, published, run, run_victim

import unquilt
from unquilt.engine import sql
from unquilt.errors import NoRoom
from unquilt.step import Query
from unquilt.table import Column, Table

Disk = Callable[[str], Path]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """A small disk; called again with another size, the same disk in that size."""
    place = tmp_path / "disk"
    place.mkdir()

    def sized(size: str) -> Path:
        remount = ["remount,"] if place.is_mount() else [""]
        command = ["mount", "-t", "tmpfs", "-o", f"{remount[0]}size={size}", "tmpfs", str(place)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"no small disk can be mounted here: {done.stderr.strip()}")
        return place

    yield sized
    if place.is_mount():
        subprocess.run(["umount", str(place)], check=True)


@pytest.fixture(scope="module")
def expected(scanned: Path) -> dict[str, str]:
    return published(scanned)


def check_no_room(done: Done, study: Path, named: Path) -> None:
    said = complaint(check(done, CANNOT_GO_ON))
    assert said.startswith("no room left to write ") or "is full" in said, said
    assert str(named) in said
    assert "free some" in said
    assert verified(study)


def verified(study: Path) -> bool:
    return not (study / "manifest.json").exists() or unquilt.open(study, create=False).verify() == []


@pytest.mark.parametrize("size", ["12k", "100k", "200k", "300k"])
def test_a_full_disk_below_the_study(size: str, disk: Disk, corpus: list[Path], expected: dict[str, str]) -> None:
    study = disk(size) / "a.study"
    check_no_room(run("scan", *corpus, "-o", study), study, study)
    disk("50m")
    unquilt.open(study).scan(*corpus)
    assert published(study) == expected


@pytest.mark.parametrize("size", ["4k", "100k"])
def test_a_full_disk_below_tmp(size: str, disk: Disk, corpus: list[Path], tmp_path: Path, expected: dict[str, str]) -> None:
    study, tmp = tmp_path / "a.study", disk(size)
    command = ["scan", *corpus, "-o", study, "--tmp", tmp]
    check_no_room(run(*command), study, tmp)
    assert list(tmp.iterdir()) == []
    disk("50m")
    check(run(*command))
    assert published(study) == expected


def test_a_full_disk_below_an_export(disk: Disk, study: Path) -> None:
    place = disk("16k")
    for name in ("pages.jsonl", "pages.csv", "pages.parquet"):
        said = complaint(check(run("export", study, "pages", "-o", place / name), CANNOT_GO_ON))
        assert str(place / name) in said
        assert list(place.iterdir()) == []


def test_a_query_that_finds_no_room_to_spill(disk: Disk) -> None:
    table = Table("t", 1, ("n",), "Each row is a number.", (Column("n", "int64", "number"),))
    query = Query(table, "SELECT hash(range) // 2 AS n FROM range(20000000) ORDER BY n", ())
    settings = {"memory_limit": "60MB", "threads": "1", "temp_directory": str(disk("8m"))}
    connection = sql.connect({}, settings)
    with pytest.raises(NoRoom, match="no room left for step t; free some, or name another folder with --tmp"):
        list(sql.batches(connection, query))


STAGES = ["read", "host", "fingerprint: fingerprints", "page_size: gram_blocks", "publish after host", "publish after page_size: add up"]


@pytest.mark.parametrize("stage", STAGES)
def test_a_disk_that_fills_up_at_every_stage(stage: str, corpus: list[Path], tmp_path: Path, expected: dict[str, str]) -> None:
    study = tmp_path / "a.study"
    what = "before fsync" if stage.startswith("publish") else {"page_size: gram_blocks": "begin"}.get(stage, "before rows")
    done = run_victim({"full": [f"{stage} | {what}", 1]}, "scan", *corpus, "-o", study, "--threads", "2")
    check_no_room(done, study, study)
    unquilt.open(study).scan(*corpus)
    assert published(study) == expected


def test_a_file_size_limit_is_told_as_one(corpus: list[Path], tmp_path: Path, expected: dict[str, str]) -> None:
    study = tmp_path / "a.study"

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, resource.RLIM_INFINITY))

    said = complaint(check(run("scan", *corpus, "-o", study, preexec_fn=limit), CANNOT_GO_ON))
    assert "may hold no file so large" in said
    assert "ulimit -f" in said
    assert verified(study)
    unquilt.open(study).scan(*corpus)
    assert published(study) == expected


def test_a_full_disk_before_there_is_a_study(disk: Disk, corpus: list[Path], expected: dict[str, str]) -> None:
    place = disk("4k")
    check_no_room(run("scan", *corpus, "-o", place / "a.study"), place / "a.study", place)
    disk("50m")
    check(run("scan", *corpus, "-o", place / "a.study"))
    assert published(place / "a.study") == expected
    assert json.loads((place / "a.study" / "manifest.json").read_text())["inputs"]
