"""Which methods and tables are there? Two lists; a method that is not in the first does not exist for any face."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unquilt.copies import Copies
from unquilt.corpus.capture import SOURCES
from unquilt.corpus.current import CURRENT, HOST
from unquilt.corpus.fingerprint import FINGERPRINT
from unquilt.errors import UsageError
from unquilt.method import Method
from unquilt.nearest import unknown
from unquilt.overlaps import Overlaps
from unquilt.suspects import Suspects
from unquilt.table import Table, by_name

METHODS: tuple[type[Method], ...] = (Copies, Overlaps, Suspects)
"""In the order in which `scan` runs them."""

TABLES: dict[str, Table] = by_name([*SOURCES, HOST, CURRENT, FINGERPRINT, *(t for m in METHODS for s in m().steps() for t in s.tables)])


def method_named(name: str) -> type[Method]:
    for method in METHODS:
        if method.name == name:
            return method
    raise UsageError(unknown("method", name, [m.name for m in METHODS]))


def methods_with(params: Mapping[str, Any]) -> list[Method]:
    """Every method, with parameters from `{"k": 4}` (for each method that has it) or `{"overlaps": {"k": 4}}`."""
    if params and all(isinstance(v, Mapping) for v in params.values()):
        named = {method_named(name): values for name, values in params.items()}
        return [m.of(named.get(m, {})) for m in METHODS]
    known = {p.name for m in METHODS for p in m.parameters()}
    for name in params:
        if name not in known:
            raise UsageError(unknown("parameter", name, sorted(known)))
    return [m.of({p.name: params[p.name] for p in m.parameters() if p.name in params}) for m in METHODS]
