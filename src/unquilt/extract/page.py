"""What does a response hold? A page, the way to another address, or nothing that is read; by rules, each with a reason.

A response with status 3xx and a Location is a redirect. One with another status than 200 to 299, or without a body, is
left out; so is everything that is neither HTML nor plain text, and robots.txt, which is for crawlers. A page that asks
robots not to index it is read like any other and says so in `robots`, or is left out where `noindex` is "skip".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from unquilt.read import http
from unquilt.read.options import Options
from unquilt.read.record import Limits, Record, Response, Skip
from unquilt.read.room import SMALL, TooDear

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unquilt.read.url import Resolver
    from unquilt.text.html import HtmlPage
    from unquilt.text.published import PageDate

VERSION = 1
MOST_LINKS = 20_000
MOST_DATES = 1_000
COST = 26  # bytes that each byte of a page takes at most, measured on elements, words and dates without end
SHORT = 10_000  # characters of a title or description that are kept
OTHER = "other"
HTML, PLAIN = "html", "plain text"
ROBOTS = re.compile(r"//[^/]+/robots\.txt\Z")


@dataclass(frozen=True)
class How:
    """What the user chose about reading pages, and what may be spent on one."""

    dayfirst: bool | None = None
    noindex: str = "keep"
    same_url: str = "keep"
    limits: Limits = field(default_factory=Limits)

    @classmethod
    def of(cls, options: Options) -> How:
        return cls(options.dayfirst, options.noindex, options.same_url, Limits(body_bytes=options.max_body))

    def recipe(self) -> dict[str, Any]:
        chosen = {"dayfirst": self.dayfirst, "noindex": self.noindex, "same_url": self.same_url}
        return {"extraction": VERSION, **chosen, "max_body": self.limits.body_bytes}


@dataclass(frozen=True)
class Link:
    target: str
    anchor: str
    rel: str | None
    begin: int
    end: int


@dataclass(frozen=True)
class Page:
    """`said`: columns of `capture` by their names. `main` is None where the main text is all of the text."""

    text: str
    said: dict[str, Any]
    main: NDArray[Any] | None = None
    links: tuple[Link, ...] = ()
    dates: tuple[PageDate, ...] = ()
    counts: PageDate | None = None


@dataclass(frozen=True)
class Redirect:
    url: str | None
    target: str | None
    status: int
    fetched_at: int | None


Outcome = tuple[Page | Redirect | None, tuple[Skip, ...]]


def page_of_record(r: Record) -> Page:
    said: dict[str, Any] = {
        "published_at": r.published_at,
        "published_by": "input" if r.published_at is not None else None,
        "fetched_at": r.fetched_at,
        "language": r.language,
        "title": r.title,
    }
    return Page(r.text, said)


def page_of_response(r: Response, how: How, room: int | None = None) -> Outcome:
    """TooDear where its body takes more than `room` bytes to read."""
    return _Reading(r, how, room).outcome()


@dataclass
class _Reading:
    """One response while it is read, and what had to be left out of it."""

    r: Response
    how: How
    room: int | None
    skips: list[Skip] = field(default_factory=list)

    def outcome(self) -> Outcome:
        message = http.parse(self.r.block) if self.r.http else None
        found = self._redirect(message) or self._page(message)
        return found, tuple(self.skips)

    def _redirect(self, message: http.Message | None) -> Redirect | None:
        if message is None or message.status is None or not 300 <= message.status < 400:
            return None
        location = message.last("location")
        if not location:
            return None
        from unquilt.read.url import resolved, shown

        target = resolved(self.r.url or "", location)
        if target is None:
            self.skips.append(Skip("URL not understood", shown(location)[:200], "location", self.r.url))
        return Redirect(self.r.url, target, message.status, self.r.fetched_at)

    def _page(self, message: http.Message | None) -> Page | None:
        if message is not None and message.status is not None and not 200 <= message.status < 300:
            return self._left_out(f"HTTP {message.status}")
        body = self._body(message)
        if not body.strip():
            return self._left_out("no body") if message is not None else self._empty()
        media, declared = http.content_type(self._declared_type(message))
        kind = http.kind_of(media, body)
        if kind not in (HTML, PLAIN):
            return self._left_out(kind, media)
        if kind == PLAIN and ROBOTS.search(self.r.url or ""):
            return self._left_out("robots.txt")
        return self._read(body, kind, media, declared, message)

    def _left_out(self, reason: str, detail: str | None = None) -> Page | None:
        self.skips.append(Skip(reason, detail, OTHER, self.r.url))
        return None

    def _empty(self) -> Page:
        return Page("", self._said_by_input() | {"content_type": http.content_type(self.r.content_type)[0]})

    def _body(self, message: http.Message | None) -> bytes:
        if message is None:
            body, cut = self.r.block[: self.how.limits.body_bytes], len(self.r.block) > self.how.limits.body_bytes
            self.skips.extend([Skip("body too large", f"{len(self.r.block):,} bytes", "body", self.r.url)] if cut else [])
            return body
        decoded = http.decoded(message, self.how.limits.body_bytes)
        self.skips.extend(Skip(p.reason, p.detail, "body", self.r.url) for p in decoded.problems)
        return decoded.data

    def _declared_type(self, message: http.Message | None) -> str | None:
        return message.last("content-type") if message is not None else self.r.content_type

    def _read(self, body: bytes, kind: str, media: str | None, declared: str | None, message: http.Message | None) -> Page | None:
        from unquilt.text import charset

        text = charset.decode(body, declared)
        self._check_room(len(text.utf8))
        said = self._said_by_input() | self._said_by_head(message)
        said |= {"content_type": media, "charset": text.charset, "replaced": text.replaced}
        if kind == PLAIN:
            return Page(_plain(text.utf8), said)
        from unquilt.text import html

        return self._read_html(html.page(text.utf8), said, message)

    def _check_room(self, size: int) -> None:
        if self.room is not None and size > SMALL and COST * size > self.room:
            raise TooDear(COST * size, f"a page of {size:,} bytes ({(self.r.url or 'without URL')[:200]})")

    def _said_by_input(self) -> dict[str, Any]:
        r = self.r
        return {
            "ip": r.ip,
            "fetched_at": r.fetched_at,
            "digest": r.digest,
            "truncated": r.truncated,
            "title": r.title,
            "language": r.language,
            "published_at": r.published_at,
            "published_by": "input" if r.published_at is not None else None,
        }

    def _said_by_head(self, message: http.Message | None) -> dict[str, Any]:
        if message is None:
            return {}
        from unquilt.text.dates import http_date

        modified = message.last("last-modified")
        return {"status": message.status, "last_modified": http_date(modified) if modified else None}

    def _read_html(self, page: HtmlPage, said: dict[str, Any], message: http.Message | None) -> Page | None:
        facts = _Facts(page.facts)
        robots = _joined(facts.of("meta", "robots"), message.all("x-robots-tag") if message is not None else [])
        if self.how.noindex == "skip" and robots is not None and _forbids(robots):
            return self._left_out("noindex", robots[:200])
        from unquilt.read.url import Resolver
        from unquilt.text import language, main_text, published

        resolver = Resolver(self.r.url, facts.first(("base", "href")), said["charset"])
        dates, counts = published.dates_of(page, self.r.url, fetched_at=self.r.fetched_at, dayfirst=self.how.dayfirst)
        said |= {
            "title": said["title"] if said["title"] is not None else facts.first(("title", ""), ("meta", "og:title")),
            "description": facts.first(("meta", "description"), ("meta", "og:description")),
            "robots": robots,
            "canonical": _canonical(facts, resolver),
            "language": said["language"]
            or language.declared(page.facts, message.last("content-language") if message is not None else None),
            "html_chars": page.source_chars,
            "anchor_chars": int(page.runs[:, 3].sum()),
        }
        if said["published_at"] is None and counts is not None:
            said |= {"published_at": counts.at, "published_by": counts.source}
        links = tuple(self._links(page, resolver, facts))
        return Page(page.text, said, main_text.main_spans(page), links, tuple(dates[:MOST_DATES]), counts)

    def _links(self, page: HtmlPage, resolver: Resolver, facts: _Facts) -> Iterator[Link]:
        refresh = facts.first(("http-equiv", "refresh"))
        target = resolver.target(_refreshed(refresh)) if refresh else None
        if target is not None:
            yield Link(target, "", "refresh", 0, 0)
        if len(page.hrefs) > MOST_LINKS:
            self.skips.append(Skip("too many links", f"{len(page.hrefs):,}, the first {MOST_LINKS:,} are kept", "links", self.r.url))
        spans = page.links[:MOST_LINKS].tolist()
        for (begin, end, _), href, rel in zip(spans, page.hrefs, page.rels, strict=False):
            target = resolver.target(href)
            if target is not None:
                yield Link(target, page.text[begin:end], rel or None, begin, end)


def _canonical(facts: _Facts, resolver: Resolver) -> str | None:
    said = next((value for kind, name, value in facts.all if kind == "link" and "canonical" in name.split()), None)
    return resolver.target(said) if said else None


class _Facts:
    """What a page says in its head, looked up by kind and name."""

    def __init__(self, facts: list[tuple[str, str, str]]) -> None:
        self.all = facts

    def of(self, kind: str, name: str) -> list[str]:
        return [v for k, n, v in self.all if k == kind and n == name]

    def first(self, *places: tuple[str, str]) -> str | None:
        for kind, name in places:
            value = next((v.strip() for v in self.of(kind, name) if v.strip()), None)
            if value is not None:
                return " ".join(value[:SHORT].split())
        return None


def _joined(*said: list[str]) -> str | None:
    """All directives in lower case, once each, in the order in which they were said."""
    words = [w.strip().lower() for values in said for value in values for w in value.split(",")]
    return ", ".join(dict.fromkeys(w for w in words if w))[:SHORT] or None


def _forbids(robots: str) -> bool:
    return not {"noindex", "none"}.isdisjoint(robots.split(", "))


def _refreshed(content: str) -> str:
    """`/there` of `5; url='/there'`."""
    _, _, rest = content.replace(",", ";", 1).partition(";")
    name, sign, value = rest.strip().partition("=")
    target = value if sign and name.strip().lower() == "url" else rest
    return target.strip().strip("'\"")


def _plain(data: bytes) -> str:
    """Plain text as it is, but for its line ends and for NUL, which no text has."""
    return data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
