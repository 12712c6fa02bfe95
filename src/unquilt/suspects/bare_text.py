"""Which pages say the same, but for where and when? The words of title and text without their URL, numbers and dates.

Given N URLs, a server that has one answer for all of them says on each page which URL it was asked for, or which month
it shows. What is taken out for that: its URL, the path and the last part of the path where they stand in the text as they
are in the URL, values of parameters likewise; all ASCII digits; the names of months and days. A heading made of the words
of the URL (`/red-fox`: Red fox) stays, for it makes a page of its own. So does a title: pages of which the text was lost, or
moved, have titles of their own; pages that are none have not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

from unquilt.arrays import to_arrow, to_numpy
from unquilt.corpus.capture import CAPTURE
from unquilt.corpus.text import utf8
from unquilt.step import Around, Map, MapReduce, Rows, Step
from unquilt.suspects import calendar_words
from unquilt.table import Column, Table

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

LONGEST = 20_000
"""Bytes of text. Longer pages say something of their own."""

BARE_TEXT = Table(
    name="bare_text",
    version=1,
    key=("page",),
    sentence="Each row is the fingerprint of the words of one capture of at most 20,000 bytes, without URL, numbers and dates.",
    columns=(
        Column("page", "int64", "number of the capture"),
        Column("words", "int64", "words of its text, without those"),
        Column("first_half", "int64", "first 64 bits of the fingerprint of the set of these words"),
        Column("second_half", "int64", "last 64 bits"),
    ),
)

_NO_DIGITS = bytes.maketrans(b"0123456789", b" " * 10)
_SEVERAL_WORDS = re.compile(rb"[^A-Za-z]")
_FEWEST_LETTERS = 3
_MOST_VALUES = 8


def echoes(url: str) -> Iterator[bytes]:
    """What of a URL a page may repeat, the longest first; each as in the URL, then without its escapes."""
    before, _, query = url.encode().partition(b"?")
    start = before.find(b"/", before.find(b"//") + 2)
    path = before[start:] if start >= 0 else b""
    last = path.rstrip(b"/").rpartition(b"/")[2]
    values = [pair.partition(b"=")[2] for pair in query.split(b"&", _MOST_VALUES)[:_MOST_VALUES]] if query else []
    whole = [url.encode(), before, path + b"?" + query if query else b"", path]
    parts = [part for part in (path.strip(b"/"), last) if _SEVERAL_WORDS.search(part)]
    for one in (*whole, *parts, *values):
        if len(one) >= _FEWEST_LETTERS:
            yield one
            if b"%" in one or b"+" in one:
                yield unquote_to_bytes(one.replace(b"+", b" "))


def bare(texts: list[bytes], urls: list[str | None]) -> tuple[NDArray[Any], NDArray[Any]]:
    """(words of each text, the first halves of the fingerprints with the second ones below) of what is left."""
    import numpy as np

    from unquilt import kernel

    left = [_without_echoes(text, url) if url is not None else text for text, url in zip(texts, urls, strict=True)]
    offsets = np.zeros(len(left) + 1, np.int64)
    np.cumsum([len(text) for text in left], out=offsets[1:])
    words, starts = kernel.words(np.frombuffer(b"".join(left).translate(_NO_DIGITS), np.uint8), offsets)
    keep = ~calendar_words.among(words)
    words, starts = words[keep], _sums(keep.astype(np.int64))[starts]
    different, at = kernel.distinct(words, starts)
    return np.diff(starts), np.stack([_within(_sums(different), at), _within(_sums(_mixed(different)), at)])


def _without_echoes(text: bytes, url: str) -> bytes:
    for echo in echoes(url):
        if echo in text:
            text = _without(text, echo)
    return text


def _without(text: bytes, echo: bytes) -> bytes:
    """Where it is a whole word, or several."""
    pieces: list[bytes] = []
    begin, at = 0, text.find(echo)
    while at >= 0:
        end = at + len(echo)
        if not text[max(0, at - 1) : at].isalpha() and not text[end : end + 1].isalpha():
            pieces.append(text[begin:at])
            begin = end
        at = text.find(echo, end)
    return b" ".join([*pieces, text[begin:]])


def _sums(values: NDArray[Any]) -> NDArray[Any]:
    """Of the values before each, and of all of them. Sums of hashes are modulo 2^64: they know no order."""
    import numpy as np

    sums = np.zeros(len(values) + 1, values.dtype)
    np.cumsum(values, out=sums[1:])
    return sums


def _within(sums: NDArray[Any], starts: NDArray[Any]) -> NDArray[Any]:
    found: NDArray[Any] = sums[starts[1:]] - sums[starts[:-1]]
    return found


def _mixed(hashes: NDArray[Any]) -> NDArray[Any]:
    """SplitMix64's finaliser, so that the second half is another sum than the first."""
    import numpy as np

    mixed: NDArray[Any] = hashes ^ (hashes >> np.uint64(30))
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return mixed


def _bare_texts(batch: pa.RecordBatch, around: Around) -> Iterable[Rows]:
    import numpy as np
    import pyarrow as pa

    data, offsets = utf8(batch.column("text"))
    short = np.flatnonzero(np.diff(offsets) <= LONGEST)
    texts = [data[offsets[row] : offsets[row + 1]].tobytes() for row in short.tolist()]
    titles, urls = (batch.column(name).take(to_arrow(short, pa.int64())).to_pylist() for name in ("title", "url"))
    words, halves = bare(texts, urls)
    halves += _mixed(bare([(title or "").encode() for title in titles], urls)[1])
    pages = to_numpy(batch.column("page"))[short]
    yield Rows(
        BARE_TEXT.name,
        BARE_TEXT.batch(page=pages, words=words, first_half=halves[0].view(np.int64), second_half=halves[1].view(np.int64)),
    )


def step() -> Step:
    from unquilt.text import WORDS_VERSION

    return MapReduce(
        tables=(BARE_TEXT,),
        input=CAPTURE,
        columns=("page", "url", "title", "text"),
        map=Map("bare texts", 1, _bare_texts, spill=2.0),
        params={"words_version": WORDS_VERSION},
    )
