"""Pages whose main text people have marked: is as much of it found as was when the rules were made, and as little else?

Only the half that rules are made on; `bench/gold_text.py` has the other, and other extractors beside.
"""

from pathlib import Path

import pytest

pytestmark = pytest.mark.data

BENCH = Path(__file__).resolve().parents[2] / "bench"
MADE_ON = 0


def test_marked_texts_are_found(shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    import gold_text

    rows = gold_text.rows(shared_data / "pages" / "gold_text_dev.parquet", MADE_ON)
    score = gold_text.text_score([gold_text.ours(row["html"]) for row in rows], [row["gold_text"] for row in rows])
    assert score.pages == 91
    assert score.f >= 0.965, score


def test_marked_segments_are_kept_and_left_out(shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    import gold_text

    rows = gold_text.rows(shared_data / "pages" / "gold_segments_dev.parquet", MADE_ON)
    score = gold_text.segment_score([gold_text.ours(row["html"]) for row in rows], rows)
    assert (score.wanted, score.unwanted) == (666, 667)
    assert score.kept >= 0.95 * score.wanted, score
    assert score.out >= 0.92 * score.unwanted, score
