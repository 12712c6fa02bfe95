"""The bytes of a page, read again from the input it came from; or one sentence that says why that cannot be."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from archives import html, page, response, wacz, warc, warc_bytes, zip_of

from unquilt.errors import InputError
from unquilt.read import Fields, Options, reader_for, reader_of
from unquilt.read.again import Again, check_unchanged
from unquilt.read.identity import identity

NAMES = ("one", "two", "three")
URLS = [f"http://a.example/{n}" for n in NAMES]


def again(path: Path, fields: Fields | None = None, options: Options | None = None) -> list[Again]:
    """Every page of the input, by what its capture would say of it."""
    reader = reader_for(path, fields, options)
    places = [(f.file or str(path), *f.in_file) for f in reader.read(path, 0) if f.record]
    return [reader_of(reader.recipe()).fetch(path, *place) for place in places]


def rows(**more: object) -> list[dict[str, object]]:
    return [{"url": url, "html": html(name).decode(), **more} for url, name in zip(URLS, NAMES, strict=True)]


def archives(tmp_path: Path) -> dict[str, Path]:
    made = {name: tmp_path / name for name in ("a.warc.gz", "a.warc", "stream.warc.gz")}
    records = [page(n) for n in NAMES]
    warc(made["a.warc.gz"], *records)
    warc(made["a.warc"], *records, packed=False)
    made["stream.warc.gz"].write_bytes(gzip.compress(b"".join(records)))
    return made


@pytest.mark.parametrize("name", ["a.warc.gz", "a.warc", "stream.warc.gz"])
def test_the_body_of_a_response_is_given_again(tmp_path: Path, name: str) -> None:
    assert [a.data for a in again(archives(tmp_path)[name])] == [html(n) for n in NAMES]


def test_what_a_browser_would_have_got_is_given(tmp_path: Path) -> None:
    body = gzip.compress(html("one"))
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    said = "Content-Type: text/html\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n"
    warc(tmp_path / "a.warc.gz", response(URLS[0], chunked, headers=said))
    assert [a.data for a in again(tmp_path / "a.warc.gz")] == [html("one")]


def test_a_body_over_the_limit_is_given_whole(tmp_path: Path) -> None:
    body = b"<html>" + b"x" * 10_100_000
    warc(tmp_path / "a.warc.gz", response(URLS[0], body))
    assert [a.data for a in again(tmp_path / "a.warc.gz")] == [body]


@pytest.mark.parametrize("deflated", [False, True])
def test_a_page_of_a_wacz_is_given_again(tmp_path: Path, deflated: bool) -> None:
    path = wacz(tmp_path / "c.wacz", {f"archive/{n}.warc.gz": warc_bytes(page("x"), page(n)) for n in NAMES}, deflated=deflated)
    assert [a.data for a in again(path)] == [html(n) for name in NAMES for n in ("x", name)]


def test_a_page_that_an_index_picked_is_given_again(tmp_path: Path) -> None:
    (tmp_path / "archives").mkdir()
    places = warc(tmp_path / "archives" / "a.warc.gz", *map(page, NAMES))
    said = [{"url": u, "filename": "a.warc.gz", "offset": o, "length": n} for u, (o, n) in zip(URLS, places, strict=True)]
    (tmp_path / "i.cdxj").write_text("".join(f"example,a)/ 20260102030405 {json.dumps(s)}\n" for s in reversed(said)))
    found = again(tmp_path / "i.cdxj", options=Options(warc_root=str(tmp_path / "archives")))
    assert [a.data for a in found] == [html(n) for n in reversed(NAMES)]


def test_a_file_of_a_folder_is_given_again_unpacked(tmp_path: Path) -> None:
    folder = tmp_path / "f"
    for name, data in {"a.example/x.html": html("x"), "a.example/y.html.gz": gzip.compress(html("y")), "z.txt": b"words"}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    assert again(folder) == [Again(html("x")), Again(html("y")), Again(b"words", "text")]


def test_a_single_file_is_given_again(tmp_path: Path) -> None:
    (tmp_path / "x.html").write_bytes(html("x"))
    assert again(tmp_path / "x.html") == [Again(html("x"))]


@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz", ".csv", ".parquet"])
def test_the_html_of_a_row_is_given_again(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a{ending}"
    _write(path, rows())
    assert [a.data for a in again(path)] == [html(n) for n in NAMES]


@pytest.mark.parametrize("ending", [".jsonl", ".csv", ".parquet"])
def test_a_page_that_was_given_as_text_has_no_html_and_that_is_said(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a{ending}"
    _write(path, [{"url": u, "text": "words"} for u in URLS])
    with pytest.raises(InputError, match="gives its pages as text, so there is no HTML of them"):
        again(path)


def _write(path: Path, made: list[dict[str, object]]) -> None:
    import csv
    import io

    if path.suffix == ".parquet":
        with path.open("wb") as file:
            pq.write_table(pa.Table.from_pylist(made), file)
        return
    out = io.StringIO()
    if ".csv" in path.suffixes:
        writer = csv.DictWriter(out, list(made[0]))
        writer.writeheader()
        writer.writerows(made)
    else:
        out.writelines(json.dumps(row) + "\n" for row in made)
    data = out.getvalue().encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)


def test_of_a_mediawiki_export_the_wikitext_is_given(tmp_path: Path) -> None:
    pages = "".join(
        f"<page><title>{n}</title><ns>0</ns><id>{i}</id><revision><id>{i}</id><timestamp>2026-01-01T00:00:00Z</timestamp>"
        f"<model>wikitext</model><text>'''{n}''' is a number</text></revision></page>"
        for i, n in enumerate(NAMES, 1)
    )
    (tmp_path / "w.xml").write_text(f"<mediawiki><siteinfo><base>http://a.example/wiki/Main</base></siteinfo>{pages}</mediawiki>")
    assert again(tmp_path / "w.xml") == [Again(f"'''{n}''' is a number".encode(), "wikitext") for n in NAMES]


GONE = [("a.warc.gz", 3, 5), ("a.warc.gz", 1 << 40, 5), ("a.warc.gz", 0, 5)]


@pytest.mark.parametrize("place", GONE)
def test_a_place_where_nothing_is_any_more_is_said(tmp_path: Path, place: tuple[str, int, int]) -> None:
    path = archives(tmp_path)["a.warc.gz"]
    with pytest.raises(InputError, match="any more, so it was changed; put the one that was added back"):
        reader_for(path).fetch(path, *place)


def test_an_archive_that_is_not_in_the_zip_any_more_is_said(tmp_path: Path) -> None:
    path = wacz(tmp_path / "c.wacz", {"archive/a.warc.gz": warc_bytes(page("one"))})
    with pytest.raises(InputError, match="has no archive `archive/b"):
        reader_for(path).fetch(path, "archive/b.warc.gz", 0, 5)


def test_an_archive_that_was_refused_stays_so(tmp_path: Path) -> None:
    path = zip_of(tmp_path / "c.wacz", [(b"../a.warc.gz", 0, warc_bytes(page("one")), 0)])
    with pytest.raises(InputError, match="has no archive"):
        reader_for(path).fetch(path, "../a.warc.gz", 0, 5)


def test_an_archive_of_an_index_that_is_gone_is_said(tmp_path: Path) -> None:
    (tmp_path / "i.cdxj").write_text("")
    with pytest.raises(InputError, match=r"`gone\.warc\.gz` has not the record any more \(archive missing\)"):
        reader_for(tmp_path / "i.cdxj").fetch(tmp_path / "i.cdxj", "gone.warc.gz", 0, 5)


def test_an_input_that_is_not_there_any_more_is_said(tmp_path: Path) -> None:
    path = archives(tmp_path)["a.warc.gz"]
    reader = reader_for(path)
    path.unlink()
    with pytest.raises(InputError, match="is not there any more"):
        check_unchanged(path, "a.warc.gz", 1, "0")
    with pytest.raises(InputError, match="is not there any more|any more, so it was changed"):
        reader.fetch(path, "a.warc.gz", 0, 5)


def test_an_input_that_was_changed_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"one")
    before = identity(path)
    check_unchanged(path, "a.jsonl", *before)
    path.write_bytes(b"two")
    with pytest.raises(InputError, match=r"`a\.jsonl` was changed since it was added \(as many bytes, others\)"):
        check_unchanged(path, "a.jsonl", *before)
    path.write_bytes(b"three")
    with pytest.raises(InputError, match=r"it had 3 bytes, now it has 5"):
        check_unchanged(path, "a.jsonl", *before)
