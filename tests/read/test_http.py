"""What an archived HTTP message says, and what its body was: case by case, in every coding, whole and broken."""

import gzip
import random
import textwrap
import time
import zlib
from collections.abc import Callable

import brotli
import pytest
import zstandard
from hypothesis import example, given
from hypothesis import strategies as st
from memory import said

from unquilt.read import http, http_coding
from unquilt.read.http import Body, content_type, decoded, parse

LIMIT = 10_000_000
PAGE = b"<!doctype html><title>Words</title>" + b"".join(b"<p>%d and %d" % (i, random.Random(i).getrandbits(40)) for i in range(3000))


def bare(data: bytes) -> bytes:
    coder = zlib.compressobj(wbits=-15)
    return coder.compress(data) + coder.flush()


def small_blocks(data: bytes) -> bytes:
    coder = zstandard.ZstdCompressor(write_checksum=True).compressobj()
    return (
        b"".join(coder.compress(data[i : i + 4096]) + coder.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK) for i in range(0, len(data), 4096))
        + coder.flush()
    )


CODERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "bare deflate": bare,
    "br": brotli.compress,
    "zstd": small_blocks,
}
LABEL = {"bare deflate": "deflate"}
coders = pytest.mark.parametrize("coder", CODERS)


def body_of(body: bytes, *headers: str, limit: int = LIMIT) -> Body:
    head = "\r\n".join(("HTTP/1.1 200 OK", *headers, "", ""))
    return decoded(parse(head.encode() + body), limit)


def labelled(label: str, body: bytes, media_type: str = "text/html", limit: int = LIMIT) -> Body:
    return body_of(body, f"Content-Type: {media_type}", f"Content-Encoding: {label}", limit=limit)


def reasons(body: Body) -> list[str]:
    return [problem.reason for problem in body.problems]


# --- heads


@pytest.mark.parametrize(
    ("block", "status", "headers", "body"),
    [
        (b"HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody", 200, (("a", "b"),), b"body"),
        (b"HTTP/1.0 404 Not Found\nA: b\nC:d\n\nbody", 404, (("a", "b"), ("c", "d")), b"body"),
        (b"HTTP/2 301\r\nLocation:  /x \r\n\r\n", 301, (("location", "/x"),), b""),
        (b"HTTP/1.1 200\r\n\r\nbody", 200, (), b"body"),
        (b"http/1.1 200 ok\r\n\r\nbody", 200, (), b"body"),
        (b"HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\td\r\n\r\nbody", 200, (("a", "b c d"),), b"body"),
        (b"HTTP/1.1 200 OK\r\nA: caf\xc3\xa9\r\nB: caf\xe9\r\n\r\n", 200, (("a", "café"), ("b", "café")), b""),
        (b"HTTP/1.1 200 OK\r\nno header\r\nA: b\r\n\r\nbody", 200, (("a", "b"),), b"body"),
        (b"HTTP/1.1 200 OK\r\nA: b\r\n<html>", 200, (("a", "b"),), b"<html>"),
        (b"HTTP/1.1 200 OK\r\nA: b", 200, (("a", "b"),), b""),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n\r\nbody", 200, (("a", "b"),), b"body"),
        (b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\nbody", 200, (), b"body"),
        (b"HTTP/1.1 100 Continue\r\n\r\nbody", 100, (), b"body"),
        (b"HTTP/1.1 odd\r\nA: b\r\n\r\nbody", None, (("a", "b"),), b"body"),
        (b"A: b\r\nC: d\r\n\r\nbody", None, (("a", "b"), ("c", "d")), b"body"),
        (b":status: 204\r\nA: b\r\n\r\n", 204, ((":status", "204"), ("a", "b")), b""),
        (b"HTTPX/1.1 200 OK\r\nA: b\r\n\r\nbody", 200, (("a", "b"),), b"body"),
        (b"HTTP 200 OK\n\nbody", 200, (), b"body"),
        (b"HTTP is what this text\nis about", None, (), b"HTTP is what this text\nis about"),
        (b"HTTPS, too\n\nis one", None, (), b"HTTPS, too\n\nis one"),
        (b"<html>no head: at all</html>", None, (), b"<html>no head: at all</html>"),
        (b"Text without: a head\nand more\n\nand more", None, (), b"Text without: a head\nand more\n\nand more"),
        (b"", None, (), b""),
    ],
)
def test_what_can_be_read_of_a_head_is_read(block: bytes, status: int | None, headers: tuple[tuple[str, str], ...], body: bytes) -> None:
    message = parse(block)
    assert (message.status, message.headers, message.block[message.body :]) == (status, headers, body)


def test_headers_are_found_by_name_in_any_case_in_order() -> None:
    message = parse(b"HTTP/1.1 200 OK\r\nLink: a\r\nLINK: b\r\n\r\n")
    assert message.all("Link") == ["a", "b"]
    assert (message.first("link"), message.last("link")) == ("a", "b")
    assert (message.all("x"), message.first("x"), message.last("x")) == ([], None, None)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("text/html", ("text/html", None)),
        ("Text/HTML; Charset=UTF-8", ("text/html", "UTF-8")),
        ("text/html;charset='utf-8'", ("text/html", "utf-8")),
        ('text/html; charset="utf\\-8"; x=y', ("text/html", "utf-8")),
        ("text/html; x=y ;charset = koi8-r", ("text/html", "koi8-r")),
        ('text/html; x="; charset=no"; charset=koi8-r', ("text/html", "koi8-r")),
        ("text/html; charset=", ("text/html", None)),
        ("text/html, text/plain", ("text/plain", None)),
        ("text/html; charset=koi8-r, text/html", ("text/html", "koi8-r")),
        ("text/html; charset=koi8-r, text/plain", ("text/plain", None)),
        ("text/html, */*", ("text/html", None)),
        ("html", (None, None)),
        ("", (None, None)),
        (None, (None, None)),
    ],
)
def test_a_content_type_is_a_media_type_and_a_charset(value: str | None, said: tuple[str | None, str | None]) -> None:
    assert content_type(value) == said


def test_of_several_content_types_the_last_that_is_one_counts() -> None:
    assert parse(b"HTTP/1.1 200 OK\nContent-Type: a/b\nContent-Type: text/html;charset=x\nContent-Type: none\n\n").type == (
        "text/html",
        "x",
    )


def test_a_head_of_more_than_a_megabyte_ends_at_its_blank_line() -> None:
    message = parse(b"HTTP/1.1 200 OK\r\nA: b\r\nLong: " + b"x" * 3_000_000 + b"\r\nC: d\r\n\r\n<p>body")
    assert message.first("a") == "b"
    assert message.block[message.body :] == b"<p>body"


# --- chunks


@pytest.mark.parametrize(
    ("body", "data", "problems"),
    [
        (b"5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n", b"hello world", []),
        (b"5\nhello\n0\n\n", b"hello", []),
        (b"0005  \r\nhello\r\n0\r\nTrailer: x\r\n\r\n", b"hello", []),
        (b"A\r\n0123456789\r\n0\r\n", b"0123456789", []),
        (b"5\r\nhello\r\n0\r\n\r\nLink: <x>\r\n\r\n\r\n", b"hello", []),
        (b"5\r\nhello\r\n0\r\n" + b"a: b\r\n" * 40 + b"c", b"hello", ["bytes after the last chunk"]),
        (b"0\r\n\r\n", b"", []),
        (b"", b"", []),
        (b"5\r\nhello\r\n5\r\nwo", b"hellowo", ["truncated chunks"]),
        (b"5\r\nhello\r\n", b"hello", ["truncated chunks"]),
        (b"5\r\nhello\r\nzz\r\nmore", b"hello", ["broken chunks"]),
        (b"5\r\nhello\r\n3\r\nfoolish\r\n0\r\n\r\n", b"hellofoo", ["broken chunks"]),
        (b"5\r\nhello\r\n0\r\n\r\nmore", b"hello", ["bytes after the last chunk"]),
        (b"<p>already without chunks", b"<p>already without chunks", []),
        (b"12 dozen\nof eggs", b"12 dozen\nof eggs", []),
        (b"5\r\nhello world, this is no chunk", b"5\r\nhello world, this is no chunk", []),
        (b"0\r\nis a number, and this a text", b"0\r\nis a number, and this a text", []),
    ],
)
def test_chunks_are_put_together(body: bytes, data: bytes, problems: list[str]) -> None:
    found = body_of(body, "Transfer-Encoding: chunked")
    assert (found.data, reasons(found)) == (data, problems)


def test_chunks_without_a_label_stay() -> None:
    assert body_of(b"5\r\nhello\r\n0\r\n\r\n").data == b"5\r\nhello\r\n0\r\n\r\n"


def test_a_million_chunks_of_one_byte_take_seconds_and_more_are_told() -> None:
    begin = time.process_time()
    found = body_of(b"1\r\nx\r\n" * 1_200_000, "Transfer-Encoding: chunked")
    assert time.process_time() - begin < 5
    assert (len(found.data), reasons(found)) == (1_000_000, ["broken chunks"])


# --- codings


@coders
def test_a_coding_is_undone(coder: str) -> None:
    assert labelled(LABEL.get(coder, coder), CODERS[coder](PAGE)) == Body(PAGE)


@coders
def test_chunks_are_undone_before_a_coding(coder: str) -> None:
    coded = CODERS[coder](PAGE)
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in (coded[:7], coded[7:99], coded[99:])) + b"0\r\n\r\n"
    assert body_of(chunks, f"Content-Encoding: {LABEL.get(coder, coder)}", "Transfer-Encoding: chunked") == Body(PAGE)


@coders
@pytest.mark.parametrize("label", ["gzip", "deflate", "br", "zstd", "x-gzip", "compress", "GZIP, identity"])
def test_a_wrong_label_does_no_harm(coder: str, label: str) -> None:
    assert labelled(label, CODERS[coder](PAGE)) == Body(PAGE)


@pytest.mark.parametrize("label", ["gzip", "deflate", "br", "zstd", "compress", "none", "utf-8", "gzip, br, gzip"])
@pytest.mark.parametrize(
    "body",
    [
        PAGE,
        b"Plain text.",
        b"x",
        b"",
        "Съешь же ещё".encode(),
        "<p>Съешь же ещё</p>".encode("cp1251"),
        "Съешь".encode("koi8-r") * 40,
        PAGE.decode().encode("utf-16"),
    ],
)
def test_a_body_that_the_archive_has_decoded_already_is_taken_as_it_is(label: str, body: bytes) -> None:
    assert labelled(label, body) == Body(body)


@coders
def test_what_was_announced_as_text_is_decompressed_without_a_label(coder: str) -> None:
    assert body_of(CODERS[coder](PAGE), "Content-Type: text/html") == Body(PAGE)


def test_without_any_type_a_page_is_decompressed_and_an_archive_is_not() -> None:
    assert body_of(gzip.compress(PAGE)).data == PAGE
    archive = gzip.compress(b"a,b,c\n" * 99)
    assert body_of(archive) == Body(archive)
    assert body_of(archive, "Content-Type: application/gzip") == Body(archive)


def test_a_picture_labelled_as_compressed_is_taken_as_it_is() -> None:
    picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10"
    assert labelled("gzip", picture, "image/png") == Body(picture)


@pytest.mark.parametrize("label", ["gzip, br", "gzip,br", "x-gzip , BR"])
def test_the_last_coding_is_undone_first(label: str) -> None:
    assert labelled(label, brotli.compress(gzip.compress(PAGE))) == Body(PAGE)
    assert body_of(brotli.compress(gzip.compress(PAGE)), "Content-Encoding: gzip", "Content-Encoding: br").data == PAGE
    assert body_of(brotli.compress(gzip.compress(PAGE)), "Transfer-Encoding: br", "Content-Encoding: gzip").data == PAGE


def test_twice_compressed_and_labelled_once_is_undone_twice() -> None:
    assert labelled("gzip", gzip.compress(gzip.compress(PAGE))) == Body(PAGE)


def test_members_follow_each_other_and_padding_follows_them() -> None:
    halves = PAGE[:5000], PAGE[5000:]
    assert labelled("gzip", b"".join(map(gzip.compress, halves)) + bytes(512)) == Body(PAGE)
    skippable = b"\x50\x2a\x4d\x18\x03\0\0\0abc"
    assert labelled("zstd", skippable.join(map(zstandard.compress, halves))) == Body(PAGE)


@coders
def test_bytes_after_the_end_are_no_harm(coder: str) -> None:
    assert labelled(LABEL.get(coder, coder), CODERS[coder](PAGE) + b"\r\n<!-- served by x -->") == Body(PAGE)


@coders
@pytest.mark.parametrize("share", [0.3, 0.9])
def test_of_a_truncated_body_the_begin_is_kept_and_told(coder: str, share: float) -> None:
    coded = CODERS[coder](PAGE)
    found = labelled(LABEL.get(coder, coder), coded[: int(len(coded) * share)])
    assert PAGE.startswith(found.data)
    assert len(found.data) > (share - 0.2) * len(PAGE)
    assert reasons(found) == ["truncated compression"]


@pytest.mark.parametrize("coder", ["gzip", "deflate", "zstd"])
def test_of_a_damaged_body_what_comes_before_the_damage_is_kept_and_told(coder: str) -> None:
    coded = CODERS[coder](PAGE)
    middle = len(coded) // 2
    found = labelled(coder, coded[:middle] + bytes(64) + coded[middle + 64 :])
    assert reasons(found) in (["damaged compression"], ["truncated compression"])
    assert found.data[: int(len(PAGE) * 0.4)] == PAGE[: int(len(PAGE) * 0.4)]


@pytest.mark.parametrize("label", ["gzip", "br", "zstd", "deflate", "exi"])
def test_bytes_that_are_in_no_coding_are_left_out_and_told(label: str) -> None:
    noise = b"\x1c" + random.Random(3).randbytes(900)
    found = labelled(label, noise)
    assert reasons(found) == ["unknown coding" if label == "exi" else "damaged compression"]
    assert len(found.data) < 9


def test_of_more_codings_than_anybody_needs_eight_are_undone() -> None:
    coded = PAGE
    for _ in range(9):
        coded = gzip.compress(coded)
    found = labelled(", ".join(["gzip"] * 12), coded, "application/octet-stream")
    assert reasons(found) == ["too many codings"]
    assert gzip.decompress(found.data) == PAGE


def test_the_limit_is_kept_and_told() -> None:
    assert body_of(b"0123456789", limit=10) == Body(b"0123456789")
    found = body_of(b"0123456789a", limit=10)
    assert (found.data, found.cut, reasons(found)) == (b"0123456789", True, ["body too large"])


@coders
def test_the_limit_is_kept_in_every_coding(coder: str) -> None:
    found = labelled(LABEL.get(coder, coder), CODERS[coder](PAGE), limit=5000)
    assert (found.data, found.cut, reasons(found)) == (PAGE[:5000], True, ["body too large"])
    assert labelled(LABEL.get(coder, coder), CODERS[coder](PAGE), limit=len(PAGE)) == Body(PAGE)


BOMB = textwrap.dedent("""
    import time, zlib
    from unquilt.read.http import decoded, parse

    label, limit = sys.argv[1], 10_000_000
    def bomb():
        zeros = bytes(1 << 20)
        if label in ("gzip", "deflate"):
            coder = zlib.compressobj(wbits=-15)
            block = coder.compress(zeros) + coder.flush(zlib.Z_FULL_FLUSH)
            return (b"\\x1f\\x8b\\x08\\0\\0\\0\\0\\0\\0\\xff" if label == "gzip" else b"\\x78\\x9c") + block * 1000
        if label == "br":
            import brotli
            coder = brotli.Compressor(quality=1)
            return b"".join(coder.process(zeros) for _ in range(1000)) + coder.finish()
        import zstandard
        # A frame of blocks that repeat one byte 131,072 times, by hand: the compressor would need memory of its own.
        return b"\\x28\\xb5\\x2f\\xfd\\x00\\x38" + b"\\x02\\x00\\x10\\x00" * 8000 + b"\\x03\\x00\\x10\\x00"

    coded = bomb()
    before = peak()
    begin = time.process_time()
    message = parse(b"HTTP/1.1 200 OK\\r\\nContent-Encoding: " + label.encode() + b"\\r\\n\\r\\n" + coded)
    found = decoded(message, limit)
    print(len(coded), len(found.data), found.problems[0].reason, peak() - before, time.process_time() - begin, sep=";")
""")


@pytest.mark.parametrize("label", ["gzip", "deflate", "br", "zstd"])
def test_a_bomb_of_a_gigabyte_costs_the_limit(label: str) -> None:
    coded, data, reason, megabytes, seconds = said(BOMB, label).strip().split(";")
    assert int(coded) < 2_000_000
    assert (int(data), reason) == (LIMIT, "body too large")
    assert int(megabytes) < 100
    assert float(seconds) < 2


@pytest.mark.parametrize("empty", [gzip.compress(b"", mtime=0), zstandard.compress(b"")])
def test_members_without_end_are_given_up(empty: bytes) -> None:
    label = "gzip" if empty.startswith(http_coding.GZIP) else "zstd"
    begin = time.process_time()
    found = labelled(label, empty * 300_000)
    assert time.process_time() - begin < 3
    assert reasons(found) == ["damaged compression"]


def test_a_frame_that_wants_gigabytes_of_window_is_refused() -> None:
    found = labelled("zstd", b"\x28\xb5\x2f\xfd\x00\xa0" + b"\x03\x00\x10\x00")
    assert (found.data, reasons(found)) == (b"", ["damaged compression"])


@pytest.mark.parametrize(
    "headers",
    [
        b"X: y\r\n" * 150_000,  # nobody sends more than a hundred
        b"X: " + b"y" * (1 << 20) + b"\r\n",
        b" folded\r\n" * 100_000,
        b"A: b\r\n" + b" folded\r\n" * 100_000,
        b"Content-Encoding: " + b"gzip," * 200_000 + b"\r\n",
        b"Content-Type: " + b" " * 900_000 + b"x\r\n",
        b"Content-Type: text/html;" + b'a="\\' * 200_000 + b"\r\n",
        b"Transfer-Encoding: chunked\r\n" * 30_000,
        b"\r" * 900_000,
        b"HTTP/1.1 100 Continue\r\n\r\n" * 30_000,
    ],
)
def test_no_head_takes_long(headers: bytes) -> None:
    begin = time.process_time()
    message = parse(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n" + headers + b"\r\n<p>body")
    decoded(message, LIMIT)
    assert message.type is not None
    assert time.process_time() - begin < 1.5


HEADS = st.sampled_from(
    [b"", b"Content-Encoding: gzip\n", b"Content-Encoding: br\n", b"Content-Encoding: zstd,deflate\n", b"Transfer-Encoding: chunked\n"]
)


@given(HEADS, HEADS, st.sampled_from(list(CODERS)), st.binary(max_size=200), st.integers(0, 60), st.binary(max_size=3), st.integers(0, 300))
@example(b"Transfer-Encoding: chunked\n", b"", "gzip", b"", 0, b"0", 0)
def test_any_body_is_decoded_and_the_limit_kept(
    one: bytes, two: bytes, coder: str, data: bytes, cut: int, noise: bytes, limit: int
) -> None:
    coded = CODERS[coder](data)
    message = parse(b"HTTP/1.1 200 OK\n" + one + two + b"\n" + coded[:cut] + noise + coded[cut:])
    found = decoded(message, limit)
    assert len(found.data) <= limit
    assert found.cut == ("body too large" in reasons(found))
    assert found == decoded(message, limit)


@given(st.binary(max_size=300))
@example(b"HTTP/1.1 100\n\nHTTP")
@example(b":status:999\n\n")
def test_any_bytes_are_a_message(block: bytes) -> None:
    message = parse(block)
    assert 0 <= message.body <= len(block)
    assert decoded(message, 100).data is not None


def test_the_kind_is_told_by_the_decoded_body() -> None:
    assert http.kind_of("text/plain", labelled("br", brotli.compress(PAGE)).data) == "html"
