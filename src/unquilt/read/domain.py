"""Who registered a host? Its domain: the part one label longer than the longest public suffix it ends in.

The suffixes are those of the Public Suffix List that `publicsuffixlist` brings along; nothing is fetched. Its private section
(github.io, blogspot.com: suffixes by the will of a company) counts with `private` only. A last label the list does not know
is a suffix, as the list's own rule says. An address is its own domain, and so is what has no domain: a host of one label
(`localhost`) or one that is itself a suffix (`co.uk`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from unquilt.read.host import spelled

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList


@lru_cache(maxsize=1 << 16)
def domain_of(host: str | None, *, private: bool = False) -> str | None:
    """The registrable domain, spelled as in normalised URLs (lower case, punycode, IPv6 without brackets); None for no host."""
    if host is None:
        return None
    name = spelled(f"[{host}]" if ":" in host and not host.startswith("[") else host)
    if name is None:
        return None
    if name.startswith("["):
        return name[1:-1]
    if name.rpartition(".")[2].isdigit():
        return name
    domain: str | None = _suffixes(private).privatesuffix(name)
    return domain or name


@lru_cache(maxsize=2)
def _suffixes(private: bool) -> PublicSuffixList:
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList(only_icann=not private)
