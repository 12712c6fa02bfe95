"""Which part of a page is its main text? A page for each rule, pages meant to hurt, and real ones."""

import random
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unquilt.text import html
from unquilt.text.main_text import main_spans

HARBOUR = "When the harbour froze in January, the ferrymen walked across the ice and asked whether anybody still needed bread."
NOBODY = "Nobody had expected them, and nobody on the quay forgot that they had come, least of all the children of the lodger."
HOUSES = "The older houses kept their shutters closed until the thaw, and smoke stood over the roofs like a second, slower town."
THAW = "In March the water opened with a sound that some took for cannon, and by the evening two of the boats were gone for good."
TEXT = [HARBOUR, NOBODY, HOUSES, THAW]
SLOGAN = "The paper of the harbour, printed daily, and read by nobody at all."
STORY = "".join(f"<p>{line}</p>" for line in TEXT)
MENU = "<ul>" + "".join(f"<li><a href=/{n}>{n}</a></li>" for n in ("Home", "News", "Weather", "Sports", "About us", "Contact")) + "</ul>"


def main(source: str, *, comments: bool = False) -> list[str]:
    """The lines of the main text."""
    page = html.page(source.encode())
    return [line for begin, end in main_spans(page, comments=comments).tolist() for line in page.text[begin:end].split("\n")]


def whole(source: str) -> list[str]:
    return html.page(source.encode()).text.split("\n")


def test_a_text_alone_is_the_main_text() -> None:
    assert main(STORY) == TEXT
    assert main(f"<p>{HARBOUR}") == [HARBOUR]
    assert main("<p>Hello") == ["Hello"]


def test_a_page_without_text_has_none() -> None:
    for source in ("", "<p> </p>", "<script>var a</script>", "<!doctype html><title>x</title>"):
        assert main_spans(html.page(source.encode())).shape == (0, 2)


def test_a_page_of_links_is_its_own_text() -> None:
    assert main(MENU) == whole(MENU)


@pytest.mark.parametrize("menu", [MENU, f"<nav>{MENU}</nav>", f"<div class=menu>{MENU}</div>", f"<div role=navigation>{MENU}</div>"])
def test_a_menu_is_no_text(menu: str) -> None:
    assert main(f"{menu}<div>{STORY}</div>") == TEXT
    assert main(f"<div>{STORY}</div>{menu}") == TEXT
    assert main(f"<div>{menu}{STORY}</div>") == TEXT


def test_a_list_of_links_inside_the_text_is_cut() -> None:
    assert main(f"<article><p>{HARBOUR}<p>{NOBODY}{MENU}<p>{HOUSES}<p>{THAW}</article>") == TEXT


def test_links_in_a_sentence_stay() -> None:
    linked = f"<p>{HARBOUR.replace('ferrymen', '<a href=/f>ferrymen</a>')}</p>"
    assert main(f"<div>{linked}<p>{NOBODY}</p></div>") == [HARBOUR, NOBODY]


@pytest.mark.parametrize("footer", ["<footer>{}</footer>", "<div id=footer>{}</div>", "<div class='site-footer dark'>{}</div>"])
def test_a_footer_is_no_text(footer: str) -> None:
    legal = footer.format("<p>All of this belongs to somebody, and none of it may be sold, lent or sung without a letter.</p>")
    assert main(f"<body>{STORY}{legal}") == TEXT


def test_a_header_is_cut_unless_it_holds_the_text() -> None:
    assert main(f"<header><p>{SLOGAN}</p></header>{STORY}") == TEXT
    assert main(f"<header><article>{STORY}</article></header>") == TEXT


def test_a_sidebar_is_cut_and_a_wrapper_named_after_it_is_not() -> None:
    about = "Who writes here? A retired ferryman with opinions, a lamp, and too much paper for one lifetime."
    page = f"<div class=with-sidebar><div class=post>{STORY}</div><div class=sidebar><p>{about}</p></div></div>"
    assert main(page) == TEXT


def test_parts_of_a_text_named_after_advertisements_in_them_are_no_furniture() -> None:
    parts = "".join(f"<section class=section--ads><p>{line}</p></section>" for line in TEXT)
    assert main(f"<article>{parts}</article><footer><p>{SLOGAN}</p></footer>") == TEXT


def test_the_id_of_a_heading_is_what_it_says_and_not_what_it_is() -> None:
    menu, comments = "<h2 id=social-menu>Social menu</h2>", "<h2 id=comments>Comments</h2>"
    assert main(f"<p>{HARBOUR}</p>{menu}<p>{NOBODY}</p>{comments}<p>{THAW}</p>") == [HARBOUR, "Social menu", NOBODY, "Comments", THAW]


def test_the_part_that_only_subscribers_see_is_text() -> None:
    paid, form = f"<div class=subscription-content><p>{NOBODY}</p></div>", f"<div class=subscribe><p>{SLOGAN}</p></div>"
    assert main(f"<p>{HARBOUR}</p>{paid}{form}") == [HARBOUR, NOBODY]


def test_what_is_labelled_as_content_is_never_furniture() -> None:
    assert main(f"<div class='entry-content related'>{STORY}</div>{MENU}") == TEXT


REMARK = "I was there as a child, and I remember the sound better than the faces of the people who ran."
COMMENTS = f"<div id=comments><h3>2 comments</h3><p>{REMARK}</p><p>{REMARK} So do I, whatever my sister says.</p></div>"


def test_comments_stay_out_unless_asked_for() -> None:
    page = f"<article>{STORY}</article>{COMMENTS}"
    assert main(page) == TEXT
    assert main(page, comments=True) == [*TEXT, REMARK, f"{REMARK} So do I, whatever my sister says."]


def test_comments_by_choice_change_nothing_where_there_are_none() -> None:
    assert main(f"{MENU}{STORY}", comments=True) == TEXT


def test_a_page_of_comments_alone_is_its_comments() -> None:
    thread = "".join(f"<div class=comment><p>{line}</p></div>" for line in TEXT)
    assert main(f"{MENU}<div class=comments>{thread}</div>") == TEXT


def test_comments_open_is_said_of_an_article_too() -> None:
    assert main(f"<div class='post comments-open'><h1>Ice</h1>{STORY}</div>") == TEXT


CARD = "<div><a href=/{0}>What happened on the other side {0}</a><p>The other side has a story too, and it is told here in short.</p></div>"


def test_teasers_of_other_pages_are_cut() -> None:
    cards = "".join(CARD.format(n) for n in range(4))
    assert main(f"<div>{STORY}<div>{cards}</div></div>") == TEXT


def test_teasers_alone_are_what_the_page_is_about() -> None:
    cards = "".join(CARD.format(n) for n in range(4))
    assert "The other side has a story too, and it is told here in short." in main(f"<div>{cards}</div>")


def test_posts_that_are_all_called_teasers_are_what_the_page_is_about() -> None:
    posts = "".join(f"<div class=teaser><p>{line}</p></div>" for line in TEXT)
    assert main(f"<div><p>{SLOGAN}</p></div>{MENU}<div>{posts}</div>") == TEXT


def test_a_text_in_asides_alone_is_the_main_text() -> None:
    asides = "".join(f"<aside><p>{line}</p></aside>" for line in TEXT)
    assert main(f"<div><p>{SLOGAN}</p></div>{MENU}<article>{asides}</article>") == TEXT


def test_captions_alone_are_the_text_of_a_gallery() -> None:
    figures = "".join(f"<figure><img src=x><figcaption>{line}</figcaption></figure>" for line in TEXT)
    assert main(f"{MENU}<div><p>{SLOGAN}</p>{figures}</div>") == [SLOGAN, *TEXT]


def test_texts_under_two_linked_titles_are_no_teasers() -> None:
    sections = "".join(f"<section><h2><a href=/{n}>Section number {n}</a></h2><p>{line}</p></section>" for n, line in enumerate(TEXT[:2]))
    assert main(f"<div>{STORY}{sections}</div>") == [*TEXT, "Section number 0", HARBOUR, "Section number 1", NOBODY]


def test_an_address_written_out_in_a_paragraph_is_a_reference() -> None:
    address = "https://example.org/harbour"
    assert main(f"<div>{STORY}<p><a href={address}>{address}</a></p>{STORY}</div>") == [*TEXT, address, *TEXT]
    assert main(f"<div>{STORY}<p><a href={address}>The harbour in other years</a></p>{STORY}</div>") == [*TEXT, *TEXT]
    items = f"<li><a href={address}>{address}</a>" * 2
    assert main(f"<div>{STORY}<ul>{items}</ul>{STORY}</div>") == [*TEXT, *TEXT]


def test_a_heading_right_above_the_text_stays_if_it_is_not_the_headline() -> None:
    assert main(f"<article><h1>The ice</h1><h2>In January</h2>{STORY}</article>") == ["In January", *TEXT]
    assert main(f"<article><h2>The ice</h2>{STORY}</article>") == TEXT
    assert main(f"<article><h1>The ice</h1><h2><a href=/>January</a></h2>{STORY}</article>") == TEXT


def test_the_headline_itself_and_what_is_over_it_stay_out() -> None:
    assert main(f"<article><p>{SLOGAN}</p><h1>The ice</h1>{STORY}</article>") == TEXT


def test_a_lead_between_headline_and_text_is_kept() -> None:
    lead = "A winter that closed the harbour, and what came over the ice."
    page = f"<h1>The ice</h1><div class=teaser><p>{lead}</p></div><div class=meta>Jan 5, 2009</div><div>{STORY}</div>"
    assert main(page) == [lead, *TEXT]


def test_a_caption_is_no_text() -> None:
    figure = "<figure><img src=x><figcaption>The harbour, seen from the north. Photo: nobody</figcaption></figure>"
    assert main(f"<article><p>{HARBOUR}<p>{NOBODY}</p>{figure}<p>{HOUSES}<p>{THAW}</article>") == TEXT


def test_a_heading_stays_with_its_text_and_goes_with_it() -> None:
    related = f"<h2>Related stories</h2><div class=related>{MENU}</div>"
    page = f"<article><p>{HARBOUR}<p>{NOBODY}<h2>The thaw</h2><p>{HOUSES}</p>{related}<p>{THAW}</article>"
    assert main(page) == [HARBOUR, NOBODY, "The thaw", HOUSES, "Related stories", THAW]
    assert main(f"<article>{STORY}{related}</article>") == TEXT
    assert main(f"<article><p>{HARBOUR}<p>{NOBODY}<h2>Elsewhere</h2>{MENU}<p>{HOUSES}<p>{THAW}</article>") == TEXT


def test_headings_over_headings_stay_with_the_text_below() -> None:
    page = f"<article><p>{HARBOUR}<p>{NOBODY}<h2>Spring</h2><h3>The thaw</h3><p>{HOUSES}<p>{THAW}</article>"
    assert main(page) == [HARBOUR, NOBODY, "Spring", "The thaw", HOUSES, THAW]


def test_the_first_paragraph_needs_no_mark() -> None:
    first = "Somebody asked me last week whether I would write about the winter of the great ice"
    assert main(f"<h1>The ice</h1><div><p>{first}</p>{STORY}</div>") == [first, *TEXT]


def test_a_large_table_inside_a_text_does_not_hide_the_rest() -> None:
    """Each of its cells costs a toll; together they cost more than the text around them weighs."""
    cells = "".join(f"<tr><td>{n}</td><td>x</td></tr>" for n in range(300))
    parts = f"<div>{STORY}</div><table>{cells}</table><div>{STORY}</div><table>{cells}</table><div>{STORY}</div>"
    assert [line for line in main(f"{MENU}<article>{parts}</article>") if line in TEXT] == TEXT * 3


def test_short_things_beside_paragraphs_are_buttons() -> None:
    assert main(f"<article><p>{HARBOUR}</p><div>Share this</div><p>{NOBODY}</p><p>{HOUSES}</p></article>") == TEXT[:3]


def test_text_without_paragraphs_is_text() -> None:
    assert main(f"{MENU}<div>{'<br>'.join(TEXT)}</div>") == TEXT


def test_items_and_cells_are_text() -> None:
    items = "".join(f"<li>{line}</li>" for line in TEXT)
    assert main(f"{MENU}<div><ul>{items}</ul></div>") == TEXT
    cells = "".join(f"<tr><td>{line}</td></tr>" for line in TEXT)
    assert main(f"{MENU}<div><table>{cells}</table></div>") == TEXT


def test_chinese_needs_few_characters_for_a_sentence() -> None:
    story = ["港口结冰的时候，船夫们在冰上走过去，问谁还需要面包。", "没有人想到他们会来，也没有人忘记他们来过。老房子的窗板一直关到解冻。"]
    menu = "<ul>" + "".join(f"<li><a href=/{n}>{n}</a></li>" for n in ("首页", "新闻", "天气", "体育")) + "</ul>"
    body = "".join(f"<p>{line}</p>" for line in story)
    assert main(f"{menu}<div>{body}</div><div>{menu}</div>") == story


def test_a_script_without_marks_is_text_where_it_is_long() -> None:
    thai = "เมื่อท่าเรือกลายเป็นน้ำแข็งคนเรือก็เดินข้ามไปถามว่ายังมีใครต้องการขนมปังอยู่หรือไม่ไม่มีใครคาดคิดว่าพวกเขาจะมาและไม่มีใครลืมว่าพวกเขาเคยมา"
    assert main(f"{MENU}<div><p>{thai}</p><p>{thai}</p></div>") == [thai, thai]


def test_where_nothing_reads_as_text_the_labelled_container_counts() -> None:
    rows = "".join(f"<div>Row {n}</div>" for n in range(20))
    page = f"<div>{MENU}</div><main><div>{rows}</div></main><div>Imprint</div>"
    assert main(page) == [f"Row {n}" for n in range(20)]


def test_of_several_articles_all_are_kept() -> None:
    """A home page of whole posts."""
    posts = "".join(f"<article><h2><a href=/{n}>Post</a></h2>{STORY}</article>" for n in range(3))
    kept = main(f"{MENU}<div id=content>{posts}</div>")
    assert [line for line in kept if line in TEXT] == TEXT * 3


# ---- What holds for every page ----

PIECES = [
    "<div>",
    "</div>",
    "<p>",
    "<a href=/>",
    "</a>",
    "<h1>",
    "<h2>",
    "<ul>",
    "<li>",
    "<nav>",
    "<article class=post>",
    "</article>",
    "<td>",
]
PIECES += [
    "<div class=comments>",
    "<figure>",
    "<span id=footer>",
    "word ",
    "漢字。",
    f"{HARBOUR} ",
    "12. ",
    "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join), st.booleans())
def test_spans_are_whole_runs_in_order(source: str, comments: bool) -> None:
    page = html.page(source.encode())
    spans = main_spans(page, comments=comments)
    assert spans.dtype == "int32"
    places = spans.reshape(-1).tolist()
    assert places == sorted(set(places))
    assert set(spans[:, 0].tolist()) <= set(page.runs[:, 0].tolist())
    assert set(spans[:, 1].tolist()) <= set(page.runs[:, 1].tolist())
    assert bool(len(spans)) == bool(page.text)


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_comments_by_choice_only_add(source: str) -> None:
    page = html.page(source.encode())
    without, with_ = ({n for a, b in main_spans(page, comments=c).tolist() for n in range(a, b)} for c in (False, True))
    assert without <= with_


# ---- Pages meant to hurt ----

DEEP = 50_000
HOSTILE = {
    "deep": "<div>" * DEEP + HARBOUR,
    "deep with text": f"<div>{HARBOUR}" * DEEP,
    "deep names": "<div class='sidebar comment entry-content'>" * DEEP + HARBOUR,
    "wide": "<p>x</p>" * 1_000_000,
    "wide names": "".join(f"<i id=n{n}>x</i>" for n in range(200_000)),
    "one run": "x " * 5_000_000,
    "headings": "<h2>x</h2>" * 100_000,
    "cards": "<div><a href=/>a title of a page</a><p>x</div>" * 50_000,
    "links": "<a href=/>x</a> " * 200_000,
}


@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE)
def test_the_worst_pages_cost_little(source: str) -> None:
    page = html.page(source.encode())
    begin = time.process_time()
    main_spans(page)
    assert time.process_time() - begin < 2


def test_twice_the_page_is_twice_the_work() -> None:
    def spent(rows: int) -> float:
        page = html.page(f"<div><h2>x</h2><p>{HARBOUR}</p><a href=/>y</a></div>".encode() * rows)
        begin = time.process_time()
        for _ in range(3):
            main_spans(page)
        return time.process_time() - begin

    spent(100)
    assert spent(32_000) < 20 * spent(4_000) + 0.05


# ---- Real pages ----


@pytest.mark.data
def test_a_page_has_the_same_main_text_whatever_was_read_before(shared_data: Path) -> None:
    import pyarrow.parquet as pq

    sources = pq.read_table(shared_data / "pages" / "gold_text_dev.parquet", columns=["html"]).column("html").to_pylist()[:40]
    pages = [html.page(source) for source in sources]
    first = [main_spans(page).tolist() for page in pages]
    order = list(range(len(pages)))
    random.Random(3).shuffle(order)
    assert {n: main_spans(pages[n]).tolist() for n in order} == dict(enumerate(first))
