"""Which day it was where a page is written."""

from datetime import UTC, datetime

import pytest

from unquilt.text.date_zone import day_where_written, days_somewhere


def at(moment):
    return int(datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp()) * 1_000_000


@pytest.mark.parametrize(
    ("moment", "country", "language", "wanted"),
    [
        ("2019-03-12T14:59:59", "jp", None, "2019-03-12"),
        ("2019-03-12T15:00:00", "jp", None, "2019-03-13"),
        ("2019-12-31T22:59:59", "de", None, None),
        ("2019-12-31T23:00:00", "de", None, "2020-01-01"),
        ("2019-12-31T21:59:59", "de", None, "2019-12-31"),
        ("2020-01-01T03:59:59", "us", None, "2019-12-31"),
        ("2020-01-01T04:00:00", "us", None, None),
        ("2020-01-01T10:00:00", "us", None, "2020-01-01"),
        ("2019-03-12T15:00:00", "com", "ja", "2019-03-13"),
        ("2019-03-12T15:00:00", "de", "ja", "2019-03-12"),
        ("2019-03-12T15:00:00", "com", "en", None),
        ("2019-03-12T15:00:00", "", None, None),
    ],
)
def test_a_country_or_else_a_language_settles_the_day_where_its_clocks_agree(moment, country, language, wanted):
    assert day_where_written(at(moment), country, language) == wanted


def test_midnight_in_utc_is_a_day_without_a_time():
    assert day_where_written(at("2020-02-18T00:00:00"), "ca", None) is None
    assert day_where_written(at("2020-02-18T00:00:01"), "ca", None) == "2020-02-17"


def test_it_is_two_or_three_days_somewhere():
    assert days_somewhere(at("2020-02-18T11:00:00")) == {"2020-02-17", "2020-02-18", "2020-02-19"}
    assert days_somewhere(at("2020-02-18T09:00:00")) == {"2020-02-17", "2020-02-18"}
    assert days_somewhere(at("2020-02-18T13:00:00")) == {"2020-02-18", "2020-02-19"}
