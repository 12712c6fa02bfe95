"""In which language does a page say it is, and which is it found to be in?

Declared, the first of these that names a language: the `lang` of `<html>`, `<meta http-equiv="content-language">`,
`og:locale`, `<meta name="language">`, the `Content-Language` header. The element stands nearest to the text; the header
is mostly a server's default. Of a list the first entry counts; what is said twice counts where it is said first.

Detected: a bounded sample of the text is looked at. Where one script is written by one language only (Thai, Hangul,
Greek ...) the script decides; elsewhere the distance of character n-grams to the languages of that script does, if
the nearest language is nearer than the next by a margin. It says the language alone, never a region. Serbian and
Bosnian in Latin letters are told as `hr`, both kinds of Norwegian as `no`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Fact = tuple[str, str, str]

VERSION = 1

LONGEST_TAG = 35
TAG = re.compile(r"([a-z]{2,3})(?:-[a-z]{3}(?=-|$)){0,3}(?:-([a-z]{4})(?=-|$))?(?:-([a-z]{2}|[0-9]{3})(?=-|$))?(?:-|$)")
HEADER = ("", "header")
PLACES = (("html", ""), ("http-equiv", "content-language"), ("meta", "og:locale"), ("meta", "language"), HEADER)
# Undetermined, several, without a code, none at all, and templates that nobody filled in.
NO_LANGUAGE = frozenset("und mul mis zxx xx xxx".split())
# The short form that is the language's own, and codes that have been replaced.
_SHORT = """
    eng en deu de ger de fra fr fre fr spa es ita it por pt nld nl dut nl rus ru ukr uk pol pl ces cs cze cs slk sk slo sk hun hu ron ro
    rum ro bul bg ell el gre el tur tr ara ar heb he iw he fas fa per fa hin hi ben bn tam ta tel te urd ur zho zh chi zh cmn zh jpn ja kor
    ko vie vi tha th ind id in id msa ms may ms swe sv dan da nor no nob nb nno nn fin fi est et lav lv lit lt isl is ice is gle ga cym cy
    wel cy cat ca eus eu baq eu glg gl hrv hr srp sr bos bs slv sl mkd mk mac mk sqi sq alb sq hye hy arm hy kat ka geo ka ji yi jw jv mo ro
    tgl tl
""".split()
SHORT = dict(zip(_SHORT[::2], _SHORT[1::2], strict=True))
# Countries that people write where a language belongs, as far as no language has that code.
COUNTRY = {"cn": "zh-CN", "jp": "ja", "gr": "el", "ua": "uk", "dk": "da", "cz": "cs", "gb": "en-GB", "us": "en-US"}


def declared(facts: Iterable[Fact], header: str | None) -> str | None:
    """The language the page declares, as a short BCP 47 tag like `pt-BR` or `zh-Hant`, or None."""
    said: dict[tuple[str, str], str] = {}
    for kind, name, value in facts:
        place = (kind, "" if kind == "html" else name.lower())
        if place in PLACES and place not in said and tag_of(value):
            said[place] = value
    if header:
        said.setdefault(HEADER, header)
    return next((tag for place in PLACES if place in said and (tag := tag_of(said[place]))), None)


def tag_of(said: str) -> str | None:
    """Language, script and region of what was said, in canonical case; None where it names no language."""
    first = re.split(r"[\s,;.]", said[: 4 * LONGEST_TAG].strip(), maxsplit=1)[0]
    return _tag_of(first) if 0 < len(first) <= LONGEST_TAG else None


@lru_cache(maxsize=1 << 12)
def _tag_of(said: str) -> str | None:
    plain = said.lower().replace("_", "-")
    found = TAG.match(plain)
    if found is None or plain in NO_LANGUAGE or found[1] in NO_LANGUAGE:
        return None
    language, script, region = found.groups()
    if language in COUNTRY:
        return COUNTRY[language]
    parts = [SHORT.get(language, language), script and script.title(), region and region.upper()]
    return "-".join(part for part in parts if part)


SAMPLE, PIECES = 3000, 3
LETTERS = 60  # of a script that several languages share; one in which a character is a word needs a sixth of them
WIDE = 6
# In the ranks of the n-gram vectors: two languages are 60 apart (median), more by chance in a short text.
MARGIN, RARE_MARGIN, SHORT_MARGIN = 8, 16, 1600
FARTHEST = 1000
KANA_SHARE = 20  # Japanese has a kana in any twenty characters; Chinese quotes fewer

# One language each: begin and end of its script, half open.
OWN_SCRIPT = {
    "el": ((0x0370, 0x0400), (0x1F00, 0x2000)),
    "hy": ((0x0530, 0x0590),),
    "he": ((0x0590, 0x0600),),
    "dv": ((0x0780, 0x07C0),),
    "pa": ((0x0A00, 0x0A80),),
    "gu": ((0x0A80, 0x0B00),),
    "or": ((0x0B00, 0x0B80),),
    "ta": ((0x0B80, 0x0C00),),
    "te": ((0x0C00, 0x0C80),),
    "kn": ((0x0C80, 0x0D00),),
    "ml": ((0x0D00, 0x0D80),),
    "si": ((0x0D80, 0x0E00),),
    "th": ((0x0E00, 0x0E80),),
    "lo": ((0x0E80, 0x0F00),),
    "bo": ((0x0F00, 0x1000),),
    "my": ((0x1000, 0x10A0),),
    "ka": ((0x10A0, 0x1100), (0x1C90, 0x1CC0)),
    "am": ((0x1200, 0x13A0),),
    "km": ((0x1780, 0x1800),),
    "ko": ((0x1100, 0x1200), (0x3130, 0x3190), (0xAC00, 0xD7B0)),
    "ja": ((0x3040, 0x3100),),
    "zh": ((0x2E80, 0x2FE0), (0x3400, 0xA000), (0xF900, 0xFB00), (0x20000, 0x30000)),
}
SHARED_SCRIPT = {
    "Latin": ((0x41, 0x5B), (0x61, 0x7B), (0xC0, 0xD7), (0xD8, 0xF7), (0xF8, 0x2B0), (0x0300, 0x0370), (0x1E00, 0x1F00)),
    "Cyrillic": ((0x0400, 0x0530),),
    "Arabic": ((0x0600, 0x0700), (0x0750, 0x0780), (0xFB50, 0xFE00), (0xFE70, 0xFF00)),
    "Devanagari": ((0x0900, 0x0980),),
    "Bengali": ((0x0980, 0x0A00),),
}
# Whom the detector may name by script. Latin, Volapük, Ido and Sanskrit are not asked for: filler text looks like them.
LANGUAGES = {
    "Latin": "af az br ca cs cy da de en eo es et eu fi fo fr fy ga gd gl ha hr hu id is it jv ku lb lt lv mg mt nl no pl pt rm ro sc sk "
    "sl so sq sv sw tk tl tr uz vi".split(),
    "Cyrillic": "ba be bg ce cv kk ky mk mn ru sr tg tt uk".split(),
    "Arabic": "ar fa ps sd ug ur".split(),
    "Devanagari": "hi mr ne".split(),
    "Bengali": "as bn".split(),
}
# Near relatives of languages that far more pages are written in: they must win by more.
RARE = frozenset("af br eo fo fy gd gl jv ku lb rm sc tk tl mg ba ce cv tt ky tg sd as".split())
SCRIPTS = (*OWN_SCRIPT, *SHARED_SCRIPT)


def detected(text: str) -> str | None:
    """The language of the text as it looks, or None where there is too little of it or two languages are equally near."""
    letters, counts = _letters(unicodedata.normalize("NFC", _sample(text)))
    script, many = _script(counts)
    if script in OWN_SCRIPT:
        return script if many * WIDE >= LETTERS else None
    return _nearest(letters, script, many) if many >= LETTERS else None


def _sample(text: str) -> str:
    """All of a short text, else pieces from its inside: it begins and ends with menus."""
    if len(text) <= SAMPLE:
        return text
    size = SAMPLE // PIECES
    middles = (len(text) * piece // (PIECES + 1) for piece in range(1, PIECES + 1))
    return " ".join(text[middle - size // 2 : middle + size // 2] for middle in middles)


def _letters(sample: str) -> tuple[str, dict[str, int]]:
    """The sample in lower case with one blank for all between its words, and how many letters it has of each script."""
    import numpy as np

    points = np.frombuffer(sample.lower().encode("utf-32-le", "replace"), np.uint32)
    scripts = _scripts()[points]
    word = scripts > 0
    counts = np.bincount(scripts, minlength=len(SCRIPTS) + 1)
    kept = word.copy()
    kept[1:] |= word[:-1]
    letters = np.where(word, points, 0x20)[kept].astype(np.uint32).tobytes().decode("utf-32-le")
    return letters, dict(zip(SCRIPTS, counts[1:].tolist(), strict=True))


def _script(letters: dict[str, int]) -> tuple[str, int]:
    """The script of most of the letters, and how many are in it. A character that is a word counts as several."""
    if letters["ja"] * KANA_SHARE >= letters["ja"] + letters["zh"]:
        letters["ja"] += letters.pop("zh")
    weights = {script: n * (WIDE // 2 if script in ("zh", "ja", "ko") else 1) for script, n in letters.items()}
    most = max(weights, key=lambda script: weights[script])  # of equals the first in the table
    return most, letters[most]


def _nearest(words: str, script: str, letters: int) -> str | None:
    from resiliparse.parse.lang import detect_fast

    nearest = cast(list[tuple[str, int]], detect_fast(words, FARTHEST, 4, LANGUAGES[script]))
    ranked = sorted((rank + (RARE_MARGIN if code in RARE else 0), code) for code, rank in nearest)
    if not ranked or (len(ranked) > 1 and ranked[1][0] - ranked[0][0] < MARGIN + SHORT_MARGIN // letters):
        return None
    return ranked[0][1]


@lru_cache(maxsize=1)
def _scripts() -> NDArray[Any]:
    """The script of each code point, as its number in SCRIPTS from 1; 0 for all others."""
    import numpy as np

    scripts = np.zeros(0x110000, np.uint8)
    for number, blocks in enumerate((*OWN_SCRIPT.values(), *SHARED_SCRIPT.values()), 1):
        for begin, end in blocks:
            scripts[begin:end] = number
    return scripts
