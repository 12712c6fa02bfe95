"""What is shown and exported: the same rows by every way to them, in their order, within what --memory, --threads and --tmp say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import unquilt as uq
from unquilt import asking, readable
from unquilt.catalogue import TABLES
from unquilt.cli.output import print_json, print_json_rows
from unquilt.corpus.capture import CAPTURE, LINK
from unquilt.engine.budget import Budget
from unquilt.errors import CannotGoOn, DamagedTable, MemoryTooSmall, NoRoom, UsageError
from unquilt.pages import PAGES, _iso
from unquilt.reading import Published, picked
from unquilt.table import Column, Table

ROOT = Path(__file__).resolve().parents[1]
LINKED = [
    {"url": f"http://{host}.example/{n}", "html": f"<p>Page {n} of {host} goes to " + "".join(f"<a href='/{m}'>{m}</a> " for m in range(n))}
    for n in range(8)
    for host in ("a", "b")
]
MB = 1_000_000


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> uq.Study:
    """The example web, older captures of some of its pages before and behind them, and pages with links; a file a segment."""
    folder = tmp_path_factory.mktemp("exporting")
    (folder / "linked.jsonl").write_text("".join(json.dumps(row) + "\n" for row in LINKED))
    opened = uq.open(folder / "s.study", memory="4GB", threads=2)
    opened.add(folder / "linked.jsonl")
    opened.scan(ROOT / "examples" / "blogs.jsonl")
    opened.add(folder / "linked.jsonl", snapshot="again")
    opened.run(uq.Copies())
    opened.run(uq.Overlaps())
    return opened


def published(study: uq.Study) -> Published:
    return Published(study._store, study.manifest, Budget(400 * MB, 2))


def all_of(batches: Any) -> list[dict[str, Any]]:
    return [row for batch in batches for row in batch.to_pylist()]


def test_the_study_has_several_segments_and_pages_that_do_not_count(study: uq.Study) -> None:
    held = study.manifest.tables
    assert [len(held[t].segments) for t in ("capture", "link", "fingerprint", "current")] == [3, 2, 3, 1]
    assert 0 < held["current"].rows < held["capture"].rows


@pytest.mark.parametrize("name", [PAGES.name, *(t for t in TABLES if t != "tombstone")])
def test_every_way_to_the_rows_gives_the_same(name: str, study: uq.Study, monkeypatch: pytest.MonkeyPatch) -> None:
    p, table = published(study), PAGES if name == PAGES.name else TABLES[name]
    wanted = study.rows(name).to_pylist()
    keys = [tuple(row[k] for k in table.key) for row in wanted]
    assert keys == sorted(set(keys))
    assert len(wanted) == next(t["rows"] for t in study.contents() if t["table"] == name)
    assert all_of(readable.rows(p, table, len(wanted))) == wanted, "looked up"
    if table is not PAGES:  # which has no file of its own
        assert all_of(readable._joined(p, table, readable._order(table), None)) == wanted, "joined"
    some = all_of(readable.first(p, table, 7))
    assert len(some) == min(7, len(wanted))
    monkeypatch.setattr(readable, "FEW", 0)
    assert all_of(readable.rows(p, table, 5)) == wanted[:5], "along, or joined"
    assert all_of(readable.first(p, table, 7)) == some


def test_pages_are_what_a_query_says_they_are(study: uq.Study) -> None:
    iso = "strftime(make_timestamp({0}), '%Y-%m-%dT%H:%M:%SZ')"
    wanted = study.sql(
        f"""SELECT page, id, url, {iso.format("published_at")} AS date, {iso.format("fetched_at")} AS fetched, title, text,
            coalesce(language, detected_language) AS language, snapshot, file AS warc_filename, "offset" AS warc_record_offset,
            length AS warc_record_length FROM capture SEMI JOIN current USING (page) ORDER BY page"""
    )
    assert study.rows("pages").to_pylist() == wanted.to_pylist()
    assert study.rows("pages").schema == PAGES.schema


def test_moments_are_written_as_duckdb_writes_them() -> None:
    moments = [0, -1, -500_000, 10**15, -62135596800_000_000, -62135683200_000_001, 253402300800_000_000, None]
    asked = "SELECT strftime(make_timestamp(n), '%Y-%m-%dT%H:%M:%SZ') FROM (SELECT unnest(?::BIGINT[]) AS n)"
    assert _iso(pa.array(moments, pa.int64())).to_pylist() == [r[0] for r in duckdb.execute(asked, [moments]).fetchall()]


def test_picked_rows_are_those_of_the_numbers(study: uq.Study) -> None:
    p = published(study)
    numbers = np.array([0, 3, 15, 16, 139, 140, 10**9])
    found = all_of(picked(p, CAPTURE, numbers, ["url"]))
    rows = {r["page"]: r["url"] for r in study.table("capture").to_pylist()}
    assert found == [{"page": n, "url": rows[n]} for n in numbers.tolist() if n in rows]
    links = all_of(picked(p, LINK, numbers, ["target"]))
    assert [r["page"] for r in links] == [r["page"] for r in study.table("link").to_pylist() if r["page"] in numbers]
    assert len(links) > 5


@pytest.mark.parametrize(
    ("name", "by"), [("pages", "language"), ("pages", "date"), ("copy", "first_url"), ("copy", "pages"), ("link", "rel")]
)
def test_counts_add_up_and_begin_with_the_most_frequent(name: str, by: str, study: uq.Study) -> None:
    found = study.counts(name, by).to_pylist()
    values = [row[by] for row in study.rows(name).to_pylist()]
    assert {row[by]: row["rows"] for row in found} == {v: values.count(v) for v in values}
    assert [r["rows"] for r in found] == sorted((r["rows"] for r in found), reverse=True)
    assert study.counts(name, by, limit=2).to_pylist() == found[:2]


@pytest.mark.parametrize("rows", [0, 1, 3])
def test_rows_in_json_come_one_by_one_and_look_like_a_list(rows: int, capsys: pytest.CaptureFixture[str]) -> None:
    some = [{"text": "a\nb \x9b", "list": [1, 2], "none": None}] * rows
    print_json(some)
    wanted = capsys.readouterr().out
    print_json_rows(iter(some))
    assert capsys.readouterr().out == wanted


SETTINGS = (
    "SELECT current_setting('memory_limit') AS memory, current_setting('threads') AS threads, current_setting('temp_directory') AS tmp"
)


def test_memory_threads_and_tmp_reach_every_question(tmp_path: Path) -> None:
    study = uq.open(tmp_path / "s.study", memory="10GB", threads=3, tmp=tmp_path / "tmp")
    asked = [study.sql(SETTINGS).to_pylist(), asking.rows(study._published(), SETTINGS, {})]
    for ((said),) in asked:
        amount, unit = said["memory"].split()
        assert unit == "GiB"
        assert 2.3 < float(amount) <= 0.3 * 10**10 / 2**30
        assert said["threads"] == 3
        assert Path(said["tmp"]).is_relative_to(tmp_path / "tmp")
    assert list((tmp_path / "tmp").iterdir()) == []


SPILLS = "SELECT md5(range::VARCHAR) AS word, range AS n FROM range(2_000_000) ORDER BY word LIMIT 1 OFFSET 1_500_000"


def test_what_does_not_fit_is_spilled_and_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = uq.open(tmp_path / "s.study", memory="320MB", threads=1, tmp=tmp_path / "tmp")
    assert study.sql(SPILLS).num_rows == 1
    assert list((tmp_path / "tmp").iterdir()) == []
    (tmp_path / "file").touch()
    monkeypatch.setattr(asking, "_made", lambda _: str(tmp_path / "file"))
    with pytest.raises(uq.UnquiltError, match="Failed to create directory"):
        study.sql(SPILLS)


def test_without_tmp_the_study_is_where_it_spills_unless_nobody_may_write_there(study: uq.Study, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Path(study.sql(SETTINGS)["tmp"][0].as_py()).is_relative_to(study.folder / "work")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "mkdir", refuse)
    assert not Path(study.sql(SETTINGS)["tmp"][0].as_py()).is_relative_to(study.folder)


def test_what_the_process_holds_beside_does_not_stop_a_question(tmp_path: Path) -> None:
    """A user of Python has data of their own, and the answers to earlier questions."""
    study = uq.open(tmp_path / "s.study", memory="320MB")
    beside = b"\1" * (400 * MB)
    assert study.sql("SELECT 1 AS one").to_pylist() == [{"one": 1}]
    assert len(beside) == 400 * MB


def test_a_mistake_in_a_query_is_cut_short(study: uq.Study) -> None:
    with pytest.raises(UsageError, match=r"the query cannot be answered \(Conversion Error") as told:
        study.sql("SELECT CAST(repeat(text, 9) AS INTEGER) FROM capture")
    assert len(str(told.value)) < 900
    assert "\n" not in str(told.value)


def oom(text: str) -> duckdb.Error:
    return duckdb.OutOfMemoryException(text)


@pytest.mark.parametrize(
    ("error", "tables", "kind"),
    [
        (oom("failed to allocate"), None, MemoryTooSmall),
        (oom("failed to offload\nmax_temp_directory_size is 1GB"), None, NoRoom),
        (duckdb.IOException("could not write: No space left on device"), [], NoRoom),
        (duckdb.IOException("No files found that match"), [], DamagedTable),
        (duckdb.BinderException("no such column"), [], UsageError),
        (duckdb.BinderException("no such column"), None, CannotGoOn),
    ],
)
def test_what_went_wrong_is_said_as_what_it_is(error: duckdb.Error, tables: list[str] | None, kind: type[Exception]) -> None:
    assert type(asking.explained(error, tables)) is kind


def test_a_question_that_finds_too_little_memory_is_asked_again(study: uq.Study, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[float] = []
    answered = asking.sql.answered

    def too_little(connection: Any, query: str, **more: Any) -> Any:
        tried.append(1)
        if len(tried) == 1:
            raise oom("too little")
        return answered(connection, query, **more)

    monkeypatch.setattr(asking.sql, "answered", too_little)
    assert asking.rows(published(study), "SELECT 7 AS n", {}) == [{"n": 7}]
    assert len(tried) == 2


def test_a_table_that_speaks_of_pages_that_are_not_there_is_told(study: uq.Study, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither of the three ways to the names may leave rows out, or give the names of others."""
    strange = Table("copy", 1, ("page",), "Each row is strange.", (Column("page", "int64", "the page", page=True),))
    batch = strange.batch(page=[1, 10**6])
    own = readable._own
    monkeypatch.setattr(readable, "_own", lambda p, table, *columns: iter([batch]) if table is strange else own(p, table, *columns))
    p = published(study)
    for ask in (readable.rows(p, strange, 5), readable.rows(p, strange), readable._joined(p, strange, "page", None)):
        with pytest.raises(DamagedTable, match="table copy speaks of captures that are not there"):
            list(ask)
