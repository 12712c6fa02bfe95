"""How is one coding of a body undone, whatever bytes come? In bounded pieces; what was decoded before an error stays."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import Protocol

PIECE = 16 << 10
FIRST = 512  # a body of ten thousand tiny members must not cost a whole piece each
MOST_OUT = 64 << 10
MOST_MEMBERS = 20_000
MOST_WINDOW = 32 << 20
ZSTD_PIECE = 256  # its decoder takes no bound of what it gives: four bytes may stand for 128 KB
GZIP, ZSTD = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
SKIPPABLE = b"\x2a\x4d\x18"


@dataclass(frozen=True)
class Undone:
    data: bytes
    wrong: str | None = None
    """What the decoder says of the place where it stopped."""
    early: bool = False
    """The stream ends before its end."""
    end: int = 0
    """Where in the coded bytes the stream ended."""

    @property
    def whole(self) -> bool:
        return not (self.wrong or self.early)


class Stream(Protocol):
    """The decoder of one stream, as zlib has it. `unconsumed_tail` is to be fed again, before any other piece."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    @property
    def unconsumed_tail(self) -> bytes: ...

    def decompress(self, piece: bytes, most: int, /) -> bytes: ...


class Damaged(Exception):
    pass


class _Brotli:
    """It keeps what it did not decode yet, and reads nothing more before that is asked for, with an empty piece."""

    unused_data = unconsumed_tail = b""

    def __init__(self) -> None:
        import brotli

        self._stream, self._error = brotli.Decompressor(), brotli.error
        self.pending = False

    @property
    def eof(self) -> bool:
        return bool(self._stream.is_finished())

    def decompress(self, piece: bytes, most: int, /) -> bytes:
        try:
            out: bytes = self._stream.process(piece, output_buffer_limit=most)
        except self._error as error:
            raise Damaged(str(error)) from None
        self.pending = not self._stream.can_accept_more_data()
        return out


class _Zstd:
    """It gives all that a piece stands for; pieces are small."""

    unconsumed_tail, pending = b"", False

    def __init__(self) -> None:
        import zstandard

        self._stream, self._error = zstandard.ZstdDecompressor(max_window_size=MOST_WINDOW).decompressobj(), zstandard.ZstdError

    @property
    def eof(self) -> bool:
        return self._stream.eof

    @property
    def unused_data(self) -> bytes:
        return self._stream.unused_data

    def decompress(self, piece: bytes, most: int, /) -> bytes:
        try:
            return self._stream.decompress(piece)
        except self._error as error:
            raise Damaged(str(error)) from None


def coding_of(data: bytes) -> str | None:
    """The coding that the first bytes are a mark of."""
    if data.startswith(GZIP):
        return "gzip"
    if data.startswith(ZSTD):
        return "zstd"
    return "deflate" if _is_zlib(data) else None


def _is_zlib(data: bytes) -> bool:
    return len(data) > 2 and data[0] & 0x8F == 0x08 and (data[0] << 8 | data[1]) % 31 == 0 and not data[1] & 0x20


def _gzip(data: bytes, limit: int) -> Undone:
    """Members one after another. Zeros and other bytes that follow the last are no member, and padding."""
    return _members(data, limit, lambda at: data.startswith(GZIP, at), lambda: zlib.decompressobj(zlib.MAX_WBITS | 16), PIECE)


def _deflate(data: bytes, limit: int) -> Undone:
    """With the header that the standard wants, or bare as many servers send it."""
    whole = _one(data, 0, zlib.decompressobj, PIECE, limit) if _is_zlib(data) else None
    if whole and whole.data:
        return whole
    bare = _one(data, 0, lambda: zlib.decompressobj(-zlib.MAX_WBITS), PIECE, limit)
    return whole if whole and whole.whole else bare


def _brotli(data: bytes, limit: int) -> Undone:
    return _one(data, 0, _Brotli, PIECE, limit)


def _zstd(data: bytes, limit: int) -> Undone:
    return _members(data, limit, lambda at: data.startswith(ZSTD, at) or data.startswith(SKIPPABLE, at + 1), _Zstd, ZSTD_PIECE)


UNDO: dict[str, Callable[[bytes, int], Undone]] = {"br": _brotli, "deflate": _deflate, "gzip": _gzip, "zstd": _zstd}


def _members(data: bytes, limit: int, begins: Callable[[int], bool], open_: Callable[[], Stream], step: int) -> Undone:
    out = BytesIO()
    at = members = 0
    while begins(at) and out.tell() <= limit:
        if members == MOST_MEMBERS:
            return Undone(out.getvalue(), f"more than {MOST_MEMBERS} members", end=at)
        part = _one(data, at, open_, step, limit - out.tell())
        out.write(part.data)
        at = part.end
        if not part.whole:
            return Undone(out.getvalue(), part.wrong, part.early, at)
        members += 1
    return Undone(out.getvalue(), None if at else "no header", end=at)


def _one(data: bytes, at: int, open_: Callable[[], Stream], most_step: int, limit: int) -> Undone:
    """One stream from `at` on, up to one byte more than the limit."""
    out, stream, begin, step = BytesIO(), open_(), at, min(FIRST, most_step)
    while at < len(data) and out.tell() <= limit and not stream.eof:
        try:
            _feed(stream, data[at : at + step], out, limit)
        except (zlib.error, Damaged) as error:
            if step == 1:
                return Undone(out.getvalue(), str(error).rpartition(": ")[2], end=at)
            # An error takes with it what its piece was good for: again up to there, then byte for byte.
            out, stream = _replayed(data, begin, at, open_, most_step, limit)
            step = 1
            continue
        at += min(step, len(data) - at)
        step = min(2 * step, most_step) if step > 1 else 1
    return Undone(out.getvalue(), None, out.tell() <= limit and not stream.eof, at - len(stream.unused_data))


def _feed(stream: Stream, piece: bytes, out: BytesIO, limit: int) -> None:
    while out.tell() <= limit and not stream.eof:
        out.write(stream.decompress(piece, min(MOST_OUT, limit + 1 - out.tell())))
        piece = stream.unconsumed_tail
        if not piece and not getattr(stream, "pending", False):
            return


def _replayed(data: bytes, begin: int, end: int, open_: Callable[[], Stream], step: int, limit: int) -> tuple[BytesIO, Stream]:
    out, stream = BytesIO(), open_()
    for at in range(begin, end, step):
        _feed(stream, data[at : min(at + step, end)], out, limit)
    return out, stream
