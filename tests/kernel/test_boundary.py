"""What stands at the edge of an array: a call of the words kernels at the limits is refused or right, never a crash."""

import mmap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from arrays import i64, text_of, u64

from unquilt import kernel

TEXT, OFFSETS = text_of([b"one two", b"three"])
FUNCTIONS: dict[str, tuple[Callable[..., Any], Any]] = {
    "words": (kernel.words, TEXT),
    "spans": (kernel.spans, TEXT),
    "fingerprints": (kernel.fingerprints, u64(range(12))),
}

pytestmark = pytest.mark.parametrize("name", FUNCTIONS)


def unaligned(array: Any) -> Any:
    """The same numbers, one byte off the place where numbers of their size should stand."""
    return np.frombuffer(b"\0" + array.tobytes(), dtype=np.uint8)[1:].view(array.dtype)


WRONG_ARRAYS: dict[str, Callable[[Any], Any]] = {
    "None": lambda array: None,
    "bytes": lambda array: array.tobytes(),
    "a memoryview": memoryview,
    "a number": lambda array: 7,
    "a scalar": lambda array: array[0],
    "a list": lambda array: array.tolist(),
    "no dimension": lambda array: array[0].reshape(()),
    "two dimensions": lambda array: array.reshape(1, -1),
    "three dimensions, none of them long": lambda array: array[:0].reshape(0, 1, 2),
    "every second": lambda array: np.repeat(array, 2)[::2],
    "backwards": lambda array: array[::-1],
    "one number many times": lambda array: np.broadcast_to(array[:1], 5),
    "8 bits, signed": lambda array: array.astype(np.int8),
    "16 bits": lambda array: array.astype(np.uint16),
    "another sign": lambda array: array.astype(np.uint64 if array.dtype.kind == "i" else np.int64),
    "floats": lambda array: array.astype(np.float64),
    "truth values": lambda array: array.astype(np.bool_),
    "objects": lambda array: array.astype(object),
    "texts": lambda array: array.astype("U"),
    "records": lambda array: np.zeros(3, dtype=[("a", array.dtype)]),
    "times": lambda array: np.zeros(3, dtype="datetime64[s]"),
}


@pytest.mark.parametrize("wrong", WRONG_ARRAYS)
@pytest.mark.parametrize("place", [0, 1])
def test_another_thing_than_the_array_is_a_type_error(name: str, place: int, wrong: str) -> None:
    function, first = FUNCTIONS[name]
    arguments = [first, OFFSETS]
    arguments[place] = WRONG_ARRAYS[wrong](arguments[place])
    with pytest.raises(TypeError):
        function(*arguments)


def test_numbers_off_their_place_in_memory_are_a_type_error(name: str) -> None:
    function, first = FUNCTIONS[name]
    with pytest.raises(TypeError, match="aligned"):
        function(first, unaligned(OFFSETS))


def test_numbers_of_the_other_byte_order_are_a_type_error(name: str) -> None:
    function, first = FUNCTIONS[name]
    with pytest.raises(TypeError, match=">i8"):
        function(first, OFFSETS.astype(">i8"))


def test_a_wrong_number_of_arguments_is_a_type_error(name: str) -> None:
    function, first = FUNCTIONS[name]
    for arguments in ((), (first,), (first, OFFSETS, OFFSETS)):
        with pytest.raises(TypeError):
            function(*arguments)


@pytest.mark.parametrize(
    ("offsets", "fact"),
    [
        ([], "is empty"),
        ([-1, 3], "starts below zero"),
        ([-(2**63), 3], "starts below zero"),
        ([0, 5, 4], "falls at index 2"),
        ([0, 2**63 - 1, 5], "falls at index 2"),
        ([5, -(2**63)], "falls at index 1"),
        ([0, 13], "beyond the 12 elements"),
        ([13], "beyond the 12 elements"),
        ([13, 13], "beyond the 12 elements"),
        ([0, 2**63 - 1], "beyond the 12 elements"),
        ([2**63 - 1, 2**63 - 1], "beyond the 12 elements"),
    ],
)
def test_offsets_that_do_not_fit_are_a_value_error_of_one_sentence(name: str, offsets: list[int], fact: str) -> None:
    function, first = FUNCTIONS[name]
    with pytest.raises(ValueError, match=rf"^{name}: `\w+` .*{fact}[^\n]*$"):
        function(first, i64(offsets))


def test_a_type_error_names_kernel_argument_fact_and_remedy(name: str) -> None:
    function, first = FUNCTIONS[name]
    with pytest.raises(TypeError) as refused:
        function(first, [0, 1])
    argument = "starts" if name == "fingerprints" else "offsets"
    assert str(refused.value) == (f"{name}: `{argument}` is of type list; pass a one-dimensional, C-contiguous numpy array of int64")


@pytest.mark.parametrize("offsets", [[0], [12], [12, 12], [0, 0, 12, 12], [5, 6]])
def test_offsets_at_the_ends_are_taken(name: str, offsets: list[int]) -> None:
    function, first = FUNCTIONS[name]
    function(first, i64(offsets))


def test_a_slice_and_a_subclass_and_an_empty_array_of_odd_strides_are_arrays(name: str) -> None:
    function, first = FUNCTIONS[name]
    right = function(first, OFFSETS)
    shifted = function(np.concatenate([first[:3], first])[3:], OFFSETS)
    subclass = function(first.view(np.recarray), OFFSETS)
    for result in (shifted, subclass):
        assert all(map(np.array_equal, result, right))
    function(np.repeat(first, 2)[:0:2], i64([0]))


def test_results_outlive_their_arguments(name: str) -> None:
    function, first = FUNCTIONS[name]
    first = first.copy()
    results = function(first, OFFSETS)
    results = results if isinstance(results, tuple) else (results,)
    before = [result.copy() for result in results]
    first[:] = 0
    del first
    for result, copy in zip(results, before, strict=True):
        assert np.array_equal(result, copy)
        assert result.flags.writeable


def test_nothing_is_read_beyond_the_end_of_the_memory(name: str, tmp_path: Path) -> None:
    """The array ends where a page of memory ends, and the next may not be read: a crash would tell."""
    function, first = FUNCTIONS[name]
    size = 4 * mmap.PAGESIZE
    with mmap.mmap(-1, size) as memory:
        protect_last_page(memory, size)
        all_ = np.frombuffer(memory, dtype=first.dtype)[: (size - mmap.PAGESIZE) // first.itemsize]
        all_[:] = np.resize(first, len(all_))
        for count in (1, 2, 7, 8, 9, 63, 64, 65, 200, 3000):
            for letter in (b"a", b"\xc3", b"\xe6\xbc", b"\xf0\x90\x90"):
                if first.dtype == np.uint8:
                    all_[-len(letter) :] = np.frombuffer(letter, dtype=np.uint8)
                tail = all_[-count:] if count < len(all_) else all_
                function(tail, i64([0, len(tail)]))
        del all_, tail


def protect_last_page(memory: mmap.mmap, size: int) -> None:
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    buffer = (ctypes.c_char * size).from_buffer(memory)
    last = ctypes.c_void_p(ctypes.addressof(buffer) + size - mmap.PAGESIZE)
    assert libc.mprotect(last, ctypes.c_size_t(mmap.PAGESIZE), 0) == 0
    del buffer
