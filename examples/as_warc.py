"""How does a crawl of the example web lie in its archive? As WARC 1.1, compressed record by record, in the order of fetching.

A response and its request for every page, and what a crawl brings along: a record about itself, a robots.txt, a redirect,
a page that is gone, a picture, addresses that lead nowhere and answer 200, and a second visit that found nothing new.
Bodies come plain, in chunks or compressed, most in UTF-8.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import struct
import uuid
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import as_html

if TYPE_CHECKING:
    from build import Page, Site

NAME, INDEX = "blogs.warc.gz", "blogs.cdxj"
CRAWL = "urn:uuid:6b1c6f0e-0c4e-4c1a-9d5e-7a1d2f6b3c58"  # ids of records follow from it
SERVER = "examples/1.0"
END = "\r\n"

CHUNKED = "https://fixitshed.example/notes/bicycle-creak"
COMPRESSED = "https://slowrails.example/2022/04/the-night-mail"
IN_WINDOWS_1252 = "https://dorfbote.example/2022/der-brunnen"  # the header says so
IN_GB18030 = "https://shanjing.example/posts/old-well"  # the page says so
VISITED_AGAIN = "https://harbourpost.example/2022/05/13/ferry-bell", "2024-06-04T13:00:00Z"
MOVED = "http://slowrails.example/", "https://slowrails.example/", "2024-06-03T07:59:58Z"
GONE = "https://breadledger.example/2020/first-loaf", "2024-06-03T07:10:00Z"
ROBOTS = "https://lanternsky.example/robots.txt", "2024-06-03T09:59:58Z"
PICTURE = "https://paperfold.example/marbled.png", "2024-06-03T12:10:00Z"
ONE_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="

# Old addresses that other sites still link to; the shed has an answer for all of them.
NOWHERE_HOST = "fixitshed.example"
NOWHERE_TIMES = "2024-06-03T09:10:{:02}Z"
NOWHERE = (
    "toaster-lever umbrella-rib door-chime desk-fan sewing-belt pram-wheel record-arm garden-hose "
    "coffee-mill wall-lamp tin-opener music-box"
)


@dataclass(frozen=True)
class Answer:
    """One request for an address and what came back, with the body as it went over the line."""

    url: str
    fetched: str
    status: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or ""

    @property
    def head(self) -> bytes:
        fields = [("Date", http_date(self.fetched)), ("Server", SERVER), *self.headers]
        return END.join([f"HTTP/1.1 {self.status}", *(f"{name}: {value}" for name, value in fields), END]).encode()

    @property
    def request(self) -> bytes:
        parts = urlsplit(self.url)
        fields = [f"GET {parts.path} HTTP/1.1", f"Host: {self.host}", "User-Agent: example-crawler/1.0", "Accept-Encoding: gzip", END]
        return END.join(fields).encode()

    @property
    def digest(self) -> str:
        return digest_of(self.body)


def archive_of(pages: Iterable[Page], sites: Sequence[Site]) -> bytes:
    by_host = {site.host: site for site in sites}
    answers = [page_answer(page, by_host[urlsplit(page.url).hostname or ""]) for page in pages]
    again = visited_again(answers)
    answers += [*beside_pages(), *nowhere(by_host[NOWHERE_HOST])]
    addresses = {host: f"192.0.2.{number}" for number, host in enumerate(sorted(by_host), 1)}
    records = [about_the_crawl(min(answer.fetched for answer in answers))]
    for answer in sorted(answers, key=lambda answer: (answer.fetched, answer.url)):
        records += records_of(answer, addresses[answer.host])
    records.append(revisit(again, VISITED_AGAIN[1], addresses[again.host]))
    return b"".join(map(member, records))


# --- What was asked for, and what came -------------------------------------------------


def page_answer(page: Page, site: Site) -> Answer:
    charset = {IN_WINDOWS_1252: "windows-1252", IN_GB18030: "gb18030"}.get(page.url, "utf-8")
    header = "" if charset == "gb18030" else f"; charset={charset}"
    body = as_html.html_of(page, site, "" if charset == "windows-1252" else charset).encode(charset)
    modified = [("Last-Modified", http_date(f"{page.date}T18:30:00Z"))] if page.date and site.host == as_html.IN_META else []
    return answer(page.url, page.fetched, body, f"text/html{header}", *modified)


def answer(url: str, fetched: str, body: bytes, type_: str, *more: tuple[str, str], status: str = "200 OK") -> Answer:
    if url == COMPRESSED:
        body, more = stored(body), (*more, ("Content-Encoding", "gzip"))
    length = ("Content-Length", str(len(body)))
    if url == CHUNKED:
        body, length = in_chunks(body), ("Transfer-Encoding", "chunked")
    return Answer(url, fetched, status, (("Content-Type", type_), *more, length), body)


def beside_pages() -> Iterator[Answer]:
    yield answer(*ROBOTS, b"User-agent: *\nDisallow: /drafts/\nCrawl-delay: 7\n", "text/plain")
    yield answer(MOVED[0], MOVED[2], b"", "text/html", ("Location", MOVED[1]), status="301 Moved Permanently")
    gone = b"<!DOCTYPE html>\n<title>Not here</title>\n<p>That loaf is eaten.</p>\n"
    yield answer(*GONE, gone, "text/html; charset=utf-8", status="404 Not Found")
    yield answer(*PICTURE, base64.b64decode(ONE_PIXEL), "image/png")


def nowhere(site: Site) -> Iterator[Answer]:
    for number, name in enumerate(NOWHERE.split()):
        path, fetched = f"/shelf/{name}", NOWHERE_TIMES.format(number)
        body = as_html.not_found(path, site, fetched).encode()
        yield answer(f"https://{site.host}{path}", fetched, body, "text/html; charset=utf-8")


def visited_again(answers: Sequence[Answer]) -> Answer:
    return next(answer for answer in answers if answer.url == VISITED_AGAIN[0])


# --- How it lies in the archive ---------------------------------------------------------


def records_of(answer: Answer, ip: str) -> list[bytes]:
    id_ = id_of("response", answer.url, answer.fetched)
    about = {"WARC-Target-URI": answer.url, "WARC-IP-Address": ip}
    sent = record(
        "response",
        id_,
        answer.fetched,
        answer.head + answer.body,
        "application/http; msgtype=response",
        {**about, "WARC-Payload-Digest": answer.digest},
    )
    asked = id_of("request", answer.url, answer.fetched)
    return [
        sent,
        record(
            "request",
            asked,
            answer.fetched,
            answer.request,
            "application/http; msgtype=request",
            {**about, "WARC-Concurrent-To": f"<{id_}>"},
        ),
    ]


def revisit(first: Answer, fetched: str, ip: str) -> bytes:
    """The same payload once more: only the head of the answer is kept."""
    fields = {
        "WARC-Target-URI": first.url,
        "WARC-IP-Address": ip,
        "WARC-Payload-Digest": first.digest,
        "WARC-Profile": "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
        "WARC-Refers-To": f"<{id_of('response', first.url, first.fetched)}>",
        "WARC-Refers-To-Target-URI": first.url,
        "WARC-Refers-To-Date": first.fetched,
    }
    block = first.head.replace(http_date(first.fetched).encode(), http_date(fetched).encode())
    return record("revisit", id_of("revisit", first.url, fetched), fetched, block, "application/http; msgtype=response", fields)


def about_the_crawl(begun: str) -> bytes:
    said = [
        "software: examples/build.py",
        "format: WARC File Format 1.1",
        "description: The example web of unquilt; no site in it is real",
        "",
    ]
    return record(
        "warcinfo", id_of("warcinfo", "", begun), begun, END.join(said).encode(), "application/warc-fields", {"WARC-Filename": NAME}
    )


def record(type_: str, id_: str, when: str, block: bytes, content_type: str, more: dict[str, str]) -> bytes:
    fields = {"WARC-Type": type_, "WARC-Record-ID": f"<{id_}>", "WARC-Date": when, **more}
    fields |= {"WARC-Block-Digest": digest_of(block), "Content-Type": content_type, "Content-Length": str(len(block))}
    head = END.join(["WARC/1.1", *(f"{name}: {value}" for name, value in fields.items()), END])
    return head.encode() + block + 2 * END.encode()


def id_of(type_: str, url: str, when: str) -> str:
    return uuid.uuid5(uuid.UUID(CRAWL), f"{type_} {when} {url}").urn


def digest_of(data: bytes) -> str:
    return "sha1:" + base64.b32encode(hashlib.sha1(data).digest()).decode()


def http_date(iso: str) -> str:
    """As HTTP writes `2024-06-03T08:00:00Z`, whatever the locale says."""
    when = datetime.fromisoformat(iso)
    day = "Mon Tue Wed Thu Fri Sat Sun".split()[when.weekday()]
    return f"{day}, {when.day:02} {as_html.MONTHS['en'][when.month - 1][:3]} {when:%Y %H:%M:%S} GMT"


# --- Bytes ------------------------------------------------------------------------------


def member(data: bytes) -> bytes:
    """A gzip member without a time, a name or a system in its head."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return as_gzip(packer.compress(data) + packer.flush(), data)


def stored(data: bytes) -> bytes:
    """A gzip member that is not compressed, so that its bytes are the same whichever zlib wrote it."""
    return as_gzip(struct.pack("<BHH", 1, len(data), len(data) ^ 0xFFFF) + data, data)


def as_gzip(packed: bytes, data: bytes) -> bytes:
    head = struct.pack("<2sBBIBB", b"\x1f\x8b", 8, 0, 0, 0, 255)
    return head + packed + struct.pack("<II", zlib.crc32(data), len(data))


def in_chunks(body: bytes, size: int = 700) -> bytes:
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in [*pieces, b""])


def members_of(archive: bytes) -> Iterator[tuple[int, bytes]]:
    """Where each member begins, and the record in it."""
    left = archive
    while left:
        packer = zlib.decompressobj(zlib.MAX_WBITS | 16)
        data = packer.decompress(left)
        if not packer.eof:
            raise zlib.error("the last record is cut off")
        yield len(archive) - len(left), data
        left = packer.unused_data


# --- Where each capture lies --------------------------------------------------------------


def index_of(archive: bytes) -> bytes:
    """A line of CDXJ for each response and revisit, by host and time as crawlers sort them."""
    places = [*members_of(archive), (len(archive), b"")]
    rows = (row_of(data, at, end - at) for (at, data), (end, _) in pairwise(places))
    return "".join(sorted(row + "\n" for row in rows if row)).encode()


def row_of(data: bytes, offset: int, length: int) -> str:
    head, _, block = data.partition(b"\r\n\r\n")
    fields = dict(line.split(": ", 1) for line in head.decode().splitlines() if ": " in line)
    if fields["WARC-Type"] not in ("response", "revisit"):
        return ""
    url = fields["WARC-Target-URI"]
    parts = urlsplit(url)
    key = f"{','.join(reversed((parts.hostname or '').split('.')))}){parts.path}"
    visit = fields["WARC-Type"] == "revisit"
    said = {
        "url": url,
        "mime": "warc/revisit" if visit else block.split(b"Content-Type: ", 1)[1].split(b"\r\n")[0].partition(b";")[0].decode(),
        "status": block.split(b" ", 2)[1].decode(),
        "digest": fields["WARC-Payload-Digest"],
        "length": str(length),
        "offset": str(offset),
        "filename": NAME,
    }
    return f"{key} {re.sub('[^0-9]', '', fields['WARC-Date'])} {json.dumps(said)}"
