"""Which text of a page can be seen, and where are its words parted? `docs/kernels.md` by literal pages."""

from html.entities import html5

import pytest
from soup import seen, seen_by_both

from unquilt.kernel.twins.html import BLANK

BLOCKS = (
    "address article aside blockquote button center dd details dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 "
    "header hgroup legend li listing main marquee menu nav ol optgroup option p pre search section summary table ul xmp"
).split()
INLINE = (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label map mark nobr output picture q rb rt rtc ruby s samp slot "
    "small span strike strong sub sup time tt u var x-y"
).split()
UNSEEN = (
    "applet audio canvas datalist iframe meter noembed noframes noscript object progress "
    "rp script select style template textarea title video"
).split()
SEEN_BESIDES = "audio applet canvas iframe meter object progress select textarea video embed input keygen".split()


def text_of(html: str | bytes) -> str:
    text: str = seen_by_both(html)["text"]
    return text


def assert_texts(*cases: tuple[str, str]) -> None:
    assert [text_of(html) for html, _ in cases] == [text for _, text in cases]


# Where words are parted


@pytest.mark.parametrize("tag", BLOCKS, ids="<{}>".format)
def test_a_block_stands_on_a_line_of_its_own(tag: str) -> None:
    assert text_of(f"a<{tag}>b</{tag}>c") == "a\nb\nc"


@pytest.mark.parametrize("tag", INLINE, ids="<{}>".format)
def test_an_inline_element_parts_no_word(tag: str) -> None:
    assert text_of(f"vis<{tag}>ib</{tag}>le") == "visible"


@pytest.mark.parametrize(
    "tag", ["img", "wbr", "area", "link", "meta", "source", "track", "param", "base", "/b", "/span", "/x"], ids="<{}>".format
)
def test_what_shows_no_text_parts_no_word(tag: str) -> None:
    assert text_of(f"vis<{tag}>ible") == "visible"


def test_lines_and_rules_part_words() -> None:
    assert_texts(("a<br>b", "a\nb"), ("a<br/> <br>b", "a\nb"), ("a</br>b", "a\nb"), ("a<hr>b", "a\nb"), ("a</p>b", "a\nb"))
    assert_texts(("<br>a<br>", "a"), ("a <br> b", "a\nb"), ("a&nbsp;<br>&nbsp;b", "a\n\xa0b"), ("<p>a<br></p><p>b", "a\nb"))


@pytest.mark.parametrize("tag", SEEN_BESIDES, ids="<{}>".format)
def test_a_control_or_frame_parts_words(tag: str) -> None:
    assert text_of(f"a<{tag}></{tag}>b") == "a b"


def test_a_hidden_input_parts_no_word() -> None:
    assert_texts(("a<input type=' Hidden '>b", "ab"), ("a<input hidden>b", "ab"), ("a<input type=text>b", "a b"))


def test_cells_of_a_table_are_apart() -> None:
    assert text_of("<table><caption>a<tr><th>b<td>c<tr><td>d<tfoot><tr><td>e</table>f") == "a\nb\nc\nd\ne\nf"


# White space


def test_white_space_collapses_and_the_ends_of_a_run_have_none() -> None:
    assert_texts((" a \t\n\f\r b ", "a b"), ("<p> a <b> b </b> c </p> d", "a b c\nd"), ("a<p> </p>b", "a\nb"), ("a <p> b", "a\nb"))


def test_white_space_stays_as_it_is_written_where_the_element_says_so() -> None:
    for tag in ("pre", "listing", "xmp"):
        assert text_of(f"<{tag}>\n a\t b\r\n\r c \n</{tag}>") == "a\t b\n\n c"
    assert_texts(("<pre>a  <b>b  c</b></pre>d  e", "a  b  c\nd e"), ("<plaintext>a  b</plaintext>", "a  b</plaintext>"))


@pytest.mark.parametrize("blank", [c for c in BLANK if c not in " \t\n\f\r"])
def test_other_blanks_stay_but_not_at_the_ends(blank: str) -> None:
    assert text_of(f"<p>{blank}a{blank}{blank}b {blank}</p>") == f"a{blank}{blank}b"
    assert text_of(f"<p>{blank}<p>a<br>{blank}b{blank}<br>") == f"a\n{blank}b"


def test_every_other_character_can_be_seen() -> None:
    characters = [chr(n) for n in [*range(1, 0xD800), *range(0xE000, 0x11000)] if chr(n) not in "<&"]
    lines = seen("".join(f"<p>{c}x" for c in characters))["text"].split("<")[0]
    expected = [("" if c in BLANK else c) + "x" for c in characters]
    assert lines == "\n".join(expected)


def test_a_run_of_blanks_is_no_run() -> None:
    assert seen_by_both("<p>&nbsp;\u3000 <p>a<p>\u200b")["runs"] == [[0, 1, 3, 0]]


# What can be seen


@pytest.mark.parametrize("tag", UNSEEN, ids="<{}>".format)
def test_the_content_of_some_elements_is_not_seen(tag: str) -> None:
    assert text_of(f"<p>a <{tag}>not<b>this</b></{tag}> b") == "a b"


def test_hidden_elements_are_not_seen() -> None:
    hiding = ["hidden", "HIDDEN=''", "hidden=until-found", "style=display:none", 'style=" color:red; Display : NONE ; "']
    hiding += ["style='display:none!important'", "style=visibility:hidden", "style=visibility:collapse", "style=display&#58;none"]
    for attribute in hiding:
        assert text_of(f"a<div {attribute}>b<p>c</p></div>d<i {attribute}>e</i>f") == "adf"


def test_other_styles_hide_nothing() -> None:
    showing = ["style=display:block", "style=display:none;display:block", "style='visibility:hidden;visibility:visible'", "style=none"]
    showing += ["style=x-display:none", "style='display:nonesuch'", "style=opacity:0", "aria-hidden=true", "class=hidden", "data-hidden"]
    for attribute in showing:
        assert text_of(f"a<i {attribute}>b</i>c") == "abc"


def test_a_closed_dialog_is_not_seen_and_an_open_one_is() -> None:
    assert_texts(("a<dialog>b</dialog>c", "ac"), ("a<dialog open>b</dialog>c", "a\nb\nc"), ("a<details><summary>b</summary>c", "a\nb\nc"))


def test_the_page_as_a_whole_is_never_hidden() -> None:
    assert text_of("<html hidden><body style='visibility:hidden'>a") == "a"


def test_pictures_in_letters_are_not_seen_but_formulas_are() -> None:
    assert_texts(("a<svg><text>b</text><desc>c</desc></svg>d", "ad"), ("<math><mi>x</mi><mo>=</mo><mn>1</mn></math>", "x=1"))
    assert text_of("<math><semantics><mi>x</mi><annotation>y</annotation><annotation-xml>z</annotation-xml></semantics></math>") == "x"


def test_a_shadow_of_an_element_is_seen() -> None:
    assert text_of("<div><template shadowrootmode=open>a</template>b</div>") == "ab"


def test_what_the_head_declares_is_no_text() -> None:
    assert text_of("<head><title>a</title><style>b</style><script>c</script><meta name=d content=e></head> <body>f") == "f"
    assert text_of("<title>a</title>b<style>c</style>") == "b"


def test_what_stands_behind_the_end_of_the_body_is_seen() -> None:
    assert_texts(("a</body>b</html>c", "abc"), ("<p>a</p></body><p>b", "a\nb"), ("<head>a", "a"), ("<frameset>a", "a"))


# How elements end


def test_what_may_lack_its_end_tag_ends_by_itself() -> None:
    hidden = "<{0} hidden>not this<{1}>a"
    for one, other in (("p", "p"), ("p", "div"), ("p", "h1"), ("p", "ul"), ("p", "table"), ("h1", "h2"), ("button", "button")):
        assert text_of(hidden.format(one, other)) == "a"
    assert_texts(("<ul><li hidden>b<li>a", "a"), ("<dl><dt hidden>b<dd>a", "a"), ("<table><td hidden>b<td>a", "a"))
    assert_texts(("<table><tr hidden><td>b<tr><td>a", "a"), ("<table><thead hidden><td>b<tbody><td>a", "a"), ("<ruby><rp>(<rt>a", "a"))
    assert_texts(("<select><option>b<input>a", "a"), ("<select>b<select>a", "a"), ("<table><caption hidden>b<td>a", "a"))


def test_an_end_tag_ends_what_is_open_inside() -> None:
    assert_texts(("<div><p hidden>b</div>a", "a"), ("<div><b hidden>b</div>a", "a"), ("<ul><li><i hidden>b</ul>a", "a"))
    assert_texts(("<h1 hidden>b</h3>a", "a"), ("<table><td hidden>b</table>a", "a"), ("<div><x-y hidden>b</div>a", "a"))


def test_an_end_tag_does_not_reach_out_of_its_place() -> None:
    assert_texts(("<b hidden><p>a</b>b", ""), ("<div hidden><table><td>a</div>b", ""), ("<li hidden><ul></li>a", ""))
    assert_texts(("<p hidden><button></p>a", ""), ("<div hidden><object></div>a", ""), ("<i hidden><div></i>a</div></i>b", "b"))


def test_a_list_item_ends_another_one_through_divisions_but_not_through_a_list() -> None:
    assert_texts(("<li hidden><div><p>b<li>a", "a"), ("<li hidden><ul><li>b</ul>c<li>a", "a"), ("<li hidden><section>b<li>a", ""))


def test_cells_and_rows_mean_nothing_outside_of_tables() -> None:
    assert_texts(("a<td>b</td>c", "abc"), ("a<tr>b<tbody>c<caption>d", "abcd"))


def test_text_between_cells_stays_where_it_is() -> None:
    assert text_of("<table>a<tr>b<td>c</td>d</table>e") == "a\nb\nc\nd\ne"


def test_a_table_in_a_table_needs_a_cell() -> None:
    assert_texts(("<table hidden><table>a", "a"), ("<table hidden><td><table>a</table>b</table>c", "c"))


def test_a_form_in_a_form_is_none() -> None:
    assert_texts(("<form>a<form hidden>b</form>c", "ab\nc"), ("<form>a</form><form hidden>b", "a"))


def test_tags_of_html_end_a_drawing() -> None:
    assert_texts(("<svg><p>a", "a"), ("<svg><g><circle/><div>a</div>b", "a\nb"), ("<svg><foreignobject><p>a</svg>b", ""))
    assert_texts(("<svg></p>a", "a"), ("<math><mi>a<p>b</p></mi></math>c", "a\nb\nc"), ("<svg/>a", "a"), ("<svg><x></svg>a", "a"))


def test_a_template_is_left_by_its_own_end_tag_only() -> None:
    assert_texts(("<div><template><p></div>a</template>b", "b"), ("a</template>b", "ab"))


# Tags, comments, references


def test_comments_are_no_text() -> None:
    for comment in (
        "<!--x-->",
        "<!-->",
        "<!--->",
        "<!---->",
        "<!--x--!>",
        "<!-- <b> -- > -->",
        "<!--<!--x-->",
        "<!x>",
        "<?x?>",
        "</>",
        "</ x>",
    ):
        assert text_of(f"a{comment}b") == "ab"
    assert_texts(("a<!--b", "a"), ("a<!--b--", "a"), ("a<!b", "a"), ("a<!--b-->-->", "a-->"), ("a<!", "a"), ("a</1", "a"))


def test_what_is_no_tag_is_text() -> None:
    assert_texts(("a<1>b", "a<1>b"), ("a < b", "a < b"), ("a<", "a<"), ("a</", "a</"), ("<<b>a", "<a"), ("a<>b", "a<>b"), ("a>b", "a>b"))


def test_a_tag_that_the_source_ends_within_is_none() -> None:
    for tag in ("<b", "<b ", "<b x", "<b x=", "<b x='", '<b x="y', "<b x=y", "<b /", "</b", "</b "):
        assert text_of(f"a{tag}") == "a"


def test_attributes_are_read_as_browsers_read_them() -> None:
    hiding = [
        "x=1 hidden",
        "x='>' hidden",
        'x=">" hidden',
        "x=a'b hidden",
        "/hidden",
        "x hidden=",
        "=x hidden",
        "x = '1'hidden",
        "\nhidden\f",
    ]
    assert [text_of(f"a<i {attributes}>b</i>c") for attributes in hiding] == ["ac"] * len(hiding)
    showing = ["x='hidden'", "x=/hidden", "xhidden", "x='<i hidden>'", "style=a style=display:none", 'hidden"', "hidden<"]
    assert [text_of(f"a<i {attributes}>b</i>c") for attributes in showing] == ["abc"] * len(showing)


def test_a_slash_ends_an_element_of_a_drawing_but_none_of_html() -> None:
    assert_texts(("<i hidden/>a</i>b", "b"), ("<svg/>a", "a"), ("<math><mi hidden/>a</math>", "a"), ("<svg id=a/>b</svg>c", "c"))


def test_names_are_the_same_in_small_letters_and_in_large_ones() -> None:
    assert_texts(("<DIV HIDDEN>a</dIV>b", "b"), ("<SCRIPT>a</Script>b", "b"), ("<K hidden>a</\u212a>b</k>c", "c"))


def test_raw_text_ends_at_its_own_end_tag_only() -> None:
    assert_texts(("<style><!-- </style>a", "a"), ("<title></titles></title >a", "a"), ("<textarea><b></textarea/x>a", "a"))
    assert_texts(("<xmp><b>&amp;</b></XMP>a", "<b>&amp;</b>\na"), ("<noscript><p></noscript>a", "a"), ("<iframe></iframe x>a", "a"))
    assert_texts(("a<title>b", "a"), ("a<style>b</style", "a"), ("a<xmp>b</xmp", "a\nb</xmp"))


def test_a_script_in_a_comment_of_a_script_is_part_of_it() -> None:
    assert_texts(("<script><!-- <script>x</script> --></script>a", "a"), ("<script><!-- </script>a", "a"), ("<script>a</scripts>b", ""))
    assert_texts(("<script><!--><script></script>a", "a"), ("<script><!-- <script></script>a</script>b", "b"))


def test_character_data_are_text_in_a_formula_and_a_comment_elsewhere() -> None:
    assert_texts(("<math><mi><![CDATA[a<b>&amp;]]>c", "a<b>&amp;c"), ("<math><![CDATA[a", "a"), ("<p><![CDATA[a]]>b", "b"))


@pytest.mark.parametrize("in_attribute", [False, True])
def test_every_named_reference_is_decoded(in_attribute: bool) -> None:
    names = [name for name, value in html5.items() if not set(value) & set(BLANK)]
    if in_attribute:
        assert seen("".join(f"<a href='&{name}'>" for name in names))["hrefs"] == [html5[name] for name in names]
    else:
        assert seen("".join(f"<p>&{name}" for name in names))["text"] == "\n".join(html5[name] for name in names)


def test_a_reference_without_semicolon_is_decoded_unless_it_may_be_part_of_an_address() -> None:
    assert_texts(("&ampx &notit; &notin; &copy=1", "&x ¬it; ∉ ©=1"), ("&am &; & &x; &hellip", "&am &; & &x; &hellip"))
    hrefs = seen_by_both("<a href='?a&copy=1&ampx&amp=2&copy;&not;&notx&copy'>")["hrefs"]
    assert hrefs == ["?a&copy=1&ampx&amp=2©¬&notx©"]


def test_numbers_of_characters_are_decoded() -> None:
    assert_texts(("&#65;&#x42;&#X43&#68", "ABCD"), ("&#; &#x; &#xg", "&#; &#x; &#xg"), ("&#128;&#x99;&#129;", "€™\x81"))
    for number in ("0", "xD800", "xDFFF", "x110000", "9999999999", "x" + "F" * 100):
        assert text_of(f"a&#{number};b") == "a\ufffdb"


def test_references_may_be_white_space() -> None:
    assert_texts(("a&#32;&#10;&Tab;b", "a b"), ("<pre>a&#13;b&#9;c</pre>", "a\nb\tc"), ("&nbsp;a&nbsp;b&nbsp;", "a\xa0b"))


# Bytes


def test_a_nul_is_nothing_in_text_and_replaced_elsewhere() -> None:
    page = seen_by_both(b"a\0b&#0;<xmp>c\0d</xmp><a href='e\0f' class=\0>g<title>h\0</title>")
    assert (page["text"], page["hrefs"], page["names"][-1], page["facts"]) == (
        "ab\ufffd\nc\ufffdd\ng",
        ["e\ufffdf"],
        "\ufffd",
        [("title", "", "h\ufffd")],
    )


def test_what_is_not_utf_8_is_replaced() -> None:
    assert text_of(b"a\xff\xc3<b>\xe2\x82</b>\xed\xa0\x80\xf0\x9f\x98") == "a\ufffd\ufffd\ufffd" + "\ufffd" * 3 + "\ufffd"
    assert seen(b"\xff" * 100)["characters"] == 100


def test_a_byte_order_mark_is_no_part_of_the_page() -> None:
    page = seen_by_both(b"\xef\xbb\xbf<title>a</title>b")
    assert (page["text"], page["facts"], page["characters"]) == ("b", [("title", "", "a")], 18)


def test_an_empty_page_has_an_element_and_no_text() -> None:
    for html in (b"", b" ", b"\xef\xbb\xbf", b"<!doctype html>", b"<html><head></head></html>"):
        page = seen_by_both(html)
        assert (page["text"], page["runs"], page["elements"]) == ("", [], [(0, 0, -1, "html", True)])
