"""Which dates does a page's JSON-LD give to the page itself, and not to its comments, videos or neighbours?"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

PUBLISHED = ("datePublished", "dateCreated", "uploadDate")
MODIFIED = ("dateModified",)
_KEYS = PUBLISHED + MODIFIED

LONGEST = 1 << 20
_MOST_NODES = 5_000
_MOST_DATES = 50
# What hangs below these keys is something else than the page. `@graph`, `mainEntity` and lists lead on.
_ELSEWHERE = frozenset(
    "comment comments review reviews hasPart isPartOf itemListElement mentions citation about author publisher creator image video audio "
    "associatedMedia relatedLink isBasedOn subjectOf workExample exampleOfWork offers event subEvent blogPost blogPosts suggestedAnswer "
    "acceptedAnswer interactionStatistic primaryImageOfPage thumbnail logo contributor editor speakable breadcrumb".split()
)
_NEVER = frozenset("Comment Review UserReview ImageObject Person Organization Event AudioObject WebSite Offer".split())
_PAIR = re.compile(r'"(datePublished|dateCreated|uploadDate|dateModified)"\s{0,8}:\s{0,8}"([^"\\]{4,80})"')


class Stated(NamedTuple):
    """`article`: 0 of an article, 1 of a page, 2 of anything else."""

    key: str
    value: str
    article: int
    headline: str


def stated_dates(text: str) -> list[Stated]:
    """In the order of the text, at most 50. JSON that is broken is searched for pairs of a key and a string instead."""
    if len(text) > LONGEST or not any(key in text for key in _KEYS):
        return []
    try:
        tree = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return [Stated(pair[1], pair[2], 1, "") for pair in _PAIR.finditer(text)][:_MOST_DATES]
    return _walk(tree)


def _walk(tree: object) -> list[Stated]:
    found: list[Stated] = []
    ahead = [tree]
    for _ in range(_MOST_NODES):
        if not ahead or len(found) >= _MOST_DATES:
            break
        node = ahead.pop()
        if isinstance(node, list):
            ahead.extend(reversed(node[:_MOST_NODES]))
        elif isinstance(node, dict):
            found += _of(node)
            ahead.extend(value for key, value in reversed(node.items()) if isinstance(value, dict | list) and key not in _ELSEWHERE)
    return found


def _of(node: dict[str, object]) -> list[Stated]:
    types = node.get("@type")
    names = [name for name in (types if isinstance(types, list) else [types]) if isinstance(name, str)]
    if any(name in _NEVER for name in names):
        return []
    article = min((_article(name) for name in names), default=2)
    headline = node.get("headline") or node.get("name")
    title = headline[:300] if isinstance(headline, str) else ""
    return [Stated(key, value[:200], article, title) for key in _KEYS for value in _strings(node.get(key))]


def _strings(value: object) -> list[str]:
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, dict):
        value = value.get("@value")
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**13:
        return [str(value)]
    return [value] if isinstance(value, str) and value else []


def _article(name: str) -> int:
    if name.endswith(("Article", "Posting", "Recipe", "Report", "HowTo")):
        return 0
    return 1 if name.endswith("Page") else 2
