"""Grams, fingerprints, and grams cut into parts, against their twins and by literal values."""

import numpy as np
import pytest
from arrays import Array, flags, flat, nested, text_of, u64
from hypothesis import given
from hypothesis import strategies as st
from strategies import BITS, gram_pages, hostile_pages, keeps, uint64, word_pages

from unquilt import kernel
from unquilt.kernel import twins

LAST = 2**64 - 1


def kernel_grams(words: list[list[int]], k: int) -> list[list[int]]:
    return nested(*kernel.grams(*flat(words), k))


def kernel_blocks(grams: list[list[int]], first: int, keep: list[bool], bits: int) -> list[list[int]]:
    return nested(*kernel.blocks(*flat(grams), first, flags(keep), bits))


def test_mix_is_the_finaliser_of_splitmix64() -> None:
    """The first two outputs of SplitMix64 from seed 0: its state grows by the golden number."""
    golden = 0x9E3779B97F4A7C15
    assert twins.mix(golden) == 0xE220A8397B1DCDAF
    assert twins.mix(2 * golden % 2**64) == 0x6E789E6AA1B965F4


# fingerprints


@given(word_pages())
def test_fingerprints_are_their_twins(words: list[list[int]]) -> None:
    assert kernel.fingerprints(*flat(words)).tolist() == twins.fingerprints(words)


def test_a_page_without_words_has_a_fingerprint() -> None:
    assert kernel.fingerprints(*flat([[]])).tolist() == [twins.mix(twins.mix(1)), twins.mix(twins.mix(2))]


def test_no_pages_have_no_fingerprints() -> None:
    assert kernel.fingerprints(*flat([])).tolist() == []


def test_pages_with_the_same_words_have_the_same_fingerprint() -> None:
    prints = kernel.fingerprints(*flat([[1, 2, 3], [9], [1, 2, 3]])).tolist()
    assert prints[0:2] == prints[4:6] != prints[2:4]


@pytest.mark.parametrize("other", [[2, 1, 3], [1, 2], [1, 2, 3, 0], [0, 1, 2, 3], [1, 2, 3, 3], []])
def test_other_words_or_another_order_have_another_fingerprint(other: list[int]) -> None:
    prints = kernel.fingerprints(*flat([[1, 2, 3], other])).tolist()
    assert prints[0] != prints[2]
    assert prints[1] != prints[3]


def test_the_two_halves_of_a_fingerprint_differ() -> None:
    prints = kernel.fingerprints(*flat([[], [7]])).tolist()
    assert len(set(prints)) == 4


# grams


@given(word_pages(), st.one_of(st.integers(1, 8), st.integers(1, 64)))
def test_grams_are_their_twins(words: list[list[int]], k: int) -> None:
    assert kernel_grams(words, k) == twins.grams(words, k)


@pytest.mark.parametrize("k", range(1, 65))
def test_every_k_from_1_to_64_has_its_grams(k: int) -> None:
    words = [[twins.mix(n) for n in range(length)] for length in (k - 1, k, k + 1, 150)]
    assert kernel_grams(words, k) == twins.grams(words, k)


@pytest.mark.parametrize("k", [1, 2, 63, 64])
def test_a_page_shorter_than_k_has_no_grams(k: int) -> None:
    assert kernel_grams([[5] * (k - 1), [], [5] * k], k)[:2] == [[], []]


@given(word_pages(), st.integers(1, 8))
def test_a_page_of_n_words_has_n_minus_k_plus_1_grams(words: list[list[int]], k: int) -> None:
    assert [len(page) for page in kernel_grams(words, k)] == [max(0, len(page) - k + 1) for page in words]


@given(word_pages(), st.integers(1, 8))
def test_a_gram_never_spans_two_pages(words: list[list[int]], k: int) -> None:
    assert kernel_grams(words, k) == [kernel_grams([page], k)[0] for page in words]


def test_a_gram_of_one_word_is_that_word_finished() -> None:
    assert kernel_grams([[0, 1, LAST]], 1) == [[0, twins.finish(1), twins.finish(LAST)]]


def test_the_first_word_of_a_gram_has_the_highest_power() -> None:
    c = 0x5692161D100B05E5
    assert kernel_grams([[7, 11, 13]], 3) == [[twins.finish((7 * c * c + 11 * c + 13) % 2**64)]]


def test_the_order_of_words_matters_in_a_gram() -> None:
    first, second = kernel_grams([[1, 2], [2, 1]], 2)
    assert first != second


@pytest.mark.parametrize("word", [0, 1, LAST])
def test_a_repeated_word_gives_equal_grams(word: int) -> None:
    assert len(set(kernel_grams([[word] * 100], 8)[0])) == 1


def test_pages_may_begin_and_end_within_the_words() -> None:
    """Words before the first and after the last offset belong to no page."""
    words = u64(range(100))
    starts = np.array([10, 30, 30, 60], dtype=np.int64)
    grams, out = kernel.grams(words, starts, 5)
    assert nested(grams, out) == twins.grams([list(range(10, 30)), [], list(range(30, 60))], 5)
    assert out[0] == 0


@pytest.mark.parametrize("k", [2, 3, 8, 63, 64])
def test_one_word_repeated_gives_another_gram_for_another_word(k: int) -> None:
    grams = kernel_grams([[word] * k for word in range(1000)], k)
    assert len({page[0] for page in grams}) == 1000


# distinct


@given(gram_pages())
def test_distinct_grams_are_their_twins(grams: list[list[int]]) -> None:
    assert nested(*kernel.distinct(*flat(grams))) == twins.distinct(grams)


def test_a_repeated_gram_stays_where_it_first_occurs() -> None:
    assert nested(*kernel.distinct(*flat([[3, 1, 3, 2, 1], [], [2, 2, 2], [3]]))) == [[3, 1, 2], [], [2], [3]]


def test_the_grams_0_and_2_64_minus_1_are_grams_like_others() -> None:
    assert nested(*kernel.distinct(*flat([[0, LAST, 0, LAST], [LAST, 0], [0], [LAST]]))) == [
        [0, LAST],
        [LAST, 0],
        [0],
        [LAST],
    ]


@pytest.mark.parametrize("shift", [0, 20, 48])
def test_many_grams_that_differ_in_few_bits_stay_distinct(shift: int) -> None:
    page = [(n * 7 % 5000) << shift for n in range(20_000)]
    assert nested(*kernel.distinct(*flat([page, page[:9], page]))) == twins.distinct([page, page[:9], page])


# blocks


@given(st.data(), gram_pages(), st.integers(0, 2**40), BITS)
def test_blocks_are_their_twins(data: st.DataObject, grams: list[list[int]], first: int, bits: int) -> None:
    keep = data.draw(keeps(len(grams)))
    rows, parts = kernel.blocks(*flat(grams), first, flags(keep), bits)
    expected_rows, expected_parts = rows_and_parts(grams, first, keep, bits)
    assert rows.tolist() == expected_rows
    assert parts.tolist() == expected_parts


def rows_and_parts(grams: list[list[int]], first: int, keep: list[bool], bits: int) -> tuple[list[int], list[int]]:
    rows, parts = flat(twins.blocks(grams, first, keep, bits))
    return rows.tolist(), parts.tolist()


def test_a_sub_block_is_two_header_words_and_its_rows() -> None:
    """Of 2 bits: windows of 4 pages; the gram's first two bits are its part."""
    top = 1 << 62
    grams = [[top + 5, 7], [], [top + 5], [9], [top + 6]]
    assert kernel_blocks(grams, 100, [True] * 5, 2) == [
        [100, 2, 7 << 2, 9 << 2 | 3],
        [100, 2, 5 << 2 | 0, 5 << 2 | 2, 104, 1, 6 << 2 | 0],
        [],
        [],
    ]


def test_with_no_bits_a_sub_block_is_one_page() -> None:
    assert kernel_blocks([[LAST, 4], [], [4]], 10, [True] * 3, 0) == [[10, 2, LAST, 4, 12, 1, 4]]


def test_a_window_starts_at_the_first_page_also_when_that_page_has_no_rows() -> None:
    assert kernel_blocks([[], [1]], 6, [True, True], 1) == [[6, 1, 1 << 1 | 1], []]
    assert kernel_blocks([[3], [1]], 6, [False, True], 1) == [[6, 1, 1 << 1 | 1], []]


def test_a_page_that_is_not_kept_gives_no_rows() -> None:
    assert kernel_blocks([[1], [2], [3]], 0, [False, False, False], 1) == [[], []]


def test_blocks_keep_repeated_grams() -> None:
    assert kernel_blocks([[2, 2], [2]], 0, [True, True], 1) == [[0, 3, 4, 4, 5], []]


@pytest.mark.parametrize("bits", [0, 1, 8, 16])
def test_no_pages_have_empty_parts(bits: int) -> None:
    rows, parts = kernel.blocks(*flat([]), 5, flags([]), bits)
    assert rows.tolist() == []
    assert parts.tolist() == [0] * (2**bits + 1)


@pytest.mark.parametrize("bits", [1, 8, 16])
def test_pages_beyond_one_window_open_a_new_sub_block(bits: int) -> None:
    window = 2**bits
    grams = [[n] if n in (0, window - 1, window, 2 * window) else [] for n in range(2 * window + 1)]
    assert kernel_blocks(grams, 3, [True] * len(grams), bits)[0] == [
        *(3, 2, 0, (window - 1) << bits | (window - 1)),
        *(3 + window, 1, window << bits),
        *(3 + 2 * window, 1, (2 * window) << bits),
    ]


# gram_blocks


@given(st.data(), hostile_pages(), st.integers(0, 2**40), st.integers(1, 12), BITS)
def test_gram_blocks_is_words_grams_distinct_and_blocks_in_one(
    data: st.DataObject, pages: list[bytes], first: int, k: int, bits: int
) -> None:
    keep = data.draw(keeps(len(pages)))
    got = kernel.gram_blocks(*text_of(pages), first, flags(keep), k, bits)
    words, starts = kernel.words(*text_of(pages))
    grams = kernel.distinct(*kernel.grams(words, starts, k))
    rows, parts = kernel.blocks(*grams, first, flags(keep), bits)
    numbers = [np.where(flags(keep), np.diff(at), 0) for at in (starts, grams[1])]
    same_arrays(got, (rows, parts, *numbers))


def same_arrays(got: tuple[Array, ...], expected: tuple[Array, ...]) -> None:
    assert len(got) == len(expected)
    for one, other in zip(got, expected, strict=True):
        assert one.dtype == other.dtype
        assert one.tolist() == other.tolist()


@given(st.data(), hostile_pages(), st.integers(0, 2**40), st.integers(1, 12), BITS)
def test_gram_blocks_are_their_twins(data: st.DataObject, pages: list[bytes], first: int, k: int, bits: int) -> None:
    keep = data.draw(keeps(len(pages)))
    rows, parts, words, grams = kernel.gram_blocks(*text_of(pages), first, flags(keep), k, bits)
    assert (nested(rows, parts), words.tolist(), grams.tolist()) == twins.gram_blocks(pages, first, keep, k, bits)


@pytest.mark.parametrize("k", [1, 5, 9, 64])
def test_gram_blocks_of_long_repetitive_pages_are_the_composition(k: int) -> None:
    line = b"the same menu on every page of this site, and of that site "
    pages = [line * n + b"page %d" % n for n in (0, 1, 700, 0, 3, 2000, 12)] * 40
    keep = flags([n % 5 != 0 for n in range(len(pages))])
    words, starts = kernel.words(*text_of(pages))
    grams = kernel.distinct(*kernel.grams(words, starts, k))
    got = kernel.gram_blocks(*text_of(pages), 1000, keep, k, 6)
    numbers = [np.where(keep, np.diff(at), 0) for at in (starts, grams[1])]
    same_arrays(got, (*kernel.blocks(*grams, 1000, keep, 6), *numbers))


def test_a_page_that_is_not_kept_counts_no_words_and_no_grams() -> None:
    _, _, words, grams = kernel.gram_blocks(*text_of([b"a b a b", b"a b"]), 0, flags([True, False]), 2, 0)
    assert (words.tolist(), grams.tolist()) == ([4, 0], [2, 0])


@given(st.lists(uint64(), max_size=50))
def test_a_gram_depends_on_its_words_alone(words: list[int]) -> None:
    alone = [kernel_grams([words[at : at + 3]], 3)[0][0] for at in range(len(words) - 2)]
    assert kernel_grams([words], 3)[0] == alone
