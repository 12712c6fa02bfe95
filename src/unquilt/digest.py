"""Are two tables equal? Their digests are, exactly when schema and rows in key order are.

Each column is hashed by itself: lengths, values and validity in three running SHA-256 sums. So the
digest does not depend on how the rows are cut into batches, row groups or files, nor on the engine.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, TypeAlias

from unquilt.arrays import to_numpy
from unquilt.table import Table

if TYPE_CHECKING:
    import pyarrow as pa

Buffer: TypeAlias = Any  # whatever hashlib takes: bytes, a memoryview, an array


class Digest:
    def __init__(self, table: Table) -> None:
        self._table = table
        self._sums = [(hashlib.sha256(), hashlib.sha256(), hashlib.sha256()) for _ in table.columns]
        self.rows = 0

    def update(self, batch: pa.RecordBatch) -> None:
        for (lengths, values, validity), array in zip(self._sums, batch.columns, strict=True):
            validity.update(_validity(array))
            sizes, data = _content(array)
            lengths.update(sizes)
            values.update(data)
        self.rows += batch.num_rows

    def hexdigest(self) -> str:
        whole = hashlib.sha256()
        t = self._table
        whole.update(repr((t.name, t.version, t.key, [(c.name, c.type) for c in t.columns], self.rows)).encode())
        for sums in self._sums:
            for one in sums:
                whole.update(one.digest())
        return whole.hexdigest()


def _validity(array: pa.Array) -> bytes:
    if array.null_count == 0:
        return b"\1" * len(array)
    return to_numpy(array.is_valid()).tobytes()


def _content(array: pa.Array) -> tuple[Buffer, Buffer]:
    """(lengths, values) of an array; a null counts as zero, as no text, as an empty list."""
    import pyarrow as pa

    if pa.types.is_string(array.type):
        filled = array.fill_null("") if array.null_count else array
        return _string(filled)
    if pa.types.is_list(array.type):
        filled = array.fill_null([]) if array.null_count else array
        lengths = to_numpy(filled.value_lengths())
        return lengths.astype("<i8"), to_numpy(filled.flatten())
    filled = array.fill_null(False if pa.types.is_boolean(array.type) else 0) if array.null_count else array
    return b"", to_numpy(filled)


def _string(array: pa.Array) -> tuple[Buffer, Buffer]:
    import numpy as np

    _, offsets, data = array.buffers()
    at = np.frombuffer(offsets, np.int32)[array.offset : array.offset + len(array) + 1]
    sizes = np.diff(at).astype("<i8")
    text = b"" if data is None or not len(array) else memoryview(data)[at[0] : at[-1]]
    return sizes, text
