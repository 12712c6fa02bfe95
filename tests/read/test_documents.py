"""What is given only to be listed: PDF, office documents, media."""

import pytest

from unquilt.read import Fields, Limits, document
from unquilt.read.document import GIVEN, type_of

TYPES = {
    "a.pdf": "PDF",
    "A.PDF": "PDF",
    "a.docx": "office document",
    "a.epub": "e-book",
    "a.jpeg": "image",
    "a.ogg": "audio",
    "a.mp4": "video",
    "a.css": "style sheet",
    "a.js": "script",
    "a.woff2": "font",
    "a.zip": "archive",
    "a.tar.gz": "archive",
    "a.gz": "archive",
    "a.pdf.gz": "PDF",
    "a.warc.gz": "web archive",
    "a.json": "JSON",
    "a.html": None,
    "a.php": None,
    "pdf": None,
    "a.": None,
    "": None,
}


@pytest.mark.parametrize(("name", "type_"), TYPES.items())
def test_a_name_tells_the_type(name, type_):
    assert type_of(name) == type_


@pytest.mark.parametrize(
    ("name", "content", "reason"), [("a.pdf", b"", "PDF"), ("a", b"%PDF-1.7", "PDF"), ("a", b"\xff\xd8\xff\xe0", "image")]
)
def test_a_document_is_one_thing_left_out_with_its_type(tmp_path, name, content, reason):
    (tmp_path / name).write_bytes(content)
    (found,) = document.read(tmp_path / name, 0, Fields(), Limits())
    assert (found.offset, found.length, found.record, [s.reason for s in found.skips]) == (0, 1, None, [reason])
    assert list(document.read(tmp_path / name, 1, Fields(), Limits())) == []


def test_an_empty_file_is_no_document(tmp_path):
    (tmp_path / "a").touch()
    (found,) = document.read(tmp_path / "a", 0, Fields(), Limits())
    assert (found.length, [s.reason for s in found.skips]) == (0, ["empty file"])


def test_what_may_be_given_is_what_people_mean_to_be_listed():
    assert {".pdf", ".docx", ".mp4", ".png", ".epub"} <= set(GIVEN)
    assert not {".css", ".gz", ".json", ".xml", ".csv", ".warc"} & set(GIVEN)
