"""What do an element's id, class and role say of it: page furniture, a comment, a caption, or the text itself?

Names are what people write into templates, so the tables hold stems in the languages templates are written in. A
stem counts anywhere in a name; a word only where blanks, hyphens, underscores or dots set it apart, or a colon before
it: `md:nav` is a menu on a wide screen, `tag:example.org,2009:1` the id of a post.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import reduce
from itertools import accumulate, chain
from operator import or_

FURNITURE, STRONG, TEASER, CAPTION, COMMENT, CONTENT = 1, 2, 4, 8, 16, 32

LONGEST = 400  # characters of an element's names that are looked at
MOST_KNOWN = 1 << 16

FURNITURE_STEMS = """
    navbar navigation subnav sidenav metanav breadcrumb pagination pager hamburger topbar toolbar dropdown skip-link skiplink skip-to skipto
    sidebar side-bar side_bar rightrail right-rail seitenleiste footer fusszeile masthead colophon copyright license licence impressum
    datenschutz disclaimer cookie consent gdpr paywall- popup pop-up modal lightbox banner login signup sign-up newsletter subscri
    social sharedaddy sharing sharetool share-tool sharebar share-bar share-b share-link share-icon addthis addtoany teilen partage
    related relacionad correlat similaires recommend trending popular taboola outbrain promo advert sponsor
    read-more readmore more-stories more-articles more-news more-posts also-like alsolike next-article nextarticle nextread
    byline authorbox author-box author-bio author-info authorinfo author-card author-description author-detail author-profile author-block
    author-about post-author about-author aboutauthor post-meta postmeta entry-meta entrymeta article-meta articlemeta metadata
    tagcloud tag-list taglist screen-reader visually-hidden visuallyhidden mw-editsection mw-jump printfooter catlinks
""".split()
FURNITURE_WORDS = (
    "nav menu share shares aside ad ads adv advertisement toc tags tag rss follow credit credits search dialog cta bio vcard "
    "hatnote noprint navbox recirc rail siderail buttons complementary contentinfo".split()
)
FURNITURE_WHOLE = "meta hidden hide sr-only invisible".split()
CONTENT_WHOLE = "subscription-content subscriber-content premium-content paywall-content".split()  # what one pays for
STRONG_WHOLE = "complementary contentinfo navigation banner search widget-area".split()
COMMENT_STEMS = (
    "comment kommentar comentario komentar disqus livefyre reply replies trackback pingback discussion guestbook respond".split()
)
CONTENT_FIRST = "article entry post story blog news page main text rich".split()
CONTENT_APART = ["", *"-_", "--", "__", "-_", "_-"]
CONTENT_SECOND = "body content text".split()


def trie(stems: Sequence[str]) -> str:
    """A pattern that finds one of the stems, tried letter by letter: three times as fast as trying one after the other."""
    by_letter: dict[str, list[str]] = {}
    for stem in stems:
        by_letter.setdefault(stem[:1], []).append(stem[1:])
    ends = by_letter.pop("", None)
    branches = [re.escape(letter) + trie(rest) for letter, rest in by_letter.items()]
    return f"(?:{'|'.join(branches)}){'?' if ends else ''}" if branches else ""


STEMS = {
    **dict.fromkeys(FURNITURE_STEMS, FURNITURE),
    **dict.fromkeys(COMMENT_STEMS, COMMENT),
    **{first + apart + second: CONTENT for first in CONTENT_FIRST for apart in CONTENT_APART for second in CONTENT_SECOND},
    "hentry": CONTENT,
    "teaser": TEASER,
    "caption": CAPTION,
}
WHOLE = dict.fromkeys(FURNITURE_WHOLE, FURNITURE) | dict.fromkeys(STRONG_WHOLE, FURNITURE | STRONG) | dict.fromkeys(CONTENT_WHOLE, CONTENT)
# A look ahead, since stems may overlap: each place of the text is the begin of at most one.
STEM = re.compile(f"(?=({trie(tuple(STEMS))}))")
WORD = re.compile(rf"(?<![^\n:._-])(?:{trie(FURNITURE_WORDS)})(?![^\n._-])")


class Known:
    """What has been found: the same templates come again and again, names across the web and rows of them within a site."""

    def __init__(self) -> None:
        self.rows: dict[str, int] = {}
        self.names: set[str] = set()
        self.saying: dict[str, int] = {}  # the names that say anything

    def learn(self, rows: Sequence[str]) -> None:
        unknown = {row: row[:LONGEST].split() for row in set(rows).difference(self.rows)}
        new = list(set(chain.from_iterable(unknown.values())).difference(self.names))
        self.names.update(new)
        self.saying.update((name, flag) for name, flag in zip(new, flags_of(new), strict=True) if flag)
        quiet = self.saying.keys().isdisjoint
        self.rows.update((row, 0 if quiet(names) else self._sum(names)) for row, names in unknown.items())

    def _sum(self, names: Sequence[str]) -> int:
        return reduce(or_, (self.saying.get(name, 0) for name in names))

    def is_full(self) -> bool:
        return len(self.rows) > MOST_KNOWN or len(self.names) > MOST_KNOWN


_known = Known()


def flags(rows: Sequence[str]) -> list[int]:
    """For each element what its names say, as a sum of the constants above."""
    global _known
    known = _known = Known() if _known.is_full() else _known
    try:
        return list(map(known.rows.__getitem__, rows))
    except KeyError:
        known.learn(rows)
    return list(map(known.rows.__getitem__, rows))


def flags_of(names: Sequence[str]) -> list[int]:
    """What each name says. They are searched as one text of a line each."""
    found = [WHOLE.get(name, 0) for name in names]
    text = "\n".join(names)
    begins = list(accumulate((len(name) + 1 for name in names), initial=0))
    for match in STEM.finditer(text):
        found[bisect_right(begins, match.start()) - 1] |= STEMS[match[1]]
    for match in WORD.finditer(text):
        found[bisect_right(begins, match.start()) - 1] |= FURNITURE
    return found
