"""The Python API: open, add, run, plan, look, ask, export; and what it exports opens in other tools with the same rows."""

import csv
import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import unquilt as uq
from unquilt.errors import InputError, StudyError, UsageError

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "blogs.jsonl"
KNOWN = ["id", "url", "date", "text", "language", "warc_filename", "warc_record_offset", "warc_record_length"]
HARD = [
    {"text": "=1+1", "title": "=cmd|' /C calc'!A0", "url": "http://a.example/1", "date": "2020-03-01"},
    {"text": "+1", "title": "-1", "language": "@x"},
    {"text": 'say "hello",\nthen\r\ngo; \r', "title": " spaces \t"},
    {"text": "", "title": "", "id": "null"},
    {"text": None, "title": "NULL", "url": "http://a.example/?q=a,b"},
    {"text": "\u4e09\u20ac\U0001f600 \u202e", "fetched": "1969-12-31T23:59:59.5Z", "date": "0001-01-01"},
]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> uq.Study:
    opened = uq.open(tmp_path_factory.mktemp("api") / "blogs.study", memory="4GB", threads=2)
    opened.scan(EXAMPLE)
    return opened


@pytest.fixture(scope="module")
def hard(tmp_path_factory: pytest.TempPathFactory) -> uq.Study:
    folder = tmp_path_factory.mktemp("hard")
    (folder / "hard.jsonl").write_text("".join(json.dumps(row) + "\n" for row in HARD))
    opened = uq.open(folder / "hard.study")
    opened.scan(folder / "hard.jsonl")
    return opened


def test_one_call_scans(study):
    found = study.summary()
    assert (found.captures, found.pages, found.hosts, found.copies, found.grams, found.repeated) == (123, 119, 19, 8, 10327, 7117)


def test_add_says_what_came_of_each_file(tmp_path):
    opened = uq.open(tmp_path / "s.study")
    (added,) = opened.add(EXAMPLE, snapshot="one")
    assert (added.file.pages, added.file.skipped, added.already) == (123, 0, False)
    assert opened.add(EXAMPLE, snapshot="one")[0].already
    assert not opened.add(EXAMPLE, snapshot="two")[0].already
    assert opened.sql("SELECT snapshot, count(*) AS n FROM capture GROUP BY snapshot ORDER BY snapshot").to_pylist() == [
        {"snapshot": "one", "n": 123},
        {"snapshot": "two", "n": 123},
    ]


def test_nothing_is_read_when_one_of_the_files_is_not_there(tmp_path):
    opened = uq.open(tmp_path / "s.study")
    with pytest.raises(InputError):
        opened.add(EXAMPLE, tmp_path / "no.jsonl")
    assert opened.tables() == []


def test_run_makes_nothing_twice(study):
    assert study.run(uq.Overlaps(k=5)).made == ()
    assert {p.action for p in study.plan(uq.Overlaps(k=5))} == {"reuse"}


def test_head_begins_with_what_is_interesting_and_arrow_keeps_the_key(study):
    overlaps = study.run(uq.Overlaps())
    assert overlaps.head(1) == [{"host": "tidepool.example", "pages": 10, "grams": 2096, "repeated": 2096, "foreign": 2017}]
    shares = [r["repeated"] / r["grams"] for r in overlaps.head(100)]
    assert shares == sorted(shares, reverse=True)
    hosts = overlaps.arrow()["host"].to_pylist()
    assert hosts == sorted(hosts)
    pairs = overlaps.head(100, "host_pair")
    assert [p["grams"] for p in pairs] == sorted((p["grams"] for p in pairs), reverse=True)
    with pytest.raises(UsageError, match="overlaps makes no table `copy`; it makes host_overlap, host_pair"):
        overlaps.head(1, "copy")


def test_first_and_rows_hold_the_same_rows(study):
    for name in (t["table"] for t in study.contents()):
        rows = study.rows(name).to_pylist()
        assert sorted(map(str, study.first(name, 1000).to_pylist())) == sorted(map(str, rows))


def test_plan_knows_the_size_of_what_is_made(tmp_path):
    opened = uq.open(tmp_path / "s.study")
    opened.add(EXAMPLE)
    by_table = {p.tables[0]: p for p in opened.plan(uq.Overlaps())}
    assert {p.action for p in by_table.values()} == {"make"}
    assert (by_table["host"].rows, by_table["current"].rows, by_table["page_size"].rows) == (123, None, 123)
    opened.run(uq.Overlaps())
    assert 0.5 < by_table["page_size"].spill / opened.engine.spilled < 3


def test_counts_group_by_a_column(study):
    assert study.counts("pages", "language").to_pylist()[0] == {"language": "en", "rows": 99}
    with pytest.raises(UsageError, match=r"no column of host_pair `host`; did you mean `host_[ab]`\?"):
        study.counts("host_pair", "host")


@pytest.mark.parametrize("query", ["SELECT nothing FROM host", "SELECT * FROM nothing", "SELEC 1", ""])
def test_a_query_that_is_not_understood_is_one_sentence(study, query):
    with pytest.raises(UsageError) as raised:
        study.sql(query)
    assert "\n" not in str(raised.value)


def test_pages_are_not_there_before_a_method_made_them(tmp_path):
    opened = uq.open(tmp_path / "s.study")
    opened.add(EXAMPLE)
    for ask in (lambda: opened.rows("pages"), lambda: opened.export("pages", tmp_path / "p.csv")):
        with pytest.raises(UsageError, match="`pages` is not made yet; `unquilt run STUDY METHOD` makes it"):
            ask()


def test_what_is_no_study_is_not_opened(tmp_path):
    with pytest.raises(StudyError, match="is not a study"):
        uq.open(tmp_path / "no.study", create=False)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").touch()
    with pytest.raises(StudyError, match="is there and is not a study"):
        uq.open(tmp_path / "mine")


@pytest.mark.parametrize("wrong", [{"engine": "abacus"}, {"memory": "much"}, {"threads": 0}])
def test_a_wrong_way_to_open_is_one_sentence_and_leaves_nothing(tmp_path, wrong):
    with pytest.raises(UsageError):
        uq.open(tmp_path / "s.study", **wrong)
    assert list(tmp_path.iterdir()) == []


def plain(value: Any) -> Any:
    """One spelling for what tools read differently: nulls, whole numbers as floats, times."""
    if value is None or value != value:
        return None
    if hasattr(value, "strftime"):
        return value.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"
    return int(value) if isinstance(value, float) and math.isfinite(value) else value


def _in_pandas(path: Path) -> list[dict[str, Any]]:
    import pandas as pd

    if path.suffix == ".parquet":
        return pd.read_parquet(path).to_dict("records")
    if path.suffix == ".jsonl":
        return pd.read_json(path, lines=True, dtype=False).to_dict("records")
    return pd.read_csv(path, dtype=str, keep_default_na=False).to_dict("records")


def _in_polars(path: Path) -> list[dict[str, Any]]:
    import polars as pl

    if path.suffix == ".parquet":
        return pl.read_parquet(path).to_dicts()
    if path.suffix == ".jsonl":
        return pl.read_ndjson(path, infer_schema_length=None).to_dicts()
    return pl.read_csv(path, infer_schema=False).to_dicts()


def _in_duckdb(path: Path) -> list[dict[str, Any]]:
    csv = f"read_csv('{path}', strict_mode=false, all_varchar=true, new_line='\\n')"
    read = {".parquet": f"read_parquet('{path}')", ".jsonl": f"read_json('{path}', format='newline_delimited')", ".csv": csv}
    return duckdb.sql(f"FROM {read[path.suffix]}").to_arrow_table().to_pylist()


def _in_python(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text("utf-8").split("\n")[:-1]]
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


TOOLS = {"duckdb": _in_duckdb, "pandas": _in_pandas, "polars": _in_polars, "pyarrow": _in_python}


@pytest.fixture(params=TOOLS)
def rows_of(request: pytest.FixtureRequest) -> Callable[[Path], list[dict[str, Any]]]:
    """The rows of an exported file as another tool reads them."""
    pytest.importorskip(request.param)
    return lambda path: [{k: plain(v) for k, v in row.items()} for row in TOOLS[request.param](path)]


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl"])
@pytest.mark.parametrize("which", ["study", "hard"])
def test_exports_open_in_other_tools_with_the_same_rows(which, suffix, rows_of, tmp_path, request):
    opened = request.getfixturevalue(which)
    for name in [t["table"] for t in opened.contents() if t["rows"]]:
        wanted = opened.rows(name).to_pylist()
        assert opened.export(name, tmp_path / f"x{suffix}") == len(wanted)
        assert rows_of(tmp_path / f"x{suffix}") == [{k: plain(v) for k, v in row.items()} for row in wanted], name


def in_csv(value: Any) -> str:
    """Numbers, truths and lists as JSON has them."""
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


@pytest.mark.parametrize("which", ["study", "hard"])
def test_csv_opens_in_other_tools_with_the_same_texts(which, rows_of, tmp_path, request):
    opened = request.getfixturevalue(which)
    for name in [t["table"] for t in opened.contents() if t["rows"]]:
        wanted = [{k: in_csv(v) for k, v in row.items()} for row in opened.rows(name).to_pylist()]
        opened.export(name, tmp_path / "x.csv")
        assert [{k: v or "" for k, v in row.items()} for row in rows_of(tmp_path / "x.csv")] == wanted, name


def test_csv_tells_a_null_from_an_empty_text_and_changes_no_text(hard, tmp_path):
    hard.export("pages", tmp_path / "x.csv")
    lines = (tmp_path / "x.csv").read_bytes().decode().split("\n")
    assert lines[1].startswith("0,http://a.example/1,http://a.example/1,2020-03-01T00:00:00Z,,=cmd|' /C calc'!A0,=1+1,")
    assert '\n3,null,,,,"","",,' in "\n".join(lines)


def test_pages_have_the_columns_people_know(study, tmp_path):
    study.export("pages", tmp_path / "p.parquet")
    assert set(KNOWN) <= set(pq.read_schema(tmp_path / "p.parquet").names)


def test_an_origin_is_where_the_record_is(study):
    whole = EXAMPLE.read_bytes()
    for page in study.rows("pages").to_pylist():
        start = page["warc_record_offset"]
        record = json.loads(whole[start : start + page["warc_record_length"]])
        assert (record["url"], record["text"]) == (page["url"], page["text"])
        assert page["warc_filename"] == str(EXAMPLE)


def test_an_export_is_whole_or_not_there(study, tmp_path, monkeypatch):
    (tmp_path / "x.jsonl").write_text("before")
    monkeypatch.setattr("unquilt.exporting.json.dumps", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        study.export("host", tmp_path / "x.jsonl")
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("x.jsonl", "before")]


def test_exports_are_the_same_bytes_again(study, tmp_path):
    for name in ("pages.parquet", "pages.jsonl", "pages.csv"):
        study.export("pages", tmp_path / f"1-{name}")
        study.export("pages", tmp_path / f"2-{name}")
        assert (tmp_path / f"1-{name}").read_bytes() == (tmp_path / f"2-{name}").read_bytes()


def test_a_watch_is_told_of_files_and_stages(tmp_path):
    from contextlib import contextmanager

    from unquilt.watch import Watch

    told: list[Any] = []

    class Listening(Watch):
        @contextmanager
        def stage(self, name, total, unit):
            told.append(name)
            yield

        def added(self, name, pages, skipped, already):
            told.append((pages, skipped, already))

    opened = uq.open(tmp_path / "s.study", watch=Listening())
    opened.add(EXAMPLE)
    opened.run(uq.Copies())
    assert told[:2] == ["read blogs.jsonl", (123, 0, False)]
    assert {"host", "current", "copy"} <= set(told)


def test_a_summary_is_quick_on_a_study_that_is_made(study):
    began = time.process_time()
    study.summary()
    assert time.process_time() - began < 2


def test_the_arrow_types_of_rows_are_those_of_the_table(study):
    assert study.rows("host_overlap").schema.types == [pa.string()] + [pa.int64()] * 4
