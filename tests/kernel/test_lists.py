"""From rows to posting lists and their overlap, against the twins, against numpy and by literal values."""

from collections.abc import Callable

import numpy as np
import pytest
from arrays import Array, flags, flat, i32, i64, nested, u64
from hypothesis import given
from hypothesis import strategies as st
from strategies import BITS, EDGES, gram_and_page_pairs, gram_pages, keeps, uint64

from unquilt import kernel
from unquilt.kernel import twins

LAST = 2**64 - 1
Lists = list[tuple[int, int, list[int]]]


def kernel_leaf_sort(rows: list[int], part: int, bits: int) -> list[tuple[int, int]]:
    grams, pages = kernel.leaf_sort(u64(rows), part, bits)
    return list(zip(grams.tolist(), pages.tolist(), strict=True))


def kernel_posting_lists(pairs: list[tuple[int, int]], limit: int) -> Lists:
    hashes, weights, starts, pages = kernel.posting_lists(u64(gram for gram, _ in pairs), i64(page for _, page in pairs), limit)
    return list(zip(hashes.tolist(), weights.tolist(), nested(pages, starts), strict=True))


def kernel_overlap(
    lists: list[tuple[int, list[int]]], group: list[int], groups: int
) -> tuple[list[int], list[int], list[tuple[int, int, int]]]:
    weights = i64(weight for weight, _ in lists)
    pages, starts = flat([pages for _, pages in lists])
    repeated, foreign, a, b, weight = kernel.overlap(weights, starts, pages.astype(np.int64), i32(group), groups)
    pairs = zip(a.tolist(), b.tolist(), weight.tolist(), strict=True)
    return repeated.tolist(), foreign.tolist(), list(pairs)


# leaf_sort


@given(st.data(), gram_pages(), st.integers(0, 2**40), BITS)
def test_leaf_sort_gives_back_every_gram_and_page_of_blocks(data: st.DataObject, grams: list[list[int]], first: int, bits: int) -> None:
    """For any bits, any pages kept, and any split of the pages into calls of `blocks`."""
    keep = data.draw(keeps(len(grams)))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(grams)), max_size=4)))
    rows_of_part: dict[int, list[int]] = {}
    for start, end in zip([0, *cuts], [*cuts, len(grams)], strict=True):
        rows, parts = kernel.blocks(*flat(grams[start:end]), first + start, flags(keep[start:end]), bits)
        for part in np.flatnonzero(np.diff(parts)).tolist():
            rows_of_part.setdefault(part, []).extend(rows[parts[part] : parts[part + 1]].tolist())
    got = [pair for part in sorted(rows_of_part) for pair in kernel_leaf_sort(rows_of_part[part], part, bits)]
    assert got == sorted((gram, first + page) for page, row in enumerate(grams) if keep[page] for gram in row)


@given(gram_pages(), st.integers(0, 2**40), BITS)
def test_leaf_sort_is_its_twin(grams: list[list[int]], first: int, bits: int) -> None:
    rows, parts = kernel.blocks(*flat(grams), first, flags([True] * len(grams)), bits)
    for part in np.flatnonzero(np.diff(parts)).tolist():
        block = rows[parts[part] : parts[part + 1]].tolist()
        assert kernel_leaf_sort(block, part, bits) == twins.leaf_sort(block, part, bits)


def test_the_first_bits_of_a_gram_come_back_from_its_part() -> None:
    assert kernel_leaf_sort([100, 2, 5 << 2, 5 << 2 | 3], 1, 2) == [((1 << 62) + 5, 100), ((1 << 62) + 5, 103)]


def test_sub_blocks_need_not_come_in_the_order_of_their_pages() -> None:
    assert kernel_leaf_sort([8, 1, 4, 0, 2, 4, 2], 0, 0) == [(2, 0), (4, 0), (4, 8)]


def test_a_repeated_gram_on_a_page_comes_back_as_often() -> None:
    assert kernel_leaf_sort([3, 3, 7, 7, 7], 0, 0) == [(7, 3)] * 3


@pytest.mark.parametrize("bits", [0, 1, 16])
def test_no_rows_sort_to_nothing(bits: int) -> None:
    assert kernel_leaf_sort([], 2**bits - 1, bits) == []


@pytest.mark.parametrize(
    "rows",
    [[5], [5, 1], [5, 2, 7], [5, 1, 7, 6], [5, 1, 7, 6, 1], [5, LAST, 7], [5, LAST - 1, 7], [5, 2**63, 7]],
)
def test_malformed_sub_blocks_are_refused(rows: list[int]) -> None:
    with pytest.raises(ValueError):
        kernel.leaf_sort(u64(rows), 0, 0)


@given(st.lists(st.one_of(st.integers(0, 4), st.sampled_from(EDGES), uint64()), max_size=30), BITS)
def test_any_rows_are_sorted_or_refused(rows: list[int], bits: int) -> None:
    expected: list[tuple[int, int]] | None
    try:
        expected = twins.leaf_sort(rows, 0, bits)
    except ValueError:
        expected = None
    try:
        got = kernel_leaf_sort(rows, 0, bits)
    except ValueError:
        return
    assert got == expected


@given(st.data(), gram_pages(), st.integers(0, 2**40), BITS)
def test_rows_of_a_sub_block_may_come_in_any_order(data: st.DataObject, grams: list[list[int]], first: int, bits: int) -> None:
    kept = [[gram >> bits for gram in page] for page in grams[: 2**bits]]
    rows = twins.blocks(kept, first, [True] * len(kept), bits)[0]
    shuffled = rows[:2] + data.draw(st.permutations(rows[2:]))
    assert kernel_leaf_sort(shuffled, 0, bits) == twins.leaf_sort(rows, 0, bits)


def test_rows_whose_pages_fall_are_sorted_by_page() -> None:
    assert kernel_leaf_sort([100, 2, 5 << 2 | 3, 5 << 2], 1, 2) == [((1 << 62) + 5, 100), ((1 << 62) + 5, 103)]


@pytest.mark.parametrize("bits", [1, 6, 16])
def test_many_rows_in_any_order_sort_as_the_twin_sorts_them(bits: int) -> None:
    random = np.random.default_rng(bits)
    rows = (random.integers(0, 500, 60_000) << bits | random.integers(0, 2**bits, 60_000)).tolist()
    later = [2**bits + 9, 30_000, *rows[:30_000], 9, 30_000, *rows[30_000:]]
    assert kernel_leaf_sort(later, 0, bits) == twins.leaf_sort(later, 0, bits)


SHAPES: dict[str, Callable[[np.random.Generator, int], Array]] = {
    "any": lambda random, n: random.integers(0, 2**64, n, dtype=np.uint64),
    "all equal": lambda random, n: np.full(n, 2**63 + 11, dtype=np.uint64),
    "two": lambda random, n: random.integers(0, 2, n, dtype=np.uint64) * np.uint64(LAST),
    "rising": lambda random, n: np.arange(n, dtype=np.uint64),
    "falling": lambda random, n: np.arange(n, 0, -1, dtype=np.uint64) << np.uint64(40),
    "differing in the last bits": lambda random, n: random.integers(0, 300, n, dtype=np.uint64),
    "differing in the first bits": lambda random, n: random.integers(0, 300, n, dtype=np.uint64) << np.uint64(55),
    "differing in the middle bits": lambda random, n: random.integers(0, 2**20, n, dtype=np.uint64) << np.uint64(20),
    "a few hot among any": lambda random, n: np.where(
        random.random(n) < 0.3,
        np.uint64(2**64 - 5) - random.integers(0, 3, n, dtype=np.uint64),
        random.integers(0, 2**64, n, dtype=np.uint64),
    ),
    "hot neighbours": lambda random, n: np.uint64(7 << 50) + np.minimum(random.geometric(0.2, n), 60).astype(np.uint64),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("bits", [0, 1, 6, 16])
@pytest.mark.parametrize("size", [255, 257, 70_000])
def test_many_rows_sort_as_numpy_sorts_them(shape: str, bits: int, size: int) -> None:
    random = np.random.default_rng(size)
    part = 2**bits - 1
    grams = SHAPES[shape](random, size) >> np.uint64(bits)
    grams |= np.uint64((part << (64 - bits)) % 2**64)
    starts = np.unique(np.r_[0, random.integers(0, size, size // 3), size]).astype(np.int64)
    keep = flags([True] * (len(starts) - 1))
    rows, parts = kernel.blocks(grams, starts, 7, keep, bits)
    sorted_grams, sorted_pages = kernel.leaf_sort(rows[parts[part] :], part, bits)
    pages = 7 + np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    order = np.lexsort((pages, grams))
    assert np.array_equal(sorted_grams, grams[order])
    assert np.array_equal(sorted_pages, pages[order])


# frequencies


@given(st.lists(st.one_of(st.integers(0, 6), uint64()), max_size=60), st.integers(1, 12))
def test_frequencies_are_their_twin(grams: list[int], limit: int) -> None:
    grams.sort()
    assert kernel.frequencies(u64(grams), limit).tolist() == twins.frequencies(grams, limit)


def test_a_gram_on_limit_pages_is_within_and_one_on_more_is_beyond() -> None:
    assert kernel.frequencies(u64([1, 4, 4, 4, 6, 6, 6, 6, 9, 9, 9, 9, 9]), 3).tolist() == [0, 1, 0, 1, 2]


@pytest.mark.parametrize("gram", [0, LAST])
@pytest.mark.parametrize(("pages", "counts"), [(1, [0, 1, 0]), (2, [0, 0, 1]), (1000, [0, 0, 1])])
def test_one_gram_alone_is_one_gram(gram: int, pages: int, counts: list[int]) -> None:
    assert kernel.frequencies(u64([gram] * pages), 1).tolist() == counts


def test_no_grams_have_frequency_0() -> None:
    assert kernel.frequencies(u64([]), 2).tolist() == [0, 0, 0, 0]


@given(gram_and_page_pairs(), st.integers(2, 9))
def test_frequencies_and_weights_agree(pairs: list[tuple[int, int]], limit: int) -> None:
    counts = kernel.frequencies(u64(gram for gram, _ in pairs), limit).tolist()
    for pages in range(2, limit + 1):
        lists = kernel_posting_lists(pairs, limit)
        assert sum(weight for _, weight, row in lists if len(row) == pages) == counts[pages]


# posting_lists


@given(gram_and_page_pairs(), st.integers(2, 9))
def test_posting_lists_are_their_twin(pairs: list[tuple[int, int]], limit: int) -> None:
    assert kernel_posting_lists(pairs, limit) == twins.posting_lists(pairs, limit)


def test_grams_on_the_same_pages_make_one_list() -> None:
    pairs = [(1, 0), (1, 4), (2, 4), (3, 0), (3, 4), (8, 0), (8, 1), (8, 4), (9, 0), (9, 4)]
    lists = kernel_posting_lists(pairs, 10)
    assert sorted((weight, pages) for _, weight, pages in lists) == [(1, [0, 1, 4]), (3, [0, 4])]


def test_the_hash_of_a_list_is_the_sum_of_its_pages_mixed() -> None:
    assert kernel_posting_lists([(5, 0), (5, 9)], 2) == [((twins.mix(1) + twins.mix(10)) % 2**64, 1, [0, 9])]


def test_a_gram_on_more_than_limit_pages_makes_no_list() -> None:
    pairs = [(gram, page) for gram, pages in ((1, 3), (2, 4), (3, 1), (4, 2)) for page in range(pages)]
    assert sorted(pages for _, _, pages in kernel_posting_lists(pairs, 3)) == [[0, 1], [0, 1, 2]]


def test_no_grams_make_no_lists() -> None:
    hashes, weights, starts, pages = kernel.posting_lists(u64([]), i64([]), 2)
    assert [hashes.tolist(), weights.tolist(), starts.tolist(), pages.tolist()] == [[], [], [0], []]


def test_lists_with_equal_hashes_stay_two_lists() -> None:
    """Four different pages a, b, c, d with mix(a + 1) + mix(b + 1) = mix(c + 1) + mix(d + 1)."""
    (a, b), (c, d) = colliding_pages()
    low, high = sorted([sorted([a, b]), sorted([c, d])])
    pairs = [(gram, page) for gram, pages in enumerate([high, low, high, low, low]) for page in pages]
    lists = kernel_posting_lists(pairs, 2)
    assert len({h for h, _, _ in lists}) == 1
    assert [row[1:] for row in lists] == [(3, low), (2, high)]


def colliding_pages() -> tuple[tuple[int, int], tuple[int, int]]:
    a, b = 0, 1
    for c in range(2, 100):
        d = unmix((twins.mix(a + 1) + twins.mix(b + 1) - twins.mix(c + 1)) % 2**64) - 1
        if c < d < 2**63:
            return (a, b), (c, d)
    raise AssertionError("no page fits in an int64")


def unmix(x: int) -> int:
    """Undo mix: each of its steps is a bijection."""
    x = unshift(x, 31) * pow(0x94D049BB133111EB, -1, 2**64) % 2**64
    x = unshift(x, 27) * pow(0xBF58476D1CE4E5B9, -1, 2**64) % 2**64
    return unshift(x, 30)


def unshift(x: int, bits: int) -> int:
    """Undo x ^= x >> bits."""
    return x ^ (x >> bits) ^ (x >> 2 * bits)


@pytest.mark.parametrize("limit", [2, 5, 100])
def test_many_lists_are_their_twins(limit: int) -> None:
    random = np.random.default_rng(limit)
    sets = [sorted(set(random.integers(0, 60, random.integers(1, 8)).tolist())) for _ in range(3000)]
    pairs = [(twins.mix(gram), page) for gram in range(12_000) for page in sets[gram * gram % 3000]]
    pairs.sort()
    assert kernel_posting_lists(pairs, limit) == twins.posting_lists(pairs, limit)


# overlap


def weighted_lists(pages: int) -> st.SearchStrategy[list[tuple[int, list[int]]]]:
    some = st.sets(st.integers(0, pages - 1), max_size=6).map(sorted)
    return st.lists(st.tuples(st.integers(1, 2**40), some), max_size=20)


@given(st.data(), st.integers(1, 12), st.integers(1, 5))
def test_overlap_is_its_twin(data: st.DataObject, pages: int, groups: int) -> None:
    group = data.draw(st.lists(st.integers(-1, groups - 1), min_size=pages, max_size=pages))
    lists = data.draw(weighted_lists(pages))
    assert kernel_overlap(lists, group, groups) == twins.overlap(lists, group, groups)


def test_a_list_within_one_group_is_repeated_and_not_foreign() -> None:
    assert kernel_overlap([(10, [0, 1])], [0, 0], 1) == ([20], [0], [])


def test_a_list_across_groups_is_foreign_in_each() -> None:
    assert kernel_overlap([(10, [0, 1, 2])], [0, 0, 1], 2) == ([20, 10], [20, 10], [(0, 1, 10)])


def test_pages_without_a_group_are_no_other_group() -> None:
    assert kernel_overlap([(10, [0, 1]), (1, [1, 2])], [0, -1, -1], 1) == ([10], [0], [])


def test_the_weight_of_a_pair_counts_a_list_once() -> None:
    lists = [(1, [0, 1, 2, 3]), (10, [0, 3]), (100, [1, 4]), (1000, [0, 1])]
    assert kernel_overlap(lists, [2, 2, 0, 0, 1], 3) == (
        [12, 100, 2 + 10 + 100 + 2000],
        [12, 100, 2 + 10 + 100],
        [(0, 2, 11), (1, 2, 100)],
    )


def test_no_lists_overlap_nowhere() -> None:
    assert kernel_overlap([], [0, 1], 2) == ([0, 0], [0, 0], [])
    assert kernel_overlap([], [], 0) == ([], [], [])


def test_a_group_without_pages_overlaps_nowhere() -> None:
    assert kernel_overlap([(1, [0, 1])], [0, 3], 5) == ([1, 0, 0, 1, 0], [1, 0, 0, 1, 0], [(0, 3, 1)])


@pytest.mark.parametrize("groups", [3, 400])
def test_the_overlap_of_many_lists_is_its_twin(groups: int) -> None:
    random = np.random.default_rng(groups)
    group = (random.integers(0, groups + 1, 2000) - 1).tolist()
    lists = [(int(random.integers(1, 50)), sorted(set(random.integers(0, 2000, random.integers(2, 30)).tolist()))) for _ in range(3000)]
    assert kernel_overlap(lists, group, groups) == twins.overlap(lists, group, groups)
