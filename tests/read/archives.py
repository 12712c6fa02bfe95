"""Small web archives for tests: records of WARC and ARC, and every way they come in files, packed, in zips."""

import gzip
import itertools
import struct
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import lz4.frame
import zstandard

DATE = "2020-01-02T03:04:05Z"
HTML = "Content-Type: text/html\r\n"


def html(name: str) -> bytes:
    return f"<html><title>{name}</title><p>This is {name}.</p></html>".encode()


def http(body: bytes, headers: str = HTML) -> bytes:
    """What a server sent."""
    return f"HTTP/1.1 200 OK\r\n{headers}\r\n".encode() + body


def record(type_="response", url="http://a.example/", block=b"", *, end=b"\r\n", version="1.0", length=None, after=None, **more) -> bytes:
    """Of a WARC. `more`: headers with `_` for `-`; None leaves one out."""
    fields = {
        "WARC-Type": type_,
        "WARC-Target-URI": url,
        "WARC-Date": DATE,
        "WARC-Record-ID": "<urn:uuid:00000000-0000-4000-8000-000000000000>",
        "Content-Type": "application/http; msgtype=response" if type_ == "response" else None,
        "Content-Length": str(len(block) if length is None else length),
    }
    fields |= {name.replace("_", "-"): value for name, value in more.items()}
    lines = [f"WARC/{version}", *(f"{name}: {value}" for name, value in fields.items() if value is not None)]
    head = b"".join(line.encode() + end for line in lines) + end
    return head + block + (end * 2 if after is None else after)


def response(url: str, body: bytes, headers: str = HTML, **more) -> bytes:
    return record("response", url, http(body, headers), **more)


def page(name: str) -> bytes:
    return response(f"http://a.example/{name}", html(name))


def arc(url="http://a.example/", block=b"", *, ip="1.2.3.4", date="20200102030405", type_="text/html", length=None, more="") -> bytes:
    """A record of an ARC; `more` is what version 2 has between type and length."""
    return f"{url} {ip} {date} {type_}{more} {len(block) if length is None else length}\n".encode() + block + b"\n"


def version_block(version=1) -> bytes:
    fields = "Content-type Archive-length" if version == 1 else "Content-type Result-code Checksum Location Offset Filename Archive-length"
    block = f"{version} 0 somebody\nURL IP-address Archive-date {fields}\n".encode()
    more = "" if version == 1 else " 200 - - 0 a.arc"
    return arc("filedesc://a.arc", block, ip="0.0.0.0", type_="text/plain", more=more)


def packed(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def warc_bytes(*records: bytes) -> bytes:
    """Compressed one by one."""
    return b"".join(map(packed, records))


def warc(path: Path, *records: bytes, packed: bool = True) -> list[tuple[int, int]]:
    """Writes them; offset and length of each in the file."""
    members = [warc_bytes(r) if packed else r for r in records]
    path.write_bytes(b"".join(members))
    return places(members)


def places(members: Sequence[bytes]) -> list[tuple[int, int]]:
    """Offset and length of each, one behind the other."""
    ends = list(itertools.accumulate(map(len, members)))
    return [(end - len(member), len(member)) for end, member in zip(ends, members, strict=True)]


def whole(records: list[bytes]) -> list[bytes]:
    return [b"".join(records)]


def anywhere(records: list[bytes], size=100) -> list[bytes]:
    """Cut without regard to records, as bgzip does."""
    all_ = b"".join(records)
    return [all_[at : at + size] for at in range(0, len(all_), size)]


def zstd_frame(data: bytes, dictionary=None) -> bytes:
    return zstandard.ZstdCompressor(dict_data=dictionary, write_checksum=True).compress(data)


def lz4_frame(data: bytes) -> bytes:
    return lz4.frame.compress(data, content_checksum=True)


def stored(data: bytes) -> bytes:
    """A gzip member whose bytes stand in it as they are."""
    made = zlib.compressobj(0, zlib.DEFLATED, 31)
    return made.compress(data) + made.flush()


WORDS = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://\r\nContent-Length: HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" * 4


def with_dictionary(records: list[bytes], compressed=False) -> list[bytes]:
    shared = zstandard.ZstdCompressionDict(WORDS)
    words = zstd_frame(WORDS) if compressed else WORDS
    first = b"\x5d\x2a\x4d\x18" + len(words).to_bytes(4, "little") + words
    return [first, *(zstd_frame(record, shared) for record in records)]


# How records come to be the members of a file, from which it is joined.
BY_RECORD = {
    "plain": list,
    "gzip": lambda records: [packed(r) for r in records],
    "stored gzip": lambda records: [stored(r) for r in records],
    "zstd": lambda records: [zstd_frame(r) for r in records],
    "zstd with dictionary": with_dictionary,
    "zstd with compressed dictionary": lambda records: with_dictionary(records, compressed=True),
    "lz4": lambda records: [lz4_frame(r) for r in records],
}
ENDINGS = {"gzip": ".gz", "stored gzip": ".gz", "zstd": ".zst", "lz4": ".lz4"}
IN_ONE = {
    "one gzip": lambda records: [packed(r) for r in whole(records)],
    "one zstd": lambda records: [zstd_frame(r) for r in whole(records)],
    "one lz4": lambda records: [lz4_frame(r) for r in whole(records)],
    "gzip anywhere": lambda records: [packed(r) for r in anywhere(records)],
    "two records a member": lambda records: [packed(b"".join(records[at : at + 2])) for at in range(0, len(records), 2)],
}
PACKED = BY_RECORD | IN_ONE


def wacz(path: Path, files: Mapping[str, bytes], deflated: bool = False) -> Path:
    def entry(name: str, data: bytes) -> tuple[bytes, int, bytes, int]:
        return (name.encode(), 8, zlib.compress(data, wbits=-15), 0) if deflated else (name.encode(), 0, data, 0)

    return zip_of(path, [entry(name, data) for name, data in files.items()])


def zip_of(path: Path, entries: Sequence[tuple[bytes, int, bytes, int]], begin: Sequence[int] | None = None) -> Path:
    """A zip in which nothing need be true. Of each entry: name, method, bytes as they stand there, flags.

    `begin` is where the directory says they begin.
    """
    members = [b"PK\3\4" + _said(*entry) + entry[0] + entry[2] for entry in entries]
    begins = [offset for offset, _ in places(members)] if begin is None else begin
    directory = b"".join(
        b"PK\1\2" + struct.pack("<H", 20) + _said(*entry) + struct.pack("<3H2L", 0, 0, 0, 0, at) + entry[0]
        for entry, at in zip(entries, begins, strict=True)
    )
    size = sum(map(len, members))
    end = b"PK\5\6" + struct.pack("<4H2LH", 0, 0, len(entries), len(entries), len(directory), size, 0)
    path.write_bytes(b"".join(members) + directory + end)
    return path


def _said(name: bytes, method: int, data: bytes, flags: int) -> bytes:
    """What stands both before the member and in the directory; nobody reads time, checksum and size."""
    return struct.pack("<5H3L2H", 20, flags, method, 0, 33, 0, len(data), len(data), len(name), 0)
