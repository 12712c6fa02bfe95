"""Whose host is it? Cases of the Public Suffix List, and what holds for every host."""

import subprocess
import sys
from functools import cache
from pathlib import Path

import ada_url
import publicsuffixlist
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unquilt.read.domain import domain_of
from unquilt.read.url import host_of, normalised

# host, domain, domain where companies' suffixes count
DOMAINS = [
    ("example.com", "example.com", "example.com"),
    ("www.example.com", "example.com", "example.com"),
    ("a.b.c.example.co.uk", "example.co.uk", "example.co.uk"),
    ("a.github.io", "github.io", "a.github.io"),
    ("x.a.github.io", "github.io", "a.github.io"),
    ("github.io", "github.io", "github.io"),
    ("a.blogspot.com", "blogspot.com", "a.blogspot.com"),
    ("WWW.Example.COM", "example.com", "example.com"),
    ("www.example.com.", "example.com", "example.com"),
    # a wildcard (*.ck), its exception (!www.ck), a wildcard with an exception below (*.kawasaki.jp, !city.kawasaki.jp)
    ("x.a.b.ck", "a.b.ck", "a.b.ck"),
    ("b.ck", "b.ck", "b.ck"),
    ("x.www.ck", "www.ck", "www.ck"),
    ("x.y.z.kawasaki.jp", "y.z.kawasaki.jp", "y.z.kawasaki.jp"),
    ("x.city.kawasaki.jp", "city.kawasaki.jp", "city.kawasaki.jp"),
    # beyond ASCII, in both spellings
    ("x.食狮.公司.cn", "xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
    ("x.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
    ("www.Bücher.de", "xn--bcher-kva.de", "xn--bcher-kva.de"),
    # no suffix that anybody knows
    ("a.b.no-such-suffix", "b.no-such-suffix", "b.no-such-suffix"),
    # their own
    ("co.uk", "co.uk", "co.uk"),
    ("com", "com", "com"),
    ("localhost", "localhost", "localhost"),
    ("192.0.2.7", "192.0.2.7", "192.0.2.7"),
    ("0x7f.1", "127.0.0.1", "127.0.0.1"),
    ("2001:DB8::1", "2001:db8::1", "2001:db8::1"),
    ("[2001:db8:0::1]", "2001:db8::1", "2001:db8::1"),
    ("a..b", "a..b", "a..b"),
    # none
    (None, None, None),
    ("", None, None),
    (".", None, None),
    ("a b", None, None),
]


@pytest.mark.parametrize(("host", "domain", "private"), DOMAINS)
def test_a_host_has_a_domain(host, domain, private):
    assert domain_of(host) == domain
    assert domain_of(host, private=True) == private


@cache
def rules(private: bool) -> frozenset[str]:
    """The rules as they are filed, in punycode as a browser spells it."""
    listed = Path(publicsuffixlist.PSLFILE).read_text("utf-8")
    if not private:
        listed = listed.split("===BEGIN PRIVATE DOMAINS===")[0]
    lines = [line.split()[0] for line in listed.splitlines() if line and not line.startswith("//")]
    return frozenset(line if line.isascii() else ada_url.URL(f"http://{line}.x/").hostname.removesuffix(".x") for line in lines)


def by_the_rules(host: str, *, private: bool) -> str:
    """The algorithm as publicsuffix.org states it, label by label."""
    listed, labels = rules(private), host.split(".")
    ends = [".".join(labels[at:]) for at in range(len(labels) + 1)]
    exceptions = [at + 1 for at in range(len(labels)) if "!" + ends[at] in listed]
    matches = [at for at in range(len(labels)) if ends[at] in listed or f"*.{ends[at + 1]}" in listed]
    suffix = (exceptions or matches or [len(labels) - 1])[0]
    return ends[max(suffix - 1, 0)]


@pytest.mark.parametrize("private", [False, True])
def test_every_rule_of_the_list_holds(private):
    hosts = [before + rule.lstrip("!").replace("*", "w") for rule in rules(True) for before in ("", "b.", "a.b.")]
    wrong = [host for host in hosts if domain_of(host, private=private) != by_the_rules(host, private=private)]
    assert len(hosts) > 25_000
    assert not wrong


LABEL = st.text("ab-01ü公", min_size=1, max_size=4)
END = st.sampled_from(["com", "co.uk", "github.io", "ck", "city.kawasaki.jp", "公司.cn", "local", "1", "0x1"])
HOST = st.one_of(
    st.text(max_size=20), st.builds("{}.{}".format, st.lists(LABEL, max_size=4).map(".".join), END), END, st.ip_addresses().map(str)
)


@given(HOST)
def test_a_domain_is_the_end_of_its_host_and_its_own_domain(host):
    for private in (False, True):
        domain = domain_of(host, private=private)
        if domain is not None:
            spelled = host_of(normalised(f"http://[{host}]/" if ":" in host and "[" not in host else f"http://{host}/") or "")
            assert spelled == domain or str(spelled).endswith("." + domain)
            assert domain_of(domain, private=private) == domain


@given(HOST)
def test_companies_suffixes_only_make_domains_longer(host):
    wide, narrow = domain_of(host), domain_of(host, private=True)
    assert (wide is None) == (narrow is None)
    assert wide is None or str(narrow).endswith(wide)


def test_the_list_is_not_read_before_it_is_needed():
    code = "import sys, unquilt.read.domain as d; assert 'publicsuffixlist' not in sys.modules; print(d.domain_of('a.example.com'))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "example.com\n"
