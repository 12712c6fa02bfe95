"""Reading stays within `--memory` whatever is read; a record for which it is too small is refused with an amount that works."""

from __future__ import annotations

import gzip
import random
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from corpora import stream, write
from processes import USAGE
from test_memory import LEAST, MB, SLACK, asked_for, watched

TEXTS = {"plain": "the quick brown fox ", "words of a letter": "a ", "wide": "\U0001f600" + "the quick brown fox " * 9}


def one_line(path: Path, text: str, megabytes: int) -> Path:
    whole = text * (megabytes * MB // len(text.encode()))
    return write(path, [{"url": "http://a.example/", "text": whole}, {"url": "http://b.example/", "text": "another"}])


def one_group(path: Path, text: str, megabytes: int) -> Path:
    """Parquet as most write it: rows are long, and all of them are in one page."""
    whole = text * (MB // len(text.encode()))
    pq.write_table(pa.table({"text": [f"{whole}{n}" for n in range(megabytes)]}), path)
    return path


LARGE = {"p.jsonl": one_line, "p.parquet": one_group}


@pytest.mark.parametrize(("name", "text"), [("p.jsonl", "words of a letter"), ("p.jsonl", "wide"), ("p.parquet", "plain")])
def test_what_is_too_large_to_read_is_refused_and_the_amount_works(name: str, text: str, tmp_path: Path) -> None:
    path, study = LARGE[name](tmp_path / name, TEXTS[text], 24 if name == "p.jsonl" else 70), tmp_path / "a.study"
    most, said = watched("add", study, path, "--memory", f"{LEAST}MB", code=USAGE)
    assert most <= LEAST * MB
    enough = asked_for(said)
    assert not study.exists()
    most, _ = watched("add", study, path, "--memory", enough)
    assert most <= SLACK * int(enough.removesuffix("MB")) * MB, f"{most / MB:.0f} MB of {enough}"


def test_a_hostile_page_is_refused_and_the_amount_works(tmp_path: Path) -> None:
    """9 MB of HTML of which 260 MB would be made."""
    (tmp_path / "p.html").write_bytes(b"<html><body>" + b"12.5.2020 " * 900_000)
    said = watched("add", tmp_path / "a.study", tmp_path / "p.html", "--memory", f"{LEAST}MB", code=USAGE)[1]
    enough = asked_for(said)
    most, _ = watched("add", tmp_path / "a.study", tmp_path / "p.html", "--memory", enough)
    assert most <= SLACK * int(enough.removesuffix("MB")) * MB, f"{most / MB:.0f} MB of {enough}"


def test_bodies_that_may_be_larger_than_there_is_room_for_are_refused_before_one_is_read(tmp_path: Path) -> None:
    archive(tmp_path / "a.warc.gz", 1)
    words = ["add", tmp_path / "a.study", tmp_path / "a.warc.gz", "--max-body", "100MB", "--memory"]
    said = watched(*words, f"{LEAST}MB", code=USAGE)[1]
    assert "bodies of up to 100,000,000 bytes (--max-body)" in said
    watched(*words, asked_for(said))


READING = """
import resource, sys
from pathlib import Path
from unquilt.engine.budget import steady_allocator
from unquilt.read.reader import reader_for

steady_allocator()
small, large = (reader_for(Path(path)).read(Path(path), 0) for path in sys.argv[1:])
for found in small:
    pass
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
number = sum(found.record is not None for found in large)
print(number, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@pytest.mark.parametrize("long", [4000, 1_000_000])
def test_a_row_group_of_parquet_is_never_held_as_a_whole(long: int, tmp_path: Path) -> None:
    """150 MB of ordinary pages, or of long ones where a page of the file holds few."""
    chance = random.Random(5)
    rows = 150 * MB // long
    texts = [chance.randbytes(500).hex() * (long // 1000) for _ in range(rows)]
    pq.write_table(pa.table({"text": texts[:3]}), tmp_path / "small.parquet")
    how = {"use_dictionary": False, "write_batch_size": 1 if long >= MB else 1024}
    pq.write_table(pa.table({"text": texts}), tmp_path / "large.parquet", row_group_size=rows, compression="none", **how)
    assert pq.read_metadata(tmp_path / "large.parquet").num_row_groups == 1
    command = [sys.executable, "-c", READING, tmp_path / "small.parquet", tmp_path / "large.parquet"]
    number, grown = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert int(number) == rows
    assert int(grown) < 60, "megabytes"


def archive(path: Path, pages: int) -> Path:
    """Ordinary pages of some 50 kB, with links and dates."""
    chance = random.Random(7)
    stock = [" ".join(chance.choices(["some", "word", "another", "thing", "page", "of", "the", "web"], k=60)) for _ in range(200)]
    with path.open("wb") as file:
        for number in range(pages):
            parts = (f"<p>{stock[(number * 7 + n) % 200]}</p><a href=/l{number}/{n}>link {n}</a>" for n in range(150))
            body = f"<html><title>{number}</title><body>{''.join(parts)}".encode()
            http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
            head = (
                f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h{number % 50}.example/{number}\r\nContent-Length: {len(http)}"
            )
            file.write(gzip.compress(head.encode() + b"\r\n\r\n" + http + b"\r\n\r\n", 1))
    return path


@pytest.mark.long
@pytest.mark.parametrize(("memory", "threads"), [(LEAST, 1), (900, 2), (1500, 4)])
def test_the_promise_is_kept_with_processes_that_read(memory: int, threads: int, tmp_path: Path) -> None:
    path = archive(tmp_path / "a.warc.gz", 8000)
    most, _ = watched("add", tmp_path / "a.study", path, "--memory", f"{memory}MB", "--threads", str(threads))
    assert most <= SLACK * memory * MB, f"{most / MB:.0f} MB of {memory}"


@pytest.mark.long
def test_the_promise_is_kept_on_one_large_row_group(tmp_path: Path) -> None:
    texts = [page["text"] for page in stream(100_000, seed=3, words=700)]
    pq.write_table(pa.table({"text": texts}), tmp_path / "p.parquet", row_group_size=len(texts))
    most, _ = watched("add", tmp_path / "a.study", tmp_path / "p.parquet", "--memory", f"{LEAST}MB")
    assert most <= SLACK * LEAST * MB, f"{most / MB:.0f} MB of {LEAST}"
