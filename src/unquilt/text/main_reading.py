"""What is known of a page before anything is decided: how much text, under which tags and names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from unquilt.text import main_words as words
from unquilt.text.html import BLOCK, PARENT, TAG, TAGS
from unquilt.text.main_measure import SENTENCE_LETTERS, Measure, measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unquilt.text.html import HtmlPage

# Bits of `Reading.said`: what names say (main_words), and from here on what tags do.
(
    FURNITURE_TAG,
    STRONG_TAG,
    NEVER,
    ROOT,
    HEADER,
    HEADLINE,
    HEADING,
    MAIN,
    CONTENT_TAG,
    PARAGRAPH,
    PROSE,
    CELL,
    FIGURE,
    CARD,
    NO_BOX,
    ASIDE,
    IN_BLOCK,
) = (1 << bit for bit in range(8, 25))
TAGS_SAYING = {
    FURNITURE_TAG: "nav footer aside button dialog textarea menu form fieldset",
    STRONG_TAG: "nav footer aside",
    NEVER: "html body article main h1 h2 h3 h4 h5 h6",  # the id of a heading is often its text
    ROOT: "html body",
    HEADER: "header",
    HEADLINE: "h1",
    HEADING: "h1 h2 h3 h4 h5 h6",
    MAIN: "h1 main",
    CONTENT_TAG: "article main",
    PARAGRAPH: "p blockquote pre dd",
    PROSE: "p blockquote pre dd li td th dt figcaption",
    CELL: "td th tr li dt dd",
    FIGURE: "figure figcaption",
    CARD: "li div article section a",
    ASIDE: "aside",
    NO_BOX: "p h1 h2 h3 h4 h5 h6 li dd dt pre blockquote figcaption figure td th tr tbody a span ul ol dl",
}


@dataclass(frozen=True)
class Reading:
    """`said`, `parent`: by element of the measure. Masks are by element, or by run where they say `in_`."""

    measure: Measure
    said: NDArray[Any]
    parent: NDArray[Any]

    @classmethod
    def of(cls, page: HtmlPage) -> Reading:
        import numpy as np

        m = measure(page)
        elements = page.elements[m.element]
        names = words.flags(list(map(page.names.__getitem__, m.element.tolist())))
        said = _bits()[elements[:, TAG]] | elements[:, BLOCK] * IN_BLOCK | np.fromiter(names, np.int32, len(names))
        return cls(m, said, elements[:, PARENT])

    def has(self, bits: int) -> NDArray[Any]:
        """The elements of which any of this is said."""
        has: NDArray[Any] = (self.said & bits) != 0
        return has

    def within(self, bits: int) -> NDArray[Any]:
        """The runs in such elements."""
        return self.measure.covered(self.has(bits))

    @cached_property
    def sentences(self) -> NDArray[Any]:
        """Letters of sentences by element."""
        return self.measure.total(self.measure.sentence)

    @cached_property
    def all_sentences(self) -> int:
        return int(self.measure.sentence.sum())

    @cached_property
    def content(self) -> NDArray[Any]:
        """Labelled as content."""
        content: NDArray[Any] = self.has(words.CONTENT | CONTENT_TAG) & ~self.has(ROOT)
        return content

    @cached_property
    def in_headline(self) -> NDArray[Any]:
        return self.within(HEADLINE)

    @cached_property
    def in_heading(self) -> NDArray[Any]:
        """A lead is often marked up as a lower heading: so many letters with a mark are text."""
        text = (self.measure.sentence > 0) & (self.measure.plain > 2 * SENTENCE_LETTERS)
        in_heading: NDArray[Any] = self.in_headline | self.within(HEADING) & ~text
        return in_heading

    @cached_property
    def in_paragraph(self) -> NDArray[Any]:
        return self.within(PARAGRAPH)

    @cached_property
    def in_prose(self) -> NDArray[Any]:
        return self.within(PROSE)


@lru_cache(maxsize=1)
def _bits() -> NDArray[Any]:
    import numpy as np

    return np.array([sum(bit for bit, tags in TAGS_SAYING.items() if tag in tags.split()) for tag in TAGS], np.int32)
