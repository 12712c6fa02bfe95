"""Kernels release the interpreter's lock while they work."""

import sys
import threading
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from arrays import Array

from unquilt import kernel

SENTENCE = "The same words stand on many pages; Слова, λέξεις, 言葉, คำ. ".encode()
LONG_ENOUGH = 0.06
ATTEMPTS = 20
NEVER = 3600.0


def test_a_kernel_lets_other_threads_work_meanwhile(kernel_name: str) -> None:
    """A loaded machine may starve the other thread, so any of a few attempts will do; held, the lock would stop it in every one."""
    call = long_call(CALLS[kernel_name])
    assert any(another_runs_during(call) for _ in range(ATTEMPTS))


def test_a_call_that_holds_the_lock_would_be_noticed() -> None:
    call = long_call(sorting)
    assert not any(another_runs_during(call) for _ in range(3))


def test_a_kernel_in_many_threads_at_once_gives_the_same(kernel_name: str) -> None:
    call = CALLS[kernel_name](20_000)
    expected = call()
    results: list[Any] = []
    threads = [threading.Thread(target=lambda: results.append(call())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert all(same(result, expected) for result in results)


def same(one: Any, other: Any) -> bool:
    if isinstance(one, tuple):
        return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))
    return np.array_equal(one, other)


def long_call(call_of_size: Callable[[int], Callable[[], Any]]) -> Callable[[], Any]:
    """Return a call that takes long enough, or the longest of sizes that need little memory."""
    for size in (2**n for n in range(16, 25, 2)):
        call = call_of_size(size)
        start = perf_counter()
        call()
        if perf_counter() - start > LONG_ENOUGH:
            break
    return call


def another_runs_during(call: Callable[[], Any]) -> bool:
    """Return whether a thread that only lacks the interpreter's lock got it before the call was over.

    The interpreter is told never to take the lock away, so that nothing but the call itself can have let go of it.
    """
    go = threading.Lock()
    go.acquire()
    ran: list[bool] = []
    thread = threading.Thread(target=lambda: ran.append(go.acquire()))
    thread.start()
    interval = sys.getswitchinterval()
    sys.setswitchinterval(NEVER)
    try:
        go.release()
        call()
        meanwhile = bool(ran)
    finally:
        sys.setswitchinterval(interval)
    thread.join()
    return meanwhile


def text(size: int) -> tuple[Array, Array]:
    page = SENTENCE * 20
    pages = size // len(page) + 1
    return np.frombuffer(page * pages, dtype=np.uint8), np.arange(pages + 1) * len(page)


def numbers(size: int) -> Array:
    return np.random.default_rng(1).integers(0, 2**64, size, dtype=np.uint64)


def starts(size: int) -> Array:
    """Return the offsets of pages of 16 values (and of one more page with the rest)."""
    return np.unique(np.r_[np.arange(0, size, 16), size]).astype(np.int64)


def keep(offsets: Array) -> Array:
    return np.ones(len(offsets) - 1, dtype=np.bool_)


def sorting(size: int) -> Callable[[], Any]:
    """Return a call that holds the lock all the time: the interpreter's own sorting of a list of floats."""
    given = numbers(size).astype(np.float64).tolist()
    return lambda: sorted(given)


def words(size: int) -> Callable[[], Any]:
    given = text(size)
    return lambda: kernel.words(*given)


def spans(size: int) -> Callable[[], Any]:
    given = text(size)
    return lambda: kernel.spans(*given)


def fingerprints(size: int) -> Callable[[], Any]:
    given = numbers(size), starts(size)
    return lambda: kernel.fingerprints(*given)


def grams(size: int) -> Callable[[], Any]:
    given = numbers(size), starts(size)
    return lambda: kernel.grams(*given, 8)


def distinct(size: int) -> Callable[[], Any]:
    given = numbers(size), starts(size)
    return lambda: kernel.distinct(*given)


def blocks(size: int) -> Callable[[], Any]:
    given, kept = (numbers(size), starts(size)), keep(starts(size))
    return lambda: kernel.blocks(*given, 0, kept, 8)


def gram_blocks(size: int) -> Callable[[], Any]:
    given, kept = text(size), keep(text(size)[1])
    return lambda: kernel.gram_blocks(*given, 0, kept, 8, 8)


def leaf_sort(size: int) -> Callable[[], Any]:
    offsets = starts(size)
    rows, _ = kernel.blocks(numbers(size), offsets, 0, keep(offsets), 0)
    return lambda: kernel.leaf_sort(rows, 0, 0)


def sorted_pairs(size: int) -> tuple[Array, Array]:
    """Return grams, each on a run of three pages."""
    first = np.random.default_rng(2).integers(0, 1000, size // 3 + 1)
    return np.repeat(np.arange(len(first), dtype=np.uint64), 3), (first[:, None] + np.arange(3)).ravel()


def frequencies(size: int) -> Callable[[], Any]:
    given, _ = sorted_pairs(size)
    return lambda: kernel.frequencies(given, 10)


def posting_lists(size: int) -> Callable[[], Any]:
    given = sorted_pairs(size)
    return lambda: kernel.posting_lists(*given, 10)


def overlap(size: int) -> Callable[[], Any]:
    _, pages = sorted_pairs(size)
    offsets = np.arange(0, len(pages) + 1, 3)
    weights = np.ones(len(offsets) - 1, dtype=np.int64)
    group = (np.arange(1002) % 70).astype(np.int32)
    return lambda: kernel.overlap(weights, offsets, pages, group, 70)


def html(size: int) -> Callable[[], Any]:
    given = np.frombuffer(b"<p>" + SENTENCE * (size // len(SENTENCE) + 1), dtype=np.uint8)
    return lambda: kernel.html(given)


CALLS: dict[str, Callable[[int], Callable[[], Any]]] = {
    call.__name__: call
    for call in (
        words,
        spans,
        fingerprints,
        grams,
        distinct,
        blocks,
        gram_blocks,
        leaf_sort,
        frequencies,
        posting_lists,
        overlap,
        html,
    )
}


@pytest.fixture(params=CALLS)
def kernel_name(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name
