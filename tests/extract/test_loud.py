"""What is left out of much of an archive is said aloud, also where a server had nothing better; and nobody's password with it."""

from pathlib import Path

import pytest

import unquilt as uq


def response(number: int, status: str, head: str = "Content-Type: text/html", body: str = "<p>words of a page") -> bytes:
    block = f"HTTP/1.1 {status}\r\n{head}\r\n\r\n{body} {number}"
    fields = f"WARC-Type: response\r\nWARC-Target-URI: http://a.example/{number}\r\nContent-Length: {len(block)}"
    return f"WARC/1.0\r\n{fields}\r\n\r\n{block}\r\n\r\n".encode()


@pytest.mark.parametrize(("denied", "loud"), [(18, [("HTTP 403", 18)]), (2, [("HTTP 403", 2)]), (1, []), (0, [])])
def test_errors_that_make_up_more_than_a_twentieth_are_said(tmp_path: Path, denied: int, loud: list[tuple[str, int]]) -> None:
    answers = ["403 Forbidden"] * denied + ["200 OK"] * (20 - denied)
    (tmp_path / "a.warc").write_bytes(b"".join(response(n, status) for n, status in enumerate(answers)))
    (added,) = uq.open(tmp_path / "a.study").add(tmp_path / "a.warc")
    assert (added.file.pages, added.records, added.loud) == (20 - denied, 20, loud)


def test_a_password_in_a_location_that_is_not_understood_is_dropped(tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(response(1, "302 Found", "Location: http://user:secret@b example:99999/"))
    study = uq.open(tmp_path / "a.study")
    study.add(tmp_path / "a.warc")
    assert study.table("skipped")["detail"].to_pylist() == ["http://b example:99999/"]
