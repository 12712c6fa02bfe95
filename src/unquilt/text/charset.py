"""What is the text of these bytes? The WHATWG order, unless the bytes clearly say otherwise.

1. A byte order mark. 2. The charset of the HTTP header. 3. The page's own `meta`, or its XML declaration. 4. What is
found by looking at the bytes. 5. windows-1252, which every byte is text in.

Steps 2 and 3 are overruled ("detected", with a note) where the bytes contradict them:
- zeros as only UTF-16 and UTF-32 have them, or UTF-16 declared and none there;
- UTF-8 declared, and of the bytes over 7F more are wrong than make characters: the charset found by looking;
- another charset declared, and everything is UTF-8 with at least one character over 7F (three where the declared one
  has characters of several bytes too);
- a charset of Latin letters declared, most bytes over 7F stand four and more in a row, as in no language that is
  written so, and the charset found by looking is of another script;
- another charset declared, more than one in twenty characters over 7F is none or a control, and the charset found
  by looking has less than half as many such.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Literal

from unquilt.text.charset_decoders import MULTI, REPLACEMENT, text_of
from unquilt.text.charset_guess import DEFAULT, HIGH, escaped, guess, wide
from unquilt.text.charset_labels import charset_of
from unquilt.text.charset_prescan import declared as declared_in

Source = Literal["bom", "header", "meta", "detected", "default"]

MARKS = {
    b"\xef\xbb\xbf": "UTF-8",
    b"\xff\xfe\x00\x00": "UTF-32LE",
    b"\x00\x00\xfe\xff": "UTF-32BE",
    b"\xfe\xff": "UTF-16BE",
    b"\xff\xfe": "UTF-16LE",
}
NEAR = 16 << 10
MOSTLY = 50
SEVEN_BIT = ("ISO-2022-JP", "ISO-2022-KR", "HZ-GB-2312")
LATIN = {f"ISO-8859-{part}" for part in (2, 3, 4, 10, 13, 14, 15, 16)} | {f"windows-125{page}" for page in (0, 2, 4, 7, 8)}
LATIN |= {"IBM850", "IBM852", "macintosh"}
RUN = re.compile(rb"[\xa1-\xff]{4,}")
RUNS = 16  # bytes: a word or two
UTF8 = codecs.getincrementaldecoder("utf-8")
CONTINUATION = bytes(range(0x80, 0xC0))
SURROGATES = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")
CONTROLS = re.compile("[\x80-\x9f]")


@dataclass(frozen=True)
class Decoded:
    utf8: bytes
    charset: str
    source: Source
    replaced: int = 0
    """How many U+FFFD decoding put in; those that the page spells itself do not count."""
    note: str | None = None


def decode(data: bytes, declared: str | None = None) -> Decoded:
    """`declared` is the charset parameter of the HTTP header."""
    for mark, marked in MARKS.items():
        if data.startswith(mark) and (len(mark) < 4 or len(data) % 4 == 0):
            return _as(data[len(mark) :], marked, "bom")
    name, source = _declared(data, declared)
    if b"\0" in data and (found := wide(data)):
        return _as(data, found, source if found == name else "detected", None if found == name else _note(name))
    if data.isascii():
        return _ascii(data, name, source)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        return _not_utf8(data, error.start, name, source)
    if name and name != "UTF-8" and not _is_utf8_after_all(text, name):
        return _as(data, name, source)
    return Decoded(data, "UTF-8", source if name == "UTF-8" else "detected", note=_note(name) if name != "UTF-8" else None)


def _declared(data: bytes, header: str | None) -> tuple[str | None, Source]:
    if name := charset_of(header):
        return name, "header"
    if name := declared_in(data):
        return name, "meta"
    return None, "default"


def _note(name: str | None) -> str | None:
    return f"declared as {name}" if name else None


def _as(data: bytes, name: str, source: Source, note: str | None = None) -> Decoded:
    text, replaced = text_of(data, name)
    if name == "UTF-8" and not replaced:
        return Decoded(data, name, source, note=note)
    return Decoded(text.encode("utf-8", "replace"), name, source, replaced, note)


def _ascii(data: bytes, name: str | None, source: Source) -> Decoded:
    if name in SEVEN_BIT:
        return _as(data, name, source)
    if b"\x1b" in data and (found := escaped(data)):
        return _as(data, found, "detected", _note(name))
    if name and name.startswith("UTF-"):
        return Decoded(data, "UTF-8", source if name == "UTF-8" else "detected", note=_note(name) if name != "UTF-8" else None)
    return Decoded(data, name or DEFAULT, source)


def _is_utf8_after_all(text: str, name: str) -> bool:
    """Declared otherwise, and valid UTF-8. Two characters of GBK may happen to be that, a sentence of it never is."""
    return (name not in MULTI and name != "EUC-JP") or name.startswith("UTF-") or _beyond_ascii(text) >= 3


def _beyond_ascii(text: str) -> int:
    return len(text) - len(text.encode("ascii", "ignore"))


def _not_utf8(data: bytes, first: int, name: str | None, source: Source) -> Decoded:
    right, wrong = _utf8_near(data, first)
    if name in (None, "UTF-8"):
        if right >= wrong:
            return _as(data, "UTF-8", source if name else "detected")
        found = guess(data, first)
        return _as(data, found or DEFAULT, "detected" if found or name else "default", _note(name))
    assert name
    if right > wrong * MOSTLY:
        return _as(data, "UTF-8", "detected", _note(name))
    return _contradicted(data, first, name) or _as(data, name, source)


def _utf8_near(data: bytes, first: int) -> tuple[int, int]:
    """(characters over 7F, wrong bytes) around the first that is wrong, read as UTF-8; surrogates in it are no other charset's."""
    near = data[max(0, first - NEAR) : first + NEAR]
    if first > NEAR:
        near = near.lstrip(CONTINUATION)
    text = UTF8("replace").decode(near, first + NEAR >= len(data))
    surrogates = len(SURROGATES.findall(near))
    wrong = text.count(REPLACEMENT) - near.count(REPLACEMENT.encode())
    return _beyond_ascii(text) - wrong + surrogates, wrong - 3 * surrogates


def _contradicted(data: bytes, first: int, name: str) -> Decoded | None:
    near = data[first & ~3 : first + NEAR]  # UTF-16 and UTF-32 stay in step
    text, replaced = text_of(near, name)
    odd = _odd(text, replaced)
    contrary, foreign = odd * 20 > _beyond_ascii(text), name in LATIN and _runs_on(near)
    found = guess(data, first) if contrary or foreign else None
    if not found or found == name:
        return None
    better = contrary and _odd(*text_of(near, found)) * 2 < odd
    return _as(data, found, "detected", _note(name)) if better or (foreign and found not in LATIN) else None


def _runs_on(near: bytes) -> bool:
    runs = sum(len(run) for run in RUN.findall(near) if len(set(run)) > 2)  # a row of one sign or two is an ornament
    return runs >= RUNS and runs * 2 > len(near) - len(near.translate(None, HIGH))


def _odd(text: str, replaced: int) -> int:
    return replaced + len(CONTROLS.findall(text))
