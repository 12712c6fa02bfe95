"""When two URLs are one page, and where a link leads: case by case, and beside a browser's own parser."""

import re
import time
from urllib.parse import quote, unquote

import ada_url
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from unquilt.read.url import LONGEST, Resolver, host_of, normalised, resolved, shown

SAME = [
    ("http://a.example", "http://a.example/"),
    ("HTTP://A.Example/", "http://a.example/"),
    ("  http://a.example/ \n", "http://a.example/"),
    ("\x00http://a.example/\x1f", "http://a.example/"),
    ("ht\ntp://a.exa\tmple/a\r\nb", "http://a.example/ab"),
    ("http://a.example./", "http://a.example/"),
    ("http://a.example../x", "http://a.example/x"),
    ("http://a.example:80/x", "http://a.example/x"),
    ("https://a.example:443/x", "https://a.example/x"),
    ("http://a.example:443/x", "http://a.example:443/x"),
    ("http://a.example:0080/x", "http://a.example/x"),
    ("http://a.example:0/x", "http://a.example:0/x"),
    ("http://a.example:0", "http://a.example:0/"),
    ("ftp://a.example:21/x", "ftp://a.example/x"),
    ("wss://a.example:443/x", "wss://a.example/x"),
    ("http://a.example:/x", "http://a.example/x"),
    ("http://me:secret@a.example/x", "http://a.example/x"),
    ("http://me:sec@ret@a.example/x", "http://a.example/x"),
    ("http://@a.example/x@y", "http://a.example/x@y"),
    ("gemini://me@a.example/x", "gemini://a.example/x"),
    ("view-source:http://me:secret@a.example/", "view-source:http://a.example/"),
    ("http://a.example/x#part", "http://a.example/x"),
    ("http://a.example/x#part?q=1", "http://a.example/x"),
    ("http://a.example?q=1", "http://a.example/?q=1"),
    # hosts
    ("http://B\u00dcCHER.example/", "http://xn--bcher-kva.example/"),
    ("http://XN--BCHER-KVA.example/", "http://xn--bcher-kva.example/"),
    ("http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"),
    ("http://bu\u0308cher.example/", "http://xn--bcher-kva.example/"),
    ("http://stra\u00dfe.example/", "http://xn--strae-oqa.example/"),
    ("http://\uff41\u3002example/", "http://a.example/"),
    ("http://\u2603.example/", "http://xn--n3h.example/"),
    ("http://a_b.example/", "http://a_b.example/"),
    ("http://%41.example/", "http://a.example/"),
    ("http://0x7f.1/", "http://127.0.0.1/"),
    ("http://0177.0.0.01/", "http://127.0.0.1/"),
    ("http://2130706433/", "http://127.0.0.1/"),
    ("http://127.1./", "http://127.0.0.1/"),
    ("http://[2001:DB8::1]:80/", "http://[2001:db8::1]/"),
    ("http://[2001:DB8::1]:8080/", "http://[2001:db8::1]:8080/"),
    ("http://[1:0:0:2:0:0:0:3]/", "http://[1:0:0:2::3]/"),
    ("http://[1:0:0:2:3:0:0:4]/", "http://[1::2:3:0:0:4]/"),
    ("http://[1:0:2:3:4:5:6:0]/", "http://[1:0:2:3:4:5:6:0]/"),
    ("http://[0:0:0:0:0:0:0:0]/", "http://[::]/"),
    ("http://[0:0:0:0:0:0:0:1]/", "http://[::1]/"),
    ("http://[1:0:0:0:0:0:0:0]/", "http://[1::]/"),
    ("http://[10:0:0:100:0:0:0:1]/", "http://[10:0:0:100::1]/"),
    ("http://[::ffff:1.2.3.4]/", "http://[::ffff:102:304]/"),
    # paths
    ("http://a.example/x/../y", "http://a.example/y"),
    ("http://a.example/x/./y/.", "http://a.example/x/y/"),
    ("http://a.example/x/y/..", "http://a.example/x/"),
    ("http://a.example/../../y", "http://a.example/y"),
    ("http://a.example/x/%2e%2E/y", "http://a.example/y"),
    ("http://a.example/x//../y", "http://a.example/x/y"),
    ("http://a.example/?x/../y", "http://a.example/?x/../y"),
    (r"http:\\a.example\x\..\y?\z", "http://a.example/y?%5Cz"),
    ("http:a.example/x", "http://a.example/x"),
    ("http:/a.example/x", "http://a.example/x"),
    ("http:////a.example/x", "http://a.example/x"),
    # escapes
    ("http://a.example/%7Ex", "http://a.example/~x"),
    ("http://a.example/%7ex", "http://a.example/~x"),
    ("http://a.example/%c3%bc", "http://a.example/%C3%BC"),
    ("http://a.example/\u00fc", "http://a.example/%C3%BC"),
    ("http://a.example/%fc", "http://a.example/%FC"),
    ("http://a.example/a b", "http://a.example/a%20b"),
    ("http://a.example/\x00x", "http://a.example/%00x"),
    ("http://a.example/100%", "http://a.example/100%25"),
    ("http://a.example/%zz%4", "http://a.example/%25zz%254"),
    ("http://a.example/%%41B", "http://a.example/%25AB"),
    ("http://a.example/%2541", "http://a.example/%2541"),
    ('http://a.example/"<>^`{|}', "http://a.example/%22%3C%3E%5E%60%7B%7C%7D"),
    ("http://a.example/'?'", "http://a.example/'?%27"),
    ("http://a.example/?a[]=1&b={2}", "http://a.example/?a[]=1&b=%7B2%7D"),
    ("http://a.example/\ud83d\ude00\ud800", "http://a.example/%EF%BF%BD%EF%BF%BD%EF%BF%BD"),
    # other schemes
    ("FILE:///x/../y", "file:///y"),
    ("file:/x", "file:///x"),
    ("file://LocalHost/x", "file:///x"),
    ("file://Server/x", "file://server/x"),
    (r"file://C:\x\y", "file:///C:/x/y"),
    ("gemini://A.Example/x/../y", "gemini://a.example/y"),
    ("URN:ISBN:123#x", "urn:ISBN:123"),
    ("data:text/plain,\u00fc x #y", "data:text/plain,%C3%BC x"),
    ("mailto:a@b.example", "mailto:a@b.example"),
    ("javascript:a('%7e')", "javascript:a('%7e')"),
]
DIFFERENT = [
    "https://a.example/",
    "http://www.a.example/",
    "http://a.example:8080/",
    "http://a.example/X",
    "http://a.example/x",
    "http://a.example/x/",
    "http://a.example/x//y",
    "http://a.example/...",
    "http://a.example/.x",
    "http://a.example/?",
    "http://a.example/?b=1&a=2",
    "http://a.example/?a=2&b=1",
    "http://a.example/?a=2&&b=1",
    "http://a.example/?q=a+b",
    "http://a.example/?q=a%20b",
    "http://a.example/x;p=1",
    "http://a.example/a%2Fb",
    "http://a.example/a%3Fb",
    "http://a.example/(a)",
    "http://a.example/%28a%29",
]
NOT_UNDERSTOOD = [
    "",
    " ",
    "a.example/x",
    "//a.example/x",
    "/x",
    "http:",
    "http://",
    "http://./",
    "http://me@/",
    "http://a b.example/",
    "http://a%20b.example/",
    "http://a\x00.example/",
    "http://\ufffd.example/",
    "http://\xad/",
    "http://\uff05\uff14\uff11/",
    "http://a.example:port/",
    "http://a.example:-1/",
    "http://a.example:\u0661/",
    "http://a.example:65536/",
    "http://a.example:" + "9" * 5000 + "/",
    "http://a.example:80:80/",
    "http://[::1/",
    "http://[::1]x/",
    "http://[::1%25eth0]/",
    "http://[1:2:3]/",
    "http://::1/",
    "http://1.2.3.256/",
    "http://1.2.3.4.5/",
    "http://256.1.1.1/",
    "http://4294967296/",
    "http://a.example.1/",
    "http://1.2.3.08/",
    "http://0xg.0x1/",
    "https://#x",
    "file://a:80/x",
    "file://me@a.example/x",
    "foo://me@/x",
]


@pytest.mark.parametrize(("given", "wanted"), SAME)
def test_the_rules_are_applied(given, wanted):
    assert normalised(given) == wanted
    assert normalised(wanted) == wanted


@pytest.mark.parametrize("url", DIFFERENT)
def test_the_rest_stays_as_it_is(url):
    assert normalised(url) == url


@pytest.mark.parametrize("url", NOT_UNDERSTOOD)
def test_what_is_no_url_is_not_guessed(url):
    assert normalised(url) is None


@pytest.mark.parametrize("url", ["mailto:a@b.example", "urn:isbn:123", "data:,x", "file:///x/y"])
def test_other_schemes_are_kept_and_have_no_host(url):
    assert normalised(url) == url
    assert host_of(url) is None


def test_the_host_is_whole():
    assert host_of("http://www.a.example:8080/") == "www.a.example"
    assert host_of("http://[2001:db8::1]/") == "2001:db8::1"
    assert host_of("http://[2001:db8::1]:81/x:y") == "2001:db8::1"
    assert host_of("file://server/x") == "server"


def test_a_url_may_be_long_but_not_longer():
    longest = "http://a.example/" + "x" * (LONGEST - 17)
    assert normalised(longest) == longest
    assert normalised(longest + "x") is None
    assert normalised("http://a.example/" + "\u00fc" * (LONGEST // 6)) is None
    assert normalised("http://" + "a" * 255 + "/") is not None
    assert normalised("http://" + "a" * 256 + "/") is None


@pytest.mark.parametrize(
    "url",
    [
        "http://me:secret@a.example:port/",
        r"http:\/me:secret@",
        "HTTP:me:secret@ /",
        "//me:sec\nret@[",
        "/\n/me:secret@",
        " http://a/?//me:secret@x",
    ],
)
def test_what_is_said_of_a_broken_url_has_no_password(url):
    assert normalised(url) is None or "?" in url
    assert "secret" not in shown(url)


def test_a_broken_url_without_a_user_is_shown_whole():
    assert shown("http://a.example:port/x?y") == "http://a.example:port/x?y"


# --- beside a browser's parser -------------------------------------------------------------------------


def uniform(href):
    """What the rules want beyond the standard, said once more: of `href` as the standard has it."""
    scheme, authority, path, query = re.fullmatch(r"([a-z]+)://([^/?#]*)([^?#]*)(\?[^#]*)?(?:#.*)?", href, re.DOTALL).groups()
    host, port = re.fullmatch(r"(?:.*@)?(\[.*\]|[^:]*)((?::\d+)?)", authority, re.DOTALL).groups()
    host = host.rstrip(".")
    if not host:
        raise ValueError("a host of dots")
    return f"{scheme}://{host}{port}{escapes(path, chr(39))}{escapes(query or '', '?')}"


def escapes(text, also):
    def one(piece):
        if not re.fullmatch("%[0-9A-Fa-f]{2}", piece):
            return quote(piece, safe="!$&()*+,;=:@/[]" + also)
        letter = unquote(piece, "latin-1")
        return letter if letter.isascii() and (letter.isalnum() or letter in "-._~") else piece.upper()

    return "".join(map(one, re.split("(%[0-9A-Fa-f]{2})", text)))


def browser(url, base=None):
    try:
        return uniform(ada_url.URL(url, base=base).href)
    except ValueError:
        return None


PIECES = [
    *"a B z 0 9 - _ ~ . .. / // /.. /./ ? ?? & = + ; : ! $ ( ) * , @ [ ] ' \" < > \\ ^ ` { | }".split(),
    *"% %% %41 %2e %2E%2e %c3%bc %ZZ %2 %25 %2541 %7e é 中".split(),
    *" \t\n",
]
BEHIND = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
LABEL = st.text("abcXYZ019-_", min_size=1, max_size=6).filter(lambda s: not s.lower().startswith("xn--"))
NAME = st.lists(LABEL | st.sampled_from(["bücher", "ΑΒΓ", "例え", "straße", "faß"]), min_size=1, max_size=4).map(".".join)
NUMBER = st.one_of(
    st.integers(0, 300).map(str), st.integers(0, 2**33).map(str), st.integers(0, 2**16).map(hex), st.integers(0, 300).map("0{:o}".format)
)
IPV4 = st.lists(NUMBER, min_size=1, max_size=5).map(".".join)
IPV6 = st.ip_addresses(v=6).map("[{}]".format) | st.lists(st.sampled_from(["0", "0", "1", "ab", "00", ""]), min_size=3, max_size=9).map(
    lambda groups: f"[{':'.join(groups)}]"
)
HOST = st.one_of(NAME, NAME, IPV4, IPV6)
PORT = st.sampled_from(["", "", ":", ":80", ":443", ":0080", ":8080", ":65536", ":x"])
USER = st.sampled_from(["", "", "", "me@", "me:secret@", "@", "a@b@"])
SLASHES = st.sampled_from(["//", "//", "//", "/", "", "///", "\\\\", "/\\"])
WEB = st.sampled_from(["http:", "https:", "HTTP:", "ftp:", "wss:"])
ABSOLUTE = st.builds(
    "{}{}{}{}{}{}".format, WEB, SLASHES, USER, HOST, PORT, st.just("") | BEHIND.map(lambda s: "/" + s) | BEHIND.map(lambda s: "?" + s)
)
BASE = st.sampled_from(
    [
        "http://h.example/",
        "http://h.example/a/b/c?d=e",
        "https://h.example:81/a//b/",
        "http://[::1]/a/b",
        "ftp://h.example/a/b",
        "http://h.example/?x",
    ]
)
PLAIN = st.sampled_from(
    ["x", "x.html", "/x/y", "/", "?a=b", "//o.example/x", "../x", "../../x/y?z", "https://o.example", "http://o.example/a;b?c=d", "#x", ""]
)
HREF = st.one_of(
    BEHIND, PLAIN, st.builds("{}{}".format, PLAIN, BEHIND), ABSOLUTE, st.builds("{}:{}".format, st.sampled_from(["http", "https"]), BEHIND)
)


@given(ABSOLUTE)
@example("http://1.2.3.4.:80/")
@example("http://a/%2e%2e%2f..")
def test_absolute_urls_are_read_as_browsers_read_them(url):
    assert normalised(url) == browser(url)


@given(BASE, HREF)
@example("http://h.example/a/b", "..x")
@example("http://h.example/a", "a:b")
@example("http://h.example/a", "x?#y")
def test_links_lead_where_browsers_go(base, href):
    wanted = browser(href, base) if re.match("(http|ftp|ws)s?:", ada_or(href, base)) else None
    if wanted is not None and (not href.strip() or wanted.startswith("ws")):
        wanted = None
    assert Resolver(base).target(href) == resolved(base, href) == wanted


def ada_or(href, base):
    try:
        return ada_url.URL(href, base=base).href
    except ValueError:
        return ""


@given(st.text(max_size=40) | st.builds("http://{}/{}".format, st.text(max_size=10), st.text(max_size=10)) | ABSOLUTE)
@example("file:////x/..//y")
@example("data:a #b")
@example("a:b://x@y@z")
@example("http://a.\xad./")
def test_normalising_again_changes_nothing(url):
    once = normalised(url)
    if once is not None:
        assert once.isascii()
        assert normalised(once) == once
        assert (host_of(once) or "").islower() or not re.search("[a-z]", host_of(once) or "")


@given(st.text(st.characters(codec=None), max_size=30), st.text(max_size=30))
def test_no_text_makes_trouble(href, base):
    target = resolved(base, href)
    assert target is None or normalised(target) == target
    assert shown(href) is not None


@pytest.mark.parametrize(
    "url",
    [
        "http://" + "a." * 32_000,
        "http://" + "\u00fc" * 65_000,
        "http://a/" + "/.." * 21_000,
        "http://a/" + "x/../" * 13_000,
        "http://a/" + "%" * 65_000,
        "http://" + "1" * 65_000,
        "http://" + "1." * 32_000,
        "http://" + "@" * 65_000,
        "http://[" + ":" * 65_000,
        "a:" * 32_000 + "//",
        "a-" * 32_000,
        "/" * 65_000,
        "//" * 32_000 + "@",
    ],
    ids=lambda url: url[:14],
)
def test_a_long_hostile_url_takes_no_long_time(url):
    began = time.thread_time()
    normalised(url)
    resolved("http://a.example/", url)
    shown(url)
    assert time.thread_time() - began < 2  # about .2 at most; a square of the length takes half a minute


# --- links ---------------------------------------------------------------------------------------------

PAGE = "https://a.example/b/c/d.html?e=f"
LINKS = [
    ("x.html", "https://a.example/b/c/x.html"),
    ("./x.html", "https://a.example/b/c/x.html"),
    ("../x.html", "https://a.example/b/x.html"),
    ("../../x.html", "https://a.example/x.html"),
    ("../../../x.html", "https://a.example/x.html"),
    ("..", "https://a.example/b/"),
    ("../", "https://a.example/b/"),
    (".", "https://a.example/b/c/"),
    ("/x", "https://a.example/x"),
    ("//o.example", "https://o.example/"),
    ("//o.example/x", "https://o.example/x"),
    ("?x=y", "https://a.example/b/c/d.html?x=y"),
    ("?", "https://a.example/b/c/d.html?"),
    ("#part", "https://a.example/b/c/d.html?e=f"),
    ("https:x", "https://a.example/b/c/x"),
    ("https:/x", "https://a.example/x"),
    ("http:x", "http://x/"),
    (r"\x\y", "https://a.example/x/y"),
    (r"\\o.example\x", "https://o.example/x"),
    ("/x#a?b", "https://a.example/x"),
    ("/x?a:b/c", "https://a.example/x?a:b/c"),
    ("/\u00fc", "https://a.example/%C3%BC"),
    (" /x\n", "https://a.example/x"),
    ("http://o.example", "http://o.example/"),
    ("http://me:secret@o.example:80/x", "http://o.example/x"),
    ("HTTP://O.example/x", "http://o.example/x"),
    ("ftp://o.example/x", "ftp://o.example/x"),
    ("file:///x", "file:///x"),
]
NOWHERE = ["", " ", "javascript:void(0)", "JavaScript:x", " java\nscript:x", "mailto:a@b.example", "tel:+123", "data:,x", "urn:x:y"]
BROKEN = ["about:blank", "wss://o.example/", "app://x/y", "http://", "//", "http://o.example:x/", "//o.example.1/", "x:y"]


@pytest.mark.parametrize(("href", "wanted"), LINKS)
def test_a_link_is_resolved(href, wanted):
    assert resolved(PAGE, href) == wanted


@pytest.mark.parametrize("href", NOWHERE + BROKEN)
def test_a_link_that_leads_to_no_page_leads_nowhere(href):
    assert resolved(PAGE, href) is None


@pytest.mark.parametrize("base", ["https://a.example/w/", "/w/", "../../w/?x", r"\w\x", "//a.example/w/"])
def test_links_start_from_the_base_the_page_names(base):
    target = Resolver(PAGE, base).target
    assert target("x") == "https://a.example/w/x"
    assert target("/x") == "https://a.example/x"


@pytest.mark.parametrize("base", ["", "javascript:x", "data:,x", "http://", "urn:x"])
def test_a_base_that_is_no_place_is_ignored(base):
    assert Resolver(PAGE, base).target("x") == "https://a.example/b/c/x"


@pytest.mark.parametrize("page", [None, "", "urn:x:y", "not a url"])
def test_a_page_without_a_place_has_absolute_links_only(page):
    target = Resolver(page).target
    assert target("http://o.example/x") == "http://o.example/x"
    assert target("HTTP://o.example") == "http://o.example/"
    assert [target(href) for href in ("x", "/x", "//o.example/x", "?x", "#x", "")] == [None] * 6
    assert Resolver(page, "http://o.example/y/").target("x") == "http://o.example/y/x"


def test_a_folder_of_files_has_links_too():
    target = Resolver("file:///pages/a/b.html").target
    assert [target(h) for h in ("c.html", "/d", "../../../e")] == ["file:///pages/a/c.html", "file:///d", "file:///e"]


def test_the_pages_own_scheme_is_followed():
    assert resolved("gemini://a.example/b", "c") == "gemini://a.example/c"
    assert resolved("gemini://a.example/b", "gemini://o.example/c") == "gemini://o.example/c"


def test_queries_are_in_the_pages_encoding_and_paths_are_not():
    target = Resolver("http://a.example/", encoding="windows-1251").target
    assert target("/\u0434?\u0434\u4e2d") == "http://a.example/%D0%B4?%E4%26%2320013%3B"
    assert Resolver("http://a.example/", encoding="no-such").target("?\u0434") == "http://a.example/?%D0%B4"


def test_a_link_of_a_long_url_is_not_too_long():
    page = "http://a.example/" + "x" * 65_000 + "/"
    assert resolved(page, "y") == page + "y"
    assert resolved(page, "y" * 600) is None
