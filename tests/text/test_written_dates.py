"""Which day does a piece of text name? Many ways to write one, and what is none."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unquilt.text.dates import date_of, dates_in, http_date, order_in

MORNING = 1_582_020_900_000_000
"""2020-02-18T10:15:00Z"""
HOUR = 3_600_000_000


@pytest.mark.parametrize(
    "value",
    [
        "2020-02-18",
        "2020-2-18",
        "2020/02/18",
        "2020.02.18",
        "20200218",
        "20200218T101500Z",
        "20200218101500",
        "18.02.2020",
        "18.2.2020",
        "18. 2. 2020",
        "18 | 02 | 2020",
        "2020 | 02 | 18",
        "18/02/2020",
        "02/18/2020",
        "18-02-2020",
        "18 Feb 2020",
        "18-Feb-2020",
        "18/Feb/2020",
        "Feb-18-2020",
        "2020-Feb-18",
        "2020 Feb 18",
        "Feb 18, 2020",
        "Feb. 18, 2020",
        "FEBRUARY 18, 2020",
        "February 18th, 2020",
        "February, 18 of 2020",
        "18th of February 2020",
        "18th February, 2020",
        "Tue Feb 18 10:15:00 2020",
        "Tue Feb 18 10:15:00 CET 2020",
        "Tuesday, February 18, 2020 - 10:15",
        "Published: 2020-02-18.",
        "18 février 2020",
        "18 fevrier 2020",
        "18. Februar 2020",
        "den 18. februar 2020",
        "18 de febrero de 2020",
        "18 de febrero del 2020",
        "18 de fevereiro de 2020",
        "18 febbraio 2020",
        "18 d'oct. de 2020",
        "18 lutego 2020",
        "18 февраля 2020 г.",
        "18 лютого 2020 року",
        "18 Φεβρουαρίου 2020",
        "18 Şubat 2020",
        "18. helmikuuta 2020",
        "18 فبراير 2020",
        "18 جنوری 2020",
        "١٨ فبراير ٢٠٢٠",
        "18 फ़रवरी 2020",
        "18 กุมภาพันธ์ 2563",
        "18 ก.พ. 2563",
        "2020年2月18日",
        "２０２０年２月１８日",
        "2020년 2월 18일",
        "2020. 2. 18.",
        "2020. február 18.",
        "2020 m. vasario 18 d.",
        "2020. gada 18. februāris",
        "2020ko otsailaren 18",
        "ngày 18 tháng 2 năm 2020",
        "1582020900",
        "1582020900123",
    ],
)
def test_a_day_is_the_same_however_it_is_written(value):
    written = date_of(value)
    assert written is not None
    assert written.day in ("2020-02-18", "2020-01-18", "2020-10-18")
    assert written.day[5:7] == ("10" if "oct" in value else "01" if "جنوری" in value else "02")


@pytest.mark.parametrize(
    "value",
    [
        "2009-03-65",
        "2009-13-01",
        "2009-00-10",
        "2023-02-29",
        "29 Feb 2023",
        "February 29, 2023",
        "31 April 2020",
        "April 31st, 2020",
        "31.04.2020",
        "2020年2月30日",
        "20200230",
        "0000-00-00",
        "0001-01-01",
        "9999-12-31",
        "99991231",
        "20201-02-18",
        "February 18, 20201",
        "18.02.20201",
        "2020-02-181",
        "120200218",
        "158202090",
    ],
)
def test_an_impossible_date_is_none(value):
    assert date_of(value) is None
    assert date_of(value, dayfirst=True) is None


@pytest.mark.parametrize(
    "value",
    [
        "",
        "2020",
        "February 2020",
        "May 2020",
        "12.50",
        "18 Feb 20",
        "18/02/20",
        "1/2/3/2020",
        "10.0.18.2.2020",
        "18 Smarch 2020",
        "yesterday",
        "12345",
        "12345678",
        "Copyright 2010-2020",
        "2019/2020",
        "page 3 of 2020",
        "https://example.com/",
    ],
)
def test_what_is_not_surely_a_date_is_none(value):
    assert date_of(value) is None


@pytest.mark.parametrize(
    ("value", "dayfirst", "day"),
    [
        ("04/03/2020", None, None),
        ("04-03-2020", None, None),
        ("04/03/2020", True, "2020-03-04"),
        ("04/03/2020", False, "2020-04-03"),
        ("4-3-2020", False, "2020-04-03"),
        ("04.03.2020", None, "2020-03-04"),
        ("04.03.2020", False, "2020-03-04"),
        ("13/03/2020", False, "2020-03-13"),
        ("03/13/2020", True, "2020-03-13"),
        ("3/3/2020", None, "2020-03-03"),
        ("2020-03-04", True, "2020-03-04"),
        ("2020/03/04", False, "2020-03-04"),
    ],
)
def test_of_two_small_numbers_the_day_is_the_one_the_caller_names(value, dayfirst, day):
    written = date_of(value, dayfirst=dayfirst)
    assert (written.day if written else None) == day


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("on 18/02/2020 and 03/04/2020", True),
        ("on 02/18/2020 and 03/04/2020", False),
        ("02-18-1999", False),
        ("18/02/2020, 02/18/2020", None),
        ("03/04/2020", None),
        ("40/50/2020", None),
        ("", None),
    ],
)
def test_a_text_shows_its_order_of_day_and_month_where_one_date_can_be_read_in_one_way_only(text, order):
    assert order_in(text) is order


@pytest.mark.parametrize(
    ("value", "at", "offset"),
    [
        ("2020-02-18T10:15:00Z", MORNING, 0),
        ("2020-02-18T10:15:00+01:00", MORNING - HOUR, 60),
        ("2020-02-18T10:15:00+0100", MORNING - HOUR, 60),
        ("2020-02-18T10:15:00-05", MORNING + 5 * HOUR, -300),
        ("2020-02-18 10:15:00 +05:30", MORNING - 11 * HOUR // 2, 330),
        ("Tue, 18 Feb 2020 10:15:00 GMT", MORNING, 0),
        ("Tue, 18 Feb 2020 10:15:00 EST", MORNING + 5 * HOUR, -300),
        ("18 Feb 2020 10:15 CEST", MORNING - 2 * HOUR, 120),
        ("18 Feb 2020 10:15 UTC+1", MORNING - HOUR, 60),
        ("18 Feb 2020 10:15 GMT +05:30", MORNING - 11 * HOUR // 2, 330),
        ("18 Feb 2020 10:15 XYZ", MORNING, None),
        ("2020-02-18T10:15:00+25:00", MORNING, None),
        ("2020-02-18T10:15", MORNING, None),
        ("18/02/2020 à 10h15", MORNING, None),
        ("18 février 2020 à 10:15", MORNING, None),
        ("February 18, 2020, 10:15 a.m.", MORNING, None),
        ("February 18, 2020 at 10:15 pm", MORNING + 12 * HOUR, None),
        ("February 18, 2020 at 10:15 p.m. EST", MORNING + 17 * HOUR, -300),
        ("Feb 18, 2020 12:15 AM", MORNING - 10 * HOUR, None),
        ("2020-02-18T10:15:00.123456789Z", MORNING + 123_456, 0),
        ("2020-02-18", MORNING - 41 * HOUR // 4, None),
        ("2020-02-18T25:15:00Z", MORNING - 41 * HOUR // 4, None),
        ("2020-02-18T10:75:00Z", MORNING - 41 * HOUR // 4, None),
        ("1582020900", MORNING, 0),
        ("1582020900123", MORNING + 123_000, 0),
    ],
)
def test_the_moment_counts_the_written_offset_and_the_day_stays_as_written(value, at, offset):
    written = date_of(value)
    assert written is not None
    assert (written.at, written.offset, written.day) == (at, offset, "2020-02-18")


def test_the_dates_of_a_text_come_in_order_with_their_places():
    text = "From 2020-02-18, or 3 March 2019; not 2020-02-30, then 2018年1月2日."
    found = dates_in(text)
    assert [(text[w.begin : w.end], w.day) for w in found] == [
        ("2020-02-18", "2020-02-18"),
        ("3 March 2019", "2019-03-03"),
        ("2018年1月2日", "2018-01-02"),
    ]
    assert dates_in(text, most=1) == found[:1]


def test_a_year_of_buddha_is_one_only_in_thai():
    assert date_of("18/02/2563") is None
    assert date_of("18/02/2563", language="th").day == "2020-02-18"


@pytest.mark.parametrize(
    "value",
    [
        "Tue, 18 Feb 2020 10:15:00 GMT",
        "Tuesday, 18-Feb-20 10:15:00 GMT",
        "Tue Feb 18 10:15:00 2020",
        "tue, 18 feb 2020 10:15:00 gmt",
        "Tue, 18-Feb-2020 10:15:00 GMT",
        "Tue, 18 Feb 2020 11:15:00 +0100",
        "Tue, 18 Feb 2020 10:15:00",
        "18 Feb 2020 10:15:00 UTC",
        "2020-02-18T10:15:00Z",
        "1582020900",
        "  Tue, 18 Feb 2020 10:15:00 GMT ",
    ],
)
def test_a_header_gives_its_moment_in_each_form_of_http_and_in_those_servers_send(value):
    assert http_date(value) == MORNING


def test_two_digits_of_a_year_are_of_the_time_of_the_web():
    assert http_date("Sunday, 06-Nov-94 08:49:37 GMT") == http_date("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777_000_000
    assert http_date("Saturday, 06-Nov-69 08:49:37 GMT") == http_date("06 Nov 2069 08:49:37 GMT")


@pytest.mark.parametrize(
    "value",
    [
        "",
        "0",
        "-1",
        "never",
        "Tue, 31 Feb 2020 10:15:00 GMT",
        "Tuesday, 31-Feb-20 10:15:00 GMT",
        "Tue, 18 Feb 20201 10:15:00 GMT",
        "9" * 10**6,
    ],
    ids=lambda v: v[:40],
)
def test_a_header_that_names_no_day_is_none(value):
    assert http_date(value) is None


HOSTILE = [
    "1" * 10**6,
    "2020" * 60_000,
    "2020 " * 40_000,
    "2020-" * 40_000,
    "1/" * 500_000,
    "1/1/2020 " * 20_000,
    "a" * 10**6,
    "February " * 110_000,
    " " * 10**6 + "2020",
    "2020" + " " * 10**6,
    "2020-13-45 " * 15_000,
    "18 de " * 160_000 + "2020",
    "Feb 18 10:15:00 " * 60_000,
    "\u0301" * 10**6 + "2020",
    "٢" * 10**6,
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda t: repr(t[:12]))
def test_anything_long_is_read_in_time_that_grows_with_its_length(text):
    def seconds(part):
        begin = time.process_time()
        dates_in(part)
        order_in(part)
        date_of(part)
        return time.process_time() - begin

    seconds(text[:1000])
    assert seconds(text) < 20 * max(seconds(text[: len(text) // 4]), 0.02)


@given(st.text(alphabet="0123456789-/.: ,TZ+年月日abFebMarpm\u0e01\u0661", max_size=60), st.sampled_from([None, True, False]))
def test_whatever_is_found_is_a_day_that_stands_there(text, dayfirst):
    for written in dates_in(text, dayfirst=dayfirst):
        assert 0 <= written.begin < written.end <= len(text)
        assert 1000 <= int(written.day[:4]) <= 2400
    date_of(text, dayfirst=dayfirst)
    http_date(text)
