"""What becomes of a response: a page, a redirect, or something that is left out with its reason."""

from __future__ import annotations

from typing import Any

import pytest

from unquilt.extract.page import COST, MOST_DATES, MOST_LINKS, How, Link, Page, Redirect, page_of_record, page_of_response
from unquilt.read import Limits, Record, Response
from unquilt.read.room import TooDear

URL = "http://a.example/dir/page.html"
DAY, SECOND = 86_400_000_000, 1_000_000
FETCHED = 20_000 * DAY


def sent(body: str | bytes = "<p>some words", status: str = "200 OK", headers: str = "Content-Type: text/html", **more: Any) -> Response:
    data = body if isinstance(body, bytes) else body.encode()
    head = f"HTTP/1.1 {status}\r\n{headers}\r\n\r\n" if headers else f"HTTP/1.1 {status}\r\n\r\n"
    return Response(head.encode("utf-8", "surrogateescape") + data, http=True, **{"url": URL, "fetched_at": FETCHED, **more})


def read(response: Response, **how: Any) -> Page:
    page, skips = page_of_response(response, How(**how))
    assert isinstance(page, Page), skips
    return page


def left_out(response: Response, **how: Any) -> tuple[str, str | None, str]:
    page, skips = page_of_response(response, How(**how))
    assert page is None
    (skip,) = skips
    assert skip.url == response.url
    return skip.reason, skip.detail, skip.what


LEFT_OUT = {
    "not found": (sent(status="404 Not Found"), "HTTP 404", None),
    "a server's error": (sent(status="500 Oops"), "HTTP 500", None),
    "a redirect that leads nowhere": (sent(status="301 Moved"), "HTTP 301", None),
    "not modified": (sent("", status="304 Not Modified"), "HTTP 304", None),
    "nothing": (sent(""), "no body", None),
    "blanks": (sent("\r\n \t"), "no body", None),
    "PDF": (sent(b"%PDF-1.4 ...", headers="Content-Type: application/pdf"), "PDF", "application/pdf"),
    "PDF that is called HTML": (sent(b"%PDF-1.4 ..."), "PDF", "text/html"),
    "a style sheet": (sent("p {}", headers="Content-Type: text/css"), "style sheet", "text/css"),
    "JSON": (sent('{"a": 1}', headers="Content-Type: application/json"), "JSON", "application/json"),
    "an image": (sent(b"\x89PNG\r\n\x1a\n", headers="Content-Type: image/png"), "image", "image/png"),
    "robots.txt": (sent("User-agent: *", headers="Content-Type: text/plain", url="http://a.example/robots.txt"), "robots.txt", None),
}


@pytest.mark.parametrize(("response", "reason", "detail"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_what_is_no_page_is_other_with_its_reason(response, reason, detail):
    assert left_out(response) == (reason, detail, "other")


@pytest.mark.parametrize("status", ["200 OK", "200", "203 Non-Authoritative", "206 Partial Content", "299 ?"])
def test_any_success_is_a_page(status):
    assert read(sent(status=status)).said["status"] == int(status[:3])


def test_without_a_status_it_is_taken_for_a_page():
    page = read(Response(b"Content-Type: text/html\r\n\r\n<p>words", http=True, url=URL))
    assert (page.text, page.said["status"]) == ("words", None)


REDIRECTS = [
    ("301 Moved", "/there", "http://a.example/there", 301),
    ("302 Found", "http://B.example:80/x#y", "http://b.example/x", 302),
    ("303 See Other", "?q=1", "http://a.example/dir/page.html?q=1", 303),
    ("307 T", "//c.example", "http://c.example/", 307),
    ("308 P", "../up", "http://a.example/up", 308),
]


@pytest.mark.parametrize(("status", "location", "target", "number"), REDIRECTS)
def test_a_redirect_leads_to_another_address(status, location, target, number):
    found, skips = page_of_response(sent("<p>moved", status, f"Location: {location}"), How())
    assert (found, skips) == (Redirect(URL, target, number, FETCHED), ())


def test_a_redirect_to_what_is_no_url_is_kept_without_target():
    found, (skip,) = page_of_response(sent("", "301 Moved", "Location: http://[x"), How())
    assert found == Redirect(URL, None, 301, FETCHED)
    assert (skip.reason, skip.what) == ("URL not understood", "location")


ROBOTS = [
    ('<meta name="robots" content="NoIndex, follow">', "", "noindex, follow", True),
    ('<meta name="robots" content="none">', "", "none", True),
    ("", "X-Robots-Tag: noindex", "noindex", True),
    ('<meta name="robots" content="nofollow">', "X-Robots-Tag: noarchive\r\nX-Robots-Tag: nofollow", "nofollow, noarchive", False),
    ('<meta name="robots" content="index">', "", "index", False),
    ("", "", None, False),
]


@pytest.mark.parametrize(("meta", "header", "robots", "forbids"), ROBOTS)
def test_a_page_that_asks_not_to_be_indexed_is_kept_or_left_out_as_one_chooses(meta, header, robots, forbids):
    response = sent(f"{meta}<p>words", headers="\r\n".join(h for h in ("Content-Type: text/html", header) if h))
    assert read(response).said["robots"] == robots
    if forbids:
        assert left_out(response, noindex="skip") == ("noindex", robots, "other")
    else:
        assert read(response, noindex="skip").text == "words"


def test_headers_say_when_it_was_changed_and_in_which_language():
    page = read(sent(headers="Content-Type: text/html\r\nLast-Modified: Thu, 02 Jan 2020 03:04:05 GMT\r\nContent-Language: pt-br"))
    assert (page.said["last_modified"], page.said["language"]) == (18_263 * DAY + (3 * 3600 + 4 * 60 + 5) * SECOND, "pt-BR")
    assert read(sent(headers="Last-Modified: yesterday")).said["last_modified"] is None


CHARSETS = {
    "of the header": ("<p>caf\xe9".encode("latin-1"), "Content-Type: text/html; charset=iso-8859-1", "windows-1252", "caf\xe9"),
    "of a meta element": (b'<meta charset="koi8-r"><p>\xc4\xc1', "Content-Type: text/html", "koi8-r", "\u0434\u0430"),
    "of a mark": (b"\xef\xbb\xbf<p>\xc3\xa9", "Content-Type: text/html; charset=koi8-r", "utf-8", "\xe9"),
}


@pytest.mark.parametrize(("body", "header", "charset", "text"), CHARSETS.values(), ids=CHARSETS)
def test_the_charset_is_found_and_kept(body, header, charset, text):
    page = read(sent(body, headers=header))
    assert (page.text, page.said["charset"].lower(), page.said["replaced"]) == (text, charset, 0)


def test_bytes_that_no_charset_makes_a_character_of_are_counted():
    page = read(sent("<p>d\xe9j\xe0 vu \u4e00 \u4e8c ".encode() + b"a\xffb\xfe", headers="Content-Type: text/html; charset=utf-8"))
    assert (page.text, page.said["replaced"]) == ("d\xe9j\xe0 vu \u4e00 \u4e8c a\ufffdb\ufffd", 2)


HTML = """<html lang="en"><head><base href="/base/"><title> The
title </title><meta name="description" content="What it is"><link rel="canonical" href="page">
</head><body><p>Some <a href="one" rel="nofollow">linked  words</a> and <a href="#part">a part</a>, <a href="mailto:x@y.example">mail</a>
<a href="http://B.example/">caf\xe9 \U0001f600</a> end</p></body></html>"""


def test_a_page_says_what_it_is_called_and_where_its_own_place_is():
    said = read(sent(HTML)).said
    assert (said["title"], said["description"], said["language"]) == ("The title", "What it is", "en")
    assert (said["canonical"], said["html_chars"]) == ("http://a.example/base/page", len(HTML))


def test_links_are_resolved_and_stand_where_they_say_in_the_text():
    page = read(sent(HTML, headers="Content-Type: text/html; charset=utf-8"))
    assert [(x.target, x.rel) for x in page.links] == [
        ("http://a.example/base/one", "nofollow"),
        ("http://a.example/base/", None),
        ("http://b.example/", None),
    ]
    assert [x.anchor for x in page.links] == [page.text[x.begin : x.end] for x in page.links]
    assert [x.anchor for x in page.links] == ["linked words", "a part", "caf\xe9 \U0001f600"]
    assert page.said["anchor_chars"] == sum(len(a) for a in ("linked words", "a part", "mail", "caf\xe9 \U0001f600"))


REFRESH = [
    ("5; url=/there", "http://a.example/there"),
    ("0;URL='http://b.example/'", "http://b.example/"),
    ('0, url="x"', "http://a.example/dir/x"),
    ("0; /there", "http://a.example/there"),
    ("30", None),
    ("", None),
]


@pytest.mark.parametrize(("content", "target"), REFRESH)
def test_a_refresh_is_a_link_without_words(content, target):
    page = read(
        sent(
            f"<meta http-equiv=refresh content='{content}'><p>words"
            if "'" not in content
            else f'<meta http-equiv=refresh content="{content}"><p>words'
        )
    )
    assert page.links == (() if target is None else (Link(target, "", "refresh", 0, 0),))


def test_of_too_many_links_the_first_are_kept_and_it_is_told():
    body = "".join(f"<a href=/{n}>{n}</a> " for n in range(MOST_LINKS + 7))
    page, (skip,) = page_of_response(sent(body), How())
    assert isinstance(page, Page)
    assert [x.target for x in page.links[-1:]] == [f"http://a.example/{MOST_LINKS - 1}"]
    assert (len(page.links), skip.reason, skip.what) == (MOST_LINKS, "too many links", "links")
    assert skip.detail == f"{MOST_LINKS + 7:,}, the first {MOST_LINKS:,} are kept"


def test_dates_have_their_source_and_what_speaks_against_them():
    body = (
        '<meta property="article:published_time" content="2020-05-06T07:08:09Z"><meta name="date" content="1888-01-01">'
        '<time datetime="2099-01-01">then</time><p>words'
    )
    page = read(sent(body))
    found = {d.found: (d.source, d.kind, d.flag) for d in page.dates}
    assert found["2020-05-06T07:08:09Z"] == ("open graph", "published", None)
    assert found["2099-01-01"][2] == "future"
    assert {flag for _, _, flag in found.values()} <= {None, "future", "before 1990"}
    assert page.counts in page.dates
    assert page.counts is not None
    assert (page.said["published_at"], page.said["published_by"]) == (page.counts.at, "open graph")


def test_what_the_input_says_goes_before_what_the_page_says():
    given = sent(HTML + '<meta property="article:published_time" content="2020-05-06">', title="Given", language="de", published_at=7)
    said = read(given).said
    assert (said["title"], said["language"], said["published_at"], said["published_by"]) == ("Given", "de", 7, "input")


def test_dates_without_end_are_cut():
    assert len(read(sent("<meta name=date content=2020-01-01>" * (MOST_DATES + 50) + "<p>words")).dates) == MOST_DATES


def test_the_way_of_writing_days_is_chosen():
    response = sent("<p>Published 3/4/2009 by us")
    assert read(response, dayfirst=True).said["published_at"] == 14_337 * DAY
    assert read(response, dayfirst=False).said["published_at"] == 14_307 * DAY


def test_a_body_over_the_limit_is_cut_and_told():
    page, skips = page_of_response(sent("<p>" + "word " * 100), How(limits=Limits(body_bytes=103)))
    assert isinstance(page, Page)
    assert (len(page.text.split()), [(s.reason, s.what) for s in skips]) == (20, [("body too large", "body")])
    page, skips = page_of_response(Response(b"<p>" + b"word " * 100, url=URL, content_type="text/html"), How(limits=Limits(body_bytes=103)))
    assert isinstance(page, Page)
    assert (len(page.text.split()), [(s.reason, s.what) for s in skips]) == (20, [("body too large", "body")])


def test_plain_text_stays_as_it_is_but_for_line_ends_and_nulls():
    long = " words" * 2000
    page = read(sent(f"a  <b>\r\nb\rc{long}\0", headers="Content-Type: text/plain"))
    assert (page.text, page.main, page.links, page.said["content_type"]) == (f"a  <b>\nb\nc{long}\ufffd", None, (), "text/plain")
    assert "html_chars" not in page.said


def test_a_filed_page_without_bytes_is_an_empty_page():
    page = read(Response(b"", url=URL, content_type="text/html; charset=utf-8"))
    assert (page.text, page.said["content_type"]) == ("", "text/html")


def test_a_given_text_stays_as_given():
    page = page_of_record(Record("  <p>as\r\nis ", title="t", language="xx", fetched_at=1, published_at=2))
    assert (page.text, page.main) == ("  <p>as\r\nis ", None)
    assert page.said == {"published_at": 2, "published_by": "input", "fetched_at": 1, "language": "xx", "title": "t"}
    assert page_of_record(Record("x")).said["published_by"] is None


def test_a_page_for_which_there_is_no_room_is_not_read():
    body = "<p>" + "word " * 300_000
    with pytest.raises(TooDear) as raised:
        page_of_response(sent(body), How(), room=COST * 1_400_000)
    assert raised.value.need == COST * len(body)
    assert URL in raised.value.what
    assert isinstance(page_of_response(sent(body), How(), room=COST * 1_600_000)[0], Page)
    assert isinstance(page_of_response(sent("<p>a small one is"), How(), room=0)[0], Page)
