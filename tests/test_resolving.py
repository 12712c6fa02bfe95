"""A revisit becomes a capture of its own URL, date and place with what the capture says that it refers to, wherever that lies."""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

sys.path.insert(0, str(Path(__file__).parent / "read"))

from archives import html, http, record, warc

import unquilt
from unquilt import resolving
from unquilt.watch import Watch

OLD, NEW = "2019-01-01T00:00:00Z", "2021-01-01T00:00:00Z"
A, B = "http://a.example/", "http://b.example/"
Open = Callable[[], unquilt.Study]


class Heard(Watch):
    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, sentence: str) -> None:
        self.said.append(sentence)


@pytest.fixture
def opened(tmp_path: Path) -> Open:
    """Studies, one after the other."""
    numbers = itertools.count()
    return lambda: unquilt.open(tmp_path / f"{next(numbers)}.study", memory="4GB", threads=1, watch=Heard())


def original(url: str = A, name: str = "original", date: str = OLD, digest: str | None = "sha1:AAA", **more: Any) -> bytes:
    body = html(name) + f'<a href="{B}link">a link</a><time datetime="2018-05-06">then</time>'.encode()
    return record("response", url, http(body), WARC_Date=date, WARC_Payload_Digest=digest, WARC_IP_Address="1.1.1.1", **more)


def revisit(url: str = A, date: str = NEW, digest: str | None = "sha1:aaa", of: tuple[str, str] | None = None, block: bytes = b"") -> bytes:
    of_url, of_date = of or (None, None)
    named = {"WARC_Refers_To_Target_URI": of_url, "WARC_Refers_To_Date": of_date}
    return record("revisit", url, block, WARC_Date=date, WARC_Payload_Digest=digest, WARC_IP_Address="2.2.2.2", **named)


def captures(study: unquilt.Study) -> list[tuple[str, str, str]]:
    """URL, year of fetching and title of each, without numbers and places."""
    rows = study.sql("SELECT url, year(make_timestamp(fetched_at)) AS year, title FROM capture ORDER BY ALL").to_pylist()
    return [(r["url"], r["year"], r["title"]) for r in rows]


def added(study: unquilt.Study, folder: Path, *files: list[bytes]) -> unquilt.Study:
    for records in files:
        path = folder / f"{abs(hash(tuple(records)))}.warc.gz"
        warc(path, *records)
        study.add(path)
    return study


def test_a_revisit_is_its_original_with_its_own_url_date_and_place(opened, tmp_path):
    warc(tmp_path / "a.warc.gz", original(), revisit(url="http://www.a.example/x"))
    study = opened()
    study.add(tmp_path / "a.warc.gz", snapshot="s")
    first, copy = study.sql("FROM capture ORDER BY page").to_pylist()
    assert [copy[c] for c in ("page", "id", "url", "host", "domain", "ip", "snapshot")] == [
        1, "http://www.a.example/x", "http://www.a.example/x", "www.a.example", "a.example", "2.2.2.2", "s"
    ]  # fmt: skip
    assert copy["fetched_at"] > first["fetched_at"]
    assert copy["offset"] == first["length"]
    own = {"page", "id", "url", "host", "domain", "site", "same", "ip", "fetched_at", "offset", "length"}
    assert {k: v for k, v in copy.items() if k not in own} == {k: v for k, v in first.items() if k not in own}
    links = study.sql("SELECT page, target, anchor FROM link ORDER BY page").to_pylist()
    assert links == [{"page": n, "target": f"{B}link", "anchor": "a link"} for n in (0, 1)]
    dates = study.sql("SELECT count(DISTINCT page) AS n FROM page_date").to_pylist()
    assert dates == [{"n": 2}]


TOLD = {
    "by its digest alone": [[original(), revisit(url=B)]],
    "by digest, in another file": [[original()], [revisit()]],
    "by URL and date": [[original(digest=None)], [revisit(digest=None, of=(A, OLD))]],
    "by its own URL": [[original(digest=None)], [revisit(digest=None)]],
    "named by URL and date, in another file": [[original(), original(B, "other")], [revisit(of=(A, OLD))]],
}


@pytest.mark.parametrize("files", TOLD.values(), ids=TOLD)
def test_captures_are_the_same_in_whatever_order_files_are_added(files, opened, tmp_path):
    told = [captures(added(opened(), tmp_path, *order)) for order in itertools.permutations(files)]
    assert all(t == told[0] for t in told)
    (copy,) = [t for t in told[0] if t[1] == 2021]
    assert copy[2] == "original"


CHOICES = {
    "the one that is named before others of its digest": (
        [original(B, "other", date="2020-01-01T00:00:00Z"), original(A, "named"), original("http://c.example/", "own")],
        revisit("http://c.example/", of=(A, OLD)),
        "named",
    ),
    "one of the same URL where none is named": ([original(B, "other"), original(A, "own")], revisit(), "own"),
    "the newest of the URL that is not younger, where there is no digest": (
        [
            original(name="older", digest=None),
            original(name="newer", date="2020-01-01T00:00:00Z", digest=None),
            original(name="too new", date="2022-01-01T00:00:00Z", digest=None),
        ],
        revisit(digest=None),
        "newer",
    ),
    "the date that is named before a newer one": (
        [original(name="named", digest=None), original(name="newer", date="2020-01-01T00:00:00Z", digest=None)],
        revisit(digest=None, of=(A, OLD)),
        "named",
    ),
    "any one of the digest": ([original(B, "first"), original("http://c.example/", "second", date=NEW)], revisit(), "first"),
}


@pytest.mark.parametrize(("originals", "again", "chosen"), CHOICES.values(), ids=CHOICES)
def test_of_several_captures_the_one_is_taken_that(originals, again, chosen, opened, tmp_path):
    for order in (originals, originals[::-1]):
        study = added(opened(), tmp_path, [*order, again])
        title = study.sql("SELECT title FROM capture ORDER BY page DESC LIMIT 1").to_pylist()[0]["title"]
        assert title == chosen


def test_a_revisit_whose_original_is_not_there_waits_and_it_is_said(opened, tmp_path):
    study = added(opened(), tmp_path, [revisit(), original(B, "other", digest="sha1:BBB")])
    assert captures(study) == [(B, 2019, "other")]
    assert study.watch.said == ["revisits whose originals are not in the study: 1 (table `revisit`)"]
    added(study, tmp_path, [original()])
    assert captures(study) == [(A, 2019, "original"), (A, 2021, "original"), (B, 2019, "other")]
    assert len(study.watch.said) == 1


def test_a_revisit_is_never_the_original_of_another(opened, tmp_path):
    chain = [original(digest=None), revisit(B, of=(A, OLD), digest=None), revisit("http://c.example/", of=(B, NEW), digest=None)]
    study = added(opened(), tmp_path, chain)
    assert captures(study) == [(A, 2019, "original"), (B, 2021, "original")]
    assert "not in the study: 1" in study.watch.said[0]


def test_every_snapshot_has_its_revisits(opened, tmp_path):
    warc(tmp_path / "a.warc.gz", original(), revisit())
    study = opened()
    for name in ("one", "two"):
        study.add(tmp_path / "a.warc.gz", snapshot=name)
    rows = study.sql("SELECT snapshot, count(*) AS n FROM capture GROUP BY snapshot ORDER BY snapshot").to_pylist()
    assert rows == [{"snapshot": "one", "n": 2}, {"snapshot": "two", "n": 2}]
    assert study.watch.said == []


def test_adding_again_makes_no_capture_twice(opened, tmp_path):
    files = [original()], [revisit()]
    study = added(opened(), tmp_path, *files)
    before = study.manifest
    added(study, tmp_path, *files)
    assert study.manifest == before


def test_a_removed_page_is_nobodys_original(opened, tmp_path):
    study = added(opened(), tmp_path, [original()])
    study.remove(urls=[A])
    added(study, tmp_path, [revisit(B)])
    assert [c for c in captures(study) if c[0]] == []
    assert study.watch.said[-1].startswith("revisits whose originals are not in the study: 1")


def test_a_removed_page_takes_its_revisits_with_it_also_those_that_waited(opened, tmp_path):
    study = added(opened(), tmp_path, [original(), revisit(), revisit("http://a.example/waits", digest="sha1:NO")])
    assert len(captures(study)) == 2
    study.remove(hosts=["a.example"])
    for table in ("capture", "revisit", "link", "page_date"):
        assert "a.example" not in repr(study.table(table).to_pylist()), table
    study.watch.said.clear()
    added(study, tmp_path, [original(B, "other", digest="sha1:NO")])
    assert captures(study)[0] == (B, 2019, "other")
    assert study.watch.said == []


def test_a_removed_revisit_leaves_its_original(opened, tmp_path):
    study = added(opened(), tmp_path, [original(), revisit(B)])
    assert study.remove(urls=[B]).captures == 1
    assert [c for c in captures(study) if c[0]] == [(A, 2019, "original")]
    assert study.sql("SELECT count(*) AS n FROM link").to_pylist() == [{"n": 1}]


def test_a_payload_of_many_captures_and_revisits_takes_no_long_time():
    """Compared each with each it would be ten thousand million pairs."""
    connection = duckdb.connect()
    many = """SELECT i AS {0}, '{1}' || i AS url, i AS fetched_at, 'sha1:A' AS digest, '{1}' AS file, i AS "offset", NULL AS snapshot"""
    connection.execute(f"CREATE TABLE capture AS {many.format('page', A)} FROM range(100_000) AS t(i)")
    connection.execute(
        f"CREATE TABLE revisit AS {many.format('entry', B)}, NULL::VARCHAR AS of_url, NULL::BIGINT AS of_date FROM range(100_000) AS t(i)"
    )
    connection.execute("CREATE TABLE tombstone (page BIGINT)")
    began = time.process_time()
    found = connection.execute(
        f"SELECT count(*), count(DISTINCT copy), min(original), max(original) FROM ({resolving._MATCH})", {"base": 7}
    )
    assert found.fetchall() == [(100_000, 100_000, 0, 0)]
    assert time.process_time() - began < 10  # .3
