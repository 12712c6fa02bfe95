"""Corpora that are odd, and right: every table is there with its schema, exit 0, and words for a person."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from processes import UNREADABLE, check, complaint, run

import unquilt
from unquilt.catalogue import METHODS, TABLES

Page = dict[str, Any]


def page(number: int, text: str | None) -> Page:
    return {"url": f"https://h{number % 3}.example/{number}", "text": text}


def large() -> str:
    """50 MB that are no single word again and again, but a small book again and again."""
    book = " ".join(f"word{i} stands{i % 7} here" for i in range(20_000))
    return (book * (50_000_000 // len(book) + 1))[:50_000_000]


CORPORA: dict[str, tuple[Callable[[], list[Page]], str]] = {
    "no page": (list, "has no page: what was read holds none"),
    "one page": (lambda: [page(0, "one two three four five six seven")], "pages      1"),
    "all identical": (lambda: [page(i, "the same seven words on every page") for i in range(40)], "copies     39"),
    "all shorter than k": (lambda: [page(i, f"only {i} words") for i in range(20)], "repeated   nothing to compare"),
    "null texts": (lambda: [page(i, None) for i in range(5)], "pages      5"),
    "empty texts": (lambda: [page(i, "") for i in range(5)], "pages      5"),
    "no word at all": (lambda: [page(i, "--- *** !!! ... ??? ---") for i in range(5)], "pages      5"),
    "no url": (lambda: [{"text": f"a page without a url, number {i}"} for i in range(5)], "hosts      0"),
}


def lines(pages: list[Page]) -> bytes:
    return b"".join(json.dumps(p).encode() + b"\n" for p in pages)


def tables_of(study: Path) -> dict[str, Path]:
    return {p.name: next(p.rglob("*.parquet")) for p in (study / "tables").iterdir()}


def check_tables(study: Path) -> None:
    """Every table there is was made, has its declared schema, and opens everywhere."""
    made = tables_of(study)
    assert made.keys() >= {t.name for m in METHODS for s in m().steps() for t in s.tables} | {"capture", "skipped"}
    for name, file in made.items():
        table = pq.read_table(file)
        assert table.schema.equals(TABLES[name].schema, check_metadata=True)
        rows = duckdb.sql(f"SELECT count(*) FROM read_parquet('{file}')").fetchall()
        assert rows == [(table.num_rows,)]
    for library in ("pandas", "polars"):
        if importlib.util.find_spec(library):
            read = importlib.import_module(library).read_parquet
            assert all(len(read(f)) == pq.read_metadata(f).num_rows for f in made.values())


@pytest.mark.parametrize(("name", "kind"), [*((n, "jsonl") for n in CORPORA), ("no page", "parquet"), ("null texts", "parquet")])
def test_an_odd_corpus_is_scanned(name: str, kind: str, tmp_path: Path) -> None:
    pages, says = CORPORA[name][0](), CORPORA[name][1]
    path, study = tmp_path / f"pages.{kind}", tmp_path / "a.study"
    if kind == "jsonl":
        path.write_bytes(lines(pages))
    else:
        schema = pa.schema([("url", pa.string()), ("text", pa.string())])
        pq.write_table(pa.Table.from_pylist(pages, schema), path)
    done = check(run("scan", path, "-o", study))
    assert says in done.stdout
    check_tables(study)
    if name == "all identical":
        assert unquilt.open(study).table("copy").num_rows == 40
    for table in ("pages", "host_pair", "copy", "skipped"):
        unquilt.open(study).export(table, tmp_path / f"{table}.csv")


def test_one_page_of_50_mb(tmp_path: Path) -> None:
    path, study = tmp_path / "pages.jsonl", tmp_path / "a.study"
    path.write_bytes(lines([page(0, large()), page(1, "word1 stands1 here word2 stands2 here word3")]))
    done = check(run("scan", path, "-o", study))
    assert "pages      2" in done.stdout
    check_tables(study)
    sizes = unquilt.open(study).table("page_size").to_pylist()
    assert sizes[0]["words"] > 5_000_000
    assert unquilt.open(study).table("server_pair").to_pylist() == [{"server_a": 0, "server_b": 1, "grams": 3}]


def test_an_empty_file_is_no_failure(tmp_path: Path) -> None:
    for name in ("empty.jsonl", "empty.jsonl.gz"):
        (tmp_path / name).write_bytes(b"")
        check(run("scan", tmp_path / name, "-o", tmp_path / "a.study"))
    check_tables(tmp_path / "a.study")
    assert [f.complete for f in unquilt.open(tmp_path / "a.study").manifest.inputs] == [True, True]


def test_an_empty_file_is_no_parquet(tmp_path: Path) -> None:
    (tmp_path / "empty.parquet").write_bytes(b"")
    said = complaint(check(run("scan", tmp_path / "empty.parquet", "-o", tmp_path / "a.study"), UNREADABLE))
    assert "cannot be read as Parquet" in said


def test_a_file_of_nothing_but_skipped_records(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_bytes(b"not json\n[1]\n\xff\xfe\n")
    said = complaint(check(run("scan", path, "-o", tmp_path / "a.study"), UNREADABLE))
    assert "not one of 3 records could be read" in said
    check(run("run", tmp_path / "a.study", "overlaps"))
    assert unquilt.open(tmp_path / "a.study").table("skipped").num_rows == 3
