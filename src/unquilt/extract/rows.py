"""What becomes of a batch of founds? Batches of rows, numbered from 0; who writes them knows the numbers they get."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from unquilt.corpus.capture import CAPTURE, LINK, PAGE_DATE, REDIRECT, REVISIT, SKIPPED, same_key
from unquilt.corpus.text import utf8
from unquilt.extract.page import OTHER, How, Link, Page, Redirect, page_of_record, page_of_response
from unquilt.read.ending import LOST
from unquilt.read.record import Found, Record, Response, Revisit, Skip
from unquilt.read.room import TooDear
from unquilt.read.url import host_of
from unquilt.table import Table

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

UNREADABLE = "cannot be read"
TABLES = (CAPTURE, LINK, PAGE_DATE, REDIRECT, REVISIT, SKIPPED)


@dataclass(frozen=True)
class Work:
    """Some founds of one input file, in order."""

    name: str
    snapshot: str | None
    how: How
    founds: Sequence[Found]
    room: int | None = None
    """Bytes that one page may take beside its own; None: any."""

    @property
    def size(self) -> int:
        """Bytes or characters of what it holds, about."""
        return sum(map(size_of, self.founds))


@dataclass(frozen=True)
class Extracted:
    """`tables`: rows by table; first columns count from 0. `end`: how far in the input; `skipped`: records left out, by reason.

    `others`: responses that hold no page, by reason. `lost`: files that end too early or are damaged.
    """

    tables: dict[str, pa.RecordBatch]
    end: int
    skipped: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)
    lost: int = 0

    @property
    def pages(self) -> int:
        return int(self.tables[CAPTURE.name].num_rows)

    @property
    def html(self) -> int:
        """Pages whose text was found in HTML."""
        return self.pages - int(self.tables[CAPTURE.name].column("html_chars").null_count)


def size_of(found: Found) -> int:
    match found.record:
        case Record(text=text):
            return len(text)
        case Response(block=block):
            return len(block)
    return 0


def extracted(work: Work) -> Extracted:
    rows = _Rows(work)
    for found in work.founds:
        rows.take(found)
    last = work.founds[-1]
    return Extracted(rows.batches(), last.offset + last.length, rows.skipped, rows.others, rows.lost)


def renumbered(table: Table, batch: pa.RecordBatch, by: int) -> pa.RecordBatch:
    """The batch with its first column, which counts from 0, counting from there."""
    import pyarrow.compute as pc

    return batch.set_column(0, batch.schema.field(0), pc.add(batch.column(0), by)) if by else batch


def joined(pieces: Sequence[Extracted]) -> Extracted:
    """The pieces of one batch, as if they had been made together."""
    import pyarrow as pa

    tables: dict[str, pa.RecordBatch] = {}
    for table in TABLES:
        batches, base = [], 0
        for piece in pieces:
            batches.append(renumbered(table, piece.tables[table.name], base))
            base += piece.tables[counted_by(table).name].num_rows
        whole = pa.Table.from_batches(batches).combine_chunks().to_batches()
        tables[table.name] = whole[0] if whole else batches[0]
    skipped, others = (sum((getattr(p, name) for p in pieces), Counter[str]()) for name in ("skipped", "others"))
    return Extracted(tables, pieces[-1].end, skipped, others, sum(p.lost for p in pieces))


def counted_by(table: Table) -> Table:
    """The table whose rows the first column of this one counts: its own entries, or captures."""
    return CAPTURE if table.key[0] == "page" else table


@dataclass
class _Rows:
    """`columns`: of each table, as far as it has come. Links are many, and as rows they would be most of what is held."""

    work: Work
    columns: dict[str, dict[str, list[Any]]] = field(default_factory=lambda: {t.name: {name: [] for name in t.names} for t in TABLES})
    anchors: list[str] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)
    lost: int = 0

    def take(self, found: Found) -> None:
        try:
            outcome, skips = self._outcome(found)
        except (TooDear, MemoryError):
            raise
        except Exception as error:  # noqa: BLE001 - whatever one page does to us, the others are read
            outcome, skips = None, (Skip(UNREADABLE, f"{type(error).__name__}: {error}"[:200], url=getattr(found.record, "url", None)),)
        for skip in (*found.skips, *skips):
            self._skip(found, skip)
        self.others.update(skip.reason for skip in skips if skip.what == OTHER)
        if isinstance(outcome, Page):
            self._page(found, outcome)
        elif isinstance(outcome, Redirect):
            self._entry(REDIRECT, found, url=outcome.url, target=outcome.target, status=outcome.status, fetched_at=outcome.fetched_at)
        elif isinstance(outcome, Revisit):
            self._revisit(found, outcome)

    def _outcome(self, found: Found) -> tuple[Page | Redirect | Revisit | None, tuple[Skip, ...]]:
        record = found.record
        if isinstance(record, Record):
            return page_of_record(record), ()
        if isinstance(record, Response):
            return page_of_response(record, self.work.how, self.work.room)
        return record, ()

    def _file(self, found: Found) -> str:
        """Of an input that holds several, its name comes first: `crawl.wacz/archive/a.warc.gz`."""
        return self.work.name if found.file is None else f"{self.work.name}/{found.file}"

    def _add(self, table: Table, row: dict[str, Any]) -> None:
        for name, column in self.columns[table.name].items():
            column.append(row.get(name))

    def _entry(self, table: Table, found: Found, **row: Any) -> None:
        number = len(self.columns[table.name]["entry"])
        self._add(table, {"entry": number, "file": self._file(found), "offset": found.in_file[0], **row})

    def _skip(self, found: Found, skip: Skip) -> None:
        """What was found in no bytes at all is no record: it says something of the file."""
        what = skip.what if found.length else "file"
        if what == "record":
            self.skipped[skip.reason] += 1
        self.lost += skip.reason == LOST
        self._entry(SKIPPED, found, what=what, url=skip.url, reason=skip.reason, detail=skip.detail)

    def _revisit(self, found: Found, r: Revisit) -> None:
        same = same_key(r.url, f"{self._file(found)}#{found.in_file[0]}", apart=False)
        said = {"fetched_at": r.fetched_at, "ip": r.ip, "digest": r.digest, "of_url": r.of_url, "of_date": r.of_date}
        self._entry(REVISIT, found, snapshot=self.work.snapshot, length=found.in_file[1], same=same, **_place(r.url), **said)

    def _page(self, found: Found, page: Page) -> None:
        assert isinstance(found.record, Record | Response)
        from unquilt.text import language

        number, file = len(self.anchors), self._file(found)
        offset, length = found.in_file
        url, given = found.record.url, found.record.given_id
        id_ = given or url or f"{file}#{offset}"
        apart = bool(given) and self.work.how.same_url == "keep"
        main = None if page.main is None else page.main.reshape(-1)
        self._add(
            CAPTURE,
            {"replaced": 0, **page.said}
            | {"page": number, "id": id_, **_place(url), "snapshot": self.work.snapshot}
            | {"apart": apart, "same": same_key(url, id_, apart)}
            | {"detected_language": language.detected(page.text)}
            | {"text": page.text, "text_chars": len(page.text), "main": main}
            | {"file": file, "offset": offset, "length": length},
        )
        self.anchors.append("\n".join(link.anchor for link in page.links))
        self._links(number, page.links)
        for n, d in enumerate(page.dates):
            said = {"source": d.source, "detail": d.detail, "found": d.found, "at": d.at, "kind": d.kind, "flag": d.flag}
            self._add(PAGE_DATE, {"page": number, "place": n, **said, "counts": d is page.counts})

    def _links(self, number: int, links: Sequence[Link]) -> None:
        columns = self.columns[LINK.name]
        columns["page"] += [number] * len(links)
        columns["place"] += range(len(links))
        for name in ("target", "anchor", "rel", "begin", "end"):
            columns[name] += map(attrgetter(name), links)

    def batches(self) -> dict[str, pa.RecordBatch]:
        self._count_words()
        return {t.name: t.batch(**self.columns[t.name]) for t in TABLES}

    def _count_words(self) -> None:
        import pyarrow as pa

        capture: dict[str, Any] = self.columns[CAPTURE.name]
        capture["text"] = pa.array(capture["text"], pa.string())
        capture["words"] = _words(capture["text"])
        anchored = _words(pa.array(self.anchors, pa.string())).tolist()
        capture["anchor_words"] = [n if chars is not None else None for n, chars in zip(anchored, capture["html_chars"], strict=True)]


def _place(url: str | None) -> dict[str, str | None]:
    """Where a URL leads: columns of `capture` and `revisit`."""
    from unquilt.read.domain import domain_of

    host = host_of(url) if url else None
    return {"url": url, "host": host, "domain": domain_of(host), "site": domain_of(host, private=True)}


def _words(texts: pa.Array) -> NDArray[np.int64]:
    """How many each text has."""
    import numpy as np

    from unquilt import kernel

    _, starts = kernel.words(*utf8(texts))
    return np.diff(starts)
