"""What is removed is gone: from results, from tables, from the disk; the rest is as if it had never been there."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from corpora import Page, write
from processes import check, run, tree
from test_growing import by_url

import unquilt

GONE = "https://host-3.example/1/3"
FINDINGS = 1


def read(corpus: list[Path]) -> list[list[Page]]:
    return [[json.loads(line) for line in path.read_text("utf-8").splitlines()] for path in corpus]


def without(corpus: list[Path], folder: Path, gone: re.Pattern[str]) -> Path:
    """A study of the pages whose URLs do not match."""
    files = [[p for p in pages if not gone.search(p["url"])] for pages in read(corpus)]
    paths = [write(folder / f"rest-{i}.jsonl", pages) for i, pages in enumerate(files)]
    unquilt.open(folder / "rest.study").scan(*paths)
    return folder / "rest.study"


def named(study: Path, what: str) -> list[str]:
    """Tables with a cell in which the words occur, and files that hold them as they are."""
    tables = [p.parts[-3] for p in sorted(study.rglob("*.parquet")) if what in repr(pq.read_table(p).to_pylist())]
    files = [p.name for p in sorted(study.rglob("*")) if p.is_file() and what.encode() in p.read_bytes()]
    return [*tables, *files]


def test_a_removed_url_leaves_what_a_study_of_the_others_has(study: Path, corpus: list[Path], tmp_path: Path) -> None:
    assert "captures removed: 1" in check(run("remove", study, "--url", GONE)).stderr
    rest = without(corpus, tmp_path, re.compile(re.escape(GONE) + "$"))
    assert by_url(study) == by_url(rest)
    assert unquilt.open(study).summary().removed == 1


def test_a_removed_host_leaves_what_a_study_of_the_others_has(study: Path, corpus: list[Path], tmp_path: Path) -> None:
    assert "captures removed: 15" in check(run("remove", study, "--host", "HOST-3.example.")).stderr
    assert by_url(study) == by_url(without(corpus, tmp_path, re.compile("host-3[.]example")))


def test_removed_urls_of_a_list(study: Path, corpus: list[Path], tmp_path: Path) -> None:
    listed = tmp_path / "list.txt"
    listed.write_text("HTTPS://host-4.example:443/1/4\n\nhttps://host-5.example/1/5#top\n  https://host-0.example/1/0\n", "utf-8")
    assert "captures removed: 3" in check(run("remove", study, "--list", listed)).stderr
    assert by_url(study) == by_url(without(corpus, tmp_path, re.compile("/1/[045]$")))


def test_add_and_add_and_remove_is_the_study_of_the_rest(corpus: list[Path], tmp_path: Path) -> None:
    study = tmp_path / "a.study"
    opened = unquilt.open(study)
    opened.scan(corpus[0])
    opened.remove(hosts=["host-0.example"])
    opened.scan(*corpus[1:])
    opened.remove(hosts=["host-0.example", "host-1.example"])
    assert by_url(study) == by_url(without(corpus, tmp_path, re.compile("host-[01][.]example")))


def test_removing_twice_changes_nothing(study: Path) -> None:
    check(run("remove", study, "--url", GONE))
    before = tree(study)
    done = check(run("remove", study, "--url", GONE), FINDINGS)
    assert f"`{GONE}` is not in the study" in done.stderr
    assert tree(study) == before


def test_an_unknown_name_is_told_and_the_others_go(study: Path) -> None:
    done = check(run("remove", study, "--url", "https://nowhere.example/", "--url", GONE))
    assert "`https://nowhere.example/` is not in the study" in done.stderr
    assert "captures removed: 1" in done.stderr


def test_nothing_but_unknown_names_is_a_finding(study: Path) -> None:
    before = tree(study)
    assert "nothing was removed" in check(run("remove", study, "--host", "nowhere.example"), FINDINGS).stderr
    assert tree(study) == before


def test_old_segments_without_removed_pages_stay(study: Path, corpus: list[Path]) -> None:
    first = read(corpus)[0][0]["url"]
    before = tree(study / "tables" / "capture")
    maps = tree(study / "tables" / "fingerprint")
    check(run("remove", study, "--url", first))
    assert len(before.items() & tree(study / "tables" / "capture").items()) == 2
    assert len(maps.items() & tree(study / "tables" / "fingerprint").items()) == 2


SECRET = {
    "id": "secretid",
    "url": "https://secrethost.example/secretpath",
    "title": "secrettitle",
    "text": "some secretword that nobody else has in the whole corpus",
    "language": "secretlanguage",
    "date": "secretdate",
}


@pytest.mark.parametrize("name", [["--url", SECRET["url"]], ["--url", SECRET["id"]], ["--host", "secrethost.example"]])
def test_nothing_that_a_removed_page_said_stays_on_the_disk(name: list[str], corpus: list[Path], tmp_path: Path) -> None:
    study = tmp_path / "a.study"
    pages = [*read(corpus)[0], SECRET, {**SECRET, "url": "https://secrethost.example:x/ not a url"}]
    unquilt.open(study).scan(write(tmp_path / "pages.jsonl", pages), snapshot="crawl")
    assert {"capture", "skipped", "host"} <= set(named(study, "secret"))
    check(run("remove", study, *name))
    if name[0] == "--host":  # the page whose URL was not understood has no host, and stays
        check(run("remove", study, "--url", "secretid"))
    left = named(study, "secret")
    if name[1] != SECRET["url"]:
        assert left == []
    else:  # the page of the same id and another URL is another page
        assert unquilt.open(study).table("pages").filter(_text_is(SECRET["text"])).num_rows == 1
    check(run("info", study, "--verify"))


def _text_is(text: str) -> Any:
    import pyarrow.compute as pc

    return pc.field("text") == text


def test_the_place_of_a_removed_record_in_the_input_stays(study: Path, corpus: list[Path]) -> None:
    where = 'SELECT page, file, "offset", length FROM capture ORDER BY page'
    before = unquilt.open(study).sql(where)
    check(run("remove", study, "--host", "host-3.example"))
    assert unquilt.open(study).sql(where).equals(before)


def test_info_says_how_to_remove_the_same_again(study: Path, corpus: list[Path], tmp_path: Path) -> None:
    """Without naming what was removed: by its place in the input."""
    check(run("remove", study, "--url", GONE))
    place = f"{corpus[0]}#{_offset(corpus[0], GONE)}"
    again = unquilt.open(study).info()["again"]
    assert shlex.join(["unquilt", "remove", str(study), f"--url={place}"]) in again
    assert GONE not in "".join(again)
    other = tmp_path / "other.study"
    unquilt.open(other).scan(*corpus)
    check(run("remove", other, f"--url={place}"))
    assert by_url(other) == by_url(study)
    before = tree(study)
    assert "captures removed: 0" in check(run("remove", study, f"--url={place}")).stderr
    assert tree(study) == before


def _offset(path: Path, url: str) -> int:
    offset = 0
    for line in path.read_bytes().splitlines(keepends=True):
        if json.loads(line)["url"] == url:
            return offset
        offset += len(line)
    raise AssertionError(f"{url} is not in {path}")


def test_a_removed_page_that_is_added_again_from_another_file_is_back(study: Path, corpus: list[Path], tmp_path: Path) -> None:
    before = by_url(study)
    check(run("remove", study, "--url", GONE))
    page = [p for p in read(corpus)[0] if p["url"] == GONE]
    unquilt.open(study).scan(write(tmp_path / "again.jsonl", page))
    assert by_url(study) == before


def test_the_lock_does_not_keep_what_was_removed(study: Path) -> None:
    check(run("remove", study, "--url", GONE))
    assert (study / "lock").read_bytes() == b""
