"""What was read: every capture of every page, what could not be read, and what was taken down."""

from __future__ import annotations

import hashlib

from unquilt.table import Column, Table

CAPTURE = Table(
    name="capture",
    version=2,
    key=("page",),
    sentence="Each row is one capture of one page, as it was read.",
    columns=(
        Column("page", "int64", "number of the capture in this study; given once, never to another"),
        Column("id", "string", "given id, else the normalised URL, else file#record"),
        Column("url", "string", "normalised URL", nullable=True),
        Column("host", "string", "host of the URL, lower case", nullable=True),
        Column("domain", "string", "registrable domain of the host; an IP address is its own", nullable=True),
        Column("site", "string", "the same where providers of sites count as suffixes too: a.github.io, not github.io", nullable=True),
        Column("apart", "bool", "its given id tells it from other captures of its URL (--same-url keep)"),
        Column("same", "int64", "hash of the URL, and of the id where that counts: captures of one page have the same"),
        Column("ip", "string", "address it was fetched from, as the archive has it", nullable=True),
        Column("status", "int32", "status of the HTTP response", nullable=True),
        Column("fetched_at", "int64", "when it was fetched, microseconds since 1970, UTC", nullable=True),
        Column("last_modified", "int64", "Last-Modified of the response, microseconds since 1970, UTC", nullable=True),
        Column("published_at", "int64", "when it says it was published, microseconds since 1970, UTC", nullable=True),
        Column("published_by", "string", "what says so: the input, or a place in the page (see `page_date`)", nullable=True),
        Column("language", "string", "language, as declared by the input or the page", nullable=True),
        Column("detected_language", "string", "language of the text, as found by looking at it", nullable=True),
        Column("title", "string", "title", nullable=True),
        Column("description", "string", "description the page gives of itself", nullable=True),
        Column("canonical", "string", "normalised URL the page names as its own (rel=canonical)", nullable=True),
        Column("robots", "string", "what it asks of robots, in meta elements and headers: noindex, nofollow ...", nullable=True),
        Column("content_type", "string", "media type as declared", nullable=True),
        Column("charset", "string", "charset it was decoded from", nullable=True),
        Column("replaced", "int64", "U+FFFD that decoding had to put in place of bytes"),
        Column("html_chars", "int64", "code points of its HTML; null for given text", nullable=True),
        Column("text_chars", "int64", "code points of its text"),
        Column("anchor_chars", "int64", "of these, those within links; null for given text", nullable=True),
        Column("words", "int64", "words of its text"),
        Column("anchor_words", "int64", "words of its links; null for given text", nullable=True),
        Column("text", "string", "the text a person can see; empty where the input has none"),
        Column(
            "main", "list<int64>", "begin, end, begin, end ... of its main content in the text, code points; null: all of it", nullable=True
        ),
        Column("snapshot", "string", "name of the crawl it came with (--snapshot)", nullable=True),
        Column("digest", "string", "digest of the payload, as the archive has it", nullable=True),
        Column("truncated", "string", "what is missing of it, and why", nullable=True),
        Column("file", "string", "name of the file it was read from; with a part of its digest where another input has that name"),
        Column("offset", "int64", "where its record begins in that file, as docs/inputs.md says for each kind"),
        Column("length", "int64", "length of its record there"),
    ),
)

LINK = Table(
    name="link",
    version=1,
    key=("page", "place"),
    sentence="Each row is one link of one capture to another address.",
    columns=(
        Column("page", "int64", "the capture", page=True),
        Column("place", "int64", "number of the link within its page"),
        Column("target", "string", "normalised URL it leads to"),
        Column("anchor", "string", "text of the link"),
        Column("rel", "string", "its rel attribute", nullable=True),
        Column("begin", "int64", "where its text begins in the text of the page, code points"),
        Column("end", "int64", "and where it ends"),
    ),
)

PAGE_DATE = Table(
    name="page_date",
    version=1,
    key=("page", "place"),
    sentence="Each row is one date found on a capture, and where.",
    columns=(
        Column("page", "int64", "the capture", page=True),
        Column("place", "int64", "number of the date within its page"),
        Column("source", "string", "kind of place: json-ld, open graph, meta, time, url, text ..."),
        Column("detail", "string", "which one, like the name of a property"),
        Column("found", "string", "as written"),
        Column("at", "int64", "microseconds since 1970, UTC"),
        Column("kind", "string", "published or modified"),
        Column("flag", "string", "why it cannot count: `future`, `before 1990`", nullable=True),
        Column("counts", "bool", "this is the one in `published_at` of the capture"),
    ),
)

REDIRECT = Table(
    name="redirect",
    version=1,
    key=("entry",),
    sentence="Each row is one response that sent its reader elsewhere.",
    columns=(
        Column("entry", "int64", "number of the entry in this study"),
        Column("url", "string", "normalised URL that was asked for", nullable=True),
        Column("target", "string", "normalised URL it leads to", nullable=True),
        Column("status", "int32", "status of the HTTP response"),
        Column("fetched_at", "int64", "when, microseconds since 1970, UTC", nullable=True),
        Column("file", "string", "name of the file"),
        Column("offset", "int64", "where the record begins there"),
    ),
)

REVISIT = Table(
    name="revisit",
    version=1,
    key=("entry",),
    sentence="Each row is one capture that the archive keeps as a reference to an earlier one.",
    columns=(
        Column("entry", "int64", "number of the entry in this study"),
        Column("url", "string", "normalised URL", nullable=True),
        Column("host", "string", "host of the URL, lower case", nullable=True),
        Column("domain", "string", "registrable domain of the host", nullable=True),
        Column("site", "string", "the same where providers of sites count as suffixes too", nullable=True),
        Column("same", "int64", "hash of the URL, as in `capture`"),
        Column("fetched_at", "int64", "when it was fetched, microseconds since 1970, UTC", nullable=True),
        Column("ip", "string", "address it was fetched from", nullable=True),
        Column("digest", "string", "digest of the payload", nullable=True),
        Column("of_url", "string", "normalised URL of the capture it refers to", nullable=True),
        Column("of_date", "int64", "when that one was fetched, microseconds since 1970, UTC", nullable=True),
        Column("snapshot", "string", "name of the crawl it came with (--snapshot)", nullable=True),
        Column("file", "string", "name of the file"),
        Column("offset", "int64", "where the record begins there"),
        Column("length", "int64", "length of the record there"),
    ),
)

SKIPPED = Table(
    name="skipped",
    version=1,
    key=("entry",),
    sentence="Each row is one thing that could not be read, and why.",
    columns=(
        Column("entry", "int64", "number of the entry in this study"),
        Column(
            "what", "string", "`record`, all of it; `other`, which is of a kind that is not read; `file`; else the field that was left out"
        ),
        Column("file", "string", "name of the file"),
        Column("offset", "int64", "where the record begins in that file, as docs/inputs.md says for each kind"),
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

SOURCES = (CAPTURE, LINK, PAGE_DATE, REDIRECT, REVISIT, SKIPPED, TOMBSTONE)


def same_key(url: str | None, id_: str, apart: bool) -> int:
    """64 bits of what tells pages apart. Different pages may share it: whoever uses it compares URLs and ids as well."""
    what = f"id {id_}" if url is None else f"url {url} id {id_}" if apart else f"url {url}"
    return int.from_bytes(hashlib.blake2b(what.encode(), digest_size=8).digest(), "little", signed=True)
