"""Where does the search begin, and which words are worth trying? Small whole inputs of every form that is read."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import archives
import brotli
import lz4.frame
import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

from targets import PACKINGS, PLACES

ARTICLE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A title - Site</title>
<meta name="description" content="What it is about"><meta property="article:published_time" content="2020-03-04T05:06:07+01:00">
<meta name="robots" content="noindex, follow"><meta http-equiv="refresh" content="5; url='/there'"><base href="/base/">
<link rel="canonical" href="http://a.example/page?b=1&amp;c=2"><script type="application/ld+json">
{"@context": "https://schema.org", "@type": "NewsArticle", "headline": "A title", "datePublished": "2020-03-04", "author": {"name": "A"}}
</script><style>.x { display: none }</style></head><body><nav class="menu"><ul><li><a href="/one">One</a><li><a href="two">Two</a></ul>
</nav><main><article><h1>A title</h1><p class="byline">By A on <time datetime="2020-03-04">4 March 2020</time></p><p>The first sentence
is <b>bo</b>ld, and goes on. The second one, with a <a rel="nofollow" href="../x?y=%C3%A4#z">link</a>, is longer than the first was.</p>
<p hidden>not seen</p><div style="display:none">nor this</div><pre> as it
 is </pre><table><tr><td>a<td>b</table><p>&eacute;&#x1F600;&nbsp;&amp &notit; caf\u00e9 \u65e5\u672c\u8a9e</p><svg><title>no</title></svg>
<textarea>t</textarea><select><option>o</select><iframe>i</iframe><noscript>n</noscript><template>t</template></article></main>
<div id="comments"><p>Somebody says something about it.</p></div><footer>Copyright 2019</footer><!-- a comment --></body></html>"""
LISTED = "<title>2009</title><ul>" + "".join(f"<li><a href='/{n}'>Post {n}</a> 0{n}/0{n}/2009" for n in range(1, 10)) + "</ul>"
ODD = "<p>a<p>b<div><p>c</div><i>d<b>e</i>f</b><table>g<tr>h<td>i</table><a href=x><a href=y>j</a><title>k<plaintext>l</p>"
MISSING = "<title>404 Not Found</title><h1>Not Found</h1><p>The page you are looking for could not be found."
PAGES = (ARTICLE, LISTED, ODD, MISSING)

EXPORT = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="en"><siteinfo>
<base>http://w.example/wiki/Main_Page</base><namespaces><namespace key="0" case="first-letter" /><namespace key="6">File</namespace>
<namespace key="10">Template</namespace></namespaces></siteinfo><page><title>Ada</title><ns>0</ns><id>1</id><revision><id>2</id>
<timestamp>2020-03-04T05:06:07Z</timestamp><model>wikitext</model><text
bytes="9">'''Ada''' {{t|a=[[b|c]]}} &lt;ref name="x"&gt;y&lt;/ref&gt;
== H ==
* [[File:A.jpg|thumb|d]] [http://a.example e]
{| class="x"
! f
|-
| g || h
|}</text></revision><revision><id>3</id><timestamp>2021-01-01T00:00:00Z</timestamp><text deleted="deleted" /></revision></page>
<page><title>Template:T</title><ns>10</ns><id>4</id><revision><id>5</id><text>i</text></revision></page><page><title>Old</title>
<ns>0</ns><id>6</id><redirect title="Ada" /><revision><id>7</id><text>#REDIRECT [[Ada]]</text></revision></page></mediawiki>"""

HTTP = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nLast-Modified: Tue, 18 Feb 2020 10:15:00 GMT\r\n\r\n<p>a page",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\n<p>ab\r\n3\r\ncde\r\n0\r\nX: y\r\n\r\n",
    b"HTTP/1.0 301 Moved\nLocation: /there?x=y\nX-Folded: a\n b\n\n",
    b"HTTP/2 204\r\nx-robots-tag: noindex\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=windows-1252\r\n\r\ncaf\xe9",
    b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip, br\r\nTransfer-Encoding: chunked\r\n\r\n",
)
RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


def warc() -> Iterable[bytes]:
    records = [
        archives.record("warcinfo", None, b"software: x\r\n"),
        archives.record("request", block=b"GET / HTTP/1.1\r\n\r\n"),
        archives.page("one"),
        archives.response("http://b.example/two", gzip.compress(b"<p>two", mtime=0), archives.HTML + "Content-Encoding: gzip\r\n"),
        archives.record("revisit", block=HTTP[0][:40], WARC_Refers_To_Target_URI="http://a.example/one", WARC_Payload_Digest="sha1:A"),
        archives.record("resource", "http://c.example/a.txt", b"some words", Content_Type="text/plain"),
        archives.record("conversion", block="d\u00e9".encode(), Content_Type="text/plain"),
        archives.record("response", block=HTTP[2], end=b"\n", version="0.17"),
    ]
    yield from packed(b"".join(records))
    for record in records:
        yield b"\0" + record
    yield from (b"\0" + b"".join(pack(records)) for pack in archives.PACKED.values())
    yield b"\0" + b"".join(records)[:-30]
    yield b"\0" + archives.warc_bytes(*records)[:-30]


def arc() -> Iterable[bytes]:
    records = [archives.arc(block=archives.http(archives.html("one"))), archives.arc("http://b.example/", HTTP[2])]
    for version in (1, 2):
        more = "" if version == 1 else " 200 - - 0 a.arc"
        yield from packed(archives.version_block(version) + b"".join(records) + archives.arc("http://c.example/", HTTP[4], more=more))


def http() -> Iterable[bytes]:
    yield from HTTP
    yield from (bytes([coding]) + ARTICLE.encode() for coding in range(3))
    body = ODD.encode()
    for label, coded in (
        ("gzip", gzip.compress(body, mtime=0)),
        ("deflate", zlib.compress(body)),
        ("deflate", zlib.compress(body, wbits=-15)),
        ("br", brotli.compress(body)),
        ("zstd", zstandard.ZstdCompressor(write_checksum=True).compress(body)),
        ("identity", lz4.frame.compress(body)),
    ):
        yield RESPONSE + f"Content-Encoding: {label}\r\n\r\n".encode() + coded


def html() -> Iterable[bytes]:
    for page in PAGES:
        yield page.encode()
    yield b"\xff\xfe" + ODD.encode("utf-16-le")
    yield ARTICLE.replace("utf-8", "shift_jis").encode("shift_jis", "xmlcharrefreplace")
    yield ARTICLE.replace("utf-8", "windows-1251").encode("cp1251", "xmlcharrefreplace")


def mediawiki() -> Iterable[bytes]:
    yield from packed(EXPORT.encode())
    yield b"\0" + EXPORT.replace("<page>", "<page><x>", 1).encode()
    yield b"\0" + EXPORT.replace("<mediawiki", '<!DOCTYPE x [<!ENTITY y "z">]><mediawiki', 1).encode()


def parquet() -> Iterable[bytes]:
    rows = pa.table(
        {
            "id": ["1", "2", None],
            "url": ["http://a.example/", None, "no url"],
            "text": ["one two three", "", "x" * 300],
            "html": [None, b"<p>two", b"\xff"],
            "date": pa.array([0, 1_600_000_000_000_000, None], pa.timestamp("us")),
            "more": [[1], [], None],
        }
    )
    for options in ({}, {"compression": "zstd"}, {"compression": "none", "use_dictionary": False}, {"data_page_version": "2.0"}):
        file = io.BytesIO()
        pq.write_table(rows, file, row_group_size=2, **options)
        yield file.getvalue()
    file = io.BytesIO()
    pq.write_table(rows.drop(["text", "more"]), file, compression="gzip", use_byte_stream_split=False, write_page_index=True)
    yield file.getvalue()


def wacz() -> Iterable[bytes]:
    files = {
        "datapackage.json": b"{}",
        "archive/a.warc.gz": archives.warc_bytes(archives.page("one"), archives.page("two")),
        "archive/b.warc": archives.page("three"),
        "archive/c.txt": b"words",
        "../d.warc": archives.page("four"),
    }
    with TemporaryDirectory() as room:
        for deflated in (False, True):
            yield archives.wacz(Path(room) / "a.wacz", files, deflated).read_bytes()


def cdx() -> Iterable[bytes]:
    (begin, size), second, _ = PLACES
    json_rows = [
        f"example,a)/{name} 20200102030405 "
        + json.dumps({"url": f"http://a.example/{name}", "filename": file, "offset": str(offset), "length": str(length)})
        for name, file, (offset, length) in (("one", "a.warc.gz", (begin, size)), ("two", "x/a.warc.gz", second), ("no", "../b", (0, 1)))
    ]
    row = f"example,a)/one 20200102030405 http://a.example/one text/html 200 AAAA - - {size} {begin} a.warc.gz"
    yield from packed("\n".join(json_rows).encode())
    yield from packed(f" CDX N b a m s k r M S V g\n{row}\n{row.replace('- -', '-', 1)}\n".encode())
    yield b"\0" + f"{row}\n!comment\n\n{{}}".encode()


def jsonl() -> Iterable[bytes]:
    rows: list[object] = [
        {"id": "a", "url": "HTTP://A.example:80/../x", "text": "one two", "date": "2020-03-04", "title": "t", "language": "en"},
        {"id": 2, "html": ODD, "fetched": 1_600_000_000},
        {"text": None, "url": None, "date": "2009-03-65"},
        {"text": "\ud800 \U0001f600", "url": "http://[::1]/\u00e4?\u00e4"},
        [1, 2.5, True, None],
    ]
    yield from packed("\n".join(map(json.dumps, rows)).encode())
    yield b"\0\xef\xbb\xbf" + json.dumps(rows[0]).encode() + b"\r\n\r\n{"


def csv() -> Iterable[bytes]:
    row = '1,http://a.example/,"one ""two""\nthree",2020-03-04'
    yield from packed(f"id,url,text,date\n{row}\n2,,x,1600000000\n3,a\n".encode())
    yield b"\0" + b'text;url\r\n"a\r\nb";http://a.example/\r\n"c'
    yield b"\0" + b"url\ttext\nhttp://a.example/\ta b\n"


def packed(data: bytes) -> Iterable[bytes]:
    """In every way in which we compress it."""
    return (bytes([number]) + data for number in range(len(PACKINGS)))


SEEDS: dict[str, Callable[[], Iterable[bytes]]] = {
    "warc": warc,
    "arc": arc,
    "http": http,
    "html": html,
    "mediawiki": mediawiki,
    "revisions": mediawiki,
    "parquet": parquet,
    "wacz": wacz,
    "cdx": cdx,
    "jsonl": jsonl,
    "csv": csv,
}

MARKUP = """<a href=" <abbr title=" <address> <article> <aside> <base href=" <blockquote> <body> <br> <button> <center> <dd> <details> <div
 class=" id=" role=" style="display:none" aria-hidden="true" hidden <dl> <dt> <embed> <figcaption> <figure> <footer> <form> <frameset> <h1>
 <head> <header> <hr> <html lang=" <i> <iframe> <img alt=" <input value=" <ins> <label> <li> <link rel="canonical" href=" <main> <map>
 <math> <meta name=" content=" property=" <nav> <noscript> <object> <ol> <option> <p> <plaintext> <pre> <q> <ruby> <rt> <script> <section>
 <select> <small> <span> <style> <sub> <summary> <sup> <svg> <table> <tbody> <td> <template> <textarea> <th> <time datetime=" <title> <tr>
 <ul> <video> <wbr> </p> </div> </script> </style> </title> </a> </b> </table> </template> </svg> </body> <!-- --> --!> <![CDATA[ ]]> <?xml
 <!doctype &amp; &#x; &#0; &#xD800; &#x110000; &notin; &nbsp &CounterClockwiseContourIntegral; 2020-03-04 04/03/2020 application/ld+json
 datePublished itemprop=" og:title charset=utf-16 charset=gb18030 nofollow noindex""".split()
HEADERS = """Content-Type: Content-Length: Content-Encoding: Transfer-Encoding: Location: X-Robots-Tag: Last-Modified: text/html text/plain
 chunked gzip deflate br zstd identity charset= HTTP/1.1 HTTP/2 200 301 404 multipart/mixed boundary=""".split()
ARCHIVES = """WARC/1.0 WARC/0.17 WARC/1.1 WARC-Type: response request revisit resource conversion metadata warcinfo continuation
 WARC-Target-URI: WARC-Date: WARC-Truncated: WARC-Segment-Number: WARC-Payload-Digest: WARC-Refers-To-Target-URI: WARC-Refers-To-Date:
 WARC-IP-Address: application/http dns: filedesc://""".split()
WIKI = """<page> </page> <revision> </revision> <text> </text> <title> </title> <ns> </ns> <timestamp> <id> <redirect <siteinfo> <base>
 <namespace <model> <!DOCTYPE <!ENTITY <![CDATA[ ]]> &lt; &gt; &amp; &x; [[ ]] {{ }} {{{ }}} {| |} |- || !! == ''' [http:// <nowiki> <ref>
 <math> <!-- #REDIRECT File: Category: deleted= xml:lang= encoding="utf-16" standalone=""".split()
BREAKS = ["\n", "\r\n", "\r\n\r\n", "\n\n", "\0", "\t", " ", '"', "\ufeff"]
MAGIC = [
    b"\x1f\x8b\x08",
    b"\x28\xb5\x2f\xfd",
    b"\x04\x22\x4d\x18",
    b"\x5d\x2a\x4d\x18",
    b"PK\1\2",
    b"PK\3\4",
    b"PK\5\6",
    b"PK\6\6",
    b"PAR1",
]


def words(*lists: Iterable[str]) -> list[bytes]:
    return [word.encode() for some in (*lists, BREAKS) for word in some]


WORDS: dict[str, list[bytes]] = {
    "warc": [*words(ARCHIVES, HEADERS), *MAGIC],
    "arc": [*words(ARCHIVES, HEADERS), *MAGIC],
    "http": [*words(HEADERS, MARKUP), *MAGIC],
    "html": words(MARKUP),
    "mediawiki": words(WIKI),
    "revisions": words(WIKI),
    "parquet": [b"PAR1"],
    "wacz": [*words(ARCHIVES), *MAGIC],
    "cdx": words(("filename", "offset", "length", "url", " CDX N b a m s k r M S V g", "a.warc.gz", "{", "}", "-", "!")),
    "jsonl": words(("{", "}", "[", "]", ":", ",", "\\u", "\\ud800", "1e999", "NaN", "null", "true", "text", "html", "url", "id", "date")),
    "csv": words((",", ";", "|", '""', "text", "url", "id", "date", "html")),
}


def write(name: str, corpus: Path) -> None:
    """The seeds that are not there yet, by names that say what is in them."""
    for data in SEEDS[name]():
        path = corpus / sha256(data).hexdigest()[:40]
        if not path.exists():
            path.write_bytes(data)
