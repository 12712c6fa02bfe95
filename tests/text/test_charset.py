"""Which charset a page is read in, rule by rule; and that decoding never raises, never lies about what it replaced."""

import codecs
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from unquilt.text import charset_guess
from unquilt.text.charset import Decoded, decode
from unquilt.text.charset_decoders import MULTI, SINGLE, text_of
from unquilt.text.charset_labels import BESIDE, LABELS, charset_of

RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю. Широкая электрификация южных губерний даст мощный толчок."
JAPANESE = "色は匂へど散りぬるを我が世誰ぞ常ならむ有為の奥山今日越えて浅き夢見し酔ひもせず。あいうえおカタカナ"
CHINESE = "天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏闰余成岁律吕调阳云腾致雨露结为霜"
FRENCH = "Dès Noël où un zéphyr haï me vêt de glaçons würmiens je dîne d'exquis rôtis de bœuf à l'aÿ d'âge mûr."


def read(text: str | bytes, label: str | None = None) -> tuple[str, str, str, int]:
    d = decode(text.encode() if isinstance(text, str) else text, label)
    return d.utf8.decode(), d.charset, d.source, d.replaced


def test_a_byte_order_mark_goes_before_header_and_meta() -> None:
    page = '<meta charset="koi8-r">žluťoučký'
    assert read(b"\xef\xbb\xbf" + page.encode(), "windows-1250") == (page, "UTF-8", "bom", 0)
    assert read(b"\xff\xfe" + page.encode("utf-16-le"), "windows-1250") == (page, "UTF-16LE", "bom", 0)
    assert read(b"\xfe\xff" + page.encode("utf-16-be"), "windows-1250") == (page, "UTF-16BE", "bom", 0)
    assert read(b"\xff\xfe\0\0" + page.encode("utf-32-le")) == (page, "UTF-32LE", "bom", 0)
    assert read(b"\0\0\xfe\xff" + page.encode("utf-32-be")) == (page, "UTF-32BE", "bom", 0)


def test_the_header_goes_before_the_meta() -> None:
    page = f'<meta charset="windows-1251"><p>{RUSSIAN}</p>'
    assert read(page.encode("koi8-r"), "koi8-r") == (page, "KOI8-R", "header", 0)
    assert read(page.encode("cp1251")) == (page, "windows-1251", "meta", 0)


def test_a_label_nobody_knows_is_no_declaration() -> None:
    page = f'<meta charset="windows-1251"><p>{RUSSIAN}</p>'
    assert read(page.encode("cp1251"), "none")[1:] == ("windows-1251", "meta", 0)
    assert read(b"<p>caf\xe9</p>", "x-none")[:2] == ("<p>café</p>", "windows-1252")


def test_what_is_declared_stands_where_the_bytes_allow_it() -> None:
    assert read("<p>café</p>", "utf-8") == ("<p>café</p>", "UTF-8", "header", 0)
    assert read(b"<p>caf\xe9</p>", "iso-8859-15") == ("<p>café</p>", "ISO-8859-15", "header", 0)
    assert read(b"<p>plain</p>", "shift_jis") == ("<p>plain</p>", "Shift_JIS", "header", 0)
    assert read(b"<p>plain</p>") == ("<p>plain</p>", "windows-1252", "default", 0)


def test_latin_1_means_windows_1252() -> None:
    assert read(b"\x93quoted\x94 \x80 5", "ISO-8859-1") == ("“quoted” € 5", "windows-1252", "header", 0)


def test_bytes_that_windows_1252_leaves_open_are_the_controls_of_their_numbers() -> None:
    assert read(b"caf\xe9 \x81", "windows-1252")[0] == "café \x81"


def test_utf_8_is_seen_without_a_word_and_against_a_word() -> None:
    assert read(FRENCH) == (FRENCH, "UTF-8", "detected", 0)
    assert read(FRENCH, "iso-8859-1") == (FRENCH, "UTF-8", "detected", 0)
    assert decode(FRENCH.encode(), "iso-8859-1").note == "declared as windows-1252"


def test_two_characters_that_happen_to_be_utf_8_do_not_overrule_a_charset_of_pairs() -> None:
    assert read("联通".encode("gbk"), "gb2312") == ("联通", "GBK", "header", 0)
    assert read(CHINESE, "gb2312") == (CHINESE, "UTF-8", "detected", 0)


def test_a_few_wrong_bytes_leave_a_utf_8_page_what_it_is() -> None:
    assert read(FRENCH.encode() + b" \xe9\xff") == (FRENCH + " \ufffd\ufffd", "UTF-8", "detected", 2)
    assert read(FRENCH.encode() + b"\xc3", "utf-8") == (FRENCH + "\ufffd", "UTF-8", "header", 1)


def test_a_page_declared_as_utf_8_that_is_none_is_looked_at() -> None:
    page = f"<html><p>{RUSSIAN}</p></html>"
    d = decode(page.encode("cp1251"), "utf-8")
    assert (d.utf8.decode(), d.charset, d.source, d.note) == (page, "windows-1251", "detected", "declared as UTF-8")


def test_a_page_declared_as_one_charset_that_reads_badly_in_it_is_looked_at() -> None:
    page = f"<html><p>{JAPANESE * 3}</p></html>"
    assert read(page.encode("euc_jp"), "shift_jis") == (page, "EUC-JP", "detected", 0)


@pytest.mark.parametrize("label", ["iso-8859-1", "windows-1250", "iso-8859-15"])
@pytest.mark.parametrize(
    ("codec", "name", "text"), [("cp1251", "windows-1251", RUSSIAN), ("euc_jp", "EUC-JP", JAPANESE), ("gbk", "gb18030", CHINESE)]
)
def test_a_charset_of_latin_letters_is_overruled_where_another_script_stands(label: str, codec: str, name: str, text: str) -> None:
    page = f"<html><p>{text * 3}</p></html>"
    assert read(page.encode(codec), label) == (page, name, "detected", 0)


@pytest.mark.parametrize(
    "text", [FRENCH, "Größenwahnsinnig äußerte öffentlich", "»»»» ÄÖÜ ««««", "\xa0\xa0\xa0\xa0" * 9 + "é", "NAÏVE ÉÈÊË ÀÂÄ"]
)
def test_western_text_is_left_in_the_charset_that_was_declared(text: str) -> None:
    assert read((text * 3).encode("cp1252"), "iso-8859-1") == (text * 3, "windows-1252", "header", 0)


@pytest.mark.parametrize(
    ("codec", "name", "text"),
    [
        ("cp1251", "windows-1251", RUSSIAN),
        ("koi8-r", "KOI8-R", RUSSIAN),
        ("cp866", "IBM866", RUSSIAN),
        ("shift_jis", "Shift_JIS", JAPANESE),
        ("euc_jp", "EUC-JP", JAPANESE),
        ("iso2022_jp", "ISO-2022-JP", JAPANESE),
        ("gbk", "gb18030", CHINESE),
        ("cp1252", "windows-1252", FRENCH),
    ],
)
def test_without_a_word_the_bytes_tell(codec: str, name: str, text: str) -> None:
    page = f"<html><head><title>{text}</title></head><body><p>{text} {text}</p></body></html>"
    assert read(page.encode(codec, "ignore"))[1:] == (name, "detected", 0)
    assert read(page.encode(codec, "ignore"))[0] == page.encode(codec, "ignore").decode(codec)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("label", [None, "utf-8", "iso-8859-1"])
def test_utf_16_and_32_without_a_mark_are_seen_by_their_zeros(codec: str, label: str | None) -> None:
    page = f"<!doctype html><html><head><title>News</title></head><body><p>{RUSSIAN}</p></body></html>"
    assert read(page.encode(codec), label) == (page, codec.upper().replace("UTF-16-", "UTF-16").replace("UTF-32-", "UTF-32"), "detected", 0)


def test_utf_16_declared_and_not_there_is_overruled() -> None:
    assert read("<p>plain</p>", "utf-16") == ("<p>plain</p>", "UTF-8", "detected", 0)
    assert read("<p>café</p>", "utf-16") == ("<p>café</p>", "UTF-8", "detected", 0)


def test_a_meta_that_could_be_read_is_in_no_utf_16() -> None:
    assert read('<meta charset="utf-16"><p>café</p>') == ('<meta charset="utf-16"><p>café</p>', "UTF-8", "meta", 0)


def test_zeros_in_a_page_do_not_make_it_utf_16() -> None:
    assert read(b"<p>one\0two\0\0three</p>" * 9)[:2] == ("<p>one\0two\0\0three</p>" * 9, "windows-1252")
    assert read("<p>é\0é</p>", "utf-8") == ("<p>é\0é</p>", "UTF-8", "header", 0)


def test_a_lone_surrogate_is_replaced_and_counted() -> None:
    assert read(b"\xff\xfe" + b"a\0" + b"\x00\xd8" + b"b\0") == ("a\ufffdb", "UTF-16LE", "bom", 1)
    assert read("é".encode() * 9 + b"\xed\xa0\x80", "utf-8") == ("é" * 9 + "\ufffd" * 3, "UTF-8", "header", 3)


def test_a_replacement_character_that_the_page_spells_is_not_counted() -> None:
    assert read("é\ufffd".encode() + b"\xff", "utf-8") == ("é\ufffd\ufffd", "UTF-8", "header", 1)
    assert text_of("é\ufffd".encode("gb18030") + b"\xff", "gb18030") == ("é\ufffd\ufffd", 1)


def test_seven_bit_charsets_are_read_through_their_escapes() -> None:
    assert read("日本".encode("iso2022_jp"), "iso-2022-jp") == ("日本", "ISO-2022-JP", "header", 0)
    assert read("한국".encode("iso2022_kr"))[:2] == ("한국", "ISO-2022-KR")
    assert read("中国".encode("hz"), "hz-gb-2312") == ("中国", "HZ-GB-2312", "header", 0)


def test_shift_jis_and_euc_jp_have_the_rows_of_windows() -> None:
    assert text_of(b"\x87\x40\xfb\xfc", "Shift_JIS") == ("①髙", 0)
    assert text_of(b"\xad\xa1", "EUC-JP") == ("①", 0)


def test_an_empty_page_is_empty() -> None:
    assert decode(b"") == Decoded(b"", "windows-1252", "default")
    assert decode(b"\xef\xbb\xbf") == Decoded(b"", "UTF-8", "bom")


def test_a_valid_page_is_handed_on_and_not_copied() -> None:
    page, mail = ("<p>é</p>" * 99).encode(), b"<p>e</p>" * 99
    assert decode(page, "utf-8").utf8 is page
    assert decode(page).utf8 is page
    assert decode(mail, "latin1").utf8 is mail


def test_nothing_is_guessed_for_ascii_and_utf_8(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(sample: bytes) -> str | None:
        raise AssertionError(sample)

    monkeypatch.setattr(charset_guess, "_by_statistics", never)
    assert decode(b"<p>e</p>").charset == "windows-1252"
    assert decode("<p>é</p>".encode()).charset == "UTF-8"
    assert decode(b"<p>\xe9</p>", "latin1").charset == "windows-1252"


def test_guessing_costs_the_same_on_a_page_of_ten_megabytes() -> None:
    page = f"<p>{RUSSIAN}</p>".encode("cp1251")
    decode(page)
    begin = time.process_time()
    assert decode(page * 60_000).charset == "windows-1251"
    assert time.process_time() - begin < 2


@pytest.mark.parametrize(
    "unit", [b"<", b"<a ", b"<!--", b"<meta ", b'<meta x="', b"<?xml encoding ", b"\xff", b"\x1b$B", b"\xe9<a", b"a=\xe9 ", b"\x8e"]
)
@pytest.mark.parametrize("label", [None, "utf-8", "euc-jp", "iso-2022-jp"])
def test_no_repetition_takes_its_square_of_time(unit: bytes, label: str | None) -> None:
    begin = time.process_time()
    decode(unit * (1_000_000 // len(unit)), label)
    assert time.process_time() - begin < 1.5


@given(
    st.binary(max_size=400),
    st.sampled_from([None, "utf-8", "utf-16", "latin1", "gbk", "euc-jp", "iso-2022-jp", "big5", "hz-gb-2312", "nonsense"]),
)
@example(b"\x1b$B\xff\x1b(I\xff\x1b$(D!", "iso-2022-jp")
@example(b"\xff\xfe\x00", None)
@example(b"\x00\x00\xfe\xff\x00", None)
def test_any_bytes_become_utf_8(data: bytes, label: str | None) -> None:
    d = decode(data, label)
    text = d.utf8.decode()
    assert 0 <= d.replaced <= text.count("\ufffd")
    assert charset_of(d.charset) == d.charset
    assert d == decode(data, label)


def one_at_a_time(data: bytes, codec: str, longest: int) -> tuple[str, int]:
    """The shortest bytes that are a character, one after another; a byte that begins none is replaced alone."""
    out, at, replaced = [], 0, 0
    while at < len(data):
        for size in range(1, longest + 1):
            try:
                out.append(data[at : at + size].decode(codec))
            except UnicodeDecodeError:
                continue
            at += size
            break
        else:
            out.append("\ufffd")
            at, replaced = at + 1, replaced + 1
    return "".join(out), replaced


ODD = st.lists(
    st.sampled_from([b"a", b"<", b"\x81", b"\x82\xa0", b"\xb1", b"\xe9", b"\xa4\xa2", b"\x30", b"\x84\x31\xa4\x37", b"\xff"]), max_size=12
)


@given(ODD.map(b"".join))
def test_replacements_are_counted_right_in_charsets_of_several_bytes(data: bytes) -> None:
    for name, longest in (("Shift_JIS", 2), ("EUC-KR", 2), ("gb18030", 4)):
        text, replaced = text_of(data, name)
        slow, counted = one_at_a_time(data, MULTI[name], longest)
        ends_early = bool(data) and not _whole(data, MULTI[name])
        if not ends_early:  # what the end cuts off is one character, however many bytes are left of it
            assert (text, replaced) == (slow, counted)


def _whole(data: bytes, codec: str) -> bool:
    decoder = codecs.getincrementaldecoder(codec)("replace")
    decoder.decode(data)
    return not decoder.getstate()[0]


def wrong_in_utf_8(data: bytes) -> int:
    """How many U+FFFD the standard's decoder puts in, by its own state machine."""
    needed = seen = wrong = 0
    low, high = 0x80, 0xBF
    at = 0
    while at < len(data):
        byte = data[at]
        at += 1
        if needed:
            if low <= byte <= high:
                seen += 1
                low, high = 0x80, 0xBF
                if seen == needed:
                    needed = seen = 0
                continue
            needed = seen = 0
            low, high = 0x80, 0xBF
            wrong += 1
            at -= 1
        elif 0xC2 <= byte <= 0xDF:
            needed = 1
        elif 0xE0 <= byte <= 0xEF:
            needed, low, high = 2, 0xA0 if byte == 0xE0 else 0x80, 0x9F if byte == 0xED else 0xBF
        elif 0xF0 <= byte <= 0xF4:
            needed, low, high = 3, 0x90 if byte == 0xF0 else 0x80, 0x8F if byte == 0xF4 else 0xBF
        elif byte > 0x7F:
            wrong += 1
    return wrong + bool(needed)


@given(
    st.lists(
        st.sampled_from([b"a", b"\xc3\xa9", b"\xef\xbf\xbd", b"\xe2\x82", b"\xf0\x9f", b"\x98", b"\xed\xa0\x80", b"\xc0", b"\xff"]),
        max_size=20,
    ).map(b"".join)
)
def test_replacements_are_counted_right_in_utf_8(data: bytes) -> None:
    text, replaced = text_of(data, "UTF-8")
    assert replaced == wrong_in_utf_8(data)
    assert text.encode() == text_of(data, "UTF-8")[0].encode()


@given(st.binary(max_size=60))
def test_windows_1252_has_a_meaning_for_every_byte(data: bytes) -> None:
    text, replaced = text_of(data, "windows-1252")
    assert replaced == 0
    assert len(text) == len(data)
    assert "\ufffd" not in text


@pytest.mark.parametrize("name", sorted({*LABELS, *BESIDE}))
def test_every_charset_decodes_every_byte_and_ascii_is_itself(name: str) -> None:
    text_of(bytes(range(256)) * 3, name)
    if not name.startswith(("UTF-16", "UTF-32")):
        assert text_of(b"<p>plain text, 100%</p>", name) == ("<p>plain text, 100%</p>", 0)


@pytest.mark.parametrize("name", sorted({*LABELS, *BESIDE} - {*MULTI, "EUC-JP", "ISO-2022-JP"}))
def test_a_charset_of_single_bytes_agrees_with_pythons_codec(name: str) -> None:
    mended = {"KOI8-U": 2, "windows-1255": 1}.get(name, 0)
    codec, other = SINGLE.get(name, name), 0
    for byte in range(256):
        try:
            expected = bytes([byte]).decode(codec)
        except UnicodeDecodeError:
            continue
        other += text_of(bytes([byte]), name)[0] != expected
    assert other <= mended


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("utf8", "UTF-8"),
        (" UTF-8\n", "UTF-8"),
        ("unicode-1-1-utf-8", "UTF-8"),
        ("iso-8859-1", "windows-1252"),
        ("latin1", "windows-1252"),
        ("us-ascii", "windows-1252"),
        ("ascii", "windows-1252"),
        ("iso-8859-9", "windows-1254"),
        ("iso-8859-11", "windows-874"),
        ("tis-620", "windows-874"),
        ("iso-8859-8-i", "ISO-8859-8-I"),
        ("visual", "ISO-8859-8"),
        ("gb2312", "GBK"),
        ("GB18030", "gb18030"),
        ("ks_c_5601-1987", "EUC-KR"),
        ("windows-949", "EUC-KR"),
        ("x-sjis", "Shift_JIS"),
        ("windows-31j", "Shift_JIS"),
        ("x-euc-jp", "EUC-JP"),
        ("big5-hkscs", "Big5"),
        ("koi8-ru", "KOI8-U"),
        ("x-mac-ukrainian", "x-mac-cyrillic"),
        ("unicode", "UTF-16LE"),
        ("utf-16", "UTF-16LE"),
        ("unicodefffe", "UTF-16BE"),
        ("iso-2022-kr", "ISO-2022-KR"),
        ("x-user-defined", "windows-1252"),
        ("utf-7", None),
        ("iso-2022-cn", None),
        ("", None),
        (None, None),
    ],
)
def test_labels_mean_what_the_standard_says(label: str | None, name: str | None) -> None:
    assert charset_of(label) == name


def test_the_table_has_every_label_of_the_standard_once() -> None:
    """228 labels of 40 encodings; six of them mean "replacement"."""
    labels = [label for said in LABELS.values() for label in said.split()]
    assert len(labels) == len(set(labels)) == 228 - 6
    assert all(label == label.lower() for label in labels)
    assert len(LABELS) == 40 - 2


def test_a_mark_is_one_at_the_begin_only() -> None:
    assert read(b"a\xef\xbb\xbf") == ("a\ufeff", "UTF-8", "detected", 0)
