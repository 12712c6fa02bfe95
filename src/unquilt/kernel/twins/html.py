"""The visible text of HTML, as `docs/kernels.md` says: each character with the elements around it, and then what is asked of them.

The bounds on what one page can cost are kept here only where real pages reach them: in the length of facts and names.
"""

from dataclasses import dataclass, field

from .html_facts import LONGEST, LONGEST_ITEM, Fact, cut
from .html_source import SPACE
from .html_tree import LINE, Char, Node, Reader

BLANK = SPACE + "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u2028\u2029\u202f\u205f\u3000\ufeff"

Extent = tuple[int, int]


@dataclass
class Page:
    text: str = ""
    runs: list[list[int]] = field(default_factory=list)
    """Begin, end, row of the element, characters in links."""
    elements: list[tuple[int, int, int, str, bool]] = field(default_factory=list)
    """Begin and end ((0, 0) without text), row of the parent, name, whether it is a block."""
    names: list[str] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    links: list[tuple[int, int, int]] = field(default_factory=list)
    """Begin and end, (0, 0) without text, and the row of the element."""
    hrefs: list[str] = field(default_factory=list)
    rels: list[str] = field(default_factory=list)
    characters: int = 0


def html(source: bytes) -> Page:
    """Return what can be seen of a page, and what it says of itself."""
    decoded = source.decode("utf-8", "replace")
    reader = Reader(decoded.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    reader.read()
    page = laid_out(reader)
    page.facts = [fact if fact.kind == "json-ld" else fact._replace(value=cut(fact.value, LONGEST)) for fact in page.facts]
    page.characters = len(decoded)
    return page


def laid_out(reader: Reader) -> Page:
    rows = {node: row for row, node in enumerate(reader.kept)}
    page = Page(names=[node.names for node in reader.kept], facts=reader.facts)
    at: list[Char | None] = []
    for run in map(collapsed, reader.runs):
        if not run:
            continue
        at += [None] * bool(at)
        page.runs.append([len(at), len(at) + len(run), rows[around(run)], in_links(run)])
        at += run
    page.text = "".join(one.c if one else "\n" for one in at)
    of_node: dict[Node, list[int]] = {}
    of_link: dict[int | None, list[int]] = {}
    for n, one in enumerate(at):
        if one and one.c not in BLANK:
            of_link.setdefault(one.link, []).append(n)
            of_node.setdefault(one.node, []).append(n)
    for node, places in list(of_node.items()):
        for outer in node.path[:-1]:
            of_node.setdefault(outer, []).extend((min(places), max(places)))
    for node in reader.kept:
        parent = next((rows[outer] for outer in reversed(node.path[:-1]) if outer.kept), -1)
        page.elements.append((*extent(of_node.get(node, [])), parent, node.name, node.block))
    page.links = [(*extent(of_link.get(n, [])), rows[link.node]) for n, link in enumerate(reader.links)]
    page.hrefs, page.rels = [link.href for link in reader.links], [link.rel for link in reader.links]
    for node, places in of_node.items():
        if node.fact is not None:
            text = cut(page.text[slice(*extent(places))], LONGEST_ITEM)
            page.facts[node.fact] = page.facts[node.fact]._replace(value=text)
    return page


def around(run: list[Char]) -> Node:
    """The innermost kept element around all of a run."""
    shared = set.intersection(*(set(node.path) for node in {one.node for one in run}))
    return [node for node in run[0].node.path if node.kept and node in shared][-1]


def in_links(run: list[Char]) -> int:
    """White space is in a link only between what can be seen of it."""
    solid = [(n, one.link) for n, one in enumerate(run) if one.c not in BLANK]
    extents = [extent([n for n, link in solid if link == one]) for one in {link for _, link in solid} - {None}]
    return sum(end - begin for begin, end in extents)


def extent(places: list[int]) -> Extent:
    return (min(places), max(places) + 1) if places else (0, 0)


def collapsed(run: list[Char]) -> list[Char]:
    """White space as a browser shows it, none at the ends of the run."""
    out: list[Char] = []
    for one in run:
        if one.c == LINE:
            while out and out[-1].c in BLANK:
                out.pop()
            out += [one._replace(c="\n")] * bool(out)
        elif one.c not in BLANK or (out and one.c not in SPACE):
            out.append(one)
        elif out and one.as_is:
            out.append(one._replace(c="\n" if one.c == "\r" else one.c))
        elif out and out[-1].c not in " \n":
            out.append(one._replace(c=" "))
    while out and out[-1].c in BLANK:
        out.pop()
    return out
