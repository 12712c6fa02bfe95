"""What becomes of founds: rows of six tables that know which capture, record and file they are of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from archives import http

from unquilt.corpus.capture import CAPTURE, same_key
from unquilt.extract.page import How
from unquilt.extract.rows import TABLES, Extracted, Work, counted_by, extracted, joined, renumbered
from unquilt.read import Found, Record, Response, Revisit, Skip
from unquilt.read.ending import LOST

URL = "http://sub.a.github.io/x"


def work(*records: Any, skips: Sequence[Skip] = (), snapshot: str | None = None, how: How | None = None, **more: Any) -> Work:
    founds = [Found(n * 10, 10, record, tuple(skips), **more) for n, record in enumerate(records)]
    return Work("in.warc", snapshot, how or How(), founds)


def rows(made: Extracted, table: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = made.tables[table].to_pylist()
    return found


def response(body: str, url: str | None = URL, **more: Any) -> Response:
    return Response(http(body.encode()), http=True, url=url, **more)


def test_every_table_has_its_columns_and_its_types():
    made = extracted(work(response("<p>a <a href=/b>link</a>"), Record("given"), Revisit(URL, 1), None))
    for table in TABLES:
        assert made.tables[table.name].schema == table.schema
        assert made.tables[table.name].validate(full=True) is None
    assert (made.pages, made.html, made.end) == (2, 1, 40)


def test_a_capture_knows_where_it_is_from():
    made = extracted(work(response("<p>one"), response("<p>two"), snapshot="s"))
    (first, second) = rows(made, "capture")
    assert [first[c] for c in ("page", "id", "url", "host", "domain", "site")] == [
        0, URL, URL, "sub.a.github.io", "github.io", "a.github.io"
    ]  # fmt: skip
    assert [second[c] for c in ("page", "file", "offset", "length", "snapshot")] == [1, "in.warc", 10, 10, "s"]


def test_of_an_input_of_several_files_the_place_is_that_in_the_file():
    made = extracted(work(Record("x"), Revisit(URL, 1), None, skips=[Skip("bad")], file="a/b.warc", origin=(7, 3)))
    (capture,) = rows(made, "capture")
    assert [capture[c] for c in ("id", "file", "offset", "length")] == ["in.warc/a/b.warc#7", "in.warc/a/b.warc", 7, 3]
    assert {(r["file"], r["offset"]) for t in ("revisit", "skipped") for r in rows(made, t)} == {("in.warc/a/b.warc", 7)}


IDS = [
    # given id, URL, --same-url, its id, whether that tells it from others of its URL
    ("7", URL, "keep", "7", True),
    ("7", URL, "newest", "7", False),
    ("7", None, "keep", "7", True),
    (None, URL, "keep", URL, False),
    (None, None, "keep", "in.warc#0", False),
]


@pytest.mark.parametrize(("given", "url", "same_url", "id_", "apart"), IDS)
def test_ids_that_are_given_are_kept_apart_as_one_chooses(given, url, same_url, id_, apart):
    (capture,) = rows(extracted(work(Record("x", given, url), how=How(same_url=same_url))), "capture")
    assert (capture["id"], capture["apart"], capture["same"]) == (id_, apart, same_key(url, id_, apart))


def test_captures_of_one_page_have_the_same_key_and_others_another():
    keys = [
        same_key(URL, "7", apart=False),
        same_key(URL, "8", apart=False),
        same_key(URL, "7", apart=True),
        same_key(URL, "8", apart=True),
    ]
    assert keys[0] == keys[1]
    assert len({*keys, same_key(None, "7", apart=True), same_key("http://b.example/", "7", apart=True)}) == 5
    assert same_key(None, "7", apart=True) == same_key(None, "7", apart=False)


def test_words_are_counted_in_the_text_and_in_its_links():
    body = "<p>one two <a href=/1>three four</a> f\xfcnf \u4e8c\u4e09 <a href=/2>six</a> <a href=mailto:x>seven</a>"
    page, given = rows(extracted(work(response(body), Record("one, two"))), "capture")
    assert (page["words"], page["anchor_words"]) == (9, 3)
    assert (page["text_chars"], page["anchor_chars"]) == (len(page["text"]), len("three foursixseven"))
    assert (given["words"], given["anchor_words"], given["anchor_chars"], given["html_chars"]) == (2, None, None, None)


def test_links_and_dates_go_by_the_number_of_their_capture():
    dated = '<meta property="article:published_time" content="2020-01-02"><time datetime="2019-01-01">then</time>'
    made = extracted(work(response("<p>none"), response(f"{dated}<a href=/1>x</a><a href=/2>y</a>"), response("<a href=/3>z</a>")))
    assert [(r["page"], r["place"], r["target"][-2:], r["anchor"]) for r in rows(made, "link")] == [
        (1, 0, "/1", "x"), (1, 1, "/2", "y"), (2, 0, "/3", "z")
    ]  # fmt: skip
    dates = rows(made, "page_date")
    assert {r["page"] for r in dates} == {1}
    assert [r["place"] for r in dates] == list(range(len(dates)))
    assert [r["at"] for r in dates if r["counts"]] == [rows(made, "capture")[1]["published_at"]]


def test_redirects_and_revisits_are_no_captures():
    moved = Response(b"HTTP/1.1 301 Moved\r\nLocation: /there\r\n\r\n", http=True, url=URL, fetched_at=5)
    made = extracted(work(moved, Revisit(URL, 6, "1.2.3.4", "sha1:X", "http://b.example/", 4), moved))
    assert made.pages == 0
    assert [(r["entry"], r["url"], r["target"], r["status"], r["offset"]) for r in rows(made, "redirect")] == [
        (0, URL, "http://sub.a.github.io/there", 301, 0), (1, URL, "http://sub.a.github.io/there", 301, 20)
    ]  # fmt: skip
    (revisit,) = rows(made, "revisit")
    assert [revisit[c] for c in ("entry", "url", "site", "fetched_at", "ip", "digest", "of_url", "of_date", "offset", "length")] == [
        0, URL, "a.github.io", 6, "1.2.3.4", "sha1:X", "http://b.example/", 4, 10, 10
    ]  # fmt: skip
    assert revisit["same"] == same_key(URL, "", apart=False)


def test_only_records_that_were_left_out_are_counted_as_skipped():
    skips = [
        Skip("not JSON", "here"),
        Skip("date not understood", "x", "date"),
        Skip("not found", None, "other", URL),
        Skip(LOST, None, "file"),
    ]
    made = extracted(work(None, None, skips=skips))
    assert (dict(made.skipped), made.lost) == ({"not JSON": 2}, 2)
    assert [(r["entry"], r["what"], r["reason"], r["url"]) for r in rows(made, "skipped")[:4]] == [
        (0, "record", "not JSON", None), (1, "date", "date not understood", None), (2, "other", "not found", URL), (3, "file", LOST, None)
    ]  # fmt: skip


def test_a_page_that_makes_trouble_is_left_out_and_the_others_are_read(monkeypatch):
    from unquilt.extract import rows as module

    true = module.page_of_response

    def troubled(record: Response, *more: Any) -> Any:
        return true(record, *more) if record.url == URL else 1 // 0

    monkeypatch.setattr(module, "page_of_response", troubled)
    made = extracted(work(response("<p>one"), response("<p>two", "http://bad.example/"), response("<p>three")))
    assert [r["text"] for r in rows(made, "capture")] == ["one", "three"]
    (skip,) = rows(made, "skipped")
    assert (skip["reason"], skip["what"], skip["offset"], skip["url"]) == ("cannot be read", "record", 10, "http://bad.example/")
    assert skip["detail"].startswith("ZeroDivisionError: ")


def test_what_is_found_in_no_bytes_is_no_record():
    made = extracted(Work("in.jsonl", None, How(), [Found(0, 0, None, (Skip("empty file"),))]))
    assert (dict(made.skipped), made.end) == ({}, 0)
    assert [(r["what"], r["reason"]) for r in rows(made, "skipped")] == [("file", "empty file")]


def test_pieces_that_are_joined_are_the_rows_of_the_whole():
    records = [response(f'<p>{n}<a href=/{n}>x</a><meta name=date content="2020-01-0{n + 1}">') for n in range(3)]
    records += [Record("given"), None, Revisit(URL, 1), Response(b"HTTP/1.1 302 F\r\nLocation: /\r\n\r\n", http=True, url=URL)]
    whole = work(*records, skips=[Skip("bad")])
    parts = [extracted(Work("in.warc", None, How(), [found])) for found in whole.founds]
    together = joined(parts)
    assert together == extracted(whole)


def test_rows_are_renumbered_by_what_counts_them():
    made = extracted(work(response("<a href=/1>x</a>"), Record("y")))
    assert [counted_by(t).name for t in TABLES] == ["capture", "capture", "capture", "redirect", "revisit", "skipped"]
    assert renumbered(CAPTURE, made.tables["capture"], 40).column("page").to_pylist() == [40, 41]
    assert renumbered(CAPTURE, made.tables["capture"], 0) is made.tables["capture"]
