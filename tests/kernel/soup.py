"""Pages of HTML: what the kernel and its twin make of them in the same words, and such as nobody would write."""

import random
from typing import Any

import numpy as np
from hypothesis import strategies as st

from unquilt import kernel
from unquilt.kernel.twins import html as twin

TAGS = (
    "a a abbr address annotation-xml area article aside b base blockquote body br button caption center code col colgroup datalist dd del "
    "desc details dialog div div dl dt em embed fieldset figcaption figure font footer foreignObject form frame frameset h1 h2 h3 head "
    "header hr html i iframe img input kbd label legend li li link listing main map mark marquee math menu meta mi mtext nav nobr noframes "
    "noscript object ol optgroup option p p param picture plaintext pre q rb rp rt rtc ruby script section select slot span span style sub "
    "summary sup svg table table tbody td td template textarea tfoot th thead time title tr tr u ul var video wbr x-y x-y- xmp z\0"
).split()
ATTRIBUTES = (
    'id=a class="B  c" href=x href="y&amp;z" hidden style="display:none" style="DISPLAY:Block;visibility:hidden" style=color:red open '
    "type=hidden rel='NoFollow ugc' role=main itemprop=n itemprop=&#65; datetime=2020 title=t content=c name=N property=og:t http-equiv=r "
    "lang=de xml:lang=fr encoding=text/html shadowrootmode=open type=application/ld+json ID=q id= id=é id=a\0b x=\" y=' = / \" ' < a=b/"
).split(" ")
LETTERS = [*"xyzé漢𐐀\u0301", "word", "two words", "\u00ad"]
BLANKS = [*" \t\n\f\r", "\r\n", "  ", "\xa0", "\u3000", "\u200b", "\ufeff", "\u0085", "\u2003"]
REFERENCES = (
    "&amp; &amp &nbsp; &nbsp &lt &#65; &#x41 &#0; &#128; &#xD800; &#x110000; &#99999999999; &notit; &notin; &ampx &ampx; &hellip; "
    "&NotEqualTilde; & &; &# &#; &#x &#xg; &a &CounterClockwiseContourIntegral; &#13; &#10; &#32; &#160;"
).split(" ")
ODD = (
    (
        '<!----> <!--> <!---> <!--x--> <!--x--!> <!--x <!-- <!- <! <!doctype~html> <!x> <?php~x?> </> </~x> < </ <a <a~ </a </a~ <a~href=" '
        "<![CDATA[x<b>]]> <![CDATA[ ]]> --> --!> > \0 <!--<!----> <!--<script> </script </script> </title> </textarea> </xmp> </style/x> "
        "<script><!-- <script>x</script> <p/> <br/> <svg/> <b~hidden> </p> </br>"
    )
    .replace("~", "\t")
    .split(" ")
)
BROKEN = [b"\xff", b"\xc3", b"\xe2\x82", b"\xed\xa0\x80", b"\xf0\x9f\x98", b"\xc0\x80", b"\xf4\x90\x80\x80", b"\x80"]

Seen = dict[str, Any]


def source(html: str | bytes) -> np.ndarray[Any, Any]:
    return np.frombuffer(html if isinstance(html, bytes) else html.encode(), dtype=np.uint8)


def seen(html: str | bytes) -> Seen:
    """What the kernel sees; places of what has no text are (0, 0), as there is nothing to say of them."""
    text, runs, elements, names, facts, links, hrefs, rels, characters = kernel.html(source(html))
    return {
        "text": text,
        "runs": runs.reshape(-1, 4).tolist(),
        "elements": [(*extent(b, e), p, kernel.HTML_TAGS[tag], bool(block)) for b, e, p, tag, block in elements.reshape(-1, 5).tolist()],
        "names": names,
        "facts": facts,
        "links": [(*extent(b, e), row) for b, e, row in links.reshape(-1, 3).tolist()],
        "hrefs": hrefs,
        "rels": rels,
        "characters": characters,
    }


def extent(begin: int, end: int) -> tuple[int, int]:
    return (begin, end) if begin < end else (0, 0)


def seen_by_twin(html: str | bytes) -> Seen:
    page = vars(twin.html(html if isinstance(html, bytes) else html.encode()))
    known = set(kernel.HTML_TAGS)
    return page | {"elements": [(b, e, row, name if name in known else "", block) for b, e, row, name, block in page["elements"]]}


def seen_by_both(html: str | bytes) -> Seen:
    page = seen(html)
    assert page == seen_by_twin(html)
    return page


def start_tags() -> st.SearchStrategy[str]:
    name = st.sampled_from(TAGS).flatmap(lambda name: st.sampled_from((name, name, name, name.upper())))
    attributes = st.lists(st.sampled_from(ATTRIBUTES), max_size=3)
    end = st.sampled_from((">", ">", ">", ">", ">", "/>", " / >", ""))
    return st.tuples(name, attributes, end).map(lambda tag: "<" + " ".join([tag[0], *tag[1]]) + tag[2])


def end_tags() -> st.SearchStrategy[str]:
    return st.tuples(st.sampled_from(TAGS), st.sampled_from((">", ">", ">", " >", " x>", "\n", ""))).map(lambda tag: f"</{tag[0]}{tag[1]}")


def pieces() -> st.SearchStrategy[bytes]:
    text = st.sampled_from(LETTERS + BLANKS + REFERENCES)
    piece = st.one_of(start_tags(), start_tags(), end_tags(), end_tags(), text, text, st.sampled_from(ODD)).map(str.encode)
    return st.one_of(*[piece] * 9, st.sampled_from(BROKEN), st.binary(max_size=4))


def tag_soup() -> st.SearchStrategy[bytes]:
    """Bytes of a page: tags of every kind in any order, half of them unended, references, comments, ill-formed sequences."""
    return st.lists(pieces(), max_size=30).map(b"".join)


def soups(seed: int, pages: int) -> list[bytes]:
    """Many such pages at once, the same on every call."""
    choose = random.Random(seed)
    return [b"".join(_piece(choose) for _ in range(choose.choice((3, 6, 12, 30)))) for _ in range(pages)]


def _piece(choose: random.Random) -> bytes:
    kind = choose.random()
    if kind < 0.4:
        attributes = choose.choices(ATTRIBUTES, k=choose.choice((0, 0, 0, 1, 2)))
        piece = "<" + " ".join([choose.choice(TAGS), *attributes]) + choose.choice((">", ">", ">", ">", ">", ">", "/>", ""))
    elif kind < 0.62:
        piece = f"</{choose.choice(TAGS)}{choose.choice(('>', '>', '>', '>', '>', ' x>', ''))}"
    elif kind < 0.95:
        piece = choose.choice((*LETTERS, *BLANKS, *REFERENCES))
    else:
        return choose.choice((*map(str.encode, ODD), *BROKEN))
    return piece.encode()
