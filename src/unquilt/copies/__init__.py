"""Exact copies: pages of the same words, whatever their markup, punctuation and capitals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from unquilt.corpus import copy
from unquilt.method import Method
from unquilt.step import Step
from unquilt.table import Table


@dataclass(frozen=True)
class Copies(Method):
    """Pages with the same words in the same order, after folding. No parameters: same is same."""

    name: ClassVar[str] = "copies"
    result: ClassVar[Table] = copy.COPY
    tables: ClassVar[tuple[Table, ...]] = (copy.COPY,)

    def steps(self) -> Sequence[Step]:
        return copy.steps()
