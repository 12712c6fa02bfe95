"""What kind of thing a body is: by its declared type, unless its first bytes say otherwise."""

import gzip
import io
import time
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unquilt.read.media_type import KINDS, MAGIC, announces_text, kind_of

PAGE = b"<!doctype html><html><title>A page</title><p>Text."


def zipped(*names: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(name, "application/epub+zip" if name == "mimetype" else "content")
    return out.getvalue()


BINARY = [
    (b"%PDF-1.7\n%\xe2\xe3", "PDF"),
    (b"\r\n%PDF-1.4", "PDF"),
    (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image"),
    (b"GIF89a\x01\0\x01\0", "image"),
    (b"\xff\xd8\xff\xe0\0\x10JFIF", "image"),
    (b"RIFF\x24\0\0\0WEBPVP8 ", "image"),
    (b"\0\0\x01\0\x01\0\x10\x10\0\0", "image"),
    (b"BM\x36\0\x0c\0\0\0\0\0\x36\0", "image"),
    (b"\0\0\0\x1cftypavif\0\0", "image"),
    (b"ID3\x03\0\0\0\0\0\x21TIT2", "audio"),
    (b"OggS\0\x02\0\0", "audio"),
    (b"RIFF\x24\0\0\0WAVEfmt ", "audio"),
    (b"\0\0\0\x18ftypmp42\0\0", "video"),
    (b"\x1a\x45\xdf\xa3\x93\x42\x82\x88webm", "video"),
    (b"FLV\x01\x05\0\0\0\x09", "video"),
    (b"CWS\x0a\x12\x34\0\0", "video"),
    (b"wOFF\0\x01\0\0", "font"),
    (b"wOF2OTTO\0\0", "font"),
    (b"\0\x01\0\0\0\x0e\0\x80\0\x03", "font"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", "office document"),
    (rb"{\rtf1\ansi text}", "office document"),
    (b"%!PS-Adobe-3.0\n", "office document"),
    (zipped("[Content_Types].xml", "word/document.xml"), "office document"),
    (zipped("mimetype", "META-INF/container.xml"), "e-book"),
    (zipped("a.txt"), "archive"),
    (gzip.compress(b"content", mtime=0), "archive"),
    (b"Rar!\x1a\x07\x01\0", "archive"),
    (b"7z\xbc\xaf\x27\x1c\0\x04", "archive"),
    (b"BZh91AY&SY\x12\x34", "archive"),
    (b"a.txt".ljust(257, b"\0") + b"ustar\x0000", "archive"),
    (b"\x7fELF\x02\x01\x01\0", "binary data"),
    (b"MZ\x90\0\x03\0\0\0", "binary data"),
]


@pytest.mark.parametrize(("body", "kind"), BINARY)
@pytest.mark.parametrize("media_type", [None, "text/html", "text/plain", "application/octet-stream"])
def test_formats_are_told_by_their_first_bytes_whatever_was_declared(body: bytes, kind: str, media_type: str | None) -> None:
    if kind == "video" and body.startswith(b"CWS\x0a"):
        body = body.replace(b"\x0a", b"\x0b")  # a line end is a text's
    assert kind_of(media_type, body) == kind


@pytest.mark.parametrize(
    "media_type",
    [
        None,
        "text/html",
        "text/plain",
        "application/octet-stream",
        "application/xhtml+xml",
        "text/xml",
        "image/jpeg",
        "application/json",
        "x/y",
    ],
)
@pytest.mark.parametrize(
    "body",
    [
        PAGE,
        b"\xef\xbb\xbf" + PAGE,
        b"\r\n\t " + PAGE,
        b"<html lang=en>x",
        b"<HTML><BODY>x",
        b"<head><title>x",
        b'<!-- saved -->\n<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">',
        b'<!DOCTYPE PUBLIC "-//W3C//DTD HTML 3.2//EN"><p>x',
        b'<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">\n<html>',
        b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">',
        b"<!-->" + PAGE,
        b"\xff\xfe" + PAGE.decode().encode("utf-16-le"),
        b"\xfe\xff" + PAGE.decode().encode("utf-16-be"),
        PAGE.decode().encode("utf-16-le"),
    ],
)
def test_what_begins_as_an_html_document_is_one(body: bytes, media_type: str | None) -> None:
    assert kind_of(media_type, body) == "html"


@pytest.mark.parametrize(
    ("media_type", "body", "kind"),
    [
        ("text/html", b"Just text.", "html"),
        ("text/html", b"<p>Text", "html"),
        ("text/html", b"<custom-element>Text", "html"),
        ("text/html", b"", "html"),
        ("text/html", b"<p>a\0b\0\x01c</p>", "html"),
        ("text/html", b"zeros \0\0\0 in a page <p>", "html"),
        ("text/html", b"<rss><p>not a feed", "html"),
        ("text/html", b'<?xml version="1.0"?><p>Text', "html"),
        ("text/html", b'<?xml version="1.0"?><rss version="2.0"><channel>', "feed"),
        ("text/html", b'<rss version="2.0"><channel>', "feed"),
        ("text/html", b'<feed xmlns="http://www.w3.org/2005/Atom">', "feed"),
        ("text/html", b'<?xml version="1.0"?><urlset xmlns="x">', "XML"),
        ("text/html", b'{"a": 1, "html": "<p>x"}', "JSON"),
        ("text/html", b'[{"a": 1}]\n', "JSON"),
        ("text/html", b"{{ template }} <p>x", "html"),
        ("text/html", b"[1] A footnote.", "html"),
        ("text/plain", b"Just text.", "plain text"),
        ("text/plain", b"", "plain text"),
        ("text/plain", b"<p> opens a paragraph", "plain text"),
        ("text/plain", b"caf\xe9 \x0c page 2", "plain text"),
        ("text/plain", "UTF-16 text as it is".encode("utf-16"), "plain text"),
        ("text/plain", bytes(range(256)), "binary data"),
        ("text/plain", b"one stray \0 in a text that is long enough to bear it, as some are", "plain text"),
        ("text/markdown", b"# Title", "plain text"),
        (None, b"Just text.", "plain text"),
        (None, b"<p>Text", "html"),
        (None, b"<div class=x>Text", "html"),
        (None, b"<!-- only a comment", "html"),
        (None, b"<unknown>Text", "plain text"),
        (None, b"<3 hearts", "plain text"),
        (None, bytes(range(256)), "binary data"),
        (None, b'{"a": 1}', "JSON"),
        (None, b'<?xml version="1.0"?><data>', "XML"),
        (None, b"CWS\nand other acronyms\n", "plain text"),
        (None, b"BM is a text\n", "plain text"),
        ("application/octet-stream", b"<table><tr><td>", "html"),
        ("application/xml", b"<data>", "XML"),
        ("application/xml", b"<p>a fragment", "html"),
        ("text/xml", b'<?xml version="1.0"?><!-- x --><rdf:RDF xmlns="http://purl.org/rss/1.0/">', "feed"),
        ("text/xml", b'<rdf:RDF xmlns:dc="http://purl.org/dc/elements/1.1/">', "XML"),
        ("text/xml", b'<a:feed xmlns:a="http://www.w3.org/2005/Atom">', "feed"),
        ("text/xml", b"<svg xmlns='http://www.w3.org/2000/svg'>", "image"),
        ("application/rss+xml", b"<rss>", "feed"),
        ("application/atom+xml", b"\n<feed>", "feed"),
        ("application/vnd.x+xml", b"<x>", "XML"),
        ("application/vnd.x+json", b"{}", "JSON"),
        ("application/ld+json", b"{}", "JSON"),
        ("image/svg+xml", b"<svg>", "image"),
        ("image/x-anything", b"\x01\x02", "image"),
        ("text/css", b"a { b: c }", "style sheet"),
        ("text/javascript", b"var a;", "script"),
        ("application/x-javascript", b"var a;", "script"),
        ("application/pdf", b"broken", "PDF"),
        ("application/msword", b"broken", "office document"),
        ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", zipped("a.xml"), "office document"),
        ("application/vnd.oasis.opendocument.text", b"x", "office document"),
        ("application/zip", b"x", "archive"),
        ("audio/mpeg", b"\xff\xfb\x90\x64", "audio"),
        ("video/mp2t", b"G@", "video"),
        ("font/woff2", b"x", "font"),
        ("multipart/related", b"MIME-Version: 1.0", "message"),
        ("application/x-sh", b"echo", "other data"),
    ],
)
def test_the_declared_type_holds_where_the_bytes_do_not_deny_it(media_type: str | None, body: bytes, kind: str) -> None:
    assert kind_of(media_type, body) == kind


def test_text_is_announced_by_types_that_are_written_in_characters() -> None:
    assert all(map(announces_text, ["text/html", "text/plain", "text/css", "application/xhtml+xml", "application/json", "image/svg+xml"]))
    assert not any(map(announces_text, [None, "image/png", "application/gzip", "application/octet-stream", "application/x-tar", "x/y"]))


def test_a_type_belongs_to_one_kind() -> None:
    types = [media_type for said in KINDS.values() for media_type in said.split()]
    assert len(types) == len(set(types))


@given(
    st.sampled_from([None, "text/html", "text/plain", "text/xml", "application/octet-stream", "x/y", "nonsense"]), st.binary(max_size=100)
)
def test_every_body_is_of_some_kind(media_type: str | None, body: bytes) -> None:
    assert kind_of(media_type, body) in {*KINDS, *MAGIC, "plain text", "other data"}


@pytest.mark.parametrize(
    "piece", [b"<!---->", b"<!---->\n", b"<?x?> ", b"<!--", b"<!doctype ", b" ", b"<", b"<a:", b"{", b"[", b"\0", b"PK\x03\x04"]
)
@pytest.mark.parametrize("media_type", [None, "text/html", "text/xml"])
def test_no_body_takes_long(piece: bytes, media_type: str | None) -> None:
    begin = time.process_time()
    kind_of(media_type, piece * (5_000_000 // len(piece)))
    assert time.process_time() - begin < 0.2
