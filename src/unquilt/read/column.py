"""What stands in a column of somebody else's table, row by row? Plain values, whatever its type; nothing raises in the middle.

Text that is no UTF-8 stays bytes. Times are ISO 8601, so that one no calendar has is not understood instead of being another one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from unquilt.read.dates import iso
from unquilt.read.fields import decoded

if TYPE_CHECKING:
    import pyarrow as pa

DAY = 86_400_000_000
UNITS: dict[str, Callable[[int], int]] = {
    "s": lambda n: n * 1_000_000,
    "ms": lambda n: n * 1000,
    "us": lambda n: n,
    "ns": lambda n: n // 1000,
}


def values(column: pa.Array) -> Iterator[Any]:
    import pyarrow as pa

    kind = column.type
    if pa.types.is_dictionary(kind):
        return values(column.dictionary_decode())
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return map(decoded, column.cast(pa.large_binary()).to_pylist())
    if pa.types.is_string_view(kind):
        return map(decoded, column.cast(pa.binary_view()).to_pylist())
    if pa.types.is_timestamp(kind):
        return _times(column.view(pa.int64()), UNITS[kind.unit])
    if pa.types.is_date32(kind):
        return _times(column.view(pa.int32()), lambda n: n * DAY)
    if pa.types.is_date64(kind):
        return _times(column.view(pa.int64()), UNITS["ms"])
    return map(_plain, column)


def stand_in(kind: pa.DataType) -> list[Any] | dict[str, Any] | None:
    """In place of what is none of a page's fields, and is not read therefore: lists, maps and structs. None: it is read."""
    import pyarrow as pa

    if not pa.types.is_nested(kind):
        return None
    return {} if pa.types.is_struct(kind) or pa.types.is_map(kind) else []


def _times(numbers: pa.Array, microseconds: Callable[[int], int]) -> Iterator[str | None]:
    for number in numbers.to_pylist():
        yield None if number is None else iso(microseconds(number)) or str(number)


def _plain(value: pa.Scalar) -> Any:
    import pyarrow as pa

    try:
        return value.as_py()
    except (pa.ArrowException, ValueError, OverflowError):
        return f"a {value.type}"
