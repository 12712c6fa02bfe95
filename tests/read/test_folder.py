"""Pages as files: where they stood, and what in a folder is no page, cannot be read, or leads elsewhere."""

import gzip
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import zstandard
from restarts import check, reasons

from unquilt.errors import InputError
from unquilt.read import Fields, Found, Limits, Record, Response, folder

PAGE = b"<!DOCTYPE html><p>page"


def made(root: Path, *names: str, content: bytes = PAGE) -> Path:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
    return root


def read(path: Path, start: int = 0, limits: Limits | None = None, **options: str) -> list[Found]:
    return list(folder.read(path, start, Fields(), limits or Limits(), **options))


def told(founds: list[Found]) -> dict[str, tuple[str, str | None]]:
    return {str(f.file): (s.reason, s.detail) for f in founds for s in f.skips}


URLS = [
    # file, its URL, its URL with --base-url https://b.example/x
    ("a.example/index.html", "http://a.example/", "https://b.example/x/a.example/"),
    ("a.example/dir/INDEX.HTM", "http://a.example/dir/", "https://b.example/x/a.example/dir/"),
    ("a.example/p.html", "http://a.example/p.html", "https://b.example/x/a.example/p.html"),
    ("www.A.example:8080/p.html", "http://www.a.example:8080/p.html", "https://b.example/x/www.A.example:8080/p.html"),
    ("a.example+81/p.html", "http://a.example:81/p.html", "https://b.example/x/a.example+81/p.html"),
    ("192.0.2.7/p.html", "http://192.0.2.7/p.html", "https://b.example/x/192.0.2.7/p.html"),
    ("a.example/p?q=1&r=2.html", "http://a.example/p?q=1&r=2.html", "https://b.example/x/a.example/p%3Fq=1&r=2.html"),
    (
        "a.example/100%/a%20b ü.html",
        "http://a.example/100%25/a%20b%20%C3%BC.html",
        "https://b.example/x/a.example/100%25/a%2520b%20%C3%BC.html",
    ),
    ("a.example/p.html.gz", "http://a.example/p.html", "https://b.example/x/a.example/p.html"),
    ("p.html", None, "https://b.example/x/p.html"),
    ("index.html", None, "https://b.example/x/"),
    ("docs/p.html", None, "https://b.example/x/docs/p.html"),
    ("v1.2/p.html", None, "https://b.example/x/v1.2/p.html"),
    ("p.example.html", None, "https://b.example/x/p.example.html"),
]


@pytest.mark.parametrize(("name", "url", "based"), URLS)
def test_a_file_has_the_url_of_where_it_stood(tmp_path, name, url, based):
    made(tmp_path, name)
    (found,) = read(tmp_path)
    assert (found.record.url, found.record.given_id) == (url, None)
    assert (found.file, found.origin, found.record.block) == (name, (0, len(PAGE)), PAGE)
    (found,) = read(tmp_path, base_url="https://b.example/x/")
    assert (found.record.url, found.record.given_id) == (based, None)


def test_files_are_read_in_the_order_of_their_paths_and_reading_goes_on_anywhere(tmp_path):
    names = ["A.html", "a-b/z.html", "a.html", "a/b.html", "a/c/d.html", "a/c.html", "b.html", "é.html"]
    made(tmp_path, *names)
    founds = check(lambda start: read(tmp_path, start), end=len(names))
    assert [f.file for f in founds] == sorted(names, key=os.fsencode)
    assert read(tmp_path, len(names) + 1) == []


def test_one_file_is_a_page_too(tmp_path):
    made(tmp_path, "a.example/p.html")
    (found,) = read(tmp_path / "a.example" / "p.html")
    assert (found.record, found.file, found.length) == (Response(PAGE, content_type="text/html"), None, 1)
    (found,) = read(tmp_path / "a.example" / "p.html", base_url="http://a.example")
    assert (found.record.url, found.record.given_id) == ("http://a.example/p.html", None)
    assert read(tmp_path / "a.example" / "p.html", 1) == []


def test_one_empty_file_is_no_page(tmp_path):
    (tmp_path / "p.html").touch()
    (found,) = read(tmp_path / "p.html")
    assert (found.record, found.length, reasons([found])) == (None, 0, ["empty file"])


def test_plain_text_is_given_text(tmp_path):
    made(tmp_path, "a.txt", content="\ufeffcafé\0".encode())
    made(tmp_path, "b.txt", content="café".encode("utf-16"))
    made(tmp_path, "c.txt", content="café".encode("latin-1"))
    a, b, c = read(tmp_path)
    assert (a.record, b.record) == (Record("café\0"), Record("café"))
    assert told([c]) == {"c.txt": ("not UTF-8", "byte 3")}


def test_compressed_pages_are_unpacked_also_where_a_server_left_them_so(tmp_path):
    made(tmp_path, "a.html.gz", "b.html", content=gzip.compress(PAGE))
    made(tmp_path, "c.htm.zst", content=zstandard.compress(PAGE))
    made(tmp_path, "d.html.gz", content=gzip.compress(PAGE * 99)[:40])
    made(tmp_path, "e.html")
    founds = read(tmp_path)
    assert [f.record.block if f.record else None for f in founds] == [PAGE, PAGE, PAGE, None, PAGE]
    assert told(founds) == {"d.html.gz": ("damaged compression", "the compressed stream ends too early")}


def test_a_page_over_the_limit_is_cut_also_when_it_is_a_bomb(tmp_path):
    made(tmp_path, "a.html", content=b"x" * 101)
    made(tmp_path, "b.html.gz", content=gzip.compress(b"x" * 50_000_000))
    made(tmp_path, "c.html", content=b"x" * 100)
    founds = read(tmp_path, limits=Limits(body_bytes=100))
    assert [f.record.block for f in founds] == [b"x" * 100] * 3
    assert [(s.what, s.reason) for f in founds for s in f.skips] == [("body", "body too large")] * 2
    made(tmp_path, "d.txt", content=b"x" * 101)
    assert reasons(read(tmp_path, 3, limits=Limits(record_bytes=100))) == ["record too large"]


NO_PAGES = {
    "a.pdf": (b"%PDF-1.4", "PDF"),
    "b.DOCX": (b"PK\3\4", "office document"),
    "c.png": (b"\x89PNG\r\n\x1a\n", "image"),
    "d.mp3": (b"ID3\4", "audio"),
    "e.css": (b"p {}", "style sheet"),
    "f.warc.wat.gz": (b"\x1f\x8b", "web archive"),
    "f.cdxj": (b"", "web archive"),
    "g": (b"just words", "not HTML"),
    "h": (b"%PDF-1.4 no ending tells", "PDF"),
    "i": (b"\x7fELF\2\1", "binary data"),
    "j.html": (b"", "empty file"),
    "k": (b"", "empty file"),
    "l.txt": (b"", "empty file"),
    "m.json": (b'{"a": 1}', "JSON"),
}


def test_what_is_no_page_is_listed_with_its_type(tmp_path):
    for name, (content, _) in NO_PAGES.items():
        made(tmp_path, name, content=content)
    founds = read(tmp_path)
    assert {name: reason for name, (reason, _) in told(founds).items()} == {name: reason for name, (_, reason) in NO_PAGES.items()}
    assert all(f.record is None for f in founds)


def test_web_archives_are_inputs_of_their_own(tmp_path):
    made(tmp_path, "a.html")
    made(tmp_path, "a.warc.gz", "sub/b.arc", "sub/c.WACZ", "d.wet.zst", "e.warc.gz.open", content=b"\x1f\x8b")
    (tmp_path / "link.warc").symlink_to("a.warc.gz")
    founds = read(tmp_path)
    assert [f.file for f in founds] == ["a.html", "link.warc"]
    assert told(founds) == {"link.warc": ("web archive", None)}


PAGES = ["page", "page.php", "view?id=1.pdf", "a.cgi", "x.jpg", "y@z"]


@pytest.mark.parametrize("begin", [b"", b"\xef\xbb\xbf", b"\n <!-- x -->\n", b'<?xml version="1.0"?>\n'])
def test_what_begins_as_a_page_is_one_whatever_its_name(tmp_path, begin):
    made(tmp_path, *PAGES, content=begin + b"<!doctype HTML>\n<p>")
    founds = read(tmp_path)
    assert all(isinstance(f.record, Response) for f in founds)
    assert [f.file for f in founds] == sorted(PAGES)


def test_links_are_followed_to_files_within_the_folder_only(tmp_path):
    root = made(tmp_path / "crawl", "a.html", "sub/b.html")
    made(tmp_path, "secret.html")
    links = {
        "in.html": "a.html",
        "in2.html": root / "sub" / "b.html",
        "out.html": "../secret.html",
        "out2.html": "/etc/passwd",
        "up.html": "..",
        "loop": ".",
        "sub/loop": "..",
        "sub/self.html": "self.html",
        "one.html": "two.html",
        "two.html": "one.html",
        "nowhere.html": "no-such.html",
        "folder": "sub",
        "device.html": "/dev/zero",
    }
    for name, target in links.items():
        (root / name).symlink_to(target)
    founds = check(lambda start: read(root, start))
    assert [f.file for f in founds if f.record] == ["a.html", "in.html", "in2.html", "sub/b.html"]
    assert {name: detail for name, (reason, detail) in told(founds).items() if reason == "symbolic link"} == {
        **dict.fromkeys(("out.html", "out2.html", "up.html", "device.html"), "it leads out of the folder"),
        **dict.fromkeys(("loop", "sub/loop", "folder"), "it leads to a folder, which is read at its own place"),
        **dict.fromkeys(("sub/self.html", "one.html", "two.html"), "it leads in a circle"),
        "nowhere.html": "it leads nowhere",
    }


def test_the_folder_itself_may_be_a_link(tmp_path):
    made(tmp_path / "crawl", "a.html")
    (tmp_path / "link").symlink_to("crawl")
    assert [f.file for f in read(tmp_path / "link") if f.record] == ["a.html"]


def test_pipes_and_sockets_are_listed_and_not_waited_for(tmp_path, monkeypatch):
    made(tmp_path, "a.html", "z.html")
    os.mkfifo(tmp_path / "pipe.html")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.html")
        founds = read(tmp_path)
    assert [f.file for f in founds if f.record] == ["a.html", "z.html"]
    assert told(founds) == dict.fromkeys(("pipe.html", "socket.html"), ("not a file", "a pipe, a socket or a device"))


def test_names_that_are_no_utf8_are_files_too(tmp_path):
    (tmp_path / "a.example").mkdir()
    (tmp_path / "a.example" / os.fsdecode(b"caf\xe9.html")).write_bytes(PAGE)
    (found,) = read(tmp_path)
    assert (found.record.url, found.file) == ("http://a.example/caf%E9.html", "a.example/caf\\xe9.html")
    assert folder.fetch(tmp_path, found.file, Limits()) == PAGE


FORBIDDEN = """
import os, sys
from pathlib import Path
from unquilt.read import Fields, Limits, folder
root = Path(sys.argv[1])
if os.geteuid() == 0:
    os.seteuid(65534)
for found in folder.read(root, 0, Fields(), Limits()):
    print(found.file, [(s.reason, s.detail) for s in found.skips])
"""


def test_what_permissions_forbid_is_listed_and_the_rest_is_read(tmp_path):
    root = made(tmp_path / "crawl", "a.html", "closed/b.html", "listed/c.html", "file.html", "z.html")
    for folder_ in (*reversed(root.parents), root):
        if folder_.is_relative_to(tempfile.gettempdir()) and folder_ != Path(tempfile.gettempdir()):
            folder_.chmod(folder_.stat().st_mode | 0o755)
    (root / "file.html").chmod(0)
    (root / "closed").chmod(0)
    (root / "listed").chmod(0o444)
    done = subprocess.run([sys.executable, "-c", FORBIDDEN, root], capture_output=True, text=True, check=True)
    denied = [("cannot be read", "Permission denied")]
    lines = [("a.html", []), ("closed", denied), ("file.html", denied), ("listed/c.html", denied), ("z.html", [])]
    assert done.stdout == "".join(f"{name} {skips}\n" for name, skips in lines)
    for name in ("closed", "listed"):
        (root / name).chmod(0o755)


def test_a_folder_that_cannot_be_listed_at_all_is_an_error(tmp_path, monkeypatch):
    def refuses(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "scandir", refuses)
    with pytest.raises(PermissionError):
        read(tmp_path)


def test_the_bytes_of_a_page_can_be_had_again(tmp_path):
    made(tmp_path, "a.html", "b.html.gz", content=gzip.compress(PAGE))
    assert folder.fetch(tmp_path, "b.html.gz", Limits()) == PAGE
    assert folder.fetch(tmp_path / "a.html", "a.html", Limits()) == PAGE
    with pytest.raises(InputError, match=r"has no file `c.html` any more"):
        folder.fetch(tmp_path, "c.html", Limits())


def test_a_deep_folder_takes_no_recursion(tmp_path):
    here = tmp_path
    for _ in range(1200):
        here = here / "d"
        here.mkdir()
    made(tmp_path, "z.html")
    (here / "a.html").write_bytes(PAGE)
    found = [f for f in read(tmp_path) if f.record]
    (here / "a.html").unlink()
    while here != tmp_path:  # who clears up recursively
        here.rmdir()
        here = here.parent
    assert len(found) == 2
