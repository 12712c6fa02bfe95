"""Hypothesis strategies: hostile pages of text, words, grams and posting lists."""

from hypothesis import strategies as st

# Text

SCRIPTS = {
    "ascii": "abcXYZ09 .'-_",
    "latin": "éßẞıİĳŒÿŠǅﬁſKÅ\u0301\u0327",
    "greek": "ΣσςΆᾴᾈᾀΐΰ",
    "cyrillic": "ЙйёЁІѢ\u0483",
    "georgian, armenian, cherokee": "ႠაᲐԱաꭰᎠᏸ",
    "hebrew": "שׁלוֹםךװ",
    "arabic": "السَّلاميك٣ـ\u06dd",
    "indic": "हिन्दीক্ষதமிழ்९।",
    "thai": "ก็ที่นี่ไทยน้ำ๑ๆฯ฿",
    "lao": "ລາວນ້ຳຽໜ໑ໆ",
    "khmer": "ខ្មែរឥ៉ៗ៥៛",
    "myanmar": "မြန်မာဘာ္သာၐ၅၊ꧠꩠ",
    "han": "漢字𠀀豈々〇〆〡",
    "kana": "かがカー\u3099ｶﾞﾟｰヽゝ〱〼・",
    "bopomofo": "ㄅㄆˊ",
    "hangul": "한국어\u1112\u1161\u11ab",
    "digits": "٣९๑Ⅷ①²⁵㊀㎏㋿",
    "emoji": "👩\u200d👩\u200d👧❤\ufe0f🏽🇩🇪♥",
    "beyond the plane": "𐐀𐐨𞤀𞤢𖺠𝒜\U000e0041",
}
INVISIBLE = "\u00ad\u034f\u180b\u180e\u180f\u200c\u200d\u2060\ufe00\ufe0f\ufeff\U000e0100\U000e01ef"
SEPARATORS = "\0\t\n\x7f\x85\xa0\u180a\u200b\u2028\u3000\ufffc\ufffd\ufffe\ue000\U0010ffff’_-'…"
LINKERS = "\u1039\u17d2"
SPECIAL = st.sampled_from("".join(SCRIPTS.values()) + INVISIBLE + SEPARATORS + LINKERS)
INVALID = (
    b"\x80 \xbf \xc0 \xc1 \xf5 \xfe \xff \xc0\x80 \xc1\xbf \xe0\x80\x80 \xe0\x9f\xbf \xf0\x80\x80\x80 \xf0\x8f\xbf\xbf "
    b"\xc3 \xe2 \xe2\x82 \xe0\xa0 \xed\xa0\x80 \xed\xbf\xbf \xed\xa0\xbd\xed\xb8\x80 \xf0 \xf0\x90 \xf0\x90\x8d \xf4\x8f \xf4\x90 "
    b"\xf4\x90\x80\x80 \xf4\xbf\xbf\xbf \xf8\x88\x80\x80\x80 \xe2\x82\x41 \xe1\x80\xe2\xf0\x91\x92\xf1\xbf"
).split(b" ")


def texts() -> st.SearchStrategy[str]:
    """Text of one script, of all that is special, or of any code points."""
    of_script = st.sampled_from(sorted(SCRIPTS.values())).flatmap(
        lambda letters: st.text(st.one_of(st.sampled_from(letters), SPECIAL), max_size=20)
    )
    return st.one_of(of_script, st.text(SPECIAL, max_size=20), st.text(max_size=10))


def long_runs() -> st.SearchStrategy[str]:
    """One letter many times: words longer than any buffer, runs that end just before or after 64 bytes."""
    letter = st.sampled_from(["a", "Z", "9", " ", "é", "İ", "Ⱥ", "漢", "ก", "\u0301", "\u1039", "\u00ad", "𐐀", "က\u1039"])
    length = st.one_of(st.integers(1, 20), st.sampled_from((31, 32, 33, 63, 64, 65, 127, 128, 129, 300)))
    return st.tuples(letter, length).map(lambda run: run[0] * run[1])


def hostile_page() -> st.SearchStrategy[bytes]:
    """Bytes of a page: text of any script, long runs, ill-formed sequences, cut and glued anywhere."""
    text = st.one_of(texts(), long_runs()).map(str.encode)
    piece = st.one_of(text, text, st.sampled_from(INVALID), st.binary(max_size=6))
    cut = st.tuples(text, st.integers(0, 3)).map(lambda cut: cut[0][: len(cut[0]) - cut[1]])
    return st.lists(st.one_of(piece, cut), max_size=8).map(b"".join)


def hostile_pages() -> st.SearchStrategy[list[bytes]]:
    """Batches of pages, some empty."""
    return st.lists(st.one_of(hostile_page(), st.just(b"")), max_size=8)


# Numbers

EDGES = (0, 1, 2, 2**16, 2**31, 2**32, 2**48, 2**62, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1)
BITS = st.sampled_from((0, 1, 1, 2, 3, 8, 16))


def uint64() -> st.SearchStrategy[int]:
    """Whole numbers of 64 bits: few that repeat, edges, numbers with the same first or last bits, any."""
    return st.one_of(
        st.integers(0, 5),
        st.sampled_from(EDGES),
        st.integers(0, 7).map(lambda n: n << 61),
        st.integers(0, 2**64 - 1),
    )


def word_pages() -> st.SearchStrategy[list[list[int]]]:
    """Pages of words; many empty, many shorter than a gram."""
    return st.lists(st.lists(uint64(), max_size=80), max_size=8)


def gram_pages() -> st.SearchStrategy[list[list[int]]]:
    """Pages of grams that share grams, repeat them, have none, or have all the same."""
    page: st.SearchStrategy[list[int]] = st.one_of(
        st.lists(uint64(), max_size=12),
        st.tuples(uint64(), st.integers(1, 40)).map(lambda run: [run[0]] * run[1]),
        st.just([]),
    )
    return st.lists(page, max_size=20)


def keeps(pages: int) -> st.SearchStrategy[list[bool]]:
    """Which of so many pages are kept."""
    return st.one_of(st.just([True] * pages), st.lists(st.booleans(), min_size=pages, max_size=pages))


def page_sets() -> st.SearchStrategy[list[set[int]]]:
    """For each of some grams the pages it is on; many grams have the same pages."""
    pages = st.sets(st.one_of(st.integers(0, 6), st.integers(0, 2**40)), min_size=1, max_size=8)
    return st.lists(pages, min_size=1, max_size=5).flatmap(lambda some: st.lists(st.one_of(st.sampled_from(some), pages), max_size=25))


def gram_and_page_pairs() -> st.SearchStrategy[list[tuple[int, int]]]:
    """Pairs (gram, page) without repetition, sorted; cold grams, hot grams, shared lists of pages."""
    return page_sets().flatmap(
        lambda sets: st.lists(uint64(), min_size=len(sets), max_size=len(sets), unique=True).map(
            lambda grams: sorted((gram, page) for gram, pages in zip(grams, sets, strict=True) for page in pages)
        )
    )
