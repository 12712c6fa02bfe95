"""How is HTML cut into tags, references and text? By patterns, and by the names of references that Python knows."""

import re
from html.entities import html5
from typing import NamedTuple

SPACE = " \t\n\f\r"
REFERENCE = re.compile(r"&(?:#[xX]([0-9A-Fa-f]+);?|#([0-9]+);?|([A-Za-z0-9]+;?))")
TAG_NAME = re.compile(r"</?([^ \t\n\f/>]+)")
BEFORE_ATTRIBUTE = re.compile(r"[ \t\n\f/]*")
ATTRIBUTE = re.compile(
    r"""([^ \t\n\f/>][^ \t\n\f/>=]*)(?:[ \t\n\f]*=[ \t\n\f]*(?:"([^"]*)(?:"|\Z)|'([^']*)(?:'|\Z)|([^ \t\n\f>"'][^ \t\n\f>]*)?))?"""
)
COMMENT = re.compile(r"<!--(?:-?>|(?s:.)*?(?:--!?>|\Z))")
SCRIPT_MARK = re.compile(r"<!--|-->|<(/?)script(?=[ \t\n\f/>])", re.IGNORECASE | re.ASCII)


class Tag(NamedTuple):
    name: str
    attributes: dict[str, str]
    """The first of each name, in small letters, with references decoded."""
    closed: bool
    """Ends with "/>"."""
    behind: int


def tag_at(source: str, at: int) -> Tag | None:
    """The tag that begins at a place; None if the source ends within it."""
    name = TAG_NAME.match(source, at)
    assert name
    attributes: dict[str, str] = {}
    at = name.end()
    while True:
        skipped = BEFORE_ATTRIBUTE.match(source, at)
        assert skipped
        at = skipped.end()
        if at == len(source):
            return None
        if source[at] == ">":
            return Tag(lower(name[1]), attributes, skipped[0].endswith("/"), at + 1)
        one = ATTRIBUTE.match(source, at)
        assert one
        at = one.end()
        attributes.setdefault(lower(one[1]), referred(one[2] or one[3] or one[4] or "", in_attribute=True).replace("\0", "\ufffd"))


def comment_end(source: str, at: int) -> int:
    comment = COMMENT.match(source, at)
    assert comment
    return comment.end()


def raw_end(source: str, at: int, name: str) -> int | None:
    """Where the end tag of an element begins whose content is one piece of text."""
    if name == "plaintext":
        return None
    if name == "script":
        return script_end(source, at)
    end = re.compile(rf"</{name}(?=[ \t\n\f/>])", re.IGNORECASE | re.ASCII).search(source, at)
    return end.start() if end else None


def script_end(source: str, at: int) -> int | None:
    """A comment in a script may hold a script, with its end tag."""
    state = "plain"
    while mark := SCRIPT_MARK.search(source, at):
        at = mark.end()
        if mark[0] == "<!--":
            state = "comment" if state == "plain" else state
            at = mark.start() + 2  # its dashes may be those of "-->" too
        elif mark[0] == "-->":
            state = "plain"
        elif mark[1] and state == "within":
            state = "comment"
        elif mark[1]:
            return mark.start()
        elif state == "comment":
            state = "within"
    return None


def lower(text: str) -> str:
    """Small letters, those of ASCII only."""
    return re.sub("[A-Z]+", lambda capitals: capitals[0].lower(), text).replace("\0", "\ufffd")


def words(text: str) -> list[str]:
    return [word for word in re.split(f"[{SPACE}]+", lower(text)) if word]


def referred(text: str, *, in_attribute: bool = False) -> str:
    """The text with its character references decoded."""
    return REFERENCE.sub(
        lambda found: named(found, in_attribute) if found[3] else character(found[1] or found[2], 16 if found[1] else 10), text
    )


def named(found: re.Match[str], in_attribute: bool) -> str:
    """The longest known name counts, but in an attribute `&copy=1` may be part of an address."""
    name = next((found[3][:n] for n in range(min(len(found[3]), 40), 0, -1) if found[3][:n] in html5), None)
    if name is None:
        return found[0]
    rest = found[3][len(name) :]
    if in_attribute and not name.endswith(";") and (rest or found.string[found.end() : found.end() + 1] == "="):
        return found[0]
    return html5[name] + rest


def character(digits: str, base: int) -> str:
    number = int(digits, base) if len(digits.lstrip("0")) < 8 else 0
    if number == 0 or 0xD800 <= number < 0xE000 or number > 0x10FFFF:
        return "\ufffd"
    if 0x80 <= number < 0xA0:
        return bytes([number]).decode("windows-1252", "ignore") or chr(number)
    return chr(number)
