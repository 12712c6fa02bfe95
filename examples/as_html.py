"""How does a page of the example web look in a browser? Small HTML, with what real pages have around their text.

The main text is word for word the `text` in blogs.jsonl, and the links are those in `links`, with the same words. Around
them stand the site's name, a menu, the day of publication, a list of topics and a footer, as on other blogs.
"""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from build import Link, Page, Site

# Where a site says when something was published; the others have a <time> above the text.
IN_JSON_LD = "harbourpost.example"
IN_OPEN_GRAPH = "lanternsky.example"
IN_META = "paperfold.example"
IN_GERMAN = "dorfbote.example"
IN_CHINESE = "shanjing.example"

# Sites that give no canonical address: those that live on others, the mirror, and the one it mirrors, for copies are bytes.
WITHOUT_CANONICAL = ("aggregator", "scraper", "spam", "mirror")
MIRRORED = "tidepool.example"

# Pages that ask robots not to index them, and pages that are nothing but their text.
NOINDEX = ("https://quietnotes.example/now",)
BARE = ("https://quietnotes.example/now", "https://quietnotes.example/untitled")

MONTHS = {
    "en": "January February March April May June July August September October November December".split(),
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(),
}

NOT_FOUND = "Page not found"


def html_of(page: Page, site: Site, charset: str) -> str:
    lines = [
        "<!DOCTYPE html>",
        f'<html lang="{page.language}">',
        "<head>",
        f'<meta charset="{charset}">' if charset else "",
        f"<title>{escape(page.title)}</title>",
    ]
    lines += [*head_of(page, site), "</head>", "<body>"]
    if page.url in BARE:
        lines += [f"<p>{escape(block.text)}</p>" for block in page.blocks]
    else:
        lines += [
            *header_of(page, site),
            "<main>",
            *content_of(page, site),
            "</main>",
            *topics_of(page, site),
            *footer_of(page.fetched, site),
        ]
    return "\n".join([*filter(None, lines), "</body>", "</html>", ""])


def not_found(path: str, site: Site, fetched: str) -> str:
    """What the site answers, with status 200, when somebody asks for a page that it does not have."""
    lines = [
        "<!DOCTYPE html>",
        f'<html lang="{site.language}">',
        "<head>",
        '<meta charset="utf-8">',
        f"<title>{NOT_FOUND}</title>",
        "</head>",
        "<body>",
    ]
    lines += ['<header class="site-header">', f'<p class="site-title"><a href="/">{escape(site.title)}</a></p>', "</header>", "<main>"]
    lines += [f"<h1>{NOT_FOUND}</h1>", f"<p>There is nothing at {escape(path)}. It may have been mended and taken home.</p>", "</main>"]
    return "\n".join([*lines, *footer_of(fetched, site), "</body>", "</html>", ""])


def head_of(page: Page, site: Site) -> list[str]:
    lines = []
    if site.meta["kind"] not in WITHOUT_CANONICAL and site.host != MIRRORED:
        lines.append(f'<link rel="canonical" href="{escape(page.url)}">')
    if page.url in NOINDEX:
        lines.append('<meta name="robots" content="noindex, nofollow">')
    if page.date and site.host == IN_JSON_LD:
        said = {"@context": "https://schema.org", "@type": "NewsArticle", "headline": page.title, "datePublished": page.date}
        lines.append(f'<script type="application/ld+json">{json.dumps(said)}</script>')
    if page.date and site.host == IN_OPEN_GRAPH:
        lines.append(f'<meta property="article:published_time" content="{page.date}T08:00:00Z">')
    if page.date and site.host == IN_META:
        lines.append(f'<meta name="date" content="{page.date}">')
    return lines


def header_of(page: Page, site: Site) -> list[str]:
    """The site's name, which leads home, and the menu; the topics stand beside the text."""
    home, menu = link_to(site.home_url, page), [link for link in page.frame if not is_topic(link) and link.url != site.home_url]
    tag, name = ("p", anchor(home, page)) if home else ("h1" if page.url == site.home_url else "p", escape(site.title))
    lines = ['<header class="site-header">', f'<{tag} class="site-title">{name}</{tag}>']
    if menu:
        lines += ["<nav>", "<ul>", *(f"<li>{anchor(link, page)}</li>" for link in menu), "</ul>", "</nav>"]
    return [*lines, "</header>"]


def topics_of(page: Page, site: Site) -> list[str]:
    topics = [link for link in page.frame if is_topic(link)]
    if not topics:
        return []
    return ['<aside class="sidebar">', "<ul>", *(f"<li>{anchor(link, page)}</li>" for link in topics), "</ul>", "</aside>"]


def footer_of(fetched: str, site: Site) -> list[str]:
    return ["<footer>", f"<p>© {fetched[:4]} {escape(site.title)}</p>", "</footer>"]


def content_of(page: Page, site: Site) -> list[str]:
    """On a list of articles each begins with its title, which leads to it, and goes on in the same paragraph."""
    listing = any(block.kind == "heading" for block in page.blocks)
    lines = [] if page.url == site.home_url else [f"<h1>{escape(page.title)}</h1>"]
    lines += [] if listing else day_of(page, site)
    waiting = list(page.links)
    before = ""
    for number, block in enumerate(page.blocks):
        text = linked(block.text, waiting, page)
        following = page.blocks[number + 1].kind if number + 1 < len(page.blocks) else ""
        if block.kind == "heading":
            before = f"<strong>{text}</strong><br>\n"
        elif block.kind == "quote":
            lines += ["<blockquote>", f"<p>{text}</p>", *([] if following == "byline" else ["</blockquote>"])]
        elif block.kind == "byline" and site.meta["kind"] == "aggregator":
            lines += [f"<cite>{text}</cite>", "</blockquote>"]
        elif block.kind == "byline":
            before += f"{text}<br>\n"
        else:
            lines.append(f"<p>{before}{text}</p>")
            before = ""
    if waiting or before:
        raise ValueError(f"{page.url}: there is no place for {waiting or before}")
    return ["<article>", *lines, "</article>"]


def linked(text: str, waiting: list[Link], page: Page) -> str:
    """The text with the links that begin with the next one that waits, as far as their words are in it."""
    done = ""
    while waiting and waiting[0].text in text:
        link = waiting.pop(0)
        before, _, text = text.partition(link.text)
        done += escape(before, quote=False) + anchor(link, page)
    return done + escape(text, quote=False)


def day_of(page: Page, site: Site) -> list[str]:
    if not page.date or site.host in (IN_JSON_LD, IN_OPEN_GRAPH, IN_META):
        return []
    year, month, day = map(int, page.date.split("-"))
    if site.host == IN_GERMAN:
        return [f'<p class="datum">{day}. {MONTHS["de"][month - 1]} {year}</p>']
    if site.host == IN_CHINESE:
        return [f'<p class="date">{year}年{month}月{day}日</p>']
    shown = f"{day} {MONTHS['en'][month - 1]} {year}" if site.language == "en" else page.date
    return [f'<p class="date"><time datetime="{page.date}">{shown}</time></p>']


def link_to(url: str, page: Page) -> Link | None:
    return next((link for link in page.frame if link.url == url), None)


def is_topic(link: Link) -> bool:
    return "/tag/" in link.url


def anchor(link: Link, page: Page) -> str:
    """Links within a site are written as its own address would be, so that a mirror has the same bytes."""
    home = "/".join(page.url.split("/")[:3])
    target = link.url.removeprefix(home) if link.url.startswith(home + "/") else link.url
    return f'<a href="{escape(target)}">{escape(link.text, quote=False)}</a>'
