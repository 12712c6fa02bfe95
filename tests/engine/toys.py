"""Small steps of every kind that an engine must run. Their kernels are plain Python, so any engine can.

They read `number`: each row a number, with a value of every type a column may have, nulls among them.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from unquilt.step import Around, Block, Map, MapReduce, Part, Query, Reduce, Rows, Yielded
from unquilt.table import Column, Table

SPAN = 12  # buckets are 0 to SPAN - 1; parts are ranges of them


def _table(name: str, key: tuple[str, ...], **columns: str) -> Table:
    made = [Column(c, t.rstrip("?"), f"the {c}", nullable=t.endswith("?")) for c, t in columns.items()]
    return Table(name, 1, key, f"Each row is one {name}.", tuple(made))


NUMBER = _table("number", ("n",), n="int64", color="string?", weight="int32?", ratio="double?", odd="bool?", divisors="list<int64>?")
SHADE = _table("shade", ("color",), color="string", depth="int64")
ECHO = Table("echo", 1, NUMBER.key, "Each row is a number again.", NUMBER.columns)
COLOR = _table("color", ("color",), color="string", numbers="int64", total="int64", lightest="int32?")
TINT = _table("tint", ("n",), n="int64", color="string?", depth="int64?")
SEEN = _table("seen", ("n",), n="int64", bucket="int64")
TOTAL = _table("total", ("bucket",), bucket="int64", numbers="int64", total="int64")
RANK = _table("rank", ("numbers", "bucket"), numbers="int64", bucket="int64", total="int64")
TRAIL = _table("trail", ("bucket", "at"), bucket="int64", at="int64", said="string")
DEPTH = _table("depth", ("n",), n="int64", depth="int64", colors="int64")
LONG = _table("long", ("page",), page="int64", text="string")
CARRIED = _table("carried", ("page",), page="int64", text="string")

COLORS = ("red", "", "größe", None)


def number(n: int) -> tuple[Any, ...]:
    divisors = [d for d in range(2, n) if n % d == 0]
    return (n, COLORS[n % 4], None if n % 5 == 0 else n - 7, None if n % 3 == 0 else n / 8, None if n % 7 == 0 else n % 2 == 1,
            None if n % 6 == 1 else divisors)  # fmt: skip


def numbers(count: int) -> list[tuple[Any, ...]]:
    return [number(n) for n in range(count)]


# --- queries ---------------------------------------------------------------------------------------

BY_COLOR = Query(
    COLOR,
    """
    SELECT color, count(*) AS numbers, CAST(sum(n) AS BIGINT) AS total, min(weight) AS lightest
    FROM number WHERE n >= $least AND color IS NOT NULL AND color <> $without
    GROUP BY color ORDER BY color
    """,
    (NUMBER,),
    {"least": 3, "without": "größe"},
)

TINTED = Query(
    TINT,
    "SELECT n, color, depth FROM number LEFT JOIN shade USING (color) ORDER BY n",
    (NUMBER, SHADE),
)

NULL_WHERE_NONE_MAY_BE = Query(SEEN, "SELECT n, CASE WHEN n < 5 THEN n END AS bucket FROM number ORDER BY n", (NUMBER,))
OUT_OF_ORDER = Query(SEEN, "SELECT n, n AS bucket FROM number ORDER BY n DESC", (NUMBER,))
NO_SUCH_COLUMN = Query(SEEN, "SELECT n, colour AS bucket FROM number ORDER BY n", (NUMBER,))
FAILS_AT_A_ROW = Query(SEEN, "SELECT n, CAST(coalesce(color, 'none') AS BIGINT) AS bucket FROM number ORDER BY n", (NUMBER,))
ENDLESS = Query(
    SEEN,
    """
    SELECT n, bucket FROM (
        SELECT a.n, count(*) AS bucket FROM number AS a, number AS b, number AS c, number AS d
        WHERE (a.n * b.n + c.n * d.n) % 1000003 = 1 GROUP BY a.n
    ) ORDER BY n
    """,
    (NUMBER,),
)


# --- maps ------------------------------------------------------------------------------------------


def _echo(batch: Any, around: Around) -> Iterable[Yielded]:
    yield Rows("echo", batch.select(list(ECHO.names)))


def _echo_by_row(batch: Any, around: Around) -> Iterable[Yielded]:
    for at in range(batch.num_rows):
        yield Rows("echo", batch.select(list(ECHO.names)).slice(at, 0))
        yield Rows("echo", batch.select(list(ECHO.names)).slice(at, 1))


def _nothing(batch: Any, around: Around) -> Iterable[Yielded]:
    return ()


def _depths(batch: Any, around: Around) -> Iterable[Yielded]:
    shades = around.beside["shade"]
    depth = dict(zip(shades["color"].tolist(), shades["depth"].tolist(), strict=True))
    found = [depth.get(color, -1) for color in batch.column("color").to_pylist()]
    yield Rows("depth", DEPTH.batch(n=batch.column("n"), depth=found, colors=[len(shades["color"])] * len(found)))


def plain(call: Any, *tables: Table, beside: Any = ()) -> MapReduce:
    return MapReduce(tables, NUMBER, NUMBER.names, Map(call.__name__, 1, call), beside=beside)


ECHOED = plain(_echo, ECHO)
ECHOED_BY_ROW = plain(_echo_by_row, ECHO)
SILENT = plain(_nothing, ECHO)
DEEP = plain(_depths, DEPTH, beside=((SHADE, ("color", "depth")),))


# --- maps with reduces -----------------------------------------------------------------------------


def part_of(key: int, span: int, bits: int) -> int:
    return (key << bits) // span


def _bucket(n: int, params: Mapping[str, Any]) -> int:
    """Which bucket a number is for: its rest, or with `hot` nearly always that one."""
    hot = params.get("hot")
    return hot if hot is not None and n % 10 else n % params["buckets"]


def _pairs(part: Part, width: int) -> list[list[int]]:
    return sorted(row for block in part.blocks for row in block.view(np.int64).reshape(-1, width).tolist())


def _send(rows: Iterable[list[int]], around: Around, span: int) -> Iterator[Block]:
    """Each row to the part of its first number, a block a row."""
    for row in rows:
        yield Block(part_of(row[0], span, around.bits), np.array(row, np.int64))


def _seen(batch: Any, around: Around) -> Iterable[Yielded]:
    ns = batch.column("n").to_pylist()
    yield Rows("seen", SEEN.batch(n=ns, bucket=[_bucket(n, around.params) for n in ns]))
    yield from _send(([_bucket(n, around.params), n] for n in ns), around, SPAN)


def _bucketed(batch: Any, around: Around) -> Iterable[Yielded]:
    return (one for one in _seen(batch, around) if isinstance(one, Block))


def _sums(part: Part) -> list[tuple[int, int, int]]:
    sums: dict[int, list[int]] = {}
    for bucket, n in _pairs(part, 2):
        sums.setdefault(bucket, []).append(n)
    return [(bucket, len(ns), sum(ns)) for bucket, ns in sorted(sums.items())]


def _total(part: Part, around: Around) -> Iterable[Yielded]:
    for bucket, count, total in _sums(part):
        yield Rows("total", TOTAL.batch(bucket=[bucket], numbers=[count], total=[total]))


def _total_and_send(part: Part, around: Around) -> Iterable[Yielded]:
    yield from _total(part, around)
    rows = ([count, bucket, total] for bucket, count, total in _sums(part))
    yield from _send(rows, around, around.params["most"] + 1)


def _rank(part: Part, around: Around) -> Iterable[Yielded]:
    rows = _pairs(part, 3)
    yield Rows("rank", RANK.batch(**dict(zip(RANK.names, zip(*rows, strict=True) if rows else [[]] * 3, strict=True))))


def totals(buckets: int, hot: int | None = None) -> MapReduce:
    """A map and one reduce."""
    params = {"buckets": buckets, "hot": hot}
    reduces = (Reduce("total", 1, _total),)
    return MapReduce((TOTAL,), NUMBER, ("n",), Map("bucketed", 1, _bucketed, spill=1.0), reduces, params=params)


def ladder(buckets: int, most: int, hot: int | None = None) -> MapReduce:
    """A map and two reduces; each of the three makes a table. A bucket holds `most` numbers or fewer."""
    params = {"buckets": buckets, "most": most, "hot": hot}
    reduces = (Reduce("total and send", 1, _total_and_send, spill=1.0), Reduce("rank", 1, _rank))
    return MapReduce((SEEN, TOTAL, RANK), NUMBER, ("n",), Map("seen", 1, _seen, spill=1.0), reduces, params=params)


def _say(batch: Any, around: Around) -> Iterable[Yielded]:
    """For every other number as many blocks as it has letters to say, of 1, 2, 3... bytes."""
    for n in batch.column("n").to_pylist():
        for again in range(n % 4):
            said = f"{n}" + "." * again
            bucket = (n * 5) % SPAN
            yield Block(part_of(bucket, SPAN, around.bits), np.frombuffer(f"{bucket:02d}{said}".encode(), np.uint8))
        yield Block(0, np.zeros(0, np.int64))


def _listen(part: Part, around: Around) -> Iterable[Yielded]:
    heard: dict[int, list[str]] = {}
    for block in part.blocks:
        text = block.tobytes().decode()
        heard.setdefault(int(text[:2]), []).append(text[2:])
    for bucket, said in sorted(heard.items()):
        yield Rows("trail", TRAIL.batch(bucket=[bucket] * len(said), at=range(len(said)), said=said))


TRAILED = MapReduce((TRAIL,), NUMBER, ("n",), Map("say", 1, _say, spill=1.0), (Reduce("listen", 1, _listen),))


def _deep_blocks(batch: Any, around: Around) -> Iterable[Yielded]:
    return _send(([n % SPAN, n] for n in batch.column("n").to_pylist()), around, SPAN)


def _deep_sums(part: Part, around: Around) -> Iterable[Yielded]:
    depth = sum(around.beside["shade"]["depth"].tolist())
    for bucket, count, total in _sums(part):
        yield Rows("total", TOTAL.batch(bucket=[bucket], numbers=[count], total=[total * depth]))


DEEP_TOTALS = MapReduce(
    (TOTAL,),
    NUMBER,
    ("n",),
    Map("deep blocks", 1, _deep_blocks, spill=1.0),
    (Reduce("deep sums", 1, _deep_sums),),
    beside=((SHADE, ("depth",)),),
)


def _pack(batch: Any, around: Around) -> Iterable[Yielded]:
    for page, text in zip(batch.column("page").to_pylist(), batch.column("text").to_pylist(), strict=True):
        yield Block(part_of(page, SPAN, around.bits), np.frombuffer(f"{page:02d}{text}".encode(), np.uint8))


def _unpack(part: Part, around: Around) -> Iterable[Yielded]:
    for text in sorted(block.tobytes().decode() for block in part.blocks):
        yield Rows("carried", CARRIED.batch(page=[int(text[:2])], text=[text[2:]]))


CARRYING = MapReduce((CARRIED,), LONG, LONG.names, Map("pack", 1, _pack, spill=1.0), (Reduce("unpack", 1, _unpack),))


# --- kernels that go wrong -------------------------------------------------------------------------


def _batch_in_trouble(batch: Any, around: Around) -> Iterable[Yielded]:
    ns = batch.column("n").to_pylist()
    if around.params["where"] == "map" and around.params["n"] in ns:
        yield from _trouble(around, "seen", f"the batch of {ns}")
    yield from _seen(batch, around)


def _part_in_trouble(part: Part, around: Around) -> Iterable[Yielded]:
    if around.params["where"] == "reduce" and [b for b in part.blocks if around.params["n"] in b.view(np.int64)[1:]]:
        yield from _trouble(around, "total", f"part {part.number} of {1 << part.bits}")
    yield from _total_and_send(part, around)


def _second_part_in_trouble(part: Part, around: Around) -> Iterable[Yielded]:
    if around.params["where"] == "second reduce" and part.blocks:
        yield from _trouble(around, "rank", f"part {part.number} of {1 << part.bits}")
    yield from _rank(part, around)


def _trouble(around: Around, table: str, where: str) -> Iterator[Yielded]:
    kind = around.params["kind"]
    one = {"seen": (SEEN, 2), "total": (TOTAL, 3), "rank": (RANK, 3)}[table]
    if kind == "raises":
        raise ZeroDivisionError(f"a kernel broke in {where}")
    if kind == "rows out of order":
        yield Rows(table, one[0].batch(**{c: [5, 4] for c in one[0].names}))
    if kind == "a key twice":
        yield Rows(table, one[0].batch(**{c: [5, 5] for c in one[0].names}))
    if kind == "a part too large":
        yield Block(1 << around.bits, np.ones(3, np.int64))
    if kind == "a part below zero":
        yield Block(-1, np.ones(3, np.int64))
    if kind == "a table of another step":
        yield Rows("echo", ECHO.empty())
    if kind == "a column missing":
        yield Rows(table, one[0].batch(**{c: [5] for c in one[0].names}).select([one[0].names[0]]))
    if kind == "something else":
        yield "a word"  # type: ignore[misc]


def troubled(where: str, kind: str) -> MapReduce:
    """The ladder, going wrong where number 13 is."""
    params = {"buckets": 5, "most": 24, "where": where, "kind": kind, "n": 13}
    reduces = (Reduce("first", 1, _part_in_trouble, spill=1.0), Reduce("second", 1, _second_part_in_trouble))
    call = Map("troubled", 1, _batch_in_trouble, spill=1.0)
    return MapReduce((SEEN, TOTAL, RANK), NUMBER, ("n",), call, reduces, params=params)


def _block_without_reduce(batch: Any, around: Around) -> Iterable[Yielded]:
    yield Block(0, np.ones(1, np.int64))


UNASKED = plain(_block_without_reduce, ECHO)


# --- kernels that take long ------------------------------------------------------------------------


def _slow(batch: Any, around: Around) -> Iterable[Yielded]:
    for block in _bucketed(batch, around):
        yield block
        time.sleep(around.params["map"])


def _slow_total(part: Part, around: Around) -> Iterable[Yielded]:
    for one in _total(part, around):
        time.sleep(around.params["reduce"])
        yield one


def slow(*, map: float, reduce: float) -> MapReduce:
    """Sleeps so many seconds a row and a bucket."""
    params = {"buckets": SPAN, "map": map, "reduce": reduce}
    return MapReduce((TOTAL,), NUMBER, ("n",), Map("slow", 1, _slow, spill=1.0), (Reduce("slow total", 1, _slow_total),), params=params)
