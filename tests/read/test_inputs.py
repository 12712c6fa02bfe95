"""What was typed becomes a list of inputs before anything is read: patterns, lists, URLs, what can be read only once."""

from __future__ import annotations

import gzip
import io
import os
import sys
import threading
from pathlib import Path

import pytest
from archives import page, warc_bytes

from unquilt.errors import InputError, UsageError
from unquilt.read import Fields, brought, reader_of_brought, readers_for
from unquilt.read.inputs import given
from unquilt.watch import Watch

LINE = b'{"url": "http://a.example/", "text": "one two"}\n'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("b.jsonl", "a.jsonl", "c.txt", "sub/d.jsonl", "sub/sub/e.jsonl", ".hidden.jsonl", ".git/f.jsonl", "sub/[g].jsonl"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(LINE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(*typed: str | Path) -> list[str]:
    return [one.name for one in given(typed)]


PATTERNS = {
    "*.jsonl": ["a.jsonl", "b.jsonl"],
    "?.jsonl": ["a.jsonl", "b.jsonl"],
    "[b-z].jsonl": ["b.jsonl"],
    "[!b]*.jsonl": ["a.jsonl"],
    "**/*.jsonl": ["a.jsonl", "b.jsonl", "sub/[g].jsonl", "sub/d.jsonl", "sub/sub/e.jsonl"],
    "**/**/e.jsonl": ["sub/sub/e.jsonl"],
    "sub/**": ["sub/[g].jsonl", "sub/d.jsonl", "sub/sub/e.jsonl"],
    "s*/*.jsonl": ["sub/[g].jsonl", "sub/d.jsonl"],
    ".*.jsonl": [".hidden.jsonl"],
    "sub/[g].jsonl": ["sub/[g].jsonl"],  # there is a file of this very name
    "*": ["a.jsonl", "b.jsonl", "c.txt", "sub"],
}


@pytest.mark.parametrize(("pattern", "expected"), PATTERNS.items())
def test_a_pattern_names_files_in_the_order_of_their_bytes(here: Path, pattern: str, expected: list[str]) -> None:
    assert names(pattern) == expected
    assert names(str(here / pattern)) == [str(here / name) for name in expected]


def test_the_order_is_that_of_bytes_not_of_a_language(here: Path) -> None:
    for name in ("É.txt", "z.txt", "Z.txt"):
        (here / name).write_bytes(b"")
    assert names("*.txt") == ["Z.txt", "c.txt", "z.txt", "É.txt"]


def test_two_stars_do_not_follow_links_in_circles(here: Path) -> None:
    (here / "sub" / "loop").symlink_to(here)
    (here / "sub" / "loop2").symlink_to(here)
    assert names("**/e.jsonl") == ["sub/sub/e.jsonl"]


@pytest.mark.parametrize("typed", ["*.warc", "no/*.jsonl", "a.jsonl/*"])
def test_a_pattern_that_matches_nothing_is_an_error(here: Path, typed: str) -> None:
    with pytest.raises(InputError, match="matches no file"):
        given(["a.jsonl", typed])


def test_a_name_that_is_not_there_is_an_error(here: Path) -> None:
    with pytest.raises(InputError, match=r"`no\.jsonl` cannot be read \(there is no such file\)"):
        given(["a.jsonl", "no.jsonl"])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_may_not_be_looked_into_is_said(here: Path) -> None:
    (here / "sub").chmod(0)
    try:
        with pytest.raises(InputError, match="`sub` cannot be read"):
            given(["**/*.jsonl"])
    finally:
        (here / "sub").chmod(0o755)


def test_web_archives_in_a_folder_are_inputs_of_their_own(here: Path) -> None:
    for name in ("sub/b.warc.gz", "sub/sub/a.ARC", "sub/c.wet", "sub/d.wacz", "sub/e.wat.gz", "only/z.warc", "only/y.warc"):
        (here / name).parent.mkdir(exist_ok=True)
        (here / name).touch()
    (here / "sub" / "link.warc").symlink_to("b.warc.gz")
    archives = ["sub/b.warc.gz", "sub/c.wet", "sub/d.wacz", "sub/sub/a.ARC"]
    assert names("sub") == names(Path("sub")) == names("su?") == ["sub", *archives]
    assert names("only/") == ["only/y.warc", "only/z.warc"]
    assert names("only", "only/z.warc") == ["only/y.warc", "only/z.warc"]
    (here / "empty").mkdir()
    assert names("empty") == ["empty"]


def test_an_input_that_is_named_twice_is_one(here: Path) -> None:
    assert names("b.jsonl", "*.jsonl", Path("b.jsonl"), "./a.jsonl") == ["b.jsonl", "a.jsonl"]


def test_a_path_object_is_no_pattern_and_no_list(here: Path) -> None:
    (here / "@x.jsonl").write_bytes(LINE)
    assert names(Path("@x.jsonl"), Path("sub/[g].jsonl")) == ["@x.jsonl", "sub/[g].jsonl"]
    with pytest.raises(InputError):
        names(Path("*.jsonl"))


def test_a_list_names_files_patterns_and_urls_from_where_it_lies(here: Path) -> None:
    (here / "sub" / "list.txt").write_bytes(b"# mine\r\nd.jsonl\r\n\r\n  ../a.jsonl  \nsub/*.jsonl\nhttps://a.example/x.warc.gz#y\n")
    assert names("@sub/list.txt") == ["sub/d.jsonl", "sub/../a.jsonl", "sub/sub/e.jsonl", "https://a.example/x.warc.gz#y"]


def test_a_list_may_be_compressed(here: Path) -> None:
    (here / "list.gz").write_bytes(gzip.compress(b"a.jsonl\n"))
    assert names("@list.gz") == ["a.jsonl"]


LISTS = {
    "nothing": (b"# nothing\n\n", InputError, "`list.txt` names no file"),
    "what is not there": (b"a.jsonl\n\nno.jsonl\n", InputError, "`list.txt` line 3: `no.jsonl` cannot be read"),
    "stdin": (b"-\n", UsageError, "`list.txt` line 1 is `-`"),
    "a list": (b"@list.txt\n", UsageError, "line 1 is `@list.txt`"),
    "NUL": (b"a\0b\n", InputError, "line 1"),
}


@pytest.mark.parametrize(("content", "error", "said"), LISTS.values(), ids=LISTS)
def test_what_is_wrong_in_a_list_is_said_with_its_line(here: Path, content: bytes, error: type[Exception], said: str) -> None:
    (here / "list.txt").write_bytes(content)
    with pytest.raises(error) as raised:
        given(["@list.txt"])
    assert said in str(raised.value)


def test_a_list_that_is_not_there_is_said(here: Path) -> None:
    with pytest.raises(InputError, match=r"`no\.txt` cannot be read"):
        given(["@no.txt"])


def test_a_url_keeps_no_password_in_its_name() -> None:
    (one,) = given(["https://me:secret@a.example/x.warc.gz"])
    assert one.name == "https://a.example/x.warc.gz"
    assert one.url == "https://me:secret@a.example/x.warc.gz"


def test_a_file_url_is_a_file(here: Path) -> None:
    (one,) = given([f"file://{here}/a%2Ejsonl"])
    assert one.path == here / "a.jsonl"
    assert one.is_here


def test_the_reader_of_a_url_follows_from_its_path() -> None:
    ((_, reader),) = readers_for(["https://a.example/x.warc.gz?sig=1.pdf"], Fields())
    assert reader is not None
    assert reader.kind == "warc"
    assert readers_for(["https://a.example/download?id=7"], Fields())[0][1] is None


def test_whatever_is_wrong_with_one_is_said_before_the_first_is_read(here: Path) -> None:
    (here / "bad.dat").write_bytes(b"words")
    with pytest.raises(UsageError, match="no kind"):
        readers_for(["a.jsonl", "bad.dat"], Fields())


def typed_on_stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


STREAMS = {
    "JSON lines": (LINE, "jsonl"),
    "JSON lines in gzip": (gzip.compress(LINE), "jsonl"),
    "WARC": (warc_bytes(page("one")), "warc"),
    "words": (b"some words\n", "jsonl"),
    "nothing": (b"", "jsonl"),
}


@pytest.mark.parametrize(("data", "kind"), STREAMS.values(), ids=STREAMS)
def test_what_comes_on_stdin_is_kept_and_read_as_what_it_is(tmp_path: Path, monkeypatch, data: bytes, kind: str) -> None:
    typed_on_stdin(monkeypatch, data)
    ((one, reader),) = readers_for(["-"], Fields())
    assert (one.name, one.is_here, reader) == ("stdin", False, None)
    path = brought(one, tmp_path, Watch())
    assert path.read_bytes() == data
    reader = reader_of_brought(path, one, Fields())
    assert reader.kind == kind
    assert len(list(reader.read(path, 0))) == 1


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    pipe, room = tmp_path / "pipe.jsonl", tmp_path / "room"
    os.mkfifo(pipe)
    room.mkdir()
    ((one, reader),) = readers_for([pipe], Fields())
    assert not one.is_here
    assert reader is None
    writer = threading.Thread(target=lambda: pipe.write_bytes(LINE), daemon=True)
    writer.start()
    assert brought(one, room, Watch()).read_bytes() == LINE
    writer.join()


def test_a_file_that_is_called_stdin_is_not_taken_for_it(here: Path) -> None:
    (here / "stdin").write_bytes(LINE)
    assert names("stdin", "-") == ["./stdin", "stdin"]


def test_a_name_that_is_no_text_comes_back_from_how_it_is_written_down(tmp_path: Path) -> None:
    from unquilt.read.names import from_printable, printable

    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.jsonl"))
    try:
        path.write_bytes(LINE)
    except OSError:
        pytest.skip("this file system takes no such name")
    assert printable(path).endswith("caf\\xe9.jsonl")
    assert from_printable(printable(path)) == path
