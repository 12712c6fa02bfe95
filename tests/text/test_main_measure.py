"""How much text is where? Counted again, slowly, character by character and element by element."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unquilt.text import html
from unquilt.text.html import BEGIN, END, HtmlPage
from unquilt.text.main_measure import STOPS, WIDE_BLOCKS, Measure, measure


def page(source: str) -> HtmlPage:
    return html.page(source.encode("utf-8", "replace"))


def test_a_run_is_measured_in_letters() -> None:
    m = measure(page("<p>One, two. <a href=/>three 3</a></p><p>漢字かな。</p>"))
    assert m.letters.tolist() == [17, 3 * 5]
    assert m.linked.tolist() == [7, 0]
    assert m.plain.tolist() == [10, 15]
    assert m.stops.tolist() == [2, 1]
    assert m.digits.tolist() == [1, 0]
    assert m.sentence.tolist() == [0, 0]


def test_an_address_is_one_at_the_beginning() -> None:
    m = measure(page("<p>http://a.example/<p>https://a.example/<p>www.a.example<p>See http://a.example/<p>An http<p>ww"))
    assert m.address.tolist() == [True, True, True, False, False, False]


def test_a_sentence_has_a_mark_or_is_long() -> None:
    words = "so many words that it is more than a label"
    assert len(words) > 40
    m = measure(page(f"<p>{words}</p><p>{words}.</p><p>{(words + ' ') * 3}</p><p>Short. It is.</p>"))
    assert (m.sentence > 0).tolist() == [False, True, True, False]


def test_a_link_is_no_sentence_however_long() -> None:
    m = measure(page("<p><a href=/>" + "A headline of a page that is not this one, as long as you like. " * 5 + "</a></p>"))
    assert m.sentence.tolist() == [0]


def test_a_mark_of_any_script_ends_a_sentence() -> None:
    text = "".join(f"<p>{'a' * 50}{stop}</p>" for stop in STOPS)
    assert (measure(page(text)).sentence > 0).all()


def test_elements_hold_the_runs_inside_them() -> None:
    m = measure(page("<div id=a><p>One</p><p>Two</p></div><div id=b></div><div id=c><p>Three</p></div>"))
    first, last = m.first.tolist(), m.last.tolist()
    assert (0, 2) in zip(first, last, strict=True)
    assert (2, 3) in zip(first, last, strict=True)
    assert all(a < b for a, b in zip(first, last, strict=True))  # what is empty is not there


def test_runs_are_covered_by_rows_or_masks() -> None:
    m = measure(page("<ul><li>One</li><li>Two</li></ul><p>Three</p>"))
    row = next(n for n in range(len(m.first)) if (m.first[n], m.last[n]) == (0, 2))
    assert m.covered(np.array([row])).tolist() == [True, True, False]
    assert m.covered(np.arange(len(m.first)) == row).tolist() == [True, True, False]
    assert m.covered(np.array([], int)).tolist() == [False, False, False]


TEXT = st.text("ab 12.,!漢字。한Ａ𠀀éก\n", max_size=12)
TREE = st.recursive(
    TEXT,
    lambda inner: st.tuples(st.sampled_from(["div", "p", "a href=/", "span id=x", "ul", "li", "b"]), st.lists(inner, max_size=4)).map(
        lambda pair: f"<{pair[0]}>{''.join(pair[1])}</{pair[0].split()[0]}>"
    ),
    max_leaves=12,
)


@given(TREE)
def test_all_amounts_are_those_of_a_slow_count(source: str) -> None:
    read = page(source)
    if not len(read.runs):
        return
    m = measure(read)
    slow = slow_measure(read)
    for name, amounts in slow.items():
        assert getattr(m, name).tolist() == amounts, name
    totals = m.total(m.letters).tolist()
    assert totals == [sum(slow["letters"][a:b]) for a, b in zip(m.first.tolist(), m.last.tolist(), strict=True)]
    assert m.covered(np.arange(len(m.first))).tolist() == slow_cover(m)


def slow_measure(read: HtmlPage) -> dict[str, list[int]]:
    wide = [sum(any(a <= ord(c) < b for a, b in WIDE_BLOCKS) for c in text) for text in texts(read)]
    letters = [len(text) + 2 * n for text, n in zip(texts(read), wide, strict=True)]
    linked = [
        n * anchor // len(text) for n, text, anchor in zip(letters, texts(read), [int(row[3]) for row in read.runs.tolist()], strict=True)
    ]
    inside = [
        [n for n, (begin, end, *_) in enumerate(read.runs.tolist()) if e[BEGIN] <= begin and end <= e[END]] for e in read.elements.tolist()
    ]
    return {
        "letters": letters,
        "linked": linked,
        "plain": [a - b for a, b in zip(letters, linked, strict=True)],
        "stops": [sum(c in STOPS for c in text) for text in texts(read)],
        "digits": [sum(c in "0123456789" for c in text) for text in texts(read)],
        "element": [n for n, runs in enumerate(inside) if runs],
        "first": [runs[0] for runs in inside if runs],
        "last": [runs[-1] + 1 for runs in inside if runs],
    }


def texts(read: HtmlPage) -> list[str]:
    return [read.text[begin:end] for begin, end, *_ in read.runs.tolist()]


def slow_cover(m: Measure) -> list[bool]:
    return [any(a <= run < b for a, b in zip(m.first.tolist(), m.last.tolist(), strict=True)) for run in range(len(m.letters))]
