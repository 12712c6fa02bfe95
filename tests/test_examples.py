"""What is found in the example web is what was put there, and what plain sets of words say."""

import json
from collections import Counter, defaultdict
from itertools import combinations

import pytest

import unquilt as uq
from example_web import FOLDER, TRUTH, copied_hosts, host

K, M = 5, 50


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> uq.Study:
    opened = uq.open(tmp_path_factory.mktemp("examples") / "blogs.study")
    opened.scan(FOLDER / "blogs.jsonl")
    return opened


@pytest.fixture(scope="module")
def newest() -> dict[str, str]:
    """Text of the newest capture of each address."""
    lines = (FOLDER / "blogs.jsonl").read_text("utf-8").splitlines()
    rows = sorted(map(json.loads, lines), key=lambda r: (r["url"], r["fetched"]))
    return {r["url"]: r["text"] for r in rows}


@pytest.fixture(scope="module")
def words(newest: dict[str, str]) -> dict[str, tuple[int, ...]]:
    """Words of each page, by the twins, which share nothing with the kernel."""
    twins = pytest.importorskip("unquilt.kernel.twins")
    found = twins.words([text.encode() for text in newest.values()])
    return dict(zip(newest, map(tuple, found), strict=True))


@pytest.fixture(scope="module")
def pages_of(words: dict[str, tuple[int, ...]]) -> dict[tuple[int, ...], set[str]]:
    """For each sequence of K words the pages it is on."""
    found: dict[tuple[int, ...], set[str]] = defaultdict(set)
    for url, page in words.items():
        for at in range(len(page) - K + 1):
            found[page[at : at + K]].add(url)
    return found


def test_captures_and_addresses_are_those_of_the_truth(study):
    found = study.summary()
    assert (found.captures, found.pages) == (TRUTH["captures"], TRUTH["addresses"])
    assert found.skipped == found.fields == []


def test_the_newest_capture_of_a_changed_page_counts(study):
    for changed in TRUTH["older_captures"]:
        (page,) = [p for p in study.rows("pages").to_pylist() if p["url"] == changed["url"]]
        assert page["fetched"] == changed["newer"]


def test_copies_are_the_identical_texts_of_the_truth(study):
    groups = defaultdict(set)
    for row in study.rows("copy").to_pylist():
        groups[row["first_url"]].add(row["url"])
        assert row["pages"] == next(len(g) for g in TRUTH["identical_texts"] if row["url"] in g)
    assert sorted(map(sorted, groups.values())) == sorted(map(sorted, TRUTH["identical_texts"]))
    found = study.summary()
    assert found.copied_texts == len(TRUTH["identical_texts"])
    assert found.copies == sum(len(g) - 1 for g in TRUTH["identical_texts"])


def test_pages_too_short_are_no_copies_and_share_nothing(study):
    sizes = {p["url"]: p["grams"] for p in study.rows("page_size").to_pylist()}
    copies = {p["url"] for p in study.rows("copy").to_pylist()}
    for url in TRUTH["too_short"]:
        assert sizes[url] == 0
        assert url not in copies


def test_the_numbers_of_the_summary_are_those_of_plain_sets(study, pages_of):
    found = study.summary()
    on = Counter(len(pages) for pages in pages_of.values())
    assert found.grams == len(pages_of)
    assert found.repeated == sum(n for pages, n in on.items() if 2 <= pages <= M)
    assert found.common == sum(n for pages, n in on.items() if pages > M)
    assert {r["pages"]: r["grams"] for r in study.table("gram_frequency").to_pylist()} == on


def test_sizes_of_pages_are_those_of_plain_sets(study, words):
    wanted = {url: (len(page), len({page[i : i + K] for i in range(len(page) - K + 1)})) for url, page in words.items()}
    assert {r["url"]: (r["words"], r["grams"]) for r in study.rows("page_size").to_pylist()} == wanted


def test_pairs_of_hosts_are_those_of_plain_sets(study, pages_of):
    shared: Counter[tuple[str, str]] = Counter()
    for pages in pages_of.values():
        if 2 <= len(pages) <= M:
            shared.update(combinations(sorted({host(p) for p in pages}), 2))
    assert {(r["host_a"], r["host_b"]): r["grams"] for r in study.table("host_pair").to_pylist()} == shared
    most = sorted(shared.items(), key=lambda pair: (-pair[1], pair[0]))[:5]
    assert [((p.host_a, p.host_b), p.grams) for p in study.summary().pairs] == most


def test_overlaps_of_hosts_are_those_of_plain_sets(study, words, pages_of):
    wanted: dict[str, list[int]] = {host(url): [0, 0, 0, 0] for url in words}
    for url, page in words.items():
        own = {page[i : i + K] for i in range(len(page) - K + 1)}
        repeated = [g for g in own if 2 <= len(pages_of[g]) <= M]
        foreign = [g for g in repeated if any(host(p) != host(url) for p in pages_of[g])]
        for at, n in enumerate((1, len(own), len(repeated), len(foreign))):
            wanted[host(url)][at] += n
    found = study.table("host_overlap").to_pylist()
    assert {r["host"]: [r["pages"], r["grams"], r["repeated"], r["foreign"]] for r in found} == wanted


def test_sites_that_copied_share_with_those_they_copied_from(study):
    pairs = {(r["host_a"], r["host_b"]) for r in study.table("host_pair").to_pylist()}
    assert copied_hosts() <= pairs


def test_originals_share_nothing_but_what_was_copied(pages_of):
    """The truth itself: no two articles of their own share five words in a row, where words are what spaces divide."""
    originals = set(TRUTH["originals"]) - set(TRUTH["unspaced"])
    for pages in pages_of.values():
        assert len(pages & originals) <= 1
