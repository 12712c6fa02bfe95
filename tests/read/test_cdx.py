"""An index of archives: of all their records those it lists, and of those that are not where it says, why they are missing."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from archives import html, page, response, warc

from unquilt.errors import InputError
from unquilt.read import Fields, Found, Limits, cdx, http

NAMES = ("one", "two", "three")
HEAD = " CDX N b a m s k r M S V g"


def read(path: Path, start: int = 0, root: str | None = None) -> list[Found]:
    return list(cdx.read(path, start, Fields(), Limits(), warc_root=root))


def urls(found: list[Found]) -> list[str]:
    return [f.record.url.rpartition("/")[2] for f in found if f.record]


def reasons(found: list[Found]) -> list[str]:
    return [s.reason for f in found for s in f.skips]


def cdxj(name: str, place: tuple[int, int], file: str = "a.warc.gz", **more: object) -> str:
    said = {"url": f"http://a.example/{name}", "filename": file, "offset": str(place[0]), "length": str(place[1]), **more}
    return f"example,a)/{name} 20260102030405 {json.dumps(said)}"


def cdx11(name: str, place: tuple[int, int], file: str = "a.warc.gz") -> str:
    return f"example,a)/{name} 20260102030405 http://a.example/{name} text/html 200 AAAA - - {place[1]} {place[0]} {file}"


def cdx9(name: str, place: tuple[int, int], file: str = "a.warc.gz") -> str:
    return f"example,a)/{name} 20260102030405 http://a.example/{name} text/html 200 AAAA - {place[0]} {file}"


@pytest.fixture
def places(tmp_path: Path) -> dict[str, tuple[int, int]]:
    return dict(zip(NAMES, warc(tmp_path / "a.warc.gz", *map(page, NAMES)), strict=True))


def index(folder: Path, *lines: str, name: str = "a.cdxj") -> Path:
    path = folder / name
    path.write_text("".join(line + "\n" for line in lines))
    return path


FORMS = {
    "CDXJ": ([], cdxj),
    "CDX of 11 columns": ([HEAD], cdx11),
    "CDX of 9 columns": ([" CDX N b a m s k r V g"], cdx9),
    "11 columns without a first line": ([], cdx11),
    "9 columns without a first line": ([], cdx9),
    "CDXJ with a comment": (["!meta 0 {}", ""], cdxj),
}


@pytest.mark.parametrize(("head", "row"), FORMS.values(), ids=FORMS)
def test_only_what_is_listed_is_read(tmp_path, places, head, row):
    found = read(index(tmp_path, *head, row("three", places["three"]), row("one", places["one"])))
    assert urls(found) == ["three", "one"]
    assert reasons(found) == []


def test_columns_may_stand_in_any_order_and_be_divided_otherwise(tmp_path, places):
    lines = ["|CDX|g|V|a", f"a.warc.gz|{places['two'][0]}|http://a.example/two"]
    assert urls(read(index(tmp_path, *lines, name="a.cdx"))) == ["two"]


def test_a_compressed_index_is_read(tmp_path, places):
    path = tmp_path / "a.cdxj.gz"
    path.write_bytes(b"".join(gzip.compress((cdxj(n, places[n]) + "\n").encode()) for n in NAMES))
    assert urls(read(path)) == list(NAMES)


def test_the_origin_is_the_record_in_the_archive(tmp_path, places):
    for found, name in zip(read(index(tmp_path, *(cdxj(n, places[n]) for n in NAMES))), NAMES, strict=True):
        assert (found.file, found.in_file) == ("a.warc.gz", places[name])
        again = cdx.fetch(tmp_path / "a.cdxj", found.file, *found.in_file, Limits())
        assert http.decoded(http.parse(again.record.block), 1000).data == html(name)


@pytest.mark.parametrize("packed", [True, False])
def test_reading_goes_on_at_the_end_of_any_row(tmp_path, places, packed):
    path = index(tmp_path, cdxj("one", places["one"]), "bad", "", cdxj("two", (7, 7)), cdxj("three", places["three"]))
    if packed:
        path = path.rename(tmp_path / "b.cdxj.gz")
        path.write_bytes(gzip.compress(path.read_bytes()))
    found = read(path)
    assert urls(found) == ["one", "three"]
    for number, one in enumerate(found):
        assert read(path, one.offset + one.length) == found[number + 1 :]


def test_archives_that_are_not_compressed_are_read(tmp_path):
    places = warc(tmp_path / "p.warc", *map(page, NAMES), packed=False)
    assert urls(read(index(tmp_path, cdxj("two", places[1], "p.warc")))) == ["two"]


def test_an_archive_is_looked_for_below_the_root_and_by_its_last_name(tmp_path, places):
    deep = tmp_path / "deep" / "er"
    deep.mkdir(parents=True)
    (tmp_path / "a.warc.gz").rename(deep / "a.warc.gz")
    path = index(tmp_path, cdxj("one", places["one"], "er/a.warc.gz"), cdxj("two", places["two"], "crawl-data/CC/a.warc.gz"))
    assert reasons(read(path)) == ["archive missing"] * 2
    assert urls(read(path, root=str(tmp_path / "deep"))) == ["one"]
    assert urls(read(path, root=str(deep))) == ["one", "two"]


def test_a_root_that_is_not_there_is_said(tmp_path, places):
    with pytest.raises(InputError, match="--warc-root"):
        read(index(tmp_path, cdxj("one", places["one"])), root=str(tmp_path / "no"))


WRONG = {
    "beyond the end": ((1 << 40, 10), "wrong offset"),
    "in the middle of a record": ((30, 200), "wrong offset"),
    "at the very end": ((None, 10), "wrong offset"),
}


@pytest.mark.parametrize(("place", "reason"), WRONG.values(), ids=WRONG)
def test_a_wrong_offset_is_told_with_its_place_and_the_rest_is_read(tmp_path, places, place, reason):
    place = (place[0] if place[0] is not None else (tmp_path / "a.warc.gz").stat().st_size, place[1])
    bad, good = read(index(tmp_path, cdxj("one", place), cdxj("two", places["two"])))
    assert [s.reason for s in bad.skips] == [reason]
    assert bad.skips[0].url == "http://a.example/one"
    assert bad.in_file == place
    assert good.record.url == "http://a.example/two"


def test_a_length_that_is_too_short_is_told_with_what_there_was(tmp_path, places):
    found = read(index(tmp_path, cdxj("one", (0, 40)), cdxj("two", places["two"])))
    assert urls(found)[-1] == "two"
    assert found[0].skips


def test_a_missing_archive_is_told_and_the_rest_is_read(tmp_path, places):
    found = read(index(tmp_path, cdxj("one", places["one"], "gone.warc.gz"), cdxj("two", places["two"])))
    assert reasons(found) == ["archive missing"]
    assert (found[0].file, found[0].skips[0].url) == ("gone.warc.gz", "http://a.example/one")
    assert urls(found) == ["two"]


@pytest.mark.parametrize("name", ["../a.warc.gz", "/etc/passwd", "x/../../a.warc.gz", "a\0.warc.gz"])
def test_an_index_reaches_no_file_outside_of_its_root(tmp_path, places, name):
    inner = tmp_path / "inner"
    inner.mkdir()
    assert reasons(read(index(inner, cdxj("one", places["one"], name)))) == ["unsafe name"]


NO_ROWS = {
    "words": ("some words", "not a row of an index"),
    "cut JSON": ('example,a)/ 20260102030405 {"url": "http://a.example/"', "not a row of an index"),
    "no place": ('example,a)/ 20260102030405 {"url": "http://a.example/"}', "no place in the index"),
    "an offset below zero": (cdxj("one", (-5, 10)), "no place in the index"),
    "an offset that is no number": (cdxj("one", (0, 10), offset="ten"), "no place in the index"),
    "a name that is no text": (cdxj("one", (0, 10), filename=7), "no place in the index"),
    "JSON nested deep": ("a b {" + '"a":{' * 20000 + "}" * 20001, "not a row of an index"),
    "a very long row": (cdxj("o" * (2 << 20), (0, 10)), "record too large"),
}


@pytest.mark.parametrize(("line", "reason"), NO_ROWS.values(), ids=NO_ROWS)
def test_what_is_no_row_is_told_and_the_rest_is_read(tmp_path, places, line, reason):
    found = read(index(tmp_path, line, cdxj("two", places["two"])))
    assert reasons(found) == [reason]
    assert urls(found) == ["two"]


def test_an_index_of_other_archives_is_noticed_and_the_page_is_kept(tmp_path, places):
    (found,) = read(index(tmp_path, cdxj("one", places["two"])))
    assert found.record.url == "http://a.example/two"
    assert [(s.reason, s.what, s.url) for s in found.skips] == [("index says otherwise", "url", "http://a.example/two")]


def test_a_url_that_is_spelled_otherwise_is_the_same(tmp_path):
    (place,) = warc(tmp_path / "a.warc.gz", response("http://www.a.example/A/", b"<html>"))
    (found,) = read(index(tmp_path, cdxj("", place, url="https://a.example/a")))
    assert not found.skips


def test_an_empty_index_is_told(tmp_path):
    assert reasons(read(index(tmp_path))) == ["empty file"]
    assert [f.length for f in read(index(tmp_path))] == [0]


def test_a_damaged_index_is_told(tmp_path, places):
    path = tmp_path / "a.cdxj.gz"
    path.write_bytes(gzip.compress("".join(cdxj(n, places[n]) + "\n" for n in NAMES).encode())[:-20])
    found = read(path)
    assert reasons(found)[-1] == "damaged compression"


class Served(BaseHTTPRequestHandler):
    """The files of a folder, of which parts may be asked for; in `asked` what was."""

    url: str
    folder: Path
    asked: list[tuple[str, str | None]]

    def do_GET(self) -> None:
        range_ = self.headers.get("Range")
        self.asked.append((self.path, range_))
        path = self.folder / self.path[1:]
        if not path.is_file():
            self.send_error(404)
            return
        begin, end = (int(n) for n in str(range_).removeprefix("bytes=").split("-"))
        data = path.read_bytes()[begin : end + 1]
        self.send_response(206 if data else 416)
        self.send_header("Content-Range", f"bytes {begin}-{begin + len(data) - 1}/{path.stat().st_size}")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server(tmp_path: Path) -> Iterator[type[Served]]:
    class Here(Served):
        folder, asked, url = tmp_path / "there", [], ""

    Here.folder.mkdir()
    with ThreadingHTTPServer(("127.0.0.1", 0), Here) as running:
        Here.url = f"http://127.0.0.1:{running.server_address[1]}"
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield Here
        running.shutdown()
        thread.join()


@pytest.mark.loopback
@pytest.mark.parametrize("packed", [True, False])
def test_records_are_fetched_one_by_one_where_the_root_is_a_url(tmp_path, server, packed):
    (server.folder / "crawl").mkdir()
    places = warc(server.folder / "crawl" / "a.warc.gz", *map(page, NAMES), packed=packed)
    path = index(tmp_path, cdxj("three", places[2], "crawl/a.warc.gz"), cdxj("one", places[0], "crawl/a.warc.gz"))
    found = read(path, root=f"{server.url}/")
    assert urls(found) == ["three", "one"]
    assert [f.in_file for f in found] == [places[2], places[0]]
    assert server.asked == [("/crawl/a.warc.gz", f"bytes={begin}-{begin + length - 1}") for begin, length in (places[2], places[0])]
    again = cdx.fetch(path, "crawl/a.warc.gz", *places[1], Limits(), warc_root=server.url)
    assert again.record.url == "http://a.example/two"


@pytest.mark.loopback
def test_what_is_not_at_the_url_is_told_and_the_rest_is_read(tmp_path, server):
    places = warc(server.folder / "a.warc.gz", *map(page, NAMES))
    lines = [
        cdxj("one", places[0], "gone.warc.gz"),
        cdxj("one", places[0], "../../a.warc.gz"),
        cdxj("one", (1 << 40, 10)),
        cdx9("two", places[1]),
    ]
    found = read(index(tmp_path, *lines), root=server.url)
    assert reasons(found) == ["archive missing", "unsafe name", "wrong offset"]
    assert urls(found) == ["two"]
    assert [path for path, _ in server.asked] == ["/gone.warc.gz", "/a.warc.gz", "/a.warc.gz"]
