"""How is a structure in Thrift's compact protocol read? Field by field, what is not wanted is passed over; nothing in it is believed.

Whatever is wrong with it is a ValueError, or a LookupError where it ends too early.
"""

from __future__ import annotations

from collections.abc import Iterator

BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(3, 13)
TRUE, FALSE = 1, 2
NUMBERS = (I16, I32, I64)
DEEPEST = 32


class Compact:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    def fields(self) -> Iterator[tuple[int, int]]:
        """(number, type) of the fields of a structure. Whoever is given one takes its value, or skips it."""
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self.number()
            yield number, head & 15

    def items(self) -> Iterator[int]:
        """The type of each item of a list, whose value is taken or skipped then."""
        head = self._byte()
        for _ in range(head >> 4 if head >> 4 < 15 else self._varint()):
            yield head & 15

    def number(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)

    def binary(self) -> bytes:
        size = self._varint()
        self._pass(size)
        return self._data[self.at - size : self.at]

    def skip(self, kind: int, depth: int = 0) -> None:
        if depth > DEEPEST:
            raise ValueError("too deep")
        if kind in NUMBERS:
            self._varint()
        elif kind == BINARY:
            self._pass(self._varint())
        elif kind in (BYTE, DOUBLE):
            self._pass(1 if kind == BYTE else 8)
        elif kind in (LIST, SET):
            for item in self.items():
                self.skip(item, depth + 1) if item not in (TRUE, FALSE) else self._byte()
        elif kind == STRUCT:
            for _, field in self.fields():
                self.skip(field, depth + 1)
        elif kind not in (TRUE, FALSE):  # maps are in nothing that we read
            raise ValueError(f"type {kind}")

    def _pass(self, size: int) -> None:
        self.at += size
        if self.at > len(self._data):
            raise IndexError

    def _byte(self) -> int:
        byte = self._data[self.at]
        self.at += 1
        return byte

    def _varint(self) -> int:
        value = shift = 0
        while shift < 70:
            byte = self._byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value
        raise ValueError("a number without end")
