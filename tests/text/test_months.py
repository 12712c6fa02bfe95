"""Which month does a word mean?"""

import pytest

from unquilt.text.months import month, plain


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (1, "January Jan janvier Januar Jänner enero ianuarie styczeń січня január tammikuuta Ocak يناير جنوری जनवरी มกราคม ม.ค ינואר"),
        (2, "February Feb février Februar febrero fevereiro luty лютого helmikuuta Şubat فبراير ФЕВРАЛЯ φεβρουαρίου"),
        (3, "March mars März Maerz marzo março marca березня maaliskuu Mart مارس μαρτίου"),
        (4, "April avril abril kwietnia квітня huhtikuuta Nisan أبريل"),
        (5, "May mai mayo maio maggio мая травня květen toukokuu Mayıs Μαΐου"),
        (6, "June juin Juni junio czerwca июня kesäkuu Haziran يونيو"),
        (7, "July juillet Juli julio lipca июля července heinäkuu Temmuz يوليو"),
        (8, "August août aout agosto sierpnia августа srpna elokuu Ağustos أغسطس"),
        (9, "September Sept septembre wrzesień сентября září syyskuu Eylül سبتمبر"),
        (10, "October octobre Oktober pazdziernika октября října lokakuu Ekim أكتوبر"),
        (11, "November novembre listopada ноября marraskuu Kasım نوفمبر"),
        (12, "December décembre Dezember grudnia декабря prosince joulukuu Aralık ديسمبر"),
    ],
)
def test_a_month_has_a_name_in_each_language(number, words):
    assert {word: month(word) for word in words.split()} == dict.fromkeys(words.split(), number)


def test_case_and_accents_do_not_matter():
    assert [month(word) for word in ("FÉVRIER", "Fevrier", "fe\u0301vrier", "févrieR")] == [2, 2, 2, 2]
    assert plain("Ağustos") == plain("AG\u0306USTOS") == "agustos"


def test_a_mark_of_a_script_without_case_is_kept():
    assert month("मार्च") == 3
    assert month("मारच") is None


def test_a_name_of_two_words_is_one_name():
    assert month("كانون الثاني") == 1
    assert month("كانون الأول") == 12


def test_a_word_of_two_languages_is_decided_by_the_language():
    assert (month("listopada", "pl"), month("listopada"), month("listopada", "hr")) == (11, 11, 10)
    assert (month("lip", "pl"), month("lip", "hr")) == (7, 6)


@pytest.mark.parametrize("word", ["", "Smarch", "sun", "second", "2", "th", "a" * 10_000, "\u0301" * 100])
def test_another_word_is_no_month(word):
    assert month(word) is None


def test_no_name_stands_for_two_months():
    from unquilt.text.months import _NAMES

    seen = {}
    for number, line in enumerate(_NAMES, 1):
        for name in line.split():
            assert seen.setdefault(plain(name.replace("_", " ")), number) == number
