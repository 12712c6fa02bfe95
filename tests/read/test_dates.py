"""Dates as inputs write them; what is not understood is not guessed."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unquilt.read.dates import iso, microseconds

NOON = 1_583_064_000_000_000


@pytest.mark.parametrize(
    "value",
    [
        "2020-03-01T12:00:00Z",
        "2020-03-01T12:00:00",
        "2020-03-01 12:00",
        " 2020-03-01T12:00:00+00:00\n",
        "2020-03-01T13:00:00+01:00",
        "2020-03-01T07:00:00.000-05:00",
        "20200301T120000Z",
        "20200301120000",
        "2020-03-01 12:00:00 UTC",
        "2020-03-01T12:00:00,000000000Z",
        NOON // 1_000_000,
        NOON / 1_000_000,
        datetime(2020, 3, 1, 12),
        datetime(2020, 3, 1, 12, tzinfo=UTC),
    ],
    ids=repr,
)
def test_a_moment_is_the_same_however_it_is_written(value):
    assert microseconds(value) == NOON


@pytest.mark.parametrize(
    ("value", "wanted"),
    [("1970-01-01", 0), (date(1970, 1, 2), 86_400_000_000), (0, 0), (-1.5, -1_500_000), ("0001-01-01", -62_135_596_800_000_000)],
)
def test_days_and_seconds_count_from_1970(value, wanted):
    assert microseconds(value) == wanted


@pytest.mark.parametrize(
    "value",
    [
        "2009-03-65",
        "2009-13-01",
        "2009-02-29",
        "2009-04-31",
        "20090365",
        "20090365101500",
        "20201-03-01",
        "2009-W10",
        "2009-W10-1",
        "2009-03-01x12:00",
        "2009-03-01T25:00",
        "2009-03-01T12:00+25:00",
        "٢٠٠٩-٠٣-٠١",
        "1" * 1_000_000,
        "09-03-01",
        "01/03/2009",
        "March 1, 2009",
        "yesterday",
        "1583064000",
        "",
        "0000-01-01",
        True,
        None,
        [],
        {},
        float("nan"),
        float("inf"),
        1e18,
        10**30,
        1583064000000,
        "0001-01-01T00:00:00+01:00x",
        "2020-01-01T00:00:00+99:99",
        "2020-01-01T00:00:00+01:75",
    ],
    ids=lambda value: repr(value)[:40],
)
def test_anything_else_is_not_guessed(value):
    assert microseconds(value) is None


@given(st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30)))
def test_what_is_written_is_read_back(when):
    value = microseconds(when)
    assert microseconds(iso(value)) == value


@given(st.integers() | st.floats() | st.text(max_size=30))
def test_no_value_raises(value):
    when = microseconds(value)
    assert when is None or iso(when) is not None
