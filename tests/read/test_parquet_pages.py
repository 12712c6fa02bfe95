"""What a Parquet file says of its columns and pages, and how little of it is believed."""

import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unquilt.read.parquet_pages import Chunk, Pages, Wrong, chunks, pages, whole
from unquilt.read.thrift import STRUCT, Compact

TEXTS = [f"page {n} " * 100 for n in range(300)]


def written(path: Path, **how) -> Path:
    pq.write_table(pa.table({"text": TEXTS, "id": range(300), "words": [["a"]] * 300}), path, row_group_size=120, **how)
    return path


def of(path: Path, names: list[str]) -> list[list[Pages]]:
    with path.open("rb") as file:
        return [[pages(file, chunk) for chunk in group] for group in chunks(file, names)]


def test_columns_are_found_by_their_names(tmp_path):
    path = written(tmp_path / "p.parquet")
    told = pq.ParquetFile(path).metadata
    with path.open("rb") as file:
        found = chunks(file, ["text", "words", "none"])
    assert [len(group) for group in found] == [1, 1, 1]  # a column of lists is none that is read
    for number, (chunk,) in enumerate(found):
        said = told.row_group(number).column(0)
        assert chunk == Chunk(said.dictionary_page_offset, said.total_compressed_size, said.total_uncompressed_size)


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("compression", ["none", "snappy", "zstd"])
def test_pages_are_as_large_as_they_were_written(tmp_path, compression, version):
    size = sum(map(len, TEXTS[:120]))
    how = {"compression": compression, "data_page_version": version}
    ((one,), *_) = of(written(tmp_path / "a.parquet", use_dictionary=False, **how), ["text"])
    assert 0 <= one.largest - size < 2000
    assert (one.dictionary, one.packed < size, one.fewest) == (0, compression != "none", 1 << 31)
    ((many,), *_) = of(written(tmp_path / "b.parquet", use_dictionary=False, write_batch_size=5, data_page_size=1000, **how), ["text"])
    assert 0 <= many.largest - sum(map(len, TEXTS[100:105])) < 200
    assert many.fewest == 5
    ((words,), *_) = of(written(tmp_path / "c.parquet", use_dictionary=True, **how), ["text"])
    assert 0 <= words.dictionary - size < 2000
    assert words.largest < 1000
    assert words.cost > 2 * size


def test_what_is_no_parquet_says_nothing(tmp_path):
    whole_file = written(tmp_path / "p.parquet").read_bytes()
    for data in (b"", b"PAR1", whole_file[:-1], whole_file[:-8] + b"\xff\xff\xff\x7fPAR1", whole_file[:-8] + b"\0\0\0\0PAR1"):
        (tmp_path / "q.parquet").write_bytes(data)
        assert of(tmp_path / "q.parquet", ["text"]) == []


def test_a_page_that_claims_more_than_there_is_in_all_is_wrong(tmp_path):
    path = tmp_path / "p"
    path.write_bytes(b"\x15\x00\x15" + b"\xfe\xff\xff\xff\x0f" + b"\x15\x02\x00")  # a data page of 2 GB
    with path.open("rb") as file, pytest.raises(Wrong, match="2,147,483,647 bytes, of 10 in all"):
        pages(file, Chunk(0, 8, 10))
    with pytest.raises(Wrong):
        whole(1 << 50)


def test_of_heads_that_are_none_the_sum_is_believed(tmp_path):
    (tmp_path / "p").write_bytes(b"\xff" * 50)
    with (tmp_path / "p").open("rb") as file:
        assert pages(file, Chunk(0, 40, 1000)) == Pages(0, 1000, 1000, 0)


HOSTILE = [
    b"\x19\xf3" + b"\xff" * 9 + b"\x01",  # a list of bytes without end
    b"\x19\xf1" + b"\xff" * 9 + b"\x01",  # of truths
    b"\x19\xfc" + b"\xff" * 9 + b"\x01",  # of structures
    b"\x1c" * 10_000,  # structures in structures
    b"\x19\x19" * 10_000,  # lists in lists
    b"\x18" + b"\xff" * 9 + b"\x01",  # bytes without end
    b"\x15" + b"\xff" * 100,  # a number without end
    b"\x1b\x01",  # a map
]


@pytest.mark.parametrize("data", HOSTILE)
def test_what_claims_to_be_endless_ends(data):
    began = time.thread_time()
    with pytest.raises((ValueError, LookupError)):
        Compact(data + b"\0" * 100).skip(STRUCT)
    assert time.thread_time() - began < 1


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60))
def test_no_bytes_make_trouble(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("pages") / "p"
    path.write_bytes(data + len(data).to_bytes(4, "little") + b"PAR1")
    with path.open("rb") as file:
        for group in chunks(file, ["text"]):
            for chunk in group:
                pages(file, chunk)
        pages(file, Chunk(0, len(data), 1 << 20))
