"""From Arrow to the kernels: the bytes and offsets of a column of text, without a copy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray


def utf8(column: pa.Array) -> tuple[NDArray[Any], NDArray[Any]]:
    """(bytes, offsets) of a string column without nulls."""
    import numpy as np

    _, offsets, data = column.buffers()
    if not len(column):
        return np.zeros(0, np.uint8), np.zeros(1, np.int64)
    at = np.frombuffer(offsets, np.int32)[column.offset : column.offset + len(column) + 1].astype(np.int64)
    text = np.frombuffer(data, np.uint8) if data is not None and data.size else np.zeros(0, np.uint8)
    return text, at
