"""What would a reader of a wiki page see? Its wikitext as plain text, in one pass from left to right.

Gone: templates and parameters (with the words they would have made, like units and dates), comments, references, formulas,
categories, links to other languages, names and options of files, attributes, markup of lists, tables and type. Kept: headings,
labels of links, cells of tables, captions of files and galleries, what stands in nowiki, pre and syntaxhighlight. Character
references are resolved. What is opened and never closed is text.
"""

from __future__ import annotations

import io
import re
from collections.abc import Collection
from dataclasses import dataclass
from html.entities import html5

FILES = frozenset({"file", "image", "media"})
CATEGORIES = frozenset({"category"})
DEEPEST = 100  # what is opened beyond it is text
LONGEST_TARGET = 300

DROPPED = frozenset(
    "ref math chem timeline score graph mapframe maplink templatedata templatestyles hiero imagemap inputbox categorytree style"
    " script".split()
)
LITERAL = frozenset("nowiki pre syntaxhighlight source".split())
BLOCKS = frozenset("address blockquote br caption center dd div dl dt h1 h2 h3 h4 h5 h6 hr li ol p poem pre table td th tr ul".split())
INLINE = frozenset(
    "abbr b bdi bdo big cite code data del dfn em font gallery i includeonly indicator ins kbd langconvert mark noinclude onlyinclude q rb"
    " references rp rt rtc ruby s samp section small span strike strong sub sup time tt u var wbr".split()
)
KNOWN = DROPPED | LITERAL | BLOCKS | INLINE

COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
TOKEN = re.compile(
    r"(?P<open>\{{2,})|(?P<close>\}{2,})|(?P<link>\[\[)|(?P<unlink>\]\])|(?P<pipe>\|)|(?P<line>\n)"
    r"|</?(?P<tag>[A-Za-z][A-Za-z0-9]{0,19})(?=[\s/>])[^<>]*+>|(?P<quotes>'{2,})"
    r"|(?P<url>\[(?:(?:https?:|ftps?:|irc:)?//|mailto:|news:)[^\s\[\]<>\"]*+[ \t]*+)|(?P<end>\])|(?P<marks>!!)|(?P<switch>__[A-Z]{3,30}__)"
)
LINE = re.compile(
    r"[ \t]*+(?:(?P<table>[:*#;]*+[ \t]*+\{\|)|(?P<row>\|-)|(?P<over>\|\})|(?P<cell>\|\+|[|!])|(?P<rule>-{4,}+)"
    r"|(?P<list>[:*#;]++[ \t]*+)|(?P<heading>={1,6}+))"
)
REFERENCE = re.compile(r"&(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z][A-Za-z0-9]{0,31}));")
BLANKS = re.compile(r"[ \t\r\f\v]+")
FILE_OPTION = re.compile(
    r"\s*(?:thumb|thumbnail|frame|framed|frameless|border|left|right|center|centre|none|upright.{0,20}|[0-9]*(?:x[0-9]+)?\s?px|baseline"
    r"|middle|sub|super|top|text-top|bottom|text-bottom|(?:alt|link|page|lang|class|start|end|thumbtime)\s?=.*)\s*",
    re.IGNORECASE | re.DOTALL,
)
LANGUAGE = re.compile(r"(?:[a-z]{2,3}|simple|be-tarask|zh-[a-z-]{2,12}|[a-z]{2,3}-[a-z]{2,6}):\S")


def plain(wikitext: str, files: Collection[str] = FILES, categories: Collection[str] = CATEGORIES) -> str:
    """`files` and `categories` are names of those namespaces in lower case, as the wiki's language has them."""
    text = _Page(COMMENT.sub("", wikitext), files, categories).read()
    text = REFERENCE.sub(_referred, text.replace("\0", "\ufffd"))
    lines = (BLANKS.sub(" ", line).strip(" ") for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _referred(match: re.Match[str]) -> str:
    decimal, hexadecimal, name = match.groups()
    if name:
        return html5.get(name + ";", match[0])
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(code) if 0 < code <= 0x10FFFF and not 0xD800 <= code < 0xE000 else "\ufffd"


@dataclass
class _Open:
    """Something opened: `mark` is where its output begins, so that it can be taken back when its end is found."""

    kind: str
    mark: int
    at: int
    count: int = 0
    """Of braces: how many are open yet. Of a link: its pipes."""
    file: bool = False
    last: int = 0
    """Of a link: where its last part begins."""


class _Page:
    def __init__(self, text: str, files: Collection[str], categories: Collection[str]) -> None:
        self._text = text
        self._files = files
        self._categories = categories
        self._out = io.StringIO()
        self._stack: list[_Open] = []
        self._braces = 0
        self._tables = 0
        self._cell: int | None = None
        """Where the output of a cell begins whose attributes may still come to an end."""
        self._cells = ""
        """`|` or `!` in a line of cells."""
        self._tail = (0, 0)
        """The signs that close a heading."""
        self._next = {"]": -1, "\n": -1}
        self._unclosed: set[str] = set()

    def read(self) -> str:
        text = self._text
        at = self._begin_line(0)
        while match := TOKEN.search(text, at):
            self._emit(at, match.start())
            at = getattr(self, f"_{match.lastgroup}")(match)
        self._emit(at, len(text))
        return self._out.getvalue()

    def _emit(self, begin: int, end: int) -> None:
        tail_begin, tail_end = self._tail
        if begin < tail_end and end > tail_begin:
            self._out.write(self._text[begin : max(begin, tail_begin)])
            begin = min(end, tail_end)
        self._out.write(self._text[begin:end])

    def _literal(self, match: re.Match[str]) -> int:
        self._emit(match.start(), match.end())
        return match.end()

    def _take_back(self, mark: int) -> None:
        self._out.seek(mark)
        self._out.truncate()

    def _top(self, kind: str) -> _Open | None:
        return self._stack[-1] if self._stack and self._stack[-1].kind == kind else None

    def _after(self, what: str, at: int) -> int:
        """Where the next `what` is from `at` on; asked with growing `at`, it looks at each character once."""
        if self._next[what] < at:
            found = self._text.find(what, at)
            self._next[what] = found if found >= 0 else len(self._text)
        return self._next[what]

    # Templates and parameters

    def _open(self, match: re.Match[str]) -> int:
        if len(self._stack) < DEEPEST:
            self._stack.append(_Open("braces", self._out.tell(), match.start(), len(match[0])))
            self._braces += 1
        return self._literal(match)

    def _close(self, match: re.Match[str]) -> int:
        many = len(match[0])
        while many >= 2 and self._braces:
            while self._stack[-1].kind != "braces":
                self._stack.pop()
            opened = self._stack[-1]
            closed = 3 if many >= 3 and opened.count >= 3 else 2
            many -= closed
            opened.count -= closed
            self._take_back(opened.mark + opened.count)
            if opened.count < 2:
                self._stack.pop()
                self._braces -= 1
        self._out.write("}" * many)
        return match.end()

    # Links

    def _link(self, match: re.Match[str]) -> int:
        if len(self._stack) < DEEPEST:
            target = self._text[match.end() : match.end() + LONGEST_TARGET]
            file = self._namespace(target) in self._files
            self._stack.append(_Open("link", self._out.tell(), match.end(), file=file, last=match.end()))
        return self._literal(match)

    def _unlink(self, match: re.Match[str]) -> int:
        if self._top("url"):
            self._stack.pop()
            return match.start() + 1
        link = self._top("link")
        if link is None:
            return self._literal(match)
        self._stack.pop()
        last = self._text[link.last : min(match.start(), link.last + LONGEST_TARGET)]
        target = self._text[link.at : min(match.start(), link.at + LONGEST_TARGET)]
        if self._namespace(target) in self._categories:
            self._take_back(link.mark)
        elif link.file:
            if not link.count or FILE_OPTION.fullmatch(last):
                self._take_back(link.mark)
            else:
                self._out.write("\n")
        elif not link.count:
            self._take_back(link.mark)
            if not LANGUAGE.match(target.strip()):
                self._out.write(self._text[link.at : match.start()].strip(" :"))
        return match.end()

    @staticmethod
    def _namespace(target: str) -> str:
        prefix, colon, _ = target.partition(":")
        return " ".join(prefix.replace("_", " ").split()).lower() if colon else ""

    def _url(self, match: re.Match[str]) -> int:
        closed = self._after("]", match.end())
        if closed > self._after("\n", match.end()) or closed == len(self._text) or len(self._stack) >= DEEPEST:
            return self._literal(match)
        self._stack.append(_Open("url", self._out.tell(), match.start()))
        return match.end()

    def _end(self, match: re.Match[str]) -> int:
        if self._top("url"):
            self._stack.pop()
            return match.end()
        return self._literal(match)

    # Lines and tables

    def _line(self, match: re.Match[str]) -> int:
        self._out.write("\n")
        while self._top("url"):
            self._stack.pop()
        if self._text[match.end() : match.end() + 1] in ("\n", "=", "{", ""):
            while self._top("link"):
                self._stack.pop()
        return self._begin_line(match.end())

    def _begin_line(self, at: int) -> int:
        self._cell, self._cells = None, ""
        match = None if self._braces else LINE.match(self._text, at)
        if match is None:
            return at
        kind, end = match.lastgroup, match.end()
        if kind == "heading":
            return self._begin_heading(match)
        if kind == "table":
            self._tables += 1
            return self._after("\n", end)
        if kind in ("rule", "list"):
            return end
        if not self._tables or self._top("link"):
            return at
        if kind == "row":
            return self._after("\n", end)
        if kind == "over":
            self._tables -= 1
            return end
        self._cell, self._cells = self._out.tell(), match["cell"][0]
        return end

    def _begin_heading(self, match: re.Match[str]) -> int:
        line_end = self._after("\n", match.end())
        line = self._text[match.end() : line_end].rstrip(" \t")
        body = line.rstrip("=")
        if body == line or not body:
            return match.start()
        self._tail = (match.end() + len(line) - min(len(line) - len(body), 6), line_end)
        return match.end()

    def _pipe(self, match: re.Match[str]) -> int:
        link = self._top("link")
        if link is not None:
            if link.file or not link.count:
                self._take_back(link.mark)
                if link.file:
                    self._out.write("\n")
            else:
                self._out.write("|")
            link.count += 1
            link.last = match.end()
            return match.end()
        if not self._cells or self._braces:
            return self._literal(match)
        if self._text.startswith("||", match.start()):
            return self._new_cell(match.end() + 1)
        if self._cell is None:
            return self._literal(match)
        self._take_back(self._cell)
        self._cell = None
        return match.end()

    def _marks(self, match: re.Match[str]) -> int:
        return self._new_cell(match.end()) if self._cells == "!" and not self._braces else self._literal(match)

    def _new_cell(self, at: int) -> int:
        self._out.write("\n")
        self._cell = self._out.tell()
        return at

    # Tags and type

    def _tag(self, match: re.Match[str]) -> int:
        name = match["tag"].lower()
        if name not in KNOWN:
            self._out.write("<")
            return match.start() + 1
        opens = not match[0].startswith("</") and not match[0].endswith("/>")
        if opens and (name in DROPPED or name in LITERAL or name == "gallery"):
            return self._content(name, match.end())
        if name in BLOCKS:
            self._out.write("\n")
        return match.end()

    def _content(self, name: str, at: int) -> int:
        """What is no wikitext up to the end tag; a tag that is never closed is gone by itself."""
        end = None if name in self._unclosed else re.compile(rf"</{name}\s*+>", re.IGNORECASE).search(self._text, at)
        if end is None:
            self._unclosed.add(name)
            return at
        if name in LITERAL:
            content = self._text[at : end.start()].replace("\x00", "\ufffd")
            self._out.write(content if name == "nowiki" else f"\n{content}\n")
        elif name == "gallery":
            for line in self._text[at : end.start()].split("\n"):
                caption = line.partition("|")[2]
                self._out.write("\n" + (plain(caption, self._files, self._categories) if caption else ""))
            self._out.write("\n")
        return end.end()

    def _quotes(self, match: re.Match[str]) -> int:
        many = len(match[0])
        self._out.write("'" * (1 if many == 4 else max(many - 5, 0)))
        return match.end()

    def _switch(self, match: re.Match[str]) -> int:
        return match.end()
