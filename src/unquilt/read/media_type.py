"""What kind of thing is a body? The declared media type says it, unless the first bytes say otherwise.

1. Bytes that begin as a known binary format are of that kind, whatever was declared.
2. Bytes that begin as an HTML document are HTML, even where plain text, a picture or nothing was declared; XML is told
   by its first element (`html`, `rss`, `feed`, `svg`).
3. Otherwise the declared type holds. Where none was declared, or one that only says "bytes", a tag of HTML, a brace
   of JSON or the absence of control characters decides.

Only `html` and `plain text` are read. The other kinds are names for people, to say what was left out.
"""

from __future__ import annotations

import re

from unquilt.text.charset_guess import wide

HTML, PLAIN = "html", "plain text"
ARCHIVE, AUDIO, BINARY, BOOK, DATA = "archive", "audio", "binary data", "e-book", "other data"
FEED, FONT, IMAGE, JSON, OFFICE = "feed", "font", "image", "JSON", "office document"
PDF, SCRIPT, STYLE, VIDEO, XML = "PDF", "script", "style sheet", "video", "XML"
KINDS = {
    HTML: "text/html application/xhtml+xml application/vnd.wap.xhtml+xml text/x-server-parsed-html application/x-httpd-php text/xhtml",
    PDF: "application/pdf application/x-pdf text/pdf",
    FEED: "application/rss+xml application/atom+xml application/rdf+xml text/rss+xml application/feed+json text/x-opml",
    STYLE: "text/css",
    SCRIPT: "text/javascript text/ecmascript text/vbscript text/jscript text/livescript text/x-javascript application/javascript "
    "application/x-javascript application/ecmascript application/wasm application/typescript",
    JSON: "application/json text/json application/x-json application/manifest+json text/x-json application/jsonp",
    XML: "text/xml application/xml text/vnd.wap.wml",
    ARCHIVE: "application/zip application/gzip application/x-gzip application/x-tar application/x-bzip2 application/x-xz application/x-rar "
    "application/x-rar-compressed application/x-7z-compressed application/x-zip-compressed application/java-archive application/zstd",
    OFFICE: "application/rtf text/rtf text/richtext application/msword application/postscript application/vnd.ms-excel",
    BOOK: "application/epub+zip application/x-mobipocket-ebook",
    FONT: "application/x-font-ttf application/x-font-woff application/font-woff application/font-woff2 application/font-sfnt "
    "application/x-font-opentype application/vnd.ms-fontobject application/x-font-truetype",
    AUDIO: "application/ogg",
    VIDEO: "application/x-shockwave-flash application/vnd.apple.mpegurl application/mp4 application/x-mpegurl",
}
OF_TYPE = {media_type: kind for kind, types in KINDS.items() for media_type in types.split()}
OF_FAMILY = {
    "application/vnd.ms-": OFFICE,
    "application/vnd.oasis.opendocument": OFFICE,
    "application/vnd.openxmlformats-officedocument": OFFICE,
    "application/x-font": FONT,
    "audio/": AUDIO,
    "font/": FONT,
    "image/": IMAGE,
    "message/": "message",
    "multipart/": "message",
    "text/": PLAIN,
    "video/": VIDEO,
}
UNSAID = {
    None,
    "application/octet-stream",
    "binary/octet-stream",
    "application/unknown",
    "unknown/unknown",
    "content/unknown",
    "application/download",
}
UNSAID |= {"application/force-download", "application/x-download", "application/x-unknown-content-type", "application/x-octet-stream"}

# Begins that are no begin of a text: those of letters only go on with bytes that no text has.
MAGIC = {
    PDF: rb"%PDF-",
    IMAGE: rb"\x89PNG\r\n|GIF8[79]a|\xff\xd8\xff|RIFF.{4}WEBP|II\*\0|MM\0\*|BM.{4}\0{4}|\0\0[\x01\x02]\0.\0|8BPS\0|\0\0\0\x0cjP  "
    rb"|\0\0\0.ftyp(?:avif|heic|heix|mif1)",
    AUDIO: rb"\0\0\0.ftypM4[AB]|ID3[\x02-\x04]\0|fLaC\0|RIFF.{4}WAVE|MThd\0|OggS\0|FORM.{4}AIF|#!AMR\n",
    VIDEO: rb"\0\0..(?:ftyp|moov|mdat)|RIFF.{4}AVI |\x1a\x45\xdf\xa3|FLV\x01"
    rb"|[FCZ]WS[\x03-\x08\x0b\x0e-\x1f]|\0\0\x01[\xb3\xba]|\x30\x26\xb2\x75",
    FONT: rb"wOF[F2](?:\0\x01|OTTO|true)|\0\x01\0\0\0[\x01-\x40]|OTTO\0|ttcf\0",
    OFFICE: rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1|\{\\rtf|\x04?%!PS-Adobe|\xc5\xd0\xd3\xc6",
    ARCHIVE: rb"\x1f\x8b\x08|BZh[1-9](?:1AY&SY|\x17\x72\x45)|\xfd7zXZ\0|7z\xbc\xaf\x27\x1c|Rar!\x1a\x07|\x28\xb5\x2f\xfd|MSCF\0|!<arch>\n"
    rb"|.{257}ustar[\0 ]",
    BINARY: rb"\x7fELF|\0asm|\xca\xfe\xba\xbe|MZ.\0|SQLite format 3\0|PAR1.{0,9}\0",
}
BEGINS = [(kind, re.compile(begin, re.DOTALL)) for kind, begin in MAGIC.items()]
ZIP = b"PK\x03\x04"
OFFICE_INSIDE = re.compile(rb"\[Content_Types\]\.xml|mimetypeapplication/vnd\.|word/|xl/workbook|ppt/")
BOOK_INSIDE = b"mimetypeapplication/epub"

SPACE = b"\t\n\f\r "
SPACES = re.compile(rb"[\t\n\f\r ]+")
MARK = b"\xef\xbb\xbf"
HEAD = 1024
PROLOGUE = 64 << 10
DOCTYPE = re.compile(rb"<!doctype\s+([^\s>\[]*)([^>]{0,400})", re.IGNORECASE)
ELEMENT = re.compile(rb"<(?:[A-Za-z][\w.-]{0,40}:)?([A-Za-z][\w.-]{0,40})(?=[\s/>])")
DOCUMENT = {b"html", b"head", b"body", b"frameset"}
TAGS = DOCUMENT | set(
    b"a article b base basefont big blockquote br center div dl em font footer form frame h1 h2 h3 h4 h5 h6 header hr i iframe img input "
    b"li link main map meta nav noscript ol p pre script section small span strong style table tbody td title tr tt u ul".split()
)
ROOTS = {b"rss": FEED, b"feed": FEED, b"svg": IMAGE, b"html": HTML, b"urlset": XML, b"sitemapindex": XML}
RDF_FEED = (b"purl.org/rss/", b"my.netscape.com/rdf")
BRACE = re.compile(rb"""\{\s*["}]|\[\s*(?:[\[{"\]\d-]|true|false|null)""")
BINARY_BYTES = bytes(b for b in range(32) if b not in b"\t\n\f\r\x1b")


def announces_text(media_type: str | None) -> bool:
    """Is the body something that is written in characters? A compressed one was compressed for the way only, then."""
    if media_type is None:
        return False
    return media_type.endswith(("+xml", "+json")) or _declared(media_type) in (HTML, PLAIN, FEED, STYLE, SCRIPT, JSON, XML)


def kind_of(media_type: str | None, body: bytes) -> str:
    """`html`, `plain text`, or the name of a kind that is not read. `media_type` is in lower case, without parameters."""
    start = body[:HEAD].removeprefix(MARK).lstrip(SPACE)
    if not start.startswith(b"<") and (found := _by_magic(body, media_type)):
        return found
    if (not start.startswith(b"<") or start[1:2] == b"\0") and (encoding := _wide(body)):
        body = start = body[: 4 * HEAD].decode(encoding, "replace").lstrip("\ufeff\t\n\f\r ").encode("utf-8", "replace")
    declared = _declared(media_type)
    if start.startswith(b"<") and (found := _by_markup(body, declared)):
        return found
    if declared in (HTML, PLAIN, None) and _is_json(start, body):
        return JSON
    if declared is None:
        return BINARY if _is_binary(start) else PLAIN
    return BINARY if declared == PLAIN and _is_binary(start) else declared


def _declared(media_type: str | None) -> str | None:
    """The kind that the type stands for; None where it stands for none."""
    if media_type is None or media_type in UNSAID:
        return None
    if kind := OF_TYPE.get(media_type):
        return kind
    if kind := next((kind for family, kind in OF_FAMILY.items() if media_type.startswith(family)), None):
        return kind
    return XML if media_type.endswith("+xml") else JSON if media_type.endswith("+json") else DATA


def _wide(body: bytes) -> str | None:
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16"
    return wide(body[:HEAD]) if b"\0" in body[:HEAD] else None


def _by_magic(body: bytes, media_type: str | None) -> str | None:
    head = body[:HEAD].lstrip(SPACE) if body[:1] in SPACE else body[:HEAD]
    if head.startswith(ZIP):
        return _in_zip(body[: 4 * HEAD], media_type)
    return next((kind for kind, begin in BEGINS if begin.match(head)), None)


def _in_zip(head: bytes, media_type: str | None) -> str:
    if BOOK_INSIDE in head:
        return BOOK
    declared = _declared(media_type)
    return OFFICE if OFFICE_INSIDE.search(head) else declared if declared in (OFFICE, BOOK) else ARCHIVE


def _by_markup(body: bytes, declared: str | None) -> str | None:
    """The kind that the first element or the doctype stands for; None where what was declared is as likely."""
    name, at, xml = _first(body)
    if name == b"rdf":
        return FEED if any(sign in body[at : at + HEAD] for sign in RDF_FEED) else XML
    if name in ROOTS and (name == b"html" or xml or declared != HTML):
        return ROOTS[name]
    if name in (b"rss", b"feed") and _feeds(body[at : at + HEAD]):
        return FEED
    if name in DOCUMENT or (name in TAGS and declared in (None, XML) and not xml):
        return HTML
    if declared in (HTML, IMAGE, FEED):
        return declared
    if xml and name:
        return XML
    return HTML if declared is None and not name and body.lstrip(SPACE).startswith(b"<!--") else None


def _feeds(head: bytes) -> bool:
    return b"<channel" in head or b"http://www.w3.org/2005/Atom" in head or b"purl.org/atom" in head


def _first(body: bytes) -> tuple[bytes, int, bool]:
    """(local name of the first element or of the doctype in lower case, where it is, whether an XML declaration came before it)."""
    at, xml = len(MARK) if body.startswith(MARK) else 0, False
    while True:
        space = SPACES.match(body, at)
        begin = space.end() if space else at
        if body.startswith(b"<!--", begin):
            at = body.find(b"-->", begin + 2, PROLOGUE) + 3
        elif body.startswith(b"<?", begin):
            xml = xml or body.startswith(b"<?xml", begin)
            at = body.find(b">", begin, PROLOGUE) + 1
        else:
            return _name(body, begin), begin, xml
        if at <= begin:
            return b"", begin, xml


def _name(body: bytes, at: int) -> bytes:
    if doctype := DOCTYPE.match(body, at):
        name = doctype[1].lower()
        return b"html" if name == b"public" and b"html" in doctype[2].lower() else name.rpartition(b":")[2]
    element = ELEMENT.match(body, at)
    return element[1].lower() if element else b""


def _is_json(start: bytes, body: bytes) -> bool:
    """Begins and ends as JSON does, and no page is in it."""
    if not BRACE.match(start) or body[-HEAD:].rstrip(SPACE + b";)")[-1:] not in (b"}", b"]"):
        return False
    return start.startswith((b"{", b"[{", b"[[", b'["')) and b"<html" not in start.lower()


def _is_binary(start: bytes) -> bool:
    """One control character may be an accident of a text; as many as in compressed or compiled bytes are none."""
    return (len(start) - len(start.translate(None, BINARY_BYTES))) * 50 > len(start)
