"""What unquilt and its peers do to read the same WARC. Each gives its rows; imports are done before the clock starts.

The peers are set up as their own documentation says, and where it names a faster way, that one: fastwarc parses no more
than responses and reuses the record; UTF-8 is tried before a charset is looked for; trafilatura is in its fast mode, without
comments, on decoded text; datatrove's step has no time limit worth the name, so that it loses no page on a busy machine, and
does not look for repeated segments, which would make its result depend on the order of pages.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LIMIT = 10_000_000


@dataclass(frozen=True)
class Row:
    url: str
    text: str
    date: str | None = None


Reading = Callable[[Path], list[Row]]


def unquilt_text() -> Reading:
    """Records, the HTTP message, its body, the charset, the visible text; nothing is made of the rest of the page."""
    from unquilt.read import http
    from unquilt.read.reader import reader_for
    from unquilt.text import charset, html

    def read(path: Path) -> list[Row]:
        rows = []
        for found in reader_for(path).read(path, 0):
            message = http.parse(found.record.block)
            body = http.decoded(message, LIMIT).data
            _, declared = http.content_type(message.last("content-type"))
            rows.append(Row(found.record.url, html.page(charset.decode(body, declared).utf8).text))
        return rows

    return read


def unquilt_pages() -> Reading:
    """All that is found on a page: main text, dates, links, title, description, robots, canonical URL, language."""
    from unquilt.extract.page import How, Page, page_of_response
    from unquilt.read.reader import reader_for

    def read(path: Path) -> list[Row]:
        rows, how = [], How()
        for found in reader_for(path).read(path, 0):
            page, _ = page_of_response(found.record, how)
            assert isinstance(page, Page), found.record.url
            spans = [] if page.main is None else page.main.tolist()
            main = "\n".join(page.text[begin:end] for begin, end in spans)
            rows.append(Row(found.record.url, main, page.counts.day if page.counts else None))
        return rows

    return read


def resiliparse_text() -> Reading:
    from resiliparse.extract.html2text import extract_plain_text

    def read(path: Path) -> list[Row]:
        return [Row(url, extract_plain_text(_decoded(body), main_content=False, alt_texts=False)) for url, body in _fastwarc(path)]

    return read


def datatrove_text() -> Reading:
    from datatrove.pipeline.extractors import Trafilatura
    from datatrove.pipeline.readers import WarcReader
    from loguru import logger

    logger.remove()

    def read(path: Path) -> list[Row]:
        documents = WarcReader(str(path.parent), glob_pattern=path.name)()
        pages = Trafilatura(favour_precision=False, timeout=600, deduplicate=False, fast=True).run(documents)
        return [Row(page.metadata["url"], page.text) for page in pages]

    return read


def trafilatura_pages(**options: Any) -> Reading:
    from trafilatura import bare_extraction

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)

    def read(path: Path) -> list[Row]:
        rows = []
        for url, body in _fastwarc(path):
            page = bare_extraction(_decoded(body), url=url, fast=True, with_metadata=True, include_comments=False, **options)
            rows.append(Row(url, page.text or "", page.date) if page is not None else Row(url, ""))
        return rows

    return read


def trafilatura_brief() -> Reading:
    """Dates are taken where they are easy to find."""
    return trafilatura_pages(date_extraction_params={"original_date": True, "extensive_search": False})


READINGS: dict[str, Callable[[], Reading]] = {
    "unquilt text": unquilt_text,
    "unquilt pages": unquilt_pages,
    "fastwarc + resiliparse": resiliparse_text,
    "datatrove + trafilatura": datatrove_text,
    "fastwarc + trafilatura": trafilatura_pages,
    "fastwarc + trafilatura, no extensive search for dates": trafilatura_brief,
}


def _fastwarc(path: Path) -> Iterator[tuple[str, bytes]]:
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    for record in ArchiveIterator(path, record_types=WarcRecordType.response, parse_http=True, inplace=True):
        yield record.headers["WARC-Target-URI"], record.reader.read()


def _decoded(body: bytes) -> str:
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    try:
        return body.decode()
    except UnicodeDecodeError:
        return bytes_to_str(body, detect_encoding(body, from_html_meta=True))
