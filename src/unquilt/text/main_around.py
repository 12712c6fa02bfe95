"""What stands around the main text of a page: furniture, comments, teasers of other pages, captions, lists of links?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unquilt.text.main_reading import (
    ASIDE,
    CARD,
    CELL,
    FIGURE,
    FURNITURE_TAG,
    HEADER,
    HEADING,
    IN_BLOCK,
    MAIN,
    NEVER,
    PARAGRAPH,
    STRONG_TAG,
    Reading,
)
from unquilt.text.main_words import CAPTION, COMMENT, CONTENT, FURNITURE, STRONG, TEASER

if TYPE_CHECKING:
    from numpy.typing import NDArray

CAPTION_LETTERS = 200  # a longer "caption" is text of a gallery
CARD_LETTERS, CARD_RUNS, CARD_LINKS, CARD_TITLE, CARDS = 400, 12, 4, 12, 3
SHORT_PARAGRAPH = 140
HARDLY_ANY = 5


def in_furniture(page: Reading) -> NDArray[Any]:
    """Runs in what tag or name call navigation, header, footer, form, advertisement and the like.

    A wrapper is often named after a part of it (`with-sidebar`): what holds most of the page's sentences is spared, and
    so are siblings that do together (`section--ads`). So are teasers and asides where nearly all of the sentences are in
    them: they are what the page is about.
    """
    import numpy as np

    named = (page.has(FURNITURE_TAG | FURNITURE | TEASER) & ~page.has(CONTENT | NEVER)).nonzero()[0]
    named = named[~(_wrapper(page, named) | _most_together(page, named))]
    headers = (page.has(HEADER) & ~page.has(CONTENT)).nonzero()[0]
    if len(headers):
        alone = page.measure.total(page.measure.covered(page.content), headers) == 0
        headers = headers[alone]
        named = np.concatenate([named, headers[~_wrapper(page, headers)]])
    furniture = page.measure.covered(named)
    if HARDLY_ANY * int(page.measure.sentence[~furniture].sum()) < page.all_sentences:
        aside = (page.said[named] & (ASIDE | TEASER) != 0) & (page.said[named] & FURNITURE == 0)
        furniture = page.measure.covered(named[~aside])
    return furniture


def _wrapper(page: Reading, elements: NDArray[Any]) -> NDArray[Any]:
    """Those of the elements (rows) that hold too much of the page to be a part beside its text."""
    import numpy as np

    sentences = page.sentences[elements]
    wrapper = np.array(2 * sentences > page.all_sentences)
    most = wrapper.nonzero()[0]
    if len(most):
        rows = elements[most]
        strong = (page.said[rows] & (STRONG | STRONG_TAG)) != 0
        nearly_all = 20 * sentences[most] > 17 * page.all_sentences
        wrapper[most] = ~strong | nearly_all | page.measure.holding(page.has(MAIN | CONTENT), rows)
    return wrapper


def _most_together(page: Reading, elements: NDArray[Any]) -> NDArray[Any]:
    """Those of the elements (rows) that hold three quarters of the page's sentences with their siblings, by name alone."""
    import numpy as np

    by_name = page.said[elements] & (FURNITURE_TAG | STRONG | TEASER) == 0
    parents = page.parent[elements] + 1
    held = np.bincount(parents, page.sentences[elements] * by_name)
    together: NDArray[Any] = by_name & (4 * held[parents] > 3 * page.all_sentences)
    return together


def in_comments(page: Reading) -> NDArray[Any]:
    """`comments-open` is also said of the article itself: what holds headline or nearly everything is spared."""
    named = (page.has(COMMENT) & ~page.has(NEVER)).nonzero()[0]
    if len(named):
        spared = page.measure.holding(page.has(MAIN), named) | (5 * page.sentences[named] > 4 * page.all_sentences)
        named = named[~spared]
    return page.measure.covered(named)


def is_thread(page: Reading, furniture: NDArray[Any], comments: NDArray[Any]) -> bool:
    """On a page of comments and nothing else, they are the main text."""
    sentence = page.measure.sentence
    beside = int(sentence[~furniture & ~comments].sum())
    return beside < SHORT_PARAGRAPH and 20 * beside < int(sentence[comments & ~furniture].sum())


def in_cards(page: Reading, out: NDArray[Any]) -> NDArray[Any]:
    """Runs in three or more siblings that are each a linked title and a little text: teasers of other pages.

    Where they hold half of the sentences or more, they are what the page is about.
    """
    import numpy as np

    m = page.measure
    runs = m.last - m.first
    small = page.has(IN_BLOCK) & page.has(CARD) & (runs > 1) & (runs <= CARD_RUNS) & (page.sentences <= CARD_LETTERS)
    cards = small.nonzero()[0]
    links = m.total((m.plain == 0) & (m.letters >= CARD_TITLE) & ~out, cards)
    cards = cards[(links > 0) & (links <= CARD_LINKS)]
    if len(cards) < CARDS:
        return np.zeros(len(out), bool)
    parents = page.parent[cards]
    inside: NDArray[Any] = m.covered(cards[np.bincount(parents + 1)[parents + 1] >= CARDS]) & ~out
    if 2 * int(m.sentence[inside].sum()) >= int(m.sentence[~out].sum()):
        inside[:] = False
    return inside


def in_captions(page: Reading, out: NDArray[Any]) -> NDArray[Any]:
    """Where they hold half of the sentences or more, the page is a gallery and they are its text."""
    sentence = page.measure.sentence
    inside: NDArray[Any] = page.measure.covered(page.has(FIGURE | CAPTION) & (page.sentences < CAPTION_LETTERS))
    if 2 * int(sentence[inside & ~out].sum()) > int(sentence[~out].sum()):
        inside[:] = False
    return inside


def in_links(page: Reading, begin: int, end: int, *, thin: bool) -> NDArray[Any]:
    """Runs in elements inside the box of which half is links (two thirds of a paragraph): lists of links.

    Cells and items of a few runs stand or fall with their table or list, headings with the text under them. A paragraph
    that is an address, written out, is a reference: lists of other pages have titles.
    """
    import numpy as np

    m = page.measure
    runs = m.last - m.first
    if thin and 2 * int(m.linked[begin:end].sum()) > int(m.letters[begin:end].sum()):
        return np.zeros(len(m.letters), bool)
    letters, linked = m.total(m.letters), m.total(m.linked)
    most = np.where(page.has(PARAGRAPH), 3 * linked > 2 * letters, 2 * linked > letters)
    lists = m.covered(page.has(IN_BLOCK) & ~page.has(HEADING) & most & (runs < end - begin) & ~(page.has(CELL) & (runs <= 3)))
    inside: NDArray[Any] = lists & ~(m.address & page.in_paragraph & ~page.within(CELL))
    return inside
