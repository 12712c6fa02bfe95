"""How much text does each run and each element of a page hold, and of what kind?

All amounts are whole numbers, so that sums are the same on every machine. The unit is the letter; a character of a
script that needs few of them for a word (Chinese, Japanese, Korean) counts as three.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from unquilt.text.html import BEGIN, END, RUN_ANCHOR

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unquilt.text.html import HtmlPage

WIDE_LETTERS = 3
SENTENCE_LETTERS = 40  # about seven words: shorter runs with a full stop are mostly dates, bylines and buttons
TEXT_LETTERS = 120  # a run so long is text even without a mark (Thai sets none; poems and lists neither)
HALF = 2

STOPS = ".,!?;:…¿¡،؛؟۔।॥။၊។៕།።፣෴" + "。、，．！？；：｡､"  # noqa: RUF001 - they are what is meant
WIDE_BLOCKS = ((0x2E80, 0xA4D0), (0xAC00, 0xD7B0), (0xF900, 0xFB00), (0xFF00, 0xFFF0), (0x20000, 0x40000))
_STOP, _WIDE, _DIGIT, _KINDS = 1, 2, 4, 8


@dataclass(frozen=True)
class Measure:
    """Arrays by run; for each element that holds any the runs that are wholly inside it, and its row in `page.elements`."""

    element: NDArray[Any]
    first: NDArray[Any]
    last: NDArray[Any]
    letters: NDArray[Any]
    linked: NDArray[Any]  # letters inside links
    plain: NDArray[Any]  # letters outside
    stops: NDArray[Any]  # punctuation marks of sentences
    digits: NDArray[Any]
    sentence: NDArray[Any]  # plain letters where the run reads as a sentence, else 0
    address: NDArray[Any]  # begins with an address as one would type it (a mask)

    def covered(self, elements: NDArray[Any]) -> NDArray[Any]:
        """The runs that lie in any of these elements, given as rows or as a mask (a mask)."""
        import numpy as np

        size = len(self.letters)
        rows = elements.nonzero()[0] if elements.dtype == bool else elements
        if not len(rows):
            return np.zeros(size, bool)
        first, last = self.first[rows], self.last[rows]
        depth = np.bincount(first, minlength=size + 1)
        depth -= np.bincount(last, minlength=size + 1)
        inside: NDArray[Any] = depth.cumsum()[:-1] > 0
        return inside

    def total(self, amounts: NDArray[Any], elements: NDArray[Any] | slice = slice(None)) -> NDArray[Any]:
        """The sum of what the runs hold, by element."""
        import numpy as np

        sums = np.zeros(len(amounts) + 1, np.int64)
        amounts.cumsum(out=sums[1:])
        total: NDArray[Any] = sums[self.last[elements]] - sums[self.first[elements]]
        return total

    def holding(self, held: NDArray[Any], elements: NDArray[Any]) -> NDArray[Any]:
        """Those of the elements (rows) inside which one of the held ones (a mask) begins, as a mask over them."""
        import numpy as np

        holding: NDArray[Any] = self.total(np.bincount(self.first[held], minlength=len(self.letters)), elements) > 0
        return holding


def measure(page: HtmlPage) -> Measure:
    """The page has at least one run."""
    import numpy as np

    begins, ends = page.runs[:, 0], page.runs[:, 1]
    first = begins.searchsorted(page.elements[:, BEGIN])
    last = ends.searchsorted(page.elements[:, END], side="right")
    element = (first < last).nonzero()[0]
    stops, wide, digits = _counts(page.text, begins)
    chars = (ends - begins).astype(np.int64)
    letters = chars + (WIDE_LETTERS - 1) * wide
    linked = letters * page.runs[:, RUN_ANCHOR] // chars
    plain = letters - linked
    reads = ((stops > 0) & (plain >= SENTENCE_LETTERS) | (plain >= TEXT_LETTERS)) & (HALF * linked < letters)
    address = np.isin(begins, [*_places(page.text, "http"), *_places(page.text, "www.")])
    return Measure(element, first[element], last[element], letters, linked, plain, stops, digits, plain * reads, address)


def _places(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def _counts(text: str, begins: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """By run the characters that are stops, wide, digits."""
    import numpy as np

    kinds = _kinds()[np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)]
    at = kinds.nonzero()[0]
    run = np.maximum(begins.searchsorted(at, side="right") - 1, 0)
    counts = np.bincount(run * _KINDS + kinds[at], minlength=len(begins) * _KINDS).reshape(-1, _KINDS)
    wide_stops = counts[:, _STOP | _WIDE]
    return counts[:, _STOP] + wide_stops, counts[:, _WIDE] + wide_stops, counts[:, _DIGIT]


@lru_cache(maxsize=1)
def _kinds() -> NDArray[Any]:
    import numpy as np

    kinds = np.zeros(0x110000, np.uint8)
    for begin, end in WIDE_BLOCKS:
        kinds[begin:end] |= _WIDE
    kinds[[ord(stop) for stop in STOPS]] |= _STOP
    kinds[ord("0") : ord("9") + 1] |= _DIGIT
    return kinds
