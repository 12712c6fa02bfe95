"""What was read: every capture of every page, what could not be read, and what was taken down."""

from __future__ import annotations

import hashlib

from unquilt.table import Column, Table

CAPTURE = Table(
    name="capture",
    version=1,
    key=("page",),
    sentence="Each row is one capture of one page, as it was read.",
    columns=(
        Column("page", "int64", "number of the capture in this study; given once, never to another"),
        Column("id", "string", "given id, else the normalised URL, else file#record"),
        Column("url", "string", "normalised URL", nullable=True),
        Column("host", "string", "host of the URL, lower case", nullable=True),
        Column("same", "int64", "hash of the URL, of the id where there is none: captures of one page have the same"),
        Column("fetched_at", "int64", "when it was fetched, microseconds since 1970, UTC", nullable=True),
        Column("published_at", "int64", "when it says it was published, microseconds since 1970, UTC", nullable=True),
        Column("language", "string", "language, as declared by the input", nullable=True),
        Column("title", "string", "title", nullable=True),
        Column("text", "string", "the text a person can see; empty where the input has none"),
        Column("snapshot", "string", "name of the crawl it came with (--snapshot)", nullable=True),
        Column("file", "string", "name of the file it was read from"),
        Column("offset", "int64", "where its record begins in the (uncompressed) file, bytes; for Parquet the row"),
        Column("length", "int64", "length of its record, bytes; for Parquet 1"),
    ),
)

SKIPPED = Table(
    name="skipped",
    version=1,
    key=("entry",),
    sentence="Each row is one thing that could not be read, and why.",
    columns=(
        Column("entry", "int64", "number of the entry in this study"),
        Column("what", "string", "`record` where the whole record was left out, else the field that was"),
        Column("file", "string", "name of the file"),
        Column("offset", "int64", "where the record begins in the (uncompressed) file, bytes; for Parquet the row"),
        Column("url", "string", "URL, where it is known", nullable=True),
        Column("reason", "string", "why, one of few"),
        Column("detail", "string", "what was found there", nullable=True),
    ),
)

TOMBSTONE = Table(
    name="tombstone",
    version=1,
    key=("page",),
    sentence="Each row is one capture that was removed (`unquilt remove`).",
    columns=(Column("page", "int64", "number of the capture"),),
)

SOURCES = (CAPTURE, SKIPPED, TOMBSTONE)


def same_key(url: str | None, id_: str) -> int:
    """64 bits of what tells pages apart. Different pages may share it: whoever uses it compares URLs as well."""
    what = f"url {url}" if url is not None else f"id {id_}"
    return int.from_bytes(hashlib.blake2b(what.encode(), digest_size=8).digest(), "little", signed=True)
