"""Where on a page do its runs, elements and links stand?"""

import numpy as np
from hypothesis import given
from soup import Seen, seen, seen_by_both, soups, tag_soup

LINKS = "<p>a <a href=x>b c</a> d</p>"


def links_of(html: str) -> list[str]:
    """The text of each link."""
    page = seen_by_both(html)
    return [page["text"][begin:end] for begin, end, _ in page["links"]]


def names_of(html: str) -> list[str]:
    """Name and names of each element."""
    page = seen_by_both(html)
    return [f"{name} {names}".strip() for (_, _, _, name, _), names in zip(page["elements"], page["names"], strict=True)]


# Runs


def test_a_run_has_its_place_and_the_element_around_it_and_what_is_in_links() -> None:
    page = seen_by_both(f"<div>é</div>{LINKS}")
    assert page["text"] == "é\na b c d"
    assert page["runs"] == [[0, 1, 2, 0], [2, 9, 3, 3]]


def test_the_element_of_a_run_is_around_all_of_it() -> None:
    assert seen_by_both("<p><a href=x>a</a></p>")["runs"] == [[0, 1, 3, 1]]
    assert seen_by_both("<p><a href=x>a</a>b</p>")["runs"] == [[0, 2, 2, 1]]
    assert seen_by_both("<p><i id=i> <b id=b>a</b></i> b</p>")["runs"] == [[0, 3, 2, 0]]
    assert seen_by_both("<p><i id=i>a <b id=b>b</b></i></p>")["runs"] == [[0, 3, 3, 0]]


def test_places_are_in_code_points() -> None:
    page = seen_by_both("<p>é𐐀漢</p><p>𐐀<a href=x>漢漢")
    assert page["runs"] == [[0, 3, 2, 0], [4, 7, 3, 2]]
    assert page["links"] == [(5, 7, 4)]


def test_the_text_of_a_page_is_its_runs_line_by_line() -> None:
    for html in soups(3, 1000):
        check_runs(seen(html))


@given(tag_soup())
def test_runs_follow_each_other(html: bytes) -> None:
    check_runs(seen(html))


def check_runs(page: Seen) -> None:
    text, runs = page["text"], page["runs"]
    assert text == "\n".join(text[begin:end] for begin, end, _, _ in runs)
    assert all(text[begin:end].strip() and 0 <= anchor <= end - begin for begin, end, _, anchor in runs)
    assert all(page["elements"][row][0] <= begin and end <= page["elements"][row][1] for begin, end, row, _ in runs)


# Elements


def test_elements_are_blocks_links_times_and_what_has_a_name() -> None:
    assert names_of("<p><b><a>c</a></b><abbr></abbr><time></time><i class=x></i><u id></u><p>") == (
        ["html", "body", "p", "a", "abbr", "time", "i x", "p"]
    )
    assert names_of("<x-y id=a>") == ["html", "body", "a"]


def test_an_element_has_its_extent_its_parent_and_whether_it_is_a_block() -> None:
    page = seen_by_both("<div> <i id=i>a</i> <ul><li>b<li> </ul> </div>")
    assert page["elements"] == [
        (0, 3, -1, "html", True),
        (0, 3, 0, "body", True),
        (0, 3, 1, "div", True),
        (0, 1, 2, "i", False),
        (2, 3, 2, "ul", True),
        (2, 3, 4, "li", True),
        (0, 0, 4, "li", True),
    ]


def test_names_are_id_class_and_role_in_small_letters() -> None:
    assert names_of("<p ROLE=main class=' B\tc&#32;d ' id=A><p id=é class=É>") == ["html", "body", "p a b c d main", "p é É"]


def test_a_second_tag_of_the_page_adds_only_what_the_first_has_not_said() -> None:
    assert names_of("<html><body><html id=a><body class=b><body id=c>") == ["html a", "body b"]
    assert names_of("<body id=a>b<body id=c>") == ["html", "body a"]
    assert names_of("a<template><body id=b><html id=c></template>") == ["html", "body"]


def test_the_body_begins_with_what_cannot_stand_in_a_head() -> None:
    assert names_of("<title>a</title> <meta><script></script>") == ["html"]
    assert names_of("<link><template><p></template><p>") == ["html", "body", "p"]
    assert names_of("<head><b>") == names_of("a") == names_of("<body>") == ["html", "body"]


def test_hidden_elements_and_drawings_have_no_row() -> None:
    assert names_of("<p hidden id=a><b id=b></b></p><svg id=c><path id=d /></svg><dialog id=e></dialog>") == ["html", "body"]
    assert names_of("<input id=a><br id=b><xmp id=c></xmp>") == ["html", "body", "xmp c"]


def test_an_element_farther_in_than_512_counts_as_the_one_around_it() -> None:
    page = seen("<div>" * 600 + "a<a href=x>b")
    assert len(page["elements"]) == 512
    assert page["elements"][-1] == (0, 2, 510, "div", True)
    assert page["runs"] == [[0, 2, 511, 1]]
    assert page["links"] == [(1, 2, 511)]


@given(tag_soup())
def test_elements_lie_within_each_other_in_the_order_of_their_tags(html: bytes) -> None:
    elements = seen(html)["elements"]
    assert elements[0][2:4] == (-1, "html")
    for row, (begin, end, parent, _, _) in enumerate(elements[1:], 1):
        assert 0 <= parent < row
        assert begin == end or (elements[parent][0] <= begin and end <= elements[parent][1])


# Links


def test_a_link_has_its_text_its_address_and_its_relation() -> None:
    page = seen_by_both("<p>a <a href=' x?a=1&amp;b ' rel='NoFollow\n UGC'> b <i>c</i> </a> d")
    assert (page["links"], page["hrefs"], page["rels"]) == ([(2, 5, 3)], [" x?a=1&b "], ["nofollow ugc"])


def test_an_anchor_without_an_address_is_no_link() -> None:
    assert links_of("<a name=x>a</a><a href>b</a><area href=y>c") == ["b", ""]


def test_a_link_goes_on_to_its_end_through_all_blocks() -> None:
    assert links_of("<a href=x><div>a</div><p>b</a>c") == ["a\nb"]
    assert links_of("<p><a href=x>a</p>b<p>c</a>d") == ["a\nb\nc"]
    assert seen_by_both("<p><a href=x>a</p>b<p>c</a>d")["runs"] == [[0, 1, 3, 1], [2, 3, 1, 1], [4, 6, 4, 1]]


def test_a_link_ends_where_another_begins_or_its_cell_ends() -> None:
    assert links_of("<a href=x>a<b>b<a href=y>c</b>d<a>e") == ["ab", "cd"]
    assert links_of("<table><td><a href=x>a<td>b</table>c") == ["a"]
    assert links_of("<table><td><p><a href=x>a</p>b<tr><td>c") == ["a\nb"]
    assert links_of("<a href=x>a<table><td>b</table>c") == ["a\nb\nc"]


def test_a_link_around_a_picture_has_a_place_and_no_text() -> None:
    page = seen("a <a href=x><img></a> b <a href=y></a>")
    assert (page["text"], page["hrefs"]) == ("a b", ["x", "y"])
    assert links_of("a <a href=x><img></a>") == [""]


def test_a_hidden_link_is_a_link_but_one_in_a_template_is_none() -> None:
    page = seen_by_both("<p hidden><a href=x>a</a></p><svg><a href=s></a></svg><template><a href=y></a></template><a href=z>b")
    assert (page["hrefs"], page["links"]) == (["x", "z"], [(0, 0, 1), (0, 1, 2)])


def test_blanks_are_in_a_link_only_between_what_can_be_seen_of_it() -> None:
    assert seen_by_both("a<a href=x> b c </a> d")["runs"] == [[0, 7, 1, 3]]
    assert seen_by_both("a<a href=x>&nbsp;</a>b")["runs"] == [[0, 3, 1, 0]]


@given(tag_soup())
def test_every_link_has_an_address_a_relation_and_an_element(html: bytes) -> None:
    page = seen(html)
    assert len(page["links"]) == len(page["hrefs"]) == len(page["rels"])
    assert all(0 <= begin <= end <= len(page["text"]) and 0 <= row < len(page["elements"]) for begin, end, row in page["links"])
    assert all(a[1] <= b[0] or a[1] == 0 or b[1] == 0 for a, b in zip(page["links"], page["links"][1:], strict=False))
    assert sum(anchor for *_, anchor in page["runs"]) == in_links(page)


def in_links(page: Seen) -> int:
    """Code points in links, without those that part runs."""
    inside = np.zeros(len(page["text"]), dtype=bool)
    for begin, end, _ in page["links"]:
        inside[begin:end] = True
    return int(sum(inside[begin:end].sum() for begin, end, _, _ in page["runs"]))
