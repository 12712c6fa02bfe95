"""What takes more memory than there is is refused before it is held, and what it would take is told."""

import csv
import gzip
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from unquilt.read import Fields, Found, Limits
from unquilt.read.reader import reader_for
from unquilt.read.room import COST, SMALL, Room, TooDear, bytes_of

MB = 1_000_000
LONG = "the quick brown \u4e00 " * 150_000  # 2.85 MB
SIZE = len(LONG.encode())


def lines(path):
    path.write_text("".join(json.dumps({"text": t}, ensure_ascii=False) + "\n" for t in ("before", LONG, "after")))


def packed_lines(path):
    lines(path)
    path.write_bytes(gzip.compress(path.read_bytes(), 1))


def rows(path):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([["text", "id"], ["before", 1], [LONG, 2], ["after", 3]])


def table(path):
    pq.write_table(pa.table({"text": ["before", LONG, "after"]}), path)


def folder(path):
    path.mkdir()
    for name, text in (("a", "before"), ("b", LONG), ("c", "after")):
        (path / f"{name}.txt").write_text(text)


def wiki(path):
    pages = "".join(f"<page><title>T</title><revision><text>{t}</text></revision></page>" for t in ("before", LONG, "after"))
    path.write_text(f"<mediawiki>{pages}</mediawiki>")


INPUTS = {"p.jsonl": lines, "p.jsonl.gz": packed_lines, "p.csv": rows, "p.parquet": table, "folder": folder, "p.xml": wiki}


def read(path, room: Room | None, **limits: int) -> list[Found]:
    return list(reader_for(path, Fields()).read(path, 0, Limits(room=room, **limits)))


@pytest.mark.parametrize("name", INPUTS)
def test_a_record_that_takes_more_than_there_is_is_refused_and_with_enough_it_is_read(tmp_path, name):
    path = tmp_path / name
    INPUTS[name](path)
    asked = [COST * SMALL]
    founds = None
    while founds is None:
        room = Room(asked[-1], asked[-1], lambda: pytest.fail("all of it is its share"))
        try:
            founds = read(path, room)
        except TooDear as dear:
            asked.append(dear.need)
    texts = [f.record.text for f in founds if f.record]
    assert (texts[0], len(texts[1]) >= len(LONG) - 1, texts[2]) == ("before", True, "after")
    assert 2 <= len(asked) <= 3
    assert asked == sorted(asked)
    assert SIZE * COST <= asked[-1] <= SIZE * COST * 1.7


@pytest.mark.parametrize("name", INPUTS)
def test_room_that_others_have_is_made_before_the_record_is_held(tmp_path, name):
    path = tmp_path / name
    INPUTS[name](path)
    cleared = []
    assert len([f for f in read(path, Room(COST * SMALL, 100 * MB, lambda: cleared.append(name))) if f.record]) == 3
    assert 1 <= len(cleared) <= 2


@pytest.mark.parametrize("name", [n for n in INPUTS if n != "p.xml"])
def test_what_is_over_the_limit_anyway_takes_no_room(tmp_path, name):
    path = tmp_path / name
    INPUTS[name](path)
    room = Room(3 * COST * SMALL, 3 * COST * SMALL, lambda: None)
    founds = read(path, room, record_bytes=SMALL)
    assert [s.reason for f in founds for s in f.skips] == ["record too large"]


def test_small_records_are_not_asked_about():
    limits = Limits(room=Room(0, 0, lambda: pytest.fail("asked")))
    limits.make_room(SMALL, "a line")
    assert limits.held_bytes == SMALL
    assert Limits().held_bytes == Limits().record_bytes


@pytest.mark.parametrize(("value", "size"), [("abc", 3), ("\u4e00", 3), (b"ab", 2), ("\ud800", 1), (None, 0), (7, 0), ([1], 0), ("", 0)])
def test_the_size_of_a_text_is_that_in_utf8(value, size):
    assert bytes_of(value) == size
