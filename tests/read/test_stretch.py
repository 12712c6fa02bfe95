"""A window over a run of bytes, beside the same run held as a whole: it says the same, however the bytes come."""

from __future__ import annotations

import io
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from unquilt.read import stretch
from unquilt.read.members import Fault
from unquilt.read.stretch import Plain, Stretch

TOKEN = b"abc"


class Pieces:
    """The bytes in pieces of these sizes, over and over."""

    fault: Fault | None = None

    def __init__(self, data: bytes, sizes: list[int]) -> None:
        self.data, self.sizes, self.at, self.given = data, sizes, 0, 0

    def mark(self) -> None:
        pass

    def piece(self) -> bytes:
        size = self.sizes[self.given % len(self.sizes)]
        piece = self.data[self.at : self.at + size]
        self.at, self.given = self.at + size, self.given + 1
        return piece


def find(buffer: bytes | bytearray, at: int) -> int:
    return buffer.find(TOKEN, at)


class Whole:
    """What a stretch should say."""

    def __init__(self, data: bytes) -> None:
        self.data, self.position = data, 0

    def ahead(self, size: int) -> bytes:
        return self.data[self.position : self.position + size]

    def fill(self, size: int) -> int:
        return min(size, len(self.data) - self.position)

    def newlines(self) -> None:
        rest = self.data[self.position :]
        self.position += len(rest) - len(rest.lstrip(b"\r\n"))

    def until(self, hold: int, most: int | None) -> tuple[bytes, bool]:
        begin = self.position
        place = find(self.data, begin)
        end = len(self.data) if most is None else min(begin + most, len(self.data))
        found = place >= 0 and (most is None or place < begin + most)
        self.position = place if found else end
        return self.data[begin : self.position][:hold], found

    def go(self, position: int) -> None:
        self.position = min(position, len(self.data))


small = st.integers(0, 60)
step = st.one_of(
    st.tuples(st.just("ahead"), small),
    st.tuples(st.just("fill"), small),
    st.tuples(st.just("newlines")),
    st.tuples(st.just("cut")),
    st.tuples(st.just("until"), small, st.none() | small),
    st.tuples(st.just("go"), st.integers(0, 130)),
)
data = st.lists(st.sampled_from([b"abc", b"ab", b"a", b"\r\n", b"\n", b"xyz", b"\n\n\n\n"]), max_size=40).map(b"".join)


@settings(max_examples=300, deadline=None)
@given(data, st.lists(st.integers(1, 9), min_size=1, max_size=5), st.lists(step, max_size=12), st.booleans(), st.integers(0, 20))
def test_a_window_says_what_the_whole_would(data: bytes, sizes: list[int], steps: list[tuple], is_file: bool, start: int) -> None:
    start = min(start, len(data)) if is_file else 0
    window = _plain(data, start) if is_file else Stretch(lambda _: Pieces(data, sizes), 0)
    whole = Whole(data)
    whole.go(start)
    with patch.object(stretch, "PIECE", 7), patch.object(stretch, "OVERLAP", 4):
        for name, *arguments in steps:
            _same(window, whole, name, arguments)
            assert window.position == whole.position, (name, arguments)


def _plain(data: bytes, start: int) -> Stretch:
    file = io.BytesIO(data)
    return Stretch(lambda at: Plain(file, at), start, Plain(file, start).peek)


def _same(window: Stretch, whole: Whole, name: str, arguments: list) -> None:
    match name:
        case "cut":
            window.cut()
        case "until":
            hold, most = arguments
            assert window.until(find, hold=hold, most=most) == whole.until(hold, most)
        case "fill":
            assert min(window.fill(*arguments), *arguments) == whole.fill(*arguments)
        case _:
            assert getattr(window, name)(*arguments) == getattr(whole, name)(*arguments)


def test_what_begins_before_the_end_may_go_beyond_it() -> None:
    with patch.object(stretch, "PIECE", 3), patch.object(stretch, "OVERLAP", 2):
        window = Stretch(lambda _: Pieces(b"xxabcx", [3]), 0)
        assert window.until(find, hold=9, most=3) == (b"xx", True)
        assert window.position == 2


def test_only_a_little_is_held_of_what_is_gone_over() -> None:
    window = Stretch(lambda _: Pieces(b"x" * (8 << 20), [stretch.PIECE]), 0)
    largest = 0

    def look(buffer: bytearray, at: int) -> int:
        nonlocal largest
        largest = max(largest, len(buffer))
        return -1

    held, found = window.until(look, hold=1 << 20)
    assert (len(held), found, window.position) == (1 << 20, False, 8 << 20)
    assert largest <= stretch.PIECE * 2 + stretch.OVERLAP


def test_a_place_that_no_file_system_knows_is_the_end() -> None:
    file = io.BytesIO(b"abc")
    assert Plain(file, 0).peek(1 << 70, 5) == b""
    assert Plain(file, 1 << 70).piece() == b""


def test_what_a_source_cannot_give_again_is_begun_anew() -> None:
    opened: list[int] = []

    def source(at: int) -> Pieces:
        opened.append(at)
        return Pieces(b"0123456789" * 10, [10])

    window = Stretch(source, 0)
    window.go(95)
    window.go(3)
    assert (window.ahead(4), opened) == (b"3456", [0, 0])
