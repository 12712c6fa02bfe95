"""Build the example web: blogs.jsonl, blogs.warc.gz with its index blogs.cdxj, and truth.json.

The sources are the small text files below ``articles/``: one folder a site, one
file a page, and ``_site.md`` with the facts of the site. This script adds what a
real web adds to articles (home, tag and archive pages, a mirror, quotations,
copies) and writes every page as one line of ``blogs.jsonl``. ``as_html.py`` makes
pages for browsers of them, which ``as_warc.py`` puts into an archive, among what
else a crawl finds. While it builds, it notes what it took from where, and writes
these facts to ``truth.json``.

The result depends on the source files only: no clock, no random numbers, no
network. Building twice gives identical bytes; another zlib than the usual one may
pack the archive differently, which counts as the same.

    python examples/build.py            write the files that are out of date
    python examples/build.py --check    write nothing, exit 1 if a file is out of date

The notation of the source files is explained in ``examples/README.md``.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import as_warc

HERE = Path(__file__).resolve().parent
ARTICLES = HERE / "articles"
PAGES_FILE = HERE / "blogs.jsonl"
ARCHIVE_FILE, INDEX_FILE = HERE / as_warc.NAME, HERE / as_warc.INDEX
TRUTH_FILE = HERE / "truth.json"

# A crawler is polite: it waits between two pages of one site.
SECONDS_BETWEEN_PAGES = 7
# Methods that compare sequences of five words have nothing to go on below this.
WORDS_IN_A_SEQUENCE = 5
# Scripts written without spaces: splitting at spaces finds phrases, not words.
UNSPACED_LANGUAGES = ("th", "zh")

MONTHS = ("January February March April May June July August September October November December").split()

INCLUDE = re.compile(r"(?P<quote>> )?\{\{(?P<page>[^{}#]+)(?:#(?P<passage>[^{}#]+))?\}\}")
PASSAGE = re.compile(r"\{(?P<name>[a-z-]+): (?P<text>[^{}]*)\}")
INLINE_LINK = re.compile(r"\[(?P<text>[^\]]+)\]\((?P<url>[^)]+)\)")
WORD = re.compile(r"\w+")


class SourceError(ValueError):
    """A source file says something that cannot be built."""


# --- Pages: what is written out ---------------------------------------------------


@dataclass(frozen=True)
class Link:
    url: str
    text: str


@dataclass(frozen=True)
class Block:
    """One piece of a page; kind is "heading", "byline", "paragraph" or "quote"."""

    kind: str
    text: str


@dataclass(frozen=True)
class Page:
    """One capture of one page, independent of the format it is written in."""

    url: str
    title: str
    language: str
    fetched: str
    blocks: tuple[Block, ...]
    links: tuple[Link, ...]
    """Those in the text, in its order."""
    frame: tuple[Link, ...] = ()
    """Those around it, as on every page of the site."""
    date: str | None = None

    @property
    def text(self) -> str:
        return "\n\n".join(block.text for block in self.blocks)

    def record(self) -> dict[str, Any]:
        """The page as a JSON object, its keys always in this order."""
        record: dict[str, Any] = {"url": self.url}
        if self.date:
            record["date"] = self.date
        record["fetched"] = self.fetched
        record["title"] = self.title
        record["language"] = self.language
        record["text"] = self.text
        record["links"] = [{"url": link.url, "text": link.text} for link in (*self.links, *self.frame)]
        return record


# --- Sources: what is read --------------------------------------------------------


@dataclass(frozen=True)
class Article:
    """One source file of a page, its markup resolved except for includes."""

    host: str
    slug: str
    url: str
    meta: dict[str, str]
    blocks: tuple[Block, ...]
    links: tuple[Link, ...]
    passages: dict[str, str]

    @property
    def key(self) -> str:
        return f"{self.host}/{self.slug}"

    @property
    def title(self) -> str:
        return self.meta["title"]

    @property
    def date(self) -> str:
        return self.meta.get("date", "")

    @property
    def relation(self) -> str:
        """How the page was made from others; "" for an article of its own."""
        return self.meta.get("relation", "")

    @property
    def tags(self) -> list[str]:
        return split_list(self.meta.get("tags", ""))


@dataclass(frozen=True)
class Site:
    host: str
    meta: dict[str, str]
    intro: tuple[str, ...]
    articles: tuple[Article, ...]
    older: tuple[Article, ...] = ()
    synonyms: dict[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return self.meta["title"]

    @property
    def language(self) -> str:
        return self.meta["language"]

    @property
    def home_url(self) -> str:
        return f"https://{self.host}/"

    @property
    def archive_url(self) -> str:
        return f"https://{self.host}/archive"

    def tag_url(self, tag: str) -> str:
        return f"https://{self.host}/tag/{tag}"

    @property
    def tag_pages(self) -> list[str]:
        return split_list(self.meta.get("tag-pages", ""))

    def newest_first(self, before: str = "9999") -> list[Article]:
        """The articles the site itself published, as its list pages show them."""
        own = [article for article in self.articles if not article.relation]
        past = [article for article in own if article.date < before]
        return sorted(past, key=lambda article: article.date, reverse=True)


def split_list(value: str) -> list[str]:
    return [part.strip() for part in value.split(",") if part.strip()]


def split_front_matter(path: Path) -> tuple[dict[str, str], str]:
    """Read "key: value" lines between two lines of dashes, and the body after them."""
    content = path.read_text(encoding="utf-8")
    parts = re.split(r"^---\n", content, maxsplit=2, flags=re.MULTILINE)
    if len(parts) != 3 or parts[0]:
        raise SourceError(f"{path}: no front matter")
    meta = {}
    for line in parts[1].splitlines():
        key, separator, value = line.partition(": ")
        if not separator:
            raise SourceError(f"{path}: not a front matter line: {line!r}")
        meta[key] = value.strip()
    return meta, parts[2]


def split_paragraphs(body: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in body.split("\n\n") if part.strip())


def read_table(path: Path, columns: int) -> list[list[str]]:
    """Read a tab separated table; lines that begin with # are remarks."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        row = line.split("\t")
        if len(row) != columns:
            raise SourceError(f"{path}: {columns} columns expected: {line!r}")
        rows.append(row)
    return rows


def article_url(host: str, slug: str, meta: dict[str, str], pattern: str) -> str:
    year, month, day = (meta.get("date", "") + "--").split("-")[:3]
    path = meta.get("path", pattern).format(year=year, month=month, day=day, slug=slug)
    return f"https://{host}{path}"


def read_article(path: Path, pattern: str) -> Article:
    meta, body = split_front_matter(path)
    passages = {found["name"]: found["text"] for found in PASSAGE.finditer(body)}
    body = PASSAGE.sub(lambda found: found["text"], body)
    links = tuple(Link(found["url"], found["text"]) for found in INLINE_LINK.finditer(body))
    body = INLINE_LINK.sub(lambda found: found["text"], body)
    host = path.parent.name
    slug = path.stem.partition("@")[0]
    return Article(
        host=host,
        slug=slug,
        url=article_url(host, slug, meta, pattern),
        meta=meta,
        blocks=tuple(Block("paragraph", text) for text in split_paragraphs(body)),
        links=links,
        passages=passages,
    )


def read_site(folder: Path) -> Site:
    meta, intro = split_front_matter(folder / "_site.md")
    files = sorted(path for path in folder.glob("*.md") if not path.name.startswith("_"))
    articles = [(path, read_article(path, meta.get("path", ""))) for path in files]
    table = folder / "_synonyms.tsv"
    return Site(
        host=folder.name,
        meta=meta,
        intro=split_paragraphs(intro),
        articles=tuple(article for path, article in articles if "@" not in path.stem),
        older=tuple(article for path, article in articles if "@" in path.stem),
        synonyms=dict(read_table(table, columns=2)) if table.exists() else {},
    )


def read_sites(folder: Path) -> list[Site]:
    sites = {path.name: read_site(path) for path in sorted(folder.iterdir()) if path.is_dir()}
    for host, site in sites.items():
        if "mirror-of" in site.meta:
            original = sites[site.meta["mirror-of"]]
            edits = read_table(folder / host / "_edits.tsv", columns=3)
            sites[host] = mirrored(original, site, edits)
    return list(sites.values())


def mirrored(original: Site, mirror: Site, edits: list[list[str]]) -> Site:
    """The original's pages on the mirror's host, with the mirror's few edits."""
    articles = tuple(
        replace(
            article,
            host=mirror.host,
            url=article.url.replace(original.home_url, mirror.home_url, 1),
            blocks=edited(article, edits),
        )
        for article in original.articles
    )
    meta = {key: value for key, value in original.meta.items() if key != "home-older"}
    return Site(mirror.host, meta | mirror.meta, original.intro, articles)


def edited(article: Article, edits: list[list[str]]) -> tuple[Block, ...]:
    blocks = article.blocks
    for slug, old, new in edits:
        if slug != article.slug:
            continue
        if sum(block.text.count(old) for block in blocks) != 1:
            raise SourceError(f"{article.key}: the edit does not fit once: {old!r}")
        blocks = tuple(replace(block, text=block.text.replace(old, new)) for block in blocks)
    return blocks


# --- Includes: text taken from another source ---------------------------------------


@dataclass(frozen=True)
class Taken:
    """A passage (or, without a name, a whole article) taken over by another page."""

    source: Article
    name: str
    text: str

    def record(self) -> dict[str, Any]:
        record: dict[str, Any] = {"source": self.source.url}
        if self.name:
            record["name"] = self.name
        record["words"] = len(WORD.findall(self.text))
        record["text"] = self.text
        return record


def look_up(key: str, passage: str | None, library: dict[str, Article]) -> list[Taken]:
    """The paragraphs an include stands for."""
    if key not in library:
        raise SourceError(f"no such article: {key}")
    source = library[key]
    if passage is None:
        return [Taken(source, "", block.text) for block in source.blocks]
    if passage not in source.passages:
        raise SourceError(f"no such passage: {key}#{passage}")
    return [Taken(source, passage, source.passages[passage])]


def expand(article: Article, library: dict[str, Article], credit: Callable[[Article], str] | None) -> tuple[list[Block], list[Taken]]:
    """Replace the includes of an article; ``credit`` gives the line below a quotation."""
    blocks: list[Block] = []
    taken: list[Taken] = []
    for block in article.blocks:
        include = INCLUDE.fullmatch(block.text)
        if include is None:
            blocks.append(block)
            continue
        found = look_up(include["page"], include["passage"], library)
        taken += found
        kind = "quote" if include["quote"] else "paragraph"
        blocks += [Block(kind, one.text) for one in found]
        if credit is not None:
            blocks.append(Block("byline", credit(found[0].source)))
    return blocks, taken


def spun(text: str, synonyms: dict[str, str]) -> tuple[str, int]:
    """Swap every listed word for its synonym, as spam sites do; also count the swaps."""
    swaps = 0

    def swap(found: re.Match[str]) -> str:
        nonlocal swaps
        word = found[0]
        synonym = synonyms.get(word.lower())
        if synonym is None:
            return word
        swaps += 1
        return synonym.capitalize() if word[0].isupper() else synonym

    return WORD.sub(swap, text), swaps


# --- Building -------------------------------------------------------------------------


def empty_truth() -> dict[str, list[dict[str, Any]]]:
    names = "exact_copies mirror_pairs spun_pairs stitched scraped aggregated older_captures list_pages"
    return {name: [] for name in names.split()}


@dataclass
class Web:
    """Everything built so far, and the facts about it."""

    sites: list[Site]
    library: dict[str, Article]
    pages: list[Page] = field(default_factory=list)
    truth: dict[str, list[dict[str, Any]]] = field(default_factory=empty_truth)
    originals: list[str] = field(default_factory=list)

    def site(self, host: str) -> Site:
        return next(site for site in self.sites if site.host == host)


def shown_date(iso: str) -> str:
    day = date.fromisoformat(iso)
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def bylines(site: Site, article: Article) -> list[Block]:
    """The line with author and date, which only newspapers print."""
    if site.meta["kind"] != "news":
        return []
    return [Block("byline", f"By {article.meta['author']}, {shown_date(article.date)}")]


def frame_of(site: Site, article: Article) -> list[Link]:
    """The links every page of the site carries."""
    links = []
    if "home" in site.meta:
        links.append(Link(site.home_url, site.title))
    links += [Link(site.tag_url(tag), tag) for tag in article.tags if tag in site.tag_pages]
    if "archive" in site.meta:
        links.append(Link(site.archive_url, "Archive"))
    return links


def article_page(web: Web, site: Site, article: Article, fetched: str) -> Page:
    """The page of one source file, whatever it is made from."""
    aggregate = article.relation == "aggregate"

    def credit(source: Article) -> str:
        return f"From: {source.title}, {web.site(source.host).title}"

    blocks, taken = expand(article, web.library, credit if aggregate else None)
    blocks = bylines(site, article) + blocks
    swaps = 0
    if article.relation == "spin":
        blocks, swaps = spin_blocks(blocks, site.synonyms)
    links = [Link(one.source.url, one.source.title) for one in taken] if aggregate else []
    page = Page(
        url=article.url,
        title=article.title,
        language=article.meta.get("language", site.language),
        fetched=fetched,
        blocks=tuple(blocks),
        links=(*links, *article.links),
        frame=tuple(frame_of(site, article)),
        date=article.date or None,
    )
    note_relation(web, article.relation, page, taken, swaps)
    return page


def spin_blocks(blocks: Iterable[Block], synonyms: dict[str, str]) -> tuple[list[Block], int]:
    result = []
    total = 0
    for block in blocks:
        text, swaps = spun(block.text, synonyms)
        result.append(replace(block, text=text))
        total += swaps
    return result, total


def note_relation(web: Web, relation: str, page: Page, taken: list[Taken], swaps: int) -> None:
    """Write down what a page was made from."""
    if relation not in ("", "short") and not taken:
        raise SourceError(f"{page.url}: nothing is taken from another page")
    composed = {"stitch": "stitched", "scrape": "scraped", "aggregate": "aggregated"}
    if relation in composed:
        passages = [one.record() for one in taken]
        web.truth[composed[relation]].append({"url": page.url, "passages": passages})
    elif relation == "copy":
        web.truth["exact_copies"].append({"copy": page.url, "source": taken[0].source.url})
    elif relation == "spin":
        words = sum(len(WORD.findall(one.text)) for one in taken)
        source = taken[0].source.url
        fact = {"copy": page.url, "source": source, "words": words, "replaced": swaps}
        web.truth["spun_pairs"].append(fact)
    elif relation not in ("", "short"):
        raise SourceError(f"{page.url}: unknown relation {relation!r}")


@dataclass(frozen=True)
class Listing:
    """A page that repeats articles of its own site, whole or by their first paragraph."""

    kind: str
    url: str
    title: str
    articles: tuple[Article, ...]
    whole: bool


def listings(site: Site) -> Iterator[Listing]:
    newest = site.newest_first()
    if "home" in site.meta:
        yield Listing("home", site.home_url, site.title, shown_on_home(site), True)
    for tag in site.tag_pages:
        tagged = tuple(article for article in newest if tag in article.tags)
        yield Listing("tag", site.tag_url(tag), f"{site.title}: {tag}", tagged, True)
    if "archive" in site.meta:
        title = f"{site.title}: archive"
        yield Listing("archive", site.archive_url, title, tuple(newest), False)


def shown_on_home(site: Site, before: str = "9999") -> tuple[Article, ...]:
    return tuple(site.newest_first(before)[: int(site.meta["home"])])


def listing_page(site: Site, listing: Listing, fetched: str) -> Page:
    blocks: list[Block] = []
    for article in listing.articles:
        blocks.append(Block("heading", article.title))
        blocks += bylines(site, article)
        blocks += article.blocks if listing.whole else article.blocks[:1]
    blocks += [Block("paragraph", text) for text in site.intro]
    links = tuple(Link(article.url, article.title) for article in listing.articles)
    frame = tuple(Link(site.tag_url(tag), tag) for tag in site.tag_pages)
    return Page(listing.url, listing.title, site.language, fetched, tuple(blocks), links, frame)


def note_listing(web: Web, page: Page, listing: Listing) -> None:
    fact = {
        "url": page.url,
        "fetched": page.fetched,
        "kind": listing.kind,
        "shows": "whole" if listing.whole else "first paragraph",
        "articles": [article.url for article in listing.articles],
    }
    web.truth["list_pages"].append(fact)


def capture_times(site: Site) -> Iterator[str]:
    start = datetime.fromisoformat(site.meta["crawled"])
    while True:
        yield start.strftime("%Y-%m-%dT%H:%M:%SZ")
        start += timedelta(seconds=SECONDS_BETWEEN_PAGES)


def build_site(web: Web, site: Site) -> None:
    """Add the pages of one site, as a crawler finds them: lists first, then articles."""
    times = capture_times(site)
    for listing in listings(site):
        page = listing_page(site, listing, next(times))
        note_listing(web, page, listing)
        web.pages.append(page)
    for article in site.articles:
        page = article_page(web, site, article, next(times))
        web.pages.append(page)
        if not article.relation and "mirror-of" not in site.meta:
            web.originals.append(page.url)
    for article in site.older:
        older = article_page(web, site, article, article.meta["fetched"])
        note_older(web, older)
    if "home-older" in site.meta:
        fetched = site.meta["home-older"]
        shown = shown_on_home(site, before=fetched)
        listing = Listing("home", site.home_url, site.title, shown, True)
        older = listing_page(site, listing, fetched)
        note_listing(web, older, listing)
        note_older(web, older)


def note_older(web: Web, older: Page) -> None:
    newer = next(page for page in web.pages if page.url == older.url)
    fact = {"url": older.url, "older": older.fetched, "newer": newer.fetched}
    web.truth["older_captures"].append(fact)
    web.pages.append(older)


def note_mirrors(web: Web) -> None:
    """Pair the pages of a mirror with those of its original, newest captures only."""
    newest: dict[str, Page] = {}
    for page in web.pages:
        if page.url not in newest or page.fetched > newest[page.url].fetched:
            newest[page.url] = page
    for site in web.sites:
        if "mirror-of" not in site.meta:
            continue
        original = web.site(site.meta["mirror-of"])
        for page in web.pages:
            if not page.url.startswith(site.home_url):
                continue
            source = newest[page.url.replace(site.home_url, original.home_url, 1)]
            same = page.text == source.text
            fact = {"mirror": page.url, "source": source.url, "identical": same}
            web.truth["mirror_pairs"].append(fact)


def build_web(sites: list[Site]) -> Web:
    library = {article.key: article for site in sites for article in site.articles}
    web = Web(sites, library)
    for site in sites:
        build_site(web, site)
    note_mirrors(web)
    web.pages.sort(key=lambda page: (page.url, page.fetched))
    return web


# --- Output -----------------------------------------------------------------------------


def identical_texts(pages: Iterable[Page]) -> list[list[str]]:
    """Groups of different addresses whose text is the same, character by character."""
    by_text: dict[str, list[str]] = {}
    for page in pages:
        if page.text:
            by_text.setdefault(page.text, []).append(page.url)
    return sorted(sorted(set(urls)) for urls in by_text.values() if len(set(urls)) > 1)


def truth_record(web: Web) -> dict[str, Any]:
    languages: dict[str, list[str]] = {}
    for page in web.pages:
        urls = languages.setdefault(page.language, [])
        if page.url not in urls:
            urls.append(page.url)
    record: dict[str, Any] = {"captures": len(web.pages)}
    record["addresses"] = len({page.url for page in web.pages})
    record["originals"] = sorted(web.originals)
    for name, facts in web.truth.items():
        record[name] = sorted(facts, key=lambda fact: [str(value) for value in fact.values()])
    record["identical_texts"] = identical_texts(web.pages)
    record["too_short"] = [page.url for page in web.pages if len(WORD.findall(page.text)) < WORDS_IN_A_SEQUENCE]
    record["unspaced"] = sorted(url for code in UNSPACED_LANGUAGES for url in languages[code])
    record["languages"] = {code: languages[code] for code in sorted(languages)}
    return record


def outputs(web: Web) -> dict[Path, bytes]:
    lines = [json.dumps(page.record(), ensure_ascii=False) + "\n" for page in web.pages]
    truth = json.dumps(truth_record(web), ensure_ascii=False, indent=1) + "\n"
    archive = kept(ARCHIVE_FILE, as_warc.archive_of(web.pages, web.sites))
    index = as_warc.index_of(archive)
    return {PAGES_FILE: "".join(lines).encode(), ARCHIVE_FILE: archive, INDEX_FILE: index, TRUTH_FILE: truth.encode()}


def kept(path: Path, made: bytes) -> bytes:
    """The archive that is there, if its records are those that were made: which bytes packing gives depends on the zlib at hand."""
    there = path.read_bytes() if path.exists() else b""
    return there if records(there) == records(made) else made


def records(archive: bytes) -> list[bytes]:
    try:
        return [data for _, data in as_warc.members_of(archive)]
    except zlib.error:
        return []


def out_of_date(files: dict[Path, bytes]) -> list[Path]:
    return [path for path, data in files.items() if not path.exists() or path.read_bytes() != data]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Build the example web.")
    parser.add_argument("--check", action="store_true", help="exit 1 if a file is out of date")
    options = parser.parse_args(arguments)
    try:
        files = outputs(build_web(read_sites(ARTICLES)))
    except SourceError as error:
        print(f"build.py: {error}", file=sys.stderr)
        return 2
    stale = out_of_date(files)
    if options.check:
        for path in stale:
            print(f"out of date: {path.name} (run python examples/build.py)", file=sys.stderr)
        return 1 if stale else 0
    for path in stale:
        path.write_bytes(files[path])
    return 0


if __name__ == "__main__":
    sys.exit(main())
