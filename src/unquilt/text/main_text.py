"""Which part of a page's visible text is its main text, and which is menus, footers, teasers and comments around it?

Every run of text gets a weight: its letters outside links where it reads as text, less a toll for every run and for
linked letters. The element whose runs weigh most is the box (a maximum sum over subtrees), unless most sentences are
outside of it: then the smallest element that holds nine tenths of them is. Within the box whatever is named or built
like page furniture is cut, headings stay with the text under them, and a lead between headline and box is added. All
rules are sums and comparisons over the arrays of the page: linear, and the same everywhere.

Where the box reads hardly like text, the container that is labelled as content and holds twice as much text outside
links is taken instead. Where the rules leave nothing of the box, all of it but furniture is kept. The main text is all
of the text where even that is nothing (a page of menus), and where nothing was found to be cut (a page that is only
text). A page without text has no main text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unquilt.text.main_around import in_captions, in_cards, in_comments, in_furniture, in_links, is_thread
from unquilt.text.main_reading import FURNITURE_TAG, HEADING, IN_BLOCK, NO_BOX, ROOT, Reading
from unquilt.text.main_words import CONTENT, FURNITURE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from unquilt.text.html import HtmlPage

VERSION = 1

RUN_TOLL = 15  # what a run must weigh to be worth its place; a row of short runs is a menu
FURNITURE_TOLL = 3  # cut anyway: it says only that a box with less of it is better
HEADING_TOLL = 3
MERE_TEXT = 60  # letters from which a run weighs without any mark
THIN = 300  # a box with fewer letters of sentences does not look like content
LEAD = 50
STRAY = 40  # where text stands in paragraphs, a shorter run beside them is a button, a date, a label
LEAD_ROWS = 12  # runs between a headline that is no h1 and the box


def main_spans(page: HtmlPage, *, comments: bool = False) -> NDArray[np.int32]:
    """Rows of begin and end in code points of `page.text`: in order, disjoint, each one whole run or several in a row.

    With `comments` those of readers are kept too, wherever they stand.
    """
    import numpy as np

    if not len(page.runs):
        return np.zeros((0, 2), np.int32)
    kept = main_runs(Reading.of(page), comments=comments)
    fenced = np.zeros(len(kept) + 2, bool)
    fenced[1:-1] = kept
    edges = (fenced[1:] != fenced[:-1]).nonzero()[0]
    spans = np.empty((len(edges) // 2, 2), np.int32)
    spans[:, 0], spans[:, 1] = page.runs[edges[::2], 0], page.runs[edges[1::2] - 1, 1]
    return spans


def main_runs(page: Reading, *, comments: bool) -> NDArray[Any]:
    """The runs of the main text (a mask)."""
    import numpy as np

    m, furniture, remarks = page.measure, in_furniture(page), in_comments(page)
    out = furniture if is_thread(page, furniture, remarks) else furniture | remarks
    cards = in_cards(page, out)
    begin, end = box(page, out | cards)
    thin = int(m.sentence[begin:end][~(out | cards)[begin:end]].sum()) < THIN
    if thin:
        begin, end = labelled(page, begin, end, furniture | remarks)
    else:
        out = out | cards
    kept = cut(page, begin, end, out, thin=thin)
    if not kept.any():
        kept[begin:end] = ~out[begin:end]
    if not kept.any():
        kept = np.ones_like(kept)
    if comments:
        kept |= remarks & ~furniture & ((m.stops > 0) | page.in_prose) & (2 * m.linked < m.letters)
    return kept


def box(page: Reading, out: NDArray[Any]) -> tuple[int, int]:
    """The runs of the element that weighs most; none where no element weighs anything."""
    import numpy as np

    m = page.measure
    weight = m.plain * ((m.stops > 0) | (m.plain > MERE_TEXT)) - RUN_TOLL - m.linked // 2
    weight[page.in_heading] = -HEADING_TOLL
    weight[out] = -np.minimum(FURNITURE_TOLL, m.letters[out])
    candidates = (page.said & (IN_BLOCK | NO_BOX) == IN_BLOCK).nonzero()[0][::-1]  # the deepest of those that weigh most
    heavy = np.maximum(m.total(weight, candidates), 0)
    # Labels break near ties: what is called content weighs a tenth more, the whole page a fifth less.
    heavy += heavy // 10 * page.content[candidates] - heavy // 5 * (page.said[candidates] & ROOT != 0)
    begin = end = 0
    if heavy.any():
        best = candidates[heavy.argmax()]
        begin, end = int(m.first[best]), int(m.last[best])
    sentence = m.sentence * ~out
    every = int(sentence.sum())
    return nearly_all(page, candidates, sentence) if 2 * int(sentence[begin:end].sum()) < every else (begin, end)


def nearly_all(page: Reading, candidates: NDArray[Any], sentence: NDArray[Any]) -> tuple[int, int]:
    """The runs of the smallest element that holds nine tenths of the sentences: tables and lists may weigh less than their toll."""
    m = page.measure
    holds = candidates[10 * m.total(sentence, candidates) >= 9 * int(sentence.sum())]
    if not len(holds):
        return 0, len(sentence)
    best = holds[(m.last - m.first)[holds].argmin()]
    return int(m.first[best]), int(m.last[best])


def labelled(page: Reading, begin: int, end: int, out: NDArray[Any]) -> tuple[int, int]:
    """The container that is labelled as content and holds most text outside links, if that is twice as much as here."""
    m = page.measure
    plain = m.plain * ~out
    held = m.total(plain)
    content = (page.content & page.has(IN_BLOCK) & (held > max(2 * int(plain[begin:end].sum()), LEAD))).nonzero()[0]
    if not len(content):
        return (begin, end) if end else (0, len(plain))
    best = content[held[content].argmax()]
    inside = (m.first[content] >= m.first[best]) & (m.last[content] <= m.last[best])
    inner = content[inside & (10 * held[content] >= 9 * held[best])][-1]
    return int(m.first[inner]), int(m.last[inner])


def cut(page: Reading, begin: int, end: int, out: NDArray[Any], *, thin: bool) -> NDArray[Any]:
    """The runs of the box without furniture, lists of links, captions, and what stands before and after the text."""
    import numpy as np

    m = page.measure
    apart = out | in_captions(page, out)
    links = in_links(page, begin, end, thin=thin)
    kept = np.zeros(len(out), bool)
    kept[begin:end] = ~(apart | links)[begin:end]
    sentences = (kept & (m.sentence > 0) & ~page.in_headline).nonzero()[0]
    if len(sentences):
        first, last = opening(page, kept, begin, sentences), int(sentences[-1]) + 1
        kept[:first] = False
        kept[last:] &= page.in_prose[last:]
        kept |= lead(page, first, apart & ~out | links)
    if 5 * int(m.sentence[kept & page.in_prose].sum()) > 4 * int(m.sentence[kept].sum()):
        kept &= page.in_prose | page.in_heading | (m.plain >= STRAY)
    return with_headings(kept | above(page, kept, out), page.in_heading, page.in_heading | apart)


def above(page: Reading, kept: NDArray[Any], out: NDArray[Any]) -> NDArray[Any]:
    """The headings right above the text, where the page's headline is another one before them."""
    import numpy as np

    found = np.zeros(len(kept), bool)
    first = int(kept.argmax())
    heading = page.in_heading & ~page.in_headline & ~out & (page.measure.linked == 0)
    last = first
    while last > 0 and heading[last - 1]:
        last -= 1
    found[last:first] = kept.any() and page.in_headline[:last].any()
    return found


def opening(page: Reading, kept: NDArray[Any], begin: int, sentences: NDArray[Any]) -> int:
    """The first run of the text: its first sentence, or the short paragraphs right before it."""
    import numpy as np

    m = page.measure
    top = max(begin, below_headline(page, kept, begin, int(sentences[0])))
    first = int(sentences[np.searchsorted(sentences, top)]) if top <= sentences[-1] else int(sentences[0])
    span = slice(top, first)
    opens = (
        kept[span]
        & page.in_paragraph[span]
        & ((m.stops[span] > 0) | (m.plain[span] > MERE_TEXT))
        & (5 * m.digits[span] < m.letters[span])
        & (m.linked[span] < 5)
    )
    other = (~opens).nonzero()[0]
    return top + int(other[-1]) + 1 if len(other) else top


def below_headline(page: Reading, kept: NDArray[Any], begin: int, first: int) -> int:
    """Where the text can begin: after the headline, if it is inside the box and little is before it."""
    sentence = page.measure.sentence
    headlines = page.in_headline[begin:].nonzero()[0] + begin
    if not len(headlines) or headlines[-1] <= first:
        return begin
    last = int(headlines[-1])
    before = int(sentence[begin:last][kept[begin:last]].sum())
    return last if 5 * before < int(sentence[kept].sum()) else begin


def lead(page: Reading, first: int, out: NDArray[Any]) -> NDArray[Any]:
    """Sentences between the headline and the text: a lead, often outside of the box and called a teaser."""
    import numpy as np

    m = page.measure
    found = np.zeros(len(out), bool)
    headline = page.in_headline[:first].nonzero()[0]
    if not len(headline):
        headline = page.within(HEADING)[:first].nonzero()[0]
        headline = headline[headline >= first - LEAD_ROWS]
    if len(headline):
        span = slice(int(headline[-1]), first)
        found[span] = (m.sentence[span] >= LEAD) & ~(out | page.in_headline)[span] & (5 * m.digits[span] < m.letters[span])
    if found.any():
        named = page.has(FURNITURE) & ~page.has(CONTENT) & (2 * page.sentences < page.all_sentences)
        found &= ~(in_comments(page) | m.covered(page.has(FURNITURE_TAG) | named))
    return found


def with_headings(kept: NDArray[Any], headings: NDArray[Any], passed: NDArray[Any]) -> NDArray[Any]:
    """Without the headings after which the first run that is not passed over is not kept."""
    rests = (~passed).nonzero()[0]
    at = (kept & headings).nonzero()[0]
    below = rests.searchsorted(at)
    stays = kept.copy()
    stays[at] = [False] * len(at) if not len(rests) else (below < len(rests)) & kept[rests[below.clip(max=len(rests) - 1)]]
    return stays
