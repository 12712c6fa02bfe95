"""Which language is declared, and which is found? Tags as people write them, and texts that say nothing special."""

import random
import re
import time
import unicodedata
from pathlib import Path

import pytest

from unquilt.text.language import LETTERS, SAMPLE, declared, detected, tag_of

TAGS = {
    "en": "en",
    "EN-us": "en-US",
    "de_DE": "de-DE",
    "pt-br": "pt-BR",
    "zh-hant-tw": "zh-Hant-TW",
    "ZH-Hans": "zh-Hans",
    "zh-cmn-Hans-CN": "zh-Hans-CN",
    "sr-Latn-RS": "sr-Latn-RS",
    "es-419": "es-419",
    " fr , en": "fr",
    "en, de": "en",
    "de;q=0.8": "de",
    "en_US.UTF-8": "en-US",
    "de-CH-1996": "de-CH",
    "en-x-private": "en",
    "eng": "en",
    "deu": "de",
    "iw": "he",
    "nb-NO": "nb-NO",
    "yue": "yue",
    "cn": "zh-CN",
    "jp": "ja",
    # no language
    "": None,
    "-": None,
    "x": None,
    "und": None,
    "xx": None,
    "mul": None,
    "*": None,
    "english": None,
    "{{ lang }}": None,
    "<?php echo": None,
    "12": None,
    "i-klingon": None,
    "a" * 100_000: None,
    "en" + "-abc" * 100_000: None,
}

ENGLISH = (
    "When the harbour froze in the second week of January, the ferrymen walked across the ice to ask whether anybody still "
    "needed bread. Nobody had expected them, and nobody forgot that they had come. The older houses along the quay kept their "
    "shutters closed until the thaw, while children built a small town of snow between the boats. "
)
GERMAN = (
    "Als der Hafen in der zweiten Woche des Januars zufror, gingen die Fährleute über das Eis und fragten, ob noch jemand Brot "
    "brauche. Niemand hatte sie erwartet, und niemand vergaß, dass sie gekommen waren. Die älteren Häuser am Kai hielten ihre "
    "Läden bis zum Tauwetter geschlossen, während die Kinder zwischen den Booten eine kleine Stadt aus Schnee bauten. "
)
FRENCH = (
    "Quand le port gela pendant la deuxième semaine de janvier, les passeurs traversèrent la glace pour demander si quelqu'un "
    "avait encore besoin de pain. Personne ne les attendait, et personne n'a oublié qu'ils étaient venus. Les vieilles maisons "
    "du quai gardèrent leurs volets fermés jusqu'au dégel, tandis que les enfants bâtissaient une petite ville de neige. "
)
RUSSIAN = (
    "Когда в середине января замёрзла гавань, паромщики пошли по льду узнать, не нужен ли кому-нибудь хлеб. Никто их не ждал, "
    "и никто не забыл, что они приходили. Старые дома у набережной держали ставни закрытыми до самой оттепели, а дети между "
    "лодками строили маленький город из снега. "
)
UKRAINIAN = (
    "Коли в середині січня замерзла гавань, поромники пішли по кризі дізнатися, чи не потрібен комусь хліб. Ніхто на них не "
    "чекав, і ніхто не забув, що вони приходили. Старі будинки біля набережної тримали віконниці зачиненими до самої відлиги, "
    "а діти між човнами будували маленьке місто зі снігу. "
)
TEXTS = {
    "en": ENGLISH,
    "de": GERMAN,
    "fr": FRENCH,
    "ru": RUSSIAN,
    "uk": UKRAINIAN,
    "el": "Όταν πάγωσε το λιμάνι, οι βαρκάρηδες περπάτησαν πάνω στον πάγο.",
    "he": "כאשר הנמל קפא הלכו בעלי המעבורות על הקרח",
    "th": "เมื่อท่าเรือกลายเป็นน้ำแข็ง คนเรือก็เดินข้ามไป",
    "km": "នៅពេលកំពង់ផែកក អ្នកចម្លងទូកបានដើរលើទឹកកក",
    "ko": "항구가 얼어붙자 뱃사공들은 얼음 위를 걸어갔다.",
    "ja": "港が凍ったとき、渡し守たちは氷の上を歩いて行った。",
    "zh": "港口结冰的时候，船夫们在冰上走过去，问谁还需要面包。",
    "ta": "துறைமுகம் உறைந்தபோது படகோட்டிகள் பனியின் மீது நடந்தனர்.",
    "am": "ወደቡ በበረደ ጊዜ ጀልባ ቀዛፊዎቹ በበረዶው ላይ ተራመዱ።",
}


@pytest.mark.parametrize(("said", "tag"), TAGS.items(), ids=lambda value: repr(value)[:24])
def test_what_is_said_becomes_a_short_tag_or_nothing(said: str, tag: str | None) -> None:
    assert tag_of(said) == tag


@pytest.mark.parametrize("tag", [tag for tag in TAGS.values() if tag])
def test_a_tag_stays_as_it_is(tag: str) -> None:
    assert tag_of(tag) == tag


def test_the_element_comes_before_the_metas_and_the_metas_before_the_header() -> None:
    facts = [
        ("meta", "language", "it"),
        ("meta", "og:locale", "es_ES"),
        ("http-equiv", "content-language", "fr"),
        ("html", "lang", "de-AT"),
    ]
    assert [declared(facts[:n], "en") for n in (4, 3, 2, 1, 0)] == ["de-AT", "fr", "es-ES", "it", "en"]


def test_what_names_no_language_leaves_the_word_to_the_next() -> None:
    assert declared([("html", "lang", "{{lang}}"), ("http-equiv", "content-language", ""), ("meta", "og:locale", "sv_SE")], None) == "sv-SE"
    assert declared([("html", "lang", "")], "da, en") == "da"
    assert declared([("html", "lang", "x")], "nonsense") is None
    assert declared([], None) is None


def test_of_two_the_first_counts() -> None:
    assert declared([("html", "lang", "nl"), ("html", "lang", "fr")], None) == "nl"
    assert declared([("html", "lang", "?"), ("html", "lang", "fr")], None) == "fr"


def test_other_facts_say_nothing_of_language() -> None:
    assert declared([("title", "", "de"), ("meta", "description", "en"), ("link", "alternate", "fr")], None) is None


@pytest.mark.parametrize("language", TEXTS)
def test_a_text_is_known_by_its_looks(language: str) -> None:
    assert detected(TEXTS[language]) == language


@pytest.mark.parametrize("text", ["", " \n ", "Home", "12 34 56 " * 1000, "→ | © 2024 ★ " * 500, "\ud800\udfff" * 1000, "\0" * 9999])
def test_too_little_text_is_no_language(text: str) -> None:
    assert detected(text) is None


def test_a_short_text_of_a_shared_script_is_left_open() -> None:
    assert detected(ENGLISH[: LETTERS // 2]) is None


def test_capitals_and_numbers_do_not_matter() -> None:
    assert detected(GERMAN.upper()) == "de"
    assert detected(" ".join(f"{n}. {word} |" for n, word in enumerate(ENGLISH.split()))) == "en"


def test_a_page_is_known_by_its_inside_and_not_by_the_menu_before_it() -> None:
    assert detected(ENGLISH * 4 + GERMAN * 40 + ENGLISH * 4) == "de"


def test_chinese_among_latin_words_is_chinese() -> None:
    assert detected("Spring Boot 项目中使用 Redis 缓存，需要先在配置文件里写好连接参数，再注入 RedisTemplate 对象。" * 5) == "zh"


def test_decomposed_letters_are_the_same_letters() -> None:
    assert detected(unicodedata.normalize("NFD", FRENCH)) == "fr"


def test_a_long_text_costs_no_more_than_a_sample() -> None:
    """Ten million characters are not walked through, whatever they are."""
    texts = [(ENGLISH * 40_000)[:10_000_000], "𝔘" * 10_000_000, ENGLISH * (SAMPLE // len(ENGLISH))]
    spent = []
    for text in texts:
        detected(text)
        begin = time.process_time()
        for _ in range(20):
            detected(text)
        spent.append(time.process_time() - begin)
    assert max(spent) < 20 * 0.005


def test_the_same_text_is_always_the_same_language() -> None:
    letters = random.Random(7).choices("abcdefghijklmnopqrstuvwxyzäöüéèñçйцукен ", k=5000)
    text = "".join(letters)
    assert len({detected(text) for _ in range(5)}) == 1


@pytest.mark.data
def test_pages_are_in_the_language_they_declare(shared_data: Path) -> None:
    """`en` is also what templates say of pages in other languages; whoever declares another one means it."""
    import pyarrow.parquet as pq
    from resiliparse.extract.html2text import extract_plain_text

    pages = pq.read_table(shared_data / "pages" / "gold_dates_dev.parquet", columns=["html"]).column("html").to_pylist()
    right = wrong = left_open = 0
    for html in pages:
        said = re.search(rb"<html[^>]{0,500}?\blang=[\"']([\w-]+)", html[:5000])
        language = tag_of(said[1].decode()) if said else None
        if language is None or language.startswith("en"):
            continue
        found = detected(extract_plain_text(html.decode("utf-8", "replace"), preserve_formatting=False))
        right += found == language.split("-")[0]
        left_open += found is None
        wrong += found not in (None, language.split("-")[0])
    assert right + wrong + left_open > 100
    assert left_open <= 0.1 * (right + wrong + left_open)
    assert wrong <= 0.03 * (right + wrong)
