"""Which of the dates that a page gives of itself counts?

The surest place, unless others say another day with more weight together. A page gives its date in its address, in its head, and where
readers see it; for a day each of the three speaks once, with the weight of its surest place. What programs put into the head comes from
one field, so a day does not grow surer by standing there three times.
"""

from __future__ import annotations

from collections.abc import Sequence

from unquilt.text.date_clue import WEAK, Clue, Rank
from unquilt.text.date_zone import days_somewhere

_SHOWN = ("text", "time", WEAK)
# A surer place never weighs less. Far from the heading dates speak only where nothing else does.
_WEIGHTS = {
    Rank.URL: 8,
    Rank.META: 6,
    Rank.ELEMENT: 5,
    Rank.NAMED: 5,
    Rank.LABELLED: 5,
    Rank.JSON_LD: 4,
    Rank.MICRODATA: 4,
    Rank.PLAIN_META: 3,
    Rank.URL_REVERSED: 3,
    Rank.NEAR: 2,
    Rank.WEAK: 2,
    Rank.IMAGE: 2,
}
_FARTHER, _WEIGHT_FARTHER = 300, 3
_ADDRESS, _HEAD, _SEEN = range(3)


def choice(clues: Sequence[Clue]) -> Clue | None:
    """The clue that counts. Of days with one weight that of the surest clue, of clues for one day the surest."""
    best = _surest(clues)
    if best is None or best.modified or best.rank not in _WEIGHTS:
        return best
    weights = _weights(clues)
    most = max(weights.values(), default=0)
    if weights.get(best.written.day, 0) < most:
        heavy = [clue for clue in clues if not clue.modified and weights.get(clue.written.day, 0) == most]
        best = min(heavy, key=_sureness)
    return next((other for other in clues if _same_but_local(other, best)), best) if best.written.offset == 0 else best


def _surest(clues: Sequence[Clue]) -> Clue | None:
    shown = [clue for clue in clues if not clue.modified or clue.source in _SHOWN]
    if not shown:
        return None
    best = min(shown, key=_sureness)
    days = {clue.written.day for clue in shown if (clue.modified, clue.rank) == (best.modified, best.rank)}
    return None if best.rank > Rank.WEAK and len(days) > 1 else best


def _sureness(clue: Clue) -> tuple[bool, Rank, int]:
    return clue.modified, clue.rank, clue.distance


def _weights(clues: Sequence[Clue]) -> dict[str, int]:
    """How much is said for each day that any place gives. A moment in UTC speaks for each of the days that it is on earth."""
    said = [clue for clue in clues if not clue.modified and clue.rank in _WEIGHTS]
    days = {clue.written.day for clue in said}
    heaviest: dict[tuple[str, int], int] = {}
    for clue in said:
        for day in days & days_somewhere(clue.written.at) if clue.written.offset == 0 else (clue.written.day,):
            heaviest[day, _group(clue)] = max(heaviest.get((day, _group(clue)), 0), _weight(clue))
    weights = dict.fromkeys(days, 0)
    for (day, _), weight in heaviest.items():
        weights[day] += weight
    return weights


def _weight(clue: Clue) -> int:
    weight = _WEIGHTS[clue.rank]
    return min(weight, _WEIGHT_FARTHER) if clue.distance > _FARTHER else weight


def _group(clue: Clue) -> int:
    if clue.rank in (Rank.URL, Rank.URL_REVERSED, Rank.IMAGE):
        return _ADDRESS
    return _HEAD if clue.source in ("meta", "open graph", "json-ld") else _SEEN


def _same_but_local(clue: Clue, best: Clue) -> bool:
    if clue.modified != best.modified or clue.written.day == best.written.day:
        return False
    if clue.written.offset:
        return clue.written.at == best.written.at
    return clue.source == "text" and clue.rank <= Rank.NEAR and clue.written.day in days_somewhere(best.written.at)
