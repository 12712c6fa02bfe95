#!/usr/bin/env python3
"""Checks that the objects of the SIMD levels define nothing that the linker could share between levels.

A template or inline function that the compiler did not inline is a weak symbol, and the linker keeps one
copy for all levels. If that copy holds AVX-512, the portable level dies on a CPU without it.

Usage: check_levels.py BUILD_FOLDER... (where CMake wrote level.cpp.o; needs `nm`)
"""

import subprocess
import sys
from pathlib import Path


def main() -> int:
    objects = sorted(path for folder in sys.argv[1:] for path in Path(folder).rglob("level.cpp.o"))
    if not objects:
        print(__doc__.splitlines()[-1], file=sys.stderr)
        return 2
    wrong = [f"{path}: {symbol}" for path in objects for symbol in defined_symbols(path) if not is_level(symbol)]
    print("\n".join(wrong) or f"{len(objects)} levels, each defines its table alone")
    return 1 if wrong else 0


def defined_symbols(path: Path) -> list[str]:
    """The symbols an object offers to others, weak ones too: "V unquilt::some_inline_variable"."""
    command = ["nm", "--demangle", "--extern-only", "--defined-only", str(path)]
    lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout.splitlines()
    return [line.split(maxsplit=1)[1] for line in lines]


def is_level(symbol: str) -> bool:
    kind, name = symbol.split(maxsplit=1)
    return kind in "DRB" and name.startswith("unquilt::") and name.endswith("_level")


if __name__ == "__main__":
    sys.exit(main())
