"""Names, languages and time zones of a machine change nothing in what is found."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from processes import USAGE, check, complaint, published, run

import unquilt

MACHINES = {
    "C": {"LC_ALL": "C"},
    "C without UTF-8": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "Turkish": {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
    "far east of Greenwich": {"TZ": "Pacific/Kiritimati"},
    "far west of Greenwich": {"TZ": "Etc/GMT+12"},
}
EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "blogs.jsonl"


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder to work in, with the input under one name: names of files are part of what is stored."""
    folder = tmp_path_factory.mktemp("inputs")
    shutil.copy(EXAMPLES, folder / "blogs.jsonl")
    return folder


@pytest.fixture(scope="module")
def expected(inputs: Path) -> dict[str, str]:
    check(run("scan", "blogs.jsonl", "-o", "expected.study", cwd=inputs))
    return published(inputs / "expected.study")


@pytest.mark.parametrize("machine", MACHINES)
def test_every_machine_makes_the_same_tables(machine: str, inputs: Path, expected: dict[str, str], tmp_path: Path) -> None:
    study = tmp_path / "a.study"
    check(run("scan", "blogs.jsonl", "-o", study, cwd=inputs, env=MACHINES[machine]))
    assert published(study) == expected
    check(run("export", study, "pages", "-o", tmp_path / "there.csv", env=MACHINES[machine]))
    unquilt.open(study).export("pages", tmp_path / "here.csv")
    assert (tmp_path / "there.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()


STUDIES = [
    'it\'s "quoted" 100%{x}$HOME`ls`;.study',
    "页面-ünï-صفحة.study",
    "page=7",  # which DuckDB would take for a column
    "snapshot=2026/news.study",
    "[a-z]*?.study",
    "-dash\nbreak.study",
]


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_may_have_any_name(name: str, inputs: Path, expected: dict[str, str], tmp_path: Path) -> None:
    study = tmp_path / name
    (tmp_path / "a.study").mkdir()  # which a pattern would match
    check(run("scan", "blogs.jsonl", "-o", study, "--tmp", tmp_path / "t" / name, cwd=inputs))
    assert published(study) == expected
    opened = unquilt.open(study)
    assert opened.rows("host_pair").num_rows
    assert opened.verify() == []
    assert opened.export("copy", tmp_path / "out.parquet")


def test_a_study_may_have_a_name_in_utf8_where_the_locale_has_none(inputs: Path, expected: dict[str, str], tmp_path: Path) -> None:
    study = tmp_path / "页面.study"
    check(run("scan", "blogs.jsonl", "-o", study, cwd=inputs, env=MACHINES["C without UTF-8"]))
    assert published(study) == expected


def raw(folder: Path, name: bytes) -> Path:
    path = Path(os.fsdecode(os.fsencode(folder) + b"/" + name))
    try:
        path.touch()
    except OSError as error:
        pytest.skip(f"this file system takes no such name: {error}")
    path.unlink()
    return path


@pytest.mark.parametrize("ending", [b".jsonl", b".jsonl.gz", b".parquet"])
def test_an_input_may_have_a_name_that_is_no_text(ending: bytes, tmp_path: Path) -> None:
    path, study = raw(tmp_path, b"caf\xe9 'x' " + ending), tmp_path / "a.study"
    _write(path, ending)
    done = check(run("scan", path, "-o", study, cwd=tmp_path))
    assert "pages      1" in done.stdout
    opened = unquilt.open(study)
    assert opened.manifest.inputs[0].name == f"{tmp_path}/caf\\xe9 'x' {ending.decode()}"
    assert opened.table("capture")["file"].to_pylist() == [opened.manifest.inputs[0].name]
    check(run("info", study, "--json"))
    assert "nothing changed" in check(run("add", study, path)).stderr


def _write(path: Path, ending: bytes) -> None:
    import gzip

    import pyarrow as pa
    import pyarrow.parquet as pq

    page = {"url": "https://a.example/", "text": "one two three four five six"}
    line = b'{"url": "https://a.example/", "text": "one two three four five six"}\n'
    if ending == b".parquet":
        with path.open("wb") as file:
            pq.write_table(pa.Table.from_pylist([page]), file)
    else:
        path.write_bytes(gzip.compress(line) if ending.endswith(b".gz") else line)


def test_a_study_whose_name_is_no_text_is_refused_before_anything_is_read(inputs: Path, tmp_path: Path) -> None:
    study = raw(tmp_path, b"caf\xe9.study")
    said = complaint(check(run("scan", "blogs.jsonl", "-o", study, cwd=inputs), USAGE))
    assert "is not UTF-8" in said
    assert "give the folder another name" in said
    assert not study.exists()


def test_a_tmp_whose_name_is_no_text_is_refused(inputs: Path, tmp_path: Path) -> None:
    done = run("scan", "blogs.jsonl", "-o", tmp_path / "a.study", "--tmp", raw(tmp_path, b"t\xe9mp"), cwd=inputs)
    assert "is not UTF-8" in complaint(check(done, USAGE))


def test_an_export_may_have_a_name_that_is_no_text(inputs: Path, expected: dict[str, str], tmp_path: Path) -> None:
    for ending in (b".parquet", b".jsonl", b".csv"):
        path = raw(tmp_path, b"caf\xe9" + ending)
        check(run("export", inputs / "expected.study", "host_pair", "-o", path))
        assert path.stat().st_size > 0
