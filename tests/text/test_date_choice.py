"""Which clue counts: rank, agreement of places, local days."""

from datetime import UTC, datetime

from unquilt.text.date_choice import choice
from unquilt.text.date_clue import Clue, Rank
from unquilt.text.dates import Written

SOURCES = {Rank.URL: "url", Rank.META: "meta", Rank.JSON_LD: "json-ld", Rank.PLAIN_META: "meta", Rank.IMAGE: "open graph"}


def clue(rank, day, offset=None, time="00:00", **how):
    at = int(datetime.fromisoformat(f"{day}T{time}").replace(tzinfo=UTC).timestamp()) * 1_000_000 - (offset or 0) * 60_000_000
    return Clue(rank, SOURCES.get(rank, "text"), "", day, Written(0, 10, day, at, offset), **how)


def day(*clues):
    one = choice(clues)
    return one and one.written.day


FIRST, SECOND, THIRD = "2020-02-18", "2020-03-19", "2020-04-20"


def test_of_two_days_that_nothing_else_speaks_for_the_surest_counts():
    assert day(clue(Rank.NAMED, SECOND), clue(Rank.META, FIRST)) == FIRST
    assert day(clue(Rank.JSON_LD, SECOND), clue(Rank.NAMED, FIRST)) == FIRST
    assert day(clue(Rank.URL, FIRST), clue(Rank.META, SECOND)) == FIRST


def test_two_places_outweigh_a_surer_one():
    assert day(clue(Rank.URL, FIRST), clue(Rank.META, SECOND), clue(Rank.NAMED, SECOND)) == SECOND
    assert day(clue(Rank.META, FIRST), clue(Rank.NAMED, SECOND), clue(Rank.IMAGE, SECOND)) == SECOND


def test_the_head_of_a_page_speaks_once():
    assert day(clue(Rank.NAMED, FIRST), clue(Rank.JSON_LD, SECOND), clue(Rank.PLAIN_META, SECOND)) == FIRST


def test_what_stands_far_from_the_heading_weighs_less():
    assert day(clue(Rank.NAMED, FIRST, distance=20), clue(Rank.JSON_LD, SECOND)) == FIRST
    assert day(clue(Rank.NAMED, FIRST, distance=400), clue(Rank.JSON_LD, SECOND)) == SECOND


def test_a_surer_place_alone_is_never_outweighed_by_another_alone():
    for rank in Rank:
        for other in list(Rank)[rank + 1 :]:
            assert day(clue(other, SECOND), clue(rank, FIRST)) == FIRST


def test_dates_of_change_have_no_voice():
    changed = [clue(Rank.META, SECOND, modified=True), clue(Rank.NAMED, SECOND, modified=True)]
    assert day(clue(Rank.PLAIN_META, FIRST), *changed) == FIRST
    assert day(*changed) == SECOND


def test_a_moment_in_utc_speaks_for_the_days_it_is_on_earth():
    utc = clue(Rank.META, "2020-02-18", offset=0, time="23:30")
    assert day(utc, clue(Rank.NEAR, "2020-02-19")) == "2020-02-19"
    assert day(utc, clue(Rank.NEAR, "2020-02-20")) == "2020-02-18"


def test_places_of_last_resort_count_where_they_name_one_day():
    assert day(clue(Rank.LAST, FIRST), clue(Rank.LAST, FIRST)) == FIRST
    assert day(clue(Rank.LAST, FIRST), clue(Rank.LAST, SECOND)) is None
    assert day(clue(Rank.FAR, THIRD), clue(Rank.LAST, FIRST), clue(Rank.LAST, SECOND)) == THIRD


def test_without_clues_nothing_counts():
    assert choice([]) is None
    assert day(clue(Rank.META, FIRST, modified=True)) is None
