"""From a row with names to a record: which field is which, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unquilt.read.dates import microseconds
from unquilt.read.record import Fields, Limits, Record, Skip
from unquilt.read.url import normalised


def record_of(row: Mapping[str, Any], fields: Fields, limits: Limits) -> tuple[Record | None, tuple[Skip, ...]]:
    names = fields.candidates()
    chosen = {field: next((n for n in tried if n in row), None) for field, tried in names.items()}
    skips: list[Skip] = []
    url = _url(row, chosen["url"], limits, skips)
    text = _text(row, chosen["text"], names["text"], url, skips)
    if text is None:
        return None, tuple(skips)
    record = Record(
        text=text,
        given_id=_given_id(row, chosen["given_id"]),
        url=url,
        title=_short(row, chosen["title"], url, skips),
        language=_short(row, chosen["language"], url, skips),
        fetched_at=_date(row, chosen["fetched_at"], url, skips),
        published_at=_date(row, chosen["published_at"], url, skips),
    )
    return record, tuple(skips)


def _text(row: Mapping[str, Any], name: str | None, tried: tuple[str, ...], url: str | None, skips: list[Skip]) -> str | None:
    """A null text is a page without text; a row without the field, or with something else in it, is no page."""
    if name is None:
        skips.append(Skip("no text field", f"it has no `{tried[0]}`; name the field with --text-field", url=url))
        return None
    value = _decoded(row[name])
    if value is None:
        return ""
    if isinstance(value, bytes):
        skips.append(Skip("not UTF-8", f"`{name}`", url=url))
        return None
    if not isinstance(value, str):
        skips.append(Skip("text is no string", f"`{name}` is a {type(value).__name__}", url=url))
        return None
    return value


def _url(row: Mapping[str, Any], name: str | None, limits: Limits, skips: list[Skip]) -> str | None:
    value = _decoded(row[name]) if name is not None else None
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
        skips.append(Skip("URL not understood", value[:200], "url"))
    return url


def _given_id(row: Mapping[str, Any], name: str | None) -> str | None:
    value = _decoded(row[name]) if name is not None else None
    return None if value is None or isinstance(value, dict | list | bytes) else str(value)


def _short(row: Mapping[str, Any], name: str | None, url: str | None, skips: list[Skip]) -> str | None:
    value = _decoded(row[name]) if name is not None else None
    if value is not None and not isinstance(value, str):
        skips.append(Skip("not a string", f"`{name}` is a {type(value).__name__}", str(name), url))
        return None
    return value


def _date(row: Mapping[str, Any], name: str | None, url: str | None, skips: list[Skip]) -> int | None:
    value = _decoded(row[name]) if name is not None else None
    if value is None or value == "":
        return None
    when = microseconds(value)
    if when is None:
        skips.append(Skip("date not understood", str(value)[:200], str(name), url))
    return when


def _decoded(value: Any) -> Any:
    """Text that arrives as bytes (Parquet promises no UTF-8) as a string; bytes that are none stay bytes."""
    if not isinstance(value, bytes):
        return value
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value
