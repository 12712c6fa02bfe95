"""Archives in a zip: read where they lie, in order, from any place on; what is wrong with the zip is told and costs nothing else."""

from __future__ import annotations

import stat
import zipfile
import zlib
from pathlib import Path

import pytest
from archives import page, wacz, warc_bytes, zip_of

from unquilt.errors import InputError
from unquilt.read import Fields, Found, Limits
from unquilt.read import wacz as reader

ONE, TWO = warc_bytes(page("one"), page("two")), warc_bytes(page("three"))


def read(path: Path, start: int = 0) -> list[Found]:
    return list(reader.read(path, start, Fields(), Limits()))


def urls(found: list[Found]) -> list[str]:
    return [f.record.url.rpartition("/")[2] for f in found if f.record]


def reasons(found: list[Found]) -> list[tuple[str, str]]:
    return [(f.file, s.reason) for f in found for s in f.skips if s.what == "record"]


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    more = {"indexes/index.cdx.gz": b"no", "pages/pages.jsonl": b'{"url": "http://a.example/one"}'}
    return wacz(tmp_path / "crawl.wacz", {"archive/a.warc.gz": ONE, "archive/b.warc.gz": TWO, **more})


def test_every_archive_in_the_zip_is_read_in_order(crawl: Path) -> None:
    found = read(crawl)
    assert urls(found) == ["one", "two", "three"]
    assert [f.file for f in found] == ["archive/a.warc.gz", "archive/a.warc.gz", "archive/b.warc.gz"]


def test_the_origin_is_the_place_in_the_archive(crawl: Path) -> None:
    for found in read(crawl):
        offset, length = found.in_file
        whole = {"archive/a.warc.gz": ONE, "archive/b.warc.gz": TWO}[found.file]
        record = zlib.decompress(whole[offset : offset + length], 31)
        assert record.startswith(b"WARC/1.0")
        assert found.record.url.encode() in record


@pytest.mark.parametrize("deflated", [False, True])
def test_reading_goes_on_at_the_end_of_any_record(tmp_path: Path, deflated: bool) -> None:
    crawl = wacz(tmp_path / "c.wacz", {"archive/a.warc.gz": ONE, "archive/odd.txt": b"x", "archive/b.warc.gz": TWO}, deflated=deflated)
    found = read(crawl)
    assert len(found) == 4
    for number, one in enumerate(found):
        assert read(crawl, one.offset + one.length) == found[number + 1 :]


def test_an_archive_that_is_not_compressed_may_be_deflated(tmp_path: Path) -> None:
    crawl = wacz(tmp_path / "c.wacz", {"archive/a.warc": page("one") + page("two")}, deflated=True)
    assert urls(read(crawl)) == ["one", "two"]


def test_an_archive_is_read_wherever_it_lies_in_the_zip(tmp_path: Path) -> None:
    assert urls(read(wacz(tmp_path / "c.wacz", {"data/x.warc.gz": TWO}))) == ["three"]


def test_what_is_no_archive_is_told_and_a_zip_in_the_zip_is_not_opened(tmp_path: Path) -> None:
    inner = wacz(tmp_path / "inner.wacz", {"archive/a.warc.gz": ONE}).read_bytes()
    found = read(wacz(tmp_path / "c.wacz", {"archive/inner.wacz": inner, "archive/b.warc.gz": TWO}))
    assert urls(found) == ["three"]
    assert reasons(found) == [("archive/inner.wacz", "not an archive")]


def test_a_zip_without_an_archive_is_told(tmp_path: Path) -> None:
    (found,) = read(wacz(tmp_path / "c.wacz", {"archive/test.txt": b"x"}))
    assert found.skips[0].reason == "no archive"


UNSAFE = ["../x.warc.gz", "archive/../../x.warc.gz", "/x.warc.gz", "C:\\x.warc.gz", "archive\\..\\..\\x.warc.gz", "archive/.."]


@pytest.mark.parametrize("name", UNSAFE)
def test_a_name_that_leads_out_of_the_zip_is_refused(tmp_path: Path, name: str) -> None:
    found = read(zip_of(tmp_path / "c.wacz", [(name.encode(), 0, ONE, 0), (b"archive/b.warc.gz", 0, TWO, 0)]))
    assert urls(found) == ["three"]
    assert reasons(found) in ([(name, "unsafe name")], [])
    assert reasons(found) or not name.endswith(".gz")


def test_two_dots_within_a_name_are_no_way_out(tmp_path: Path) -> None:
    assert urls(read(wacz(tmp_path / "c.wacz", {"archive/a..b.warc.gz": TWO}))) == ["three"]


def test_a_link_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "c.wacz"
    with zipfile.ZipFile(path, "w") as file:
        link = zipfile.ZipInfo("archive/a.warc.gz")
        link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        file.writestr(link, "/etc/passwd")
        file.writestr("archive/b.warc.gz", TWO)
    assert reasons(read(path)) == [("archive/a.warc.gz", "symbolic link")]
    assert urls(read(path)) == ["three"]


@pytest.mark.parametrize(("method", "flags", "reason"), [(0, 1, "encrypted"), (12, 0, "unknown compression")])
def test_what_cannot_be_unpacked_is_told(tmp_path: Path, method: int, flags: int, reason: str) -> None:
    path = zip_of(tmp_path / "c.wacz", [(b"archive/a.warc.gz", method, ONE, flags), (b"archive/b.warc.gz", 0, TWO, 0)])
    assert reasons(read(path)) == [("archive/a.warc.gz", reason)]
    assert urls(read(path)) == ["three"]


def test_members_that_share_bytes_are_read_once(tmp_path: Path) -> None:
    entries = [(b"archive/%d.warc.gz" % n, 0, ONE if n == 0 else b"", 0) for n in range(3)]
    path = zip_of(tmp_path / "c.wacz", [entries[0], (b"archive/1.warc.gz", 0, ONE, 0)], begin=[0, 0])
    assert urls(read(path)) == ["one", "two"]
    assert reasons(read(path)) == [("archive/1.warc.gz", "damaged zip")]


def test_members_outside_of_the_file_are_told(tmp_path: Path) -> None:
    path = zip_of(
        tmp_path / "c.wacz", [(b"archive/a.warc.gz", 0, ONE, 0), (b"archive/b.warc.gz", 0, TWO, 0)], begin=[1 << 30, len(ONE) + 47]
    )
    assert reasons(read(path)) == [("archive/a.warc.gz", "damaged zip")]
    assert urls(read(path)) == ["three"]


def deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def test_a_bomb_is_unpacked_only_so_far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from unquilt.read import zip_member

    monkeypatch.setattr(zip_member, "SMALL", 1 << 20)
    bomb = deflated(page("one") + b"\0" * (20 << 20))
    path = zip_of(tmp_path / "c.wacz", [(b"archive/a.warc", 8, bomb, 0), (b"archive/b.warc.gz", 0, TWO, 0)])
    found = read(path)
    assert urls(found) == ["one", "three"]
    assert ("archive/a.warc", "record too large") in reasons(found)
    assert not [f for f in tmp_path.iterdir() if f != path]


def test_of_damaged_compression_what_came_before_is_read(tmp_path: Path) -> None:
    data = deflated(b"".join(response_of(n) for n in range(40)))
    broken = data[: len(data) // 2] + b"\xff" * (len(data) - len(data) // 2)
    found = read(zip_of(tmp_path / "c.wacz", [(b"archive/a.warc", 8, broken, 0), (b"archive/b.warc.gz", 0, TWO, 0)]))
    names = urls(found)
    assert names[:3] == ["0", "1", "2"]
    assert names[-1] == "three"
    assert {("archive/a.warc", "damaged compression"), ("archive/a.warc", "truncated")} & set(reasons(found))


def response_of(number: int) -> bytes:
    import hashlib

    from archives import response

    return response(f"http://a.example/{number}", hashlib.sha256(bytes([number])).hexdigest().encode() * 20)


@pytest.mark.parametrize("kept", [0, 10, 0.5, -1])
def test_a_zip_that_is_not_whole_is_said_in_a_sentence(crawl: Path, kept: float) -> None:
    data = crawl.read_bytes()
    crawl.write_bytes(data[: int(kept * len(data)) if isinstance(kept, float) else kept])
    with pytest.raises(InputError, match="is not a whole zip"):
        read(crawl)


def test_a_directory_that_promises_more_than_there_is_is_said(crawl: Path) -> None:
    data = bytearray(crawl.read_bytes())
    data[-14:-10] = b"\xfe\xff\xfe\xff"
    crawl.write_bytes(data)
    with pytest.raises(InputError, match="its directory ends after"):
        read(crawl)


def test_a_zip_of_64_bits_is_read(tmp_path: Path) -> None:
    path = tmp_path / "c.wacz"
    with zipfile.ZipFile(path, "w") as file, file.open(zipfile.ZipInfo("archive/b.warc.gz"), "w", force_zip64=True) as member:
        member.write(TWO)
    assert urls(read(path)) == ["three"]


def test_bytes_before_the_zip_do_not_matter(crawl: Path) -> None:
    crawl.write_bytes(b"#!/bin/sh\n" + crawl.read_bytes())
    assert urls(read(crawl)) == ["one", "two", "three"]


def test_any_damage_to_the_directory_ends_in_a_sentence_or_in_pages(crawl: Path) -> None:
    import random

    whole, rng = crawl.read_bytes(), random.Random(7)
    directory = whole.index(b"PK\1\2")
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(directory, len(data))] = rng.randrange(256)
        crawl.write_bytes(data)
        assert _sentence_or_pages(crawl) <= {"one", "two", "three", "not a whole zip"}


def _sentence_or_pages(crawl: Path) -> set[str]:
    try:
        return set(urls(read(crawl)))
    except InputError as error:
        return {"not a whole zip"} if "is not a whole zip" in str(error) else {str(error)}


@pytest.mark.data
def test_a_published_wacz_is_read(shared_data: Path, tmp_path: Path) -> None:
    import tarfile

    with tarfile.open(shared_data / "pages" / "warc_set.tar.gz") as tar:
        tar.extract("warc_set/webrecorder+pywb/sample_archive__waczs__valid_example_1.wacz", tmp_path, filter="data")
    found = read(next(tmp_path.rglob("*.wacz")))
    assert [f.record.url for f in found if f.record]
    assert {f.file for f in found} == {"archive/example-collection.warc"}
