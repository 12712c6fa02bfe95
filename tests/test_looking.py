"""The HTML of a page again: from every kind of input there is, exactly its bytes, or one sentence why not."""

from __future__ import annotations

import gzip
import io
import json
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import unquilt as uq
from unquilt.errors import InputError, UsageError
from unquilt.read.reader import KINDS
from unquilt.store import Store

sys.path.append(str(Path(__file__).parent / "read"))

from archives import arc, html, http, packed, page, record, response, version_block, wacz, warc, warc_bytes

NAMES = ("one", "two", "three")
URLS = [f"http://a.example/{name}" for name in NAMES]
HTML = {url: html(name) for url, name in zip(URLS, NAMES, strict=True)}
WIKITEXT = {name: f"'''{name}''' is a number, and [[Number]] says so".encode() for name in NAMES}
Row = dict[str, str]
ROWS: list[Row] = [{"url": url, "html": data.decode()} for url, data in HTML.items()]


@dataclass(frozen=True)
class Input:
    """What is added, what lies in its pages by URL, and how it is to be read."""

    path: Path
    pages: Mapping[str, bytes] = field(default_factory=lambda: HTML)
    options: uq.Options = field(default_factory=uq.Options)


def a_warc(folder: Path) -> Input:
    warc(folder / "a.warc.gz", *map(page, NAMES))
    return Input(folder / "a.warc.gz")


def a_plain_warc(folder: Path) -> Input:
    warc(folder / "a.warc", *map(page, NAMES), packed=False)
    return Input(folder / "a.warc")


def a_warc_of_coded_bodies(folder: Path) -> Input:
    coded = "Content-Type: text/html\r\nContent-Encoding: gzip\r\n"
    warc(folder / "a.warc.gz", *(response(url, gzip.compress(data), headers=coded) for url, data in HTML.items()))
    return Input(folder / "a.warc.gz")


def an_arc(folder: Path) -> Input:
    records = [version_block(), *(arc(url, http(data)) for url, data in HTML.items())]
    (folder / "a.arc.gz").write_bytes(b"".join(map(packed, records)))
    return Input(folder / "a.arc.gz")


def a_wacz(folder: Path) -> Input:
    archives = {f"archive/{name}.warc.gz": warc_bytes(page(name)) for name in NAMES}
    return Input(wacz(folder / "a.wacz", archives))


def an_index(folder: Path) -> Input:
    (folder / "archives").mkdir()
    places = warc(folder / "archives" / "a.warc.gz", *map(page, NAMES))
    said = [{"url": url, "filename": "a.warc.gz", "offset": o, "length": n} for url, (o, n) in zip(URLS, places, strict=True)]
    (folder / "a.cdxj").write_text("".join(f"example,a)/ 20260102030405 {json.dumps(one)}\n" for one in said))
    return Input(folder / "a.cdxj", options=uq.Options(warc_root=str(folder / "archives")))


def a_folder(folder: Path) -> Input:
    (folder / "crawl" / "a.example").mkdir(parents=True)
    for name in NAMES[:2]:
        (folder / "crawl" / "a.example" / f"{name}.html").write_bytes(html(name))
    (folder / "crawl" / "a.example" / "three.html.gz").write_bytes(gzip.compress(html("three")))
    return Input(folder / "crawl", {f"{url}.html": data for url, data in HTML.items()})


def a_file(folder: Path) -> Input:
    (folder / "one.html").write_bytes(html("one"))
    return Input(folder / "one.html", {"http://a.example/one.html": html("one")}, uq.Options(base_url="http://a.example/"))


def jsonl(folder: Path, rows: Sequence[Row] = ROWS) -> Input:
    (folder / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return Input(folder / "a.jsonl")


def packed_jsonl(folder: Path) -> Input:
    (folder / "a.jsonl.gz").write_bytes(gzip.compress(jsonl(folder).path.read_bytes()))
    return Input(folder / "a.jsonl.gz")


def csv(folder: Path, rows: Sequence[Row] = ROWS) -> Input:
    from csv import DictWriter

    with (folder / "a.csv").open("w", newline="") as file:
        writer = DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return Input(folder / "a.csv")


def parquet(folder: Path, rows: Sequence[Row] = ROWS) -> Input:
    pq.write_table(pa.Table.from_pylist(list(rows)), folder / "a.parquet", row_group_size=2)
    return Input(folder / "a.parquet")


def a_wiki(folder: Path) -> Input:
    pages = "".join(
        f"<page><title>{name}</title><ns>0</ns><id>{n}</id><revision><id>{n}</id><timestamp>2026-01-01T00:00:00Z</timestamp>"
        f"<model>wikitext</model><text>{text.decode()}</text></revision></page>"
        for n, (name, text) in enumerate(WIKITEXT.items(), 1)
    )
    (folder / "a.xml").write_text(f"<mediawiki><siteinfo><base>http://a.example/wiki/Main</base></siteinfo>{pages}</mediawiki>")
    return Input(folder / "a.xml", {f"http://a.example/wiki/{name}": text for name, text in WIKITEXT.items()})


KIND: dict[str, list[Callable[[Path], Input]]] = {
    "warc": [a_warc, a_plain_warc, a_warc_of_coded_bodies, an_arc],
    "wacz": [a_wacz],
    "cdx": [an_index],
    "folder": [a_folder],
    "html": [a_file],
    "jsonl": [jsonl, packed_jsonl],
    "csv": [csv],
    "parquet": [parquet],
    "mediawiki": [a_wiki],
}
MAKES = [make for makes in KIND.values() for make in makes]
ROWED: list[Callable[[Path, Sequence[Row]], Input]] = [jsonl, csv, parquet]


def named(make: Callable[..., object]) -> str:
    return make.__name__


def added(folder: Path, one: Input) -> uq.Study:
    study = uq.open(folder / "s.study", memory="4GB", threads=1)
    study.add(one.path, options=one.options)
    return study


def test_no_kind_of_input_that_has_pages_is_left_out() -> None:
    assert KIND.keys() == KINDS.keys() - {"document"}


@pytest.mark.parametrize("make", MAKES, ids=named)
def test_the_bytes_of_every_page_are_given_again(make: Callable[[Path], Input], tmp_path: Path) -> None:
    one = make(tmp_path)
    study = added(tmp_path, one)
    assert {url: study.html(url) for url in one.pages} == one.pages


@pytest.mark.parametrize("make", MAKES, ids=named)
def test_an_input_may_lie_elsewhere_by_now(make: Callable[[Path], Input], tmp_path: Path) -> None:
    one = make(tmp_path)
    study = added(tmp_path, one)
    (tmp_path / "moved").mkdir()
    one.path.rename(tmp_path / "moved" / one.path.name)
    url = next(iter(one.pages))
    with pytest.raises(InputError, match="is not there any more, and the study keeps no HTML; put it back"):
        study.html(url)
    assert study.html(url, tmp_path / "moved") == one.pages[url]


@pytest.mark.parametrize("make", MAKES, ids=named)
def test_another_input_under_the_same_name_is_told(make: Callable[[Path], Input], tmp_path: Path) -> None:
    one = make(tmp_path)
    study = added(tmp_path, one)
    file = next(p for p in [one.path, *sorted(one.path.rglob("*"))] if p.is_file())
    content = file.read_bytes()
    for changed in (content[:-1] + bytes([content[-1] ^ 1]), content + b"\n", b""):
        file.write_bytes(changed)
        with pytest.raises(InputError, match="was changed since it was added"):
            study.html(next(iter(one.pages)))
    file.write_bytes(content)
    assert study.html(next(iter(one.pages)))


def test_a_damaged_archive_behind_an_index_is_told(tmp_path: Path) -> None:
    """The index is as it was; the archive is not compared, so what is found there has to be the record."""
    study = added(tmp_path, an_index(tmp_path))
    archive = tmp_path / "archives" / "a.warc.gz"
    archive.write_bytes(archive.read_bytes()[:40])
    with pytest.raises(InputError, match="put the one that was added back"):
        study.html(URLS[2])
    archive.unlink()
    with pytest.raises(InputError, match="has not the record any more"):
        study.html(URLS[0])


def test_what_came_on_stdin_is_kept_as_long_as_its_html_may_be_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(a_warc(tmp_path).path.read_bytes())))
    study = uq.open(tmp_path / "s.study", threads=1)
    study.add("-")
    assert {url: study.html(url) for url in URLS} == HTML
    study.remove(urls=[URLS[0]])
    with pytest.raises(InputError, match=r"the page came on stdin, and the study has no copy of that \(any more\)"):
        study.html(URLS[1])


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The folder on a server of its own."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.mark.loopback
def test_what_was_fetched_is_fetched_again_or_taken_from_a_folder(tmp_path: Path) -> None:
    path = a_warc(tmp_path).path
    study = uq.open(tmp_path / "s.study", threads=1)
    with served(tmp_path) as url:
        study.add(f"{url}/{path.name}")
        assert study.html(URLS[1]) == HTML[URLS[1]]
    assert study.html(URLS[1], tmp_path) == HTML[URLS[1]]


@pytest.mark.parametrize("make", ROWED, ids=named)
def test_a_page_given_as_text_has_no_html(make: Callable[[Path, Sequence[Row]], Input], tmp_path: Path) -> None:
    study = added(tmp_path, make(tmp_path, [{"url": url, "text": "words"} for url in URLS]))
    with pytest.raises(InputError, match="gives its pages as text, so there is no HTML of them; leave --html out to see the text"):
        study.html(URLS[0])


SAME = "sha1:AAAA"


def a_revisit(url: str, **more: Any) -> bytes:
    return record("revisit", url, b"HTTP/1.1 304 Not Modified\r\n\r\n", WARC_Payload_Digest=SAME, **more)


@pytest.fixture(params=["one file", "two files"])
def revisited(request: pytest.FixtureRequest, tmp_path: Path) -> uq.Study:
    """A page, and a revisit of it under another address."""
    original = response(URLS[0], HTML[URLS[0]], WARC_Payload_Digest=SAME.lower().replace("sha1", "SHA1"))
    again = a_revisit("http://b.example/again", WARC_Refers_To_Target_URI=URLS[0])
    files = [(original, again)] if request.param == "one file" else [(again,), (original,)]
    study = uq.open(tmp_path / "s.study", threads=1)
    for number, records in enumerate(files):
        warc(tmp_path / f"{number}.warc.gz", *records)
        study.add(tmp_path / f"{number}.warc.gz")
    return study


def test_of_a_revisit_the_bytes_of_the_original_are_given(revisited: uq.Study) -> None:
    found = revisited.page("http://b.example/again")
    assert (found.text, found.captures) == (revisited.page(URLS[0]).text, 1)
    assert revisited.html("http://b.example/again") == revisited.html(URLS[0]) == HTML[URLS[0]]


def test_a_revisit_whose_original_was_removed_is_told(revisited: uq.Study) -> None:
    revisited.remove(urls=[URLS[0]])
    with pytest.raises(InputError, match="the page is a revisit, and the capture it refers to was removed"):
        revisited.html("http://b.example/again")


def test_a_removed_page_is_not_there(tmp_path: Path) -> None:
    study = added(tmp_path, a_warc(tmp_path))
    study.remove(urls=[URLS[0]])
    for ask in (study.page, study.html):
        with pytest.raises(UsageError, match=f"no page of the study has the id or URL `{URLS[0]}`"):
            ask(URLS[0])
    assert study.html(URLS[1]) == HTML[URLS[1]]


def test_a_study_without_pages_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the study has no pages yet; add some"):
        uq.open(tmp_path / "s.study").html("http://a.example/")


def test_inputs_of_one_name_are_told_apart(tmp_path: Path) -> None:
    """The file was changed and added again; each page belongs to one of the two."""
    path, url = tmp_path / "a.jsonl", "http://a.example/"
    study = uq.open(tmp_path / "s.study", threads=1)
    for id_, text in (("first", "<p>the first</p>"), ("later", "<p>the later</p>")):
        path.write_text(json.dumps({"url": url, "id": id_, "html": text}) + "\n")
        study.add(path)
    assert study.html("later") == b"<p>the later</p>"
    with pytest.raises(InputError, match="was changed since it was added"):
        study.html("first")


def test_an_input_that_was_read_in_two_goes_is_found_again(tmp_path: Path) -> None:
    """It stands behind the one that was added in between, though its first captures come before those."""
    between = Input(tmp_path / "b.jsonl")
    between.path.write_text(json.dumps({"url": "http://b.example/", "html": "<p>between</p>"}) + "\n")
    study = added(tmp_path, jsonl(tmp_path))
    study.add(between.path)
    store = Store(study.folder)
    store.write(replace(store.read(), inputs=store.read().inputs[::-1]))
    assert [study.html(url) for url in (*URLS, "http://b.example/")] == [*HTML.values(), b"<p>between</p>"]


def test_of_several_captures_the_one_that_counts_comes_first(tmp_path: Path) -> None:
    newer = response(URLS[0], html("new"), WARC_Date="2024-01-02T03:04:05Z")
    warc(tmp_path / "a.warc.gz", newer, page("one"))
    study = added(tmp_path, Input(tmp_path / "a.warc.gz"))
    assert (study.page(URLS[0]).captures, study.html(URLS[0])) == (2, html("new"))
    study.run(uq.Copies())
    assert study.html(URLS[0].replace("a.example", "A.Example:80")) == html("new")
