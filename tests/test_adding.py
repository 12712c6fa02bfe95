"""Inputs become captures: all of them, once, each with a name of its own, and whatever stops it in between."""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

sys.path.insert(0, str(Path(__file__).parent / "read"))

from archives import http, page, record, response, wacz, warc, warc_bytes

import unquilt
from unquilt import adding, running
from unquilt.cli import progress
from unquilt.cli.main import _run
from unquilt.corpus import current
from unquilt.extract import pool as pools
from unquilt.read.options import Options
from unquilt.store import Store
from unquilt.watch import Watch

Open = Callable[..., unquilt.Study]


@pytest.fixture
def opened(tmp_path: Path) -> Open:
    """Studies, one after the other."""
    numbers = itertools.count()

    def one(memory: str = "4GB", threads: int = 1, **more: Any) -> unquilt.Study:
        return unquilt.open(tmp_path / f"{next(numbers)}.study", memory=memory, threads=threads, **more)

    return one


@dataclass(frozen=True)
class Ended:
    stdout: str
    stderr: str


Run = Callable[..., Ended]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command line in this process."""

    def called(*words: str | Path, given: bytes = b"", cwd: Path | None = None, code: int = 0) -> Ended:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        if cwd is not None:
            monkeypatch.chdir(cwd)
        capfd.readouterr()
        ended = _run([os.fspath(w) for w in words])
        said = Ended(*capfd.readouterr())
        assert ended == code, said
        return said

    return called


def rows(study: unquilt.Study, query: str) -> list[tuple[Any, ...]]:
    return [tuple(r.values()) for r in study.sql(query).to_pylist()]


def live(study: unquilt.Study) -> list[str]:
    """Texts of the captures that count."""
    with study._store.writer():
        running.run(study._store, study.engine, current.steps(), Watch())
    return [text for (text,) in rows(study, "SELECT text FROM capture SEMI JOIN current USING (page) ORDER BY text")]


def published(study: unquilt.Study) -> dict[str, str]:
    return {name: held.identity for name, held in study.manifest.tables.items()}


# --- names ---------------------------------------------------------------------------------------


def test_two_texts_on_stdin_are_two_pages_and_the_same_one_is_one(tmp_path, run):
    study = tmp_path / "a.study"
    for text in ("one", "two", "one"):
        said = run("add", study, "-", given=f'{{"text": "{text}"}}\n'.encode()).stderr
    assert said == "stdin: is in the study already, nothing changed\n"
    opened = unquilt.open(study)
    opened.run(unquilt.Copies())
    assert rows(opened, "SELECT text FROM capture JOIN current USING (page) ORDER BY page") == [("one",), ("two",)]
    first, second = (r["id"] for r in opened.rows("pages").to_pylist())
    assert first.partition("#") == ("stdin", "#", "0")
    assert second.startswith("stdin@")
    assert second.partition("#")[1:] == ("#", "0")


def test_files_of_one_name_are_told_apart_in_what_leaves_the_study(tmp_path, run):
    study = tmp_path / "a.study"
    for folder, text in (("x", "one"), ("y", "two"), ("z", "one")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "p.jsonl").write_text(f'{{"text": "{text}"}}\n{{"url": "http://a.example/", "text": "{text}"}}\n')
        run("add", study, "p.jsonl", cwd=tmp_path / folder)
    opened = unquilt.open(study)
    opened.run(unquilt.Copies())
    opened.export("pages", tmp_path / "pages.csv")
    exported = list(csv.DictReader((tmp_path / "pages.csv").open()))
    assert sorted(p["text"] for p in exported) == ["one", "two", "two"]  # the URL has two captures, of which the later counts
    assert len({p["id"] for p in exported}) == 3
    assert [f.name for f in opened.manifest.inputs] == ["p.jsonl", "p.jsonl"]
    assert {p["warc_filename"] for p in exported} == {f.label for f in opened.manifest.inputs}


def test_the_html_of_pages_that_came_on_stdin_is_had_again_by_either_name(tmp_path, run):
    study = tmp_path / "a.study"
    for name in ("one", "two"):
        run("add", study, "-", given=json.dumps({"html": f"<p>{name}"}).encode())
    opened = unquilt.open(study)
    ids = [r[0] for r in rows(opened, "SELECT id FROM capture ORDER BY page")]
    assert [opened.html(i) for i in ids] == [b"<p>one", b"<p>two"]
    opened.remove(urls=[ids[1]])
    assert [r[0] for r in rows(opened, "SELECT text FROM capture ORDER BY page")] == ["one", ""]


def test_pages_of_two_folders_are_two_and_a_file_that_is_named_twice_is_one(opened, tmp_path, run):
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "index.html").write_text(f"<p>{folder}")
    study = opened()
    study.add(tmp_path / "x", tmp_path / "y", tmp_path / "x" / "index.html")
    assert live(study) == ["x", "y"]


def test_pages_of_two_wikis_are_two_though_they_have_the_same_numbers(opened, tmp_path, run):
    for name in ("de", "en"):
        page = f"<page><title>A</title><ns>0</ns><id>1</id><revision><id>1</id><text>{name}</text></revision></page>"
        site = f"<siteinfo><base>http://{name}.example/Main</base></siteinfo>"
        (tmp_path / f"{name}.xml").write_text(f"<mediawiki>{site}{page}</mediawiki>")
    study = opened()
    study.add(tmp_path / "de.xml", tmp_path / "en.xml")
    assert live(study) == ["de", "en"]


SAME = [
    # what is read, and the texts that count with --same-url keep, and newest
    ([{"id": 1}, {"id": 2}], ["0", "1"], ["1"]),
    ([{"id": 1}, {"id": 1}], ["1"], ["1"]),
    ([{}, {"id": 1}], ["0", "1"], ["1"]),
    ([{"fetched": "2021-01-01"}, {"fetched": "2020-01-01"}, {}], ["0"], ["0"]),
    ([{"id": 1}, {"id": 1, "url": "http://b.example/"}], ["0", "1"], ["0", "1"]),
    ([{"id": 1, "url": None}, {"id": 1, "url": None}, {"url": None}], ["1", "2"], ["1", "2"]),
]


@pytest.mark.parametrize(("pages", "keep", "newest"), SAME)
def test_records_with_one_url_are_pages_or_captures_of_one_as_one_chooses(pages, keep, newest, opened, tmp_path, run):
    lines = [{"url": "http://a.example/", "text": str(n), **p} for n, p in enumerate(pages)]
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    for same_url, texts in (("keep", keep), ("newest", newest)):
        study = opened()
        study.add(tmp_path / "p.jsonl", options=Options(same_url=same_url))
        assert live(study) == texts


# --- once, and to the same bytes -------------------------------------------------------------------


def lines(path: Path) -> Path:
    some = [{"url": f"http://a.example/{n}", "text": f"page {n} " * 20} for n in range(40)]
    path.write_bytes(gzip.compress("".join(json.dumps(p) + "\n" for p in some).encode()) if path.suffix == ".gz" else b"")
    if path.suffix != ".gz":
        path.write_text("".join(json.dumps(p) + "\n" for p in some))
    return path


def table(path: Path) -> Path:
    pq.write_table(pa.table({"text": [f"page {n} " * 20 for n in range(40)]}), path, row_group_size=15)
    return path


def cells(path: Path) -> Path:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("id", "text"), *((n, f"page {n}\n" * 20) for n in range(40))])
    return path


def archive(path: Path) -> Path:
    moved = record("response", "http://a.example/old", b"HTTP/1.1 301 M\r\nLocation: /new\r\n\r\n")
    again = record("revisit", "http://a.example/again", WARC_Refers_To_Target_URI="http://a.example/page%203")
    body = '<p>{0}<a href="/{0}">a link</a><time datetime="2019-05-0{1}">then</time>'
    pages = [response(f"http://a.example/page {n}", (body.format(n, n % 9 + 1) + "words " * 40).encode()) for n in range(30)]
    records = [*pages[:10], moved, again, *pages[10:], record("response", block=http(b"", "Content-Type: image/png\r\n"))]
    if path.suffix == ".wacz":
        return wacz(path, {"archive/a.warc.gz": warc_bytes(*records[:15]), "archive/b.warc.gz": warc_bytes(*records[15:])})
    warc(path, *records)
    return path


def folder(path: Path) -> Path:
    for n in range(40):
        (path / f"{n // 7}.example").mkdir(parents=True, exist_ok=True)
        (path / f"{n // 7}.example" / f"{n}.html").write_text(f"<p>page {n} <a href=x>link</a>" + "words " * 40)
    return path


def wiki(path: Path) -> Path:
    pages = (f"<page><title>P{n}</title><id>{n}</id><revision><text>{'words ' * 40}</text></revision></page>" for n in range(40))
    path.write_text(f"<mediawiki>{''.join(pages)}</mediawiki>")
    return path


INPUTS: dict[str, Callable[[Path], Path]] = {
    "p.jsonl": lines, "p.jsonl.gz": lines, "p.parquet": table, "p.csv": cells, "a.warc.gz": archive, "a.wacz": archive, "folder": folder,
    "w.xml": wiki,
}  # fmt: skip


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many segments of small batches."""
    monkeypatch.setattr(adding, "SEGMENT_BYTES", 3000)
    monkeypatch.setattr(adding, "BATCH_FOUNDS", 4)


def stopped_after(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process ends where it would publish for the (number + 1)-th time."""
    write, count = Store.write, itertools.count()

    def writes(self: Store, new: Any) -> Any:
        if next(count) == number:
            raise KeyboardInterrupt
        return write(self, new)

    monkeypatch.setattr(Store, "write", writes)


SOME = ("p.jsonl.gz", "p.parquet", "a.wacz", "folder")


@pytest.mark.parametrize("name", [n if n in SOME else pytest.param(n, marks=pytest.mark.long) for n in INPUTS])
def test_what_is_stopped_at_any_segment_goes_on_to_the_same_bytes(name, opened, tmp_path, small, monkeypatch):
    path = INPUTS[name](tmp_path / name)
    whole = opened()
    whole.add(path)
    segments = len(whole.manifest.tables["capture"].segments)
    assert segments >= 4
    study = opened()
    for number in range(segments - 1):
        with monkeypatch.context() as patch:
            stopped_after(number % 2, patch)
            with pytest.raises(KeyboardInterrupt):
                study.add(path)
        if study.manifest.inputs and study.manifest.inputs[0].complete:
            break
    study.add(path)
    assert published(study) == published(whole)
    assert study.manifest.inputs == whole.manifest.inputs


@pytest.mark.parametrize("name", INPUTS)
def test_what_is_added_twice_changes_nothing_and_says_so(name, opened, tmp_path):
    path = INPUTS[name](tmp_path / name)
    study = opened()
    first, before = study.add(path), study.manifest
    again = study.add(path)
    assert ([a.already for a in first], [a.already for a in again]) == ([False], [True])
    assert study.manifest == before
    assert first[0].file.pages >= 30


def test_memory_and_threads_make_no_difference(opened, tmp_path, small, monkeypatch):
    monkeypatch.setattr(pools, "ALONE", 1)
    path = archive(tmp_path / "a.warc.gz")
    made = [opened(memory, threads) for memory, threads in (("4GB", 1), ("8GB", 1), ("8GB", 2))]
    for study in made:
        study.add(path)
    assert [published(study) for study in made[1:]] == [published(made[0])] * 2


def test_a_folder_is_read_with_the_archives_in_it(tmp_path, run):
    crawl = tmp_path / "crawl"
    (crawl / "sub").mkdir(parents=True)
    (crawl / "a.html").write_text("<p>filed")
    (crawl / "sub" / "notes.pdf").write_bytes(b"%PDF-1.4")
    warc(crawl / "sub" / "a.warc.gz", page("one"), page("two"))
    wacz(crawl / "b.wacz", {"archive/c.warc": page("three")})
    done = run("add", "c.study", "crawl", cwd=tmp_path)
    assert done.stderr.splitlines()[:3] == ["crawl: 1 page, 1 record skipped", "crawl/b.wacz: 1 page", "crawl/sub/a.warc.gz: 2 pages"]
    again = run("add", "c.study", "crawl", cwd=tmp_path).stderr.splitlines()
    assert [line.split(": ")[1] for line in again[:3]] == ["is in the study already, nothing changed"] * 3


# --- how far it has come ---------------------------------------------------------------------------

PROGRESS = {
    "p.jsonl": "100% of .* kB, ",
    "p.jsonl.gz": "40 pages$",
    "p.csv": "100% of .* kB, ",
    "p.parquet": "100% of 40 rows, ",
    "a.warc.gz": "100% of .* kB, ",
    "one.warc.gz": "40 pages$",
    "a.wacz": "30 pages$",
    "folder": "40 pages$",
    "w.xml": "40 pages$",
}


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What a watch without a terminal says of every step forward."""
    said: list[str] = []
    monkeypatch.setattr(progress, "EVERY", 0)
    monkeypatch.setattr(progress, "to_stderr", said.append)
    return iter([said]).__next__()  # type: ignore[return-value]


@pytest.mark.parametrize("name", PROGRESS)
def test_the_last_line_of_reading_says_all_of_it(name, opened, tmp_path, small, told):
    path = tmp_path / name
    if name == "one.warc.gz":
        path.write_bytes(gzip.compress(b"".join(page(f"{n}") for n in range(40))))
    else:
        INPUTS[name](path)
    study = opened(watch=progress.PlainWatch())
    study.add(path)
    lines = [line for line in told if line.startswith(f"read {name}: ")]
    assert len(lines) > 5
    assert re.search(PROGRESS[name], lines[-1]), lines[-1]
    shares = [int(m[1]) for line in lines if (m := re.search(r": (\d+)% of", line))]
    assert shares == sorted(shares)
    assert len({line.split("% of")[-1].split(",")[0] for line in lines}) == 1 or not shares


def test_reading_that_goes_on_counts_what_is_left(opened, tmp_path, small, told, monkeypatch):
    path = lines(tmp_path / "p.jsonl")
    study = opened(watch=progress.PlainWatch())
    with monkeypatch.context() as patch:
        stopped_after(1, patch)
        with pytest.raises(KeyboardInterrupt):
            study.add(path)
    told.clear()
    study.add(path)
    shown = [line for line in told if line.startswith("read p.jsonl: ")]
    assert "100% of" in shown[-1]
    assert "100% of" not in shown[0]


# --- what is lost, and what is not there -------------------------------------------------------------


@pytest.mark.parametrize("name", ["p.jsonl.gz", "a.warc.gz"])
def test_a_file_that_was_cut_off_is_told_of_and_always_too_much(name, tmp_path, run):
    whole = INPUTS[name](tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(whole[: len(whole) * 9 // 10])
    study = tmp_path / "a.study"
    added = run("add", study, tmp_path / name, "--max-skipped", "50%", code=1)
    assert f"{tmp_path / name}: part of it is lost, for it was cut off or is damaged; fetch it again if you can\n" in added.stderr
    assert "unquilt: lost: the rest of 1 file, cut off or damaged" in added.stderr
    run("add", study, tmp_path / name)
    assert unquilt.open(study).summary().lost == 1


def test_a_scan_says_that_a_file_was_cut_off(tmp_path, run):
    path = lines(tmp_path / "p.jsonl.gz")
    path.write_bytes(path.read_bytes()[:-20])
    scanned = run("scan", path, "-o", tmp_path / "a.study", "--max-skipped", "50%", code=1)
    assert "\nlost       the rest of 1 file, cut off or damaged; nobody knows how many records that were\n" in scanned.stdout


def test_records_that_are_left_out_are_no_lost_file(tmp_path, run):
    (tmp_path / "q.jsonl").write_text('{"text": "good"}\nbad\n' + '{"text": "good"}\n' * 8)
    run("add", tmp_path / "q.study", tmp_path / "q.jsonl", "--max-skipped", "10%")


def test_a_study_that_a_command_made_for_nothing_is_not_left(tmp_path, run):
    bad, good = tmp_path / "p.parquet", lines(tmp_path / "p.jsonl")
    bad.write_bytes(b"PAR1 and nothing more")
    for command in (["scan", bad, "-o", tmp_path / "a.study"], ["add", tmp_path / "a.study", bad]):
        run(*command, code=3)
        assert not (tmp_path / "a.study").exists()
    run("add", tmp_path / "a.study", good, bad, code=3)
    assert unquilt.open(tmp_path / "a.study", create=False).table("capture").num_rows == 40
    unquilt.open(tmp_path / "b.study")
    run("add", tmp_path / "b.study", bad, code=3)
    assert unquilt.open(tmp_path / "b.study", create=False).manifest.inputs == ()


def test_what_remove_did_is_told_to_programs(tmp_path, run):
    study = tmp_path / "a.study"
    run("add", study, lines(tmp_path / "p.jsonl"))
    unquilt.open(study).run(unquilt.Copies())
    said = run("remove", study, "--url", "http://a.example/7", "--host", "b.example", "--json")
    answer = json.loads(said.stdout)
    assert (answer["captures"], answer["unknown"]) == (1, ["b.example"])
    assert "current" in answer["made"]
    nothing = json.loads(run("remove", study, "--host", "b.example", "--json", code=1).stdout)
    assert nothing == {"captures": 0, "unknown": ["b.example"], "made": []}


SECRET = "http://secret.example/"


def test_a_removed_page_leaves_no_link_date_redirect_revisit_nor_kept_input(tmp_path, run):
    body = f'<title>secret</title><p>secret <a href="{SECRET}link">secret</a><time datetime="2018-07-06">6 July 2018</time>'
    records = [
        response(f"{SECRET}page", body.encode(), WARC_Payload_Digest="sha1:SECRETA"),
        record("revisit", f"{SECRET}again", WARC_Payload_Digest="sha1:SECRETA", WARC_Refers_To_Target_URI=f"{SECRET}page"),
        record("revisit", f"{SECRET}waits", WARC_Payload_Digest="sha1:SECRETB", WARC_Refers_To_Target_URI=f"{SECRET}never"),
        record("response", f"{SECRET}old", b"HTTP/1.1 301 M\r\nLocation: /secret\r\n\r\n"),
        record("response", f"{SECRET}none", b"HTTP/1.1 404 N\r\n\r\n"),
        response("http://other.example/", b"<p>others' words <a href=/x>stay</a>"),
    ]
    study = tmp_path / "a.study"
    run("add", study, "-", given=warc_bytes(*records))
    opened = unquilt.open(study)
    assert opened.html(f"{SECRET}page") == body.encode()
    assert list((study / "inputs").iterdir()) != []
    before = {t: rows(opened, f"SELECT count(*) FROM {t}")[0][0] for t in ("link", "page_date", "redirect", "revisit", "skipped")}
    assert all(before.values())
    assert "captures removed: 2" in run("remove", study, "--host", "secret.example").stderr
    for file in study.rglob("*.parquet"):
        assert "secret" not in repr(pq.read_table(file).to_pylist()).lower(), file
    assert [p.name for p in study.rglob("*") if p.is_file() and b"secret" in p.read_bytes()] == []
    assert not any((study / "inputs").iterdir())
    assert rows(opened, "SELECT anchor FROM link") == [("stay",)]
    assert rows(opened, "SELECT count(*) FROM page_date") == [(0,)]
    assert {t: rows(opened, f"SELECT count(*) FROM {t}")[0][0] for t in ("redirect", "revisit", "skipped")} == {
        t: before[t] for t in ("redirect", "revisit", "skipped")
    }
