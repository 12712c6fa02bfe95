"""Pages of any bytes: what the kernel makes of them is what its twin does, in time that grows as they do."""

import gc
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from soup import BROKEN, ODD, TAGS, pieces, seen, seen_by_both, seen_by_twin, soups, source, tag_soup

from unquilt import kernel

# Twins


@given(tag_soup())
def test_tag_soup_is_its_twin(html: bytes) -> None:
    seen_by_both(html)


@given(st.binary(max_size=200))
def test_any_bytes_are_their_twin(html: bytes) -> None:
    seen_by_both(html)


@given(st.sampled_from(TAGS), st.sampled_from(TAGS), st.lists(pieces(), max_size=10).map(b"".join))
def test_what_stands_in_two_elements_is_its_twin(outer: str, inner: str, html: bytes) -> None:
    seen_by_both(f"a<{outer}>b<{inner}>c".encode() + html + f"d</{inner}>e</{outer}>f".encode())


PLACES = (
    "a<@>b</@>c",
    "<@>a",
    "<title></title><@></@><title></title>",
    "<p hidden>a<@>b",
    "<p hidden>a<@></p>b",
    "<div hidden>a<@></div>b",
    "<i hidden>a<@></i>b",
    "<@ hidden>a<p>b</@>c",
    "<@ hidden>a<i>b</@>c",
    "<@ hidden>a<@>b</@>c",
    "<@ id=i class=c itemprop=p href=h rel=r title=t>a</@>b",
    "<li hidden>a<@><li>b",
    "<dd hidden>a<@>b<dt>c",
    "<h1 hidden>a<@>b</h2>c",
    "<form><@ hidden></form>a",
    "<table hidden>a<@>b<tr>c<td>d</table>e",
    "<table><tr><td hidden>a<@>b</td>c",
    "<table><caption><@ hidden>a<td>b",
    "<select><@>a<option>b</select>c",
    "<ruby><rt hidden>a<@>b</ruby>c",
    "<button hidden>a<@><button>b",
    "<a href=x>a<@>b</a>c<a href=y>d</@>e",
    "<@><a href=x>a</@>b",
    "<svg><@>a</@>b</svg>c",
    "<svg><@/>a<desc>b<@>c</@>d</desc></svg>e",
    "<math><@>a</@>b<mi>c<@>d</mi>e",
    "<math><annotation-xml><@>a</annotation-xml>b</math>c",
    "<math><annotation-xml encoding=' Text/HTML '><@>a</annotation-xml>b</math>c",
    "<math><annotation-xml encoding=application/xhtml+xml><@>a</annotation-xml>b</math>c",
    "<template><@>a</template>b",
    "a</@>b",
    "<@>a \n b\0&amp;<b>c</@>d",
)


def test_every_element_in_every_place_is_its_twin() -> None:
    for tag in (*kernel.HTML_TAGS[1:], "x-y"):
        for place in PLACES:
            html = place.replace("@", tag)
            assert seen(html) == seen_by_twin(html), html


def test_many_soups_are_their_twins() -> None:
    for html in soups(1, 4000):
        assert seen(html) == seen_by_twin(html), html


def test_a_page_cut_off_anywhere_is_its_twin() -> None:
    page = "".join(f"<p title='{n}' hidden=''>a</p>{odd}<b>&amp;é漢<a href=\"x&copy;\">" for n, odd in enumerate(ODD))
    html = page.encode()
    for length in range(0, len(html), 3):
        assert seen(html[:length]) == seen_by_twin(html[:length]), length


def test_what_is_no_utf_8_is_its_twin_anywhere() -> None:
    html = "a<b class=c>é&amp;</b><!--漢--><title>x</title>y".encode()
    for broken in BROKEN:
        for place in range(len(html) + 1):
            seen_by_both(html[:place] + broken + html[place:])


@pytest.mark.data
def test_real_pages_are_their_twins(shared_data: Path) -> None:
    pages = [html for name in ("demo_mixed", "gold_text_dev", "gold_dates_dev") for html in short_pages(shared_data, name)]
    some = pages[::4]
    assert len(some) > 300
    for html in some:
        assert seen(html) == seen_by_twin(html)


def short_pages(shared_data: Path, name: str) -> list[bytes]:
    column = pq.read_table(shared_data / "pages" / f"{name}.parquet", columns=["html"])["html"].cast("binary")
    return column.filter(pc.less(pc.binary_length(column), 15_000)).to_pylist()


# Depth and size

DEEP = 50_000


@pytest.mark.parametrize(
    "tag", ["div", "b", "x-y", "span id=a", "p", "svg", "math", "ul><li", "table><tr><td", "a href=x", "dl><dd", "button"]
)
def test_text_fifty_thousand_elements_deep_is_found(tag: str) -> None:
    assert seen(f"<{tag}>" * DEEP + "a")["text"] == ("" if tag == "svg" else "a")


def test_elements_fifty_thousand_deep_end_where_they_should() -> None:
    assert seen("<i hidden>a" + "<div>" * DEEP + "b" + "</div>" * DEEP + "</i>c")["text"] == "c"
    assert seen("<i hidden>a" + "<div>" * DEEP + "b" + "</div>" * (DEEP - 1) + "</i>c")["text"] == ""


def test_more_elements_are_open_than_can_be_counted() -> None:
    page = seen("<b>" * 200_000 + "a<i hidden>b</i>c<p>d</p>e")
    assert page["text"] == "ac\nd\ne"
    assert len(page["elements"]) == 2


def test_more_names_come_than_can_be_told_apart() -> None:
    page = seen("".join(f"<x{n}>{n}</x{n}> " for n in range(3000)) + f"<{'y' * 300} hidden>a</{'y' * 300}>b")
    assert page["text"].split() == [*map(str, range(3000)), "b"]


def test_an_element_after_the_last_one_counts_as_the_one_around_it() -> None:
    _, runs, elements, names, _, _, _, _, _ = kernel.html(source("<p>a" * 200_000))
    assert len(elements) == 5 * len(names) == 5 * 200_000
    assert runs[-2] == 1


def test_what_comes_after_the_last_link_is_in_none() -> None:
    text, runs, _, _, _, links, hrefs, _, _ = kernel.html(source("<a href=x>" * 200_000 + "a<a href=y>b</a>c"))
    assert len(links) == 3 * len(hrefs) == 3 * 200_000
    assert (text, runs[3], links[-3:-1].tolist(), hrefs[-1]) == ("abc", 1, [0, 1], "x")


# Time

ONES = (
    (
        "< <a~ <a~<a~ <!-- <!- --> <! </ </a~ & &# &#x &#1 &a &amp &amp; &CounterClockwiseContourIntegral = ' \" <a~x=' <a~x=\" \0 "
        "<b> <i></b> <b></i> <div> <p> </p> </b> <li> <ul><li> <dl><dd> <table> <table><tr><td> <table><b> <svg> <svg></p> <math><mi> "
        "<math><mi><svg> <math><![CDATA[ <template> <template></template> <script> <script><!-- <script><!--<script> <style> "
        "<textarea> <title> <title></title> <xmp> <xmp></xmp> <x~itemprop=y>z <x~itemprop=y> <x~itemprop=y~hidden>z <b~id=i>a "
        "<b~id=i>a</b> <select><option> <select> <rt> <h1> <form> <form></form> <button> <object> <b><p></b> <a~href=x> <a~href=x>a "
        "<a~href=x>a</a> <a~href=x><table><td>a <meta~name=a~content=b> <time~datetime=x>a <br> a<br> <input> &nbsp; <p>&nbsp; "
        "<pre>\n~ ~~~~ <i~hidden> <i~hidden></i> <dialog> <frameset> <body> <html~id=a> <nobr> <optgroup><option>"
    )
    .replace("~", "\t")
    .split(" ")
)


def repeated(one: str) -> Callable[[int], bytes]:
    return lambda n: (one * (n // len(one))).encode()


HOSTILE: dict[str, Callable[[int], bytes]] = {
    **{repr(one): repeated(one) for one in ONES},
    "bytes that are no text": lambda n: b"\xff\xe2\x82" * (n // 3),
    "deep, then ends of others": lambda n: b"<b>" * (n // 7) + b"</i>" * (n // 7),
    "deep in divisions, then ends of others": lambda n: b"<div>" * (n // 9) + b"</b>" * (n // 9),
    "deep in lists, then items": lambda n: b"<ul>" * (n // 8) + b"<li>" * (n // 8),
    "deep in names, then text": lambda n: b"<b id=i>" * (n // 24) + b"a</b><b id=i>b" * (n // 24),
    "deep in tables, then paragraphs": lambda n: b"<table><td>" * (n // 22) + b"</p><p>" * (n // 14),
    "deep in drawings, then ends of others": lambda n: b"<svg>" * (n // 9) + b"</x>" * (n // 9),
    "deep in formulas, then tags of html": lambda n: b"<math><mi>" * (n // 20) + b"</b></p><b>" * (n // 22),
    "deep in templates, then facts": lambda n: b"<template>" * (n // 40) + b"<meta name=a content=b>" * (n // 30),
    "deep in items, then text": lambda n: b"<b itemprop=a>" * (n // 30) + b" " * (n // 2),
    "blanks, then items": lambda n: b"<pre>a" + b" " * (n // 2) + b"<b itemprop=a>" * (n // 28) + b"b",
    "different names": lambda n: b"".join(b"<x%d>" % i for i in range(n // 8)),
    "different classes": lambda n: b"".join(b"<p class=c%d>a" % i for i in range(n // 18)),
    "classes of one hash in turn": lambda n: b"".join(b"<p class=c%d>a</p>" % (i % 9000) for i in range(n // 22)),
    "one class of many words": lambda n: b"<p class='" + b"ab " * (n // 3) + b"'>",
    "one style of many rules": lambda n: b"<p style='" + b"a:b;" * (n // 4) + b"'>",
    "one style of nothing": lambda n: b"<p style='" + b";" * n + b"'>",
    "one tag of many attributes": lambda n: b"<p " + b"class=a " * (n // 8) + b">",
    "one tag of one attribute": lambda n: b"<a href='" + b"&amp" * (n // 4) + b"'>",
    "one property of many names": lambda n: b"<i itemprop='" + b"a " * (n // 2) + b"'>",
    "one name": lambda n: b"<" + b"x" * n + b">",
    "one number": lambda n: b"&#" + b"1" * n,
    "one word": lambda n: b"x" * n,
}
SMALL = 2**16
TIMES = 8


@pytest.mark.parametrize("kind", HOSTILE)
def test_time_grows_as_the_page_does(kind: str) -> None:
    """Eight times the page takes eight times as long; were it quadratic, 64 times. Below a millisecond nothing is told apart."""
    make = HOSTILE[kind]
    small, large = cpu_seconds(make(SMALL)), cpu_seconds(make(TIMES * SMALL))
    assert large < 3 * TIMES * max(small, 0.001)


def cpu_seconds(html: bytes) -> float:
    given = source(html)
    gc.disable()
    try:
        return min(one_call(given) for _ in range(3))
    finally:
        gc.enable()


def one_call(given: object) -> float:
    begin = time.thread_time()
    kernel.html(given)
    return time.thread_time() - begin
