"""A web of some thirty pages, and every row that the suspects' tables have of it, written down by hand.

Three pages are many, twenty words are short, and everything was fetched in September 2020.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from unquilt.corpus.capture import CAPTURE, REDIRECT
from unquilt.engine import Source, View
from unquilt.engine.budget import Budget
from unquilt.engine.local import Local
from unquilt.parquet import TableWriter, Written, batches_of
from unquilt.suspects import Suspects
from unquilt.table import Table
from unquilt.watch import Watch

METHOD = Suspects(pages=3, words=20)
FETCHED = 1_600_000_000_000_000
LONG = " ".join(f"{one}{two}word" for one in "bcdfg" for two in "aeiou")

# (URL, title, text)
PAGES: list[tuple[str | None, str | None, str]] = [
    ("http://shop.example/", "Shop", "All that we sell, from apples to zithers."),
    ("http://shop.example/gone.html", "Page not found | Shop", "Our shop has moved."),
    ("http://shop.example/old", "Shop", "Our shop\n\nSorry, the page you requested could not be found.\n\nHome"),
    ("http://shop.example/why", "Why servers say 404 Not Found", "A page that is not found is an occasion to be kind."),
    ("http://shop.example/long", "Page not found | Shop", LONG),
    (None, "Seite nicht gefunden", ""),
    # One answer to everything.
    ("http://app.example/a", "App", "You need JavaScript to run this app."),
    ("http://app.example/b/c", "App", "You need JavaScript to run this app."),
    ("http://app.example/help-me", "App", "You need JavaScript to run this app: help-me"),
    # A calendar, twice of the day it was fetched and three times of a far day; one month has something on.
    ("http://cal.example/?month=9&year=2020", None, "September 2020: Mon 7, nothing on"),
    ("http://cal.example/?month=10&year=2020", None, "October 2020: Thu 1, nothing on"),
    ("http://cal.example/?month=1&year=2031", None, "January 2031: Wed 1, nothing on"),
    ("http://cal.example/?month=2&year=2031", None, "February 2031: Sat 1, nothing on"),
    ("http://cal.example/?month=3&year=2031", None, "March 2031: Sat 1, a feast"),
    # Short, and a century apart.
    ("http://diary.example/1901/05/", None, "The lilac flowers"),
    ("http://diary.example/1950/06/", None, "Rain all week"),
    ("http://diary.example/1999/07/", None, "Off to the sea"),
    # Traps.
    ("http://forum.example/t?sid=1f3a5b7c9d1f3a5b7c9d1f", None, "A thread on tea"),
    ("http://forum.example/t?sid=2f3a5b7c9d1f3a5b7c9d1f", None, "A thread on tea"),
    ("http://forum.example/t?sid=3f3a5b7c9d1f3a5b7c9d1f", None, "A thread on tea"),
    ("http://list.example/l?sort=name", None, "One list of two"),
    ("http://list.example/l?sort=date", None, "Two of one list"),
    ("http://list.example/l?sort=size", None, "Of two, one list"),
    ("http://roll.example/p/1", None, "Photo 1 of 900, next"),
    ("http://roll.example/p/2", None, "Photo 2 of 900, next"),
    ("http://roll.example/p/3", None, "Photo 3 of 900, next"),
    ("http://maze.example/a/b/a/b/a/b/", None, "Where am I?"),
    # Manuals of three versions: long, and the number is in the path.
    ("http://docs.example/1/use", None, LONG),
    ("http://docs.example/2/use", None, LONG),
    ("http://docs.example/3/use", None, LONG),
    # Posts: short, of one family, each with something to say.
    ("http://blog.example/p/1", None, "On bees"),
    ("http://blog.example/p/2", None, "On wasps"),
    ("http://blog.example/p/3", None, "On ants"),
]

# (URL, where it leads)
REDIRECTS = [
    ("http://shop.example/x1", "http://shop.example/"),
    ("http://shop.example/x2", "http://shop.example/"),
    ("http://shop.example/x3", "http://shop.example/"),
    ("https://shop.example/x3", "http://shop.example/"),
    ("http://shop.example/y1", "http://shop.example/z1"),
    ("http://blog.example/", "https://blog.example/"),
    ("http://blog.example/1", "https://blog.example/1"),
    ("http://blog.example/2", None),
]

NOT_FOUND = [
    (1, "title", "Page not found"),
    (2, "text", "Sorry, the page you requested could not be found."),
    (4, "title", "Page not found"),
    (5, "title", "Seite nicht gefunden"),
]

_CAL = "http://cal.example/?month={month}&year={year}"
_DIARY = "http://diary.example/{year}/{month}/"
_FORUM = "http://forum.example/t?sid={session}"
_LIST = "http://list.example/l?sort={value}"
_ROLL = "http://roll.example/p/{n}"

ADDRESS = [
    (9, _CAL, "date", "2020-09", 1598918400000000, None),
    (10, _CAL, "date", "2020-10", 1601510400000000, None),
    (11, _CAL, "date", "2031-01", 1924992000000000, None),
    (12, _CAL, "date", "2031-02", 1927670400000000, None),
    (13, _CAL, "date", "2031-03", 1930089600000000, None),
    (14, _DIARY, "date", "1901-05", -2167084800000000, None),
    (15, _DIARY, "date", "1950-06", -618105600000000, None),
    (16, _DIARY, "date", "1999-07", 930787200000000, None),
    *((page, _FORUM, "session", None, None, None) for page in (17, 18, 19)),
    *((page, _LIST, "parameter", None, None, None) for page in (20, 21, 22)),
    *((page, _ROLL, "number", None, None, None) for page in (23, 24, 25)),
    (26, "http://maze.example/a/b/a/b/a/b/", None, None, None, "3 times /a/b"),
    *((page, "http://docs.example/{n}/use", "number", None, None, None) for page in (27, 28, 29)),
    *((page, "http://blog.example/p/{n}", "number", None, None, None) for page in (30, 31, 32)),
]

SAME_WORDS = [
    *((page, 6, 3, 7) for page in (6, 7, 8)),
    *((page, 9, 4, 2) for page in (9, 10, 11, 12)),
    *((page, 17, 3, 4) for page in (17, 18, 19)),
    *((page, 20, 3, 4) for page in (20, 21, 22)),
    *((page, 23, 3, 3) for page in (23, 24, 25)),
    *((page, 27, 3, 25) for page in (27, 28, 29)),
]

SUSPECT = [
    (1, "soft 404", "says so", "Page not found", "title", 1, 1),
    (2, "soft 404", "says so", "Sorry, the page you requested could not be found.", "text", 1, 2),
    (5, "soft 404", "says so", "Seite nicht gefunden", "title", 1, 5),
    *((page, "soft 404", "same words", None, None, 3, 6) for page in (6, 7, 8)),
    (9, "calendar", "same words", _CAL, None, 4, 9),
    (10, "calendar", "same words", _CAL, None, 4, 9),
    (11, "calendar", "dates ahead", _CAL, "until 2031-03", 3, 11),
    (11, "calendar", "same words", _CAL, None, 4, 9),
    (12, "calendar", "dates ahead", _CAL, "until 2031-03", 3, 11),
    (12, "calendar", "same words", _CAL, None, 4, 9),
    (13, "calendar", "dates ahead", _CAL, "until 2031-03", 3, 11),
    *((page, "calendar", "dates too wide", _DIARY, "1901-05 to 1999-07", 3, 14) for page in (14, 15, 16)),
    *((page, "trap", "session", _FORUM, None, 3, 17) for page in (18, 19)),
    *((page, "trap", "parameter", _LIST, None, 3, 20) for page in (20, 21, 22)),
    *((page, "trap", "running number", _ROLL, None, 3, 23) for page in (23, 24, 25)),
    (26, "trap", "loop", "3 times /a/b", None, 1, 26),
]

REDIRECT_SINK = [("http://shop.example/", 3, "http://shop.example/x1")]

ROWS = {"not_found": NOT_FOUND, "address": ADDRESS, "same_words": SAME_WORDS, "suspect": SUSPECT, "redirect_sink": REDIRECT_SINK}

Row = tuple[Any, ...]


def capture(page: int, url: str | None, title: str | None, text: str) -> Row:
    host = url.split("/")[2] if url else None
    said = {"page": page, "id": url or str(page), "url": url, "host": host, "apart": False, "same": hash(url or page), "title": title}
    counts = {"fetched_at": FETCHED, "replaced": 0, "text_chars": len(text), "words": 0, "text": text}
    origin = {"file": "web.jsonl", "offset": page, "length": 1}
    return tuple((said | counts | origin).get(c.name) for c in CAPTURE.columns)


def redirect(entry: int, url: str, target: str | None) -> Row:
    return (entry, url, target, 302, FETCHED, "web.warc", entry)


def made(folder: Path, method: Suspects, pages: Sequence[Row], redirects: Sequence[Row] = (), group: int = 7) -> dict[str, list[Row]]:
    """The rows of every table that the method's steps make of these captures."""
    engine = Local(Budget(1 << 30, 2))
    given = {CAPTURE: pages, REDIRECT: redirects}
    views = {table.name: _view(folder / "given" / table.name, table, rows, group) for table, rows in given.items()}
    rows: dict[str, list[Row]] = {}
    for number, step in enumerate(method.steps()):
        out = folder / f"made {number}"
        written = engine.run(step, {t.name: views.get(t.name, View(t, ())) for t in step.reads}, out, Watch())
        for table in step.tables:
            files = [out / table.name / one.file for one in written[table.name]]
            views[table.name] = View(table, (_source(files, written[table.name]),))
            rows[table.name] = rows_of(files, table)
    return rows


def rows_of(files: Iterable[Path], table: Table) -> list[Row]:
    batches = [batch for file in files for batch in batches_of(file, table.name)]
    return [row for batch in batches for row in zip(*(column.to_pylist() for column in batch.columns), strict=True)]


def _view(folder: Path, table: Table, rows: Sequence[Row], group: int) -> View:
    folder.mkdir(parents=True)
    sources = []
    for number, at in enumerate(range(0, len(rows), group)):
        columns = zip(*rows[at : at + group], strict=True)
        writer = TableWriter(folder / f"{number}.parquet", table)
        writer.write(table.batch(**{c.name: list(values) for c, values in zip(table.columns, columns, strict=True)}))
        sources.append(_source([folder / f"{number}.parquet"], [writer.close()]))
    return View(table, tuple(sources))


def _source(files: Sequence[Path], written: Sequence[Written]) -> Source:
    decoded, largest = sum(one.decoded for one in written), max(one.group_bytes for one in written)
    return Source(tuple(files), decoded, largest, sum(one.rows for one in written))


def suspects(rows: Mapping[str, list[Row]]) -> set[int]:
    return {row[0] for row in rows["suspect"]}
