"""MediaWiki exports: which pages there are, what they are called, and how reading goes on behind what is damaged."""

import bz2
import gzip
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from restarts import check, reasons

from unquilt.errors import InputError
from unquilt.read import Fields, Found, Limits, Record, mediawiki
from unquilt.read.mediawiki import url_of

SITE = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="de">\n<siteinfo><sitename>Ein Wiki</sitename>'
    "<base>https://de.wiki.example/wiki/Start_page</base><namespaces>"
    '<namespace key="-2">Medium</namespace><namespace key="0" /><namespace key="1">Diskussion</namespace>'
    '<namespace key="6">Datei</namespace><namespace key="14">Kategorie</namespace></namespaces></siteinfo>\n'
)
END = "</mediawiki>\n"
EARLY, LATE = "2020-01-01T00:00:00Z", "2021-06-05T04:03:02Z"
EARLY_AT, LATE_AT = 1_577_836_800_000_000, 1_622_865_782_000_000


def revision(text: str, when: str = EARLY, number: int = 100, more: str = "", attributes: str = "") -> str:
    return f"<revision><id>{number}</id><timestamp>{when}</timestamp>{more}<text{attributes}>{text}</text></revision>"


def page(title: str, *revisions: str, number: int = 7, space: str | None = "0", more: str = "") -> str:
    ns = "" if space is None else f"<ns>{space}</ns>"
    return f"<page><title>{title}</title>{ns}<id>{number}</id>{more}{''.join(revisions)}</page>\n"


def made(folder: Path, *pages: str, name: str = "wiki.xml", end: str = END) -> Path:
    data = (SITE + "".join(pages) + end).encode()
    pack = {".gz": gzip.compress, "bz2": bz2.compress}.get(name[-3:], bytes)
    (folder / name).write_bytes(pack(data))
    return folder / name


def read(path: Path, start: int = 0, limits: Limits | None = None, **options: str) -> list[Found]:
    return list(mediawiki.read(path, start, Fields(), limits or Limits(), **options))


def texts(founds: list[Found]) -> list[str | None]:
    return [f.record.text if isinstance(f.record, Record) else None for f in founds]


def test_a_page_is_its_newest_revision(tmp_path):
    pages = page("Ada L", revision("old '''text'''", EARLY), revision("new [[text|words]]", LATE, 101), revision("older", EARLY, 99))
    (found,) = read(made(tmp_path, pages))
    said = Record("new words", "7", "https://de.wiki.example/wiki/Ada_L", "Ada L", "de", None, LATE_AT)
    assert (found.record, found.offset, found.length, found.skips) == (said, 0, 1, ())


def test_all_revisions_are_pages_with_their_own_ids(tmp_path):
    path = made(tmp_path, page("A", revision("one", EARLY, 1), revision("two", LATE, 2)), page("B", revision("three", EARLY, 3)))
    founds = check(lambda start: read(path, start, revisions="all"), end=3)
    assert [(f.record.text, f.record.given_id, f.record.url[-1]) for f in founds] == [
        ("one", "1", "A"),
        ("two", "2", "A"),
        ("three", "3", "B"),
    ]
    assert [f.record.published_at for f in founds] == [EARLY_AT, LATE_AT, EARLY_AT]


@pytest.mark.parametrize("name", ["wiki.xml", "wiki.xml.bz2", "wiki.xml.gz"])
def test_places_are_numbers_at_which_reading_goes_on(tmp_path, name):
    pages = [page(f"P {n}", revision(f"text {n}"), number=n, space="0" if n % 3 else "1") for n in range(9)]
    path = made(tmp_path, *pages, name=name)
    founds = check(lambda start: read(path, start), end=9)
    assert texts(founds) == [f"text {n}" if n % 3 else None for n in range(9)]


URLS = [
    ("https://a.example/wiki/Main_Page", "Ada Lovelace", "https://a.example/wiki/Ada_Lovelace"),
    ("https://a.example/w/index.php?title=Main_Page", "A/B: c", "https://a.example/w/index.php?title=A/B:_c"),
    ("https://a.example/wiki/Main_Page", "100% ü?#", "https://a.example/wiki/100%25_%C3%BC%3F%23"),
    ("", "A", None),
    ("https://a.example/wiki/Main_Page", "", None),
]


@pytest.mark.parametrize(("base", "title", "url"), URLS)
def test_the_url_is_made_of_the_sites_and_the_title(base, title, url):
    assert url_of(base, title) == url


LEFT_OUT = {
    "a talk page": (page("Diskussion:A", revision("x"), space="1"), "namespace", "1 (Diskussion)"),
    "an unknown namespace": (page("Portal:A", revision("x"), space="100"), "namespace", "100 (unknown)"),
    "a talk page of an old export": (page("Diskussion:A", revision("x"), space=None), "namespace", "1 (Diskussion)"),
    "a redirect": (page("A", revision("#WEITERLEITUNG [[B]]"), more='<redirect title="B" />'), "redirect page", "to B"),
    "a redirect of an old export": (page("A", revision("#redirect [[B|b]]")), "redirect page", "to B"),
    "no revision": (page("A"), "no text", "the page has no revision"),
    "a deleted text": (page("A", revision("", attributes=' deleted="deleted"')), "no text", "it was deleted"),
    "a stub": (page("A", revision("", attributes=' id="5" bytes="99"')), "no text", "the export has no texts (a stub)"),
    "another model": (page("A", revision("{}", more="<model>json</model>")), "not wikitext", "json"),
    "over the limit": (page("A", revision("x" * 200)), "record too large", "200 characters"),
}


@pytest.mark.parametrize(("bad", "reason", "detail"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_what_is_no_page_has_its_reason_and_the_next_is_read(tmp_path, bad, reason, detail):
    good = page("Good", revision("good"))
    founds = check(lambda start: read(made(tmp_path, good, bad, good), start, Limits(body_bytes=100)), end=3)
    assert texts(founds) == ["good", None, "good"]
    (skip,) = founds[1].skips
    assert (skip.reason, skip.detail, skip.what) == (reason, detail, "record")
    assert skip.url is not None


def test_a_colon_in_a_title_makes_no_namespace(tmp_path):
    (found,) = read(made(tmp_path, page("Aktenzeichen: X", revision("text"), space=None)))
    assert found.record.text == "text"


def test_older_revisions_that_are_redirects_are_so_when_all_are_read(tmp_path):
    pages = page("A", revision("#redirect [[B]]", EARLY, 1), revision("a page again", LATE, 2))
    path = made(tmp_path, pages)
    assert texts(read(path)) == ["a page again"]
    assert [(t, reasons([f])) for t, f in zip(texts(read(path, revisions="all")), read(path, revisions="all"), strict=True)] == [
        (None, ["redirect page"]),
        ("a page again", []),
    ]


def test_files_and_categories_go_by_the_names_the_wiki_has_for_them(tmp_path):
    (found,) = read(made(tmp_path, page("A", revision("a [[Datei:x.jpg|mini|seen]] b [[Kategorie:Leute]] [[file:y.jpg]]"))))
    assert found.record.text == "a\nseen\nb"


def test_an_empty_text_is_a_page(tmp_path):
    (found,) = read(made(tmp_path, page("A", revision("", attributes=' bytes="0"'))))
    assert (found.record.text, found.skips) == ("", ())


DAMAGE = {
    "a tag that is not closed": "<page><title>X</title><revision><text>lost</revision></page>\n",
    "a sign that is none": "<page><title>X & Y</title></page>\n",
    "no UTF-8": None,
    "a page within a page": "<page><title>X</title><revision><text>lost</text></revision>\n",
    "too deep": "<page><title>" + "<b>" * 100 + "</page>\n",
    "an endless tag": '<page><title a="' + "x" * 1_200_000 + "</page>\n",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_behind_damage_reading_goes_on_at_the_next_page(tmp_path, damage):
    good = page("Good", revision("good"))
    path = made(tmp_path, good, DAMAGE[damage] or page("X", revision("@@@")), good, good)
    path.write_bytes(path.read_bytes().replace(b"@@@", b"\xff\xfe"))
    founds = check(lambda start: read(path, start), end=4)
    assert texts(founds) == ["good", None, "good", "good"]
    assert reasons(founds) == ["damaged XML"]
    assert founds[2].record.url == founds[0].record.url  # what the site said of itself still holds


def test_a_file_that_ends_too_early_says_so(tmp_path):
    whole = made(tmp_path, *(page(f"P{n}", revision(f"text {n}")) for n in range(20)))
    cut = tmp_path / "cut.xml"
    cut.write_bytes(whole.read_bytes()[:-1500])
    founds = check(lambda start: read(cut, start))
    assert 0 < len(founds) < 20
    assert founds[-1].skips[0].detail == "the file ends too early; the rest of the file is lost"
    packed = tmp_path / "cut.xml.gz"
    packed.write_bytes(gzip.compress(whole.read_bytes())[:-100])
    last = read(packed)[-1].skips[0]
    assert (last.reason, last.detail[-29:]) == ("damaged compression", "; the rest of the file is lost"[-29:])


REFUSED = {
    "entities": ('<!DOCTYPE m [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><mediawiki><page>&b;</page></mediawiki>', "XML entities"),
    "another root": ("<rss><channel/></rss>", "not a MediaWiki export"),
    "no XML": ("just words", "damaged XML"),
}


@pytest.mark.parametrize(("data", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_export_is_one_thing_left_out(tmp_path, data, reason):
    (tmp_path / "a.xml").write_text(data)
    assert reasons(read(tmp_path / "a.xml")) == [reason]


def test_entities_that_make_gigabytes_of_a_line_make_nothing(tmp_path):
    lines = ['<!ENTITY a0 "ha">', *(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))]
    (tmp_path / "a.xml").write_text(f"<!DOCTYPE m [{''.join(lines)}]><mediawiki><page><title>&a11;</title></page></mediawiki>")
    began = time.thread_time()
    assert reasons(read(tmp_path / "a.xml")) == ["XML entities"]
    assert time.thread_time() - began < 1


def test_an_empty_file_holds_no_page(tmp_path):
    (tmp_path / "a.xml").touch()
    (found,) = read(tmp_path / "a.xml")
    assert (found.length, reasons([found])) == (0, ["empty file"])


def test_an_export_without_pages_holds_nothing(tmp_path):
    assert read(made(tmp_path)) == []


def test_the_wikitext_can_be_had_again(tmp_path):
    path = made(tmp_path, page("A", revision("''one''", EARLY, 1), revision("''two''", LATE, 2)), page("B", revision("three")))
    assert mediawiki.fetch(path, 0, Limits()) == b"''two''"
    assert mediawiki.fetch(path, 1, Limits(), revisions="all") == b"''two''"
    assert mediawiki.fetch(path, 1, Limits()) == b"three"
    with pytest.raises(InputError, match="has no page number 2 any more"):
        mediawiki.fetch(path, 2, Limits())


PIECES = [
    page("A", revision("text")),
    "<page>",
    "</page>",
    "<revision>",
    "<text>",
    "</text>",
    "&amp;",
    "&",
    "<",
    "é",
    "\0",
    "<a b='c'>",
    END,
]


@settings(max_examples=80, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join), st.booleans())
def test_no_export_stops_the_reading_nor_makes_it_go_on_elsewhere(tmp_path_factory, pages, every):
    path = made(tmp_path_factory.mktemp("wiki"), pages)
    check(lambda start: read(path, start, revisions="all" if every else "newest"))
