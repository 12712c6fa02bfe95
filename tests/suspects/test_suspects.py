"""Every rule on a web of some thirty pages, with literal rows; and what no rule may touch."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import little_web as web
import pytest

from unquilt.corpus.capture import CAPTURE
from unquilt.errors import UsageError
from unquilt.suspects import Suspects

CAPTURES = [web.capture(page, *one) for page, one in enumerate(web.PAGES)]
REDIRECTS = [web.redirect(entry, *one) for entry, one in enumerate(web.REDIRECTS)]


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[web.Row]]:
    return web.made(tmp_path_factory.mktemp("web"), web.METHOD, CAPTURES, REDIRECTS)


@pytest.mark.parametrize("table", web.ROWS)
def test_every_table_has_its_literal_rows(rows: dict[str, list[web.Row]], table: str) -> None:
    assert rows[table] == web.ROWS[table]


def test_rows_do_not_depend_on_segments(rows: dict[str, list[web.Row]], tmp_path: Path) -> None:
    assert web.made(tmp_path, web.METHOD, CAPTURES, REDIRECTS, group=100) == rows


def test_a_study_without_pages_has_no_suspects(tmp_path: Path) -> None:
    assert not any(web.made(tmp_path, web.METHOD, []).values())


def test_with_the_defaults_three_pages_are_not_many(tmp_path: Path) -> None:
    assert web.suspects(web.made(tmp_path, Suspects(), CAPTURES)) == {1, 2, 4, 5, 26}


def test_a_long_page_that_says_so_counts_where_others_have_its_words(tmp_path: Path) -> None:
    pages = [web.capture(n, f"http://shop.example/{name}", "Page not found", web.LONG) for n, name in enumerate("abc")]
    assert web.suspects(web.made(tmp_path, web.METHOD, pages)) == {0, 1, 2}


def test_a_text_that_is_the_same_on_other_hosts_is_no_sign(tmp_path: Path) -> None:
    pages = [web.capture(n, f"http://{name}.example/", None, "We are moving house.") for n, name in enumerate("abc")]
    assert web.made(tmp_path, web.METHOD, pages)["suspect"] == []


def test_captures_of_one_url_are_one_page(tmp_path: Path) -> None:
    pages = [web.capture(n, "http://a.example/x", None, "Once upon a time") for n in range(4)]
    assert web.made(tmp_path, web.METHOD, pages)["suspect"] == []


def test_pages_with_titles_of_their_own_are_not_the_same(tmp_path: Path) -> None:
    pages = [
        web.capture(n, f"http://a.example/{name}", name * 3, "Menu: aaa, bbb, ccc. This article has moved.") for n, name in enumerate("abc")
    ]
    assert web.made(tmp_path, web.METHOD, pages)["suspect"] == []


def test_pages_without_a_word_are_not_the_same(tmp_path: Path) -> None:
    pages = [web.capture(n, f"http://a.example/{name}", None, "12 / 34") for n, name in enumerate("abc")]
    assert web.made(tmp_path, web.METHOD, pages)["suspect"] == []


def test_dates_that_are_not_far_ahead_of_the_day_they_were_fetched_are_no_calendar(tmp_path: Path) -> None:
    pages = [web.capture(n, f"http://a.example/2021/0{n + 1}/", None, "abc"[n]) for n in range(3)]
    assert web.made(tmp_path / "two years", web.METHOD, pages)["suspect"] == []
    assert web.suspects(web.made(tmp_path / "one month", replace(web.METHOD, ahead=1), pages)) == {0, 1, 2}


def test_where_it_is_not_known_when_pages_were_fetched_nothing_lies_ahead(tmp_path: Path) -> None:
    fetched = [c.name for c in CAPTURE.columns].index("fetched_at")
    pages = [web.capture(n, f"http://a.example/2041/0{n + 1}/", None, "abc"[n]) for n in range(3)]
    unknown = [(*page[:fetched], None, *page[fetched + 1 :]) for page in pages]
    assert web.made(tmp_path, web.METHOD, unknown)["suspect"] == []


def test_a_parameter_out_of_range_is_refused() -> None:
    with pytest.raises(UsageError, match="pages=1 is out of range"):
        Suspects(pages=1)
