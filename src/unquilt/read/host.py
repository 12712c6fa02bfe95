"""How is a host spelled? In lower case ASCII: names by UTS 46 and punycode, addresses as numbers.

The mapping of UTS 46 is that of the `idna` package: it follows Unicode, while Python's own codec stopped at Unicode 3.2
and makes `strasse` of `straße`. Left out are its checks of right-to-left labels and of joiners, and what begins with
`xn--` is not looked into: who spells a host so that browsers refuse it still has one host, not two.
"""

from __future__ import annotations

import re
from urllib.parse import unquote_to_bytes

LONGEST = 255
"""Characters. DNS has no longer names; punycode takes time that grows with the square of the length."""

_PLAIN = re.compile(r"(?:[a-z0-9_-]++\.)*+[a-z_-][a-z0-9_-]*+")
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f#%/:<>?@\[\\\]^|]")
_NUMBER = re.compile(r"[0-9]+|0[xX][0-9A-Fa-f]*")


def spelled(host: str) -> str | None:
    """The one spelling of a host, IPv6 in brackets; None for what can be none."""
    if _PLAIN.fullmatch(host) and len(host) <= LONGEST:
        return host
    if host.startswith("["):
        return _ipv6(host)
    name = _ascii(unquote_to_bytes(host.encode("utf-8", "replace")).decode("utf-8", "replace") if "%" in host else host)
    name = name.lower().rstrip(".") if name else None
    if not name or len(name) > LONGEST or _FORBIDDEN.search(name):
        return None
    return _ipv4(name) if _NUMBER.fullmatch(name.rpartition(".")[2]) else name


def _ascii(name: str) -> str | None:
    """UTS 46: mapped, then each label that has something else than ASCII in punycode."""
    if name.isascii():
        return name
    import idna

    try:
        mapped = idna.uts46_remap(name[: LONGEST + 1], std3_rules=False)
    except (idna.IDNAError, UnicodeError):
        return None
    return ".".join(label if label.isascii() else "xn--" + label.encode("punycode").decode("ascii") for label in mapped.split("."))


def _ipv4(name: str) -> str | None:
    """One to four numbers, decimal, octal (0...) or hexadecimal (0x...); the last fills what is left of 32 bits."""
    parts = name.split(".")
    numbers = [_number(part) for part in parts]
    if len(parts) > 4 or None in numbers:
        return None
    *first, last = [n for n in numbers if n is not None]
    if any(n > 255 for n in first) or last >= 256 ** (5 - len(parts)):
        return None
    address = last + sum(n << 8 * (3 - place) for place, n in enumerate(first))
    return ".".join(str(address >> shift & 255) for shift in (24, 16, 8, 0))


def _number(part: str) -> int | None:
    if not _NUMBER.fullmatch(part):
        return None
    if part[:2] in ("0x", "0X"):
        return int(part[2:] or "0", 16)
    if part.startswith("0"):
        return int(part, 8) if not set(part) & set("89") else None
    return int(part)


def _ipv6(host: str) -> str | None:
    """Lower case, the longest row of zeros as `::`, the first of two that are as long."""
    import ipaddress

    try:
        if not host.endswith("]") or "%" in host:
            return None
        address = int(ipaddress.IPv6Address(host[1:-1]))
    except ValueError:
        return None
    pieces = [f"{address >> shift & 0xFFFF:x}" for shift in range(112, -16, -16)]
    rows = re.finditer(r"(?:\b0\b:?){2,}", ":".join(pieces))
    longest = max(rows, key=lambda row: row[0].count("0"), default=None)
    if longest is None:
        return f"[{':'.join(pieces)}]"
    text = ":".join(pieces)
    return f"[{text[: longest.start()].removesuffix(':')}::{text[longest.end() :]}]"
