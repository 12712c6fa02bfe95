"""What can a person see of a page, where does it stand, and what does the page say of itself?

`docs/kernels.md` has the rules under `html`. Text is counted in code points.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from unquilt.kernel import HTML_TAGS as TAGS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

VERSION = 1

# The columns of `elements`; `runs` and `links` begin with the first two as well.
BEGIN, END, PARENT, TAG, BLOCK = range(5)
RUN_ELEMENT, RUN_ANCHOR = 2, 3
LINK_ELEMENT = 2

__all__ = ["BEGIN", "BLOCK", "END", "LINK_ELEMENT", "PARENT", "RUN_ANCHOR", "RUN_ELEMENT", "TAG", "TAGS", "VERSION", "HtmlPage", "page"]


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """The visible text of a page, and all that is known by place in it."""

    text: str
    runs: NDArray[np.int32]
    """Rows of begin, end, the innermost element around the run, and how much of it is in links."""
    elements: NDArray[np.int32]
    """In the order of their start tags: begin, end, the row of the element around it (-1: none), tag (in TAGS), whether it is a block."""
    names: list[str]
    """The id, class and role of each element in small letters, "" where it has none."""
    facts: list[tuple[str, str, str]]
    """Kind, name and value of what the page declares."""
    links: NDArray[np.int32]
    """Rows of begin, end and the link's element."""
    hrefs: list[str]
    rels: list[str]
    source_chars: int


def page(utf8: bytes) -> HtmlPage:
    """The page of some HTML; what is not UTF-8 in it is read as U+FFFD."""
    import numpy as np

    from unquilt import kernel

    text, runs, elements, names, facts, links, hrefs, rels, chars = kernel.html(np.frombuffer(utf8, np.uint8))
    return HtmlPage(text, runs.reshape(-1, 4), elements.reshape(-1, 5), names, facts, links.reshape(-1, 3), hrefs, rels, chars)
