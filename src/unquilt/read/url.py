"""When are two URLs the same? After these rules, written down in docs/inputs.md:

scheme and host in lower case; user name and password dropped; the default port dropped; one trailing dot
of the host dropped; the fragment dropped; an empty path is `/`. The rest stays as it is.
"""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

DEFAULT_PORTS = {"http": 80, "https": 443, "ftp": 21}


def normalised(url: str) -> str | None:
    """The normalised URL; None where it cannot be understood."""
    url = url.strip()
    if any(c.isspace() or ord(c) < 32 for c in url):
        return None
    try:
        parts = urlsplit(url)
        port = parts.port
        host = _host(parts)
    except ValueError:
        return None
    if not parts.scheme or (not host and parts.scheme in DEFAULT_PORTS):
        return None
    if not host:
        return parts.scheme + url[len(parts.scheme) :].partition("#")[0]
    return f"{parts.scheme}://{_authority(parts.scheme, host, port)}{_rest(parts, url)}"


def host_of(url: str) -> str | None:
    """The host of a normalised URL; None for URLs that have none."""
    try:
        return _host(urlsplit(url)) or None
    except ValueError:
        return None


def _host(parts: SplitResult) -> str:
    host = parts.hostname or ""
    return host.removesuffix(".")


def _authority(scheme: str, host: str, port: int | None) -> str:
    name = f"[{host}]" if ":" in host else host
    return name if port is None or port == DEFAULT_PORTS.get(scheme) else f"{name}:{port}"


def _rest(parts: SplitResult, url: str) -> str:
    """Path and query. Python's releases disagree on a `?` with nothing behind it; here it stays, like the rest."""
    query = "?" + parts.query if "?" in url.partition("#")[0] else ""
    return (parts.path or "/") + query
