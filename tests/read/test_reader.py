"""Which reader reads a file: by its name, by its first bytes where that says nothing; and what makes it known again."""

from __future__ import annotations

import bz2
import gzip
import os
import subprocess
import sys
from pathlib import Path

import lz4.frame
import pytest
import zstandard
from archives import page, wacz, warc_bytes

from unquilt.errors import InputError, UsageError
from unquilt.read import Fields, Options, reader_for, reader_of
from unquilt.read.reader import KINDS

NAMED = {
    "a.jsonl": "jsonl",
    "a.NDJSON.GZ": "jsonl",
    "a.jsonl.zst": "jsonl",
    "a.csv": "csv",
    "a.tsv.bz2": "csv",
    "a.parquet": "parquet",
    "a.warc": "warc",
    "a.warc.gz": "warc",
    "a.warc.zst": "warc",
    "a.warc.lz4": "warc",
    "a.arc.gz": "warc",
    "a.warc.wet.gz": "warc",
    "a.warc.gz.open": "warc",
    "a.warc.open": "warc",
    "a.wacz": "wacz",
    "a.cdx": "cdx",
    "a.cdxj.gz": "cdx",
    "wiki.xml.bz2": "mediawiki",
    "a.html": "html",
    "a.htm.gz": "html",
    "a.txt": "html",
    "a.pdf": "document",
    "a.docx": "document",
    "a.mp4": "document",
    "a.jpg": "document",
}


def kind(path: Path) -> str:
    return reader_for(path).kind


@pytest.mark.parametrize(("name", "expected"), NAMED.items())
def test_the_name_says_the_kind(tmp_path: Path, name: str, expected: str) -> None:
    (tmp_path / name).write_bytes(b"")
    assert kind(tmp_path / name) == expected


def test_a_folder_is_read_as_one(tmp_path: Path) -> None:
    assert kind(tmp_path) == "folder"


LINE = b'{"url": "http://a.example/", "text": "one two"}\n'
WITHIN = {
    "WARC": (page("one"), "warc"),
    "WARC in gzip": (warc_bytes(page("one")), "warc"),
    "WARC in zstd": (zstandard.compress(page("one")), "warc"),
    "WARC in lz4": (lz4.frame.compress(page("one")), "warc"),
    "ARC": (b"filedesc://a.arc 0.0.0.0 20080430204825 text/plain 76\n1 0 InternetArchive\n", "warc"),
    "Parquet": (b"PAR1\x15\x04", "parquet"),
    "JSON lines": (LINE * 3, "jsonl"),
    "JSON lines in gzip": (gzip.compress(LINE, mtime=0), "jsonl"),
    "JSON lines in bzip2": (bz2.compress(LINE), "jsonl"),
    "a line longer than is looked at": (b'{"text": "' + b"x" * 100_000 + b'"}', "jsonl"),
    "HTML": (b"\n<!DOCTYPE html><title>x</title>", "html"),
    "MediaWiki": (b'<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="en">', "mediawiki"),
    "CDX": (b" CDX N b a m s k r M S V g\n", "cdx"),
    "CDXJ": (b'example,a)/ 20260102030405 {"url": "http://a.example/"}\n', "cdx"),
    "PDF": (b"%PDF-1.7\n", "document"),
    "a picture": (b"\x89PNG\r\n\x1a\n", "document"),
}


@pytest.mark.parametrize(("data", "expected"), WITHIN.values(), ids=WITHIN)
@pytest.mark.parametrize("name", ["nameless", "a.dat"])
def test_where_the_name_says_nothing_the_first_bytes_do(tmp_path: Path, name: str, data: bytes, expected: str) -> None:
    (tmp_path / name).write_bytes(data)
    assert kind(tmp_path / name) == expected


def test_a_wacz_is_known_under_another_name(tmp_path: Path) -> None:
    assert kind(wacz(tmp_path / "crawl.zip", {"archive/a.warc.gz": warc_bytes(page("one"))})) == "wacz"


@pytest.mark.parametrize(
    "data", [b"", b"some words", b"[1, 2]\n", b'{\n "a": 1\n}\n', b"\0" * 100, gzip.compress(b"words", mtime=0), b"\x1f\x8b\x08\0\0"]
)
def test_what_is_of_no_kind_is_said(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.dat").write_bytes(data)
    with pytest.raises(UsageError, match=r"a\.dat` is of no kind that is read; give a folder or a file that ends in one of \.jsonl, "):
        reader_for(tmp_path / "a.dat")


@pytest.mark.parametrize("name", ["wiki.xml.7z", "a.jsonl.xz", "a.warc.bz2", "a.parquet.gz", "a.csv.zip"])
def test_a_compression_that_is_not_read_is_said(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(UsageError, match=r"which is not read; unpack it, or give it (not )?compressed"):
        reader_for(tmp_path / name)


def test_a_compression_of_a_file_without_a_name_that_is_not_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.dat").write_bytes(b"7z\xbc\xaf\x27\x1c" + b"\0" * 50)
    with pytest.raises(UsageError, match=r"is compressed with \.7z, which is not read; unpack it"):
        reader_for(tmp_path / "a.dat")


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        reader_for(tmp_path / "a.jsonl")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_without_permission_is_said(tmp_path: Path) -> None:
    (tmp_path / "shut").mkdir(mode=0)
    with pytest.raises(InputError, match="its permissions forbid it"):
        reader_for(tmp_path / "shut")


@pytest.mark.parametrize("options", [Options(base_url="no url"), Options(revisions="some"), Options(noindex="x"), Options(same_url="x")])
def test_options_out_of_range_are_said(tmp_path: Path, options: Options) -> None:
    with pytest.raises(UsageError):
        reader_for(tmp_path, None, options)


def test_the_recipe_has_what_matters_for_the_kind_alone(tmp_path: Path) -> None:
    options, fields = Options("http://a.example/", "all", "archives"), Fields(text="body")
    (tmp_path / "a.warc").write_bytes(b"")
    (tmp_path / "a.jsonl").write_bytes(b"")
    (tmp_path / "a.xml").write_bytes(b"")
    assert reader_for(tmp_path / "a.warc", fields, options).recipe() == reader_for(tmp_path / "a.warc").recipe()
    assert reader_for(tmp_path / "a.jsonl", fields, options).recipe()["fields"]["text"] == "body"
    assert reader_for(tmp_path / "a.xml", fields, options).recipe()["revisions"] == "all"
    assert reader_for(tmp_path, fields, options).recipe()["base_url"] == "http://a.example/"


@pytest.mark.parametrize("name", KINDS)
def test_a_reader_is_made_again_of_its_recipe(name: str) -> None:
    from unquilt.read import Reader

    reader = Reader(name, Fields(text="body"), Options("http://a.example/", "all", "archives"))
    again = reader_of({**reader.recipe(), "extraction": 1, "dayfirst": None})
    assert again.recipe() == reader.recipe()


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_has_a_module_that_reads(name: str) -> None:
    from importlib import import_module

    assert callable(import_module(f"unquilt.read.{KINDS[name].module}").read)


def test_no_two_kinds_claim_one_ending() -> None:
    endings = [e for kind in KINDS.values() for e in kind.endings]
    assert len(endings) == len(set(endings))


def test_what_only_some_inputs_need_is_imported_late() -> None:
    late = ["pyarrow", "zstandard", "fsspec", "lz4", "isal", "xml.parsers.expat", "urllib.request"]
    code = f"import sys, unquilt.read; print([m for m in {late} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_a_pdf_is_listed_with_its_type_whatever_it_is_called(tmp_path: Path) -> None:
    for name in ("a.pdf", "nameless"):
        (tmp_path / name).write_bytes(b"%PDF-1.7\n")
        (found,) = reader_for(tmp_path / name).read(tmp_path / name, 0)
        assert [s.reason for s in found.skips] == ["PDF"]
