"""What can be said of inputs beside the names of fields?

Each kind of input takes what concerns it (`Kind.takes`); what concerns pages goes with them, wherever they come from.
"""

from __future__ import annotations

from dataclasses import dataclass

from unquilt.errors import UsageError
from unquilt.read.record import Limits
from unquilt.read.url import normalised, shown

REVISIONS = ("newest", "all")
NOINDEX = ("keep", "skip")
SAME_URL = ("keep", "newest")
LEAST_BODY = 1000


@dataclass(frozen=True)
class Options:
    base_url: str | None = None
    """Where the files of a folder stood: URL of the folder itself."""
    revisions: str = "newest"
    """Of a MediaWiki export: the newest revision of each page, or all of them."""
    warc_root: str | None = None
    """The folder or URL an index's file names are relative to; None: the folder the index is in."""
    dayfirst: bool | None = None
    """How 3/4/2009 in a page is meant; None: as its language and country have it."""
    noindex: str = "keep"
    """Pages that ask robots not to index them."""
    same_url: str = "keep"
    """Of records that have ids of their own and one URL: "keep" all of them as pages, or the "newest" alone."""

    max_body: int = Limits.body_bytes
    """Bytes of a page's HTML or of a response's body, unpacked, that are read; the rest is left out."""

    def check(self) -> None:
        if not LEAST_BODY <= self.max_body <= Limits.record_bytes:
            raise UsageError(f"max_body={self.max_body:,} is out of range; give {LEAST_BODY:,} to {Limits.record_bytes:,} bytes")
        if self.base_url is not None and not (normalised(self.base_url) or "").startswith(("http://", "https://", "ftp://", "file://")):
            raise UsageError(f"`{shown(self.base_url)}` is no URL of a folder; write --base-url like https://news.example/archive/")
        for name, choices in (("revisions", REVISIONS), ("noindex", NOINDEX), ("same_url", SAME_URL)):
            if getattr(self, name) not in choices:
                raise UsageError(f"{name}={getattr(self, name)!r} is out of range; give one of {', '.join(choices)}")
