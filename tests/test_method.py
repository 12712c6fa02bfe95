"""A method's dataclass is the only place where its parameters are declared: options, files and fingerprints follow from it."""

import dataclasses
import json
from typing import Any, ClassVar

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unquilt.catalogue import METHODS, TABLES, method_named, methods_with
from unquilt.cli.options import method_from, options_of
from unquilt.errors import UsageError
from unquilt.method import Method, Parameter, param
from unquilt.step import Step, fingerprint
from unquilt.suspects import Suspects

METHOD_AND_PARAMETER = [(m, p) for m in METHODS for p in m.parameters()]
IDS = [f"{m.name} {p.name}" for m, p in METHOD_AND_PARAMETER]


def another(p: Parameter) -> Any:
    """A value that is allowed and is not the default."""
    if p.limits.choices:
        return next(c for c in p.limits.choices if c != p.default)
    if p.type is bool:
        return not p.default
    if p.type is str:
        return p.default + "x"
    return p.type(p.default + 1 if p.limits.high is None or p.default + 1 <= p.limits.high else p.default - 1)


def values_of(method: type[Method]) -> st.SearchStrategy[dict[str, Any]]:
    """Parameters that are allowed, some of them."""

    def of(p: Parameter) -> st.SearchStrategy[Any]:
        low, high = p.limits.low, p.limits.high
        if p.limits.choices:
            return st.sampled_from(p.limits.choices)
        kinds = {int: lambda: st.integers(low, high), float: lambda: st.floats(low, high, allow_nan=False), bool: st.booleans, str: st.text}
        return kinds[p.type]()

    return st.fixed_dictionaries({}, optional={p.name: of(p) for p in method.parameters()})


def prints(method: Method) -> list[str]:
    """Fingerprints of its steps on input that does not change, each step's output known by what it was made from."""
    identities: dict[str, str] = {}
    found = []
    steps: list[Step] = list(method.steps())
    for step in steps:
        one = fingerprint(step, {t.name: identities.get(t.name, t.name) for t in step.reads})
        identities.update({t.name: one for t in step.tables})
        found.append(one)
    return found


@pytest.mark.parametrize(("method", "p"), METHOD_AND_PARAMETER, ids=IDS)
def test_another_parameter_is_another_fingerprint(method, p):
    assert prints(method()) == prints(method())
    assert prints(method(**{p.name: another(p)})) != prints(method())


@pytest.mark.parametrize(("method", "p"), METHOD_AND_PARAMETER, ids=IDS)
def test_every_parameter_is_an_option_with_its_meaning_and_default(method, p):
    option = next(o for o in options_of(method) if o.name == p.name)
    assert {f"--{n}" for n in (p.name.replace("_", "-"), *p.limits.alias)} == set(option.opts)
    assert p.limits.help[1:] in option.help
    assert f"[default: {p.default}]" in option.help


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_options_and_a_file_of_parameters_say_the_same(method, tmp_path_factory):
    @given(values_of(method))
    def same(values):
        file = tmp_path_factory.getbasetemp() / f"{method.name}.json"
        file.write_text(json.dumps(values))
        words = [w for k, v in values.items() for w in (f"--{k.replace('_', '-')}", str(v))]
        command = click.Command(method.name, params=[*options_of(method)])
        with command.make_context(method.name, words) as typed, command.make_context(method.name, ["--params", str(file)]) as filed:
            assert method_from(method, typed.params) == method_from(method, filed.params) == method(**values)
        assert method.of(method(**values).params()) == method(**values)

    same()


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_a_method_shows_tables_its_steps_make(method):
    made = {t.name for s in method().steps() for t in s.tables}
    assert {t.name for t in method.tables} <= made
    assert method.result in method.tables
    assert method_named(method.name) is method
    assert method.__doc__


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda t: t.name)
def test_the_order_of_a_table_names_its_columns(table):
    import duckdb

    columns = ", ".join(f'CAST(NULL AS {"VARCHAR" if c.type == "string" else "BIGINT"}) AS "{c.name}"' for c in table.columns)
    order = ", ".join([*table.order, *(f'"{k}"' for k in table.key)])
    assert duckdb.sql(f"SELECT * FROM (SELECT {columns}) ORDER BY {order}").fetchall()


@dataclasses.dataclass(frozen=True)
class Toy(Method):
    n: int = param(1, "a number", low=1, high=9)
    f: float = param(0.5, "a share", low=0, high=1)
    c: str = param("x", "a choice", choices=("x", "y"))
    b: bool = param(False, "a switch")
    least: int = param(3, "at least", low=2)

    name: ClassVar[str] = "toy"


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"n": 0}, "n=0 is out of range; give 1 to 9"),
        ({"n": 10}, "n=10 is out of range; give 1 to 9"),
        ({"n": 1.0}, "n=1.0 is no whole number; give one (n: a number)"),
        ({"n": True}, "n=True is no whole number; give one (n: a number)"),
        ({"n": None}, "n=None is no whole number; give one (n: a number)"),
        ({"f": 1.1}, "f=1.1 is out of range; give 0 to 1"),
        ({"f": float("nan")}, "f=nan is out of range; give 0 to 1"),
        ({"c": "z"}, "c='z' is none of its choices; give one of x, y"),
        ({"b": 1}, "b=1 is no true or false; give one (b: a switch)"),
        ({"least": 1}, "least=1 is out of range; give at least 2"),
        ({"m": 1}, "there is no parameter of toy `m`; there are: n, f, c, b, least"),
        ({"leest": 1}, "there is no parameter of toy `leest`; did you mean `least`? there are: n, f, c, b, least"),
    ],
    ids=str,
)
def test_a_parameter_that_may_not_be_is_one_sentence(values, sentence):
    with pytest.raises(UsageError) as raised:
        Toy.of(values)
    assert str(raised.value) == sentence


def test_a_whole_number_is_a_number():
    assert Toy(f=1).f == 1


def test_parameters_for_all_methods_go_to_those_that_have_them():
    assert [m.params() for m in methods_with({"k": 4})] == [{}, {"k": 4, "m": 50}, Suspects().params()]
    assert methods_with({"overlaps": {"k": 4}}) == methods_with({"k": 4})
    assert methods_with({}) == [m() for m in METHODS]
    for wrong in ({"kk": 4}, {"overlap": {"k": 4}}, {"overlaps": {"kk": 4}}, {"copies": {"k": 4}}):
        with pytest.raises(UsageError):
            methods_with(wrong)
