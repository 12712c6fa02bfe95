"""How good is the main text, beside resiliparse and trafilatura, on pages whose main text people have marked?

    python bench/gold_text.py [--half 0|1] [--data FOLDER]

`gold_text_dev`: word 4-grams against the gold text; precision and recall by page, their means, the harmonic mean
of the two means (as the ScrapingHub article benchmark has it), and the mean of the F of each page.
`gold_segments_dev`: segments that must be in the main text, and segments that must not. White space and composed
letters are made alike on both sides, and soft hyphens left out. Rules are made on half 0; half 1 is scored once, at
the end.
"""

from __future__ import annotations

import argparse
import codecs
import json
import os
import re
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from halves import half

if TYPE_CHECKING:
    from unquilt.text.html import HtmlPage

N = 4
WORD = re.compile(r"\w+")
CHARSET = re.compile(rb"<meta[^>]{0,1000}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]{1,40})", re.IGNORECASE)
SETS = ("gold_text_dev", "gold_segments_dev")
DATA = Path(os.environ.get("UNQUILT_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")

Extractor = Callable[[str], str]


@dataclass(frozen=True)
class TextScore:
    pages: int
    precision: float
    recall: float
    page_f: float

    @property
    def f(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(frozen=True)
class SegmentScore:
    kept: int
    wanted: int
    out: int
    unwanted: int


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", type=int, choices=(0, 1), default=0, help="0: the half rules are made on; 1: the one held out")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the shared data")
    chosen = parser.parse_args()
    texts, segments = (rows(chosen.data / "pages" / f"{name}.parquet", chosen.half) for name in SETS)
    print(f"half {chosen.half}: {len(texts)} pages with gold text, {len(segments)} with gold segments\n")
    print(
        "| extractor | precision | recall | F | scrapinghub F | readability F | mean page F | wanted kept | unwanted out | both | CPU s |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for name, extract in extractors():
        begin = time.process_time()
        outs = [extract(row["html"]) for row in texts]
        cuts = [extract(row["html"]) for row in segments]
        seconds = time.process_time() - begin
        score = text_score(outs, (row["gold_text"] for row in texts))
        parts = [
            text_score(*zip(*((out, row["gold_text"]) for out, row in zip(outs, texts, strict=True) if row["set"] == part), strict=True))
            for part in ("scrapinghub", "readability")
        ]
        cut = segment_score(cuts, segments)
        both = (cut.kept + cut.out) / (cut.wanted + cut.unwanted)
        figures = [score.precision, score.recall, score.f, *(part.f for part in parts), score.page_f]
        print(
            f"| {name} | {' | '.join(f'{one:.3f}' for one in figures)} | {cut.kept}/{cut.wanted} | {cut.out}/{cut.unwanted} "
            f"| {both:.3f} | {seconds:.1f} |",
            flush=True,
        )
    return 0


def rows(path: Path, which: int | None = None) -> list[dict[str, Any]]:
    """The rows of one half, or of both, their HTML decoded."""
    import pyarrow.parquet as pq

    return [{**row, "html": decoded(row["html"])} for row in pq.read_table(path).to_pylist() if which in (None, half(row["url"]))]


def decoded(html: bytes) -> str:
    try:
        return html.decode("utf-8-sig")
    except UnicodeDecodeError:
        named = CHARSET.search(html)
        name = named.group(1).decode("ascii").lower() if named else "windows-1252"
        if name in {"iso-8859-1", "latin1", "us-ascii", "utf-8"}:
            name = "windows-1252"
        try:
            codecs.lookup(name)
        except LookupError:
            name = "windows-1252"
        return html.decode(name, "replace")


def extractors() -> Iterable[tuple[str, Extractor]]:
    import resiliparse.extract.html2text as resiliparse
    import trafilatura

    yield "unquilt", ours
    yield "unquilt, visible text", lambda html: page_of(html).text
    yield "resiliparse main", lambda html: resiliparse.extract_plain_text(html, main_content=True, preserve_formatting=False)
    yield "trafilatura fast", lambda html: trafilatura.extract(html, fast=True, include_comments=False) or ""
    yield "trafilatura", lambda html: trafilatura.extract(html, include_comments=False) or ""


def ours(html: str) -> str:
    from unquilt.text.main_text import main_spans

    page = page_of(html)
    return "\n".join(page.text[begin:end] for begin, end in main_spans(page).tolist())


def page_of(source: str) -> HtmlPage:
    from unquilt.text import html

    return html.page(source.encode("utf-8", "replace"))


def text_score(outs: Iterable[str], golds: Iterable[str]) -> TextScore:
    by_page = [grams_found(out, gold) for out, gold in zip(outs, golds, strict=True)]
    count = len(by_page)
    f = sum(2 * p * r / (p + r) if p + r else 0.0 for p, r in by_page)
    return TextScore(count, sum(p for p, _ in by_page) / count, sum(r for _, r in by_page) / count, f / count)


def grams_found(out: str, gold: str) -> tuple[float, float]:
    """Precision and recall of the multisets of N words in a row."""
    mine, theirs = grams(out), grams(gold)
    common = (mine & theirs).total()
    return (common / mine.total() if mine else float(not theirs)), (common / theirs.total() if theirs else float(not mine))


def grams(text: str) -> Counter[tuple[str, ...]]:
    words = WORD.findall(alike(text))
    return Counter(tuple(words[at : at + N]) for at in range(max(1, len(words) - N + 1))) if words else Counter()


def segment_score(outs: Iterable[str], wanted: Iterable[dict[str, Any]]) -> SegmentScore:
    kept = of = out = unwanted = 0
    for text, row in zip(outs, wanted, strict=True):
        seen = alike(text)
        inside, outside = json.loads(row["with"]), json.loads(row["without"])
        kept += sum(alike(one) in seen for one in inside)
        out += sum(alike(one) not in seen for one in outside)
        of += len(inside)
        unwanted += len(outside)
    return SegmentScore(kept, of, out, unwanted)


def alike(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text.replace("\xad", "")).split())


if __name__ == "__main__":
    raise SystemExit(main())
