"""Posting lists: from the rows of one part to the lists of pages that share grams, and their overlap."""

from collections import Counter, defaultdict
from itertools import combinations

from .hashes import WORD, mix

NO_GROUP = -1


def leaf_sort(rows: list[int], part: int, bits: int) -> list[tuple[int, int]]:
    """Return all (gram, page) of one part's sub-blocks, sorted by gram, then page.

    A row r of a sub-block that begins with page f is the gram ((part << 64) | r) >> bits on page
    f + (the last `bits` bits of r). Sub-blocks that do not end with the rows raise ValueError.
    """
    pairs: list[tuple[int, int]] = []
    at = 0
    while at < len(rows):
        if at + 2 > len(rows) or at + 2 + rows[at + 1] > len(rows):
            raise ValueError("a sub-block goes beyond its part")
        start, count = rows[at : at + 2]
        at += 2
        pairs += [(((part << 64) | row) >> bits, start + row % 2**bits) for row in rows[at : at + count]]
        at += count
    return sorted(pairs)


def frequencies(grams: list[int], limit: int) -> list[int]:
    """Return f with f[d], 1 <= d <= limit: distinct grams on d pages; f[limit + 1]: on more; f[0] = 0."""
    out = [0] * (limit + 2)
    for pages in Counter(grams).values():
        out[min(pages, limit + 1)] += 1
    return out


def list_hash(pages: tuple[int, ...]) -> int:
    """Return the sum of mix(page + 1) over a list's pages."""
    return sum(mix(page + 1) for page in pages) % WORD


def posting_lists(pairs: list[tuple[int, int]], limit: int) -> list[tuple[int, int, list[int]]]:
    """Return (hash, weight, pages) of each different list of 2 to `limit` pages.

    The weight is the number of grams that have exactly this list of pages. Sorted by hash, then pages.
    """
    pages_of: defaultdict[int, list[int]] = defaultdict(list)
    for gram, page in pairs:
        pages_of[gram].append(page)
    weights = Counter(tuple(sorted(pages)) for pages in pages_of.values() if 2 <= len(pages) <= limit)
    ordered = sorted((list_hash(pages), pages) for pages in weights)
    return [(h, weights[pages], list(pages)) for h, pages in ordered]


def overlap(lists: list[tuple[int, list[int]]], group: list[int], groups: int) -> tuple[list[int], list[int], list[tuple[int, int, int]]]:
    """Return for lists of (weight, pages) what the groups of pages repeat and share.

    repeated[g]: the sum over lists of weight * the number of its pages in g. foreign[g]: the same over
    lists that also have a page of another group (no group is not another group). pairs: (a, b, sum of
    the weights of the lists with pages of both) for all groups a < b that share a list, sorted.
    """
    repeated = [0] * groups
    foreign = [0] * groups
    shared: Counter[tuple[int, int]] = Counter()
    for weight, pages in lists:
        counts = Counter(group[page] for page in pages if group[page] != NO_GROUP)
        for g, count in counts.items():
            repeated[g] += weight * count
            foreign[g] += weight * count if len(counts) > 1 else 0
        for pair in combinations(sorted(counts), 2):
            shared[pair] += weight
    return repeated, foreign, [(a, b, weight) for (a, b), weight in sorted(shared.items())]
