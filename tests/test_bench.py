"""Benches and fuzzing can be run as CONTRIBUTING.md says, and what they conclude follows from what they saw."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

ROOT = Path(__file__).resolve().parents[1]
BENCH, FUZZ, READ = ROOT / "bench", ROOT / "fuzz", ROOT / "tests" / "read"
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
PAGES = {
    "http://a.example/one": "<title>One</title><p>Words that are on the first page, in a sentence of their own.",
    "http://a.example/two?x=y": "<title>Two</title><p>The second page was published on 4 March 2020.",
    "http://a.example/feed": '<?xml version="1.0"?><rss><channel><title>No page</title></channel></rss>',
}


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))


@pytest.fixture
def fuzz(monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in (READ, FUZZ):
        monkeypatch.syspath_prepend(str(folder))


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, check=False)


def stages(script: str) -> set[str]:
    """The names of the stages a script of .ci runs."""
    text = (ROOT / ".ci" / script).read_text("utf-8")
    return set(re.findall(r'^stage "([^"]+)"', text, re.MULTILINE)) or set(re.findall(r"^    (\w+)\) stage ", text, re.MULTILINE))


def named() -> set[str]:
    """The first cells of the tables of CONTRIBUTING.md."""
    return {cell.strip("` ") for cell in re.findall(r"^\| ([^|]+) \|", CONTRIBUTING, re.MULTILINE)}


def test_nothing_in_contributing_waits_to_be_filled_in() -> None:
    assert not re.findall(r"@\w+@", CONTRIBUTING)


@pytest.mark.parametrize("script", ["run", "long"])
def test_every_stage_of_ci_is_named_in_contributing(script: str) -> None:
    assert len(stages(script)) > 4
    assert stages(script) <= named()


def test_an_unknown_stage_is_told_with_those_there_are() -> None:
    done = subprocess.run([ROOT / ".ci" / "long", "nothing"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert all(name in done.stderr for name in stages("long"))


@pytest.mark.parametrize("script", ["bench/run.py", "bench/reading.py", "fuzz/run.py"])
def test_an_unknown_section_is_told_with_those_there_are(script: str) -> None:
    done = run(script, "nothing")
    assert done.returncode == 2
    assert re.search(r"there is no \w+ `nothing`; the \w+ are: \w+, \w+", done.stderr), done.stderr


@pytest.mark.parametrize(("figure", "code"), [(7.9, 1), (8.0, 0)])
def test_a_bar_that_is_missed_is_the_exit_code(figure: float, code: int, bench: None, capsys: pytest.CaptureFixture[str]) -> None:
    import report

    lines = [report.beside("words", "a peer", 1.0, figure, 8), report.beside("words", "another", 1.0, 0.1, None)]
    assert report.closed(lines, {}, None) == code
    assert ("missed: words, a peer" in capsys.readouterr().err) == bool(code)


def test_contenders_with_other_words_are_not_compared(bench: None) -> None:
    bench_run = loaded(BENCH / "run.py")
    words, starts = np.arange(10, dtype=np.uint64), np.array([0, 4, 10])
    bench_run.same_words("a peer", (words, starts), (words.copy(), starts))
    with pytest.raises(SystemExit, match="1 of unquilt and a peer are not the same"):
        bench_run.same_words("a peer", (words, starts), (np.where(words == 3, 99, words), starts))
    with pytest.raises(SystemExit, match="as many of them in each document"):
        bench_run.same_words("a peer", (words, starts), (words, np.array([0, 5, 10])))


def loaded(path: Path) -> ModuleType:
    """A script that has the name of another one."""
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_words_of_peers_are_compared_as_words(bench: None) -> None:
    import ours

    texts = pa.array(["One two, THREE", "", "two"])
    mine = ours.joined(ours.words(ours.batches(texts, 2)))
    same, other = (pa.array([first, [], ["two"]]) for first in (["one", "two", "three"], ["one", "two", "tree"]))
    assert all(np.array_equal(a, b) for a, b in zip(mine, ours.words_of_lists(same), strict=True))
    assert not np.array_equal(mine[0], ours.words_of_lists(other)[0])


@pytest.fixture
def warc(bench: None, tmp_path: Path) -> Path:
    """Five pages: the two there are, as often as is asked for."""
    import reading

    pq.write_table(pa.table({"url": list(PAGES), "html": list(PAGES.values())}), tmp_path / "demo_mixed.parquet")
    facts = reading.write_warc(tmp_path / "pages.warc.gz", tmp_path, 5)
    assert facts["html_bytes"] == sum(len(html) for html in PAGES.values() if "<rss" not in html) * 2 + len(PAGES["http://a.example/one"])
    return tmp_path / "pages.warc.gz"


def test_contenders_of_the_reading_bench_give_a_row_for_each_page(warc: Path) -> None:
    import readers

    texts, pages, peers = (readers.READINGS[name]()(warc) for name in ("unquilt text", "unquilt pages", "fastwarc + resiliparse"))
    urls = ["http://a.example/one", "http://a.example/two?x=y"]
    urls += ["http://a.example/one?again=1", "http://a.example/two?x=y&again=1", "http://a.example/one?again=2"]
    assert [row.url for row in texts] == [row.url for row in pages] == [row.url for row in peers] == urls
    assert [row.text for row in texts][:2] == [row.text for row in peers][:2]
    assert [row.date for row in pages][:2] == [None, "2020-03-04"]


def test_contenders_with_other_texts_are_not_compared(warc: Path, tmp_path: Path) -> None:
    import reading
    from readers import Row

    rows = [Row("http://a.example/", "one two three"), Row("http://b.example/", "four", "2020-03-04")]
    of = {"mine": rows, "same": rows, "other": [Row(row.url, "something else") for row in rows], "fewer": rows[:1]}
    for name, some in of.items():
        reading.write_rows(tmp_path / name, some)
    said = "2 of 2 pages, 100.0% of its words here, 100.0% of ours there, dates on 1 and 1"
    assert reading.agreement(tmp_path / "mine", tmp_path / "same") == said
    with pytest.raises(SystemExit, match="other texts"):
        reading.agreement(tmp_path / "mine", tmp_path / "other")
    with pytest.raises(SystemExit, match="other pages"):
        reading.agreement(tmp_path / "mine", tmp_path / "fewer")


def test_the_bench_of_a_whole_add_counts_pages_and_looks_at_memory(warc: Path, tmp_path: Path) -> None:
    import reading

    added = reading.added(warc, tmp_path / "a.study")
    assert added.pages == 5
    assert added.cpu > 0
    assert added.peak > 10e6


def test_every_target_of_the_fuzzer_reads_what_the_search_begins_with(fuzz: None) -> None:
    import seeds
    import targets

    assert targets.TARGETS.keys() == seeds.SEEDS.keys() == seeds.WORDS.keys()
    for name, target in targets.TARGETS.items():
        found = list(seeds.SEEDS[name]())
        assert len(found) > 1
        for data in found:
            target(data)


def test_a_promise_that_is_not_kept_is_seen_by_the_fuzzer(fuzz: None) -> None:
    import targets
    from unquilt.read import Found

    all_ = [Found(0, 5, None), Found(5, 5, None), Found(10, 5, None)]
    assert targets.check_places(lambda start: [f for f in all_ if f.offset >= start]) == all_
    with pytest.raises(AssertionError, match="from 5 on"):
        targets.check_places(lambda start: all_ if not start else all_[2:])
    with pytest.raises(AssertionError, match="a find at 5 behind one that ends at 15"):
        targets.check_places(lambda start: all_[::-1])


def test_an_input_is_made_as_small_as_it_breaks(fuzz: None) -> None:
    import shrink

    def target(data: bytes) -> None:
        if b"x" in data and data.count(b"y") > 1:
            raise ValueError
        if b"z" in data:
            raise KeyError

    long = b"a" * 1000 + b"y" + b"b" * 300 + b"xz" + b"c" * 77 + b"yy"
    assert shrink.least(long, lambda data: shrink.broken(target, data), until=float("inf")) in (b"yxy", b"xyy")


@pytest.mark.long
@pytest.mark.data
def test_memory_does_not_grow_with_the_number_of_pages(bench: None, shared_data: Path, tmp_path: Path) -> None:
    import reading

    line = reading.memory(reading.Bench(tmp_path, tmp_path, tmp_path, 1, shared_data / "pages"))[0]
    assert line.held, line
