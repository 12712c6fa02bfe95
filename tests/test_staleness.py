"""Tables that are not made of what the study holds are told; a result answers with its own rows or not at all."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import unquilt as uq
from unquilt.errors import UsageError
from unquilt.watch import Watch

COMMON = "these five words and more are on every page of this little web"


def write(path: Path, *numbers: int) -> Path:
    rows = ({"url": f"http://{'ab'[n % 2]}.example/{n}", "text": f"{COMMON} {n}" if n % 3 else COMMON} for n in numbers)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


class Listening(Watch):
    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, sentence: str) -> None:
        self.said.append(sentence)


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Not to be touched."""
    folder = tmp_path_factory.mktemp("scanned")
    uq.open(folder / "s.study", threads=1).scan(write(folder / "first.jsonl", 0, 1, 2, 3))
    return folder


@pytest.fixture
def study(scanned: Path, tmp_path: Path) -> uq.Study:
    """A copy of it, to do with as one likes."""
    shutil.copytree(scanned, tmp_path, dirs_exist_ok=True)
    return uq.open(tmp_path / "s.study", threads=1)


def heard(study: uq.Study, ask: Any) -> list[str]:
    """What a command says that asks this."""
    watch = Listening()
    ask(uq.open(study.folder, watch=watch))
    return watch.said


def before(study: uq.Study, table: str, files: str, method: str = "copies") -> str:
    return f"`{table}` was made before {files} added; `unquilt run {study.folder} {method}` makes it again"


def test_nothing_is_said_of_what_is_made_of_all_there_is(study: uq.Study) -> None:
    assert heard(study, lambda s: [s.rows(t["table"]) for t in s.contents()]) == []
    assert study.summary().stale == []
    assert study.run(uq.Overlaps()).stale is None


def test_what_was_made_before_files_were_added_is_told_once(study: uq.Study, tmp_path: Path) -> None:
    study.add(write(tmp_path / "second.jsonl", 4, 5))
    said = [before(study, "pages", "1 file was")]
    assert heard(study, lambda s: s.rows("pages")) == said
    assert heard(study, lambda s: (s.first("pages"), s.counts("pages", "url"), s.export("pages", tmp_path / "p.csv"))) == said
    assert heard(study, lambda s: s.sql("SELECT count(*) FROM current JOIN capture USING (page)")) == [
        before(study, "current", "1 file was")
    ]
    assert heard(study, lambda s: s.first("host_pair")) == [before(study, "host_pair", "1 file was", "overlaps")]
    assert heard(study, lambda s: s.rows("suspect")) == [before(study, "suspect", "1 file was", "suspects")]
    study.add(write(tmp_path / "third.jsonl", 6), write(tmp_path / "empty.jsonl"))
    assert heard(study, lambda s: s.rows("pages")) == [before(study, "pages", "2 files were")]


def test_tables_of_the_input_are_never_behind(study: uq.Study, tmp_path: Path) -> None:
    study.add(write(tmp_path / "second.jsonl", 4, 5))
    assert heard(study, lambda s: [s.rows(t) for t in ("capture", "skipped", "link")]) == []
    assert study.rows("capture").num_rows == 6


def test_a_file_without_pages_makes_nothing_stale(study: uq.Study, tmp_path: Path) -> None:
    study.add(write(tmp_path / "empty.jsonl"))
    assert heard(study, lambda s: s.rows("pages")) == []


def test_running_the_method_that_is_named_mends_it(study: uq.Study, tmp_path: Path) -> None:
    study.add(write(tmp_path / "second.jsonl", 4, 5))
    study.run(uq.Copies())
    assert heard(study, lambda s: (s.rows("pages"), s.rows("copy"))) == []
    (said,) = heard(study, lambda s: s.rows("host_pair"))
    assert said.startswith("`host_pair` was not made of what the study holds now (input or parameters changed); ")
    assert said.endswith(f"`unquilt run {study.folder} overlaps` makes it again")
    study.run(uq.Overlaps())
    assert heard(study, lambda s: s.rows("host_pair")) == []


def test_the_parameters_of_the_run_are_those_that_count(study: uq.Study) -> None:
    study.run(uq.Overlaps(k=3, m=2))
    assert heard(study, lambda s: (s.rows("host_pair"), s.rows("pages"))) == []


def test_a_removal_makes_everything_again_and_leaves_nothing_stale(study: uq.Study) -> None:
    study.remove(urls=["http://a.example/0"])
    assert study.summary().stale == []


def test_a_deleted_file_is_damage_and_nothing_else(study: uq.Study) -> None:
    for path in (study.folder / "tables" / "copy").rglob("*.parquet"):
        path.unlink()
    watch = Listening()
    with pytest.raises(uq.UnquiltError, match="table copy cannot be read"):
        uq.open(study.folder, watch=watch).rows("copy")
    assert watch.said == []


def test_a_summary_knows_that_it_is_of_before(study: uq.Study, tmp_path: Path) -> None:
    study.add(write(tmp_path / "second.jsonl", 4, 5))
    found = study.summary()
    assert (found.captures, found.pages) == (6, 4)
    assert [s.split("`")[-2] for s in found.stale] == [f"unquilt run {study.folder} {m}" for m in ("copies", "overlaps", "suspects")]
    assert all(" made before 1 file was added; " in s for s in found.stale)
    assert found.to_dict()["stale"] == found.stale
    for method in (uq.Copies(), uq.Overlaps(), uq.Suspects()):
        study.run(method)
    assert study.summary().stale == []


def test_a_result_knows_when_it_is_behind(study: uq.Study, tmp_path: Path) -> None:
    copies = study.run(uq.Copies())
    study.add(write(tmp_path / "second.jsonl", 4, 5))
    assert copies.stale == before(study, "copy", "1 file was")
    assert copies.arrow().num_rows == 2, "its rows are still its own"


def test_a_result_never_answers_with_the_rows_of_another(study: uq.Study) -> None:
    five = study.run(uq.Overlaps(k=5))
    wanted, head = five.arrow("gram_frequency"), five.head(1)
    three = study.run(uq.Overlaps(k=3))
    asks = (lambda: five.arrow("gram_frequency"), five.head, lambda: five.sql("SELECT * FROM gram_frequency"))
    for ask in asks:
        with pytest.raises(UsageError, match="is not the one that this result was made with, for it was made anew since") as told:
            ask()
        assert str(told.value).endswith("`study.run(Overlaps(k=5, m=50))` gives these rows again")
    assert not three.arrow("gram_frequency").equals(wanted)
    again = study.run(uq.Overlaps(k=5))
    assert again.arrow("gram_frequency").equals(five.arrow("gram_frequency"))
    assert five.arrow("gram_frequency").equals(wanted)
    assert five.head(1) == head


def test_a_result_does_not_answer_for_captures_that_came_later(study: uq.Study, tmp_path: Path) -> None:
    copies = study.run(uq.Copies())
    study.add(write(tmp_path / "second.jsonl", 6, 9))
    study.run(uq.Copies())
    with pytest.raises(UsageError, match="table `copy` of .* is not the one"):
        copies.arrow()
    assert copies.sql("SELECT count(*) AS n FROM capture").to_pylist() == [{"n": 6}], "which it did not make"


def test_a_result_is_the_same_when_another_method_runs(study: uq.Study) -> None:
    copies = study.run(uq.Copies())
    wanted = copies.arrow()
    study.run(uq.Overlaps(k=2))
    assert copies.arrow().equals(wanted)
