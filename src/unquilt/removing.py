"""How are pages taken out? Each capture gets a tombstone; nothing that is made afterwards sees it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from unquilt import exporting
from unquilt.corpus.capture import CAPTURE, TOMBSTONE
from unquilt.manifest import Held, Manifest
from unquilt.parquet import TableWriter, batches_of
from unquilt.read.url import normalised
from unquilt.store import Store


@dataclass(frozen=True)
class Removed:
    """How many captures went, and which of the names given were not found."""

    captures: int
    unknown: tuple[str, ...]


def remove(store: Store, urls: tuple[str, ...], hosts: tuple[str, ...]) -> Removed:
    """The caller holds the store's writer lock."""
    manifest = store.read()
    wanted = {normalised(u) or u: u for u in urls}
    servers = {h.lower().rstrip("."): h for h in hosts}
    found: set[str] = set()
    pages = []
    for held in [manifest.tables.get(CAPTURE.name)]:
        for path in store.files(held) if held else []:
            for batch in batches_of(path, CAPTURE.name, ["page", "id", "url", "host"]):
                for page, id_, url, host in zip(*(c.to_pylist() for c in batch.columns), strict=True):
                    names = {id_, url} & wanted.keys() | {host} & servers.keys()
                    if names:
                        pages.append(page)
                        found |= names
    unknown = [given for name, given in (wanted | servers).items() if name not in found]
    before = _tombstones(store, manifest)
    new = sorted(set(pages) - before)
    if new:
        _publish(store, manifest, sorted(before | set(pages)))
    return Removed(len(new), tuple(unknown))


def _tombstones(store: Store, manifest: Manifest) -> set[int]:
    if TOMBSTONE.name not in manifest.tables:
        return set()
    return set(exporting.whole(store, manifest, TOMBSTONE.name)["page"].to_pylist())


def _publish(store: Store, manifest: Manifest, pages: list[int]) -> None:
    with store.workroom("remove") as room:
        (room / TOMBSTONE.name).mkdir()
        writer = TableWriter(room / TOMBSTONE.name / "part-00000.parquet", TOMBSTONE)
        writer.write(TOMBSTONE.batch(page=pages))
        written = writer.close()
        print_ = hashlib.sha256(written.digest.encode()).hexdigest()
        segment = store.place(TOMBSTONE.name, room / TOMBSTONE.name, [written], base=0, fingerprint=print_)
        store.write(manifest.with_tables({TOMBSTONE.name: Held(TOMBSTONE.version, print_, (segment,))}))
