"""What a word is: `docs/words.md` by literal words, the twin for everything else."""

import random
import unicodedata
from collections.abc import Iterable
from itertools import pairwise

import numpy as np
import pytest
import regex
import unicodedata2
from arrays import nested, text_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import INVALID, INVISIBLE, hostile_page, hostile_pages, long_runs, texts

from unquilt import kernel
from unquilt.kernel import twins

CODE_POINTS = range(0x110000)
CHARACTERS = [chr(n) for n in CODE_POINTS if not 0xD800 <= n < 0xE000]

# The same rule as one pattern of classes: a word is what begins with a letter or mark and goes on with
# letters, marks and linkers; or an ideograph, syllable or linker and the marks, linkers and linked
# syllables after it.
INITIAL = {"letter": "L", "mark": "M", "linker": "K", "ideograph": "I", "syllable": "S", "separator": " "}
WORD = regex.compile(r"[LM][LMK]*|[ISK](?:[MK]|(?<=K)S)*")


def hashes(*words: str) -> list[int]:
    return [twins.word_hash(word.encode()) for word in words]


def kernel_words(pages: list[bytes]) -> list[list[int]]:
    return nested(*kernel.words(*text_of(pages)))


def words_of(text: str | bytes) -> list[int]:
    return kernel_words([text if isinstance(text, bytes) else text.encode()])[0]


def spans_of(text: str | bytes) -> list[tuple[int, int, int]]:
    return kernel_spans([text if isinstance(text, bytes) else text.encode()])[0]


def places_of(text: str | bytes) -> list[tuple[int, int]]:
    return [(begin, end) for _, begin, end in spans_of(text)]


def kernel_spans(pages: list[bytes]) -> list[list[tuple[int, int, int]]]:
    words, starts, begin, end = kernel.spans(*text_of(pages))
    rows = list(zip(words.tolist(), begin.tolist(), end.tolist(), strict=True))
    return [rows[a:b] for a, b in pairwise(starts.tolist())]


# Literal words

IN_SHORT = [
    ("Don't panic", "don t panic"),
    ("Don’t panic", "don t panic"),
    ("co-operate, snake_case", "co operate snake case"),
    ("3.14 abc123", "3 14 abc123"),
    ("co\u00adop", "coop"),
    ("a\u200bb", "a b"),
    ("Straße STRASSE", "straße strasse"),
    ("ΣΊΣΥΦΟΣ Σίσυφος", "σίσυφοσ σίσυφοσ"),
    ("İstanbul ISTANBUL ıstanbul", "istanbul istanbul ıstanbul"),
    ("Привет, МИР", "привет мир"),
    ("שָׁלוֹם", "שָׁלוֹם"),
    ("السَّلام عليكم", "السَّلام عليكم"),
    ("می\u200cخواهم", "میخواهم"),
    ("हिन्दी भाषा", "हिन्दी भाषा"),
    ("한국어 문장", "한국어 문장"),
    ("漢字と語", "漢 字 と 語"),
    ("コーヒー", "コ ー ヒ ー"),
    ("か\u3099く", "か\u3099 く"),
    ("ｶﾞ", "ｶﾞ"),
    ("Web漢字2漢", "web 漢 字 2 漢"),
    ("ที่นี่", "ที่ นี่"),
    ("น้ำ", "น้ำ"),
    ("ไทย๑๒", "ไ ท ย ๑ ๒"),
    ("ລາວ", "ລ າ ວ"),
    ("ខ្មែរ", "ខ្មែ រ"),
    ("မြန်မာ", "မြ န် မာ"),
    ("I ♥ 🐈 2⁵", "i 2⁵"),
    ("é e\u0301", "é e\u0301"),
    ("+\u0301a", "\u0301a"),
    ("ﬁ Ⅷ ① ㎏ ㋿", "ﬁ ⅷ ①"),
]
BY_SCRIPT = {
    "english": ("The QUICK brown-fox's 2nd e-mail", "the quick brown fox s 2nd e mail"),
    "german": ("Ärger mit GROẞEN Maßen", "ärger mit großen maßen"),
    "french": ("L’été, c’est « là »", "l été c est là"),
    "greek": ("Ο Οδυσσεύς· ΟΔΥΣΣΕΎΣ, ᾈ", "ο οδυσσεύσ οδυσσεύσ ᾀ"),
    "turkish": ("DİYARBAKIR diyarbakır", "diyarbakir diyarbakır"),
    "russian": ("Съешь ещё ЭТИХ; булок‐то", "съешь ещё этих булок то"),
    "georgian": ("ᲗᲑᲘᲚᲘᲡᲘ თბილისი Ⴇ", "თბილისი თბილისი ⴇ"),
    "armenian": ("ԵՐԵՎԱՆ և", "երեվան և"),
    "cherokee": ("ꮳꮃꭹ ᏣᎳᎩ", "ᏣᎳᎩ ᏣᎳᎩ"),
    "arabic": ("كِتَابٌ، ٣٫١٤؟ مـد", "كِتَابٌ ٣ ١٤ مـد"),
    "hebrew": ("בְּרֵאשִׁית צה״ל בית־ספר", "בְּרֵאשִׁית צה ל בית ספר"),
    "persian": ("نمی\u200cدانم کتاب\u200cها", "نمیدانم کتابها"),
    "hindi": ("क्षत्रिय। क्‍ष १२॥", "क्षत्रिय क्ष १२"),
    "tamil": ("தமிழ் மொழி", "தமிழ் மொழி"),
    "thai": ("สวัสดีครับ ๆฯ", "ส วั ส ดี ค รั บ ๆ ฯ"),
    "lao": ("ສະບາຍດີ ນ້ຳ ໝູ່", "ສ ະ ບ າ ຍ ດີ ນ້ຳ ໝູ່"),
    "khmer": ("ស្ត្រី កម្ពុជា៕", "ស្ត្រី ក ម្ពុ ជា"),
    "myanmar": ("သတ္တဝါ ကျွန်ုပ်။", "သ တ္တ ဝါ ကျွ န်ု ပ်"),
    "chinese": ("我爱北京，𠀀〇々。", "我 爱 北 京 𠀀 〇 々"),
    "japanese": ("東京タワーへ、ガ ゝ・〆", "東 京 タ ワ ー へ ガ ゝ 〆"),
    "bopomofo": ("ㄅㄆㄇ", "ㄅ ㄆ ㄇ"),
    "korean": ("대한민국 ㄱㄴ \u1112\u1161\u11ab漢字", "대한민국 ㄱㄴ \u1112\u1161\u11ab 漢 字"),
    "emoji": ("ok👩\u200d👩\u200d👧go 👍🏽 🇩🇪 1️⃣", "ok go 1\u20e3"),
    "digits": ("12,345.67 x² ½ Ⅳ ٣ 〡㊀", "12 345 67 x² ½ ⅳ ٣ 〡 ㊀"),
    "mathematics": ("𝒜𝐀≠ℝ∞", "𝒜𝐀 ℝ"),
    "after the plane": ("𐐀𐐁 𞤀𞤁 𖺠", "𐐨𐐩 𞤢𞤣 𖺻"),
    "vietnamese": ("TIẾNG Việt", "tiếng việt"),
    "mongolian": ("ᠮᠣᠩ\u180bᠭᠣᠯ\u180eᠠ", "ᠮᠣᠩᠭᠣᠯᠠ"),
}


@pytest.mark.parametrize(("text", "words"), IN_SHORT)
def test_the_examples_of_the_document_are_so(text: str, words: str) -> None:
    assert twins.word_texts(text.encode()) == words.split()
    assert words_of(text) == hashes(*words.split())


@pytest.mark.parametrize("script", BY_SCRIPT)
def test_words_of_a_script(script: str) -> None:
    text, words = BY_SCRIPT[script]
    assert twins.word_texts(text.encode()) == words.split()
    assert words_of(text) == hashes(*words.split())


def test_a_final_sigma_is_the_same_word() -> None:
    assert words_of("ΟΔΟΣ οδος οδοσ") == hashes("οδοσ") * 3


def test_a_dotted_capital_i_is_an_i_and_a_dotless_i_is_not() -> None:
    assert words_of("İ I i ı") == hashes("i", "i", "i", "ı")


def test_a_sharp_s_is_not_ss_and_its_capital_is_the_same() -> None:
    assert words_of("ẞ ß ss") == hashes("ß", "ß", "ss")


def test_foldings_of_recent_unicode_versions_are_known() -> None:
    """U+FB05, U+1FD3 and U+1FE3 have simple foldings since 15.1, U+A7CE and U+16EA0 since 17.0."""
    assert words_of("ﬅ \u1fd3 \u1fe3 \ua7ce \ua7dc \U00010d50 \U00016ea0") == hashes(
        "ﬆ", "\u0390", "\u03b0", "\ua7cf", "\u019b", "\U00010d70", "\U00016ebb"
    )


def test_a_mark_that_folds_to_a_letter_is_a_mark() -> None:
    """U+0345 is a mark and folds to iota: it stays with the ideograph before it."""
    assert words_of("漢\u0345漢") == hashes("漢ι", "漢")


def test_a_word_is_hashed_as_folded_whatever_its_length_in_bytes_becomes() -> None:
    """U+023A grows from two bytes to three, the kelvin sign shrinks from three to one."""
    for length in range(1, 50):
        assert words_of("Ⱥ" * length + " " + "\u212a" * length) == hashes("ⱥ" * length, "k" * length)


def test_a_nul_separates() -> None:
    assert words_of(b"a\0b\0") == hashes("a", "b")


def test_code_points_unassigned_private_or_replaced_separate() -> None:
    assert words_of("a\u0378b\ue000c\ufffdd\ufffee\U000e0001f") == hashes(*"abcdef")


def test_a_byte_order_mark_is_ignored() -> None:
    assert spans_of("\ufeffa\ufeffb") == [(*hashes("ab"), 1, 4)]


def test_a_soft_hyphen_lies_inside_a_word_and_not_around_it() -> None:
    assert spans_of("\u00ada\u00adb\u00ad c\u00ad") == [(*hashes("ab"), 1, 4), (*hashes("c"), 6, 7)]


def test_a_mark_after_ignorables_still_joins() -> None:
    assert spans_of("漢\u200d\u0301字") == [(*hashes("漢\u0301"), 0, 3), (*hashes("字"), 3, 4)]


def test_a_linker_binds_through_ignorables_and_marks_unbind_it() -> None:
    assert words_of("ក\u17d2\u200cក ក\u17d2\u0301ក") == hashes("ក\u17d2ក", "ក\u17d2\u0301", "ក")


def test_a_linker_binds_a_syllable_of_any_of_the_scripts_but_no_letter_and_no_ideograph() -> None:
    assert words_of("က\u1039ກ က\u1039a က\u1039漢") == hashes("က\u1039ກ", "က\u1039", "a", "က\u1039", "漢")


def test_a_linker_in_a_long_word_binds_no_syllable() -> None:
    assert words_of("a\u1039က \u0301\u1039က") == hashes("a\u1039", "က", "\u0301\u1039", "က")


def test_a_linker_after_a_separator_begins_a_word() -> None:
    assert words_of("\u1039က\u1039\u1039က က") == hashes("\u1039က\u1039\u1039က", "က")


def test_a_mark_after_an_ideograph_stays_and_a_letter_after_it_does_not() -> None:
    assert words_of("漢\u0301a") == hashes("漢\u0301", "a")


# Ill-formed UTF-8


@pytest.mark.parametrize(
    ("sequence", "replacements"),
    [
        (b"\x80", 1),
        (b"\xff\xfe", 2),
        (b"\xc3", 1),
        (b"\xc0\x80", 2),
        (b"\xc1\xbf", 2),
        (b"\xe2\x82", 1),
        (b"\xe0\x80\x80", 3),
        (b"\xe0\x9f\xbf", 3),
        (b"\xed\xa0\x80", 3),
        (b"\xed\xa0\xbd\xed\xb8\x80", 6),
        (b"\xf0\x90\x8d", 1),
        (b"\xf0\x8f\xbf\xbf", 4),
        (b"\xf4\x90\x80\x80", 4),
        (b"\xf4\x8f\xbf", 1),
        (b"\xf8\x88\x80\x80\x80", 5),
        (b"\xe1\x80\xe2\xf0\x91\x92\xf1\xbf", 4),
    ],
)
def test_each_maximal_invalid_subpart_is_one_replaced_code_point(sequence: bytes, replacements: int) -> None:
    after = 1 + replacements
    assert spans_of(b"a" + sequence + b"b") == [(*hashes("a"), 0, 1), (*hashes("b"), after, after + 1)]
    assert spans_of(b"a" + sequence) == [(*hashes("a"), 0, 1)]


def test_the_bytes_of_the_next_page_never_complete_a_sequence() -> None:
    pages = [b"a\xc3", b"\xa9b", b"\xe6\xbc", b"\xa2", b"\xf0\x90\x90", b"\x80"]
    assert kernel_words(pages) == [hashes("a"), hashes("b"), [], [], [], []]


def test_every_two_bytes_are_read_as_the_twin_reads_them() -> None:
    assert_twins(bytes((a, b)) for a in range(256) for b in range(256))


BOUNDARY_BYTES = bytes.fromhex("00 41 7f 80 8f 90 9f a0 bf c1 c2 df e0 e1 ec ed ee ef f0 f1 f3 f4 f5 ff")


def test_every_three_bytes_at_a_boundary_are_read_as_the_twin_reads_them() -> None:
    assert_twins(bytes((a, b, c)) for a in BOUNDARY_BYTES for b in BOUNDARY_BYTES for c in BOUNDARY_BYTES)


@pytest.mark.long
def test_every_four_bytes_at_a_boundary_are_read_as_the_twin_reads_them() -> None:
    for first in BOUNDARY_BYTES:
        assert_twins(bytes((first, a, b, c)) for a in BOUNDARY_BYTES for b in BOUNDARY_BYTES for c in BOUNDARY_BYTES)


@pytest.mark.parametrize("sequence", INVALID)
def test_ill_formed_sequences_are_found_at_any_place(sequence: bytes) -> None:
    assert_twins(b"a" * before + sequence + b"b" * after for before in range(70) for after in (0, 1, 40))


# Every code point


def assert_twins(pages: Iterable[bytes]) -> None:
    """The kernel's words and places of each page are the twin's."""
    pages = list(pages)
    for page, got in zip(pages, kernel_spans(pages), strict=True):
        assert got == twins.spans(page), page


def around(code_point: int) -> bytes:
    """Return a page with the code point alone, after "a", between Thai letters, after a linker."""
    c = chr(code_point)
    return f"{c} a{c} ก{c}ก\u1039{c}".encode("utf-8", "surrogatepass")


def test_a_sample_of_code_points_is_as_the_twin_has_it() -> None:
    assert_twins(map(around, [*range(0x3400), *range(0x3400, 0x110000, 97)]))


@pytest.mark.long
@pytest.mark.parametrize("plane", range(17))
def test_every_code_point_is_as_the_twin_has_it(plane: int) -> None:
    assert_twins(map(around, range(plane << 16, (plane + 1) << 16)))


def test_both_sides_of_every_boundary_between_classes_are_as_the_twin_has_them() -> None:
    classes = [twins.class_of(c) for c in CHARACTERS]
    edges = [at for at in range(1, len(classes)) if classes[at - 1] != classes[at]]
    assert_twins(around(ord(CHARACTERS[side])) for at in edges for side in (at - 1, at))


def test_every_code_point_that_folds_is_folded_as_the_twin_folds_it() -> None:
    folding = [c for c in CHARACTERS if twins.fold(c) != c]
    assert len(folding) > 1500
    assert_twins(f"{c}x{c}漢{c}".encode() for c in folding)


# The twin's own facts


def test_the_facts_of_the_twin_are_of_unicode_17() -> None:
    """The release of `regex` has the categories that `unicodedata2` has, so it is of the same version."""
    assert unicodedata2.unidata_version == "17.0.0"
    of_category: dict[str, list[str]] = {}
    for c in CHARACTERS:
        of_category.setdefault(unicodedata2.category(c), []).append(c)
    for category, characters in of_category.items():
        runs = regex.findall(rf"\p{{General_Category={category}}}+", "".join(CHARACTERS))
        assert "".join(runs) == "".join(characters), category


def test_the_twin_folds_as_python_does_where_python_knows_the_code_point() -> None:
    for c in CHARACTERS:
        if unicodedata.category(c) != "Cn" and len(c.casefold()) == 1 and c.casefold() != c:
            assert twins.fold(c) == c.casefold()


def test_folding_twice_is_folding_once() -> None:
    assert all(twins.fold(twins.fold(c)) == twins.fold(c) for c in CHARACTERS)


@given(hostile_page())
def test_the_table_of_the_twin_is_one_pattern_of_classes(page: bytes) -> None:
    kept = [at for at, c in enumerate(twins.decode(page)) if twins.class_of(c) != "ignorable"]
    classes = "".join(INITIAL[twins.class_of(twins.decode(page)[at])] for at in kept)
    assert twins.word_places(twins.decode(page)) == [kept[word.start() : word.end()] for word in WORD.finditer(classes)]


SYLLABLES = "".join(c for c in CHARACTERS if regex.match(r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]", c) and twins.class_of(c) != "separator")


@given(st.text(st.sampled_from(SYLLABLES), max_size=20))
def test_no_word_begins_within_a_grapheme_cluster(text: str) -> None:
    clusters = {cluster.start() for cluster in regex.finditer(r"\X", text)}
    assert {begin for begin, _ in places_of(text)} <= clusters


@given(st.text(st.sampled_from([c for c in SYLLABLES if c < "\u0f00"]), max_size=20))
def test_a_word_of_thai_or_lao_is_a_grapheme_cluster(text: str) -> None:
    assert places_of(text) == [cluster.span() for cluster in regex.finditer(r"\X", text)]


# Any pages


@given(hostile_pages())
def test_words_are_their_twins(pages: list[bytes]) -> None:
    assert kernel_words(pages) == twins.words(pages)


@given(hostile_pages())
def test_spans_are_their_twins(pages: list[bytes]) -> None:
    assert kernel_spans(pages) == [twins.spans(page) for page in pages]


@given(st.text(max_size=60))
def test_any_text_has_the_words_of_the_twin(text: str) -> None:
    assert spans_of(text) == twins.spans(text.encode())


@given(st.binary(max_size=200))
def test_any_bytes_have_the_words_of_the_twin(page: bytes) -> None:
    assert spans_of(page) == twins.spans(page)


@given(hostile_pages())
def test_spans_have_the_words_of_words(pages: list[bytes]) -> None:
    assert [[word for word, _, _ in page] for page in kernel_spans(pages)] == kernel_words(pages)


@given(hostile_pages())
def test_a_page_in_a_batch_has_the_words_it_has_alone(pages: list[bytes]) -> None:
    assert kernel_words(pages) == [words_of(page) for page in pages]


@given(hostile_page())
def test_the_text_sliced_at_its_places_and_folded_gives_the_words(page: bytes) -> None:
    text = twins.decode(page)
    slices = ["".join(map(twins.fold, text[begin:end])) for begin, end in places_of(page)]
    kept = ["".join(c for c in word if twins.class_of(c) != "ignorable") for word in slices]
    assert hashes(*kept) == words_of(page)
    assert [words_of(text[begin:end]) for begin, end in places_of(page)] == [[word] for word in words_of(page)]


@given(hostile_page())
def test_places_rise_and_never_overlap(page: bytes) -> None:
    places = places_of(page)
    assert all(begin < end for begin, end in places)
    assert all(end <= begin for (_, end), (begin, _) in pairwise(places))
    assert all(begin >= 0 and end <= len(twins.decode(page)) for begin, end in places)


@given(hostile_page())
def test_ignorables_are_as_good_as_absent(page: bytes) -> None:
    without = "".join(c for c in twins.decode(page) if twins.class_of(c) != "ignorable")
    assert words_of(page) == words_of(without)


@given(hostile_page(), st.sampled_from(INVISIBLE))
def test_an_ignorable_after_every_code_point_changes_no_word(page: bytes, ignorable: str) -> None:
    assert words_of(ignorable.join(twins.decode(page))) == words_of(page)


@given(hostile_page())
def test_every_separator_is_as_good_as_a_space(page: bytes) -> None:
    spaced = "".join(" " if twins.class_of(c) == "separator" else c for c in twins.decode(page))
    assert spans_of(spaced) == spans_of(page)


@given(hostile_page())
def test_a_page_of_n_bytes_has_at_most_half_as_many_words(page: bytes) -> None:
    assert len(words_of(page)) <= (len(page) + 1) // 2


@given(texts(), texts())
def test_a_separator_parts_texts(one: str, other: str) -> None:
    assert words_of(f"{one} {other}") == words_of(one) + words_of(other)


# Lengths and places that block-wise reading could get wrong


@given(st.lists(st.one_of(long_runs(), texts()), max_size=12).map("".join))
def test_long_words_are_their_twins(text: str) -> None:
    assert spans_of(text) == twins.spans(text.encode())


@pytest.mark.parametrize("letter", ["a", "Z", "é", "漢", "ก", "𐐀", "\u00ad", "-", "\xa0"])
def test_words_of_any_length_at_any_place_are_their_twins(letter: str) -> None:
    assert_twins(
        (" " * before + "x" * (before % 3) + letter * length + "Q").encode()
        for before in range(68)
        for length in (*range(1, 10), 15, 16, 17, 31, 32, 33, 63, 64, 65)
    )


@pytest.mark.parametrize("other", ["é", "É", "漢", "ที่", "𞤀", "\u200d", "\u2028", "\u0301"])
def test_runs_of_ascii_change_to_other_text_at_any_place(other: str) -> None:
    assert_twins(
        ("Ab 9"[shift:] + "Ab 9" * before + other + "zY" * after).encode()
        for shift in range(4)
        for before in range(35)
        for after in (0, 1, 15, 33)
    )


@pytest.mark.parametrize("unit", ["a", "Ⱥ", "a\u0301", "\u0301", "က\u1039", "漢\u0301", "a\u00ad"])
def test_a_word_of_a_hundred_thousand_code_points_is_a_word(unit: str) -> None:
    assert_twins([(unit * 50_000).encode(), b"", ("x " + unit * 50_000 + " y").encode()])


def test_a_page_of_mixed_text_is_its_twin_from_any_first_byte() -> None:
    page = " ".join(text for text, _ in [*IN_SHORT, *BY_SCRIPT.values()]).encode()
    assert_twins(page[first:] for first in range(0, len(page), 3))


def test_pages_of_shuffled_pieces_are_their_twins() -> None:
    shuffle = random.Random(17)
    pieces = [text.encode() for text, _ in [*IN_SHORT, *BY_SCRIPT.values()]] + list(INVALID) + [b" ", b"", b"\0"]
    assert_twins(b"".join(shuffle.choices(pieces, k=shuffle.randrange(30))) for _ in range(1000))


# Batches


def test_no_pages_have_no_words() -> None:
    words, starts, begin, end = kernel.spans(*text_of([]))
    assert [words.tolist(), starts.tolist(), begin.tolist(), end.tolist()] == [[], [0], [], []]


def test_empty_pages_have_no_words() -> None:
    assert kernel_words([b"", b"", b"a", b"", b""]) == [[], [], hashes("a"), [], []]


def test_many_pages_have_each_their_own_words() -> None:
    pages = [b"%d" % n if n % 3 else b"" for n in range(100_000)]
    text, offsets = text_of(pages)
    words, starts = kernel.words(text, offsets)
    assert starts.tolist() == np.cumsum([0] + [1 if n % 3 else 0 for n in range(100_000)]).tolist()
    assert len(np.unique(words)) == len(words)


def test_pages_may_begin_and_end_within_the_text() -> None:
    """Bytes before the first and after the last offset belong to no page."""
    text = np.frombuffer(b"one two three four", dtype=np.uint8)
    offsets = np.array([4, 9, 9, 13], dtype=np.int64)
    words, starts = kernel.words(text, offsets)
    assert nested(words, starts) == [hashes("two", "t"), [], hashes("hree")]
    assert starts[0] == 0
