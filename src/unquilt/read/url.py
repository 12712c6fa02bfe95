"""When are two URLs the same? After these rules, written down in docs/inputs.md:

scheme and host in lower case; user name and password dropped; the default port dropped; one trailing dot
of the host dropped; the fragment dropped; an empty path is `/`. The rest stays as it is.
"""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

DEFAULT_PORTS = {"http": 80, "https": 443, "ftp": 21}


def normalised(url: str) -> str | None:
    """The normalised URL; None where it cannot be understood."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
        host = _host(parts)
    except ValueError:
        return None
    if not parts.scheme or any(c.isspace() or ord(c) < 32 for c in url.strip()):
        return None
    if not host:
        return parts._replace(fragment="").geturl()
    netloc = f"[{host}]" if ":" in host else host
    if port is not None and port != DEFAULT_PORTS.get(parts.scheme):
        netloc += f":{port}"
    return parts._replace(netloc=netloc, fragment="", path=parts.path or "/").geturl()


def host_of(url: str) -> str | None:
    """The host of a normalised URL; None for URLs that have none."""
    try:
        return _host(urlsplit(url)) or None
    except ValueError:
        return None


def _host(parts: SplitResult) -> str:
    host = parts.hostname or ""
    return host[:-1] if host.endswith(".") else host
