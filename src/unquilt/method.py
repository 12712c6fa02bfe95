"""What is a method? A frozen dataclass of parameters that yields steps.

The fields are the only place where a parameter is declared: command line options, documentation, `--params`
files and fingerprints all come from them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from unquilt import nearest
from unquilt.errors import UsageError
from unquilt.step import Step
from unquilt.table import Table

NOUNS = {int: "whole number", float: "number", str: "word", bool: "true or false"}


@dataclass(frozen=True)
class Limits:
    help: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] | None = None
    alias: tuple[str, ...] = ()


def param(
    default: Any,
    help: str,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] | None = None,
    alias: tuple[str, ...] = (),
) -> Any:
    """A field of a method: its default, what it means, and what it may be."""
    return field(default=default, metadata={"limits": Limits(help, low, high, choices, alias)})


@dataclass(frozen=True)
class Parameter:
    name: str
    type: type
    default: Any
    limits: Limits


@dataclass(frozen=True)
class Method:
    """Base of all methods. `name` is what a user types, `result` the table that answers."""

    name: ClassVar[str]
    result: ClassVar[Table]
    tables: ClassVar[tuple[Table, ...]]
    """All tables a user may want to look at."""

    def steps(self) -> Sequence[Step]:
        """Every step this method stands on, those of the corpus included, in an order in which they can run."""
        raise NotImplementedError

    def __post_init__(self) -> None:
        for p in self.parameters():
            check(p, getattr(self, p.name))

    @classmethod
    def parameters(cls) -> list[Parameter]:
        types = {"int": int, "float": float, "str": str, "bool": bool}
        named = {f: f.type if isinstance(f.type, str) else f.type.__name__ for f in dataclasses.fields(cls)}
        return [Parameter(f.name, types[name], f.default, f.metadata["limits"]) for f, name in named.items()]

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Method:
        unknown = sorted(set(values) - {p.name for p in cls.parameters()})
        if unknown:
            raise UsageError(nearest.unknown(f"parameter of {cls.name}", unknown[0], [p.name for p in cls.parameters()]))
        return cls(**values)

    def params(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


def check(p: Parameter, value: Any) -> None:
    """Of the declared type, one of the choices, within the range."""
    limits = p.limits
    if type(value) is not p.type and not (p.type is float and type(value) is int):
        raise UsageError(f"{p.name}={value!r} is no {NOUNS[p.type]}; give one ({p.name}: {limits.help})")
    if limits.choices is not None and value not in limits.choices:
        raise UsageError(f"{p.name}={value!r} is none of its choices; give one of {', '.join(limits.choices)}")
    if not _inside(value, limits.low, limits.high):
        raise UsageError(f"{p.name}={value!r} is out of range; give {_range(limits)}")


def _inside(value: Any, low: float | None, high: float | None) -> bool:
    """NaN is nowhere inside."""
    return value == value and (low is None or value >= low) and (high is None or value <= high)


def _range(limits: Limits) -> str:
    if limits.low is None or limits.high is None:
        return f"at least {limits.low}" if limits.high is None else f"at most {limits.high}"
    return f"{limits.low} to {limits.high}"
