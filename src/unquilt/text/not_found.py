# ruff: noqa: RUF001
"""Does a page say that there is nothing? In the words of some thirty languages, in its title or in a line that says little else.

A page about such pages says so too, but among other words. So a phrase counts where it makes up at least half of the
letters of a part of the title (`Page not found | My site` has two parts) or of a sentence. That nothing was found counts
in titles only: lists without an entry and search forms say it on pages that have plenty.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from unquilt.text.not_found_phrases import ALONE_STEMS, NOT_FOUND_ALONE, NOTHING, NUMBER_ALONE, PHRASES

VERSION = 1
"""Of the phrases and of what they must make up; tables made with another version are made again."""

TITLE, TEXT = "title", "text"
_GAP = r"[^.!?]{0,60}?"
_LONGEST = 300
"""Characters of a sentence that is looked at."""
_SHOWN = 120

_PARTS_OF_TITLE = re.compile(r"\s*[|–—»«•·:‹›>~，]+\s*|\s+[\-/]+\s+")
_SENTENCES = re.compile(r"[\n\r\u2028\u2029]+|(?<=[.!?])\s+|[。！？，]")
_AROUND = " .!?¡¿…-–—:()[]\"'"
_LETTERS = {"ł": "l", "ø": "o", "đ": "d", "ی": "ي", "ک": "ك", "ة": "ه"}
_APOSTROPHES = "’‘ʼ´`"
_ACCENT = re.compile("[\u0300-\u036f]+")
_ADDRESS = re.compile(r"\S*(?:/\S|\.html?\b)\S*")


@dataclass(frozen=True)
class Told:
    """Where it says so, and the sentence or part of the title, as written."""

    place: str
    phrase: str


def told(titles: list[str | None], texts: list[str]) -> list[Told | None]:
    """For each page; what its title says goes first, else the first sentence that says so."""
    found: list[Told | None] = [None] * len(texts)
    for row in _likely(titles):
        parts = _PARTS_OF_TITLE.split((titles[row] or "")[:_LONGEST])
        found[row] = next((Told(TITLE, _shown(part)) for part in parts if _says(folded(part), title=True)), None)
    rows = [row for row in _likely([*texts]) if found[row] is None]
    sentences = [(row, one) for row in rows for one in _SENTENCES.split(texts[row]) if 0 < len(one) <= _LONGEST]
    for at in _likely([one for _, one in sentences]):
        row, one = sentences[at]
        if found[row] is None and _says(folded(one), title=False):
            found[row] = Told(TEXT, _shown(one))
    return found


def _likely(texts: list[str | None]) -> list[int]:
    """Places of the few texts in which there may be a phrase."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column = pa.array([_unmarked(text) if text else text for text in texts], pa.string())
    found: list[int] = pc.indices_nonzero(pc.fill_null(pc.match_substring_regex(column, _stems()), False)).to_pylist()
    return found


def _shown(text: str) -> str:
    return " ".join(text.split())[:_SHOWN]


@cache
def _stems() -> str:
    """An RE2 pattern, of folded texts: where it does not match, no phrase does."""
    known = "|".join((*(stems for stems, _ in PHRASES), *NOTHING, *ALONE_STEMS))
    return _without_accents(known).replace(" ", r"[\s\x{a0}]+")


def folded(text: str) -> str:
    """Lower case, one kind of apostrophe and of space, no accents in Latin, Greek and Cyrillic."""
    return " ".join(_unmarked(text).split())


def _unmarked(text: str) -> str:
    return text.lower() if text.isascii() else _without_accents(_one_apostrophe(text.lower()))


def _one_apostrophe(text: str) -> str:
    for other in _APOSTROPHES:
        text = text.replace(other, "'")
    return text


def _without_accents(text: str) -> str:
    """Marks of Latin, Greek and Cyrillic letters go, those of other scripts stay; Arabic and Persian forms of letters are one."""
    text = unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFD", text)))
    for letter, plain in _LETTERS.items():
        text = text.replace(letter, plain)
    return text


def _says(sentence: str, *, title: bool) -> bool:
    if not sentence:
        return False
    bare = sentence.strip(_AROUND)
    if any(pattern.fullmatch(bare) for pattern in _alone(title)):
        return True
    letters = _letters(sentence)
    matches = (pattern.search(sentence) for stems, pattern in _phrases(title) if stems.search(sentence))
    return any(match is not None and 2 * _letters(match[0]) >= letters for match in matches)


def _letters(text: str) -> int:
    """Without those of addresses, which may be of any length."""
    return sum(c.isalpha() for c in _ADDRESS.sub("", text))


@cache
def _alone(title: bool) -> tuple[re.Pattern[str], ...]:
    """A number in a line may be anything; as the title of a page it says what servers mean by it."""
    patterns = (NUMBER_ALONE, NOT_FOUND_ALONE) if title else (NOT_FOUND_ALONE,)
    return tuple(re.compile(_without_accents(pattern)) for pattern in patterns)


@cache
def _phrases(title: bool) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    both = (*PHRASES, *((phrase, phrase) for phrase in NOTHING)) if title else PHRASES
    return tuple((re.compile(_without_accents(s)), re.compile(_without_accents(p).replace("~", _GAP))) for s, p in both)
