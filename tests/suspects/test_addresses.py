"""What varies in a URL, and what only looks as if it did."""

from __future__ import annotations

import re
import time
from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unquilt.suspects.address import address

A = "http://a.example"


@pytest.mark.parametrize(
    ("url", "family", "month"),
    [
        ("/2014/05/", "/{year}/{month}/", (2014, 5)),
        ("/2014/05", "/{year}/{month}", (2014, 5)),
        ("/2014/05/11/the-title", "/{year}/{month}/{day}/the-title", (2014, 5)),
        ("/2014/5/11/x", "/{year}/{month}/{day}/x", (2014, 5)),
        ("/cal-2014-05-11.html", "/cal-{year}-{month}-{day}.html", (2014, 5)),
        ("/events/20140511", "/events/{year}{month}{day}", (2014, 5)),
        ("/events/201405", "/events/{year}{month}", (2014, 5)),
        ("/2014/may/11", "/{year}/{month}/{day}", (2014, 5)),
        ("/2014/December/", "/{year}/{month}/", (2014, 12)),
        ("/v2/2014/05/p/3", "/v{n}/{year}/{month}/p/{n}", (2014, 5)),
        ("/?m=201405", "/?m={date}", (2014, 5)),
        ("/c?date=2014-05-11", "/c?date={date}", (2014, 5)),
        ("/c?d=2014-05-11T10:00:00Z", "/c?d={date}", (2014, 5)),
        ("/c?year=2014&month=5&day=1", "/c?day={day}&month={month}&year={year}", (2014, 5)),
        ("/c?month=5&year=9999", "/c?month={month}&year={year}", (9999, 5)),
        ("/c?year=2014", "/c?year={year}", (2014, 1)),
        ("/c?y=2014&m=5", "/c?m={month}&y={year}", (2014, 5)),
        ("/calendar/9/2014-05", "/calendar/{n}/{year}-{month}", (2014, 5)),
    ],
)
def test_dates(url: str, family: str, month: tuple[int, int]) -> None:
    found = address(A + url)
    assert found is not None
    assert (found.family, found.varies, found.month) == (A + family, "date", month)


@pytest.mark.parametrize(
    "url",
    [
        "/2034/5/",
        "/t/2034/5",
        "/12014/05/",
        "/2014/13/",
        "/2014/",
        "/20141305",
        "/1.2014.05x",
        "/99992014",
        "/mayor/2014",
        "/c?m=13",
        "/c?month=5",
    ],
)
def test_numbers_that_are_no_dates(url: str) -> None:
    found = address(A + url)
    assert found is not None
    assert found.month is None
    assert found.varies == "number"


@pytest.mark.parametrize(
    ("url", "family", "varies"),
    [
        ("/p/17", "/p/{n}", "number"),
        ("/top-10-things", "/top-{n}-things", "number"),
        ("/l?page=3", "/l?page={n}", "number"),
        ("/l?b=x&a=y", "/l?a={value}&b={value}", "parameter"),
        ("/l?c=1&b=x&a=y", "/l?{parameters}", "parameter"),
        ("/l?a=1&b=2&c=3&d=4", "/l?{parameters}", "parameter"),
        ("/t;jsessionid=A1B2?p=1", "/t{session}?p={n}", "session"),
        ("/(S(abc123))/t.aspx", "/{session}/t.aspx", "session"),
        ("/t?PHPSESSID=abc", "/t?PHPSESSID={session}", "session"),
        ("/t?sid=ab12ab12ab12ab12ab12ab12", "/t?sid={session}", "session"),
        ("/t?sid=12", "/t?sid={n}", "number"),
        ("/t/0123456789abcdef0123456789abcdef/x", "/t/{session}/x", "session"),
    ],
)
def test_other_families(url: str, family: str, varies: str) -> None:
    found = address(A + url)
    assert found is not None
    assert (found.family, found.varies, found.month) == (A + family, varies, None)


@pytest.mark.parametrize("url", ["", "/", "/about", "/a/b/a/c/a", "/a-b_c.html"])
def test_nothing_varies(url: str) -> None:
    assert address(A + url) is None


def test_digits_of_the_host_stay() -> None:
    assert address("http://h7.example:8080/about") is None
    assert address("urn:isbn:123") is None


@pytest.mark.parametrize(
    ("url", "loop"),
    [
        ("/a/a/a", "3 times /a"),
        ("/x/a/b/a/b/a/b/a/b/y", "4 times /a/b"),
        ("/a/b/c/d/a/b/c/d/a/b/c/d/", "3 times /a/b/c/d"),
        ("/l?f=1&f=1&f=1", "3 times f=1"),
        ("/a/b/a/b", None),
        ("/0/0/0/0", None),
        ("/1/2/1/2/1/2/x/x/x", "3 times /x"),
        ("/ab/aba/ab", None),
        ("/a/a/ab", None),
        ("/l?f=1&f=2&f=3", None),
    ],
)
def test_loops(url: str, loop: str | None) -> None:
    found = address(A + url)
    assert (found.loop if found else None) == loop


def slow_loop(path: str, repeats: int) -> bool:
    """Whether one to four segments, not all of digits, follow themselves so often."""
    segments = path.split("/")[1:]
    for begin, width in product(range(len(segments)), range(1, 5)):
        pieces = [segments[at : at + width] for at in range(begin, begin + width * repeats, width)]
        same = all(piece == pieces[0] for piece in pieces) and len(pieces[-1]) == width and all(pieces[0])
        if same and re.search("[^0-9]", "".join(pieces[0])):
            return True
    return False


@given(st.lists(st.sampled_from(["a", "b", "1"]), max_size=14).map("".join), st.integers(2, 4))
def test_loops_are_those_of_plain_lists(letters: str, repeats: int) -> None:
    path = "".join(f"/{letter}" for letter in letters)
    found = address(A + path, repeats)
    assert (found is not None and found.loop is not None) == slow_loop(path, repeats)


@given(st.text(alphabet="/?&=;-_.01259abm", max_size=60))
def test_any_url_has_a_family_without_what_varies(rest: str) -> None:
    found = address(f"{A}/{rest}")
    path = rest.partition("?")[0]
    if found is None:
        assert not re.search("[0-9]", path)
        assert not rest.partition("?")[2]
        return
    assert not re.search("[0-9]", re.sub(r"[a-z0-9_.]*=", "", found.family.removeprefix(A).partition("?")[0]))
    assert found.varies is not None or found.loop is not None


@pytest.mark.parametrize(
    "rest",
    [
        "/a" * 32_000,
        "/" * 64_000,
        "a" * 64_000,
        "/a?" + "b=1&" * 16_000,
        "/2014-" * 10_000,
        "1/" * 32_000,
        "(S(" * 20_000,
        ";jsessionid=" * 5_000,
    ],
)
def test_hostile_urls_take_no_long_time(rest: str) -> None:
    started = time.process_time()
    address(f"{A}/{rest}")
    assert time.process_time() - started < 1


def test_families_of_a_site_are_few() -> None:
    urls = [f"{A}/c?month={m}&year={y}" for y in range(2000, 2040) for m in range(1, 13)]
    families = Counter(found.family for url in urls if (found := address(url)))
    assert list(families.values()) == [480]
