"""Which element is a page's own heading, and what stands apart from it?"""

import time

import pytest

from unquilt.text import html
from unquilt.text.heading import APART, FRAME, Heading, letters

TITLE = "<title>The quick brown fox jumps | Fox News</title>"
TEXT = "<p>" + "A fox jumped over a dog. " * 60 + "</p>"


def page_of(body, head=TITLE):
    return html.page(f"<!doctype html><html><head>{head}</head><body>{body}</body></html>".encode())


def text_of(page):
    heading = Heading(page)
    return page.text[heading.begin : heading.end].strip()


def row_of(page, names):
    return page.names.index(names)


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("<h1>Fox News</h1><h2>The quick brown fox jumps</h2>" + TEXT, "The quick brown fox jumps"),
        ("<h1>Other</h1><h3>THE QUICK  BROWN FOX JUMPS</h3>" + TEXT, "THE QUICK BROWN FOX JUMPS"),
        ("<h1>The quick brown fox jumps</h1><h3>3 comments on The quick brown fox jumps</h3>" + TEXT, "The quick brown fox jumps"),
        ("<h1>Some other words</h1>" + TEXT, "Some other words"),
        ("<h1></h1><h1>Some other words</h1>" + TEXT, "Some other words"),
        ("<div>The quick brown fox jumps</div>" + TEXT, "The quick brown fox jumps"),
        ("<h2>Other</h2>" + TEXT, ""),
        ("", ""),
    ],
)
def test_the_heading_is_what_the_title_repeats_or_else_the_first_h1(body, wanted):
    assert text_of(page_of(body)) == wanted


def test_a_page_without_title_has_its_first_h1_as_heading():
    assert text_of(page_of("<h1>One fox</h1><h1>Two foxes</h1>", head="")) == "One fox"


def test_the_title_may_be_given_for_sharing_only():
    head = '<title>Fox News</title><meta property="og:title" content="The quick brown fox jumps">'
    assert text_of(page_of("<h1>Fox News</h1><h2>The quick brown fox jumps</h2>", head)) == "The quick brown fox jumps"


def test_near_is_soon_after_the_heading_or_just_above_it():
    page = page_of(
        "<p>far 1</p><p>2</p><p>3</p><p>4</p><p>5</p><p>just above</p><h1>The quick brown fox jumps</h1><p>below</p>" + TEXT + "<p>end</p>"
    )
    heading = Heading(page)

    def near(words):
        begin = page.text.index(words)
        return heading.near(begin, begin + len(words))

    assert [near("far 1"), near("just above"), near("below"), near("end")] == [False, True, True, False]
    assert heading.distance(heading.begin, heading.end) == 0
    assert heading.distance(heading.end + 7, heading.end + 9) == 7


@pytest.mark.parametrize(
    ("part", "verdict"),
    [
        ('<div class="comments">x</div>', APART),
        ('<div id="related-posts">x</div>', APART),
        ('<nav class="x">x</nav>', APART),
        ('<footer class="x">x</footer>', FRAME),
        ('<aside class="x">x</aside>', FRAME),
        ('<div class="site-footer">x</div>', FRAME),
        ('<div class="story">x</div>', 0),
    ],
)
def test_comments_lists_of_other_pages_and_frames_stand_apart(part, verdict):
    page = page_of(f"<h1>The quick brown fox jumps</h1>{TEXT}{part}")
    row = max(range(len(page.names)), key=lambda n: (bool(page.names[n]), n))
    assert Heading(page).apart(row) == verdict


def test_what_is_inside_of_something_apart_is_apart():
    page = page_of(f'<h1>The quick brown fox jumps</h1>{TEXT}<div class="comments"><div><p class="in">x</p></div></div>')
    heading = Heading(page)
    assert heading.apart(row_of(page, "in")) == APART
    assert heading.apart(row_of(page, "in")) == APART


def test_what_holds_the_heading_or_most_of_the_page_is_not_apart():
    archive = '<div class="archive"><h1>The quick brown fox jumps</h1><p class="in">x</p></div>'
    page = page_of(f'{archive}<div class="comments"><p class="long">{TEXT}</p></div>')
    heading = Heading(page)
    assert heading.apart(row_of(page, "in")) == 0
    assert heading.apart(row_of(page, "long")) == 0
    assert heading.apart(-1) == 0


def test_titles_are_compared_without_white_space_and_case():
    assert letters("The Quick\n brown\u00a0FOX") == letters("the quick BROWN fox") == "thequickbrownfox"
    assert len(letters("ß" * 10_000)) <= 300


@pytest.mark.parametrize(
    "body", ["<h1>fox</h1>" * 20_000, "<div class=comment>" * 20_000 + "<p>x", TITLE * 5_000, "<div>" * 20_000 + "<h1>fox</h1>"]
)
def test_hostile_pages_take_little_time(body):
    page = page_of(body)
    begin = time.process_time()
    heading = Heading(page)
    for row in range(max(0, len(page.names) - 200), len(page.names)):
        heading.apart(row)
    assert time.process_time() - begin < 0.5
