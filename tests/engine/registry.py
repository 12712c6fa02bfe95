"""Which kinds of step and which methods does the suite run? A new one must be entered here, or the suite fails."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from toys import BY_COLOR, DEEP, ECHOED, TINTED, TRAILED, ladder, totals
from world import K, M

from unquilt.copies import Copies
from unquilt.method import Method
from unquilt.overlaps import Overlaps
from unquilt.step import MapReduce, Query, Step
from unquilt.suspects import Suspects

STEP_CASES: Mapping[type, tuple[Step, ...]] = {
    Query: (BY_COLOR, TINTED),
    MapReduce: (ECHOED, DEEP, TRAILED, totals(5), ladder(5, most=24)),
}
"""For every kind of step the cases that stand for it."""

METHOD_CASES: Mapping[type[Method], Method] = {
    Copies: Copies(),
    Overlaps: Overlaps(k=K, m=M),
    Suspects: Suspects(pages=2, words=20),
}
"""For every method the parameters with which the world's rows were written down."""

BLOGS: tuple[Method, ...] = (Copies(), Overlaps(), Suspects())
"""What is run over the example."""


def step_kinds() -> set[type]:
    """Members of the union `Step`, or its subclasses where it is a class."""
    return set(get_args(Step)) or _leaves(Step)


def _leaves(kind: Any) -> set[type]:
    below = kind.__subclasses__()
    return {leaf for one in below for leaf in _leaves(one)} if below else {kind}


def missing(there: Iterable[Any], cases: Mapping[Any, Any]) -> list[str]:
    """Names of what is there and has no case."""
    return sorted(one.__name__ for one in there if not cases.get(one))
