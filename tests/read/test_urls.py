"""When two URLs are one page: the rules of docs/inputs.md, case by case."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unquilt.read.url import host_of, normalised

SAME = [
    ("http://a.example", "http://a.example/"),
    ("HTTP://A.Example/", "http://a.example/"),
    ("  http://a.example/ \n", "http://a.example/"),
    ("http://a.example./", "http://a.example/"),
    ("http://a.example:80/x", "http://a.example/x"),
    ("https://a.example:443/x", "https://a.example/x"),
    ("ftp://a.example:21/x", "ftp://a.example/x"),
    ("http://a.example:/x", "http://a.example/x"),
    ("http://me:secret@a.example/x", "http://a.example/x"),
    ("http://a.example/x#part", "http://a.example/x"),
    ("http://a.example?q=1", "http://a.example/?q=1"),
    ("http://[2001:DB8::1]:80/", "http://[2001:db8::1]/"),
    ("http://B\u00dcCHER.example/", "http://b\u00fccher.example/"),
]
DIFFERENT = [
    "https://a.example/",
    "http://www.a.example/",
    "http://a.example:8080/",
    "http://a.example:443/",
    "http://a.example/X",
    "http://a.example/x",
    "http://a.example/x/",
    "http://a.example/x//y",
    "http://a.example/x/../y",
    "http://a.example/%7Ex",
    "http://a.example/%7ex",
    "http://a.example/~x",
    "http://a.example/?",
    "http://a.example/?b=1&a=2",
    "http://a.example/?a=2&b=1",
    "http://a.example/x;p=1",
    "http://a.example/\u00fc",
    "http://a.example/%C3%BC",
]
NOT_UNDERSTOOD = [
    "",
    " ",
    "a.example/x",
    "//a.example/x",
    "/x",
    "http://a.example/a b",
    "http://a.example/a\tb",
    "http://a.example/a\nb",
    "http://a.example/\x00",
    "http://a.example:port/",
    "http://a.example:99999/",
    "http://[::1/",
    "http:///x",
    "http:x",
    "https://#x",
]


@pytest.mark.parametrize(("given", "wanted"), SAME)
def test_the_rules_are_applied(given, wanted):
    assert normalised(given) == wanted


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


@given(st.text(max_size=40) | st.builds("http://{}/{}".format, st.text(max_size=10), st.text(max_size=10)))
def test_normalising_again_changes_nothing(url):
    once = normalised(url)
    if once is not None:
        assert normalised(once) == once
        assert host_of(once) in (None, host_of(url.strip()))
