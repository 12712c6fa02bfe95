"""What is a step? One statement of SQL, or one map with reduces; both make tables out of tables.

A step knows nothing of the engine that runs it. What a kernel of a step may see is here as well:
the batch it maps, the part it reduces, and what both may yield (blocks and rows).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from unquilt.table import Table

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

Parameters = Mapping[str, Any]


@dataclass(frozen=True)
class Block:
    """What is exchanged: bytes for one part. Parts are ranges of a key, so that parts in order are rows in order."""

    part: int
    data: NDArray[Any]


@dataclass(frozen=True)
class Rows:
    """Rows of one of the step's tables, in key order within the batch and after those yielded before."""

    table: str
    batch: pa.RecordBatch


@dataclass(frozen=True)
class Around:
    """What a kernel sees beside its batch or part."""

    params: Parameters
    beside: Mapping[str, Mapping[str, NDArray[Any]]]
    bits: int
    """The next exchange has 2**bits parts."""


@dataclass(frozen=True)
class Part:
    """All blocks of one part, in the order of the batches they come from."""

    number: int
    bits: int
    blocks: list[NDArray[Any]]


Yielded = Block | Rows


@dataclass(frozen=True)
class Map:
    """`spill`: bytes of blocks per decoded byte of input, as usual; it sizes the exchange, not the result."""

    name: str
    version: int
    call: Callable[[pa.RecordBatch, Around], Iterable[Yielded]]
    spill: float = 0.0


@dataclass(frozen=True)
class Reduce:
    """`memory`: bytes needed per byte of the part's blocks; `spill`: bytes of blocks it yields per byte of blocks."""

    name: str
    version: int
    call: Callable[[Part, Around], Iterable[Yielded]]
    memory: float = 4.0
    spill: float = 0.0


@dataclass(frozen=True)
class Query:
    """One table by one SQL statement, in the dialect both engines share; it ends with ORDER BY the key."""

    table: Table
    sql: str
    inputs: tuple[Table, ...]
    params: Parameters = field(default_factory=dict)

    @property
    def tables(self) -> tuple[Table, ...]:
        return (self.table,)

    @property
    def reads(self) -> tuple[Table, ...]:
        return self.inputs

    @property
    def name(self) -> str:
        return self.table.name

    def recipe(self) -> dict[str, Any]:
        return {"kind": "query", "sql": " ".join(self.sql.split()), "params": dict(self.params)}


@dataclass(frozen=True)
class MapReduce:
    """Tables by kernels: `map` over the batches of `input`, then each reduce over the parts of an exchange.

    Without reduces it is a plain map: one segment of output for each segment of input, made once.
    `beside` names columns of small tables that every kernel sees whole, as arrays.
    """

    tables: tuple[Table, ...]
    input: Table
    columns: tuple[str, ...]
    map: Map
    reduces: tuple[Reduce, ...] = ()
    beside: tuple[tuple[Table, tuple[str, ...]], ...] = ()
    params: Parameters = field(default_factory=dict)

    @property
    def reads(self) -> tuple[Table, ...]:
        return (self.input, *(t for t, _ in self.beside))

    @property
    def name(self) -> str:
        return self.tables[0].name

    @property
    def plain(self) -> bool:
        return not self.reduces

    def recipe(self) -> dict[str, Any]:
        kernels = [[self.map.name, self.map.version], *([r.name, r.version] for r in self.reduces)]
        beside = [[t.name, list(columns)] for t, columns in self.beside]
        return {
            "kind": "map",
            "columns": list(self.columns),
            "kernels": kernels,
            "beside": beside,
            "params": dict(self.params),
        }


Step = Query | MapReduce


def fingerprint(step: Step, inputs: Mapping[str, str]) -> str:
    """Says what a step will make: equal fingerprints, equal tables. `inputs`: the identity of each table it reads."""
    whole = {
        "step": step.recipe(),
        "tables": [[t.name, t.version, [[c.name, c.type] for c in t.columns]] for t in step.tables],
        "inputs": dict(sorted(inputs.items())),
    }
    return hashlib.sha256(json.dumps(whole, sort_keys=True, ensure_ascii=True).encode()).hexdigest()
