"""What is a record of a WARC file? Versions 0.17 to 1.1 and what is like them; also with bare line feeds, folded lines, odd cases."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from unquilt.read.archived import HTTP_HEAD, content, date_of, found, left_out, other, url_of, without_content, words
from unquilt.read.bounds import Head, Raw
from unquilt.read.record import Found, Limits, Record, Response, Revisit, Skip

MARK = b"WARC"
VERSION = re.compile(rb"WARC/\d{1,3}\.\d{1,3}[ \t]*\r{0,3}(?:\n|\Z)", re.IGNORECASE)
BEGIN = re.compile(rb"/\d{1,3}\.\d{1,3}[ \t]*\r{0,3}\n[A-Za-z][A-Za-z0-9_-]*[ \t]*:")  # behind the mark
HEAD_END = re.compile(rb"\n\r{0,3}\n")
FOLD = re.compile(rb"\r?\n[ \t]+")
READ = frozenset((b"response", b"resource", b"conversion"))
NOT_READ = frozenset((b"request", b"metadata", b"warcinfo", b"continuation"))
LOOKUPS = (b"dns:", b"whois:")
NOTES = re.compile(rb"metadata:|urn:(?:x-|text|view|thumbnail|fullpage|pageinfo|logs?:)", re.IGNORECASE)
NO_ADDRESS = (b"-", b"0.0.0.0")


@dataclass(frozen=True, slots=True)
class WarcHead(Head):
    """`fields`: the first value of each, by its name in lower case."""

    type: bytes
    fields: dict[bytes, bytes]

    def said(self, name: bytes) -> str | None:
        value = self.fields.get(name)
        return words(value) if value else None

    def uri(self, name: bytes = b"warc-target-uri") -> bytes | None:
        value = self.fields.get(name)
        return value[1:-1].strip() if value and value[:1] == b"<" and value[-1:] == b">" else value


@dataclass(frozen=True)
class Warc:
    limits: Limits

    def starts(self, after: bytes) -> bool:
        return VERSION.match(after) is not None

    def begun(self, rest: bytes) -> bool:
        return rest[:5].upper() == b"WARC/"[: len(rest)]

    def separated(self, after: bytes) -> bool:
        return after.startswith((b"\r\n\r\n", b"\n\n"))

    def head_end(self, text: bytes) -> int:
        match = HEAD_END.search(text)
        return match.end() if match else -1

    def find(self, buffer: bytes | bytearray, at: int) -> int:
        for match in BEGIN.finditer(buffer, at):
            behind = match.start()
            if behind - len(MARK) >= at and buffer[behind - len(MARK) : behind].upper() == MARK:
                return behind - len(MARK)
        return -1

    def inside(self, head: bytes) -> int:
        return self.find(head, 1)

    def parsed(self, head: bytes) -> WarcHead:
        fields: dict[bytes, bytes] = {}
        if b"\n " in head or b"\n\t" in head:
            head = FOLD.sub(b" ", head)
        for line in head.split(b"\n"):
            name, colon, value = line.partition(b":")
            if colon:
                fields.setdefault(name.strip().lower(), value.strip())
        length = fields.get(b"content-length", b"")
        type_ = fields.get(b"warc-type", b"").lower()
        keep = self.limits.body_bytes + HTTP_HEAD if type_ in READ else 0
        return WarcHead(int(length) if length.isdigit() and len(length) < 19 else None, keep, type_, fields)

    def found(self, raw: Raw[WarcHead]) -> Found:
        head = raw.head
        if head is None:
            return without_content(raw)
        url, url_skips = url_of(head.uri(), self.limits)
        if raw.block is None:
            return Found(raw.offset, raw.length, None, tuple(left_out(fault, url) for fault in [raw.fault] if fault))
        reading = READING.get(head.type)
        if reading is not None:
            return reading(raw, head, url, url_skips, self.limits)
        if head.type in NOT_READ:
            return other(raw, f"{head.type.decode()} record", None, url)
        if not head.type:
            return Found(raw.offset, raw.length, None, (Skip("no WARC-Type", None, url=url),))
        return other(raw, "unknown type of record", words(head.type[:60]), url)


def _sent(raw: Raw[WarcHead], head: WarcHead, url: str | None, url_skips: tuple[Skip, ...], limits: Limits) -> Found:
    """A response, a resource, or a conversion that is no plain text."""
    uri = head.uri() or b""
    type_ = head.said(b"content-type")
    if uri[:6].lower().startswith(LOOKUPS) or (type_ or "").lower().startswith("text/dns"):
        return other(raw, "record of a lookup", words(uri[:200]), url)
    if head.type == b"resource" and NOTES.match(uri):
        return other(raw, "note of the crawler", words(uri[:200]), url)
    http = _is_http(head, raw.block.held if raw.block else b"")
    body = content(raw, http, url, limits)
    fetched_at, date_skips = date_of(head.fields.get(b"warc-date"), "fetched_at", url)
    parts: tuple[Skip, ...] = ()
    if head.fields.get(b"warc-segment-number"):
        parts = (Skip("in segments", "the first was read", "body", url),)
    response = Response(
        body.block,
        http,
        url,
        fetched_at=fetched_at,
        content_type=type_,
        ip=_address(head),
        digest=head.said(b"warc-payload-digest"),
        truncated=head.said(b"warc-truncated") or body.missing or ("in segments" if parts else None),
    )
    return found(raw, response, url_skips, date_skips, body.skips, parts)


def _converted(raw: Raw[WarcHead], head: WarcHead, url: str | None, url_skips: tuple[Skip, ...], limits: Limits) -> Found:
    """The text of a page, made by somebody else (WET)."""
    type_ = head.fields.get(b"content-type", b"text/plain").lower()
    if not type_.startswith(b"text/plain"):
        return _sent(raw, head, url, url_skips, limits)
    body = content(raw, False, url, limits)
    fetched_at, date_skips = date_of(head.fields.get(b"warc-date"), "fetched_at", url)
    text, text_skips = _text(body.block, body.missing is not None, url)
    language = head.said(b"warc-identified-content-language")
    record = Record(text, url=url, language=language, fetched_at=fetched_at)
    return found(raw, record, url_skips, date_skips, body.skips, text_skips)


def _revisited(raw: Raw[WarcHead], head: WarcHead, url: str | None, url_skips: tuple[Skip, ...], limits: Limits) -> Found:
    fetched_at, date_skips = date_of(head.fields.get(b"warc-date"), "fetched_at", url)
    of_uri = head.uri(b"warc-refers-to-target-uri")
    of_url, of_skips = url_of(of_uri, limits) if of_uri else (None, ())
    of_date, of_date_skips = date_of(head.fields.get(b"warc-refers-to-date"), "of_date", url)
    revisit = Revisit(url, fetched_at, _address(head), head.said(b"warc-payload-digest"), of_url, of_date)
    wrong = (Skip(raw.fault.reason, raw.fault.detail, "body", url),) if raw.fault is not None else ()
    of_wrong = tuple(Skip(skip.reason, skip.detail, "of_url", url) for skip in of_skips)
    return found(raw, revisit, url_skips, date_skips, of_wrong, of_date_skips, wrong)


READING: dict[bytes, Callable[[Raw[WarcHead], WarcHead, str | None, tuple[Skip, ...], Limits], Found]] = {
    b"response": _sent,
    b"resource": _sent,
    b"conversion": _converted,
    b"revisit": _revisited,
}


def _is_http(head: WarcHead, block: bytes) -> bool:
    if block[:5].upper() == b"HTTP/":
        return True
    type_ = head.fields.get(b"content-type", b"").lower()
    return head.type == b"response" and (type_.startswith((b"application/http", b"message/http")) or not type_)


def _address(head: WarcHead) -> str | None:
    value = head.fields.get(b"warc-ip-address")
    return words(value) if value and value not in NO_ADDRESS else None


def _text(block: bytes, cut: bool, url: str | None) -> tuple[str, tuple[Skip, ...]]:
    try:
        return block.decode(), ()
    except UnicodeDecodeError as error:
        if cut and error.start > len(block) - 4:  # the limit went through a character
            return block[: error.start].decode(), ()
        text = block.decode("utf-8", "replace")
        return text, (Skip("not UTF-8", f"byte {error.start} of the text, and perhaps more, became U+FFFD", "text", url),)
