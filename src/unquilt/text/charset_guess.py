"""Which charset are bytes in that say nothing of it? Structure first, then chardet's statistics on the text outside tags.

The guess is made on a sample: the words around bytes over 7F, without tags and long stretches of ASCII, so that its cost
does not grow with the page. Charsets that hardly ever were on the web (EBCDIC, most of DOS) are no candidates.
"""

from __future__ import annotations

import re
from functools import lru_cache

DEFAULT = "windows-1252"
WINDOW = 256 << 10
SAMPLE = 3 << 10
FEW = 32  # with fewer bytes over 7F in the text, attributes are read too
CHARSETS = {
    "big5hkscs": "Big5",
    "cp1250": "windows-1250",
    "cp1251": "windows-1251",
    "cp1252": DEFAULT,
    "cp1253": "windows-1253",
    "cp1254": "windows-1254",
    "cp1255": "windows-1255",
    "cp1256": "windows-1256",
    "cp1257": "windows-1257",
    "cp1258": "windows-1258",
    "cp855": "IBM855",
    "cp866": "IBM866",
    "cp874": "windows-874",
    "cp932": "Shift_JIS",
    "cp949": "EUC-KR",
    "euc_jis_2004": "EUC-JP",
    "euc_kr": "EUC-KR",
    "gb18030": "gb18030",
    "iso8859-1": DEFAULT,
    "iso8859-2": "ISO-8859-2",
    "iso8859-5": "ISO-8859-5",
    "iso8859-6": "ISO-8859-6",
    "iso8859-7": "ISO-8859-7",
    "iso8859-8": "ISO-8859-8",
    "iso8859-9": "windows-1254",
    "johab": "Johab",
    "koi8-r": "KOI8-R",
    "koi8-u": "KOI8-U",
    "mac-cyrillic": "x-mac-cyrillic",
    "mac-roman": "macintosh",
    "shift_jis_2004": "Shift_JIS",
    "tis-620": "windows-874",
}

# Where ISO has controls, Windows has quotes and dashes.
SIBLINGS = {"ISO-8859-2": "windows-1250", "ISO-8859-7": "windows-1253", "ISO-8859-8": "windows-1255"}
CONTROLS = bytes(range(0x80, 0xA0))
TAGS = re.compile(rb"</?[A-Za-z][^<>]*>")
ASCII = re.compile(rb"([\x00-\x7f]{8})[\x00-\x7f]{8,}([\x00-\x7f]{8})")
HIGH = bytes(range(0x80, 0x100))
PAIR = re.compile(rb"[\x80-\xff]{2}")
# Quotes, dashes, ellipsis, bullet, trade mark, euro; no-break space and the signs of Latin-1 that stand between words.
SIGNS = bytes([0x80, 0x85, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99, 0xA0, 0xA3, 0xA7, 0xA9, 0xAB, 0xAE, 0xB0, 0xB7, 0xBB])
WESTERN = 0.01
SINGLE = 4  # with fewer lone bytes over 7F statistics have nothing to go by
ZEROS = 8  # fewer are damage


def wide(data: bytes) -> str | None:
    """UTF-16 or UTF-32 without a mark: zeros stand where the high bytes of ASCII have their place, and hardly elsewhere."""
    head = data[:4096]
    zeros = [head[i::4].count(0) for i in range(4)]
    places = len(head) // 4
    if places and len(data) % 4 == 0:
        for name, most, few in (("UTF-32LE", zeros[3], zeros[0]), ("UTF-32BE", zeros[0], zeros[3])):
            if most == places and few * 10 < places and _decodes(data, name):
                return name
    even, odd = zeros[0] + zeros[2], zeros[1] + zeros[3]
    high, low = max(even, odd), min(even, odd)
    if high < ZEROS or high * 5 < places or low * 10 > high:
        return None
    name = "UTF-16LE" if odd > even else "UTF-16BE"
    return name if _decodes(head[: len(head) & ~1], name) or low == 0 else None


def _decodes(data: bytes, charset: str) -> bool:
    try:
        data.decode(charset)
    except UnicodeDecodeError as error:
        return error.end == len(data)  # cut in the middle of a pair
    return True


def escaped(data: bytes) -> str | None:
    """The 7-bit charsets that switch by escape sequences."""
    if b"\x1b$)C" in data:
        return "ISO-2022-KR"
    return "ISO-2022-JP" if b"\x1b$B" in data or b"\x1b$@" in data or b"\x1b(J" in data else None


def guess(data: bytes, first: int) -> str | None:
    """The charset of bytes of which the one at `first` is the first that is not UTF-8; None where nothing speaks for any."""
    near = data[max(0, first - 64) : first + WINDOW]
    text = TAGS.sub(b" ", near)
    if len(text) - len(text.translate(None, HIGH)) < FEW:
        text = near
    if _western(text):
        return DEFAULT
    found = _by_statistics(ASCII.sub(rb"\1 \2", text)[:SAMPLE])
    return SIBLINGS[found] if found in SIBLINGS and len(data.translate(None, CONTROLS)) < len(data) else found


def _western(text: bytes) -> bool:
    """Quotes and dashes, or here and there an accent: rarer than in any language that is not written in windows-1252, or few in all."""
    high = text.translate(None, bytes(range(0x80)))
    if not high.translate(None, SIGNS):
        return True
    return len(high) < max(SINGLE, WESTERN * len(text)) and not PAIR.search(text)


def _by_statistics(sample: bytes) -> str | None:
    import chardet

    found = chardet.detect(sample, include_encodings=_candidates(), compat_names=False, no_match_encoding="cp1252")["encoding"]
    return CHARSETS.get(found) if found else None


@lru_cache
def _candidates() -> tuple[str, ...]:
    return tuple(CHARSETS)
