from typing import Final

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Bools = NDArray[np.bool_]
Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Hashes = NDArray[np.uint64]

HTML_TAGS: Final[tuple[str, ...]]
"""The names of the elements that are known, by their numbers; number 0 is any other."""

WORDS_VERSION: Final[int]
"""The version of the rules in docs/words.md."""

def simd_level() -> str:
    """Return the SIMD level in use: portable, x86-64-v2, x86-64-v3 or x86-64-v4."""

def simd_levels() -> list[str]:
    """Return the SIMD levels that this CPU can run, slowest first."""

def words(text: Bytes, offsets: Int64s) -> tuple[Hashes, Int64s]:
    """Return (words, starts): the hashes of each page's words, page i being text[offsets[i]:offsets[i+1]]."""

def spans(text: Bytes, offsets: Int64s) -> tuple[Hashes, Int64s, Int64s, Int64s]:
    """Return (words, starts, begin, end): also where each word stands, half open, in code points of its page."""

def fingerprints(words: Hashes, starts: Int64s) -> Hashes:
    """Return two numbers a page, equal on pages with the same words in the same order."""

def grams(words: Hashes, starts: Int64s, k: int) -> tuple[Hashes, Int64s]:
    """Return (grams, starts): each page's runs of k words."""

def distinct(grams: Hashes, starts: Int64s) -> tuple[Hashes, Int64s]:
    """Return (grams, starts): each page's grams without repetition, each where it first occurs."""

def blocks(grams: Hashes, starts: Int64s, first: int, keep: Bools, bits: int) -> tuple[Hashes, Int64s]:
    """Return (rows, parts): the grams of pages first, first + 1, ..., cut into 2^bits parts by their first bits."""

def gram_blocks(text: Bytes, offsets: Int64s, first: int, keep: Bools, k: int, bits: int) -> tuple[Hashes, Int64s, Int64s, Int64s]:
    """Return (rows, parts, words, grams): `blocks` of the distinct grams of text, and each page's counts."""

def leaf_sort(rows: Hashes, part: int, bits: int) -> tuple[Hashes, Int64s]:
    """Return (grams, pages) of the rows of one part, sorted by gram, then page."""

def frequencies(grams: Hashes, limit: int) -> Int64s:
    """Return how many of the sorted grams are on exactly 0, 1, ..., limit pages, and on more."""

def posting_lists(grams: Hashes, pages: Int64s, limit: int) -> tuple[Hashes, Int64s, Int64s, Int64s]:
    """Return (hashes, weights, starts, pages): the different lists of 2 to limit pages that share grams."""

def overlap(weights: Int64s, starts: Int64s, pages: Int64s, group: Int32s, groups: int) -> tuple[Int64s, Int64s, Int32s, Int32s, Int64s]:
    """Return (repeated, foreign, a, b, weight): what groups of pages share within and with each other."""

def html(
    source: Bytes,
) -> tuple[str, Int32s, Int32s, list[str], list[tuple[str, str, str]], Int32s, list[str], list[str], int]:
    """Return (text, runs, elements, names, facts, links, hrefs, rels, characters) of a page's HTML in UTF-8."""
