"""A world of a few pages, and every row that every method makes of it, written down by hand.

Grams are of three words (K), and on more than four pages (M) a gram is common. The current pages say:

     0 a.example   the cat sat on the mat
     1 a.example   a dog by the sea saw that the cat
                   sat on the mat and ran
     2 b.example   as 0, in other capitals
     6 b.example   nothing
     7 c.example   four ideographs
     8 a.example   the same four, twice
     9 d.example   hi there
    11 b.example   a dog by the sea a dog by the sea
    12 c.example   sat on the sea
    14 no host     today the cat sat on the mat
    16 no host     nothing; its id is the URL of 0
    17 b.example   as 9
    18 a.example   i saw that the cat is by the sea
    19 d.example   today the cat
    20 f.example   nobody else says this
    21 g.example   nothing on in may 2020
    22 g.example   nothing on in june 2020
    23 g.example   page not found

3, 5, 10 and 13 are captures of 0, 14, 11 and 12 that are older, were read earlier or have no date; 4 and 15
were taken down. Page 3 would be a copy of 9, page 4 of 0, and e.example a host, if those were read.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from publishing import publish

from unquilt.corpus.capture import CAPTURE, REDIRECT, TOMBSTONE, same_key
from unquilt.store import Store

K, M = 3, 4
GROUP_ROWS = 4
SECOND_SEGMENT = 9

# (host, path of the URL, or the id where there is no host, fetched_at, text)
PAGES: list[tuple[str | None, str, int | None, str]] = [
    ("a.example", "one", 20, "The cat sat on the mat."),
    ("a.example", "two", 20, "A dog by the sea saw that the cat sat on the mat, and ran."),
    ("b.example", "copy", 30, "THE CAT -- sat on the mat!"),
    ("a.example", "one", 10, "Hi, there."),
    ("b.example", "gone", 40, "The cat sat on the mat"),
    (None, "note", 20, "An older note"),
    ("b.example", "empty", 20, ""),
    ("c.example", "mountain", 20, "山高水長"),
    ("a.example", "mountain", None, "山高水長。山高水長。"),
    ("d.example", "short", 20, "Hi there"),
    ("b.example", "twice", 50, "First words here now"),
    ("b.example", "twice", 50, "A dog by the sea, a dog by the sea."),
    ("c.example", "dated", 1, "sat on the sea"),
    ("c.example", "dated", None, "sat on the moon"),
    (None, "note", 20, "Today, the cat sat on the mat."),
    ("e.example", "gone", 20, "Of e only"),
    (None, "http://a.example/one", 20, ""),
    ("b.example", "late", 60, "Hi... THERE"),
    ("a.example", "three", 20, "I saw that the cat is by the sea"),
    ("d.example", "today", 20, "Today the cat"),
    ("f.example", "alone", 20, "Nobody else says this"),
    ("g.example", "2020/05/", 20, "Nothing on in May 2020."),
    ("g.example", "2020/06/", 20, "Nothing on in June 2020."),
    ("g.example", "lost", 20, "Page not found"),
]
REDIRECTS = [("http://g.example/x", "http://g.example/2020/05/"), ("http://g.example/y", "http://g.example/2020/05/")]
REMOVED = [4, 15]
SAME_BY_ACCIDENT = (19, 20)  # the hashes of their URLs are equal, the URLs are not

HOST = [(0, "a.example", 5), (1, "b.example", 5), (2, "c.example", 3), (3, "d.example", 2), (4, "f.example", 1), (5, "g.example", 3)]

CURRENT = [
    (0, 0),
    (1, 0),
    (2, 1),
    (6, 1),
    (7, 2),
    (8, 0),
    (9, 3),
    (11, 1),
    (12, 2),
    (14, -1),
    (16, -1),
    (17, 1),
    (18, 0),
    (19, 3),
    (20, 4),
    (21, 5),
    (22, 5),
    (23, 5),
]

FINGERPRINT = [
    (0, 6, 1564504571948131589, 1505372582099732385),
    (1, 15, 6912886496691228200, -8167564921864613912),
    (2, 6, 1564504571948131589, 1505372582099732385),
    (3, 2, -1007995936300029977, -3710871816963131224),
    (4, 6, 1564504571948131589, 1505372582099732385),
    (5, 3, 8922685548894195941, 3036625098351058115),
    (6, 0, 8841707400507832957, 5974825227474435752),
    (7, 4, 6061731045626916024, -8806298591515318152),
    (8, 8, 3078545472539451622, -2125915938896414378),
    (9, 2, -1007995936300029977, -3710871816963131224),
    (10, 4, -6200282641269911287, -8544760431012314148),
    (11, 10, -814879063361189254, 8093340547269468769),
    (12, 4, 2637020589923518842, 952584724554591544),
    (13, 4, -579163852807347303, -5919210460148127456),
    (14, 7, -172545097984138823, 5095562634399700339),
    (15, 3, 5665949891639732453, -407784069618465226),
    (16, 0, 8841707400507832957, 5974825227474435752),
    (17, 2, -1007995936300029977, -3710871816963131224),
    (18, 9, 46835213426847790, 2815793197825389666),
    (19, 3, 1687800095835890845, -6343131636868896339),
    (20, 4, -3080548411677894982, -7628161081241856036),
    (21, 5, 5987588800504106398, 1405794408944352854),
    (22, 5, -4436617448915842527, 9074483381565453347),
    (23, 3, 372135923185993637, 3196469599149413053),
]

COPY = [(0, 0, 2, 6), (2, 0, 2, 6), (9, 9, 2, 2), (17, 9, 2, 2)]

PAGE_SIZE = [
    (0, 6, 4),
    (1, 15, 13),
    (2, 6, 4),
    (6, 0, 0),
    (7, 4, 2),
    (8, 8, 4),
    (9, 2, 0),
    (11, 10, 5),
    (12, 4, 2),
    (14, 7, 5),
    (16, 0, 0),
    (17, 2, 0),
    (18, 9, 7),
    (19, 3, 1),
    (20, 4, 2),
    (21, 5, 3),
    (22, 5, 3),
    (23, 3, 1),
]

# Repeated: {1, 11} share 2 grams, {1, 11, 18} 1, {1, 18} 2, {7, 8} 2, {14, 19} 1, {21, 22} 1, {0, 1, 2, 14} 3;
# common: "sat on the", on five pages.
GRAM_FREQUENCY = [(1, 20), (2, 8), (3, 1), (4, 3), (5, 1)]

# {1, 18} is within a.example, {21, 22} within g.example, and {14, 19} has no second host: repeated, not foreign.
SERVER_OVERLAP = [(0, 16, 12), (1, 6, 6), (2, 2, 2), (3, 1, 0), (5, 2, 0)]

SERVER_PAIR = [(0, 1, 6), (0, 2, 2)]

HOST_OVERLAP = [
    ("a.example", 4, 28, 16, 12),
    ("b.example", 4, 9, 6, 6),
    ("c.example", 2, 4, 2, 2),
    ("d.example", 2, 1, 1, 0),
    ("f.example", 1, 2, 0, 0),
    ("g.example", 3, 7, 2, 0),
]

HOST_PAIR = [("a.example", "b.example", 6), ("a.example", "c.example", 2)]

# Two pages are many here, and the pages were fetched in 1970.
_MONTHS = "http://g.example/{year}/{month}/"

ADDRESS = [
    (21, _MONTHS, "date", "2020-05", 1588291200000000, None),
    (22, _MONTHS, "date", "2020-06", 1590969600000000, None),
]

BARE_TEXT = [
    (0, 5, -5487979628203812431, -6515610762677044883),
    (1, 14, 6105587228730034158, 989231950961841604),
    (2, 5, -5487979628203812431, -6515610762677044883),
    (3, 2, 8963395478827092464, 8699519283655081619),
    (4, 5, -5487979628203812431, -6515610762677044883),
    (5, 3, -4325285143707488511, 4555569113944572764),
    (6, 0, 0, 0),
    (7, 3, -7033287350503358320, -8263692913121832703),
    (8, 6, -7033287350503358320, -8263692913121832703),
    (9, 2, 8963395478827092464, 8699519283655081619),
    (10, 4, -6267998807328326171, -3966779783479636276),
    (11, 10, -1216047179579623, 65148613228798116),
    (12, 3, 76390201838748554, 1396114315549841991),
    (13, 3, 5823269670442574739, 5487462591234166649),
    (14, 6, -4392562663011873709, -7175627232215700210),
    (15, 3, -7326188784298703344, -53174169904384185),
    (16, 0, 0, 0),
    (17, 2, 8963395478827092464, 8699519283655081619),
    (18, 9, 476515854117260510, -5420072102675278344),
    (19, 3, 2322522708812298369, -1478803352909039950),
    (20, 4, -7645765764277422322, 859759747041965773),
    (21, 3, -6583628892338209166, -1314668884322572821),
    (22, 3, -6583628892338209166, -1314668884322572821),
    (23, 3, -5805137332663782235, 970571298486611700),
]

NOT_FOUND = [(23, "text", "Page not found")]

SAME_WORDS = [(21, 21, 2, 3), (22, 21, 2, 3)]

SUSPECT = [
    (21, "calendar", "dates ahead", _MONTHS, "until 2020-06", 2, 21),
    (21, "calendar", "same words", _MONTHS, None, 2, 21),
    (22, "calendar", "dates ahead", _MONTHS, "until 2020-06", 2, 21),
    (22, "calendar", "same words", _MONTHS, None, 2, 21),
    (23, "soft 404", "says so", "Page not found", "text", 1, 23),
]

REDIRECT_SINK = [("http://g.example/2020/05/", 2, "http://g.example/x")]

ROWS: dict[str, list[tuple[Any, ...]]] = {
    "host": HOST,
    "current": CURRENT,
    "fingerprint": FINGERPRINT,
    "copy": COPY,
    "page_size": PAGE_SIZE,
    "gram_frequency": GRAM_FREQUENCY,
    "server_overlap": SERVER_OVERLAP,
    "server_pair": SERVER_PAIR,
    "host_overlap": HOST_OVERLAP,
    "host_pair": HOST_PAIR,
    "address": ADDRESS,
    "bare_text": BARE_TEXT,
    "not_found": NOT_FOUND,
    "same_words": SAME_WORDS,
    "suspect": SUSPECT,
    "redirect_sink": REDIRECT_SINK,
}


def captures() -> list[tuple[Any, ...]]:
    return [_capture(page, *one) for page, one in enumerate(PAGES)]


def _capture(page: int, host: str | None, path: str, fetched_at: int | None, text: str) -> tuple[Any, ...]:
    url = f"http://{host}/{path}" if host else None
    id_ = url or path
    same = 7 if page in SAME_BY_ACCIDENT else same_key(url, id_, apart=False)
    said = {"page": page, "id": id_, "url": url, "host": host, "same": same, "fetched_at": fetched_at, "text": text}
    said |= {"apart": False, "replaced": 0, "text_chars": 0, "words": 0}
    origin = {"file": "world.jsonl", "offset": page, "length": 1}
    return tuple((said | origin).get(c.name) for c in CAPTURE.columns)


def build(folder: Path) -> Store:
    """The world as a study."""
    rows = captures()
    redirects = [(entry, url, target, 301, 20, "world.jsonl", 100 + entry) for entry, (url, target) in enumerate(REDIRECTS)]
    return study_of(folder, [rows[:SECOND_SEGMENT], rows[SECOND_SEGMENT:]], [(page,) for page in REMOVED], redirects)


def empty(folder: Path) -> Store:
    """A study of no page: its tables have schemas and no rows."""
    return study_of(folder, [[]], [], [])


def study_of(
    folder: Path,
    segments: Sequence[Sequence[tuple[Any, ...]]],
    removed: Sequence[tuple[int]],
    redirects: Sequence[tuple[Any, ...]],
) -> Store:
    store = Store(folder)
    store.create(words_version=1)
    publish(store, CAPTURE, segments, GROUP_ROWS)
    publish(store, TOMBSTONE, [removed], GROUP_ROWS)
    publish(store, REDIRECT, [redirects], GROUP_ROWS)
    return store
