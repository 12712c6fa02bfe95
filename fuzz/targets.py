"""What is fuzzed, and what must hold for every input? A target reads one input, and raises where a promise is not kept.

The first byte of an input for a reader of files says how the rest comes in the file: as it is, or compressed by us, since
changes of compressed bytes get no farther than the compression.
"""

from __future__ import annotations

import gzip
import re
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import archives
import brotli
import zstandard

from unquilt.errors import InputError, UsageError
from unquilt.extract.page import How, Page, page_of_response
from unquilt.extract.rows import Work, extracted
from unquilt.read.options import Options
from unquilt.read.reader import Reader
from unquilt.read.record import Fields, Found, Limits, Response
from unquilt.text import html
from unquilt.text.html import HtmlPage

LIMITS = Limits(record_bytes=1 << 20, body_bytes=50_000, url_bytes=2_000)
HOW = How(limits=LIMITS)
URL = "http://a.example/2020/03/04/page"
RECORD = re.compile(rb"(?=WARC/1|^http://)", re.MULTILINE)
LONE = re.compile("[\ud800-\udfff]")


def as_it_is(data: bytes) -> bytes:
    return data


def gzipped(data: bytes) -> bytes:
    return gzip.compress(data, 1, mtime=0)


def by_record(data: bytes) -> bytes:
    return b"".join(map(gzipped, filter(None, RECORD.split(data))))


def zstd(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


PACKINGS: tuple[tuple[str, Callable[[bytes], bytes]], ...] = (("", as_it_is), (".gz", gzipped), (".gz", by_record), (".zst", zstd))
CODINGS: tuple[tuple[str, Callable[[bytes], bytes]], ...] = (("gzip", gzipped), ("br", partial(brotli.compress, quality=1)), ("zstd", zstd))

ROOM = tempfile.TemporaryDirectory(prefix="unquilt-fuzz-")
FOLDER = Path(ROOM.name)
ARCHIVE = FOLDER / "a.warc.gz"
"""What the indexes that are fuzzed are indexes of."""
PLACES = archives.warc(ARCHIVE, *map(archives.page, ("one", "two", "three")))


def of_file(kind: str, ending: str, data: bytes, *, packed: bool = True, options: Options | None = None) -> None:
    packing, pack = PACKINGS[data[0] % len(PACKINGS)] if packed and data else ("", as_it_is)
    path = FOLDER / f"input{ending}{packing}"
    path.write_bytes(pack(data[1:] if packed else data))
    reader = Reader(kind, Fields(), options or Options())
    try:
        founds = check_places(lambda start: list(reader.read(path, start, LIMITS)))
        if founds:
            check_rows(founds)
        for found in [f for f in founds if f.record is not None][:2]:
            bytes_again(reader, path, found)
    except (InputError, UsageError):
        pass
    finally:
        path.unlink()


def bytes_again(reader: Reader, path: Path, found: Found) -> None:
    with suppress(InputError):
        reader.fetch(path, found.file or path.name, *found.in_file)


def check_places(read: Callable[[int], list[Found]]) -> list[Found]:
    """Places ascend, and behind the first find and behind the last but one reading goes on as if it had not stopped."""
    founds = read(0)
    place = 0
    for found in founds:
        assert found.offset >= place, f"a find at {found.offset} behind one that ends at {place}"
        place = found.offset + found.length
    for number in {0, len(founds) - 2}:
        if 0 <= number < len(founds) and founds[number].length:
            after = founds[number].offset + founds[number].length
            assert read(after) == [f for f in founds[number + 1 :] if f.offset >= after], f"what is read from {after} on is something else"
    return founds


def check_rows(founds: list[Found]) -> None:
    """What is read becomes rows: each record that of a table, or a reason why not."""
    made = extracted(Work("input", None, HOW, founds))
    for batch in made.tables.values():
        batch.validate(full=True)
    rows = sum(made.tables[name].num_rows for name in ("capture", "redirect", "revisit", "skipped"))
    assert rows >= sum(f.record is not None for f in founds), "a record is neither in a table nor left out"


def of_http(data: bytes) -> None:
    """An HTTP message; with a first byte below 3 the rest is a body that we compress."""
    if data and data[0] < len(CODINGS):
        label, pack = CODINGS[data[0]]
        data = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: %b\r\n\r\n" % label.encode() + pack(data[1:])
    check_response(Response(data, http=True, url=URL))


def of_html(data: bytes) -> None:
    check_html(html.page(data))
    check_response(Response(data, url=URL, content_type="text/html"))


def check_response(response: Response) -> None:
    outcome, skips = page_of_response(response, HOW)
    assert outcome is not None or skips, "a response without outcome has no reason"
    if isinstance(outcome, Page):
        assert not LONE.search(outcome.text), "a lone surrogate in the text"
        check_spans([] if outcome.main is None else outcome.main.tolist(), len(outcome.text), whole=True)
        check_spans([[x.begin, x.end] for x in outcome.links], len(outcome.text))


def check_html(page: HtmlPage) -> None:
    length = len(page.text)
    check_spans(page.runs[:, :2].tolist(), length, whole=True)
    check_spans(page.elements[:, :2].tolist(), length)
    check_spans(page.links[:, :2].tolist(), length)
    parents = page.elements[:, 2].tolist()
    assert all(-1 <= parent < row for row, parent in enumerate(parents)), "a parent comes behind its element"
    assert len(page.elements) == len(page.names)
    assert len(page.links) == len(page.hrefs) == len(page.rels)
    assert all(0 <= row < len(page.elements) for row in page.runs[:, 2].tolist()), "a run in no element"
    assert all(0 <= row < len(page.elements) for row in page.links[:, 2].tolist()), "a link that is no element"


def check_spans(spans: list[list[int]], length: int, *, whole: bool = False) -> None:
    """Within the text; `whole`: in order and disjoint as well, none of them empty."""
    at = 0
    for begin, end in spans:
        assert 0 <= begin <= end <= length, f"{begin} to {end} of {length}"
        if whole:
            assert at <= begin < end, f"{begin} to {end} behind {at}"
            at = end


TARGETS: dict[str, Callable[[bytes], None]] = {
    "warc": partial(of_file, "warc", ".warc"),
    "arc": partial(of_file, "warc", ".arc"),
    "http": of_http,
    "html": of_html,
    "mediawiki": partial(of_file, "mediawiki", ".xml"),
    "revisions": partial(of_file, "mediawiki", ".xml", options=Options(revisions="all")),
    "parquet": partial(of_file, "parquet", ".parquet", packed=False),
    "wacz": partial(of_file, "wacz", ".wacz", packed=False),
    "cdx": partial(of_file, "cdx", ".cdx"),
    "jsonl": partial(of_file, "jsonl", ".jsonl"),
    "csv": partial(of_file, "csv", ".csv"),
}
