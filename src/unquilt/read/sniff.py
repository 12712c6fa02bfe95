"""What kind of input is a file, where its name says nothing? Told by its first bytes, unpacked."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import IO

from unquilt.read import media_type
from unquilt.read.compressed import Damaged, opened

LOOK = 64 << 10
LZ4 = b"\x04\x22\x4d\x18"
NOT_READ = {b"\xfd7zXZ": ".xz", b"7z\xbc\xaf\x27\x1c": ".7z", b"Rar!": ".rar", LZ4: ".lz4"}
ZIP, PARQUET, WARC = b"PK\3\4", b"PAR1", b"WARC/"
MARK = b"\xef\xbb\xbf"
ARC = re.compile(rb"\s*+filedesc:[^\s]{1,1000} ")
CDX = re.compile(rb"\W?CDX(?: \w)+|[^\s{]{1,4000} \d{14} \{")
MEDIAWIKI = re.compile(rb"\s*+(?:<\?xml[^>]{0,200}+>\s*+)?<mediawiki[\s>]")
LISTED = (media_type.PDF, media_type.OFFICE, media_type.BOOK, media_type.IMAGE, media_type.AUDIO, media_type.VIDEO)


def head_of(path: Path) -> bytes:
    """The first bytes, unpacked; none where they cannot be."""
    try:
        with open(path, "rb") as packed, _lz4(packed) or opened(path) as file:
            return file.read(LOOK)
    except Damaged:
        return b""


def packing_in(head: bytes) -> str:
    """The usual ending of a compression that is not read; "" where there is none."""
    return next((ending for magic, ending in NOT_READ.items() if head.startswith(magic)), "")


def kind_in(head: bytes) -> str | None:
    """The kind of input, by the names of `reader.KINDS`."""
    head = head.removeprefix(MARK)
    if head.startswith(WARC) or ARC.match(head):
        return "warc"
    if head.startswith(PARQUET):
        return "parquet"
    if MEDIAWIKI.match(head):
        return "mediawiki"
    if CDX.match(head):
        return "cdx"
    if _is_json_line(head):
        return "jsonl"
    kind = media_type.kind_of(None, head)
    if kind in LISTED:
        return "document"
    if head.startswith(ZIP):
        return "wacz"
    return "html" if kind == media_type.HTML else None


def _is_json_line(head: bytes) -> bool:
    if head[:1] not in b"{\r\n":
        return False
    line, end, _ = head.lstrip(b"\r\n").partition(b"\n")
    if not end and len(head) >= LOOK - len(MARK):
        return line.startswith(b'{"')
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _lz4(file: IO[bytes]) -> IO[bytes] | None:
    """In lz4 there are archives only."""
    if file.read(len(LZ4)) != LZ4:
        return None
    from unquilt.read.codec import lz4
    from unquilt.read.members import Member

    return io.BytesIO(Member(file, 0, lz4(), LOOK).piece())
