"""From a row with names to a record: which field is which, and what is wrong with it.

A row may have the text, HTML, or both. With nothing named, its text counts, and its HTML where it has no text. A named
text field is the only thing tried, so is a named HTML field; with both named the text counts where there is one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from unquilt.errors import InputError
from unquilt.read.dates import microseconds
from unquilt.read.record import Fields, Limits, Record, Response, Skip
from unquilt.read.url import normalised, shown

UTF8_HTML = "text/html; charset=utf-8"
HTML = "text/html"
CONTENT = ("text", "html")


def record_of(row: Mapping[str, Any], fields: Fields, limits: Limits) -> tuple[Record | Response | None, tuple[Skip, ...]]:
    chosen = _chosen(row, fields)
    skips: list[Skip] = []
    url = _url(row, chosen["url"], limits, skips)
    content = _content(row, chosen, fields, limits, url, skips)
    if content is None:
        return None, tuple(skips)
    about: dict[str, Any] = {
        "given_id": _given_id(row, chosen["given_id"], url, skips),
        "url": url,
        "title": _short(row, chosen["title"], url, skips),
        "language": _short(row, chosen["language"], url, skips),
        "fetched_at": _date(row, chosen["fetched_at"], url, skips),
        "published_at": _date(row, chosen["published_at"], url, skips),
    }
    if isinstance(content, str):
        return Record(content, **about), tuple(skips)
    block, content_type = content
    return Response(block, content_type=content_type, **about), tuple(skips)


def columns(present: Sequence[str], fields: Fields, path: Path) -> list[str]:
    """The columns of a table that are to be read; one without what a page is made of stops everything."""
    candidates = fields.candidates()
    wanted = [field for field in CONTENT if _tried(field, fields)]
    there = [field for field in wanted if any(name in present for name in candidates[field])]
    if not there:
        missing = " or ".join(f"`{candidates[field][0]}`" for field in wanted)
        options = " or ".join(f"--{field}-field" for field in wanted)
        raise InputError(f"`{path}` has no column {missing}; name the column with {options} (it has: {', '.join(present)[:1000]})")
    read = there if fields.text and fields.html else there[:1]  # with nothing named, HTML beside a text is not read
    found = {field: next((n for n in tried if n in present), None) for field, tried in candidates.items()}
    return list(dict.fromkeys(n for field, n in found.items() if n and (field in read or field not in CONTENT)))


def _chosen(row: Mapping[str, Any], fields: Fields) -> dict[str, str | None]:
    """The name under which the row has each field: of those to be tried the first one there."""
    chosen: dict[str, str | None] = {}
    for field, tried in _candidates(fields):
        chosen[field] = None
        for name in tried:
            if name in row:
                chosen[field] = name
                break
    return chosen


@lru_cache(maxsize=16)
def _candidates(fields: Fields) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(fields.candidates().items())


def _tried(field: str, fields: Fields) -> bool:
    other = fields.html if field == "text" else fields.text
    return other is None or getattr(fields, field) is not None


def _content(
    row: Mapping[str, Any], chosen: Mapping[str, str | None], fields: Fields, limits: Limits, url: str | None, skips: list[Skip]
) -> str | tuple[bytes, str] | None:
    text = chosen["text"] if _tried("text", fields) else None
    html = chosen["html"] if _tried("html", fields) else None
    if html is not None and row[html] is not None and (text is None or row[text] is None):
        return _html(row[html], html, limits, url, skips)
    if text is not None:
        return _text(row[text], text, url, skips)
    if html is not None:
        return b"", UTF8_HTML
    field = "text" if _tried("text", fields) else "html"
    missing = fields.candidates()[field][0]
    skips.append(Skip(f"no {field} field", f"it has no `{missing}`; name the field with --{field}-field", url=url))
    return None


def _text(value: Any, name: str, url: str | None, skips: list[Skip]) -> str | None:
    """A null text is a page without text; a row without the field, or with something else in it, is no page."""
    value = decoded(value)
    if value is None:
        return ""
    if isinstance(value, bytes):
        skips.append(Skip("not UTF-8", f"`{name}`", url=url))
        return None
    if not isinstance(value, str):
        skips.append(Skip("text is no string", f"`{name}` is a {type(value).__name__}", url=url))
        return None
    return value


def _html(value: Any, name: str, limits: Limits, url: str | None, skips: list[Skip]) -> tuple[bytes, str] | None:
    """HTML as a string is UTF-8 from here on; of bytes the charset is still to be found. What is beyond the limit is cut off."""
    if not isinstance(value, str | bytes):
        skips.append(Skip("HTML is no string", f"`{name}` is a {type(value).__name__}", url=url))
        return None
    block = value.encode() if isinstance(value, str) else value
    if len(block) > limits.body_bytes:
        skips.append(Skip("body too large", f"{len(block):,} bytes, the first {limits.body_bytes:,} are read", "body", url))
    return block[: limits.body_bytes], UTF8_HTML if isinstance(value, str) else HTML


def _url(row: Mapping[str, Any], name: str | None, limits: Limits, skips: list[Skip]) -> str | None:
    value = decoded(row[name]) if name is not None else None
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        skips.append(Skip("URL not understood", f"a {type(value).__name__}", "url"))
        return None
    if len(value.encode()) > limits.url_bytes:
        skips.append(Skip("URL not understood", f"{len(value.encode()):,} bytes, the limit is {limits.url_bytes:,}", "url"))
        return None
    url = normalised(value)
    if url is None:
        skips.append(Skip("URL not understood", shown(value[:1000])[:200], "url"))
    return url


def _given_id(row: Mapping[str, Any], name: str | None, url: str | None, skips: list[Skip]) -> str | None:
    """A string or a number. Tables have NaN for a number that is not there; the same empty id for all would make them one page."""
    value = decoded(row[name]) if name is not None else None
    if value is None or value == "" or value != value:
        return None
    if isinstance(value, bool | dict | list | bytes):
        skips.append(Skip("not a string", f"`{name}` is a {type(value).__name__}", str(name), url))
        return None
    return str(value)


def _short(row: Mapping[str, Any], name: str | None, url: str | None, skips: list[Skip]) -> str | None:
    value = decoded(row[name]) if name is not None else None
    if value is not None and not isinstance(value, str):
        skips.append(Skip("not a string", f"`{name}` is a {type(value).__name__}", str(name), url))
        return None
    return value


def _date(row: Mapping[str, Any], name: str | None, url: str | None, skips: list[Skip]) -> int | None:
    value = decoded(row[name]) if name is not None else None
    if value is None or value == "":
        return None
    when = microseconds(value)
    if when is None:
        skips.append(Skip("date not understood", str(value)[:200], str(name), url))
    return when


def decoded(value: Any) -> Any:
    """Text that arrives as bytes (Parquet promises no UTF-8) as a string; bytes that are none stay bytes."""
    if not isinstance(value, bytes):
        return value
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value
