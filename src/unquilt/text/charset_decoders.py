"""How do bytes of a charset become text? With Python's codecs, mended where the WHATWG Encoding Standard has it otherwise.

Nothing raises: what cannot be decoded becomes U+FFFD and is counted.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache

REPLACEMENT = "\ufffd"
SINGLE = {
    "IBM437": "cp437",
    "IBM850": "cp850",
    "IBM852": "cp852",
    "IBM855": "cp855",
    "IBM866": "cp866",
    "ISO-8859-8-I": "iso8859-8",
    "macintosh": "mac-roman",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac-cyrillic",
}
MULTI = {
    "Big5": "big5hkscs",
    "EUC-KR": "cp949",
    "GBK": "gb18030",
    "HZ-GB-2312": "hz",
    "ISO-2022-KR": "iso2022_kr",
    "Johab": "johab",
    "Shift_JIS": "cp932",
    "gb18030": "gb18030",
    "UTF-8": "utf-8",
    "UTF-16BE": "utf-16-be",
    "UTF-16LE": "utf-16-le",
    "UTF-32BE": "utf-32-be",
    "UTF-32LE": "utf-32-le",
}
MENDED = {
    "KOI8-U": {0xAE: "\u045e", 0xBE: "\u040e"},
    "windows-1255": {0xCA: "\u05ba"},
}
FULL_WIDTH = {"\u301c": "\uff5e", "\u2016": "\u2225", "\u2212": "\uff0d", "\xa2": "\uffe0", "\xa3": "\uffe1", "\xac": "\uffe2"}
MOST_MENDS = 20_000  # each costs a call of Python; a text with more of them is no Japanese
ESCAPE = re.compile(rb"(\x1b\([BJI]|\x1b\$(?:\([D]|[@B]))")


def text_of(data: bytes, charset: str) -> tuple[str, int]:
    """(text, number of U+FFFD that decoding put in)."""
    if charset == "EUC-JP":
        return _counted(_euc_jp(data))
    if charset == "ISO-2022-JP":
        return _counted(_iso_2022_jp(data))
    if charset not in MULTI:
        return _counted(codecs.charmap_decode(data, "strict", _table(charset))[0])
    codec = MULTI[charset]
    try:
        return data.decode(codec), 0
    except UnicodeDecodeError:
        text = data.decode(codec, "replace")
        return text, text.count(REPLACEMENT) - _own_replacements(data, codec)


def _own_replacements(data: bytes, codec: str) -> int:
    """U+FFFD that the page itself spells; only the Unicode encodings and gb18030 can."""
    if not codec.startswith(("utf", "gb18030")):
        return 0
    spelled = REPLACEMENT.encode(codec)
    return data.count(spelled) if codec == "utf-8" else data.decode(codec, "ignore").count(REPLACEMENT)


def _counted(text: str) -> tuple[str, int]:
    return text, text.count(REPLACEMENT)


@lru_cache
def _table(charset: str) -> str:
    """What each byte means. The standard gives every unassigned byte below A0 to the control of its number."""
    codec = SINGLE.get(charset, charset)
    mended = MENDED.get(charset, {})
    return "".join(mended.get(byte) or _meaning(byte, codec) for byte in range(256))


def _meaning(byte: int, codec: str) -> str:
    try:
        return bytes([byte]).decode(codec)
    except UnicodeDecodeError:
        return chr(byte) if byte < 0xA0 else REPLACEMENT


def _euc_jp(data: bytes) -> str:
    """JIS X 0208 with the rows of NEC and IBM, which Python's codec lacks, in the characters of Windows."""
    try:
        text = data.decode("euc_jp")
    except UnicodeDecodeError:
        text = data.decode("euc_jp", "replace")
        if text.count(REPLACEMENT) <= MOST_MENDS:
            text = data.decode("euc_jp", "unquilt.rows-of-windows")
    for plain, wide in FULL_WIDTH.items():
        if plain in text:
            text = text.replace(plain, wide)
    return text


def _rows_of_windows(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    pair = error.object[error.start : error.start + 2]
    if len(pair) == 2 and min(pair) >= 0xA1 and max(pair) <= 0xFE:
        return _shifted(*pair).decode("cp932", "replace")[:1], error.start + 2
    return REPLACEMENT, error.start + 1


codecs.register_error("unquilt.rows-of-windows", _rows_of_windows)


def _shifted(row: int, cell: int) -> bytes:
    """The same cell of the same row of JIS X 0208 in Shift_JIS: two rows share a lead byte."""
    lead, odd = divmod(row - 0xA1, 2)
    trail = cell - 2 if odd else cell - 0x61 + (cell >= 0xE0)
    return bytes([lead + (0x81 if lead < 0x1F else 0xC1), trail])


def _iso_2022_jp(data: bytes) -> str:
    """Each stretch between escapes is a stretch of EUC-JP without its high bits. Damage ends at the next escape."""
    return "".join(_stretch(escape, stretch) for escape, stretch in _stretches(data))


def _stretches(data: bytes) -> list[tuple[bytes, bytes]]:
    parts = [b"\x1b(B", *ESCAPE.split(data)]
    return list(zip(parts[::2], parts[1::2], strict=True))


def _stretch(escape: bytes, stretch: bytes) -> str:
    if escape in (b"\x1b(B", b"\x1b(J"):
        return stretch.decode("ascii", "replace")
    if escape == b"\x1b(I":
        return b"".join(b"\x8e%c" % (byte | 0x80) if 0x21 <= byte <= 0x5F else b"%c" % byte for byte in stretch).decode("euc_jp", "replace")
    lines = re.split(rb"([\x00-\x20]+)", stretch)
    return "".join(_kanji(part, escape) if part[:1] > b" " else part.decode("ascii") for part in lines)


def _kanji(part: bytes, escape: bytes) -> str:
    high = bytes(byte | 0x80 for byte in part)
    if escape == b"\x1b$(D":
        high = b"".join(b"\x8f" + high[i : i + 2] for i in range(0, len(high), 2))
    return _euc_jp(high)
