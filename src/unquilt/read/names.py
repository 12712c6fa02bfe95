"""What does the name of a file say? What kind of file it is, and how it is compressed; and how a name is written down."""

from __future__ import annotations

import os
import re
from pathlib import Path

PACKINGS = (".gz", ".bz2", ".zst", ".lz4", ".xz", ".7z", ".lzma", ".br", ".z", ".zip", ".rar")
BEING_WRITTEN = ".open"  # as crawlers name the archive they write to
ARCHIVES = (".warc", ".arc", ".wet", ".wat")
ARCHIVE_PACKINGS = (".gz", ".zst", ".lz4")
ESCAPED = re.compile(rb"\\x([0-9a-f]{2})")


def parts(name: str) -> tuple[str, str]:
    """(name without its compression, the ending that says how it is compressed), in lower case."""
    name = name.lower().removesuffix(BEING_WRITTEN)
    packing = next((p for p in PACKINGS if name.endswith(p)), "")
    return name.removesuffix(packing).removesuffix(BEING_WRITTEN), packing


def is_archive(name: str) -> bool:
    plain, packing = parts(name)
    return plain.endswith(ARCHIVES) and packing in ("", *ARCHIVE_PACKINGS)


def printable(path: Path | str) -> str:
    """A file's name as text, whatever bytes it is made of."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def from_printable(name: str) -> Path:
    """The file that was written down so."""
    path = Path(name)
    if "\\x" not in name or path.exists():
        return path
    return Path(os.fsdecode(ESCAPED.sub(lambda m: bytes([int(m[1], 16)]), os.fsencode(name))))
