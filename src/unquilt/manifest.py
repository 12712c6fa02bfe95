"""What does a study hold? One small JSON file, replaced whole, says it; what it does not name does not exist."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from unquilt.errors import StudyError
from unquilt.parquet import Written

FORMAT = 1
FILE = "manifest.json"


@dataclass(frozen=True)
class Segment:
    """Immutable rows of one table in a folder of their own; `base` is the number of its first row."""

    folder: str
    base: int
    rows: int
    digest: str
    fingerprint: str
    files: tuple[Written, ...]


@dataclass(frozen=True)
class Held:
    """One table as published."""

    version: int
    fingerprint: str
    segments: tuple[Segment, ...]

    @property
    def rows(self) -> int:
        return sum(s.rows for s in self.segments)

    @property
    def decoded(self) -> int:
        return sum(f.decoded for s in self.segments for f in s.files)

    @property
    def group_bytes(self) -> int:
        return max((f.group_bytes for s in self.segments for f in s.files), default=0)

    @property
    def identity(self) -> str:
        """Changes exactly when rows or their numbers do."""
        facts = [[s.base, s.rows, s.digest] for s in self.segments]
        return hashlib.sha256(json.dumps([self.version, facts]).encode()).hexdigest()


@dataclass(frozen=True)
class InputFile:
    """One file that was added, and how far reading it has come (`done` of `bytes`)."""

    name: str
    bytes: int
    sha256: str
    reader: Mapping[str, Any]
    snapshot: str | None
    pages: int = 0
    skipped: int = 0
    reasons: Mapping[str, int] = field(default_factory=dict)
    """Of the records that were skipped."""
    others: Mapping[str, int] = field(default_factory=dict)
    """Responses that hold no page, by reason."""
    html: int = 0
    """Of the pages, those whose text was found in HTML."""
    lost: int = 0
    """Of its files, those that were cut off or are damaged, so that nobody knows how many records they had."""
    label: str = ""
    """What `file` of its captures says: the name, and a part of the digest where another input has the same name."""
    kept: str | None = None
    """Where the study has a copy, of an input that could be read only once (stdin)."""
    done: int = 0
    complete: bool = False

    def same_as(self, other: InputFile) -> bool:
        def key(f: InputFile) -> tuple[Any, ...]:
            return (f.name, f.sha256, dict(f.reader), f.snapshot)

        return key(self) == key(other)


@dataclass(frozen=True)
class Run:
    """A method that was run: its name, its parameters and the tables it ends in."""

    method: str
    params: Mapping[str, Any]


@dataclass(frozen=True)
class Manifest:
    format: int = FORMAT
    made_by: str = ""
    words_version: int = 0
    generation: int = 0
    inputs: tuple[InputFile, ...] = ()
    tables: Mapping[str, Held] = field(default_factory=dict)
    runs: tuple[Run, ...] = ()

    def with_tables(self, tables: Mapping[str, Held]) -> Manifest:
        return replace(self, tables={**self.tables, **tables})

    def with_input(self, file: InputFile) -> Manifest:
        others = tuple(f for f in self.inputs if not f.same_as(file))
        return replace(self, inputs=(*others, file))

    def with_run(self, run: Run) -> Manifest:
        others = tuple(r for r in self.runs if r.method != run.method)
        return replace(self, runs=(*others, run))

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def from_json(text: str, where: str) -> Manifest:
    try:
        raw = json.loads(text)
        newer = raw["format"] > FORMAT
        if newer:
            raise StudyError(
                f"{where} was written by unquilt {raw['made_by']} in format {raw['format']}, this one reads up to {FORMAT}; "
                "install that version or newer (pip install -U unquilt)"
            )
        return _read(raw)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise StudyError(
            f"{where} has a manifest that cannot be read ({type(error).__name__}: {error}); "
            f"put {FILE} back from a copy, or make the study anew"
        ) from error


def _read(raw: dict[str, Any]) -> Manifest:
    tables = {
        name: Held(
            t["version"],
            t["fingerprint"],
            tuple(Segment(**{**s, "files": tuple(Written(**f) for f in s["files"])}) for s in t["segments"]),
        )
        for name, t in raw["tables"].items()
    }
    inputs = tuple(InputFile(**{"label": f["name"], **f}) for f in raw["inputs"])
    runs = tuple(Run(**r) for r in raw["runs"])
    return Manifest(**{**raw, "tables": tables, "inputs": inputs, "runs": runs})
