"""Which half of a gold set may rules be made on? The one with `half(url) == 0`; the other is scored once, at the end."""

from __future__ import annotations

import hashlib


def half(url: str) -> int:
    return hashlib.sha256(url.encode()).digest()[0] & 1
