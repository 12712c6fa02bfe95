"""What a command says when something is wrong: one sentence, the right exit code, no traceback, no litter."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

KINDS = ".jsonl, .ndjson, .csv, .tsv, .parquet, .warc, .arc, .wet, .wat, .wacz, .cdx, .cdxj, .xml, .html, .htm, .shtml, .xhtml, .txt"
REFUSED = "mend that, then the same command goes on"
WRONG_CALLS = [
    (["scam"], "there is no command `scam`; did you mean `scan`? there are: scan, add, run, plan, show, page, info, remove, export"),
    (["scan"], "missing argument 'INPUT...'; `unquilt scan --help` says what can be given"),
    (["run", "blogs.study"], "no method is named; the methods are: copies, overlaps, suspects (`unquilt run blogs.study suspects`)"),
    (["plan", "blogs.study"], "no method is named; the methods are: copies, overlaps, suspects (`unquilt plan blogs.study suspects`)"),
    (["run", "blogs.study", "overlap"], "there is no method `overlap`; did you mean `overlaps`? there are: copies, overlaps, suspects"),
    (["run", "blogs.study", "zzz"], "there is no method `zzz`; there are: copies, overlaps, suspects"),
    (["run", "blogs.study", "overlaps", "--k", "0"], "k=0 is out of range; give 1 to 64"),
    (["run", "blogs.study", "overlaps", "--max-df", "1"], "m=1 is out of range; give 2 to 1000"),
    (["run", "blogs.study", "overlaps", "--memory", "lots"], "`lots` is no amount of memory; write it like 8GB, 512MB or 60%"),
    (
        ["show", "blogs.study", "--by", "host"],
        "--by host counts the rows of a table, and none is named; `unquilt show blogs.study` lists them",
    ),
    (
        ["export", "blogs.study", "host", "-o", "x.xlsx"],
        "`x.xlsx` ends in no format that is written; end it in one of .parquet, .jsonl, .csv",
    ),
    (
        ["export", "blogs.study", "host", "-o", "no/x.csv"],
        "`no/x.csv` cannot be written: there is no folder `no`; name a file in a folder that is there",
    ),
    (["remove", "blogs.study"], "nothing to remove is named; give --url, --host or --list"),
    (["remove", "blogs.study", "--list", "no"], "`no` cannot be read (No such file or directory); give a file with one URL a line"),
    (["add", "blogs.study", "blogs.jsonl", "--max-skipped", "all"], "`all` is no share; write it like 1% or 0.01"),
    (
        ["scan", "blogs.study/manifest.json"],
        f"`blogs.study/manifest.json` is of no kind that is read; give a folder or a file that ends in one of {KINDS}",
    ),
    (
        ["scan", "blogs.jsonl", "--params", "no.json"],
        "`no.json` cannot be read (No such file or directory); give a JSON file of parameters",
    ),
]


@pytest.mark.parametrize(("words", "sentence"), WRONG_CALLS, ids=[" ".join(w) for w, _ in WRONG_CALLS])
def test_a_call_that_makes_no_sense_ends_with_2(call, example, words, sentence):
    before = sorted(p.name for p in example.iterdir())
    done = call(*words, cwd=example)
    assert (done.code, done.out, done.err) == (2, "", f"unquilt: {sentence}\n")
    assert sorted(p.name for p in example.iterdir()) == before


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (
            ["show", "blogs.study", "cpoy"],
            "there is no table `cpoy`; did you mean `copy`? there are: pages, address, bare_text, capture, copy, current",
        ),
        (["show", "blogs.study", "tombstone"], "table `tombstone` is not made yet"),
        (["show", "blogs.study", "pages", "--by", "lang"], "did you mean `language`?"),
        (["run", "blogs.study", "overlaps", "--k", "x"], "'x' is not a valid integer"),
        (["run", "blogs.study", "overlaps", "--q", "2"], "no such option '--q'"),
        (["export", "blogs.study", "host"], "missing option '-o' / '--output'"),
    ],
)
def test_a_wrong_name_is_answered_with_the_right_one(call, example, words, part):
    done = call(*words, cwd=example)
    assert done.code == 2
    assert part in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "`p.json` is not JSON (Expecting property name enclosed in double quotes: line 1 column 2 (char 1)); "),
        ("[1]", "`p.json` holds no JSON object; "),
        ('{"kk": 4}', "there is no parameter `kk`; did you mean `k`? there are: ahead, k, m, pages, repeats, words, years\n"),
        ('{"k": "4"}', "k='4' is no whole number; give one (k: words a gram)\n"),
        ('{"k": 4.0}', "k=4.0 is no whole number; give one (k: words a gram)\n"),
        ('{"k": true}', "k=True is no whole number; give one (k: words a gram)\n"),
        ('{"k": NaN}', "k=nan is no whole number; give one (k: words a gram)\n"),
    ],
)
def test_a_file_of_parameters_is_checked_like_options(call, example, tmp_path, text, sentence):
    shutil.copytree(example / "blogs.study", tmp_path / "blogs.study")
    (tmp_path / "p.json").write_text(text)
    done = call("run", "blogs.study", "overlaps", "--params", "p.json", cwd=tmp_path)
    assert done.code == 2
    assert done.err.startswith(f"unquilt: {sentence}")


def test_run_takes_the_file_that_scan_takes(call, example, tmp_path):
    shutil.copytree(example / "blogs.study", tmp_path / "blogs.study")
    (tmp_path / "p.json").write_text('{"overlaps": {"k": 7}, "copies": {}}')
    done = call("run", "blogs.study", "overlaps", "--params", "p.json", "--json", cwd=tmp_path)
    assert json.loads(done.out)["params"] == {"k": 7, "m": 50}


def test_what_was_typed_wins_over_the_file(call, example, tmp_path):
    shutil.copytree(example / "blogs.study", tmp_path / "blogs.study")
    (tmp_path / "p.json").write_text('{"k": 7, "m": 9}')
    done = call("run", "blogs.study", "overlaps", "--params", "p.json", "--k", "6", "--json", cwd=tmp_path)
    assert json.loads(done.out)["params"] == {"k": 6, "m": 9}


UNREADABLE = [
    (["scan", "no.jsonl", "-o", "x.study"], "`no.jsonl` cannot be read (there is no such file); check the name and its permissions"),
    (["scan", "ok.jsonl", "no.parquet", "-o", "x.study"], "`no.parquet` cannot be read (there is no such file); check the name"),
    (["show", "no.study"], "no.study is not a study: it has no manifest.json; make one with `unquilt scan`"),
    (["scan", "ok.jsonl", "-o", "full"], "full is there and is not a study; name another folder, or an empty one"),
    (["scan", "text.parquet", "-o", "x.study"], "`text.parquet` cannot be read as Parquet ("),
    (["scan", "junk.jsonl"], "not one of 2 records could be read (not UTF-8 2); `unquilt show junk.study skipped` says where"),
    (["add", "y.study", "untexted.jsonl"], "`untexted.jsonl` has no record with a text; name the field that holds it with --text-field"),
]


@pytest.mark.parametrize(("words", "sentence"), UNREADABLE, ids=[" ".join(w) for w, _ in UNREADABLE])
def test_what_cannot_be_read_ends_with_3(call, tmp_path, words, sentence):
    (tmp_path / "ok.jsonl").write_text('{"text": "fine"}\n')
    (tmp_path / "text.parquet").write_text("no Parquet")
    (tmp_path / "junk.jsonl").write_bytes(b"\x80\x81\n\xff\xfe\n")
    (tmp_path / "untexted.jsonl").write_text('{"body": "here"}\n')
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    done = call(*words, cwd=tmp_path)
    assert done.code == 3
    assert done.err.splitlines()[-1].startswith(f"unquilt: {sentence}")
    assert done.out == ""


def test_a_study_is_not_begun_when_an_input_is_not_there(call, tmp_path):
    call("scan", "no.jsonl", "-o", "x.study", cwd=tmp_path)
    call("add", "y.study", "no.jsonl", cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_was_skipped_of_a_file_of_junk_can_be_looked_at(call, tmp_path):
    (tmp_path / "junk.jsonl").write_bytes(b"\x80\x81\n\xff\xfe\n")
    assert call("scan", "junk.jsonl", cwd=tmp_path).code == 3
    assert call("show", "junk.study", "skipped", "--by", "reason", cwd=tmp_path).out == "reason     rows\nnot UTF-8     2\n"


@pytest.mark.parametrize(("most", "code"), [("24%", 1), ("0.24", 1), ("25%", 0), ("1", 0), (None, 0)])
def test_more_skipped_than_allowed_ends_with_1(call, tmp_path, most, code):
    (tmp_path / "p.jsonl").write_text('{"text": "a"}\n{"text": "b"}\n{"text": "c"}\n{\n')
    for words in (["scan", "p.jsonl"], ["add", "p.study", "p.jsonl"]):
        done = call(*words, *(["--max-skipped", most] if most else []), cwd=tmp_path)
        assert done.code == code
        said = "1 of 4 records were skipped (25.00%), more than 24.00%; `unquilt show p.study skipped --by reason` says why"
        assert (f"unquilt: {said}\n" in done.err) == (code == 1)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_ends_with_4(call, example, tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    assert call("scan", example / "blogs.jsonl", "-o", closed / "x.study").code == 4


def test_a_system_that_refuses_ends_with_4(call, example, monkeypatch):
    def refuse(*_):
        raise OSError(5, "Input/output error", "disk")

    monkeypatch.setattr(sys.modules["unquilt.cli.main"], "_drop_stdout", lambda: None)  # the tests' own stdout stays
    monkeypatch.setattr("unquilt.cli.commands.print_lines", refuse)
    done = call("info", "blogs.study", cwd=example)
    assert (done.code, done.err) == (
        4,
        "unquilt: the system refused `disk` (Input/output error); mend that, then the same command goes on\n",
    )


def test_a_full_stdout_ends_with_4(start, example):
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "unquilt", "show", "blogs.study"],
            cwd=example,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (
        4,
        f"unquilt: the system refused (No space left on device); {REFUSED}\n",
    )


def test_the_log_says_how_a_command_ended(call, example, tmp_path):
    log = tmp_path / "log.txt"
    assert call("run", "blogs.study", "overlaps", "--memory", "1MB", "-q", "--log-file", log, cwd=example).code == 2
    assert call("scan", "blogs.jsonl", "-o", "blogs.study", "--max-skipped", "0%", "--log-file", log, cwd=example).code == 0
    assert " ended: " in log.read_text().splitlines()[0]
    assert len([line for line in log.read_text().splitlines() if " ended: " in line]) == 1


def test_a_log_file_that_cannot_be_written_is_a_wrong_call(call, example):
    done = call("run", "blogs.study", "copies", "--log-file", "no/log.txt", cwd=example)
    assert (done.code, done.err) == (2, "unquilt: `no/log.txt` cannot be written (No such file or directory); name another --log-file\n")
