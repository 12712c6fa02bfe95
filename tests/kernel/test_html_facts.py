"""What does a page declare of itself?"""

import pytest
from hypothesis import given
from soup import seen, seen_by_both, tag_soup

Fact = tuple[str, str, str]


def facts_of(html: str | bytes) -> list[Fact]:
    return [tuple(fact) for fact in seen_by_both(html)["facts"]]


def test_a_title_is_its_text() -> None:
    assert facts_of("<title> a &amp; <b>\r\n</title><body><title>c") == [("title", "", " a & <b>\n"), ("title", "", "c")]
    assert facts_of("<svg><title>a</title></svg>") == facts_of("<template><title>a</title></template>") == []


def test_metadata_have_a_name_and_content() -> None:
    assert facts_of("<meta NAME='Robots ' content=' NoIndex&comma;x '><meta property=og:title name=b content=''>") == (
        [("meta", "robots", " NoIndex,x "), ("meta", "og:title", ""), ("meta", "b", "")]
    )
    assert facts_of("<meta http-equiv=Refresh content='0;url=x'>") == [("http-equiv", "refresh", "0;url=x")]
    assert facts_of("<meta name=a><meta content=b><meta name='' content=c><meta charset=d>") == []


def test_metadata_in_the_body_count_too() -> None:
    assert facts_of("<p hidden><meta name=a content=b>") == [("meta", "a", "b")]


def test_relations_of_the_page_have_a_name_and_an_address() -> None:
    assert facts_of("<link rel='Canonical  Home' href=/a&amp;b><link rel=x><link href=y>") == [("link", "canonical home", "/a&b")]


def test_the_first_base_and_the_first_language_count() -> None:
    assert facts_of("<base target=x><base href=a><base href=b>") == [("base", "href", "a")]
    assert facts_of("<html><html xml:lang=de><html lang=fr>") == [("html", "lang", "de")]
    assert facts_of("<html xml:lang=de lang=fr>") == [("html", "lang", "fr")]


def test_times_and_abbreviations_are_of_an_element() -> None:
    assert facts_of("<p><time datetime=2020>a</time><abbr title=b>c</abbr><time>d</time><i hidden><time datetime=2021>") == (
        [("time", "3", "2020"), ("abbr", "4", "b"), ("time", "-1", "2021")]
    )


def test_a_property_is_what_its_element_says() -> None:
    assert facts_of("<meta itemprop='A b' content=c>") == [("itemprop", "a", "c"), ("itemprop", "b", "c")]
    assert facts_of("<time itemprop=a datetime=b>c</time>") == [("time", "2", "b"), ("itemprop", "a", "b")]
    assert facts_of("<link itemprop=a href=b><img itemprop=c src=d>") == [("itemprop", "a", "b"), ("itemprop", "c", "")]
    assert facts_of("<p>a <i itemprop='n o'> b<br><u hidden>c</u><b> d </b></i> e") == [("itemprop", "n", ""), ("itemprop", "o", "b\nd")]
    assert facts_of("<p itemprop=a>b<p itemprop=c>&nbsp;<i itemprop=d>e") == [
        ("itemprop", "a", "b"),
        ("itemprop", "c", "e"),
        ("itemprop", "d", "e"),
    ]


def test_a_hidden_property_has_the_text_right_in_it() -> None:
    assert facts_of("<p hidden itemprop=a> b&amp;<i>c</i>\0d") == [("itemprop", "a", " b&\ufffdd")]
    assert facts_of("<xmp hidden itemprop=a>b&amp;c") == [("itemprop", "a", "b&amp;c")]


def test_linked_data_are_as_they_are_written() -> None:
    script = '<script type=\'{}\'>{{\r\n"a": "&amp;"}}</script>'
    for kind in ("application/ld+json", " Application/LD+JSON ; charset=utf-8"):
        assert facts_of(script.format(kind)) == [("json-ld", "", '{\n"a": "&amp;"}')]
    for kind in ("application/json", "", "application/ld+jsonp", "x;application/ld+json"):
        assert facts_of(script.format(kind)) == []


def test_a_template_declares_nothing() -> None:
    inside = "<meta name=a content=b><link rel=a href=b><base href=a><html lang=a><time datetime=a><i itemprop=a>b</i>"
    inside += "<script type=application/ld+json>{}</script><title>a</title>"
    assert facts_of(f"<template>{inside}</template>") == []
    assert len(facts_of(inside)) == 8


def test_facts_come_in_the_order_of_their_tags() -> None:
    assert [kind for kind, _, _ in facts_of("<title>a</title><p itemprop=b><meta name=c content=d></p><base href=e>")] == (
        ["title", "itemprop", "meta", "base"]
    )


@given(tag_soup())
def test_facts_are_texts_of_known_kinds(html: bytes) -> None:
    kinds = {"title", "meta", "http-equiv", "link", "base", "html", "time", "abbr", "itemprop", "json-ld"}
    assert {kind for kind, _, _ in seen(html)["facts"]} <= kinds


# Bounds


def test_a_long_value_is_cut_between_characters() -> None:
    for extra in range(4):
        value = "x" * extra + "𐐀" * 20_000
        facts = seen(f"<meta name=a content='{value}'><title>{value}</title>")["facts"]
        cut = value.encode()[:65536].decode("utf-8", "ignore")
        assert facts == [("meta", "a", cut), ("title", "", cut)]


@pytest.mark.parametrize("hidden", ["", "hidden"])
def test_a_long_property_is_cut_between_characters(hidden: str) -> None:
    for extra in range(4):
        value = "x" * extra + "漢" * 2000
        assert facts_of(f"<p {hidden} itemprop=a>{value}") == [("itemprop", "a", value.encode()[:1000].decode("utf-8", "ignore"))]


def test_blanks_before_a_property_never_cut_a_character() -> None:
    """What is looked at may end within a character: so it did, and no text came of it."""
    for blanks in range(980, 1010):
        html = f"<pre>a{' ' * blanks}<i itemprop=b>{'é' * 2000}"
        assert set(seen(html)["facts"][0][2]) == {"é"}


def test_long_names_are_cut() -> None:
    assert len(seen_by_both(f"<p class='{'ab ' * 1000}'>")["names"][2]) == 1000
    assert [len(name) for _, name, _ in seen(f"<meta name={'c' * 2000} content=d>")["facts"]] == [1000]


def test_a_page_has_so_many_facts_and_so_much_of_them() -> None:
    assert len(seen("<meta name=a content=b>" * 10_001)["facts"]) == 10_000
    much = seen(f"<meta name=a content={'b' * 65535}>" * 100)["facts"]
    assert len(much) == 64
    items = seen(f"<i itemprop=a>{'b' * 2000}</i>" * 9000)["facts"]
    assert 2**22 - 1000 < sum(len(name) + len(value) for _, name, value in items) <= 2**22


def test_linked_data_that_are_too_long_are_left_out() -> None:
    for size, facts in ((2**20, 1), (2**20 + 1, 0)):
        assert len(seen(f"<script type=application/ld+json>{'x' * size}</script>")["facts"]) == facts
