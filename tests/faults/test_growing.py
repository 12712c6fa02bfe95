"""A study grows: what was read is not read twice, and what was made of it is not made twice."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from processes import check, published, run

import unquilt

Rows = list[dict[str, Any]]


@pytest.fixture
def study(corpus: list[Path], tmp_path: Path) -> Path:
    """A study of the first file."""
    unquilt.open(tmp_path / "a.study").scan(corpus[0])
    return tmp_path / "a.study"


def by_url(study: Path) -> dict[str, Rows]:
    """Every table that answers a method, without the numbers of pages, which depend on the order of reading."""
    opened = unquilt.open(study, create=False)
    found: dict[str, Rows] = {}
    for name in ("pages", "copy", "page_size", "gram_frequency", "host_overlap", "host_pair"):
        rows = opened.rows(name).to_pylist()
        numbered = ("page", "first_page", "server", "first_id", "first_url", "warc_filename", "warc_record_offset")
        plain = [{k: v for k, v in row.items() if k not in numbered} for row in rows]
        found[name] = sorted(plain, key=repr)
    return found


def place(study: Path, table: str) -> dict[str, tuple[int, int]]:
    """Of every file of a table: which one it is on the disk, and when it was written."""
    files = (study / "tables" / table).rglob("*.parquet")
    return {str(f): (f.stat().st_ino, f.stat().st_mtime_ns) for f in files}


def test_the_same_file_changes_nothing_and_says_so(study: Path, corpus: list[Path]) -> None:
    before = (study / "manifest.json").read_bytes()
    done = check(run("add", study, corpus[0]))
    assert f"{corpus[0]}: is in the study already, nothing changed" in done.stderr
    assert (study / "manifest.json").read_bytes() == before


def test_the_same_scan_changes_nothing(study: Path, corpus: list[Path]) -> None:
    before, files = (study / "manifest.json").read_bytes(), place(study, "")
    check(run("scan", corpus[0], "-o", study))
    assert (study / "manifest.json").read_bytes() == before
    assert place(study, "") == files


def test_the_same_run_says_that_nothing_was_made(study: Path) -> None:
    assert "nothing" in check(run("run", study, "overlaps")).stderr


def test_added_in_two_steps_is_added_in_one(study: Path, corpus: list[Path], tmp_path: Path) -> None:
    check(run("scan", corpus[1], corpus[2], "-o", study))
    unquilt.open(tmp_path / "one.study").scan(*corpus)
    assert published(study) == published(tmp_path / "one.study")


def test_the_order_of_files_changes_numbers_and_nothing_else(study: Path, corpus: list[Path], tmp_path: Path) -> None:
    unquilt.open(study).scan(*corpus[1:])
    unquilt.open(tmp_path / "other.study").scan(*reversed(corpus))
    assert by_url(study) == by_url(tmp_path / "other.study")


def test_old_segments_are_not_mapped_again(study: Path, corpus: list[Path]) -> None:
    before = place(study, "fingerprint")
    check(run("scan", corpus[1], "-o", study))
    after = place(study, "fingerprint")
    assert before.items() <= after.items()
    assert len(after) == len(before) + 1


def test_a_file_under_another_name_is_another_input_of_the_same_pages(study: Path, corpus: list[Path], tmp_path: Path) -> None:
    """Later captures of the same URLs take the place of the earlier ones, so results stay."""
    before = by_url(study)
    again = shutil.copy(corpus[0], tmp_path / "again.jsonl")
    unquilt.open(study).scan(again)
    assert unquilt.open(study).table("capture").num_rows == 120
    assert by_url(study) == before
