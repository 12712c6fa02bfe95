"""Which dates does a page's JSON-LD give to the page itself?"""

import json
import time

import pytest

from unquilt.text.json_ld import stated_dates


def stated(tree):
    return [(s.key, s.value, s.article) for s in stated_dates(json.dumps(tree))]


def test_an_article_states_its_dates_and_its_headline():
    text = json.dumps({"@type": "NewsArticle", "headline": "A fox", "datePublished": "2020-02-18", "dateModified": "2020-02-19"})
    found = stated_dates(text)
    assert [tuple(s) for s in found] == [("datePublished", "2020-02-18", 0, "A fox"), ("dateModified", "2020-02-19", 0, "A fox")]


@pytest.mark.parametrize(
    ("kind", "article"),
    [
        ("Article", 0),
        ("BlogPosting", 0),
        (["Thing", "NewsArticle"], 0),
        ("Recipe", 0),
        ("WebPage", 1),
        ("ProfilePage", 1),
        ("Product", 2),
        (None, 2),
        (7, 2),
    ],
)
def test_how_near_to_an_article_a_type_is(kind, article):
    assert stated({"@type": kind, "datePublished": "2020-02-18"}) == [("datePublished", "2020-02-18", article)]


@pytest.mark.parametrize(
    "around", [lambda x: [x], lambda x: {"@graph": [{"@type": "WebSite"}, x]}, lambda x: {"mainEntity": x}, lambda x: [[{"a": [x]}]]]
)
def test_lists_graphs_and_main_entities_lead_on(around):
    assert stated(around({"@type": "Article", "datePublished": "2020-02-18"})) == [("datePublished", "2020-02-18", 0)]


@pytest.mark.parametrize("key", ["comment", "review", "hasPart", "itemListElement", "video", "author", "isPartOf", "mentions"])
def test_what_hangs_on_the_page_is_not_the_page(key):
    assert stated({"@type": "Article", key: [{"@type": "Article", "datePublished": "2020-02-18"}]}) == []


@pytest.mark.parametrize("kind", ["Comment", "Review", "ImageObject", "Person", "Event", "WebSite"])
def test_some_things_are_never_the_page(kind):
    assert stated({"@type": kind, "datePublished": "2020-02-18"}) == []


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("2020-02-18", "2020-02-18"),
        (["2020-02-18", "2021-01-01"], "2020-02-18"),
        ({"@type": "Date", "@value": "2020-02-18"}, "2020-02-18"),
        (1582020900, "1582020900"),
        (1582020900123, "1582020900123"),
        ("x" * 1000, "x" * 200),
    ],
)
def test_a_value_may_be_a_list_an_object_or_seconds(value, found):
    assert stated({"datePublished": value}) == [("datePublished", found, 2)]


@pytest.mark.parametrize("value", [None, "", [], {}, True, -1, 10**20, 1.5, [[["2020-02-18"]]]])
def test_another_value_states_nothing(value):
    assert stated({"datePublished": value}) == []


@pytest.mark.parametrize(
    "text",
    [
        '<!-- {"datePublished" : "2020-02-18"} -->',
        '//<![CDATA[\n{"datePublished": "2020-02-18"}\n//]]>',
        '{"datePublished": "2020-02-18", "articleBody": "he said "no" "}',
        '{"a": 1,, "datePublished": "2020-02-18"',
    ],
)
def test_broken_json_still_gives_its_pairs(text):
    assert [(s.key, s.value) for s in stated_dates(text)] == [("datePublished", "2020-02-18")]


def test_line_ends_within_strings_are_borne():
    assert stated_dates('{"headline": "a\nb", "datePublished": "2020-02-18"}')[0].headline == "a\nb"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '"datePublished"',
        '{"datePublished": ' + "1" * 10_000 + "}",
        "[" * 100_000 + '"datePublished"' + "]" * 100_000,
        '{"a":' * 100_000 + '"datePublished"' + "}" * 100_000,
        '"datePublished":' + '"' * 60_000,
        '"datePublished": "' * 50_000,
        '"datePublished"' + " " * 900_000 + ':"2020-02-18"',
        '{"datePublished": "2020-02-18"}' + " " * (1 << 20),
        '["datePublished", ' + "[1]," * 200_000 + "1]",
        "\ud800 datePublished",
    ],
    ids=lambda t: repr(t[:14]),
)
def test_hostile_text_states_nothing_and_takes_little_time(text):
    begin = time.process_time()
    assert stated_dates(text) == []
    assert time.process_time() - begin < 1


def test_many_dates_are_cut():
    assert len(stated([{"datePublished": "2020-02-18"}] * 1000)) == 50
    assert len(stated_dates('"datePublished": "2020-02-18", ' * 1000)) == 50


def test_a_deep_tree_that_python_reads_is_walked_without_recursion():
    depth = 500
    text = '{"x":' * depth + '{"@type": "Article", "datePublished": "2020-02-18"}' + "}" * depth
    assert len(stated_dates(text)) == 1
