"""Words, as `docs/words.md` defines them: each function below is one of its numbered paragraphs.

The facts of Unicode 17.0 come from packages that share nothing with the kernel: the category from
`unicodedata2`, the script and the simple case folding from `regex` (the release that carries 17.0).
"""

from functools import cache
from typing import NamedTuple

import regex
import unicodedata2
from regex import _regex

from .hashes import word_hash

NONE, LONG, SHORT, LINKED = "no word open", "long", "short", "linked"
NEW, JOINS, CLOSES = "new", "joins", "closes"

# 3. Words: what a code point of a class does, by the word open just then, and what is open after it.
TABLE = {
    "separator": {NONE: (CLOSES, NONE), LONG: (CLOSES, NONE), SHORT: (CLOSES, NONE), LINKED: (CLOSES, NONE)},
    "letter": {NONE: (NEW, LONG), LONG: (JOINS, LONG), SHORT: (NEW, LONG), LINKED: (NEW, LONG)},
    "mark": {NONE: (NEW, LONG), LONG: (JOINS, LONG), SHORT: (JOINS, SHORT), LINKED: (JOINS, SHORT)},
    "ideograph": {NONE: (NEW, SHORT), LONG: (NEW, SHORT), SHORT: (NEW, SHORT), LINKED: (NEW, SHORT)},
    "syllable": {NONE: (NEW, SHORT), LONG: (NEW, SHORT), SHORT: (NEW, SHORT), LINKED: (JOINS, SHORT)},
    "linker": {NONE: (NEW, LINKED), LONG: (JOINS, LONG), SHORT: (JOINS, LINKED), LINKED: (JOINS, LINKED)},
}

IGNORABLE = (
    {0x00AD, 0x034F, 0x200C, 0x200D, 0x2060, 0xFEFF}
    | set(range(0x180B, 0x180F + 1))
    | set(range(0xFE00, 0xFE0F + 1))
    | set(range(0xE0100, 0xE01EF + 1))
)
LINKERS = {0x1039, 0x17D2}
MARKS = {0x0E33, 0x0EB3, 0xFF9E, 0xFF9F}
IDEOGRAPHS = {0x3006, 0x3031, 0x3032, 0x3033, 0x3034, 0x3035, 0x303C, 0x30FC, 0xFF70}
IDEOGRAPHIC = regex.compile(r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}]")
SYLLABIC = regex.compile(r"[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]")

# regex folds "I" and U+0130 only when asked for Turkic; the rule folds both to "i".
DOTLESS_AND_DOTTED_I = "I\u0130"
SIMPLE_FOLDING = int(regex.UNICODE | regex.IGNORECASE)


class Span(NamedTuple):
    """A word's hash and its place, half open, in code points of the page's text."""

    hash: int
    begin: int
    end: int


def decode(page: bytes) -> str:
    """1. Text: each maximal subpart of an ill-formed sequence becomes one U+FFFD."""
    return page.decode("utf-8", "replace")


@cache
def class_of(c: str) -> str:
    """2. Classes: the first line that fits holds."""
    category = unicodedata2.category(c)
    letter_or_number = category[0] in "LN"
    if ord(c) in IGNORABLE:
        return "ignorable"
    if ord(c) in LINKERS:
        return "linker"
    if category[0] == "M" or ord(c) in MARKS:
        return "mark"
    if (letter_or_number and IDEOGRAPHIC.match(c)) or ord(c) in IDEOGRAPHS:
        return "ideograph"
    if letter_or_number and SYLLABIC.match(c):
        return "syllable"
    return "letter" if letter_or_number else "separator"


def word_places(text: str) -> list[list[int]]:
    """3. Words: for each word of a text the places of the code points it is made of."""
    found: list[list[int]] = []
    state = NONE
    for place, c in enumerate(text):
        if class_of(c) == "ignorable":
            continue
        action, state = TABLE[class_of(c)][state]
        if action == NEW:
            found.append([place])
        elif action == JOINS:
            found[-1].append(place)
    return found


@cache
def fold(c: str) -> str:
    """5. Folding: one code point to one, as CaseFolding.txt says with status C or S, and U+0130 to "i"."""
    folded: str = _regex.fold_case(SIMPLE_FOLDING, c)
    return "i" if c in DOTLESS_AND_DOTTED_I else folded


def word_texts(page: bytes) -> list[str]:
    """Return the folded words of a page."""
    text = decode(page)
    return ["".join(fold(text[place]) for place in places) for places in word_places(text)]


def spans(page: bytes) -> list[Span]:
    """4. Place: a word begins with its first code point and ends after its last."""
    places = word_places(decode(page))
    return [Span(word_hash(word.encode()), at[0], at[-1] + 1) for word, at in zip(word_texts(page), places, strict=True)]


def words(pages: list[bytes]) -> list[list[int]]:
    """Return for each page the hashes of its words in order."""
    return [[word_hash(word.encode()) for word in word_texts(page)] for page in pages]
