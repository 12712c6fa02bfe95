"""How much has to be held to read a column of a Parquet file? Its pages come whole, and the head of each says how large it is.

Pages are meant to be of a megabyte, and are not where rows are long: some writers put a thousand rows in each, however long.
What the file says of its columns is read here too: what Arrow has for that ends the process where it is damaged.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import IO

from unquilt.read.thrift import BINARY, LIST, NUMBERS, STRUCT, Compact

MAGIC = b"PAR1"
LONGEST_FOOTER = 64 << 20
HEAD, LONGEST_HEAD = 256, 1 << 20  # a head may hold the least and the greatest value of its page
MOST_PAGES = 200_000
LARGE = 64 << 20  # below that it does not matter what a page says of itself
MOST = 1 << 40
DICTIONARY = 2
DICTIONARY_COST = 2.2  # measured: the page, and its values once more
# Fields by their numbers, as the format has them.
ROW_GROUPS, COLUMNS, META = 4, 1, 3
PATH, UNPACKED, PACKED, DATA_BEGIN, DICTIONARY_BEGIN = 3, 6, 7, 9, 11
PAGE_TYPE, PAGE_UNPACKED, PAGE_PACKED, DATA_HEADS, VALUES = 1, 2, 3, (5, 8), 1


class Wrong(Exception):
    """No page of a file that is whole says so of itself."""


@dataclass(frozen=True)
class Chunk:
    """Of one column in one row group: where its pages lie, and their bytes as they lie there and unpacked."""

    begin: int
    packed: int
    unpacked: int


@dataclass(frozen=True)
class Pages:
    """Bytes of the dictionary, of the largest page, and of the largest as it lies in the file."""

    dictionary: int = 0
    largest: int = 0
    packed: int = 0
    fewest: int = 1 << 31
    """Values in a page that is not the last."""

    @property
    def cost(self) -> int:
        """Bytes held while it is read, beside the rows that are asked for."""
        return int(DICTIONARY_COST * self.dictionary) + self.largest + self.packed


def chunks(file: IO[bytes], names: list[str]) -> list[list[Chunk]]:
    """Of each row group the columns with these names; nothing where the file does not say it."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(size - 8, 0))
    tail = file.read(8)
    length = int.from_bytes(tail[:4], "little")
    if tail[4:] != MAGIC or length > min(size - 8, LONGEST_FOOTER):
        return []
    file.seek(size - 8 - length)
    try:
        return _row_groups(Compact(file.read(length)), {name.encode("utf-8", "surrogateescape") for name in names})
    except (LookupError, ValueError):
        return []


def pages(file: IO[bytes], chunk: Chunk) -> Pages:
    """Of heads that are not understood the sums are believed; whoever reads the pages will tell what is wrong with them."""
    try:
        return _walked(file, chunk)
    except (LookupError, ValueError):
        return whole(chunk.unpacked)


def whole(size: int) -> Pages:
    """The sum believed: all of it may be one page."""
    if size > MOST:
        raise Wrong(f"a column cannot be of {size:,} bytes")
    return Pages(0, size, size, 0)


def _row_groups(said: Compact, names: set[bytes]) -> list[list[Chunk]]:
    groups: list[list[Chunk]] = []
    for field, kind in said.fields():
        if field != ROW_GROUPS or kind != LIST:
            said.skip(kind)
            continue
        groups += [_columns(said, names) for item in said.items() if item == STRUCT]
    return groups


def _columns(said: Compact, names: set[bytes]) -> list[Chunk]:
    found: list[Chunk] = []
    for field, kind in said.fields():
        if field != COLUMNS or kind != LIST:
            said.skip(kind)
            continue
        for item in said.items():
            if item != STRUCT:
                raise ValueError("a column that is none")
            for part, part_kind in said.fields():
                if part != META or part_kind != STRUCT:
                    said.skip(part_kind)
                elif (chunk := _chunk(said, names)) is not None:
                    found.append(chunk)
    return found


def _chunk(said: Compact, names: set[bytes]) -> Chunk | None:
    numbers: dict[int, int] = {}
    path: list[bytes] = []
    for field, kind in said.fields():
        if kind in NUMBERS:
            numbers[field] = said.number()
        elif field == PATH and kind == LIST:
            for item in said.items():
                path.append(said.binary()) if item == BINARY else said.skip(item)
        else:
            said.skip(kind)
    if len(path) != 1 or path[0] not in names:
        return None
    begin = min(numbers.get(DICTIONARY_BEGIN) or numbers[DATA_BEGIN], numbers[DATA_BEGIN])
    return Chunk(max(begin, 0), max(numbers[PACKED], 0), max(numbers[UNPACKED], 0))


def _walked(file: IO[bytes], chunk: Chunk) -> Pages:
    at, end = chunk.begin, min(chunk.begin + chunk.packed, file.seek(0, os.SEEK_END))
    dictionary = largest = packed = 0
    fewest = before = 1 << 31
    for _ in range(MOST_PAGES):
        if at >= end:
            return Pages(dictionary, largest, packed, fewest)
        head, values, length = _head(file, at)
        size, stored = head[PAGE_UNPACKED], head[PAGE_PACKED]
        if size > max(chunk.unpacked, LARGE):
            raise Wrong(f"the page at {at:,} says that it is of {size:,} bytes, of {chunk.unpacked:,} in all")
        packed = max(packed, stored)
        if head[PAGE_TYPE] == DICTIONARY:
            dictionary = max(dictionary, size)
        else:
            largest, fewest, before = max(largest, size), min(fewest, before), values
        at += length + max(stored, 0)
    raise ValueError("too many pages")


def _head(file: IO[bytes], at: int) -> tuple[dict[int, int], int, int]:
    """The numbers in a page's head, how many values are in the page, and the length of the head."""
    for size in (HEAD, LONGEST_HEAD):
        file.seek(at)
        said = Compact(file.read(size))
        numbers: dict[int, int] = {}
        values = 0
        try:
            for field, kind in said.fields():
                if kind in NUMBERS:
                    numbers[field] = said.number()
                elif kind == STRUCT and field in DATA_HEADS:
                    values = _values(said)
                else:
                    said.skip(kind)
            return numbers, values, said.at
        except IndexError:
            continue
    raise ValueError("a head without end")


def _values(said: Compact) -> int:
    values = 0
    for field, kind in said.fields():
        if field == VALUES and kind in NUMBERS:
            values = said.number()
        else:
            said.skip(kind)
    return values
