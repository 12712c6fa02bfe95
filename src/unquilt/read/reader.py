"""Which reader reads an input? Decided by its name, by its first bytes where that says nothing.

A reader says what it needs to be called the same again; that is part of what an input is known by.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from unquilt.errors import InputError, UsageError
from unquilt.read.names import ARCHIVE_PACKINGS, ARCHIVES, PACKINGS, parts
from unquilt.read.options import Options
from unquilt.read.record import Fields, Found, Limits

if TYPE_CHECKING:
    from unquilt.read.again import Again

PACKED = (".gz", ".bz2", ".zst")


@dataclass(frozen=True)
class Kind:
    """A kind of input: names of its files end in one of `endings` and may have one of `packings` behind it.

    `module` has a function `read(path, start, fields, limits, **takes)`; `takes` are names of `Options`. With `fields`, the
    names of fields matter. `in_bytes`: places are bytes of the (unpacked) file, so that they say how far reading has come.
    """

    name: str
    module: str
    endings: tuple[str, ...] = ()
    packings: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    fields: bool = False
    in_bytes: bool = False
    version: int = 1


KINDS = {
    kind.name: kind
    for kind in (
        Kind("jsonl", "jsonl", (".jsonl", ".ndjson"), PACKED, fields=True, in_bytes=True, version=2),
        Kind("csv", "csv_file", (".csv", ".tsv"), PACKED, fields=True, in_bytes=True),
        Kind("parquet", "table_file", (".parquet",), fields=True, version=2),
        Kind("warc", "archive", ARCHIVES, ARCHIVE_PACKINGS, in_bytes=True),
        Kind("wacz", "wacz", (".wacz",)),
        Kind("cdx", "cdx", (".cdx", ".cdxj"), PACKED, takes=("warc_root",), in_bytes=True),
        Kind("mediawiki", "mediawiki", (".xml",), PACKED, takes=("revisions",)),
        Kind("html", "folder", (".html", ".htm", ".shtml", ".xhtml", ".txt"), PACKED, takes=("base_url",)),
        Kind("folder", "folder", takes=("base_url",)),
        Kind("document", "document"),
    )
}
ENDINGS = [ending for kind in KINDS.values() for ending in kind.endings]


@dataclass(frozen=True)
class Reader:
    """`read(path, start)` yields what is found from `start` on, where `start` is 0 or the end of an earlier `Found`."""

    kind: str
    fields: Fields = field(default_factory=Fields)
    options: Options = field(default_factory=Options)

    def read(self, path: Path, start: int, limits: Limits | None = None) -> Iterator[Found]:
        module = import_module(f"unquilt.read.{self._kind.module}")
        return cast("Iterator[Found]", module.read(path, start, self.fields, limits or Limits(), **self._taken()))

    def fetch(self, path: Path, file: str, offset: int, length: int) -> Again:
        """The archived bytes of a page again, by what its capture says of its origin."""
        from unquilt.read.again import Origin, again

        return again(self, path, Origin(file, offset, length))

    def recipe(self) -> dict[str, Any]:
        """Only what makes a difference for this kind."""
        fields = asdict(self.fields) if self._kind.fields else {}
        return {"kind": self.kind, "version": self._kind.version, "fields": fields, **self._taken()}

    def extent(self, path: Path, size: int) -> tuple[int, str]:
        """(where the last place ends, its unit) for a file of `size` bytes; 0 where nobody knows, as of what a stream unpacks to."""
        if self.kind == "parquet":
            from unquilt.read import table_file

            return table_file.rows(path), "rows"
        if self.kind == "warc":
            from unquilt.read import archive

            return (size, "bytes") if archive.places_in_file(path) else (0, "pages")
        return (size, "bytes") if self._kind.in_bytes and path.stat().st_size and not _is_packed(path) else (0, "pages")

    @property
    def _kind(self) -> Kind:
        return KINDS[self.kind]

    def _taken(self) -> dict[str, Any]:
        return {name: getattr(self.options, name) for name in self._kind.takes}


def reader_of(recipe: Mapping[str, Any]) -> Reader:
    """The reader that said so of itself."""
    kind = KINDS[recipe["kind"]]
    return Reader(kind.name, Fields(**recipe["fields"]), Options(**{name: recipe[name] for name in kind.takes if name in recipe}))


def reader_for(path: Path, fields: Fields | None = None, options: Options | None = None) -> Reader:
    """The reader of a file or folder that is there; whatever can be said against it is said now."""
    options = options or Options()
    options.check()
    _check_access(path)
    kind = "folder" if path.is_dir() else kind_named(path.name, str(path)) or _kind_within(path)
    return Reader(kind, fields or Fields(), options)


def kind_named(name: str, shown: str | None = None) -> str | None:
    """The kind of input its name tells; None where it tells nothing."""
    from unquilt.read.document import GIVEN

    plain, packing = parts(name)
    kind = next((kind for kind in KINDS.values() if plain.endswith(kind.endings or ("\0",))), None)
    if kind is None:
        return "document" if name.lower().endswith(GIVEN) else None
    if packing not in ("", *kind.packings):
        how = f"compressed with one of {', '.join(kind.packings)}" if kind.packings else "not compressed"
        raise UsageError(f"`{shown or name}` is compressed with {packing}, which is not read; unpack it, or give it {how}")
    return kind.name


def _kind_within(path: Path) -> str:
    from unquilt.read import sniff

    head = sniff.head_of(path)
    kind = sniff.kind_in(head)
    if kind is not None:
        return kind
    packing = sniff.packing_in(head)
    if packing:
        raise UsageError(f"`{path}` is compressed with {packing}, which is not read; unpack it")
    raise UsageError(f"`{path}` is of no kind that is read; give a folder or a file that ends in one of {', '.join(ENDINGS)}")


def _is_packed(path: Path) -> bool:
    from unquilt.read.compressed import is_packed

    return is_packed(path)


def _check_access(path: Path) -> None:
    if not os.access(path, os.R_OK | (os.X_OK if path.is_dir() else 0)):
        why = "its permissions forbid it" if path.exists() else "there is no such file"
        raise InputError(f"`{path}` cannot be read ({why}); check the name and its permissions")


__all__ = ["KINDS", "PACKINGS", "Kind", "Reader", "kind_named", "reader_for", "reader_of"]
