"""Grams: the runs of k words of a page, and their rows cut into parts by the first bits of the gram."""

from collections import defaultdict

from .hashes import STIR, WORD, mix
from .words import words as words_of

Pages = list[list[int]]


def finish(h: int) -> int:
    """Return h with h ^= h >> 32; h *= STIR; h ^= h >> 29."""
    h ^= h >> 32
    h = h * STIR % WORD
    return h ^ (h >> 29)


def gram(words: list[int]) -> int:
    """Return finish(sum over t of words[t] * C^(k - 1 - t)) with C = mix(1), for k words."""
    last = len(words) - 1
    return finish(sum(word * mix(1) ** (last - t) for t, word in enumerate(words)) % WORD)


def grams(words: Pages, k: int) -> Pages:
    """Return each page's grams: of n words max(0, n - k + 1) runs of k words, in their order."""
    return [[gram(page[j : j + k]) for j in range(len(page) - k + 1)] for page in words]


def distinct(grams: Pages) -> Pages:
    """Return each page's grams without repetition, each where it first occurs."""
    return [list(dict.fromkeys(page)) for page in grams]


def blocks(grams: Pages, first: int, keep: list[bool], bits: int) -> Pages:
    """Return, for each of the 2^bits parts, its rows: sub-blocks one after the other.

    A sub-block is the number f of its window's first page, the count of its rows, and the rows. A window
    has 2^bits pages; a window without rows in a part has no sub-block there.
    """
    parts: Pages = [[] for _ in range(2**bits)]
    for start in range(0, len(grams), 2**bits):
        window = range(start, min(start + 2**bits, len(grams)))
        for part, rows in window_rows(grams, window, keep, bits).items():
            parts[part] += [first + start, len(rows), *rows]
    return parts


def window_rows(grams: Pages, window: range, keep: list[bool], bits: int) -> dict[int, list[int]]:
    """Return the rows (gram << bits) | (page - f) of a window's kept pages, by the gram's first bits."""
    rows: defaultdict[int, list[int]] = defaultdict(list)
    for page in window:
        for gram in grams[page] if keep[page] else []:
            rows[gram >> (64 - bits)].append((gram << bits) % WORD | (page - window.start))
    return rows


def gram_blocks(pages: list[bytes], first: int, keep: list[bool], k: int, bits: int) -> tuple[Pages, list[int], list[int]]:
    """Return the blocks of the pages' distinct grams, and how many words and distinct grams each page has.

    A page that is not kept has no rows, and both its numbers are 0.
    """
    words = words_of(pages)
    firsts = distinct(grams(words, k))
    return (
        blocks(firsts, first, keep, bits),
        [len(page) if kept else 0 for page, kept in zip(words, keep, strict=True)],
        [len(page) if kept else 0 for page, kept in zip(firsts, keep, strict=True)],
    )
