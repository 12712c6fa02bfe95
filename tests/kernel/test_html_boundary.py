"""What stands at the edge of a page's bytes: a call of `html` is refused or right, never a crash."""

import mmap
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from soup import ODD, soups, source
from test_boundary import WRONG_ARRAYS, protect_last_page

from unquilt import kernel

HTML = source("<p>a<a href=b class=c>d</a><title>e</title>")

WRONG: dict[str, Callable[[Any], Any]] = WRONG_ARRAYS | {
    "32 bits": lambda array: array.astype(np.int32),
    "text": lambda array: "<p>",
    "characters": lambda array: array.view("S1"),
    "anything at all": lambda array: object(),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_another_thing_than_bytes_in_an_array_is_a_type_error(wrong: str) -> None:
    with pytest.raises(TypeError):
        kernel.html(WRONG[wrong](HTML))


@pytest.mark.parametrize("arguments", [(), (HTML, HTML), (HTML, 1)])
def test_a_wrong_number_of_arguments_is_a_type_error(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError):
        kernel.html(*arguments)


def test_a_type_error_names_kernel_argument_fact_and_remedy() -> None:
    with pytest.raises(TypeError) as refused:
        kernel.html(b"<p>")  # type: ignore[arg-type]
    assert str(refused.value) == "html: `source` is of type bytes; pass a one-dimensional, C-contiguous numpy array of uint8"


def test_a_page_of_more_than_a_gibibyte_is_a_value_error_of_one_sentence() -> None:
    """Its memory is promised only: nothing of it is read."""
    with mmap.mmap(-1, 2**30 + 1) as memory:
        page = np.frombuffer(memory, dtype=np.uint8)
        with pytest.raises(ValueError, match=r"^html: `source` has 1073741825 bytes; pass at most 2\^30$"):
            kernel.html(page)
        del page


def test_numbers_come_in_new_arrays_of_32_bits_that_can_be_written_to() -> None:
    for page in (HTML, HTML[:0]):
        before = page.copy()
        _, runs, elements, _, _, links, _, _, _ = kernel.html(page)
        for array in (runs, elements, links):
            assert (array.dtype, array.ndim, array.flags.c_contiguous, array.flags.writeable) == (np.int32, 1, True, True)
            assert not np.shares_memory(array, page)
        assert np.array_equal(page, before)


def test_a_read_only_array_a_slice_and_a_subclass_are_taken() -> None:
    read_only = HTML.copy()
    read_only.setflags(write=False)
    right = repr(kernel.html(HTML))
    for page in (read_only, np.concatenate([HTML[:3], HTML])[3:], HTML.view(np.recarray)):
        assert repr(kernel.html(page)) == right


def test_results_outlive_their_page() -> None:
    page = HTML.copy()
    result = kernel.html(page)
    before = repr(result)
    page[:] = 0
    del page
    assert repr(result) == before


def test_nothing_is_read_beyond_the_end_of_the_memory() -> None:
    """Each page ends where a page of memory ends, and the next may not be read: a crash would tell."""
    size = 2 * mmap.PAGESIZE
    with mmap.mmap(-1, size) as memory:
        protect_last_page(memory, size)
        room = np.frombuffer(memory, dtype=np.uint8)[: mmap.PAGESIZE]
        for html in endings():
            end = room[len(room) - len(html) :]
            end[:] = np.frombuffer(html, dtype=np.uint8)
            kernel.html(end)
        del room, end


def endings() -> list[bytes]:
    """Whatever a page can end in, cut off at every byte."""
    whole = [*(f"a{odd}" for odd in ODD), "a\r", "&CounterClockwiseContourIntegral;", "&#x10FFFF;", "a&NotEqualTilde", "\u3000\ufeff𐐀"]
    whole += [f"{raw}</{raw[1:-1]} " for raw in ("<script>", "<title>", "<xmp>", "<annotation-xml>", "<iframe>")]
    whole += ["<script><!--<script></script --></script>", "<p class='a' style=\"display:none\" hidden = x y=z/>", "<svg><![CDATA[a]]>"]
    return [html.encode()[:length] for html in whole for length in range(1, len(html.encode()) + 1)] + [h for h in soups(5, 2000) if h]
