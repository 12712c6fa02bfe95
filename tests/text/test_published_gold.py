"""Pages whose date people have looked up: are as many right as were when the rules were made?

Only the half that rules are made on; `bench/gold_dates.py` has the other, and htmldate beside.
"""

from pathlib import Path

import pytest

pytestmark = pytest.mark.data

BENCH = Path(__file__).resolve().parents[2] / "bench"
MADE_ON = 0


def test_nine_of_ten_days_are_right(shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    import gold_dates

    score = gold_dates.scored("unquilt", gold_dates.ours, gold_dates.pages(shared_data / gold_dates.GOLD, MADE_ON))
    assert score.pages == 250
    assert score.right >= 0.92 * score.pages, score.places
    assert score.right >= 0.955 * score.answered, score.places
