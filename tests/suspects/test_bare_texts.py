"""Which texts are the same but for where and when, against plain sets of words."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unquilt.suspects.bare_text import bare

U = "http://a.example/some/red-fox.html?q=Big+bear&n=7"


def prints(*texts: str, url: str | None = U) -> list[tuple[int, ...]]:
    _, halves = bare([t.encode() for t in texts], [url] * len(texts))
    return [tuple(row) for row in halves.T.tolist()]


@pytest.mark.parametrize(
    "text",
    [
        "There is no such thing: http://a.example/some/red-fox.html?q=Big+bear&n=7",
        "/some/red-fox.html? There is no such thing",
        "There is no such red-fox.html thing",
        "There is no such thing as “Big bear”",
        "There: is no, no such thing! 17",
        "There is no such thing on Monday, 12 January 2031",
        "Es Montag: There is no such thing on 3 Dez".replace("Es ", ""),
    ],
)
def test_same_but_for_where_and_when(text: str) -> None:
    plain = "There is no such thing" + (" as" if " as " in text else " on" if " on " in text else "")
    assert prints(text) == prints(plain)


@pytest.mark.parametrize(
    "text", ["There is no such fox", "Red fox: there is no such thing", "There is no such foxes thing", "There is no such Bigbears thing"]
)
def test_words_of_the_url_that_are_not_written_as_in_it_stay(text: str) -> None:
    assert prints(text) != prints("There is no such thing")


def test_part_of_a_word_is_no_echo() -> None:
    assert prints("hundred", url="http://a.example/?q=red") != prints("hund", url="http://a.example/?q=red")
    assert prints("so red, is", url="http://a.example/?q=red") == prints("so is", url="http://a.example/?q=red")


def test_words_are_counted_without_what_is_taken_out() -> None:
    words, _ = bare([b"", b"May 2031", b"one two two 3", "二〇三一年五月 の 予定".encode()], [None, U, U, None])
    assert words.tolist() == [0, 0, 3, 4]


def test_a_page_without_a_url_keeps_all_but_numbers_and_dates() -> None:
    assert prints("red-fox.html 3", url=None) == prints("red fox html", url=None)


_WORDS = ["fox", "bear", "may", "Mon", "7", "2031", "tea", "hi", "ho"]
_DATES = {"may", "mon"}


def slow(text: str) -> frozenset[str]:
    return frozenset(re.findall("[a-z]+", text.lower())) - _DATES


@given(st.lists(st.lists(st.sampled_from(_WORDS), max_size=6).map(" ".join), min_size=1, max_size=12))
def test_prints_are_equal_exactly_where_sets_of_words_are(texts: list[str]) -> None:
    found = prints(*texts, url=None)
    assert all((found[a] == found[b]) == (slow(texts[a]) == slow(texts[b])) for a in range(len(texts)) for b in range(a))
