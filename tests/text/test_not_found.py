"""What says that there is no such page, in many languages, and what only speaks of it."""

from __future__ import annotations

import time

import pytest

from unquilt.text.not_found import TEXT, TITLE, Told, folded, told
from unquilt.text.not_found_phrases import PHRASES

SAID = {
    "en": "Page not found",
    "en 2": "Oops! That page can’t be found.",
    "en 3": "The requested URL /a/b/c/d/e/f/g/very-long.html was not found on this server.",
    "en 4": "The page you are looking for might have been removed, had its name changed, or is temporarily unavailable.",
    "en 5": "We can't find the page you're looking for",
    "en 6": "This page doesn't exist",
    "en 7": "Error 404: Not Found",
    "en 8": "Sorry, the page you were looking for could not be found.",
    "de": "Die Seite wurde leider nicht gefunden",
    "de 2": "Die von Ihnen gesuchte Seite existiert nicht mehr.",
    "de 3": "Seite nicht gefunden",
    "fr": "Page introuvable",
    "fr 2": "La page demandée n’existe pas",
    "fr 3": "La page que vous cherchez n'a pas été trouvée",
    "es": "Página no encontrada",
    "es 2": "La página que buscas no existe.",
    "ca": "No s'ha trobat la pàgina: Pàgina no trobada",
    "pt": "Página não encontrada",
    "pt 2": "A página que você procura não existe",
    "it": "Pagina non trovata",
    "it 2": "La pagina richiesta non esiste",
    "ro": "Pagina nu a fost găsită",
    "nl": "Pagina niet gevonden",
    "nl 2": "De pagina kan niet worden gevonden",
    "sv": "Sidan hittades inte",
    "sv 2": "Sidan finns tyvärr inte",
    "da": "Siden blev ikke fundet",
    "da 2": "Siden findes ikke",
    "no": "Siden ble ikke funnet",
    "fi": "Sivua ei löytynyt",
    "pl": "Strona nie została znaleziona",
    "pl 2": "Nie znaleziono strony",
    "cs": "Stránka nenalezena",
    "cs 2": "Stránka nebyla nalezena",
    "sk": "Stránka neexistuje",
    "hr": "Stranica nije pronađena",
    "sl": "Stran ni bila najdena",
    "hu": "A keresett oldal nem található",
    "lt": "Puslapis nerastas",
    "el": "Η σελίδα δεν βρέθηκε",
    "ru": "Страница не найдена",
    "ru 2": "Запрашиваемая страница не существует",
    "uk": "Сторінку не знайдено",
    "bg": "Страницата не е намерена",
    "tr": "Sayfa bulunamadı",
    "id": "Halaman tidak ditemukan",
    "vi": "Không tìm thấy trang",
    "vi 2": "Trang không tồn tại",
    "ar": "الصفحة غير موجودة",
    "fa": "صفحه یافت نشد",
    "he": "הדף לא נמצא",
    "hi": "पृष्ठ नहीं मिला",
    "th": "ไม่พบหน้าที่คุณต้องการ",
    "zh": "页面不存在",
    "zh 2": "抱歉，您访问的页面不存在",
    "zh tw": "找不到網頁",
    "ja": "お探しのページが見つかりません",
    "ja 2": "ページが見つかりませんでした",
    "ko": "페이지를 찾을 수 없습니다",
}

OF_TITLES = [
    "404",
    "Error 404",
    "404 Error",
    "HTTP 404",
    "410 Gone",
    "404 page",
    "Introuvable",
    "404 - Not Found",
    "Not Found",
    "Nothing found",
    "Nichts gefunden",
    "No posts were found",
    "Erreur 404",
]

OTHERS = [
    "Lost and not found: a story",
    "How to make a page for error 404",
    "Why does nginx say 404 Not Found for my images",
    "Peugeot 404",
    "Blog, Page 404",
    "Page 404",
    "Gone",
    "Room 404 of the Grand Hotel",
    "The lost city could not be found by the expedition of 1911",
    "A page was found in the attic, and nobody knows who wrote it",
    "The best soft 404 detectors compared",
    "Das verlorene Buch wurde nicht gefunden, aber die Seite, auf der es stand, schon",
    "Si la page est introuvable, demandez au libraire qui connaît tous les livres",
    "页面设计教程",
    "This product is not available",
    "Das Produkt ist zur Zeit nicht verfügbar",
    "Este producto no está disponible",
    "Found: one page",
    "Not only found but kept",
]


def one(title: str | None, text: str = "") -> Told | None:
    return told([title], [text])[0]


@pytest.mark.parametrize("said", SAID.values(), ids=SAID)
def test_a_title_says_so(said: str) -> None:
    found = one(said)
    assert found is not None
    assert found.place == TITLE


@pytest.mark.parametrize("said", SAID.values(), ids=SAID)
def test_a_part_of_a_title_says_so(said: str) -> None:
    assert one(f"{said.rstrip('.')} | The site of all sites, and of their friends") is not None
    assert one(f"The site of all sites, and of their friends – {said.upper()}") is not None


@pytest.mark.parametrize("said", SAID.values(), ids=SAID)
def test_a_line_among_others_says_so(said: str) -> None:
    found = one("My site", f"Home\n\nAbout us. And more.\n  {said}\nContact: write to us")
    assert found is not None
    assert found.place == TEXT
    assert found.phrase in said


@pytest.mark.parametrize("said", OF_TITLES)
def test_some_things_say_so_in_titles_only(said: str) -> None:
    found = one(f"{said} | Site")
    assert found is not None
    assert found.place == TITLE
    assert found.phrase in said


@pytest.mark.parametrize("text", ["404", "Nothing found", "No results found", "404 page", "Error", "Page"])
def test_short_lines_of_menus_and_search_forms_do_not(text: str) -> None:
    assert one(None, f"Home\n{text}\nContact") is None


@pytest.mark.parametrize("text", OTHERS)
def test_what_speaks_of_it_does_not_say_so(text: str) -> None:
    assert one(text) is None
    assert one(None, f"{text}.\nAnd so on.") is None


def test_the_title_goes_before_the_text() -> None:
    assert one("404 Not Found", "Page not found") == Told(TITLE, "404 Not Found")


def test_every_phrase_of_the_list_has_a_page_that_says_it() -> None:
    import re

    missing = [p for _, p in PHRASES if not any(re.search(folded(p).replace("~", r"[^.!?]{0,60}?"), folded(s)) for s in SAID.values())]
    assert len(missing) <= 5, missing


def test_pages_are_told_each_by_itself() -> None:
    assert told([None, "Page not found", "A", None], ["", "x", "y", "Page not found"]) == [
        None,
        Told(TITLE, "Page not found"),
        None,
        Told(TEXT, "Page not found"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "page " * 1_000,
        "page not " * 600,
        "seite konnte " * 400,
        "404 " * 1_500,
        "error " * 1_000 + "\n404",
        "页面" * 1_500,
        "." * 6_000,
        "page " * 55 + "\n",
    ],
)
def test_hostile_texts_take_no_long_time(text: str) -> None:
    started = time.process_time()
    one(text, text)
    one(None, (text[:290] + "\n") * 20)
    assert time.process_time() - started < 1
