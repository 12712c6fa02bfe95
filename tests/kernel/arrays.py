"""Pages as lists, and the flat arrays with offsets that the kernels take and give."""

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def u64(values: Iterable[int]) -> Array:
    return np.array(list(values), dtype=np.uint64)


def i64(values: Iterable[int]) -> Array:
    return np.array(list(values), dtype=np.int64)


def i32(values: Iterable[int]) -> Array:
    return np.array(list(values), dtype=np.int32)


def flags(values: Iterable[bool]) -> Array:
    return np.array(list(values), dtype=np.bool_)


def offsets_of(pages: Sequence[Sequence[Any]]) -> Array:
    return i64(accumulate(map(len, pages), initial=0))


def text_of(pages: Sequence[bytes]) -> tuple[Array, Array]:
    """Return the text and offsets of pages."""
    return np.frombuffer(b"".join(pages), dtype=np.uint8), offsets_of(pages)


def flat(pages: Sequence[Sequence[int]]) -> tuple[Array, Array]:
    """Return the uint64 values of pages one after the other, and where each page starts."""
    return u64(value for page in pages for value in page), offsets_of(pages)


def nested(values: Array, starts: Array) -> list[list[int]]:
    """Return the values of each page: what `flat` undoes."""
    return [values[a:b].tolist() for a, b in pairwise(starts.tolist())]
