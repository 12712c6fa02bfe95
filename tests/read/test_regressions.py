"""What fuzzing found, mended since: each input here once broke what is read."""

from __future__ import annotations

from pathlib import Path

import restarts
from archives import with_dictionary

from unquilt.read import Fields, Found, Limits, archive


def read(path: Path, data: bytes) -> list[Found]:
    path.write_bytes(data)
    return restarts.check(lambda start: list(archive.read(path, start, Fields(), Limits())))


def test_a_dictionary_that_looks_like_a_member_is_none_when_reading_goes_on_behind_it(tmp_path: Path) -> None:
    (dictionary,) = with_dictionary([], compressed=True)
    found = read(tmp_path / "a.warc.zst", dictionary + b"\xdd")
    assert [(f.offset, f.length, restarts.reasons([f])) for f in found] == [
        (0, len(dictionary), []),
        (len(dictionary), 1, ["damaged compression"]),
    ]
