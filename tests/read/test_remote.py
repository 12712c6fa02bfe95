"""Files that lie elsewhere: fetched from servers that fail, break off, fall silent and ignore what they are asked, or told why not."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from archives import page, warc_bytes

from unquilt.errors import InputError, UsageError
from unquilt.read import Fields, brought, readers_for, remote
from unquilt.read.remote import Patience, fetched
from unquilt.watch import Watch

pytestmark = pytest.mark.loopback
DATA = bytes(range(256)) * 2000
HASTE = Patience(tries=3, wait=0.01, silence=0.3, longest=0.05)


@dataclass
class Server:
    """`answers[n]` is the answer to request n, the last one to all that follow; `asked` holds the headers of each."""

    url: str
    answers: list[Callable[[Any, int], None]] = field(default_factory=list)
    asked: list[Any] = field(default_factory=list)


@pytest.fixture
def server() -> Iterator[Server]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            made.asked.append(self.headers)
            said = self.headers.get("Range", "bytes=0-")
            answer = made.answers[min(len(made.asked), len(made.answers)) - 1]
            with suppress(ConnectionError):
                answer(self, int(said[len("bytes=") : -1]))
            self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        running.daemon_threads = True
        made = Server(f"http://127.0.0.1:{running.server_address[1]}/a.warc.gz")
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield made
        running.shutdown()
        thread.join()


def send(to: Any, status: int, headers: dict[str, object], body: bytes = b"") -> None:
    to.send_response(status)
    for name, value in headers.items():
        to.send_header(name, str(value))
    to.end_headers()
    to.wfile.write(body)


def whole(to: Any, begin: int) -> None:
    """A server that ignores Range."""
    send(to, 200, {"Content-Length": len(DATA)}, DATA)


def rest(to: Any, begin: int) -> None:
    said = f"bytes {begin}-{len(DATA) - 1}/{len(DATA)}"
    send(to, 206, {"Content-Length": len(DATA) - begin, "Content-Range": said}, DATA[begin:])


def breaks_off(after: int, answer: str = "whole", **headers: object) -> Callable[[Any, int], None]:
    def cut(to: Any, begin: int) -> None:
        if answer == "whole":
            send(to, 200, {"Content-Length": len(DATA), **headers}, DATA[:after])
        else:
            said = {"Content-Length": len(DATA) - begin, "Content-Range": f"bytes {begin}-{len(DATA) - 1}/{len(DATA)}"}
            send(to, 206, said, DATA[begin : begin + after])

    return cut


def stalls(to: Any, begin: int) -> None:
    send(to, 200, {"Content-Length": len(DATA)}, DATA[:1000])
    time.sleep(0.6)


def fails(status: int, **headers: object) -> Callable[[Any, int], None]:
    return lambda to, begin: send(to, status, headers)


def silent(to: Any, begin: int) -> None:
    time.sleep(0.6)


def fetch(server: Server, *answers: Callable[[Any, int], None], folder: Path, watch: Watch | None = None) -> bytes:
    server.answers[:] = answers
    return fetched(server.url, folder / "a", watch or Watch(), HASTE).read_bytes()


def test_a_file_is_fetched(server: Server, tmp_path: Path) -> None:
    assert fetch(server, whole, folder=tmp_path) == DATA
    assert server.asked[0]["Accept-Encoding"] == "identity"


def test_what_broke_off_goes_on_where_it_was(server: Server, tmp_path: Path) -> None:
    assert fetch(server, breaks_off(1000), rest, folder=tmp_path) == DATA
    assert server.asked[1]["Range"] == "bytes=1000-"


def test_a_server_that_ignores_range_begins_anew(server: Server, tmp_path: Path) -> None:
    assert fetch(server, breaks_off(1000), whole, folder=tmp_path) == DATA
    assert server.asked[1]["Range"] == "bytes=1000-"


def test_what_breaks_off_often_but_goes_on_arrives(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "WORTH", 50_000)
    assert fetch(server, breaks_off(50_000), breaks_off(50_000, "rest"), folder=tmp_path) == DATA
    assert len(server.asked) == -(-len(DATA) // 50_000)


AGAIN = {
    "HTTP 503": fails(503),
    "HTTP 429": fails(429, **{"Retry-After": 0}),
    "HTTP 500": fails(500),
    "a stall": stalls,
    "silence": silent,
    "no answer": lambda to, begin: None,
    "words that are no HTTP": lambda to, begin: to.wfile.write(b"hello\r\n\r\n"),
    "another part than asked for": lambda to, begin: send(to, 206, {"Content-Range": "bytes 7-9/10"}, b"xxx"),
    "too little": breaks_off(10),
    "chunks that end early": lambda to, begin: send(to, 200, {"Transfer-Encoding": "chunked"}, b"ff\r\nabc"),
}


@pytest.mark.parametrize("answer", AGAIN.values(), ids=AGAIN)
def test_a_server_that_fails_is_asked_again(server: Server, tmp_path: Path, answer: Callable[[Any, int], None]) -> None:
    assert fetch(server, answer, whole, folder=tmp_path) == DATA


@pytest.mark.parametrize("answer", [fails(503), breaks_off(1000), lambda to, begin: None], ids=["fails", "ignores Range", "is gone"])
def test_a_server_that_goes_on_failing_is_given_up_with_a_sentence(
    server: Server, tmp_path: Path, answer: Callable[[Any, int], None]
) -> None:
    with pytest.raises(InputError, match=r"a\.warc\.gz` cannot be fetched \(.*; [0-9,]+ bytes came, 3 tries\); try again later"):
        fetch(server, answer, folder=tmp_path)
    assert len(server.asked) in (3, 4)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_what_a_server_refuses_is_not_asked_for_again(server: Server, tmp_path: Path, status: int) -> None:
    with pytest.raises(InputError, match=rf"cannot be fetched \(HTTP {status}\); check the address"):
        fetch(server, fails(status), folder=tmp_path)
    assert len(server.asked) == 1


def test_two_versions_of_a_file_are_not_put_together(server: Server, tmp_path: Path) -> None:
    assert fetch(server, breaks_off(1000, ETag='"one"'), whole, folder=tmp_path) == DATA
    assert server.asked[1]["If-Range"] == '"one"'


def test_a_file_of_unknown_length_is_fetched(server: Server, tmp_path: Path) -> None:
    assert fetch(server, lambda to, begin: send(to, 200, {}, DATA), folder=tmp_path) == DATA


def test_a_redirect_is_followed(server: Server, tmp_path: Path) -> None:
    assert fetch(server, fails(302, Location="/elsewhere"), whole, folder=tmp_path) == DATA


def test_a_password_is_sent_and_not_told(server: Server, tmp_path: Path) -> None:
    server.answers[:] = [fails(401)]
    with pytest.raises(InputError) as raised:
        fetched(server.url.replace("//", "//me:s%65cret@"), tmp_path / "a", Watch(), HASTE)
    assert "secret" not in str(raised.value)
    assert "s%65cret" not in str(raised.value)
    assert server.asked[0]["Authorization"] == "Basic bWU6c2VjcmV0"


def test_progress_adds_up_to_what_came(server: Server, tmp_path: Path) -> None:
    class Counting(Watch):
        total = 0.0

        def advance(self, amount: float) -> None:
            self.total += amount

    watch = Counting()
    fetch(server, breaks_off(1000), whole, folder=tmp_path, watch=watch)
    assert watch.total == len(DATA)


def test_memory_does_not_grow_with_the_file(server: Server, tmp_path: Path) -> None:
    import tracemalloc

    piece = b"x" * (1 << 20)

    def large(to: Any, begin: int) -> None:
        send(to, 200, {"Content-Length": 40 << 20})
        for _ in range(40):
            to.wfile.write(piece)

    server.answers[:] = [large]
    tracemalloc.start()
    try:
        assert fetched(server.url, tmp_path / "a", Watch(), HASTE).stat().st_size == 40 << 20
        assert tracemalloc.get_traced_memory()[1] < 10 << 20
    finally:
        tracemalloc.stop()


def test_a_remote_archive_is_read_like_any_other(server: Server, tmp_path: Path) -> None:
    body = warc_bytes(page("one"), page("two"))
    server.answers[:] = [lambda to, begin: send(to, 200, {"Content-Length": len(body)}, body)]
    ((one, reader),) = readers_for([server.url], Fields())
    assert reader is not None
    found = list(reader.read(brought(one, tmp_path, Watch()), 0))
    assert [f.record.url for f in found] == ["http://a.example/one", "http://a.example/two"]


@pytest.fixture
def memory() -> Iterator[Any]:
    fsspec = pytest.importorskip("fsspec")
    system = fsspec.filesystem("memory")
    system.pipe({"/crawl/b.jsonl": b"b", "/crawl/a.jsonl": b"a" * 3_000_000, "/crawl/deep/c.jsonl": b"c"})
    yield system
    system.rm("/crawl", recursive=True)


def test_what_fsspec_knows_is_fetched(memory: Any, tmp_path: Path) -> None:
    assert fetched("memory://crawl/a.jsonl", tmp_path / "a", Watch(), HASTE).read_bytes() == b"a" * 3_000_000


def test_a_pattern_in_a_store_names_its_files(memory: Any) -> None:
    assert [one.name for one, _ in readers_for(["memory://crawl/*.jsonl"], Fields())] == [
        "memory:///crawl/a.jsonl",
        "memory:///crawl/b.jsonl",
    ]
    assert len(readers_for(["memory://crawl/**/*.jsonl"], Fields())) == 3
    with pytest.raises(InputError, match="matches no file"):
        readers_for(["memory://crawl/*.warc"], Fields())


def test_what_is_not_in_a_store_is_said_at_once(memory: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"memory://crawl/no\.jsonl` cannot be fetched"):
        fetched("memory://crawl/no.jsonl", tmp_path / "a", Watch(), Patience(wait=100))


def test_a_store_that_breaks_off_is_asked_for_the_rest(memory: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from fsspec.implementations.memory import MemoryFile

    read, broken = MemoryFile.read, []

    def fails_once(self: Any, size: int = -1) -> bytes:
        if self.tell() and not broken:
            broken.append(self.tell())
            raise RuntimeError("the connection was reset")
        return read(self, size)

    monkeypatch.setattr(MemoryFile, "read", fails_once)
    assert fetched("memory://crawl/a.jsonl", tmp_path / "a", Watch(), HASTE).read_bytes() == b"a" * 3_000_000
    assert broken == [1 << 20]


def test_an_unknown_kind_of_url_is_said(tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    with pytest.raises(UsageError, match=r"`foo://x/y` cannot be fetched \(Protocol not known: foo"):
        fetched("foo://x/y", tmp_path / "a", Watch())


def test_without_fsspec_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(UsageError, match=r"needs fsspec; install it with `pip install 'unquilt\[remote\]'`"):
        fetched("s3://bucket/a.jsonl", tmp_path / "a", Watch())


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of a bucket of moto's server, which lies in this process."""
    pytest.importorskip("s3fs")
    moto = pytest.importorskip("moto.server")
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    named = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": "us-east-1"}
    for name, value in {**named, "AWS_ENDPOINT_URL": f"http://{host}:{port}"}.items():
        monkeypatch.setenv(name, value)
    import s3fs

    s3fs.S3FileSystem.clear_instance_cache()
    yield "s3://crawls"
    s3fs.S3FileSystem.clear_instance_cache()
    server.stop()


def test_archives_in_a_bucket_are_read(s3: str, tmp_path: Path) -> None:
    import s3fs

    system = s3fs.S3FileSystem()
    system.mkdir("crawls")
    for name in ("b", "a"):
        system.pipe(f"crawls/{name}.warc.gz", warc_bytes(page(name)))
    found = readers_for([f"{s3}/*.warc.gz"], Fields())
    assert [one.name for one, _ in found] == ["s3://crawls/a.warc.gz", "s3://crawls/b.warc.gz"]
    urls = []
    for one, reader in found:
        assert reader is not None
        urls += [f.record.url for f in reader.read(brought(one, tmp_path, Watch()), 0)]
    assert urls == ["http://a.example/a", "http://a.example/b"]
    with pytest.raises(InputError, match=r"s3://crawls/no\.warc\.gz` cannot be fetched"):
        fetched(f"{s3}/no.warc.gz", tmp_path / "no", Watch(), HASTE)
