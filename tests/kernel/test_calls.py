"""What the kernels take, give and refuse: a wrong call raises TypeError or ValueError and never crashes."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from arrays import flags, flat, i32, i64, text_of, u64

from unquilt import kernel

TEXT = text_of([b"one two three four", b"", b"three four five"])
WORDS = flat([[1, 2, 3, 4], [], [3, 4, 5]])
KEEP = flags([True, True, True])
CALLS: dict[str, dict[str, Any]] = {
    "words": {"text": TEXT[0], "offsets": TEXT[1]},
    "spans": {"text": TEXT[0], "offsets": TEXT[1]},
    "fingerprints": {"words": WORDS[0], "starts": WORDS[1]},
    "grams": {"words": WORDS[0], "starts": WORDS[1], "k": 2},
    "distinct": {"grams": WORDS[0], "starts": WORDS[1]},
    "blocks": {"grams": WORDS[0], "starts": WORDS[1], "first": 0, "keep": KEEP, "bits": 1},
    "gram_blocks": {"text": TEXT[0], "offsets": TEXT[1], "first": 0, "keep": KEEP, "k": 2, "bits": 1},
    "leaf_sort": {"rows": u64([0, 2, 3, 4]), "part": 0, "bits": 1},
    "frequencies": {"grams": u64([1, 1, 2]), "limit": 3},
    "posting_lists": {"grams": u64([1, 1, 2]), "pages": i64([0, 1, 0]), "limit": 3},
    "overlap": {
        "weights": i64([1, 1]),
        "starts": i64([0, 2, 4]),
        "pages": i64([0, 1, 1, 2]),
        "group": i32([0, 1, -1]),
        "groups": 2,
    },
}
ARRAYS = [(name, key) for name, call in CALLS.items() for key in call if isinstance(call[key], np.ndarray)]
OFFSETS = [(name, key) for name, key in ARRAYS if key in ("offsets", "starts")]


def run(name: str, **changed: Any) -> Any:
    return getattr(kernel, name)(*(CALLS[name] | changed).values())


@pytest.mark.parametrize("name", CALLS)
def test_a_right_call_is_taken(name: str) -> None:
    run(name)


GIVEN = {
    "words": "uint64 int64",
    "spans": "uint64 int64 int64 int64",
    "fingerprints": "uint64",
    "grams": "uint64 int64",
    "distinct": "uint64 int64",
    "blocks": "uint64 int64",
    "gram_blocks": "uint64 int64 int64 int64",
    "leaf_sort": "uint64 int64",
    "frequencies": "int64",
    "posting_lists": "uint64 int64 int64 int64",
    "overlap": "int64 int64 int32 int32 int64",
}


@pytest.mark.parametrize("name", CALLS)
def test_a_kernel_gives_arrays_of_the_documented_types(name: str) -> None:
    result = run(name)
    arrays = result if isinstance(result, tuple) else (result,)
    assert [str(array.dtype) for array in arrays] == GIVEN[name].split()


@pytest.mark.parametrize(("name", "key"), ARRAYS)
def test_a_read_only_array_is_taken(name: str, key: str) -> None:
    array = CALLS[name][key].copy()
    array.setflags(write=False)
    run(name, **{key: array})


@pytest.mark.parametrize(("name", "key"), ARRAYS)
def test_a_kernel_leaves_its_arguments_alone(name: str, key: str) -> None:
    array = CALLS[name][key].copy()
    run(name, **{key: array})
    assert np.array_equal(array, CALLS[name][key])


WRONG: dict[str, Callable[[Any], Any]] = {
    "another width": lambda array: array.astype(np.int16),
    "real numbers": lambda array: array.astype(np.float64),
    "another sign": lambda array: array.astype(np.uint64 if array.dtype.kind == "i" else np.int64),
    "another byte order": lambda array: array.astype(array.dtype.newbyteorder(">")),
    "two dimensions": lambda array: array.reshape(1, -1),
    "no dimension": lambda array: array[0].reshape(()),
    "strided": lambda array: np.repeat(array, 2)[::2],
    "reversed": lambda array: array[::-1],
    "a list": lambda array: array.tolist(),
    "nothing": lambda array: None,
}


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize(("name", "key"), ARRAYS)
def test_an_array_of_another_type_is_refused(name: str, key: str, wrong: str) -> None:
    array = WRONG[wrong](CALLS[name][key])
    if wrong == "another byte order" and array.dtype == CALLS[name][key].dtype:
        pytest.skip("one byte has no order")
    with pytest.raises(TypeError):
        run(name, **{key: array})


WRONG_OFFSETS: dict[str, Callable[[list[int]], list[int]]] = {
    "falling": lambda right: right[::-1],
    "falling from beyond": lambda right: [right[0], 2**62, *right[2:]],
    "below zero": lambda right: [-1, *right[1:]],
    "far below zero": lambda right: [-(2**63), *right[1:]],
    "beyond": lambda right: [*right[:-1], right[-1] + 1],
    "far beyond": lambda right: [*right[:-1], 2**63 - 1],
}


@pytest.mark.parametrize("wrong", WRONG_OFFSETS)
@pytest.mark.parametrize(("name", "key"), OFFSETS)
def test_offsets_that_fall_or_leave_their_array_are_refused(name: str, key: str, wrong: str) -> None:
    with pytest.raises(ValueError):
        run(name, **{key: i64(WRONG_OFFSETS[wrong](CALLS[name][key].tolist()))})


@pytest.mark.parametrize(("name", "key"), OFFSETS)
def test_no_offsets_at_all_are_refused(name: str, key: str) -> None:
    with pytest.raises(ValueError):
        run(name, **{key: i64([])})


@pytest.mark.parametrize(
    ("name", "key", "values"),
    [
        ("grams", "k", [0, 65, -1, 2**31]),
        ("blocks", "bits", [-1, 17, 64]),
        ("gram_blocks", "bits", [-1, 17, 64]),
        ("gram_blocks", "k", [0, 65, -1]),
        ("leaf_sort", "bits", [-1, 17, 64]),
        ("leaf_sort", "part", [-1, 2, 2**31]),
        ("frequencies", "limit", [0, -1]),
        ("posting_lists", "limit", [1, 0, -1]),
        ("overlap", "groups", [-1, 1]),
    ],
)
def test_a_parameter_out_of_its_range_is_refused(name: str, key: str, values: list[int]) -> None:
    for value in values:
        with pytest.raises(ValueError):
            run(name, **{key: value})


@pytest.mark.parametrize("value", [2**64, -(2**64), 2**200, 1.5, "1", None])
@pytest.mark.parametrize(("name", "key"), [(name, key) for name, call in CALLS.items() for key in call if isinstance(call[key], int)])
def test_a_parameter_of_another_type_is_refused(name: str, key: str, value: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        run(name, **{key: value})


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("blocks", "keep", flags([True, True])),
        ("blocks", "keep", flags([True] * 4)),
        ("gram_blocks", "keep", flags([])),
        ("posting_lists", "pages", i64([0, 1])),
        ("posting_lists", "pages", i64([0, 1, 0, 1])),
        ("overlap", "weights", i64([1])),
        ("overlap", "weights", i64([1, 1, 1])),
        ("overlap", "pages", i64([0, 1, 1, 3])),
        ("overlap", "pages", i64([0, 1, -1, 2])),
        ("overlap", "group", i32([0, 1])),
        ("overlap", "group", i32([0, 1, 2])),
        ("overlap", "group", i32([0, 1, -2])),
    ],
)
def test_arrays_that_do_not_fit_each_other_are_refused(name: str, key: str, value: Any) -> None:
    with pytest.raises(ValueError):
        run(name, **{key: value})


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("frequencies", {"grams": u64([1, 5, 5, 4])}),
        ("frequencies", {"grams": u64([2**64 - 1, 0])}),
        ("posting_lists", {"grams": u64([5, 1, 5]), "pages": i64([0, 1, 2])}),
        ("posting_lists", {"grams": u64([5, 5, 6]), "pages": i64([3, 1, 2])}),
        ("posting_lists", {"grams": u64([5, 5, 6]), "pages": i64([3, 3, 2])}),
        ("posting_lists", {"grams": u64([5, 5, 6]), "pages": i64([-1, 3, 2])}),
        ("posting_lists", {"grams": u64([5, 6, 6]), "pages": i64([1, 3, -(2**63)])}),
    ],
)
def test_values_out_of_order_repeated_or_negative_are_refused(name: str, changed: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        run(name, **changed)


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("overlap", {"pages": i64([1, 0, 2, 2])}),
        ("blocks", {"first": -1}),
        ("blocks", {"first": 2**63 - 1}),
        ("gram_blocks", {"first": -(2**63)}),
        ("leaf_sort", {"rows": u64([2**64 - 1, 1, 2**64 - 1])}),
        ("leaf_sort", {"rows": u64([0, 0])}),
    ],
)
def test_values_the_documents_leave_open_never_crash(name: str, changed: dict[str, Any]) -> None:
    try:
        run(name, **changed)
    except ValueError:
        return


@pytest.mark.parametrize("name", CALLS)
def test_a_kernel_gives_new_contiguous_arrays_of_one_dimension(name: str) -> None:
    result = run(name)
    for array in result if isinstance(result, tuple) else (result,):
        assert array.ndim == 1
        assert array.flags.c_contiguous
        for given in CALLS[name].values():
            assert not (isinstance(given, np.ndarray) and np.shares_memory(array, given))
