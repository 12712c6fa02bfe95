"""How is a file asked for over http, the whole of it or the rest?"""

from __future__ import annotations

import base64
import http.client
import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from urllib.parse import quote, unquote_to_bytes, urlsplit, urlunsplit

from unquilt.read.remote import PIECE, Failed, Refused, Stream
from unquilt.version import __version__

TEMPORARY = {408, 425, 429, 500, 502, 503, 504, 507, 509, 520, 521, 522, 523, 524}
RANGE = re.compile(r"bytes\s+(\d{1,18})-\d{1,18}/(\d{1,18}|\*)")
BEYOND = 416
ABSENT = (404, 410)
SENT = "%/:;=&?~+!$,'@()*[]|"  # what a URL may hold as it is; spaces and letters beyond ASCII may not


class Http:
    """`mark` is what tells this version of the file from another, so that no two are put together."""

    def __init__(self, url: str, silence: float) -> None:
        self._url, self._user = _without_user(url)
        self._silence = silence
        self._mark: str | None = None

    def opened(self, begin: int, length: int | None = None) -> Stream:
        request = urllib.request.Request(self._url, headers=self._headers(begin, length))  # noqa: S310 - http and https alone come here
        try:
            answer = urllib.request.urlopen(request, timeout=self._silence)  # noqa: S310
        except urllib.error.HTTPError as error:
            with error:
                if error.code == BEYOND and length is not None:
                    return Stream(begin, begin, iter(()))
                if error.code == BEYOND and begin:
                    return self.opened(0)
                if error.code in TEMPORARY:
                    raise Failed(f"HTTP {error.code}", _seconds(error.headers.get("Retry-After"))) from error
                raise Refused(f"HTTP {error.code}", absent=error.code in ABSENT) from error
        except (http.client.InvalidURL, ValueError) as error:
            raise Refused(str(error)) from error
        except (OSError, http.client.HTTPException) as error:
            raise _failed(error) from error
        self._mark = answer.headers.get("ETag") or answer.headers.get("Last-Modified")
        return _stream(answer)

    def _headers(self, begin: int, length: int | None) -> dict[str, str]:
        headers = {"User-Agent": f"unquilt/{__version__}", "Accept-Encoding": "identity", **self._user}
        if begin or length is not None:
            headers["Range"] = f"bytes={begin}-{'' if length is None else begin + length - 1}"
            if self._mark and not self._mark.startswith("W/"):
                headers["If-Range"] = self._mark
        return headers


def _without_user(url: str) -> tuple[str, dict[str, str]]:
    """(URL as it may be sent, the header that says who asks)."""
    parts = urlsplit(url)
    user, _, place = parts.netloc.rpartition("@")
    sent = urlunsplit(parts._replace(netloc=place, path=quote(parts.path, SENT), query=quote(parts.query, SENT), fragment=""))
    known = base64.b64encode(unquote_to_bytes(user)).decode()
    return sent, {"Authorization": f"Basic {known}"} if user else {}


def _stream(answer: http.client.HTTPResponse) -> Stream:
    said = RANGE.match(answer.headers.get("Content-Range") or "") if answer.status == 206 else None
    if said:
        return Stream(int(said[1]), None if said[2] == "*" else int(said[2]), _pieces(answer))
    if answer.status != 200:
        answer.close()
        raise Failed(f"HTTP {answer.status}")
    length = answer.headers.get("Content-Length") or ""
    return Stream(0, int(length) if length.isascii() and length.isdigit() else None, _pieces(answer))


def _pieces(answer: http.client.HTTPResponse) -> Iterator[bytes]:
    with answer:
        while True:
            try:
                piece = answer.read1(PIECE)
            except (OSError, http.client.HTTPException) as error:
                raise _failed(error) from error
            if not piece:
                return
            yield piece


def _failed(error: Exception) -> Failed:
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(cause, TimeoutError):
        return Failed("it fell silent")
    return Failed(str(cause) or type(cause).__name__)


def _seconds(said: str | None) -> float:
    return float(said) if said and said.isascii() and said.isdigit() and len(said) < 6 else 0.0
