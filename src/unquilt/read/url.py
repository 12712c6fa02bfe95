r"""When are two URLs the same? After these rules: those of the WHATWG URL standard, but where they say otherwise.

- White space and control characters around the URL, and tabs and line ends anywhere in it, are taken out. Fragments are off.
- Scheme and host are in lower case; the default port (http and ws 80, https and wss 443, ftp 21) is dropped.
- User name and password are dropped, also those of a URL within one (`view-source:http://me:secret@a.example/`).
- Hosts: escapes are decoded; UTS 46 mapping and punycode beyond ASCII; dots at the end are dropped (the standard keeps them);
  an IPv4 address is four decimal numbers, also where it was written 0x7f.1 or 2130706433; an IPv6 address is in its shortest
  form, lower case, in brackets. A name with a number as its last label that is no address, one of more than 255 characters and
  one with a forbidden character are not understood. This holds for all schemes (in the standard for six).
- Path and query: dot segments are resolved, also `%2E`; an empty path is `/`; a `?` with nothing behind it stays; the query
  keeps its order; slashes are not merged.
- Escapes (the standard leaves them alone): in capitals (`%C3`); letters, digits and `-._~` are never escaped; a `%` that begins
  no escape is `%25`, or it might become part of one; what RFC 3986 has no place for (controls, the space, `"<>\^{|}` and the
  backquote, and in UTF-8 all that is not ASCII) is always escaped, and `'` in a query. All other characters stay as written.
- In http, https, ws, wss, ftp and file, `\` before the query is `/`; after `http:` there may be any number of slashes.
- file: three slashes, for `localhost` is dropped; another host stays.
- URLs without a host (urn:, data:, mailto:, javascript:) stay as they are, but for the scheme's case and what is not ASCII.
- Not understood are URLs without a scheme and those of more than 64 KB, as given or normalised.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache, partial
from urllib.parse import quote

from unquilt.read.host import spelled

DEFAULT_PORTS = {"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21"}
SPECIAL = {*DEFAULT_PORTS, "file"}
LONGEST = 64 << 10
FOLLOWED = ("http", "https", "ftp", "file")
"""Schemes of links that lead to a page, beside that of the page they are on."""

_UNRESERVED = r"A-Za-z0-9._~\-"
_SEGMENT = _UNRESERVED + r"!$&'()*+,;=:@\[\]"
_QUERY = _UNRESERVED + r"!$&()*+,;=:@/?\[\]"
_IN_PATH = re.compile(rf"%([0-9A-Fa-f]{{2}})|[^/{_SEGMENT}]")
_IN_QUERY = re.compile(rf"%([0-9A-Fa-f]{{2}})|[^{_QUERY}]")
_ESCAPED_LETTER = re.compile(rf"[{_UNRESERVED}]")

_AROUND = "".join(map(chr, range(0x21)))
_BREAKS = str.maketrans("", "", "\t\n\r")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*+):")
_PARTS = re.compile(r"([a-z][a-z0-9+.\-]*+)://([^/?#]*+)([^?#]*+)(\?[^#]*+)?")
_WITHIN = re.compile(r"\A((?:[A-Za-z][A-Za-z0-9+.\-]*+:)++[/\\]{2})[^/\\?#]*@")
_ANY_USER = re.compile(r"([/\\]{2}|\A[A-Za-z][A-Za-z0-9+.\-]*+:[/\\]*+)[^/\\?#]*@")
_OPAQUE = re.compile(r"[^\x20-\x7e]")
_DRIVE = re.compile(r"[A-Za-z]:")

# What is already as the rules want it, and therefore needs no work: a host that ends in a name, without port or user; paths
# without `/.`; escapes of what needs one. Each kind of link is a group of its own, so that `lastindex` says which one it is.
_NEEDED = r"%(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|[46]0|5[B-E]|7[BCDF])"
_HOST = r"(?:[a-z0-9\-]++\.)*+[a-z][a-z0-9\-]*+"
_NAME = rf"[{_SEGMENT}]*+(?:{_NEEDED}[{_SEGMENT}]*+)*+"
_PATH = rf"(?:/(?!\.){_NAME})"
_REST = rf"(?:\?[{_QUERY}]*+(?:{_NEEDED}[{_QUERY}]*+)*+)"
_PLAIN = re.compile(
    rf"(?:(https?://{_HOST}{_PATH}++{_REST}?+)|(https?://{_HOST}(?![^#]))|(//{_HOST}{_PATH}++{_REST}?+)|(/(?![/.]){_NAME}{_PATH}*+{_REST}?+)"
    rf"|((?!\.)[{_SEGMENT.replace(':', '')}]++{_PATH}*+{_REST}?+)|({_REST})"
    rf"|\.\./((?!\.)[{_SEGMENT}]*+{_PATH}*+{_REST}?+)|\.\./\.\./((?!\.)[{_SEGMENT}]*+{_PATH}*+{_REST}?+))?+(?:#.*+)?+",
    re.DOTALL,
)
_NOWHERE = re.compile(r"(?:javascript|mailto|tel|data):", re.IGNORECASE)
_ABSOLUTE, _BARE = 1, 2
_PLAIN_LENGTH = 255


def normalised(url: str) -> str | None:
    """The normalised URL, always ASCII; None where it cannot be understood."""
    return _resolved(url, None)


def host_of(url: str) -> str | None:
    """The host of a normalised URL, IPv6 without brackets; None for URLs that have none."""
    match = _PARTS.match(url)
    if match is None:
        return None
    host = match[2].rpartition("@")[2]
    return (host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]) or None


def resolved(base: str, href: str) -> str | None:
    """Where a link on the page `base` leads; see Resolver."""
    return _resolver(base).target(href)


def shown(url: str) -> str:
    """A URL that was not understood, for a message: without user name and password."""
    return _ANY_USER.sub(r"\1", url.strip(_AROUND).translate(_BREAKS))


class Resolver:
    """Where the links of one page lead: `url` is the page's, `base` what its <base href> says.

    `encoding` is the page's: browsers write queries in it.
    """

    def __init__(self, url: str | None, base: str | None = None, encoding: str = "utf-8") -> None:
        page = _parts(normalised(url) or "") if url else None
        said = _resolved(base, page) if base else None
        self._base = (_parts(said) if said else None) or page
        self._encoding = encoding
        self._schemes = FOLLOWED if self._base is None else (*FOLLOWED, self._base.scheme)
        self._before = self._base.before() if self._base is not None else None

    def target(self, href: str) -> str | None:
        """The normalised URL; None for what is empty or broken, and for what is no place (javascript:, mailto:, tel:, data:)."""
        if self._before is not None and len(href) <= _PLAIN_LENGTH:
            match = _PLAIN.fullmatch(href)
            if match is not None and href:
                kind = match.lastindex or 0
                plain: str = self._before[kind] + match[kind] if kind else self._before[0]
                return plain + "/" if kind == _BARE else plain
        if not href.strip(_AROUND) or _NOWHERE.match(href):
            return None
        target = _resolved(href, self._base, self._encoding)
        scheme, _, rest = (target or "").partition(":")
        return target if rest.startswith("//") and scheme in self._schemes else None


@dataclass(frozen=True, slots=True)
class _Parts:
    """A normalised URL that has a place for a host. The authority of file: may be empty; the query begins with its `?`."""

    scheme: str
    authority: str
    path: str
    query: str

    def __str__(self) -> str:
        return f"{self.scheme}://{self.authority}{self.path}{self.query}"

    def directory(self) -> str:
        return self.path[: self.path.rindex("/") + 1]

    def before(self) -> tuple[str, ...] | None:
        """What stands before each kind of plain link; None where links are not taken to be plain."""
        if self.scheme not in ("http", "https") or len(self.path) > LONGEST // 2 or len(self.query) > LONGEST // 4:
            return None
        origin = f"{self.scheme}://{self.authority}"
        here = self.directory()
        above = here[: here.rfind("/", 0, -1) + 1] or "/"
        return (
            str(self),
            "",
            "",
            self.scheme + ":",
            origin,
            origin + here,
            origin + self.path,
            origin + above,
            origin + (above[: above.rfind("/", 0, -1) + 1] or "/"),
        )


@lru_cache(maxsize=256)
def _resolver(base: str) -> Resolver:
    return Resolver(base)


def _parts(url: str) -> _Parts | None:
    match = _PARTS.fullmatch(url)
    return _Parts(match[1], match[2], match[3], match[4] or "") if match else None


def _resolved(url: str, base: _Parts | None, encoding: str = "utf-8") -> str | None:
    if len(url) <= _PLAIN_LENGTH and (match := _PLAIN.fullmatch(url)) is not None and match.lastindex == _ABSOLUTE:
        return match[_ABSOLUTE]
    if len(url) > LONGEST:
        return None
    text = _SURROGATE.sub("\ufffd", url.strip(_AROUND).translate(_BREAKS).partition("#")[0])
    match = _SCHEME.match(text)
    if match is None:
        found = _relative(base, text, encoding) if base is not None else None
    else:
        scheme, rest = match[1].lower(), text[match.end() :]
        if base is not None and scheme == base.scheme and scheme in SPECIAL and rest[:2].replace("\\", "/") != "//":
            found = _relative(base, rest, encoding)
        else:
            found = _absolute(scheme, rest, encoding)
    return found if found is not None and len(found) <= LONGEST else None


def _relative(base: _Parts, text: str, encoding: str) -> str | None:
    before, mark, query = text.partition("?")
    if base.scheme in SPECIAL:
        before = before.replace("\\", "/")
    if before.startswith("//"):
        return _absolute(base.scheme, before + mark + query, encoding)
    if not before:
        return f"{base.scheme}://{base.authority}{base.path}{_query(mark + query, encoding) if mark else base.query}"
    path = before if before.startswith("/") else base.directory() + before
    return f"{base.scheme}://{base.authority}{_path(path)}{_query(mark + query, encoding)}"


def _absolute(scheme: str, rest: str, encoding: str) -> str | None:
    before, mark, query = rest.partition("?")
    if scheme in SPECIAL:
        before = before.replace("\\", "/")
    if scheme == "file":
        authority, path = _file(before)
    elif scheme in SPECIAL or (before.startswith("//") and before[2:3] not in ("", "/")):
        name, slash, behind = before.lstrip("/").partition("/")
        authority, path = _authority(scheme, name), slash + behind
    else:
        return _opaque(f"{scheme}:{rest}")
    return None if authority is None else f"{scheme}://{authority}{_path(path)}{_query(mark + query, encoding)}"


def _file(before: str) -> tuple[str | None, str]:
    """Host and path of a file: URL; people write `file://C:/x` for `file:///C:/x`."""
    if not before.startswith("//"):
        return "", before if before.startswith("/") else "/" + before
    name, slash, behind = before[2:].partition("/")
    if _DRIVE.fullmatch(name):
        return "", f"/{name}{slash}{behind}"
    host = spelled(name) if name else ""
    return "" if host == "localhost" else host, slash + behind


def _authority(scheme: str, authority: str) -> str | None:
    """Host and port, without user name and password."""
    place = authority.rpartition("@")[2]
    end = place.find(":", place.find("]") + 1 if place.startswith("[") else 0)
    name, port = (place, "") if end < 0 else (place[:end], place[end + 1 :])
    host = spelled(name)
    if host is None or (port and not (port.isascii() and port.isdigit())):
        return None
    number = port.lstrip("0") or port[:1]
    if len(number) > 5 or int(number or 0) > 0xFFFF:
        return None
    return host if number in ("", DEFAULT_PORTS.get(scheme)) else f"{host}:{number}"


def _opaque(url: str) -> str:
    return _OPAQUE.sub(_quoted, _WITHIN.sub(r"\1", url.rstrip(_AROUND), count=1))


def _path(path: str) -> str:
    path = _IN_PATH.sub(_escaped, path)
    return _without_dots(path) if "/." in path else path or "/"


def _without_dots(path: str) -> str:
    *segments, last = path.split("/")[1:]
    kept: list[str] = []
    for segment in (*segments, last):
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    return "/" + "/".join(kept if last not in (".", "..") else [*kept, ""])


def _query(query: str, encoding: str) -> str:
    """With its `?`; "" where there is none."""
    if not query:
        return ""
    call = _escaped if encoding == "utf-8" else partial(_escaped, encoding=encoding)
    return "?" + _IN_QUERY.sub(call, query[1:])


def _escaped(match: re.Match[str], encoding: str = "utf-8") -> str:
    if match[1] is None:
        return _quoted(match, encoding)
    letter = chr(int(match[1], 16))
    return letter if _ESCAPED_LETTER.fullmatch(letter) else match[0].upper()


def _quoted(match: re.Match[str], encoding: str = "utf-8") -> str:
    try:
        return quote(match[0], safe="", encoding=encoding, errors="xmlcharrefreplace")
    except LookupError:
        return quote(match[0], safe="")
