"""The example web as a crawl is the one of its lines, with what crawls bring along; and it is what its sources make."""

import json
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

import unquilt as uq
from example_web import FOLDER, TRUTH, copied_hosts, host

NOWHERE = 12
"""Addresses that answer that there is no such page, with status 200."""
REDIRECTED, GONE = "http://slowrails.example/", "https://breadledger.example/2020/first-loaf"
NO_PAGES = [REDIRECTED, GONE, "https://lanternsky.example/robots.txt", "https://paperfold.example/marbled.png"]
AGAIN = ("https://harbourpost.example/2022/05/13/ferry-bell", "2024-06-04T13:00:00Z")


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> uq.Study:
    opened = uq.open(tmp_path_factory.mktemp("examples") / "crawl.study")
    opened.scan(FOLDER / "blogs.warc.gz")
    return opened


@pytest.fixture(scope="module")
def captures(crawl) -> dict[tuple[str, str], dict[str, Any]]:
    """By URL and the time they were fetched."""
    return {(row["url"], moment(row["fetched_at"])): row for row in crawl.table("capture").to_pylist()}


@pytest.fixture(scope="module")
def lines() -> dict[tuple[str, str], dict[str, Any]]:
    rows = map(json.loads, (FOLDER / "blogs.jsonl").read_text("utf-8").splitlines())
    return {(row["url"], row["fetched"]): row for row in rows}


def moment(microseconds: int) -> str:
    return datetime.fromtimestamp(microseconds // 1_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def main_words(row: dict[str, Any]) -> list[str]:
    spans = row["main"] or [0, len(row["text"])]
    return " ".join(row["text"][begin:end] for begin, end in zip(spans[::2], spans[1::2], strict=True)).split()


def built(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(folder / "build.py"), *arguments], capture_output=True, text=True, check=False)


def test_the_files_are_what_the_sources_make():
    done = built(FOLDER, "--check")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_file_that_is_not_what_the_sources_make_is_told_and_made_again(tmp_path):
    folder = Path(shutil.copytree(FOLDER, tmp_path / "examples"))
    archive = (folder / "blogs.warc.gz").read_bytes()
    (folder / "blogs.warc.gz").write_bytes(archive[:-1])
    (folder / "truth.json").write_text("{}", "utf-8")
    told = built(folder, "--check")
    assert told.returncode == 1
    assert [line.split(" (")[0] for line in told.stderr.splitlines()] == ["out of date: blogs.warc.gz", "out of date: truth.json"]
    assert built(folder).returncode == 0
    assert (folder / "blogs.warc.gz").read_bytes() == built_archive(folder)
    assert built(folder, "--check").returncode == 0


def built_archive(folder: Path) -> bytes:
    """As the zlib of this machine packs it: twice the same."""
    (folder / "blogs.warc.gz").unlink()
    assert built(folder).returncode == 0
    return (folder / "blogs.warc.gz").read_bytes()


def test_another_reader_finds_the_archive_without_fault():
    types: Counter[str] = Counter()
    with open(FOLDER / "blogs.warc.gz", "rb") as file:
        for record in ArchiveIterator(file, check_digests="raise"):
            types[record.rec_type] += 1
            record.content_stream().read()
    responses = TRUTH["captures"] + NOWHERE + len(NO_PAGES)
    assert types == {"warcinfo": 1, "response": responses, "request": responses, "revisit": 1}


def test_the_main_text_of_the_crawl_is_the_text_of_the_lines_word_for_word(captures, lines):
    for key, line in lines.items():
        assert main_words(captures[key]) == line["text"].split(), key


def test_the_crawl_says_of_every_page_what_the_lines_say(captures, lines):
    for key, line in lines.items():
        row = captures[key]
        assert (row["title"], row["language"]) == (line["title"], line["language"]), key
        if "date" in line:
            assert moment(row["published_at"])[:10] == line["date"], key


def test_pages_without_a_date_get_none_but_for_lists_that_show_those_of_articles(captures, lines):
    dated = {url for (url, _), line in lines.items() if "date" not in line and captures[url, line["fetched"]]["published_at"] is not None}
    assert dated == {page["url"] for page in TRUTH["list_pages"] if host(page["url"]) == "harbourpost.example"}


def test_the_crawl_has_the_links_of_the_lines_with_their_words(crawl, captures, lines):
    found = defaultdict(list)
    for row in crawl.table("link").to_pylist():
        found[row["page"]].append((row["target"], row["anchor"]))
    for key, line in lines.items():
        assert sorted(found[captures[key]["page"]]) == sorted((link["url"], link["text"]) for link in line["links"]), key


def test_beside_the_pages_the_crawl_has_a_second_visit_and_addresses_that_lead_nowhere(captures, lines):
    others = set(captures) - set(lines)
    nowhere = {url for url, _ in others - {AGAIN}}
    assert AGAIN in others
    assert len(nowhere) == NOWHERE
    assert all(url.startswith("https://fixitshed.example/shelf/") for url in nowhere)
    assert captures[AGAIN]["text"] == next(row["text"] for (url, _), row in captures.items() if url == AGAIN[0])


def test_what_is_no_page_is_listed_and_nothing_is_lost(crawl):
    rows = crawl.table("skipped").to_pylist()
    assert {row["what"] for row in rows} == {"other"}
    requests = TRUTH["captures"] + NOWHERE + len(NO_PAGES)
    reasons = {"request record": requests, "warcinfo record": 1, "HTTP 404": 1, "image": 1, "robots.txt": 1}
    assert Counter(row["reason"] for row in rows) == reasons
    (redirect,) = crawl.table("redirect").to_pylist()
    assert (redirect["url"], redirect["target"], redirect["status"]) == (REDIRECTED, "https://slowrails.example/", 301)
    left_out = sorted(row["url"] for row in rows if row["reason"] in ("HTTP 404", "image", "robots.txt"))
    assert left_out == sorted(NO_PAGES[1:])


def test_the_index_leads_to_every_capture_of_the_archive(captures, tmp_path):
    indexed = uq.open(tmp_path / "indexed.study")
    indexed.add(FOLDER / "blogs.cdxj")
    rows = indexed.table("capture").to_pylist()
    assert {(row["url"], moment(row["fetched_at"])): row["offset"] for row in rows} == {key: row["offset"] for key, row in captures.items()}
    assert Counter(row["reason"] for row in indexed.table("skipped").to_pylist()) == {"HTTP 404": 1, "image": 1, "robots.txt": 1}


def test_bodies_come_in_chunks_compressed_and_in_other_charsets(captures):
    charsets = {url: row["charset"] for (url, _), row in captures.items() if row["charset"] != "UTF-8"}
    assert charsets == {"https://dorfbote.example/2022/der-brunnen": "windows-1252", "https://shanjing.example/posts/old-well": "gb18030"}
    with open(FOLDER / "blogs.warc.gz", "rb") as file:
        heads = [record.http_headers for record in ArchiveIterator(file) if record.rec_type == "response"]
    assert [h.get_header("content-encoding") for h in heads].count("gzip") == 1
    assert [h.get_header("transfer-encoding") for h in heads].count("chunked") == 1


def test_the_addresses_that_lead_nowhere_are_suspects_and_nothing_else_is(crawl):
    found = {(row["url"], row["kind"], row["pages"]) for row in crawl.rows("suspect").to_pylist()}
    assert {(kind, pages) for _, kind, pages in found} == {("soft 404", NOWHERE)}
    assert len(found) == NOWHERE
    assert all("/shelf/" in url for url, _, _ in found)


def test_mirrored_pages_are_copies_with_all_that_stands_around_their_text(crawl):
    wanted = {frozenset((pair["mirror"], pair["source"])) for pair in TRUTH["mirror_pairs"] if pair["identical"]}
    groups = defaultdict(set)
    for row in crawl.rows("copy").to_pylist():
        groups[row["first_url"]].add(row["url"])
    assert set(map(frozenset, groups.values())) == wanted


def test_in_the_crawl_sites_that_copied_share_with_those_they_copied_from(crawl):
    pairs = {(r["host_a"], r["host_b"]) for r in crawl.table("host_pair").to_pylist()}
    assert copied_hosts() <= pairs


def test_one_page_asks_not_to_be_indexed_and_can_be_left_out(captures, tmp_path):
    (asking,) = [url for (url, _), row in captures.items() if row["robots"]]
    assert asking == "https://quietnotes.example/now"
    without = uq.open(tmp_path / "without.study")
    without.add(FOLDER / "blogs.warc.gz", options=uq.Options(noindex="skip"))
    assert asking not in without.table("capture")["url"].to_pylist()
    assert asking in [row["url"] for row in without.table("skipped").to_pylist() if row["reason"] == "noindex"]
