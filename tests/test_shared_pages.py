"""Real pages: every one is read, and what is found on them is what plain Python finds."""

from collections import Counter, defaultdict
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path
from urllib.parse import urlsplit

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import unquilt as uq
from unquilt.kernel import twins

pytestmark = pytest.mark.data

K, M = 5, 50


@pytest.fixture(scope="module")
def mixed_file(shared_data: Path) -> Path:
    return shared_data / "pages" / "demo_mixed_text.parquet"


@pytest.fixture(scope="module")
def mixed(mixed_file: Path) -> pa.Table:
    """4,107 pages of blogs, news, manuals and spam."""
    return pq.read_table(mixed_file)


@pytest.fixture(scope="module")
def study(mixed_file: Path, tmp_path_factory: pytest.TempPathFactory) -> uq.Study:
    made = uq.open(tmp_path_factory.mktemp("mixed") / "mixed.study", memory="4GB")
    made.add(mixed_file)
    made.run(uq.Copies())
    made.run(uq.Overlaps())
    return made


def test_every_page_is_read(mixed: pa.Table, study: uq.Study) -> None:
    pages = study.table("pages")
    assert pages["text"].to_pylist() == mixed["text"].to_pylist()
    assert study.table("skipped").num_rows == 0


def test_pages_of_the_same_text_are_copies(mixed: pa.Table, study: uq.Study) -> None:
    same = defaultdict(set)
    for page, text in enumerate(mixed["text"].to_pylist()):
        same[text].add(page)
    copies = study.table("copy")
    first = dict(zip(copies["page"].to_pylist(), copies["first_page"].to_pylist(), strict=True))
    for pages in (p for text, p in same.items() if len(p) > 1 and text.strip()):
        assert len({first[page] for page in pages}) == 1


def test_the_mirrors_of_a_farm_are_copies_four_by_four(mixed: pa.Table, study: uq.Study) -> None:
    mirrors = pc.indices_nonzero(pc.equal(mixed["subset"], "farm_lottery_mirrors")).to_pylist()
    copies = study.table("copy")
    first = dict(zip(copies["page"].to_pylist(), copies["first_page"].to_pylist(), strict=True))
    assert Counter(Counter(first[page] for page in mirrors).values()) == {4: 45}


def test_passages_of_a_sample_are_counted_as_plain_python_counts_them(mixed: pa.Table, tmp_path: Path) -> None:
    quilts = mixed.filter(pc.is_in(mixed["subset"], pa.array(["farm_lottery_quilts", "planet_source"])))
    pq.write_table(quilts, tmp_path / "sample.parquet")
    sample = uq.open(tmp_path / "sample.study", memory="4GB")
    sample.add(tmp_path / "sample.parquet")
    sample.run(uq.Overlaps(k=K, m=M))
    pages = [grams_of(text) for text in quilts["text"].to_pylist()]
    hosts = [urlsplit(url).hostname for url in quilts["url"].to_pylist()]
    on = defaultdict(list)
    for page, grams in enumerate(pages):
        for gram in grams:
            on[gram].append(page)
    frequency = Counter(min(len(p), M + 1) for p in on.values())
    assert {r["pages"]: r["grams"] for r in sample.table("gram_frequency").to_pylist()} == frequency
    shared: Counter[tuple[str, str]] = Counter()
    for members in (p for p in on.values() if 2 <= len(p) <= M):
        shared.update(combinations(sorted({str(hosts[p]) for p in members}), 2))
    assert {(r["host_a"], r["host_b"]): r["grams"] for r in sample.table("host_pair").to_pylist()} == shared


def grams_of(text: str) -> set[tuple[str, ...]]:
    """The words themselves, not their hashes."""
    words = twins.word_texts(text.encode())
    return {tuple(words[i : i + K]) for i in range(len(words) - K + 1)}


def test_dates_of_posts_are_kept(shared_data: Path, tmp_path: Path) -> None:
    file = shared_data / "pages" / "dated_linked.parquet"
    dated = uq.open(tmp_path / "dated.study", memory="4GB")
    dated.add(file)
    assert dated.table("capture")["published_at"].to_pylist() == [midnight(d) for d in pq.read_table(file)["date"].to_pylist()]


def midnight(day: str | None) -> int | None:
    return int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()) * 1_000_000 if day else None
