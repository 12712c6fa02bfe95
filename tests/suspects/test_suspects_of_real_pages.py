"""On real crawls: what is marked was read by a person, and hardly anything is."""

from __future__ import annotations

from pathlib import Path

import little_web as web
import pyarrow.parquet as pq
import pytest

from unquilt.suspects import Suspects

pytestmark = pytest.mark.data

# Marked pages that a person found to say that they are none, by URL.
MIXED = {
    *(f"https://krisbuytaert.be/old-blog/blogs/{name}/" for name in ("function", "plus.google")),
    *(
        f"https://krisbuytaert.be/old-blog/node/{name}/"
        for name in (
            "The%20Open%20Road%20-%20CNET%20Blogs",
            "http%3B/www.zattoo.com/index",
            "root%40cnode2%2012747",
            "root%40macmini%20storage",
            "sdog%40mine2%20_",
            "www.docbook",
            "www.gnomemeeting",
        )
    ),
    "https://krisbuytaert.be/old-blog/taxonomy/term/planet.centos/",
    "https://planet-bugzilla.lcp.world/404.html",
}
DATED = {"http://ilovenativeamericans.us/2017/04/25/trump-wants-to-deport-american-indians-to-india/"}


def marked(file: Path, folder: Path, method: Suspects) -> set[str]:
    pages = pq.read_table(file, columns=["url", "title", "text"]).to_pylist()
    captures = [web.capture(number, page["url"], page["title"], page["text"]) for number, page in enumerate(pages)]
    return {pages[page]["url"] for page in web.suspects(web.made(folder, method, captures, group=1000))}


def test_the_soft_404s_of_blogs_news_and_farms_are_marked_and_nothing_else(shared_data: Path, tmp_path: Path) -> None:
    assert marked(shared_data / "pages" / "demo_mixed_text.parquet", tmp_path, Suspects()) == MIXED


def test_of_dated_posts_one_is_a_soft_404(shared_data: Path, tmp_path: Path) -> None:
    assert marked(shared_data / "pages" / "dated_linked.parquet", tmp_path, Suspects()) == DATED


def test_with_much_laxer_limits_hardly_a_page_in_a_hundred_is_marked(shared_data: Path, tmp_path: Path) -> None:
    found = marked(shared_data / "pages" / "demo_mixed_text.parquet", tmp_path, Suspects(pages=3, words=400))
    assert found > MIXED
    assert len(found) < 41
