"""Which elements are open while a page is read, and what of its text is in which of them?

Elements are opened and closed by walks over the list of open ones, as the HTML standard puts it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from . import html_facts
from .html_facts import Fact
from .html_source import SPACE, Tag, comment_end, lower, raw_end, referred, tag_at, words

LETTERS = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
LINE = "line"

VOID = set("area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split())
RAW = set("iframe noembed noframes noscript plaintext script style textarea title xmp".split())
HEAD = set("base basefont bgsound head html link meta noframes noscript script style template title".split())
UNSEEN = set("applet audio canvas datalist meter object progress rp select svg template video".split())
GAP = set("applet audio canvas embed iframe input keygen meter object progress select textarea video".split())
CLOSES_P = set(
    "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 "
    "header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp".split()
)
BLOCK = CLOSES_P | set("body button caption html legend marquee optgroup option tbody td tfoot th thead tr".split())
SCOPE = set("applet caption html marquee object select table td template th".split())
SPECIAL = (CLOSES_P - {"dialog"}) | VOID | SCOPE | RAW | set("body button colgroup frameset head tbody tfoot thead tr".split())
HEADINGS = set("h1 h2 h3 h4 h5 h6".split())
TABLE_END = set("caption table tbody td tfoot th thead tr".split())
BREAKS_OUT = set(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s "
    "small span strike strong sub sup table tt u ul var".split()
)
HINGES = set("annotation-xml desc foreignobject mi mn mo ms mtext title".split())
PRE = set("listing plaintext pre xmp".split())


@dataclass(eq=False)
class Node:
    """An element that is open, or was."""

    name: str
    around: "Node | None" = None
    foreign: bool = False
    hinge: bool = False
    hidden: bool = False
    as_is: bool = False
    kept: bool = False
    names: str = ""
    fact: int | None = None
    """The fact whose value is the text of the element."""

    @property
    def block(self) -> bool:
        return self.name in BLOCK and not self.foreign

    @cached_property
    def path(self) -> tuple["Node", ...]:
        """From the outermost to this one."""
        return (*(self.around.path if self.around else ()), self)


class Char(NamedTuple):
    """A character that can be seen, or `LINE` for the end of a line."""

    c: str
    node: Node
    link: int | None
    as_is: bool


class Link(NamedTuple):
    href: str
    rel: str
    node: Node
    """The nearest kept element."""


class Reader:
    def __init__(self, source: str) -> None:
        self.source, self.at = source, 0
        self.stack: list[Node] = []
        self.runs: list[list[Char]] = [[]]
        self.kept: list[Node] = []
        self.links: list[Link] = []
        self.facts: list[Fact] = []
        self.link: int | None = None
        self.link_depth = 0
        self.in_body = self.in_form = False

    @property
    def top(self) -> Node:
        return self.stack[-1]

    def read(self) -> None:
        self.push(Tag("html", {}, False, 0), foreign=False)
        while self.at < len(self.source):
            rest = self.source[self.at : self.at + 9]
            if rest[0] == "<" and LETTERS.issuperset(rest[1:2] or " "):
                self.start_tag()
            elif rest.startswith("</") and LETTERS.issuperset(rest[2:3] or " "):
                self.end_tag()
            elif self.top.foreign and rest == "<![CDATA[":
                self.text(self.upto("]]>", 9), as_written=True)
            elif rest.startswith("<!--"):
                self.at = comment_end(self.source, self.at)
            elif rest.startswith(("<!", "<?")) or (rest.startswith("</") and len(rest) > 2):
                self.upto(">", 2)
            else:
                behind = self.source.find("<", self.at + 1)
                behind = len(self.source) if behind < 0 else behind
                self.text(self.source[self.at : behind])
                self.at = behind

    def upto(self, mark: str, skip: int) -> str:
        """What is before a mark; it and the mark are passed."""
        begin = self.at + skip
        end = self.source.find(mark, begin)
        self.at = len(self.source) if end < 0 else end + len(mark)
        return self.source[begin:] if end < 0 else self.source[begin:end]

    # Text

    def before_body(self) -> bool:
        return not self.in_body and len(self.stack) == 1

    def text(self, source: str, *, as_written: bool = False) -> None:
        if self.top.hidden:
            if self.top.fact is not None:
                self.add_to_fact(self.top.fact, (source if as_written else referred(source)).replace("\0", "\ufffd"))
            return
        if self.before_body():
            if not source.strip(SPACE + "\0"):
                return
            self.open_body({})
        text = source.replace("\0", "\ufffd") if as_written else referred(source).replace("\0", "")
        self.runs[-1] += [Char(c, self.top, self.link, self.top.as_is) for c in text]

    def add_to_fact(self, number: int, text: str) -> None:
        fact = self.facts[number]
        self.facts[number] = fact._replace(value=fact.value + html_facts.cut(text, html_facts.LONGEST_ITEM - len(fact.value.encode())))

    def end_run(self) -> None:
        if not self.top.hidden:
            self.runs.append([])

    def end_line(self) -> None:
        self.runs[-1].append(Char(LINE, self.top, None, False))

    # Start tags

    def tag(self) -> Tag | None:
        tag = tag_at(self.source, self.at)
        self.at = tag.behind if tag else len(self.source)
        return tag

    def start_tag(self) -> None:
        tag = self.tag()
        if tag is None:
            return
        if self.top.foreign and not self.top.hinge:
            if tag.name not in BREAKS_OUT:
                if not tag.closed:
                    self.push(tag, foreign=True)
                return
            while self.top.foreign and not self.top.hinge:
                self.pop()
        self.start(tag)

    def start(self, tag: Tag) -> None:
        name = tag.name
        if name in ("html", "head", "body"):
            self.outermost(tag)
            return
        if self.before_body() and name not in HEAD:
            self.open_body({})
        if not self.make_room(name):
            return
        if not self.top.hidden and not hides(tag):
            if name in BLOCK:
                self.end_run()
            elif name == "br":
                self.end_line()
            elif name in GAP:
                self.runs[-1].append(Char(" ", self.top, None, False))
        if name in RAW:
            self.raw(tag)
        elif name in VOID:
            self.declare(tag, None)
        elif name not in ("svg", "math") or not tag.closed:
            self.push(tag, foreign=name in ("svg", "math"))

    def in_template(self) -> bool:
        return any(node.name == "template" for node in self.stack)

    def outermost(self, tag: Tag) -> None:
        if self.in_template() or tag.name == "head":
            return
        if tag.name == "html" and not any(fact.kind == "html" for fact in self.facts):
            self.facts += html_facts.language(tag)
        if tag.name == "body" and self.before_body():
            self.open_body(tag.attributes)
            return
        row = int(tag.name == "body")
        if row < len(self.kept) and not self.kept[row].names:
            self.kept[row].names = names_of(tag.attributes)

    def open_body(self, attributes: dict[str, str]) -> None:
        self.in_body = True
        body = Node("body", self.top, kept=True, names=names_of(attributes))
        self.kept.append(body)
        self.stack.append(body)

    def make_room(self, name: str) -> bool:
        """End what a start tag ends; whether the tag means anything."""
        if name in ("li", "dd", "dt"):
            self.end_item({"li"} if name == "li" else {"dd", "dt"})
        elif name == "a":
            self.link = None
            self.end_in("a", special)
        elif name == "button":
            self.end_in("button", scope)
        elif name in ("option", "optgroup"):
            if self.top.name == "option":
                self.pop()
            if name == "optgroup" and self.top.name == "optgroup":
                self.pop()
        elif name in ("rb", "rt", "rp", "rtc"):
            while self.top.name in ("rb", "rt", "rp", "rtc"):
                self.pop()
        elif name in ("input", "textarea"):
            self.end_in("select", scope)
        elif name == "select":
            if self.end_in("select", scope):
                return False
        elif name == "form":
            if self.in_form:
                return False
            self.in_form = True
        elif name == "table":
            inner = [node.name for node in self.stack if node.name in ("table", "td", "th", "caption")]
            if inner and inner[-1] == "table":
                self.end_in("table", table_scope)
        elif name in ("caption", "colgroup", "col", "tbody", "thead", "tfoot"):
            return self.back_to_table(set())
        elif name == "tr":
            return self.back_to_table({"tbody", "thead", "tfoot"})
        elif name in ("td", "th"):
            return self.back_to_table({"tr", "tbody", "thead", "tfoot"})
        if name in CLOSES_P:
            self.end_in("p", button_scope)
        if name in HEADINGS and self.top.name in HEADINGS:
            self.pop()
        return True

    def end_item(self, names: set[str]) -> None:
        for node in reversed(self.stack):
            if node.name in names and not node.foreign:
                self.pop_to(node)
                return
            if special(node) and (node.foreign or node.name not in ("address", "div", "p")):
                return

    def back_to_table(self, within: set[str]) -> bool:
        table = next(node for node in reversed(self.stack) if table_scope(node))
        if table.name != "table":
            return False
        while self.top is not table and self.top.name not in within:
            self.pop()
        return True

    def push(self, tag: Tag, *, foreign: bool) -> None:
        name, around = tag.name, self.stack[-1] if self.stack else None
        node = Node(name, around, foreign)
        if foreign and name in HINGES:
            encoding = " ".join(words(tag.attributes.get("encoding", "")))
            node.hinge = name != "annotation-xml" or encoding in ("text/html", "application/xhtml+xml")
        unseen = name in ("svg", "annotation", "annotation-xml") if foreign else name in UNSEEN
        if name == "template" and "shadowrootmode" in tag.attributes and not foreign:
            unseen = False
        node.hidden = bool(around and around.hidden) or (name != "html" and (unseen or hides(tag)))
        node.as_is = bool(around and around.as_is) or name in PRE
        if not node.hidden and not foreign:
            node.names = names_of(tag.attributes)
            node.kept = bool(node.names) or name in BLOCK or name in ("a", "abbr", "time")
        if node.kept:
            self.kept.append(node)
        if not foreign:
            self.declare(tag, node)
        self.stack.append(node)

    # What a tag says of the page

    def declare(self, tag: Tag, node: Node | None) -> None:
        """`node` is the element, None if it has no content."""
        if self.in_template():
            return
        row = self.kept.index(node) if node and node.kept else -1
        self.facts += [f for f in html_facts.of_tag(tag, row) if f.kind != "base" or not any(g.kind == "base" for g in self.facts)]
        if tag.name in ("a", "area") and "href" in tag.attributes:
            self.open_link(tag, node)
        items, by_text = html_facts.items_of(tag)
        self.facts += items
        if node and by_text:
            node.fact = len(self.facts) - 1

    def open_link(self, tag: Tag, node: Node | None) -> None:
        path = [*(self.stack[-1].path if self.stack else ()), *([node] if node else [])]
        nearest = next(one for one in reversed(path) if one.kept)
        self.links.append(Link(tag.attributes["href"], " ".join(words(tag.attributes.get("rel", ""))), nearest))
        self.link = None
        if tag.name == "a":
            self.link, self.link_depth = len(self.links) - 1, len(self.stack)

    def raw(self, tag: Tag) -> None:
        begin, end = self.at, raw_end(self.source, self.at, tag.name)
        content = self.source[begin:end]
        if tag.name in ("xmp", "plaintext"):
            self.push(tag, foreign=False)
            self.text(content, as_written=True)
            self.pop()
        elif not self.in_template():
            if tag.name == "title":
                self.facts.append(Fact("title", "", referred(content.replace("\0", "\ufffd"))))
            elif html_facts.is_json_ld(tag):
                self.facts.append(Fact("json-ld", "", content.replace("\0", "\ufffd")))
        self.at = len(self.source) if end is None else end
        if end is not None:
            self.tag()

    # End tags

    def end_tag(self) -> None:
        tag = self.tag()
        if tag is None:
            return
        name = tag.name
        if self.top.foreign:
            for node in reversed(self.stack):
                if not node.foreign:
                    break
                if node.name == name:
                    self.pop_to(node)
                    return
            if name not in ("br", "p"):
                return
            while self.top.foreign:
                self.pop()
        self.end(name)

    def end(self, name: str) -> None:
        if name in ("html", "head", "body"):
            return
        if name == "br":
            if not self.top.hidden and self.in_body:
                self.end_line()
        elif name == "p":
            if not self.end_in("p", button_scope):
                self.end_run()
        elif name == "li":
            self.end_in("li", lambda node: scope(node) or (node.name in ("ol", "ul") and not node.foreign))
        elif name in HEADINGS:
            self.end_heading()
        elif name == "form":
            self.in_form = False
            if self.top.name == "form":
                self.pop()
        elif name == "template":
            self.end_in("template", lambda node: False)
        elif name in TABLE_END:
            self.end_in(name, table_scope)
        else:
            if name == "a":
                self.link = None
            self.end_in(name, scope if name in SPECIAL or name == "dialog" else special)

    def end_heading(self) -> None:
        for node in reversed(self.stack):
            if node.name in HEADINGS and not node.foreign:
                self.pop_to(node)
                return
            if scope(node):
                return

    def end_in(self, name: str, barrier: Callable[[Node], bool]) -> bool:
        """End the innermost element of a name if nothing that stops the search is inside of it."""
        for node in reversed(self.stack):
            if node.name == name:
                self.pop_to(node)
                return True
            if barrier(node):
                return False
        return False

    def pop_to(self, node: Node) -> None:
        while node in self.stack:
            self.pop()

    def pop(self) -> None:
        if self.top.block:
            self.end_run()
        if self.top.name in SCOPE and self.link is not None and self.link_depth >= len(self.stack):
            self.link = None
        self.stack.pop()


def scope(node: Node) -> bool:
    return node.hinge if node.foreign else node.name in SCOPE


def button_scope(node: Node) -> bool:
    return scope(node) or (node.name == "button" and not node.foreign)


def special(node: Node) -> bool:
    return node.hinge if node.foreign else node.name in SPECIAL


def table_scope(node: Node) -> bool:
    return not node.foreign and node.name in ("html", "table", "template")


def names_of(attributes: dict[str, str]) -> str:
    all_ = " ".join(word for key in ("id", "class", "role") for word in words(attributes.get(key, "")))
    return html_facts.cut(all_, html_facts.LONGEST_NAMES)


def hides(tag: Tag) -> bool:
    if "hidden" in tag.attributes or (tag.name == "dialog" and "open" not in tag.attributes):
        return True
    if tag.name == "input" and lower(tag.attributes.get("type", "")).strip(SPACE) == "hidden":
        return True
    said = {}
    for declaration in lower(tag.attributes.get("style", "")).split(";"):
        key, colon, value = declaration.partition(":")
        if colon:
            said[key.strip(SPACE)] = next(iter(words(value.replace("!", " ! "))), "")
    return said.get("display") == "none" or said.get("visibility") in ("hidden", "collapse")
