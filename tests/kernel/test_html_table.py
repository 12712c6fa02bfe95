"""The generated table of character references is the one that its tool writes."""

import sys
from pathlib import Path

import pytest

import make_html_table


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A copy of the table that the tool takes for its own."""
    copy = tmp_path / "html_table.h"
    copy.write_bytes(make_html_table.HEADER.read_bytes())
    monkeypatch.setattr(make_html_table, "HEADER", copy)
    monkeypatch.setattr(sys, "argv", ["make_html_table.py", "--check"])
    return copy


def test_the_table_is_what_the_tool_writes(told: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert make_html_table.main() == 0
    before = told.read_bytes()
    monkeypatch.setattr(sys, "argv", ["make_html_table.py"])
    assert make_html_table.main() == 0
    assert told.read_bytes() == before


def test_a_table_that_is_another_is_told(told: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told.write_text(told.read_text("ascii").replace('"AMP"', '"AMQ"'), encoding="ascii")
    assert make_html_table.main() == 1
    assert "run make_html_table.py" in capsys.readouterr().err
