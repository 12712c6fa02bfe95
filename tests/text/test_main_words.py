"""What do names say? Names of templates, and that the quick search finds what the slow one does."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unquilt.text import main_words as words
from unquilt.text.main_words import CAPTION, COMMENT, CONTENT, FURNITURE, LONGEST, STEMS, STRONG, TEASER, flags, flags_of, trie

NAMES = {
    "": 0,
    "wrapper": 0,
    "col-md-8 row": 0,
    # stems, anywhere in a name
    "site-footer": FURNITURE,
    "mainnavigation2": FURNITURE,
    "widget_sidebar_left": FURNITURE,
    "sharedaddy": FURNITURE,
    "article-meta": FURNITURE,
    # words, where they are set apart
    "nav": FURNITURE,
    "top-nav": FURNITURE,
    "site_menu": FURNITURE,
    "md:ads": FURNITURE,
    "tag:example.org,2009:1": 0,
    "canavan": 0,
    "shadow": 0,
    "menuet": 0,
    "adsorption": 0,
    # names of their own
    "hidden": FURNITURE,
    "lg-hidden": 0,
    "banner": FURNITURE | STRONG,
    "search": FURNITURE | STRONG,
    "navigation": FURNITURE | STRONG,
    "main-navigation": FURNITURE,
    # the others
    "post-teaser": TEASER,
    "wp-caption-text": CAPTION,
    "comments-area": COMMENT,
    "kommentare": COMMENT,
    "entry-content": CONTENT,
    "articlebody": CONTENT,
    "story__text": CONTENT,
    "hentry": CONTENT,
    "subscription-content": CONTENT | FURNITURE,
    "subscription-form": FURNITURE,
    "post": 0,
    "content": 0,
    # several at once
    "post-content clearfix": CONTENT,
    "comment-author-bio": COMMENT | FURNITURE,
    "entry-content related-posts caption": CONTENT | FURNITURE | CAPTION,
    "blog-contentinfo": CONTENT | FURNITURE,
    "page-text-menu": CONTENT | FURNITURE,
}


@pytest.mark.parametrize(("names", "said"), NAMES.items())
def test_names_say_what_templates_mean_by_them(names: str, said: int) -> None:
    assert flags([names]) == [said]


def test_each_element_has_its_own() -> None:
    assert flags(list(NAMES) * 2) == list(NAMES.values()) * 2


def test_only_the_beginning_of_endless_names_is_looked_at() -> None:
    assert flags(["x" * LONGEST + " footer", "footer " + "x" * 10 * LONGEST]) == [0, FURNITURE]


def test_what_is_remembered_is_bounded_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "_known", words.Known())
    monkeypatch.setattr(words, "MOST_KNOWN", 100)
    for page in range(50):
        assert flags(["footer", *(f"id-{page}-{n}" for n in range(20))]) == [FURNITURE] + [0] * 20
        assert len(words._known.rows) <= 130
        assert len(words._known.names) <= 130


PIECES = st.sampled_from([*STEMS, *words.FURNITURE_WORDS, "a", "x1", "-", "_", ".", ":", "--", "é", "comm", "art"])


@given(st.lists(st.lists(PIECES, min_size=1, max_size=4).map("".join), max_size=6))
def test_all_names_at_once_say_what_each_says_alone(names: list[str]) -> None:
    def alone(name: str) -> int:
        said = words.WHOLE.get(name, 0)
        for stem, flag in STEMS.items():
            said |= flag if stem in name else 0
        return said | (0 if set(words.FURNITURE_WORDS).isdisjoint(re.split("[-_.]+|[^-_.]*:", name)) else FURNITURE)

    assert flags_of(names) == [alone(name) for name in names]


def test_no_stem_is_the_begin_of_another_kind() -> None:
    """Each place of a text is the begin of one stem at most: the longest that is there."""
    for stem, flag in STEMS.items():
        assert [other for other, meant in STEMS.items() if other.startswith(stem) and meant != flag] == []


@given(st.sets(st.text("ab-", min_size=1, max_size=4), min_size=1, max_size=8), st.text("ab-", max_size=30))
def test_a_trie_finds_what_alternatives_find(stems: set[str], text: str) -> None:
    longest_first = sorted(stems, key=len, reverse=True)
    plain = re.compile("|".join(map(re.escape, longest_first)))
    assert re.findall(trie(tuple(stems)), text) == plain.findall(text)
