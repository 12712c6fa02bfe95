"""Real archives of ten tools, good and broken, beside two other readers: nothing they read is lost, and all else is listed."""

from __future__ import annotations

import hashlib
import io
import tarfile
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest
from fastwarc.warc import ArchiveIterator as Fast
from restarts import check
from warcio.archiveiterator import ArchiveIterator as Warcio

from unquilt.read import Found, Limits, Record, Response, Revisit, reader_for
from unquilt.read.archived import stamp
from unquilt.read.names import is_archive
from unquilt.read.url import normalised

pytestmark = pytest.mark.data
LIMITS = Limits(body_bytes=1 << 30)
LOOKUPS = ("dns:", "whois:")

# Blocks that another reader has only in part, though the file has them as they are announced.
BLOCKS_OF_THEIRS_NOT_WHOLE = {
    ("example-wrong-chunks.warc.gz", "warcio"): "the record goes through two gzip members, and it ends with the first",
    ("missing-status-text.warc", "fastwarc"): "the HTTP status line has no reason, and it gives no byte of the block",
}

# Files in which one gzip member holds several records: places are those of the unpacked bytes.
STREAMS = {"example-bad-non-chunked.warc.gz", "example-bad.warc.gz.bad", "example-wrong-chunks.warc.gz"}

# By how many records, or stretches of something else, we find more than the better one of the two, and why.
MORE = {
    "badexample.arc.gz": (4, "one gzip member for all records and lengths that are wrong: warcio stops after the first"),
    "invalid_example_1.wacz": (1, "that there is no archive in it is told"),
    "invalid-arcfile-record-then-garbage.arc": (1, "the garbage is told"),
    "invalid-warcfile-record-then-garbage.warc": (1, "the garbage is told"),
    "IAH-20080430204825-00000-blackbook-truncated.arc": (8, "the length of the first record is wrong: warcio stops behind it"),
}


class Theirs(NamedTuple):
    """A record as another reader has it."""

    offset: int
    type: str
    url: str
    date: str | None
    block: bytes


@dataclass
class Archive:
    """An archive of the set, and what we find in it."""

    name: str
    data: bytes
    founds: list[Found]

    def beside(self) -> dict[str, list[Theirs]]:
        return {"warcio": list(by_warcio(self.data)), "fastwarc": list(by_fastwarc(self.data))}


def by_warcio(data: bytes) -> Iterator[Theirs]:
    records = Warcio(io.BytesIO(data), no_record_parse=True)
    try:
        for one in records:
            said = one.rec_headers.get_header
            url, date = said("WARC-Target-URI") or said("uri"), said("WARC-Date") or said("archive-date")
            block = one.raw_stream.read()  # first, for the offset is known only behind it
            yield Theirs(records.get_record_offset(), one.rec_type, url or "", date, block)
    except Exception:  # noqa: BLE001 - whatever it is that it stops at, what it read before counts
        return


def by_fastwarc(data: bytes) -> Iterator[Theirs]:
    try:
        for one in Fast(io.BytesIO(data), parse_http=False):
            said = one.headers.get
            url, date = said("WARC-Target-URI") or "", said("WARC-Date")
            yield Theirs(one.stream_pos, str(one.record_type), url, date, one.reader.read())
    except Exception:  # noqa: BLE001
        return


@pytest.fixture(scope="module")
def archives(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Archive]:
    folder = tmp_path_factory.mktemp("warc_set")
    with tarfile.open(shared_data / "pages" / "warc_set.tar.gz") as tar:
        tar.extractall(folder, filter="data")
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "MANIFEST.tsv")
    return {f"{path.parent.name}/{path.name}": _archive(path) for path in files}


def _archive(path: Path) -> Archive:
    reader = reader_for(path)
    founds = check(lambda start: list(reader.read(path, start, LIMITS)), at_most=4)
    return Archive(path.name.rpartition("__")[2], _unzipped(path) if path.suffix == ".wacz" else path.read_bytes(), founds)


def _unzipped(path: Path) -> bytes:
    with zipfile.ZipFile(path) as file:
        return b"".join(file.read(name) for name in file.namelist() if is_archive(name))


def test_all_of_the_set_is_read(archives: dict[str, Archive]) -> None:
    assert len(archives) == 124
    assert all(one.founds for one in archives.values())


def test_no_response_that_another_reader_has_is_lost(archives: dict[str, Archive]) -> None:
    read = Counter[str]()
    for name, one in archives.items():
        for reader, theirs in one.beside().items():
            responses = [t for t in theirs if t.type == "response" and not t.url.startswith(LOOKUPS)]
            assert not _lost(one, responses, (one.name, reader) in BLOCKS_OF_THEIRS_NOT_WHOLE), (name, reader)
            read[reader] += len(responses)
    assert read["warcio"] > 1000
    assert read["fastwarc"] > 600


def _lost(archive: Archive, theirs: list[Theirs], theirs_is_not_whole: bool) -> Counter[tuple[object, ...]]:
    """What of theirs we have neither as they have it, nor with a block of which we say what is wrong with it."""
    pages = [(f, f.record) for f in archive.founds if isinstance(f.record, Response)]
    ours = Counter((r.url, r.fetched_at, _digest(r.block)) for _, r in pages)
    missing = Counter((*_said(t), _digest(t.block)) for t in theirs) - ours
    wrong = Counter((r.url, r.fetched_at) for f, r in pages if theirs_is_not_whole or any(s.what == "body" for s in f.skips))
    assert missing or not theirs_is_not_whole
    return Counter((url, date) for url, date, _ in missing.elements()) - wrong


def _said(one: Theirs) -> tuple[str | None, int | None]:
    return normalised(one.url.strip("<>")), stamp(one.date) if one.date else None


def _digest(block: bytes) -> str:
    return hashlib.sha256(block).hexdigest()


def test_every_record_that_another_reader_has_is_there_as_what_it_is(archives: dict[str, Archive]) -> None:
    for name, one in archives.items():
        places = {f.in_file[0]: f for f in one.founds}
        for reader, theirs in one.beside().items():
            for record in theirs if one.name not in STREAMS else []:
                assert record.offset in places, (name, reader, record.offset)
                assert _is_listed(places[record.offset], record), (name, reader, record.offset)


def _is_listed(found: Found, theirs: Theirs) -> bool:
    other = found.record is None and any(s.what in ("other", "record") for s in found.skips)
    match theirs.type:
        case "response":
            return other if theirs.url.startswith(LOOKUPS) else isinstance(found.record, Response)
        case "revisit":
            return isinstance(found.record, Revisit)
        case "resource":
            return other or isinstance(found.record, Response)
        case "conversion":
            return isinstance(found.record, Record | Response)
    return other


def test_as_many_records_are_found_as_the_better_reader_has(archives: dict[str, Archive]) -> None:
    for name, one in archives.items():
        more, _ = MORE.get(one.name, (0, ""))
        best = max(len(theirs) for theirs in one.beside().values())
        assert sum(1 for f in one.founds if f.record or f.skips) == best + more, name
