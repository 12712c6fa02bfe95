"""What does a page declare of itself? One tag after the other."""

import re
from typing import NamedTuple

from .html_source import SPACE, Tag, lower, words

LONGEST, LONGEST_ITEM, LONGEST_NAMES = 65536, 1000, 1000


class Fact(NamedTuple):
    kind: str
    name: str
    value: str


def of_tag(tag: Tag, row: int) -> list[Fact]:
    """The facts of an element of HTML; `row` is its own among the elements, or -1."""
    said = tag.attributes
    facts: list[Fact] = []
    if tag.name == "meta" and "content" in said:
        for key, kind in (("property", "meta"), ("name", "meta"), ("http-equiv", "http-equiv")):
            if said.get(key):
                facts.append(Fact(kind, " ".join(words(said[key])), said["content"]))
    if tag.name == "link" and said.get("rel") and "href" in said:
        facts.append(Fact("link", " ".join(words(said["rel"])), said["href"]))
    if tag.name == "base" and "href" in said:
        facts.append(Fact("base", "href", said["href"]))
    if tag.name == "time" and said.get("datetime"):
        facts.append(Fact("time", str(row), said["datetime"]))
    if tag.name == "abbr" and said.get("title"):
        facts.append(Fact("abbr", str(row), said["title"]))
    return facts


def items_of(tag: Tag) -> tuple[list[Fact], bool]:
    """The properties of an item, and whether the last one's value is the text of the element."""
    said = tag.attributes
    keys = [key for key in ("content", "datetime") if key in said] + ["href"] * (tag.name == "link")
    value = said.get(keys[0], "") if keys else ""
    properties = words(said.get("itemprop", ""))
    return [Fact("itemprop", name, value) for name in properties], bool(properties) and not keys


def language(tag: Tag) -> list[Fact]:
    said = next((tag.attributes[key] for key in ("lang", "xml:lang") if key in tag.attributes), None)
    return [] if said is None else [Fact("html", "lang", said)]


def is_json_ld(tag: Tag) -> bool:
    kind = lower(tag.attributes.get("type", "")).strip(SPACE)
    return tag.name == "script" and re.split(f"[{SPACE}!;]", kind)[0] == "application/ld+json"


def cut(text: str, size: int) -> str:
    """As much of a text as fits into so many bytes of UTF-8."""
    return text.encode()[:size].decode("utf-8", "ignore")
