"""The rows written down in world.py are what plain sets of words say: no engine, no SQL, no kernel."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations

import world
from world import PAGES, REMOVED, K

Gram = tuple[str, ...]


def words(page: int) -> Gram:
    return tuple(re.findall(r"[a-z]+|[0-9]+|[\u4e00-\u9fff]", PAGES[page][3].lower()))


def grams(page: int) -> set[Gram]:
    return {words(page)[i : i + K] for i in range(len(words(page)) - K + 1)}


def live() -> list[int]:
    return [page for page in range(len(PAGES)) if page not in REMOVED]


def current() -> list[int]:
    """Of the captures of a URL the one that was fetched last, and of those the one that was read last."""
    newest: dict[tuple[str | None, str], int] = {}
    for page in live():
        name = PAGES[page][:2]
        if name not in newest or _age(page) >= _age(newest[name]):
            newest[name] = page
    return sorted(newest.values())


def _age(page: int) -> float:
    fetched_at = PAGES[page][2]
    return float("-inf") if fetched_at is None else fetched_at


def host(page: int) -> str | None:
    return PAGES[page][0]


def pages_of_grams() -> dict[Gram, set[int]]:
    found: dict[Gram, set[int]] = {}
    for page in current():
        for gram in grams(page):
            found.setdefault(gram, set()).add(page)
    return found


def repeated() -> list[set[int]]:
    return [pages for pages in pages_of_grams().values() if 2 <= len(pages) <= world.M]


HOSTS = sorted({name for page in live() if (name := host(page)) is not None})


def test_hosts() -> None:
    captures = Counter(host(page) for page in live())
    assert [(number, name, captures[name]) for number, name in enumerate(HOSTS)] == world.HOST


def test_current() -> None:
    assert [(page, HOSTS.index(name) if (name := host(page)) else -1) for page in current()] == world.CURRENT


def test_fingerprints_are_equal_exactly_where_words_are() -> None:
    assert [(page, len(words(page))) for page in range(len(PAGES))] == [row[:2] for row in world.FINGERPRINT]
    by_words = [words(page) for page in range(len(PAGES))]
    prints = [row[2:] for row in world.FINGERPRINT]
    assert all((by_words[a] == by_words[b]) == (prints[a] == prints[b]) for a, b in combinations(range(len(PAGES)), 2))


def test_fingerprints_are_those_of_the_twin() -> None:
    from unquilt.kernel import twins

    texts = [text.encode() for _, _, _, text in PAGES]
    halves = [twins.fingerprint(page) for page in twins.words(texts)]
    signed = [tuple(half - (half >> 63 << 64) for half in pair) for pair in halves]
    assert signed == [row[2:] for row in world.FINGERPRINT]


def test_bare_texts_are_equal_exactly_where_words_beside_numbers_and_dates_are() -> None:
    dates = {"sat", "may", "june", "水"}  # of Saturday and Wednesday
    bare = [[word for word in words(page) if word not in dates and not word.isdigit()] for page in range(len(PAGES))]
    assert [(page, len(left)) for page, left in enumerate(bare)] == [row[:2] for row in world.BARE_TEXT]
    sets, prints = [set(left) for left in bare], [row[2:] for row in world.BARE_TEXT]
    assert all((sets[a] == sets[b]) == (prints[a] == prints[b]) for a, b in combinations(range(len(PAGES)), 2))


def test_copies() -> None:
    groups: dict[Gram, list[int]] = {}
    for page in current():
        groups.setdefault(words(page), []).append(page)
    same = [(page, group[0], len(group), len(text)) for text, group in groups.items() for page in group if text and group[1:]]
    assert sorted(same) == world.COPY


def test_sizes_of_pages() -> None:
    assert [(page, len(words(page)), len(grams(page))) for page in current()] == world.PAGE_SIZE


def test_frequencies_of_grams() -> None:
    frequency = Counter(min(len(pages), world.M + 1) for pages in pages_of_grams().values())
    assert sorted(frequency.items()) == world.GRAM_FREQUENCY


def overlap(name: str) -> tuple[int, int]:
    """Grams of a host's pages that are repeated, and those of them that another host has."""
    own = [(sum(host(page) == name for page in pages), {host(page) for page in pages} - {name, None}) for pages in repeated()]
    return sum(count for count, _ in own), sum(count for count, others in own if others)


def test_overlaps_of_servers() -> None:
    rows = [(number, *overlap(name)) for number, name in enumerate(HOSTS)]
    assert [row for row in rows if row[1]] == world.SERVER_OVERLAP


def shared() -> dict[tuple[str, str], int]:
    pairs: Counter[tuple[str, str]] = Counter()
    for pages in repeated():
        pairs.update(combinations(sorted({name for page in pages if (name := host(page)) is not None}), 2))
    return dict(pairs)


def test_pairs_of_servers_and_hosts() -> None:
    assert sorted((*pair, count) for pair, count in shared().items()) == world.HOST_PAIR
    numbered = sorted((HOSTS.index(a), HOSTS.index(b), count) for (a, b), count in shared().items())
    assert numbered == world.SERVER_PAIR


def test_overlaps_of_hosts() -> None:
    rows = []
    for name in HOSTS:
        pages = [page for page in current() if host(page) == name]
        rows.append((name, len(pages), sum(len(grams(page)) for page in pages), *overlap(name)))
    assert rows == world.HOST_OVERLAP
