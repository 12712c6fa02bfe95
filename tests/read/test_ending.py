"""A file that was cut off, or is damaged so that nobody knows how much is lost, is told apart from a record that is left out."""

import gzip

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from archives import PACKED, page, record, wacz, warc_bytes

from unquilt.read import Found, Skip
from unquilt.read.ending import LOST, marked
from unquilt.read.reader import reader_for

PAGES = [page(f"page {n} " + "x" * 300) for n in range(6)]


def lost(path) -> list[str | None]:
    """Of the files in the input, those of which a part is lost."""
    reader = reader_for(path)
    founds = marked(reader.read(path, 0), archives=reader.kind in ("warc", "wacz"))
    return [found.file for found in founds for skip in found.skips if (skip.reason, skip.what) == (LOST, "file")]


@pytest.mark.parametrize("packed", PACKED)
def test_an_archive_that_is_cut_off_anywhere_but_between_records_says_so(tmp_path, packed):
    path = tmp_path / "a.warc"
    whole = b"".join(PACKED[packed](PAGES))
    path.write_bytes(whole)
    assert lost(path) == []
    for cut in (10, len(whole) * 2 // 5, len(whole) * 3 // 4):
        path.write_bytes(whole[:-cut])
        assert lost(path) == [None], cut


def test_damage_in_the_middle_of_an_archive_is_told_too(tmp_path):
    path = tmp_path / "a.warc.gz"
    path.write_bytes(warc_bytes(*PAGES[:2]) + warc_bytes(PAGES[2])[:-20] + warc_bytes(*PAGES[3:]))
    assert lost(path) == [None]


def test_damage_in_a_record_without_a_length_is_told_too(tmp_path):
    path = tmp_path / "a.warc.gz"
    last = warc_bytes(record(block=bytes(range(256)) * 99, Content_Length=None))
    path.write_bytes(warc_bytes(*PAGES) + last[:-20])
    assert lost(path) == [None]


def test_each_archive_of_several_may_be_cut_off(tmp_path):
    whole = warc_bytes(*PAGES)
    files = {"archive/a.warc.gz": whole[:-9], "archive/b.warc.gz": whole, "archive/c.warc.gz": whole[:-300]}
    path = wacz(tmp_path / "a.wacz", files)
    assert lost(path) == ["archive/a.warc.gz", "archive/c.warc.gz"]


@pytest.mark.parametrize("name", ["p.jsonl.gz", "p.csv.gz", "p.xml.gz"])
def test_a_compressed_file_that_is_cut_off_says_so(tmp_path, name):
    lines = {
        "p.jsonl.gz": b'{"text": "a page"}\n' * 5000,
        "p.csv.gz": b"text,id\n" + b"a page,7\n" * 5000,
        "p.xml.gz": b"<mediawiki>" + b"<page><title>A</title><revision><text>a page</text></revision></page>" * 5000 + b"</mediawiki>",
    }
    whole = gzip.compress(lines[name])
    (tmp_path / name).write_bytes(whole)
    assert lost(tmp_path / name) == []
    (tmp_path / name).write_bytes(whole[: len(whole) * 9 // 10])
    assert lost(tmp_path / name) == [None]


def test_damage_behind_which_reading_goes_on_is_no_end(tmp_path):
    lines = gzip.compress(b'{"text": "a page"}\n' * 500)
    (tmp_path / "p.jsonl.gz").write_bytes(lines + lines[:-30] + lines)
    assert lost(tmp_path / "p.jsonl.gz") == []


def test_rows_of_damaged_parquet_are_many(tmp_path):
    path = tmp_path / "p.parquet"
    pq.write_table(pa.table({"text": [f"page {n}" for n in range(300)]}), path, row_group_size=100)
    column = pq.ParquetFile(path).metadata.row_group(1).column(0)
    data = bytearray(path.read_bytes())
    data[column.dictionary_page_offset : column.data_page_offset + 10] = b"\xff" * (
        column.data_page_offset + 10 - column.dictionary_page_offset
    )
    path.write_bytes(data)
    assert lost(path) == [None]


def test_files_of_a_folder_are_records(tmp_path):
    for name in ("a.html.gz", "b.html.gz"):
        (tmp_path / name).write_bytes(gzip.compress(b"<p>page" * 99)[:-10])
    assert lost(tmp_path) == []


def test_what_is_not_the_last_of_its_file_is_kept_as_it_is():
    bad = (Skip("truncated", "5 of 9 bytes", "body"),)
    founds = [Found(0, 1, None, bad), Found(1, 1, None), Found(2, 1, None, bad, "x"), Found(3, 1, None, bad, "y")]
    given = list(marked(founds, archives=True))
    assert [len(f.skips) for f in given] == [1, 0, 2, 2]
    assert given[3].skips[1] == Skip(LOST, "truncated: 5 of 9 bytes", "file")
    assert list(marked(founds, archives=False)) == founds
