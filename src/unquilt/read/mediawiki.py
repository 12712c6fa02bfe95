"""MediaWiki's XML exports: a page a record, with the newest of its revisions; all of them with `revisions="all"`.

The text is the wikitext without its markup (`wikitext`). The id is the page's, with all revisions the revision's. The URL is made
of the site's and the title. The date of publication is the revision's time stamp, so of the newest one when the page
was last changed; an export does not say when it was fetched. Pages outside of the main namespace (talk, templates, files) are
listed as skipped, so are redirects. A place is the running number of the page, with all revisions that of the revision.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from unquilt.errors import InputError
from unquilt.read.mediawiki_xml import WIKITEXT, Page, Revision, Site, Unit, units
from unquilt.read.record import Fields, Found, Limits, Record, Skip
from unquilt.read.room import bytes_of
from unquilt.read.url import normalised
from unquilt.read.wikitext import CATEGORIES, FILES, plain

UNESCAPED = ";@$!*(),/~:"
REDIRECT = re.compile(r"\s*#[^\W\d_]{1,30}\s*:?\s*\[\[([^\]|]{0,300})")
MEDIA, FILE, CATEGORY = -2, 6, 14


def read(path: Path, start: int, fields: Fields, limits: Limits, *, revisions: str = "newest") -> Iterator[Found]:
    site = Site()
    for unit in units(path, revisions == "all", limits, site):
        if unit.number >= start:
            yield _found(unit, site, limits, every=revisions == "all")


def fetch(path: Path, offset: int, limits: Limits, *, revisions: str = "newest") -> bytes:
    """The wikitext of the page (the revision) with that number."""
    for unit in units(path, revisions == "all", limits, Site()):
        if unit.number == offset and unit.page and unit.page.revision and unit.page.revision.wikitext is not None:
            return unit.page.revision.wikitext.encode()
    raise InputError(f"`{path}` has no page number {offset} any more; add it again if it was changed")


def _found(unit: Unit, site: Site, limits: Limits, *, every: bool) -> Found:
    if unit.page is None:
        return Found(unit.number, unit.length, None, (unit.skip,) if unit.skip else ())
    record = _record(unit.page, site, limits, every=every)
    if isinstance(record, Skip):
        return Found(unit.number, unit.length, None, (record,))
    return Found(unit.number, unit.length, record)


def _record(page: Page, site: Site, limits: Limits, *, every: bool) -> Record | Skip:
    url = url_of(site.base, page.title)
    space = _namespace(page, site)
    if space is not None:
        return Skip("namespace", space, url=url)
    revision = page.revision
    if revision is None:
        return Skip("no text", "the page has no revision", url=url)
    if revision.wikitext is None:
        return Skip("record too large", f"{revision.characters:,} characters", url=url)
    target = _redirect(page, revision, every)
    if target is not None:
        return Skip("redirect page", f"to {target[:180]}", url=url)
    if revision.absent:
        return Skip("no text", revision.absent, url=url)
    if revision.model not in WIKITEXT:
        return Skip("not wikitext", revision.model[:200], url=url)
    limits.make_room(bytes_of(revision.wikitext), f"the page `{page.title[:100]}` of {revision.characters:,} characters")
    text = plain(revision.wikitext, _names(site, FILES, FILE, MEDIA), _names(site, CATEGORIES, CATEGORY))
    id_ = revision.id if every else page.id
    return Record(text, id_ or None, url, page.title or None, site.language, None, revision.when)


def url_of(base: str, title: str) -> str | None:
    """`http://a.example/wiki/Main_Page` and `Ada Lovelace` make `http://a.example/wiki/Ada_Lovelace`."""
    if not base or not title:
        return None
    before, named, _ = base.partition("title=")
    prefix = before + named if named else base[: base.rfind("/") + 1]
    return normalised(prefix + quote(title.replace(" ", "_"), safe=UNESCAPED))


def _namespace(page: Page, site: Site) -> str | None:
    """What the namespace is called where it is not the main one. Old exports do not say it; there the title does."""
    named = {str(key): name for key, name in site.namespaces.items()}
    if page.namespace:
        return None if page.namespace == "0" else f"{page.namespace} ({named.get(page.namespace, 'unknown')})"[:200]
    prefix = page.title.partition(":")[0] if ":" in page.title else ""
    return next((f"{key} ({name})" for key, name in named.items() if prefix and name == prefix), None)


def _redirect(page: Page, revision: Revision, every: bool) -> str | None:
    """Where a redirect leads. Whether a page is one is said of its newest revision; older ones have to be looked at."""
    if page.redirect is not None and not every:
        return page.redirect
    match = REDIRECT.match(revision.wikitext or "")
    if match and (page.redirect is not None or match[0].strip().lower().startswith("#redirect")):
        return match[1]
    return None


def _names(site: Site, usual: frozenset[str], *keys: int) -> frozenset[str]:
    return usual | {site.namespaces[key].lower() for key in keys if site.namespaces.get(key)}
