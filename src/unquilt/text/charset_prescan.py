"""Which charset does a page declare for itself? The prescan of the WHATWG HTML standard, and the XML declaration.

The standard lets a browser stop after 1,024 bytes because its parser obeys a `meta` that comes later all the same.
There is no second chance here, so the scan goes on to 16 KB.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from unquilt.text.charset_labels import charset_of

WINDOW = 16 << 10
META = re.compile(rb"<meta[\t\n\f\r /]", re.IGNORECASE)
TAG = re.compile(rb"</?[A-Za-z][^\t\n\f\r >]*")
ATTRIBUTE = re.compile(
    rb"[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r /=>]*)"
    rb"(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:\"([^\"]*)\"|'([^']*)'|([\"'])|([^\t\n\f\r >]+)|(?=>)))?"
)
CLOSE = re.compile(rb"[\t\n\f\r /]*>")
CONTENT = re.compile(rb"charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:\"([^\"]*)\"|'([^']*)'|([^\t\n\f\r ;\"'][^\t\n\f\r ;]*))", re.IGNORECASE)
XML = re.compile(rb"<\?xml[^>]*?encoding[\x00-\x20]*=[\x00-\x20]*(?:\"([^\"\x00-\x20>]*)\"|'([^'\x00-\x20>]*)')")


def declared(data: bytes) -> str | None:
    head = data[:WINDOW]
    lower = head.lower()
    if b"charset" not in lower and not head.startswith(b"<?xml"):
        return None
    name = next(_metas(head), None) if b"charset" in lower else None
    return name or _xml(head)


def _xml(head: bytes) -> str | None:
    found = XML.match(head[: head.find(b">") + 1])
    return _readable(found[1] or found[2]) if found else None


def _metas(head: bytes) -> Iterator[str]:
    at = head.find(b"<")
    while at >= 0:
        if head.startswith(b"<!--", at):
            end = head.find(b"-->", at + 2) + 3
            if end < 3:
                return
        elif tag := META.match(head, at):
            found, end = _attributes(head, tag.end() - 1)
            if end < 0:
                return
            if name := _meant(found):
                yield name
        elif tag := TAG.match(head, at):
            _, end = _attributes(head, tag.end())
            if end < 0:
                return
        elif head[at + 1 : at + 2] in (b"!", b"/", b"?"):
            end = head.find(b">", at)
        else:
            end = at + 1
        at = head.find(b"<", end) if end >= 0 else -1


def _attributes(head: bytes, at: int) -> tuple[dict[bytes, bytes], int]:
    """(value of each attribute, where they end); -1 where the window ends first."""
    found: dict[bytes, bytes] = {}
    while attribute := ATTRIBUTE.match(head, at):
        name, double, single, unclosed, plain = attribute.groups()
        at = attribute.end()
        if unclosed or at == len(head):
            return found, -1
        found.setdefault(name.lower(), double or single or plain or b"")
    return found, at if CLOSE.match(head, at) else -1


def _meant(attributes: dict[bytes, bytes]) -> str | None:
    if b"charset" in attributes:
        return _readable(attributes[b"charset"])
    if attributes.get(b"http-equiv", b"").lower() != b"content-type":
        return None
    found = CONTENT.search(attributes.get(b"content", b""))
    return _readable(found[1] or found[2] or found[3] or b"") if found else None


def _readable(label: bytes) -> str | None:
    """What could be read as ASCII so far is not UTF-16 or UTF-32, whatever it says of itself."""
    name = charset_of(label.decode("latin-1"))
    return "UTF-8" if name and name.startswith(("UTF-16", "UTF-32")) else name
