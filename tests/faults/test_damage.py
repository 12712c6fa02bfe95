"""What happens to a study outside our hands is found, and said in a sentence; what can be made again is."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from processes import CANNOT_GO_ON, UNREADABLE, check, complaint, published, run, tree

import unquilt
from unquilt.engine.sql import VERIFY
from unquilt.errors import DamagedTable, UnquiltError, UsageError

FINDINGS = 1


def file_of(study: Path, table: str) -> Path:
    return min((study / "tables" / table).rglob("*.parquet"))


def delete(path: Path) -> None:
    path.unlink()


def truncate(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def empty(path: Path) -> None:
    os.truncate(path, 0)


def flip(path: Path, at: int | None = None) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2 if at is None else at] ^= 1
    path.write_bytes(content)


DERIVED = ["host", "current", "fingerprint", "copy", "page_size", "host_pair"]


@pytest.mark.parametrize("damage", [delete, truncate, empty])
@pytest.mark.parametrize("table", DERIVED)
def test_a_derived_table_that_is_gone_is_made_again(table: str, damage: Callable[[Path], None], study: Path) -> None:
    before = tree(study / "tables")
    damage(file_of(study, table))
    opened = unquilt.open(study)
    assert len(opened.verify()) == 1
    with pytest.raises(DamagedTable, match="cannot be read: .* is damaged .*; `unquilt info STUDY --verify` says"):
        opened.rows(table)
    for method in (unquilt.Copies(), unquilt.Overlaps()):
        opened.run(method)
    assert tree(study / "tables") == before


def test_the_command_makes_a_deleted_table_again(study: Path, corpus: list[Path]) -> None:
    before = tree(study / "tables")
    shutil.rmtree(file_of(study, "host_overlap").parent)
    assert "files are missing or of another size" in run("plan", study, "overlaps").stdout
    check(run("scan", *corpus, "-o", study))
    assert tree(study / "tables") == before


@pytest.mark.parametrize("damage", [delete, truncate, empty, flip])
def test_a_damaged_capture_table_is_told(damage: Callable[[Path], None], study: Path) -> None:
    damage(file_of(study, "capture"))
    said = complaint(check(run("run", study, "overlaps", "--k", "4"), UNREADABLE))
    assert "table capture cannot be read" in said
    assert "make the study anew" in said or "--verify" in said
    assert "host_pair" in published(study)


def test_verify_finds_one_flipped_bit_and_says_what_to_do(study: Path) -> None:
    file = file_of(study, "host_pair")
    flip(file)
    done = check(run("info", study, "--verify"), FINDINGS)
    assert f"table host_pair: host_pair/{file.parent.name}/{file.name} is not what was published" in done.stdout
    assert "delete its folder and run the command again" in done.stdout
    shutil.rmtree(file.parent)
    check(run("run", study, "overlaps"))
    assert "every table is what was published" in check(run("info", study, "--verify")).stdout


def test_verify_finds_a_flipped_bit_wherever_it_is(study: Path) -> None:
    """Also in statistics and in the footer, where reading would not find it."""
    file = file_of(study, "host")
    original = file.read_bytes()
    opened = unquilt.open(study, create=False)
    for at in range(0, len(original), 37):
        flip(file, at)
        assert len(opened.verify()) == 1
        file.write_bytes(original)
    assert opened.verify() == []


def flips(path: Path, number: int, seed: int = 7) -> Iterator[int]:
    """The file with one bit flipped after the other, each time another; then as it was."""
    original, chance = path.read_bytes(), random.Random(seed)
    for bit in sorted(chance.sample(range(8 * len(original)), number)):
        content = bytearray(original)
        content[bit // 8] ^= 1 << bit % 8
        path.write_bytes(content)
        yield bit
    path.write_bytes(original)


@pytest.mark.parametrize("table", ["capture", "current", "copy", "host_pair", "link"])
def test_a_flipped_bit_gives_the_same_rows_or_is_told(table: str, study: Path) -> None:
    """In the contents of pages, in their heads, and in the footer, which have no checksums."""
    opened = unquilt.open(study, create=False)
    wanted, told = opened.table(table), 0
    for bit in flips(file_of(study, table), 200):
        try:
            assert opened.table(table).equals(wanted), f"bit {bit}"
        except DamagedTable:
            told += 1
    assert told > 60, "most bits matter"


ASKED: dict[str, Callable[[unquilt.Study], object]] = {
    "capture": lambda study: study.page("https://host-0.example/1/0"),
    "current": lambda study: study.rows("pages"),
    "copy": lambda study: [study.first("copy", 3), study.rows("copy")],
    "host_pair": unquilt.Study.summary,
    "suspect": lambda study: study.counts("suspect", "kind"),
    "page_size": lambda study: study.sql("SELECT words, count(*) AS n FROM page_size WHERE page > 90 GROUP BY words ORDER BY words"),
    "host": lambda study: study.sql("SELECT min(server), max(server), count(*), sum(captures) FROM host WHERE server < 7"),
}


@pytest.mark.parametrize("table", ASKED)
def test_an_answer_is_right_or_not_given(table: str, study: Path) -> None:
    ask, wanted = ASKED[table], ASKED[table](unquilt.open(study, create=False))
    told = []
    for bit in flips(file_of(study, table), 8):
        try:
            assert ask(unquilt.open(study, create=False)) == wanted, f"bit {bit}"
        except DamagedTable as error:
            told.append(str(error))
    assert told
    assert all(t.startswith(f"table {table} cannot be read: ") and t.endswith(f"; {VERIFY}") and len(t) < 500 for t in told)


def test_an_export_of_a_damaged_table_leaves_no_file(study: Path, tmp_path: Path) -> None:
    flip(file_of(study, "capture"))
    for name in ("pages.csv", "capture.parquet"):
        said = complaint(check(run("export", study, name.split(".")[0], "-o", tmp_path / name), UNREADABLE))
        assert "table capture cannot be read" in said
    assert list(tmp_path.glob("*.*")) == [study]


def test_damage_never_ends_in_anything_but_a_sentence(study: Path) -> None:
    """Bits are flipped at random, and everything is asked; errors of ours may come, and no others."""
    chance = random.Random(7)
    for _ in range(15):
        table = chance.choice(["capture", *DERIVED])
        for _ in flips(file_of(study, table), 1, chance.randrange(1 << 30)):
            for ask in (_rows(table), _rows("pages"), unquilt.Study.summary, unquilt.Study.verify):
                try:
                    ask(unquilt.open(study, create=False))
                except UsageError as error:
                    raise AssertionError("damage was taken for a mistake of the user") from error
                except UnquiltError:
                    pass


def _rows(table: str) -> Callable[[unquilt.Study], object]:
    return lambda study: study.rows(table)


def rewrite(study: Path, **facts: object) -> None:
    path = study / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **facts}), "utf-8")


def test_a_newer_manifest_is_refused_by_its_version(study: Path) -> None:
    rewrite(study, format=99, made_by="9.1", something="new")
    said = complaint(check(run("show", study), UNREADABLE))
    assert f"{study} was written by unquilt 9.1 in format 99, this one reads up to" in said
    assert "pip install -U unquilt" in said


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"null",
        b"[]",
        b"{}",
        b'{"format": "1"}',
        b'{"format": 1, "tables": [], "inputs": [], "runs": []}',
        b'{"format": 1, "tables": {"capture": 1}, "inputs": [], "runs": []}',
        b'{"format": 99}',
        b"[" * 100_000,
    ],
)
def test_a_garbled_manifest_is_told(content: bytes, study: Path) -> None:
    (study / "manifest.json").write_bytes(content)
    with pytest.raises(unquilt.UnquiltError, match=r"(put .*back from a copy, or make the study anew|install)"):
        unquilt.open(study)


def test_a_study_without_its_manifest_is_not_one(study: Path, corpus: list[Path]) -> None:
    (study / "manifest.json").unlink()
    assert "is not a study" in complaint(check(run("show", study), UNREADABLE))
    said = complaint(check(run("scan", corpus[0], "-o", study), UNREADABLE))
    assert "is there and is not a study; name another folder" in said
    assert file_of(study, "capture").exists()


def test_a_file_is_no_study(corpus: list[Path], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("text")
    for place in (tmp_path / "file", tmp_path / "file" / "a.study"):
        assert str(place) in complaint(check(run("show", place), UNREADABLE))
        assert "is or lies in a file" in complaint(check(run("scan", corpus[0], "-o", place), UNREADABLE))


def test_a_table_of_a_later_version_is_told_by_verify(study: Path) -> None:
    facts = json.loads((study / "manifest.json").read_text("utf-8"))
    rewrite(study, tables={**facts["tables"], "quilt": facts["tables"]["host"]})
    assert unquilt.open(study).verify() == ["table quilt is not one of this version; install the one that made it"]
    check(run("show", study, "host"))


@pytest.fixture
def read_only(study: Path) -> Iterator[Path]:
    """A study nobody may write to: to root permissions say nothing, so it lies on a file system that refuses."""
    if os.geteuid() != 0:
        for path in [study, *study.rglob("*")]:
            path.chmod(0o500 if path.is_dir() else 0o400)
        yield study
        for path in [study, *study.rglob("*")]:
            path.chmod(0o700)
        return
    done = subprocess.run(["mount", "--bind", study, study], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"nothing can be mounted read-only here: {done.stderr.strip()}")
    subprocess.run(["mount", "-o", "remount,ro,bind", study, study], check=True)
    yield study
    subprocess.run(["umount", study], check=True)


def test_a_read_only_study_can_be_read_and_nothing_else(read_only: Path, corpus: list[Path], tmp_path: Path) -> None:
    check(run("show", read_only, "host_pair"))
    check(run("info", read_only, "--verify"))
    check(run("plan", read_only, "overlaps", "--k", "4"))
    check(run("export", read_only, "pages", "-o", tmp_path / "out.jsonl"))
    for command in (["add", read_only, corpus[0]], ["run", read_only, "copies"], ["remove", read_only, "--host", "x"]):
        said = complaint(check(run(*command), CANNOT_GO_ON))
        assert f"{read_only} cannot be written" in said
        assert "give it write permission or copy the study" in said
    said = complaint(check(run("scan", corpus[0], "-o", read_only / "inner.study"), CANNOT_GO_ON))
    assert "cannot be written" in said


AS_NOBODY = """
import os, sys
import pyarrow, unquilt.engine.local, unquilt.study
os.setuid(65534)
for create in (False, True):
    try:
        unquilt.study.open(sys.argv[1], create=create)
    except unquilt.UnquiltError as error:
        print(error.exit_code, error)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_study_of_somebody_else_is_told(study: Path) -> None:
    """Nobody may look into it, so it cannot even be said whether it is a study."""
    study.parent.chmod(0o700)
    done = subprocess.run([sys.executable, "-c", AS_NOBODY, str(study)], capture_output=True, text=True)
    first, second = done.stdout.splitlines()
    assert first == f"3 {study}/manifest.json cannot be opened (Permission denied); check its permissions"
    assert second.startswith(f"4 {study} cannot be written (Permission denied); give it write permission")
