"""Which files are no pages? PDF, office documents and media are listed as skipped with their type, as name or first bytes tell."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from unquilt.read import media_type
from unquilt.read.compressed import compression
from unquilt.read.names import printable
from unquilt.read.record import Fields, Found, Limits, Skip

ENDINGS = {
    "PDF": "pdf",
    "office document": "doc docx docm dot odt ods odp ott rtf xls xlsx xlsm ppt pptx pps ppsx pages numbers key ps eps tex",
    "e-book": "epub mobi djvu",
    "image": "png jpg jpeg gif svg svgz webp avif bmp ico tif tiff jfif heic psd",
    "audio": "mp3 ogg oga wav flac m4a aac opus mid wma",
    "video": "mp4 m4v webm avi mov mpg mpeg mkv flv wmv ogv swf",
    "style sheet": "css scss less",
    "script": "js mjs wasm map",
    "font": "woff woff2 ttf otf eot",
    "archive": "zip tar gz tgz bz2 xz 7z rar zst jar exe dmg iso deb rpm",
    "feed": "rss atom",
    "JSON": "json",
    "XML": "xml",
    "other data": "csv tsv jsonl ndjson parquet sql db sqlite yaml yml ics vcf bib",
    "web archive": "warc arc wacz cdx cdxj wet wat",
}
TYPES = {f".{ending}": type_ for type_, endings in ENDINGS.items() for ending in endings.split()}
SNIFFED = 4096
EMPTY = "empty file"
GIVEN = tuple(e for e, type_ in TYPES.items() if type_ in ("PDF", "office document", "e-book", "image", "audio", "video"))
"""Endings of files that may be given as inputs, only to be listed."""


def type_of(name: str) -> str | None:
    """What a file is that is no page; None: its name does not say. Compressed it is what it is unpacked."""
    name = name.lower()
    plain = name.removesuffix(compression(name))
    return TYPES.get(plain[plain.rfind(".") :]) or TYPES.get(name[name.rfind(".") :])


def read(path: Path, start: int, fields: Fields, limits: Limits) -> Iterator[Found]:
    if start == 0:
        reason = type_of(path.name) or _within(path)
        yield Found(0, int(reason != EMPTY), None, (Skip(reason, printable(path.name)[-200:]),))


def _within(path: Path) -> str:
    with open(path, "rb") as file:
        head = file.read(SNIFFED)
    return media_type.kind_of(None, head) if head else EMPTY
