"""How is gzip, zstd or lz4 unpacked in pieces whose size is bounded, whatever the bytes say?

A member is what one compressor wrote from its first to its last byte: a gzip member, a frame of zstd or lz4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from zstandard import ZstdDecompressionObj

PIECE = 256 << 10  # what one step unpacks to at most
WINDOW = 64 << 20  # zstd frames that ask for more memory are not unpacked
DICTIONARY = 16 << 20
SKIPPABLE = bytes(range(0x50, 0x60))
DICTIONARY_FRAME = b"\x5d\x2a\x4d\x18"


class Decoder(Protocol):
    """Unpacks one member. Of what it is given it may leave some for the next step (`waiting`)."""

    eof: bool
    unused: int
    waiting: bool

    def decode(self, data: bytes) -> bytes: ...


@dataclass(frozen=True)
class Compression:
    name: str
    magic: bytes
    errors: tuple[type[Exception], ...]
    decoder: Callable[[], Decoder]
    ending: str = ""
    """Of the names of such files."""
    overrun: int = 128 << 10
    """How far a damaged member may seem to go on behind its end: the longest block, and some more."""
    skippable: bool = False
    """Frames of these formats may hold what is not to be unpacked."""

    def begins(self, head: bytes) -> bool:
        return head.startswith(self.magic) or (self.skippable and len(head) > 3 and head[0] in SKIPPABLE and head[1:4] == b"\x2a\x4d\x18")


def compression_of(file: IO[bytes]) -> Compression | None:
    """Decided by the first bytes, never by the name; None: it begins with no member."""
    file.seek(0)
    head = file.read(8)
    if head.startswith(b"\x1f\x8b"):
        return gzip()
    if head.startswith((b"\x28\xb5\x2f\xfd", DICTIONARY_FRAME)):
        return zstd(file)
    lz4_ = lz4()
    return lz4_ if lz4_.begins(head) else None


def compressions(file: IO[bytes]) -> Iterator[Compression]:
    """All of them, for files that begin with something else."""
    yield gzip()
    yield zstd(file)
    yield lz4()


def gzip() -> Compression:
    from isal import isal_zlib

    error: type[Exception] = isal_zlib.error  # type: ignore[assignment]
    return Compression("gzip", b"\x1f\x8b\x08", (error,), _Gzip, ".gz")


def zstd(file: IO[bytes]) -> Compression:
    import zstandard

    words = _dictionary(file)
    shared = zstandard.ZstdCompressionDict(words) if words else None
    made = zstandard.ZstdDecompressor(dict_data=shared, max_window_size=WINDOW)
    return Compression(
        "zstd",
        b"\x28\xb5\x2f\xfd",
        (zstandard.ZstdError,),
        lambda: _Zstd(lambda: made.decompressobj()),
        ".zst",
        overrun=512 << 10,
        skippable=True,
    )


def lz4() -> Compression:
    return Compression("lz4", b"\x04\x22\x4d\x18", (RuntimeError, ValueError), _Lz4, ".lz4", overrun=8 << 20, skippable=True)


class _Gzip:
    def __init__(self) -> None:
        from isal import isal_zlib

        self._inner = isal_zlib.decompressobj(31)
        self.eof = False
        self.unused = 0
        self.waiting = False

    def decode(self, data: bytes) -> bytes:
        out = self._inner.decompress(data or self._inner.unconsumed_tail, PIECE)
        self.eof = self._inner.eof
        self.waiting = not self.eof and (len(out) == PIECE or bool(self._inner.unconsumed_tail))
        if self.eof:
            self.unused = len(self._inner.unused_data)
        return out


class _Lz4:
    def __init__(self) -> None:
        from lz4.frame import LZ4FrameDecompressor

        self._inner = LZ4FrameDecompressor()
        self._skip = _Skippable()
        self.eof = False
        self.unused = 0
        self.waiting = False

    def decode(self, data: bytes) -> bytes:
        if self._skip.takes(data):
            self.eof, self.unused = self._skip.eof, self._skip.unused
            return b""
        out: bytes = self._inner.decompress(data, PIECE)
        self.eof = self._inner.eof
        self.waiting = not self.eof and not self._inner.needs_input
        if self.eof:
            self.unused = len(self._inner.unused_data or b"")
        return out


class _Zstd:
    """Walks along the blocks (RFC 8878) so that no more of them are unpacked at once than fill a piece."""

    BLOCK = 128 << 10

    def __init__(self, opened: Callable[[], ZstdDecompressionObj]) -> None:
        self._opened = opened
        self._inner: ZstdDecompressionObj | None = None
        self._skip = _Skippable()
        self._held = bytearray()
        self._due = 0  # bytes of the block begun that are still to come
        self._tail: int | None = None  # length of the checksum; None: the frame's head is not read yet
        self._last = False
        self.eof = False
        self.unused = 0
        self.waiting = False

    def decode(self, data: bytes) -> bytes:
        if self._skip.takes(data):
            self.eof, self.unused = self._skip.eof, self._skip.unused
            return b""
        self._held += data
        size = self._blocks()
        given = bytes(memoryview(self._held)[:size])
        del self._held[:size]
        self._inner = self._inner or self._opened()
        out = self._inner.decompress(given) if given else b""
        if self._last and not self._due:
            self.eof, self.unused, self.waiting = True, len(self._held), False
        return out

    def _blocks(self) -> int:
        """How much of what is held may be given now."""
        at, room = self._head(), PIECE - (self.BLOCK if self._due else 0)
        self.waiting = False
        while self._tail is not None:
            part = min(self._due, len(self._held) - at)
            at += part
            self._due -= part
            if self._due or self._last or len(self._held) - at < 3:
                break
            header = int.from_bytes(self._held[at : at + 3], "little")
            kind, size = header >> 1 & 3, header >> 3
            room -= self.BLOCK if kind == 2 else min(size, self.BLOCK)
            if room < 0:
                self.waiting = True
                break
            self._last = bool(header & 1)
            self._due = 3 + (1 if kind == 1 else size) + (self._tail if self._last else 0)
        return at

    def _head(self) -> int:
        """Reads the frame's head, once it is whole; its length, 0 where it was read before or is not whole."""
        if self._tail is not None or len(self._held) < 5:
            return 0
        flags = self._held[4]
        single = flags >> 5 & 1
        content = (single, 2, 4, 8)[flags >> 6]
        length = 5 + (1 - single) + (0, 1, 2, 4)[flags & 3] + content
        if len(self._held) < length:
            return 0
        self._tail = 4 if flags & 4 else 0
        return length


class _Skippable:
    """A frame that says how long it is and is not for us."""

    def __init__(self) -> None:
        self._head: bytes | None = b""  # None: it is no such frame
        self._due = 0
        self.eof = False
        self.unused = 0

    def takes(self, data: bytes) -> bool:
        if self._head is None:
            return False
        if len(self._head) < 8:
            seen = len(self._head)
            self._head += data[: 8 - seen]
            if self._head[:1] and self._head[0] not in SKIPPABLE:
                self._head = None
                return False
            if len(self._head) < 8:
                return True
            self._due = int.from_bytes(self._head[4:], "little")
            data = data[8 - seen :]
        self._due -= len(data)
        if self._due <= 0:
            self.eof, self.unused = True, -self._due
        return True


def _dictionary(file: IO[bytes]) -> bytes | None:
    """The words that all frames of a `.warc.zst` share: they lie in its first frame, compressed or not."""
    import zstandard

    file.seek(0)
    head = file.read(8)
    size = int.from_bytes(head[4:], "little")
    if not head.startswith(DICTIONARY_FRAME) or size > DICTIONARY:
        return None
    words = file.read(size)
    if not words.startswith(b"\x28\xb5\x2f\xfd"):
        return words
    try:
        with zstandard.ZstdDecompressor(max_window_size=WINDOW).stream_reader(words) as reader:
            unpacked = reader.read(DICTIONARY + 1)
    except zstandard.ZstdError:
        return None
    return unpacked if len(unpacked) <= DICTIONARY else None
