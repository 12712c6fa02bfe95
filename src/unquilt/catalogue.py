"""Which methods and tables are there? Two lists; a method that is not in the first does not exist for any face."""

from __future__ import annotations

from unquilt.copies import Copies
from unquilt.corpus.capture import SOURCES
from unquilt.corpus.current import CURRENT, HOST
from unquilt.corpus.fingerprint import FINGERPRINT
from unquilt.errors import UsageError
from unquilt.method import Method
from unquilt.overlaps import Overlaps
from unquilt.table import Table, by_name

METHODS: tuple[type[Method], ...] = (Copies, Overlaps)
"""In the order in which `scan` runs them."""

TABLES: dict[str, Table] = by_name(
    [*SOURCES, HOST, CURRENT, FINGERPRINT, *(t for m in METHODS for s in m().steps() for t in s.tables)]
)


def method_named(name: str) -> type[Method]:
    for method in METHODS:
        if method.name == name:
            return method
    raise UsageError(f"there is no method `{name}`; the methods are: {', '.join(m.name for m in METHODS)}")
