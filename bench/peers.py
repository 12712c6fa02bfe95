"""What unquilt's core does, done with Polars, DuckDB, pyarrow and NumPy: the peers its speed is measured against.

Each function is the fastest of the formulations tried, within the noise; `whole_duckdb` says why it passes one over.
The figures beside them are CPU seconds on the corpus of 10,000 documents (27 MB), on a shared machine with two cores,
taken in several runs under changing load: a difference below a fifth says nothing.

Words, for all of them: maximal runs of the Unicode categories L, M and N, lower-cased;
each character of Han, Hiragana, Katakana and Bopomofo, with the marks after it, is a word of its own.
Polars lower-cases as Python does; DuckDB and pyarrow map single characters, which differs for a final capital sigma and
for a dotted capital I (3 of the 19.8 million words of 50,000 documents, and no row of the histograms).
The corpora hold no Thai, Lao, Khmer or Myanmar text, whose words are grapheme clusters (see `corpus.py`).

Polars takes its threads from the environment (`POLARS_MAX_THREADS`, read at import); pyarrow's word functions use one.
"""

import tempfile
from collections.abc import Sequence
from functools import reduce
from operator import xor
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

UInt64s = NDArray[np.uint64]
Histogram = dict[int, int]  # document frequency -> number of grams; m + 1 stands for every frequency above m

# Letters of these scripts whose Script property is Common are named one by one, like the prolonged sound mark.
SINGLE = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\x{3006}\x{3031}-\x{3035}\x{303C}\x{30FC}\x{FF70}]"
SPACED = rf"({SINGLE}\p{{M}}*)"  # RE2 cannot intersect classes, so DuckDB and pyarrow put spaces around these first
WORD = r"[\p{L}\p{M}\p{N}]+"
NOT_WORD = r"[^\p{L}\p{M}\p{N}]+"


# Text to words: a table with a column `text` to a list column


def words_polars(table: pa.Table) -> pa.Array:
    # extract_all, runs first 0.33; the other alternative first 0.38; spaces around single characters, then
    # extract_all 0.38; then replace what is no word by a space and split 0.41; then split by regex and filter 0.36;
    # split by regex and slice 0.70.
    page = pl.LazyFrame({"text": table["text"]})
    return page.select(_polars_words()).collect()["text"].to_arrow()


def words_duckdb(table: pa.Table, *, threads: int = 1) -> pa.ChunkedArray:
    # regexp_extract_all 0.61; string_split_regex, empty ends sliced off 0.60 or filtered out 0.64;
    # regexp_replace and string_split 0.73; unnest and list() 0.93; translate for ASCII rows, else extract_all 0.58.
    with duckdb.connect(config={"threads": threads}) as database:
        database.register("page", table)
        words = database.sql(f"select {_DUCKDB_WORDS} as words from page", params=_DUCKDB_PARAMETERS)
        return words.to_arrow_table()["words"]


def words_pyarrow(table: pa.Table) -> pa.Array:
    # replace, trim, ascii_split_whitespace 0.51, split_pattern 0.50; one space for each character that is in no word,
    # split, filter 0.69; split_pattern_regex, then the empty words filtered out 0.50.
    text = table["text"].combine_chunks()
    spaced = pc.replace_substring_regex(text, SPACED, r" \1 ")
    return _without_empty(pc.split_pattern_regex(pc.utf8_lower(spaced), NOT_WORD))


def _polars_words() -> pl.Expr:
    runs = rf"[[\p{{L}}\p{{M}}\p{{N}}]--{SINGLE}]+"
    single = rf"[{SINGLE}&&[\p{{L}}\p{{N}}]]\p{{M}}*"
    return pl.col("text").str.to_lowercase().str.extract_all(f"{runs}|{single}")


_ASCII_NOT_WORD = "".join(chr(code) for code in range(128) if not chr(code).isalnum())
_DUCKDB_PARAMETERS = {"not_word": _ASCII_NOT_WORD, "spaces": " " * len(_ASCII_NOT_WORD)}
_DUCKDB_WORDS = rf"""
    case when strlen(text) = length(text)
         then list_filter(string_split(translate(lower(text), $not_word, $spaces), ' '), lambda word: word <> '')
         when regexp_matches(text, '{SINGLE}')
         then regexp_extract_all(lower(regexp_replace(text, '{SPACED}', ' \1 ', 'g')), '{WORD}')
         else regexp_extract_all(lower(text), '{WORD}')
    end"""


def _without_empty(lists: pa.ListArray) -> pa.ListArray:
    words = lists.flatten()
    kept = pc.not_equal(words, "")
    before = np.zeros(len(words) + 1, np.int32)
    np.cumsum(kept.to_numpy(zero_copy_only=False), out=before[1:])
    return pa.ListArray.from_arrays(before[lists.offsets.to_numpy()], words.filter(kept))


# Word hashes to gram hashes

BLOCK = 32_768  # two buffers of 256 KB stay in the second-level cache


def grams_numpy(
    word_hashes: UInt64s, offsets: NDArray[np.int64], k: int, *, constants: Sequence[int], multiplier: int
) -> tuple[UInt64s, NDArray[np.int64]]:
    """Hashes of the k-grams of each page, and the offsets of the pages in them.

    h = sum over j < k of w[i + j] * constants[j], modulo 2^64; then h ^= h >> 32, h *= multiplier, h ^= h >> 29.
    """
    # Whole arrays 0.61; sliding_window_view @ constants 0.15; blocks hashed, then pages sliced out 0.10 or compressed
    # at the end 0.09; blocks compressed at once 0.075 (20 million words; blocks of 2,048 0.17, 65,536 0.079).
    factors = np.array(constants[:k], np.uint64)
    inside = _inside_a_page(offsets, k)
    gram_offsets = np.concatenate([[0], np.cumsum(np.maximum(np.diff(offsets) - k + 1, 0))])
    grams = np.empty(gram_offsets[-1], np.uint64)
    block, scratch = np.empty((2, BLOCK), np.uint64)
    done = 0
    for start in range(0, len(inside), BLOCK):
        keep = inside[start : start + BLOCK]
        count = int(np.count_nonzero(keep))
        words = word_hashes[start : start + len(keep) + k - 1]
        hashes = _hash_block(words, factors, np.uint64(multiplier), block[: len(keep)], scratch[: len(keep)])
        np.compress(keep, hashes, out=grams[done : done + count])
        done += count
    return grams, gram_offsets


def _inside_a_page(offsets: NDArray[np.int64], k: int) -> NDArray[np.bool_]:
    """For each position, whether the k words from it on are of one page."""
    inside = np.ones(max(int(offsets[-1]) - k + 1, 0), np.bool_)
    for distance in range(1, k):
        last = offsets[1:] - distance
        inside[last[(last >= 0) & (last < len(inside))]] = False
    return inside


def _hash_block(words: UInt64s, factors: UInt64s, multiplier: np.uint64, h: UInt64s, scratch: UInt64s) -> UInt64s:
    np.multiply(words[: len(h)], factors[0], out=h)
    for j in range(1, len(factors)):
        np.multiply(words[j : j + len(h)], factors[j], out=scratch)
        np.add(h, scratch, out=h)
    np.right_shift(h, np.uint64(32), out=scratch)
    np.bitwise_xor(h, scratch, out=h)
    np.multiply(h, multiplier, out=h)
    np.right_shift(h, np.uint64(29), out=scratch)
    return np.bitwise_xor(h, scratch, out=h)


# (gram, page) rows, each once, to the histogram of document frequencies


def frequencies_polars(rows: pa.Table, *, m: int = 50) -> Histogram:
    # group_by and len, streaming 0.14, in memory 0.29; value_counts 0.24; unique_counts 0.26; sort and rle 0.10.
    return _runs_polars(pl.Series(rows["gram"]), m)


def frequencies_duckdb(rows: pa.Table, *, m: int = 50, threads: int = 1) -> Histogram:
    # group by twice 0.32; histogram() over group by 0.31; window count 0.36; order by and lead 0.43.
    with duckdb.connect(config={"threads": threads}) as database:
        database.register("gram_page", rows)
        return dict(database.sql(_duckdb_histogram("gram_page"), params={"m": m}).fetchall())


def frequencies_pyarrow(rows: pa.Table, *, m: int = 50) -> Histogram:
    # group_by on one thread 0.31, on two 0.72; value_counts 0.45; sort_indices and run_end_encode 0.47.
    counts = rows.group_by("gram", use_threads=False).aggregate([([], "count_all")])["count_all"]
    return _histogram_numpy(counts.to_numpy(), m)


def frequencies_numpy(rows: pa.Table, *, m: int = 50) -> Histogram:
    # unique_counts 0.06; sort, then the distances between changes 0.04.
    grams = np.sort(rows["gram"].to_numpy())
    changes = np.flatnonzero(grams[1:] != grams[:-1])
    return _histogram_numpy(np.diff(changes, prepend=-1, append=len(grams) - 1), m)


def _runs_polars(grams: pl.Series, m: int) -> Histogram:
    counts = grams.sort().rle().struct.field("len").clip(upper_bound=m + 1)
    return dict(counts.value_counts().sort("len").rows())


def _duckdb_histogram(table: str) -> str:
    return f"""
        select least(pages, $m + 1) as frequency, count(*)
        from (select count(*) as pages from {table} group by gram) group by all order by all"""


def _histogram_numpy(counts: NDArray[np.int64], m: int) -> Histogram:
    histogram = np.bincount(np.minimum(counts, m + 1))
    return {int(frequency): int(histogram[frequency]) for frequency in np.flatnonzero(histogram)}


# The whole: text in a Parquet file to the histogram of document frequencies of its distinct k-grams


def whole_duckdb(parquet: Path, k: int = 5, m: int = 50, *, threads: int = 2, memory_limit: str = "4GB") -> Histogram:
    # Hashed words: shifted slices unnested side by side 1.3, the same from strings 1.5; slices zipped 1.8, zipped
    # strings 1.9; list_distinct in each document 1.9; count(distinct id) 1.7. Without `materialized` 2.0: the
    # condition on the number of words goes into the scan, and words are made twice.
    # unnest and lead() over () 1.3, and on 50,000 documents 6.7 to 7.0 against 7.1 to 8.2; passed over, because SQL
    # promises no row order there and one thread does it (best wall time 6.2 against 3.7 seconds).
    # Joined strings 12, and wrong: DuckDB's hash of a string is the same for "cursor n resize cursor ne"
    # and "cursor s resize cursor se".
    with tempfile.TemporaryDirectory() as spill, duckdb.connect(config={"threads": threads, "temp_directory": spill}) as database:
        database.execute("set preserve_insertion_order = false")
        database.execute("set memory_limit = $limit", {"limit": memory_limit})
        parameters = {"parquet": str(parquet), "m": m} | _DUCKDB_PARAMETERS
        return dict(database.sql(_duckdb_whole(k), params=parameters).fetchall())


def whole_polars(parquet: Path, k: int = 5, m: int = 50) -> Histogram:
    # On 50,000 documents, streaming: distinct grams in each document, then sort and rle 3.3, then group_by 3.8;
    # words exploded and shifted, then n_unique 3.9, unique and sort 4.4, unique and group_by 6.4. In memory 4.8 to 12.
    # On 400,000 documents 26 CPU seconds and 3.4 GB, against 49 and 8.0 GB with n_unique.
    grams = pl.scan_parquet(parquet).select(_polars_words().list.eval(_polars_grams(k)).alias("gram"))
    return _runs_polars(grams.explode("gram").drop_nulls().collect(engine="streaming")["gram"], m)


def _duckdb_whole(k: int) -> str:
    slices = [f"unnest(hashes[{j + 1} : len(hashes) - {k - 1 - j}]) as h{j}" for j in range(k)]
    gram = ", ".join(f"h{j}" for j in range(k))
    return f"""
        with page as materialized (
            select file_row_number as id, list_transform({_DUCKDB_WORDS}, lambda word: hash(word)) as hashes
            from read_parquet($parquet, file_row_number = true)),
        window_of_words as (select id, {", ".join(slices)} from page where len(hashes) >= {k}),
        gram_page as (select id, hash({gram}) as gram from window_of_words group by all)
        {_duckdb_histogram("gram_page")}"""


def _polars_grams(k: int) -> pl.Expr:
    """Distinct grams of one document's list of words; nulls stand where the list ends."""
    hashes = pl.element().hash(1)
    odd = [pow(0x9E3779B97F4A7C15, j + 1, 2**64) for j in range(k)]
    terms = [hashes.shift(-j) * pl.lit(factor, pl.UInt64) for j, factor in enumerate(odd)]
    return reduce(xor, terms).drop_nulls().unique()
