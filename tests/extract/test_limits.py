"""How much of a page is read is the user's to say, and what was left out is told."""

from pathlib import Path

import pytest

import unquilt as uq
from unquilt.errors import UsageError

PAGE = "<title>t</title><p>" + "word " * 3000


def folder(tmp_path: Path) -> Path:
    made = tmp_path / "pages"
    made.mkdir()
    (made / "a.html").write_text(PAGE)
    return made


@pytest.mark.parametrize(("most", "words"), [(1019, 200), (len(PAGE), 3000), (10_000_000, 3000)])
def test_of_a_page_over_the_limit_the_beginning_is_read(tmp_path: Path, most: int, words: int) -> None:
    study = uq.open(tmp_path / "a.study")
    study.add(folder(tmp_path), options=uq.Options(max_body=most))
    assert study.sql("SELECT words FROM capture")["words"].to_pylist() == [words]
    told = study.sql("SELECT what, reason FROM skipped").to_pylist()
    assert told == ([{"what": "body", "reason": "body too large"}] if words < 3000 else [])


def test_with_another_limit_it_is_another_reading(tmp_path: Path) -> None:
    study, pages = uq.open(tmp_path / "a.study"), folder(tmp_path)
    assert [study.add(pages, options=uq.Options(max_body=most))[0].already for most in (1019, 5000, 1019)] == [False, False, True]


@pytest.mark.parametrize("most", [0, 999, (256 << 20) + 1])
def test_a_limit_out_of_range_is_refused(tmp_path: Path, most: int) -> None:
    with pytest.raises(UsageError, match="give 1,000 to 268,435,456 bytes"):
        uq.open(tmp_path / "a.study").add(folder(tmp_path), options=uq.Options(max_body=most))
