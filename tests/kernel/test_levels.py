"""Every SIMD level gives the same, and UNQUILT_SIMD names the level to use."""

import hashlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from arrays import flags, text_of

from unquilt import kernel

PIECES = (
    *(b"a Z 9 _ - . abcdefgh ABCDEFGHI abcdefghijklmnopq x1".split()),
    b" ",
    b"\n",
    b"the quick brown Fox jumps over the lazy dog ",
    *"é É İ ı Σ ς ſ K Ⱥ ẞ 漢 か \u3099 ー ﾞ ก ั ำ ๑ ក \u17d2 က \u1039 \u0301 \u0345 한 😀 𐐀 ﬁ".encode().split(),
    *"\u00ad \u200b \u200c \u200d \u2060 \ufeff \ufe0f \U000e0100".encode().split(),
    *(b"\xff \xc3 \xe2\x82 \xed\xa0\x80 \xf0\x9f\x98 \xc0\x80 \xf4\x90\x80\x80 \x80 \x00".split()),
)


def hostile_pages() -> list[bytes]:
    """Pages of every kind of text, of all lengths around those of registers; the same on every call."""
    choose = random.Random(1)
    pages = [choose.randbytes(n) for n in range(300)]
    pages += [bytes(choose.choices(b"abcXYZ019 .", k=n)) for n in range(300)]
    pages += [b"".join(choose.choices(PIECES, k=choose.randrange(120))) for _ in range(3000)]
    pages += [b"x" * 70_000, "漢".encode() * 30_000, b"".join(choose.choices(PIECES[:11], k=40_000))]
    return pages


def everything() -> str:
    """The digest of what the kernels make of the hostile pages."""
    text, offsets = text_of(hostile_pages())
    n = len(offsets) - 1
    words, starts, begin, end = kernel.spans(text, offsets)
    grams = kernel.grams(words, starts, 3)
    distinct = kernel.distinct(*grams)
    keep = flags(page % 7 != 3 for page in range(n))
    blocks = kernel.blocks(*distinct, 5, keep, 4)
    all_ = [words, starts, begin, end, kernel.fingerprints(words, starts), *kernel.words(text, offsets)]
    all_ += [*grams, *distinct, *blocks, *kernel.gram_blocks(text, offsets, 5, keep, 3, 4)]
    rows, parts = blocks
    for part in range(16):
        sorted_, pages = kernel.leaf_sort(rows[parts[part] : parts[part + 1]], part, 4)
        lists = kernel.posting_lists(sorted_, pages, 9)
        group = np.arange(n + 5, dtype=np.int32) % 11 - 1
        all_ += [sorted_, pages, kernel.frequencies(sorted_, 9), *lists, *kernel.overlap(*lists[1:], group, 10)]
    digest = hashlib.sha256()
    for array in all_:
        digest.update(f"{array.dtype} {len(array)} ".encode() + array.tobytes())
    return digest.hexdigest()


def under(level: str, program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "UNQUILT_SIMD": level},
        cwd=Path(__file__).parent,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize("level", kernel.simd_levels())
def test_every_level_gives_the_same(level: str) -> None:
    told = under(level, "import json, test_levels as t; print(json.dumps([t.kernel.simd_level(), t.everything()]))")
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout) == [level, everything()]


def test_the_level_in_use_is_one_this_cpu_can_run() -> None:
    assert kernel.simd_level() in kernel.simd_levels()
    assert kernel.simd_levels()[0] == "portable"


def test_the_best_level_is_chosen_when_none_is_named() -> None:
    told = under("", "from unquilt import kernel; print(kernel.simd_level())")
    assert told.stdout.strip() == kernel.simd_levels()[-1]


@pytest.mark.parametrize("level", ["x86-64-v9", "PORTABLE", "avx2", " "])
def test_an_unknown_level_is_refused_in_one_sentence(level: str) -> None:
    told = under(level, "from unquilt import kernel")
    assert told.returncode == 1
    assert told.stderr.splitlines()[-1] == (
        f"ImportError: UNQUILT_SIMD is '{level}', which is not a SIMD level of this build; "
        f"unset it or set it to one of: {', '.join(kernel.simd_levels())}"
    )
