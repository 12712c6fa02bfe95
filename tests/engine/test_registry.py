"""A kind of step or a method without a case in the conformance suite fails here."""

from dataclasses import dataclass

import pytest
from registry import BLOGS, METHOD_CASES, STEP_CASES, missing, step_kinds
from world import ROWS

from unquilt.catalogue import METHODS
from unquilt.step import MapReduce, Query


def test_every_kind_of_step_has_a_case() -> None:
    assert missing(step_kinds(), STEP_CASES) == []


def test_every_method_has_a_case() -> None:
    assert missing(METHODS, METHOD_CASES) == []


def test_every_method_runs_over_the_example() -> None:
    assert {type(method) for method in BLOGS} == set(METHODS)


def test_a_case_is_of_the_kind_it_stands_for() -> None:
    assert all(type(case) is kind for kind, cases in STEP_CASES.items() for case in cases)
    assert all(type(case) is method for method, case in METHOD_CASES.items())


def test_every_table_of_every_method_has_literal_rows() -> None:
    tables = {t.name for method in METHOD_CASES.values() for step in method.steps() for t in step.tables}
    assert tables == set(ROWS)


def test_a_map_with_every_number_of_reduces_in_use_has_a_case() -> None:
    used = {len(s.reduces) for m in METHOD_CASES.values() for s in m.steps() if isinstance(s, MapReduce)}
    assert used <= {len(s.reduces) for s in STEP_CASES[MapReduce] if isinstance(s, MapReduce)}


def test_the_kinds_of_step_are_found() -> None:
    assert step_kinds() >= {Query, MapReduce}


def test_a_kind_or_method_that_was_not_entered_is_missing() -> None:
    @dataclass(frozen=True)
    class Loop:
        pass

    assert missing([*step_kinds(), Loop], STEP_CASES) == ["Loop"]
    assert missing([*METHODS, Loop], METHOD_CASES) == ["Loop"]


@pytest.mark.parametrize("cases", [STEP_CASES, METHOD_CASES], ids=["steps", "methods"])
def test_an_entry_without_a_case_is_missing(cases: dict[type, object]) -> None:
    first = next(iter(cases))
    assert missing(cases, {**cases, first: ()}) == [first.__name__]
