"""How much has to be held to read a column of a Parquet file? Its pages come whole, and the head of each says how large it is.

Pages are meant to be of a megabyte, and are not where rows are long: some writers put a thousand rows in each, however long.
The heads are Thrift (compact), of which three numbers are taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow.parquet as pq

HEAD, LONGEST_HEAD = 256, 1 << 20  # a head may hold the least and the greatest value of its page
MOST_PAGES = 200_000
LARGE = 64 << 20  # below that it does not matter what a page says of itself
DEEPEST = 4
DICTIONARY = 2
TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, STRUCT = (1, 2, 3, 4, 5, 6, 7, 8, 12)
TYPE, UNPACKED, PACKED = (1, 2, 3)  # fields of a page's head
COUNTS = ((5, 1), (8, 1))  # where it says of how many values a data page is
DICTIONARY_COST = 2.2  # measured: the page, and its values once more


@dataclass(frozen=True)
class Pages:
    """Of one column in one row group: bytes of the dictionary, of the largest page, and of that as it lies in the file."""

    dictionary: int = 0
    largest: int = 0
    packed: int = 0
    fewest: int = 1 << 31
    """Values in a page that is not the last."""

    @property
    def cost(self) -> int:
        """Bytes held while it is read, beside the rows that are asked for."""
        return int(DICTIONARY_COST * self.dictionary) + self.largest + self.packed


class Wrong(Exception):
    """No page of a file that is whole says so of itself."""


def pages(file: IO[bytes], chunk: pq.ColumnChunkMetaData) -> Pages:
    """Of heads that are not understood the sums are believed; whoever reads the pages will tell what is wrong with them."""
    whole = Pages(0, chunk.total_uncompressed_size, chunk.total_compressed_size, 0)
    begin: int = min(chunk.dictionary_page_offset or chunk.data_page_offset, chunk.data_page_offset)
    try:
        return _walked(file, max(begin, 0), whole)
    except (LookupError, ValueError, OverflowError):
        return whole


def _walked(file: IO[bytes], at: int, whole: Pages) -> Pages:
    end = at + whole.packed
    dictionary = largest = packed = 0
    fewest = before = 1 << 31
    for _ in range(MOST_PAGES):
        if at >= end:
            return Pages(dictionary, largest, packed, fewest)
        head, length = _head(file, at)
        size, stored = head[UNPACKED,], head[PACKED,]
        if size > max(whole.largest, LARGE):
            raise Wrong(f"the page at {at:,} says that it is of {size:,} bytes, of {whole.largest:,} in all")
        packed = max(packed, stored)
        if head[TYPE,] == DICTIONARY:
            dictionary = max(dictionary, size)
        else:
            largest, fewest = max(largest, size), min(fewest, before)
            before = next((head[place] for place in COUNTS if place in head), 0)
        at += length + max(stored, 0)
    return whole


def _head(file: IO[bytes], at: int) -> tuple[dict[tuple[int, ...], int], int]:
    """The numbers in a page's head by their places, and its length."""
    size = HEAD
    while True:
        file.seek(at)
        data = file.read(size)
        try:
            found: dict[tuple[int, ...], int] = {}
            return found, _struct(data, 0, (), found)
        except IndexError:
            if len(data) < size or size >= LONGEST_HEAD:
                raise
            size = LONGEST_HEAD


def _struct(data: bytes, at: int, place: tuple[int, ...], found: dict[tuple[int, ...], int]) -> int:
    """Where it ends."""
    if len(place) > DEEPEST:
        raise ValueError("too deep")
    number = 0
    while data[at]:
        kind, step = data[at] & 15, data[at] >> 4
        at += 1
        if step:
            number += step
        else:
            number, at = _number(data, at)
        if kind == STRUCT:
            at = _struct(data, at, (*place, number), found)
        elif kind in (I16, I32, I64):
            found[*place, number], at = _number(data, at)
        elif kind == BINARY:
            length, at = _varint(data, at)
            at += length
        elif kind in (BYTE, DOUBLE):
            at += 1 if kind == BYTE else 8
        elif kind not in (TRUE, FALSE):
            raise ValueError("no head of a page")
    return at + 1


def _number(data: bytes, at: int) -> tuple[int, int]:
    value, at = _varint(data, at)
    return (value >> 1) ^ -(value & 1), at


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
        if shift > 63:
            raise ValueError("a number without end")
