"""Several processes and one study: one writes, the others are told who, and readers read all the while."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import CANNOT_GO_ON, check, complaint, published, run

import unquilt

HOLDER = """
import sys
from pathlib import Path
from unquilt import lock
sys.argv = ["/usr/bin/unquilt", "add", sys.argv[1], "november.jsonl"]
with lock.held(Path(sys.argv[2])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(study: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(study)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_a_second_writer_learns_who_writes(study: Path, holder: subprocess.Popen[str], corpus: list[Path]) -> None:
    said = complaint(check(run("add", study, corpus[1], "--snapshot", "2"), CANNOT_GO_ON))
    assert f"process {holder.pid} on {socket.gethostname()}" in said
    assert f"`unquilt add {study} november.jsonl`" in said


def test_readers_work_while_another_writes(study: Path, holder: subprocess.Popen[str], tmp_path: Path) -> None:
    check(run("show", study, "host_pair"))
    check(run("info", study, "--verify"))
    check(run("export", study, "pages", "-o", tmp_path / "pages.jsonl"))
    check(run("plan", study, "overlaps"))


def test_the_lock_of_a_dead_process_is_taken(study: Path, holder: subprocess.Popen[str], corpus: list[Path]) -> None:
    holder.kill()
    holder.wait()
    check(run("add", study, corpus[1], "--snapshot", "2"))


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe", b"null", b"[1]", b'{"pid": 1}', json.dumps({"pid": os.getpid(), "host": "h", "command": "c"}).encode()],
    ids=["empty", "no text", "null", "a list", "half of it", "one that lives"],
)
def test_what_stands_in_a_stale_lock_file_does_not_matter(content: bytes, study: Path) -> None:
    (study / "lock").write_bytes(content)
    assert unquilt.open(study).add() == []


def test_a_holder_that_did_not_sign_is_another_process(study: Path, holder: subprocess.Popen[str]) -> None:
    (study / "lock").write_bytes(b"\x00garbage")
    with pytest.raises(unquilt.UnquiltError, match="is being written by another process; wait"):
        unquilt.open(study).add()


def test_two_scans_that_make_the_same_study_end_in_one(corpus: list[Path], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "unquilt", "scan", str(corpus[0]), "-o", str(tmp_path / "new.study"), "-q"]
    both = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    ends = sorted((p.wait(), p.stderr.read() if p.stderr else "") for p in both)
    assert ends[0] == (0, "")
    assert ends[1][0] in (0, CANNOT_GO_ON), ends
    assert ends[1][0] == 0 or "is being written by" in ends[1][1]
    check(run("info", tmp_path / "new.study", "--verify"))


def test_a_reader_that_began_before_a_write_still_sees_what_it_opened(study: Path, corpus: list[Path]) -> None:
    reader = unquilt.open(study, create=False)
    before, rows = reader.manifest, reader.table("host_pair").num_rows
    unquilt.open(study).run(unquilt.Overlaps(k=4))
    from unquilt import exporting
    from unquilt.store import Store

    assert exporting.whole(Store(study), before, "host_pair").num_rows == rows
    assert published(study)["host_pair"] != before.tables["host_pair"].identity


def test_two_studies_share_one_tmp(corpus: list[Path], tmp_path: Path) -> None:
    commands = [
        [sys.executable, "-m", "unquilt", "scan", str(corpus[0]), "-o", str(tmp_path / f"{n}.study"), "-q", "--tmp", str(tmp_path / "t")]
        for n in range(2)
    ]
    both = [subprocess.Popen(c, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for c in commands]
    assert [(p.wait(), p.stderr.read() if p.stderr else "") for p in both] == [(0, ""), (0, "")]
    assert published(tmp_path / "0.study") == published(tmp_path / "1.study")
    assert list((tmp_path / "t").iterdir()) == []
