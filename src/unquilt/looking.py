"""What is known of one page? Everything a study holds of it, and where in the input it came from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from unquilt.corpus.capture import CAPTURE, LINK, PAGE_DATE, REVISIT
from unquilt.corpus.current import CURRENT
from unquilt.errors import InputError, UsageError
from unquilt.manifest import InputFile, Manifest
from unquilt.read.again import check_unchanged
from unquilt.read.inputs import STDIN_NAME, URL, Given, brought
from unquilt.read.names import from_printable
from unquilt.read.reader import reader_of
from unquilt.read.url import normalised
from unquilt.reading import Published, batches, picked
from unquilt.resolving import PREFIX
from unquilt.store import Store
from unquilt.table import Table
from unquilt.watch import Watch

if TYPE_CHECKING:
    import pyarrow as pa

BULKY = ("text", "main")


@dataclass(frozen=True)
class Page:
    """One capture of a page. `facts`: columns of `capture`; `main`: spans of the text, None where all of it is main text."""

    facts: dict[str, Any]
    text: str
    main: list[tuple[int, int]] | None
    dates: list[dict[str, Any]]
    links: list[dict[str, Any]]
    captures: int
    """How many there are of this page."""

    @property
    def main_text(self) -> str:
        return self.text if self.main is None else "\n".join(self.text[begin:end] for begin, end in self.main)


def page(published: Published, name: str) -> Page:
    """The page with this id or URL; of several captures the one that methods read, else the newest."""
    numbers = _captures(published, name)
    (row,) = _of_page(published, CAPTURE, numbers[0])
    spans = row["main"]
    main = None if spans is None else list(zip(spans[::2], spans[1::2], strict=True))
    facts = {k: v for k, v in row.items() if k not in BULKY}
    return Page(facts, row["text"], main, _beside(published, PAGE_DATE, numbers[0]), _beside(published, LINK, numbers[0]), len(numbers))


def html(published: Published, name: str, inputs: Path | None, watch: Watch) -> bytes:
    """The bytes the page's text was found in, from its input, which lies in the folder `inputs` now where that is given."""
    origin = _origin(published, _captures(published, name)[0])
    file, offset, length = origin["file"], origin["offset"], origin["length"]
    one = _input_of(published.manifest, origin["page"], file)
    within = file.removeprefix(one.label).removeprefix("/")
    with TemporaryDirectory(prefix="unquilt-") as room:
        path = _path(published.store, one, inputs, Path(room), watch)
        check_unchanged(path, one.name, one.bytes, one.sha256)
        return reader_of(one.reader).fetch(path, within or one.name, offset, length).data


def _path(store: Store, one: InputFile, inputs: Path | None, room: Path, watch: Watch) -> Path:
    """Where the bytes of an input are now."""
    if one.kept is not None:
        return store.inputs / one.kept
    if one.name == STDIN_NAME:
        raise InputError("the page came on stdin, and the study has no copy of that (any more); its HTML cannot be read again")
    if inputs is not None:
        return inputs / from_printable(one.name).name
    if URL.match(one.name):
        return brought(Given(one.name, url=one.name), room, watch)
    return from_printable(one.name)


def _origin(published: Published, number: int) -> dict[str, Any]:
    """The capture whose record has the bytes; of a revisit, which has none of its own, the one that it became a copy of."""
    (own,) = _of_page(published, CAPTURE, number)
    return _original(published, own) if _revisits(published, [own]) else own


def _original(published: Published, own: dict[str, Any]) -> dict[str, Any]:
    """The first capture of the same text that has the same digest or URL, and is no revisit itself."""
    import pyarrow.compute as pc

    digest = (own["digest"] or "").lower()

    def alike(batch: pa.RecordBatch) -> pa.Array:
        return pc.or_kleene(pc.equal(pc.utf8_lower(batch.column("digest")), digest or None), pc.equal(batch.column("url"), own["url"]))

    found = _those(published, CAPTURE, ["page", "digest", "url", "file", "offset", "length"], alike)
    revisits = _revisits(published, found)
    for one in found:
        if (one["file"], one["offset"]) not in revisits and _of_page(published, CAPTURE, one["page"], ["text"])[0]["text"] == own["text"]:
            return one
    raise InputError("the page is a revisit, and the capture it refers to was removed; its HTML cannot be read again")


def _revisits(published: Published, captures: Sequence[dict[str, Any]]) -> set[tuple[str, int]]:
    """Of these captures, the places of those that were made of a revisit."""
    import pyarrow as pa
    import pyarrow.compute as pc

    offsets = pa.array({c["offset"] for c in captures}, pa.int64())
    found = _those(published, REVISIT, ["file", "offset"], lambda batch: pc.is_in(batch.column("offset"), offsets))
    return {(f["file"], f["offset"]) for f in found} & {(c["file"], c["offset"]) for c in captures}


def _input_of(manifest: Manifest, number: int, file: str) -> InputFile:
    """The input a capture came from. Several may have that name; then it is the one that so many captures came before."""
    named = [one for one in manifest.inputs if file == one.label or file.startswith(one.label + "/")]
    if not named:
        raise InputError(f"`{file}` is no input of the study any more, so its HTML cannot be read again")
    read = [s for s in manifest.tables[CAPTURE.name].segments if not s.fingerprint.startswith(PREFIX)]
    before = sum(min(s.rows, max(0, number - s.base)) for s in read)
    ends = accumulate(one.pages for one in manifest.inputs)
    counted = next((one for one, end in zip(manifest.inputs, ends, strict=True) if before < end), named[-1])
    return counted if counted in named else max(named, key=lambda one: len(one.label))


def _captures(published: Published, name: str) -> list[int]:
    """Numbers of the captures of the page, the one to show first."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    folder = published.store.folder
    if not published.has(CAPTURE):
        raise UsageError(f"the study has no pages yet; add some with `unquilt add {folder} FILE`")
    names = pa.array({name, normalised(name) or name}, pa.string())

    def of_that_name(batch: pa.RecordBatch) -> pa.Array:
        return pc.or_(pc.is_in(batch.column("id"), names), pc.is_in(batch.column("url"), names))

    found = {r["page"]: r for r in _those(published, CAPTURE, ["page", "id", "url", "fetched_at"], of_that_name)}
    if not found:
        raise UsageError(f"no page of the study has the id or URL `{name}`; `unquilt show {folder} pages` lists some")
    current = {n for b in picked(published, CURRENT, np.array(sorted(found)), []) for n in b.column("page").to_pylist()}

    def place(number: int) -> tuple[bool, bool, int, int]:
        fetched = found[number]["fetched_at"]
        return number in current, fetched is not None, fetched or 0, number

    return sorted(found, key=place, reverse=True)


def _those(published: Published, table: Table, columns: Sequence[str], which: Callable[[pa.RecordBatch], pa.Array]) -> list[dict[str, Any]]:
    return [row for batch in batches(published.view(table), columns) for row in batch.filter(which(batch)).to_pylist()]


def _of_page(published: Published, table: Table, number: int, columns: Sequence[str] | None = None) -> list[dict[str, Any]]:
    import numpy as np

    found = picked(published, table, np.array([number]), columns or table.names)
    return [row for batch in found for row in batch.to_pylist()]


def _beside(published: Published, table: Table, number: int) -> list[dict[str, Any]]:
    return [{k: v for k, v in row.items() if k not in ("page", "place")} for row in _of_page(published, table, number)]
