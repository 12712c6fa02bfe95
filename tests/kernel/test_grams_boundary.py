"""What stands at the edge of an array: a call of the kernels from grams to overlap is refused or right, never a crash."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from arrays import Array, flags, flat, i32, i64, nested, text_of, u64

from unquilt import kernel
from unquilt.kernel import twins

LAST = 2**64 - 1
LAST_PAGE = 2**63 - 1
WORDS, STARTS = flat([[1, 2, 3], [], [4, 5]])
TEXT, OFFSETS = text_of([b"one two", b"", b"three"])
KEEP = flags([True, True, True])

# For each kernel a right call, by the names of its arguments.
CALLS: dict[str, dict[str, Any]] = {
    "grams": {"words": WORDS, "starts": STARTS, "k": 2},
    "distinct": {"grams": WORDS, "starts": STARTS},
    "blocks": {"grams": WORDS, "starts": STARTS, "first": 0, "keep": KEEP, "bits": 2},
    "gram_blocks": {"text": TEXT, "offsets": OFFSETS, "first": 0, "keep": KEEP, "k": 1, "bits": 2},
    "leaf_sort": {"rows": u64([0, 2, 8, 9]), "part": 1, "bits": 1},
    "frequencies": {"grams": u64([1, 1, 2]), "limit": 3},
    "posting_lists": {"grams": u64([1, 1, 2]), "pages": i64([0, 1, 0]), "limit": 3},
    "overlap": {
        "weights": i64([1, 2, 3]),
        "starts": i64([0, 2, 2, 2]),
        "pages": i64([0, 1]),
        "group": i32([0, 1]),
        "groups": 2,
    },
}
ARRAYS = [(name, key) for name, call in CALLS.items() for key, value in call.items() if isinstance(value, np.ndarray)]
NUMBERS = [(name, key) for name, call in CALLS.items() for key, value in call.items() if isinstance(value, int)]
OFFSET_ARRAYS = [(name, key) for name, key in ARRAYS if key in ("starts", "offsets")]


def run(name: str, **changed: Any) -> Any:
    return getattr(kernel, name)(**{**CALLS[name], **changed})


@pytest.mark.parametrize("name", CALLS)
def test_the_right_call_is_answered(name: str) -> None:
    run(name)


# arrays

WRONG_ARRAYS: dict[str, Callable[[Array], Any]] = {
    "None": lambda array: None,
    "a list": lambda array: array.tolist(),
    "a scalar": lambda array: array[0],
    "two dimensions": lambda array: array.reshape(1, -1),
    "every second": lambda array: np.repeat(array, 2)[::2],
    "backwards": lambda array: array[::-1],
    "16 bits": lambda array: array.astype(np.int16),
    "floats": lambda array: array.astype(np.float64),
    "the other byte order": lambda array: array.astype(np.dtype(np.int64).newbyteorder()),
    "objects": lambda array: array.astype(object),
}


@pytest.mark.parametrize("wrong", WRONG_ARRAYS)
@pytest.mark.parametrize(("name", "key"), ARRAYS)
def test_another_thing_than_the_array_is_a_type_error(name: str, key: str, wrong: str) -> None:
    with pytest.raises(TypeError, match=f"{name}: `{key}`"):
        run(name, **{key: WRONG_ARRAYS[wrong](CALLS[name][key])})


@pytest.mark.parametrize("offsets", [[], [-1, 0, 0, 0], [-(2**63), 0, 0, 0], [0, 2, 1, 3], [0, 0, 0, 2**63 - 1]])
@pytest.mark.parametrize(("name", "key"), OFFSET_ARRAYS)
def test_offsets_that_do_not_fit_are_a_value_error(name: str, key: str, offsets: list[int]) -> None:
    with pytest.raises(ValueError, match=f"{name}: `{key}`"):
        run(name, **{key: i64(offsets)})


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("blocks", "keep", flags([True])),
        ("gram_blocks", "keep", flags([True] * 4)),
        ("posting_lists", "pages", i64([0])),
        ("overlap", "weights", i64([1, 2, 3, 4])),
    ],
)
def test_arrays_that_belong_together_have_one_length(name: str, key: str, value: Array) -> None:
    with pytest.raises(ValueError, match="as many of both"):
        run(name, **{key: value})


def test_offsets_may_start_behind_the_first_element() -> None:
    assert nested(*kernel.grams(WORDS, i64([1, 3]), 2)) == twins.grams([[2, 3]], 2)
    assert nested(*kernel.distinct(WORDS, i64([3, 5]))) == [[4, 5]]


# numbers


@pytest.mark.parametrize("wrong", [None, "1", 1.0, [1]])
@pytest.mark.parametrize(("name", "key"), NUMBERS)
def test_another_thing_than_a_whole_number_is_a_type_error(name: str, key: str, wrong: Any) -> None:
    with pytest.raises(TypeError, match=f"{name}: `{key}`"):
        run(name, **{key: wrong})


@pytest.mark.parametrize("wrong", [-1, -(2**63), -(2**70), 2**63, 2**64, 2**200])
@pytest.mark.parametrize(("name", "key"), NUMBERS)
def test_a_number_out_of_its_range_is_a_value_error(name: str, key: str, wrong: int) -> None:
    with pytest.raises(ValueError, match=f"{name}: `{key}` is {wrong}"):
        run(name, **{key: wrong})


@pytest.mark.parametrize(
    ("name", "key", "wrong"),
    [
        ("grams", "k", 0),
        ("grams", "k", 65),
        ("gram_blocks", "k", 0),
        ("gram_blocks", "k", 65),
        ("blocks", "bits", 17),
        ("gram_blocks", "bits", 17),
        ("leaf_sort", "bits", 17),
        ("leaf_sort", "part", 2),
        ("blocks", "first", LAST_PAGE - 2),
        ("gram_blocks", "first", LAST_PAGE - 2),
        ("frequencies", "limit", 0),
        ("posting_lists", "limit", 1),
        ("overlap", "groups", 1),
    ],
)
def test_a_number_just_beyond_its_range_is_a_value_error(name: str, key: str, wrong: int) -> None:
    with pytest.raises(ValueError, match=name):
        run(name, **{key: wrong})


def test_a_number_of_numpy_is_a_number() -> None:
    assert nested(*kernel.grams(WORDS, STARTS, np.int8(2))) == nested(*kernel.grams(WORDS, STARTS, 2))


# what numbers inside the arrays say


@pytest.mark.parametrize(
    ("rows", "fact"),
    [
        ([0], "no second header word"),
        ([0, 1, 8, 2], "no second header word"),
        ([0, 1], "0 are left"),
        ([0, 2, 8], "1 are left"),
        ([0, LAST, 8], "1 are left"),
        ([0, LAST - 1, 8], "1 are left"),
        ([0, 2**63, 8], "1 are left"),
        ([2**63, 1, 8], "too large"),
        ([LAST, 1, 8], "too large"),
        ([LAST_PAGE, 1, 8], "too large"),
    ],
)
def test_a_malformed_sub_block_is_a_value_error(rows: list[int], fact: str) -> None:
    with pytest.raises(ValueError, match=rf"^leaf_sort: the sub-block at index \d+ .*{fact}"):
        kernel.leaf_sort(u64(rows), 0, 1)


def test_the_last_page_of_all_is_a_page() -> None:
    grams, pages = kernel.leaf_sort(u64([LAST_PAGE - 1, 1, LAST]), 1, 1)
    assert (grams.tolist(), pages.tolist()) == ([LAST], [LAST_PAGE])


def test_sub_blocks_may_come_in_any_order() -> None:
    rows = [8, 2, 5 << 2, 5 << 2 | 1, 4, 1, 5 << 2 | 3, 0, 2, 5 << 2 | 3, 4 << 2]
    grams, pages = kernel.leaf_sort(u64(rows), 0, 2)
    assert list(zip(grams.tolist(), pages.tolist(), strict=True)) == [(4, 0), (5, 3), (5, 7), (5, 8), (5, 9)]


def test_grams_that_fall_are_a_value_error() -> None:
    with pytest.raises(ValueError, match="frequencies: `grams` falls"):
        kernel.frequencies(u64([2, 1]), 1)


@pytest.mark.parametrize(
    ("grams", "pages"),
    [([2, 1], [0, 1]), ([1, 1], [1, 0]), ([1, 1], [1, 1]), ([1], [-1]), ([1, 2], [0, -1]), ([1, 1], [-5, 3])],
)
def test_pairs_out_of_order_are_a_value_error(grams: list[int], pages: list[int]) -> None:
    with pytest.raises(ValueError, match="posting_lists"):
        kernel.posting_lists(u64(grams), i64(pages), 2)


@pytest.mark.parametrize("page", [-1, 2, LAST_PAGE, -(2**63)])
def test_a_page_without_a_group_is_a_value_error(page: int) -> None:
    with pytest.raises(ValueError, match="outside `group`"):
        run("overlap", pages=i64([0, page]))


@pytest.mark.parametrize("group", [-2, 2, 2**31 - 1, -(2**31)])
def test_a_group_beyond_the_groups_is_a_value_error(group: int) -> None:
    with pytest.raises(ValueError, match="neither -1 nor below"):
        run("overlap", group=i32([0, group]))


@pytest.mark.parametrize("byte", [2, 128, 255])
def test_any_byte_but_zero_keeps_a_page(byte: int) -> None:
    keep = np.array([byte, 0, byte], dtype=np.uint8).view(np.bool_)
    expected = run("gram_blocks", keep=flags([True, False, True]))
    assert all(np.array_equal(a, b) for a, b in zip(run("gram_blocks", keep=keep), expected, strict=True))


# nothing at all

NOTHING = i64([0])


@pytest.mark.parametrize("bits", [0, 1, 16])
def test_no_pages_give_no_rows(bits: int) -> None:
    assert [a.tolist() for a in kernel.grams(u64([]), NOTHING, 64)] == [[], [0]]
    assert [a.tolist() for a in kernel.distinct(u64([]), NOTHING)] == [[], [0]]
    rows, parts = kernel.blocks(u64([]), NOTHING, 0, flags([]), bits)
    assert (rows.tolist(), parts.tolist()) == ([], [0] * (2**bits + 1))
    text = np.array([], dtype=np.uint8)
    assert [a.size for a in kernel.gram_blocks(text, NOTHING, 0, flags([]), 5, bits)] == [0, 2**bits + 1, 0, 0]
    assert [a.tolist() for a in kernel.leaf_sort(u64([]), 0, bits)] == [[], []]


def test_no_grams_are_on_no_pages() -> None:
    assert kernel.frequencies(u64([]), 2).tolist() == [0, 0, 0, 0]
    assert [a.tolist() for a in kernel.posting_lists(u64([]), i64([]), 2)] == [[], [], [0], []]
    assert [a.tolist() for a in kernel.overlap(i64([]), NOTHING, i64([]), i32([]), 0)] == [[], [], [], [], []]


# input made to be slow: what is quadratic would not end


def sub_blocks(grams: Array, a_page: int) -> Array:
    """The rows of part 0 with bits = 0: `a_page` grams on each page."""
    pages = np.split(grams, range(a_page, len(grams), a_page))
    return np.concatenate([np.concatenate([u64([i, len(page)]), page]) for i, page in enumerate(pages)])


@pytest.mark.parametrize(
    "grams",
    [
        np.zeros(400_000, dtype=np.uint64),
        np.arange(400_000, dtype=np.uint64) % np.uint64(3),
        np.arange(400_000, dtype=np.uint64)[::-1] % np.uint64(1000),
        np.uint64(LAST) - np.arange(400_000, dtype=np.uint64),
    ],
    ids=["one gram", "three in turn", "a thousand falling", "falling"],
)
def test_hashes_that_are_not_even_are_sorted_all_the_same(grams: Array) -> None:
    found, pages = kernel.leaf_sort(sub_blocks(grams, 100), 0, 0)
    order = np.argsort(grams, kind="stable")
    assert np.array_equal(found, grams[order])
    assert np.array_equal(pages, order // 100)


@pytest.mark.parametrize("count", [20_000, 200_000])
def test_hashes_that_collide_in_the_table_are_distinct_all_the_same(count: int) -> None:
    """Multiples of the inverse of the table's multiplier all want the same slot."""
    inverse = np.uint64(pow(twins.mix(1), -1, 2**64))
    grams = np.arange(count, dtype=np.uint64) * inverse
    found, starts = kernel.distinct(np.concatenate([grams, grams]), i64([0, 2 * count]))
    assert np.array_equal(found, grams)
    assert starts.tolist() == [0, count]
