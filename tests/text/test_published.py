"""When was a page published? Each rule on a page of a few lines."""

import time

import pytest

from unquilt.text import html
from unquilt.text.published import dates_of

DAY = 86_400_000_000
NOW = 1_750_000_000_000_000
"""2025-06-15"""
TITLE = "<title>The quick brown fox jumps - Fox News</title>"
H1 = "<h1>The quick brown fox jumps</h1>"
TEXT = "<p>" + "A fox jumped over a dog, and nobody was hurt by it at all, as the neighbours say. " * 20 + "</p>"


def dates(body, url="http://example.com/fox", head="", fetched_at=NOW, lang="en", **how):
    page = html.page(f"<!doctype html><html lang={lang}><head>{TITLE}{head}</head><body>{body}</body></html>".encode())
    return dates_of(page, url, fetched_at=fetched_at, **how)


def counts(*args, **kwargs):
    """Day and source of the date that counts."""
    _, one = dates(*args, **kwargs)
    return (one.day, one.source) if one else None


def day(*args, **kwargs):
    _, one = dates(*args, **kwargs)
    return one.day if one else None


ARTICLE = '{"@type": "NewsArticle", "headline": "The quick brown fox jumps", "datePublished": "2020-02-18"}'
JSON_LD = f'<script type="application/ld+json">{ARTICLE}</script>'


@pytest.mark.parametrize(
    ("head", "body", "source"),
    [
        ('<meta property="article:published_time" content="2020-02-18T10:15:00+01:00">', "", "open graph"),
        ('<meta property="og:article:published_time" content="2020-02-18">', "", "open graph"),
        ('<meta name="DC.date.issued" content="2020-02-18">', "", "meta"),
        ('<meta name="citation_publication_date" content="2020/02/18">', "", "meta"),
        ('<meta name="parsely-pub-date" content="2020-02-18T10:15:00Z">', "", "meta"),
        ('<meta name="pubdate" content="20200218">', "", "meta"),
        ('<meta name="date" content="2020-02-18">', "", "meta"),
        ('<meta name="description" content="A fox jumps. Published on 18 February 2020.">', "", "meta"),
        ('<meta itemprop="datePublished" content="2020-02-18">', "", "microdata"),
        (JSON_LD, "", "json-ld"),
        ("", '<time datetime="2020-02-18T10:15">last week</time>', "time"),
        ("", '<span class="entry-date">18 February 2020</span>', "text"),
        ("", "<div>Posted: 18 February 2020</div>", "text"),
        ("", f"{TEXT}<p>3 May 2019</p><div>Submitted by Fox on Tue, 18 February 2020 - 10:15</div>", "text"),
        ("", "<div>18 February 2020</div>", "text"),
        ("", "<div>Berlin, 18 February 2020</div>", "text"),
    ],
)
def test_a_page_says_its_date_in_many_places(head, body, source):
    assert counts(H1 + body + TEXT, head=head) == ("2020-02-18", source)


@pytest.mark.parametrize(
    "path",
    [
        "2020/02/18/fox",
        "2020-02-18-fox",
        "news/20200218/fox",
        "2020/2/18/fox",
        "fox-18-02-2020.html",
        "fox-2020-02-18",
        "fox_18.02.2020",
        "news/2020/0218/fox",
        "2020_02_18",
    ],
)
def test_the_address_has_a_day(path):
    assert counts(H1 + TEXT, url=f"http://example.com/{path}") == ("2020-02-18", "url")


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/2020/02/fox",
        "http://2020-02-18.example.com/",
        "http://example.com/2020/13/18/",
        "http://example.com/120200218",
        None,
        "",
    ],
)
def test_another_address_has_none(url):
    assert counts(H1 + TEXT, url=url) is None


def test_a_page_without_dates_has_none():
    assert dates("") == ([], None)
    assert dates(H1 + TEXT) == ([], None)


def test_every_date_is_told_with_its_place_and_the_surest_counts():
    found, one = dates(
        H1 + '<time datetime="2020-02-20">on Thursday</time><p>Updated: 21 February 2020</p>' + TEXT,
        url="http://example.com/2020/02/18/fox",
        head='<meta property="article:published_time" content="2020-02-19"><meta property="article:modified_time" content="2020-02-22">',
    )
    assert [(d.source, d.detail, d.found, d.day, d.kind, d.flag) for d in found] == [
        ("url", "path", "2020/02/18", "2020-02-18", "published", None),
        ("open graph", "article:published_time", "2020-02-19", "2020-02-19", "published", None),
        ("open graph", "article:modified_time", "2020-02-22", "2020-02-22", "modified", None),
        ("time", "datetime", "2020-02-20", "2020-02-20", "published", None),
        ("text", "modified", "21 February 2020", "2020-02-21", "modified", None),
    ]
    assert one is found[0]
    assert one.at == 1_581_984_000_000_000


ALL = [
    ("http://example.com/2020/02/01/fox", "", ""),
    ("", '<meta name="pubdate" content="2020-02-02">', ""),
    ("", "", '<time class="published" datetime="2020-02-03">recently</time>'),
    ("", "", '<p class="date">4 February 2020</p>'),
    ("", "", "<p>Written: 5 February 2020</p>"),
    ("", JSON_LD.replace("2020-02-18", "2020-02-06"), ""),
    ("", "", '<meta itemprop="datePublished" content="2020-02-07">'),
    ("", '<meta name="date" content="2020-02-08">', ""),
    ("", "", "<p>9 February 2020</p>"),
]


@pytest.mark.parametrize("first", range(len(ALL)))
def test_of_several_places_the_surest_counts(first):
    url = "".join(u for u, _, _ in ALL[first:])
    head = "".join(h for _, h, _ in ALL[first:])
    body = "".join(b for _, _, b in reversed(ALL[first:]))
    assert day(H1 + body + TEXT, url=url or None, head=head) == f"2020-02-0{first + 1}"


@pytest.mark.parametrize(
    ("value", "flag"),
    [("2031-02-18", "future"), ("2025-06-18", "future"), ("2025-06-16", None), ("1989-12-31", "before 1990"), ("1990-01-01", None)],
)
def test_dates_of_the_future_and_from_before_the_web_are_flagged_and_never_count(value, flag):
    found, one = dates(H1 + TEXT, head=f'<meta name="pubdate" content="{value}">')
    assert [(d.day, d.flag) for d in found] == [(value, flag)]
    assert (one is None) == (flag is not None)


def test_a_flagged_date_leaves_room_for_the_next():
    head = '<meta name="pubdate" content="2031-02-18">'
    assert counts(H1 + '<p class="date">18 February 2020</p>' + TEXT, head=head) == ("2020-02-18", "text")


def test_two_days_after_the_fetch_is_not_yet_the_future():
    head = '<meta name="pubdate" content="2020-02-18">'
    midnight = 1_581_984_000_000_000
    assert dates(H1, head=head, fetched_at=midnight - 2 * DAY)[1] is not None
    assert dates(H1, head=head, fetched_at=midnight - 2 * DAY - 1)[1] is None


def test_without_a_date_of_the_fetch_the_future_begins_now():
    assert dates(H1, head='<meta name="pubdate" content="2020-02-18">', fetched_at=None)[1] is not None
    assert dates(H1, head='<meta name="pubdate" content="2399-02-18">', fetched_at=None)[0][0].flag == "future"


@pytest.mark.parametrize("value", ["2009-03-65", "2023-02-29", "31 April 2020", "20201-02-18", "0000-00-00", "now", ""])
def test_an_impossible_date_is_no_date(value):
    body = f'<time datetime="{value}">{value}</time><meta itemprop="datePublished" content="{value}">'
    head = f'<meta name="pubdate" content="{value}">' + JSON_LD.replace("2020-02-18", value)
    assert dates(H1 + body + TEXT, head=head, url=f"http://example.com/{value.replace(' ', '-')}/") == ([], None)


@pytest.mark.parametrize(
    ("dayfirst", "lang", "url", "wanted"),
    [
        (True, "en-US", "http://example.com/", "2020-03-04"),
        (False, "de", "http://example.de/", "2020-04-03"),
        (None, "en-US", "http://example.com/", "2020-04-03"),
        (None, "en-GB", "http://example.com/", "2020-03-04"),
        (None, "en", "http://example.co.uk/", "2020-03-04"),
        (None, "en", "http://example.us/", "2020-04-03"),
        (None, "en", "http://example.com/", "2020-04-03"),
        (None, "fr", "http://example.com/", "2020-03-04"),
        (None, '""', "http://example.com/", None),
        (None, '""', "http://example.it/", "2020-03-04"),
        (None, '""', "http://example.io/", None),
    ],
)
def test_the_day_of_two_small_numbers_is_as_given_or_as_in_the_language_or_country(dayfirst, lang, url, wanted):
    assert day(H1 + '<p class="date">04/03/2020</p>' + TEXT, lang=lang, url=url, dayfirst=dayfirst) == wanted


def test_a_date_that_can_be_read_in_one_way_only_shows_how_the_page_writes_them():
    body = H1 + '<p class="date">04/03/2020</p>' + TEXT
    assert day(body + "<p>Until 25/12/2020.</p>", lang="en-US") == "2020-03-04"
    assert day(body + "<p>Until 12/25/2020.</p>", lang="de") == "2020-04-03"


def test_a_date_of_change_counts_where_it_is_shown_and_alone():
    assert counts(H1 + "<p>Last updated: 18 February 2020</p>" + TEXT) == ("2020-02-18", "text")
    assert counts(H1 + "<p>Last updated: 18 February 2020</p><p>3 January 2019</p>" + TEXT) == ("2019-01-03", "text")


@pytest.mark.parametrize("name", ["article:modified_time", "og:updated_time", "lastmod", "dcterms.modified", "revised"])
def test_a_date_of_change_that_is_only_declared_never_counts(name):
    found, one = dates(H1 + TEXT, head=f'<meta name="{name}" content="2020-02-18">')
    assert [(d.detail, d.kind) for d in found] == [(name, "modified")]
    assert one is None


@pytest.mark.parametrize(
    "name", ["expires", "article:expiration_time", "event:start_time", "birthdate", "build-date", "copyright-date", "viewport", "x" * 1000]
)
def test_other_properties_date_something_else(name):
    assert dates(H1 + TEXT, head=f'<meta name="{name}" content="2020-02-18">') == ([], None)


@pytest.mark.parametrize(
    "part",
    [
        '<div class="comment"><time datetime="2020-02-18">x</time>Nice! 18 February 2020</div>',
        '<ul class="related-posts"><li>Dogs<br>18 February 2020</li></ul>',
        "<nav>18 February 2020</nav>",
        '<aside class="recent">18 February 2020</aside>',
        "<footer>18 February 2020</footer>",
        '<div class="footer">(c) 18 February 2020</div>',
    ],
)
def test_comments_lists_of_other_pages_and_footers_date_something_else(part):
    assert counts(H1 + TEXT + part) is None


@pytest.mark.parametrize(
    "sentence",
    [
        "The fox was born on 18 February 2020 in a wood near the town.",
        "He died in Berlin, far from home, at noon of 2020-02-18, said the owl.",
    ],
)
def test_a_date_in_a_sentence_of_a_long_text_is_what_the_text_is_about(sentence):
    assert counts(H1 + TEXT.replace("<p>", f"<p>{sentence} ")) is None


def test_a_line_of_a_long_paragraph_may_be_a_date():
    lines = "Changed 3 May 2021<br>Posted 18 February 2020<br>Read by 100 foxes<br>All rights of foxes and others who jump are reserved."
    assert day(f"{H1}{TEXT}<p>{lines}</p>") == "2020-02-18"


def test_hidden_text_has_no_dates():
    assert counts(H1 + '<div style="display:none">18 February 2020</div><script>"18 February 2020"</script>' + TEXT) is None


def test_many_days_far_from_the_heading_are_those_of_other_pages():
    entries = [f"<p>A fox, a dog</p><p>{n} February 2020</p>{TEXT}" for n in (18, 17, 16)]
    assert day(H1 + TEXT + "".join(entries[:1])) == "2020-02-18"
    assert day(H1 + TEXT + "".join(entries)) is None


def test_the_date_next_to_the_heading_goes_before_those_above_it():
    head_of_site = "<div>17 June 2024</div><div>Weather</div><div>News</div><div>Sports</div><div>Foxes</div>"
    assert day(head_of_site + H1 + "<p>18 February 2020</p>" + TEXT) == "2020-02-18"


def test_a_date_in_utc_gives_way_to_the_local_one_beside_it():
    head = '<meta property="article:published_time" content="2020-02-19T02:15:00Z">'
    found, one = dates(H1 + "<p>February 18, 2020</p>" + TEXT, head=head)
    assert (one.day, one.source) == ("2020-02-18", "text")
    assert found[0].day == "2020-02-19"
    assert day(H1 + "<p>February 8, 2020</p>" + TEXT, head=head) == "2020-02-19"


@pytest.mark.parametrize(
    ("url", "lang", "moment", "wanted"),
    [
        ("http://example.jp/fox", "en", "2019-03-12T23:30:00Z", "2019-03-13"),
        ("http://example.com/fox", "ja", "2019-03-12T23:30:00Z", "2019-03-13"),
        ("http://example.de/fox", "en", "2019-03-12T23:00:00Z", "2019-03-13"),
        ("http://example.ca/fox", "fr", "2019-03-12T01:30:00Z", "2019-03-11"),
        ("http://example.com/fox", "en", "2019-03-12T23:30:00Z", "2019-03-12"),
        ("http://example.jp/fox", "ja", "2019-03-12T23:30:00-05:00", "2019-03-12"),
        ("http://example.jp/fox", "ja", "2019-03-12T23:30:00", "2019-03-12"),
    ],
)
def test_a_day_in_utc_is_counted_where_the_page_is_written(url, lang, moment, wanted):
    found, one = dates(H1 + TEXT, url=url, lang=lang, head=f'<meta name="pubdate" content="{moment}">')
    assert one.day == wanted
    assert found == [one]


def test_a_time_without_an_offset_is_in_utc_where_another_place_says_so():
    head = '<meta name="pubdate" content="2020-08-25 00:23">'
    utc = JSON_LD.replace("2020-02-18", "2020-08-25T00:23:33Z")
    assert day(H1 + TEXT, url="http://example.ca/fox", head=head) == "2020-08-25"
    assert day(H1 + TEXT, url="http://example.ca/fox", head=head + utc) == "2020-08-24"


def test_the_address_that_a_page_calls_its_own_has_a_day_too():
    head = '<link rel="canonical" href="http://example.com/2020/02/18/fox">'
    assert counts(H1 + TEXT, head=head) == ("2020-02-18", "url")
    assert day(H1 + TEXT, head=head, url="http://example.com/2020/02/19/fox") == "2020-02-19"
    assert day(H1 + TEXT, head='<meta property="og:url" content="http://example.com/2020/02/18/fox">') == "2020-02-18"


def test_a_frame_beside_the_heading_may_date_the_page_where_nothing_else_does():
    aside = '<aside class="facts"><p>By the fox, who writes on dogs for this paper every other day of the week, never on hens</p>{}</aside>'
    assert counts(H1 + aside.format("<p>18 February 2020</p>") + TEXT) == ("2020-02-18", "text")
    assert counts(H1 + TEXT + aside.format("<p>18 February 2020</p>")) is None


def test_an_element_named_after_dates_may_hold_a_long_line():
    line = f"This entry was filed under {'foxes, dogs, ' * 6}by the editor in chief of all of them, on 18 February 2020"
    assert 100 < len(line) < 200
    assert day(f'{H1}{TEXT}<div class="entry-meta">{line}</div>') == "2020-02-18"
    assert day(f"{H1}{TEXT}<div>{line}</div>") is None


def test_a_date_that_a_list_of_other_pages_says_was_published_counts_where_it_is_the_only_sign():
    entry = '<div class="teaser">Published on {} February 2020</div>'
    assert counts(H1 + TEXT + entry.format(18)) == ("2020-02-18", "text, weak")
    assert counts(H1 + TEXT + entry.format(18) + "<p>3 May 2019</p>") == ("2019-05-03", "text")
    assert counts(H1 + TEXT + entry.format(18) + entry.format(19)) is None


@pytest.mark.parametrize(
    ("line", "lang", "wanted"),
    [
        ("Published 18.02.20", "en", "2020-02-18"),
        ("Published 18-Feb-20", "en", "2020-02-18"),
        ("Erstellt: 18/2/97", "de", "1997-02-18"),
        ('<span class="date">02/18/20</span>', "en-US", "2020-02-18"),
        ("Version 18.02.20", "en", None),
        ("Updated 18.02.20", "en", "2020-02-18"),
        ("Közzétéve: 20.02.18", "hu", None),
        ("Published 18.02.20.4", "en", None),
        ("Published 41.02.20", "en", None),
    ],
)
def test_a_year_of_two_digits_counts_after_a_word_where_there_is_no_other_date(line, lang, wanted):
    assert counts(f"{H1}<p>{line}</p>{TEXT}", lang=lang) == (wanted and (wanted, "text, weak"))
    assert day(f"{H1}<p>{line}</p>{TEXT}<p>3 May 2019</p>", lang=lang) == "2019-05-03"


def test_a_heading_that_ends_with_a_year_lends_it_to_no_date():
    title = "<h1>The quick brown fox jumps in 2021</h1>"
    assert day(title + "<p>18 February 2020</p>" + TEXT) == "2020-02-18"
    assert day(title + "<p>Feb 18, 10:15</p>" + TEXT) is None


def test_the_moment_has_the_offset_and_the_day_is_as_written():
    _, one = dates(H1, head='<meta name="pubdate" content="2020-02-18T23:15:00-05:00">')
    assert (one.day, one.at) == ("2020-02-18", 1_582_085_700_000_000)


def test_an_article_about_something_else_in_json_ld_is_less_worth_than_the_page_s_own():
    other = JSON_LD.replace("The quick brown fox jumps", "Ten ways to wash a dog").replace("2020-02-18", "2019-01-01")
    assert day(H1 + TEXT, head=other + JSON_LD) == "2020-02-18"
    assert day(H1 + TEXT, head=other) == "2019-01-01"


def test_the_picture_s_address_counts_last():
    head = '<meta property="og:image" content="http://example.com/2020/02/18/fox.jpg">'
    assert counts(H1 + TEXT, head=head) == ("2020-02-18", "open graph")
    assert counts(H1 + "<p>19 February 2020</p>" + TEXT, head=head) == ("2020-02-19", "text")


@pytest.mark.parametrize(
    ("lang", "text", "wanted"),
    [
        ("de", "Veröffentlicht am 18. Februar 2020", "2020-02-18"),
        ("fr", "Publié le 18 février 2020 à 10h15", "2020-02-18"),
        ("fr", "Mise en ligne le 18 février 2020, mise à jour le 3 mars 2020", "2020-02-18"),
        ("es", "Publicado el 18 de febrero de 2020", "2020-02-18"),
        ("it", "Pubblicato il 18 febbraio 2020", "2020-02-18"),
        ("ru", "Опубликовано 18 февраля 2020 г.", "2020-02-18"),
        ("ja", "公開日：2020年2月18日", "2020-02-18"),
        ("zh", "发布时间：2020-02-18 10:15", "2020-02-18"),
        ("ko", "입력 2020.02.18. 오전 10:15", "2020-02-18"),
        ("ar", "نشر في ١٨ فبراير ٢٠٢٠", "2020-02-18"),
        ("th", "18 ก.พ. 2563", "2020-02-18"),
        ("hr", "18. listopada 2020", "2020-10-18"),
        ("pl", "18 listopada 2020", "2020-11-18"),
    ],
)
def test_pages_of_many_languages(lang, text, wanted):
    assert day(H1 + f"<p>{text}</p>" + TEXT, lang=lang) == wanted


HOSTILE = {
    "digits": lambda n: "<p>" + "1" * 10 * n,
    "years": lambda n: H1 + "<p>" + "2020 " * 2 * n,
    "times": lambda n: H1 + "<time datetime=2020-02-18>x</time>" * (n // 4),
    "bad times": lambda n: H1 + "<time datetime='2020-2020-2020-2020-2020'>x</time>" * (n // 4),
    "metas": lambda n: "<meta name=date content=2020-02-18>" * (n // 4),
    "titles": lambda n: "<meta property=og:title content='" + "fox " * 70 + "'>" * (n // 40) + "<h2>fox fox fox fox</h2>" * (n // 40),
    "json-ld": lambda n: "<script type=application/ld+json>{'datePublished': \"2020-02-18\"}</script>" * (n // 8),
    "nested json-ld": lambda n: "<script type=application/ld+json>" + "[" * 10 * n + '"datePublished"</script>',
    "names": lambda n: ("<div class='" + "nex rel comme " * 10 + "'>18 Feb 2020") * (n // 20),
    "nested": lambda n: "<div class=comm>" * (n // 2) + "<time datetime=2020-02-18></time>" * (n // 20),
    "headings": lambda n: "<h1>x</h1>" * (n // 2) + "18 Feb 2020",
    "dates": lambda n: H1 + "<p>18 Feb 2020" * n,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_time_grows_no_faster_than_a_hostile_page(kind):
    def seconds(n):
        page = html.page(f"<title>fox fox</title>{HOSTILE[kind](n)}".encode())
        begin = time.process_time()
        found, _ = dates_of(page, "http://example.com/" + "2020-" * n, fetched_at=NOW)
        assert len(found) <= 1100
        return time.process_time() - begin

    seconds(100)
    assert seconds(12_000) < 10 * max(seconds(3_000), 0.02)
