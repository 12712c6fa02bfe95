"""Benchmark corpora from Debian's documentation packages: real, near-duplicate rich, free to rebuild.

    python bench/corpus.py --documents 50000

writes `debian-50000.parquet` (columns `url`, `text`) and prints its path and statistics.

Which packages: every one whose name ends in `-doc` and whose .deb has `SMALLEST_DEB` to `LARGEST_DEB` bytes.
Smaller ones hold no HTML to speak of; larger ones are mostly pictures, PDF and generated indexes.

The first run downloads the packages (1 GB) and writes `pool.parquet`: all documents, ordered by a keyed hash of
their URL. That is a shuffle which depends on nothing but the URLs, so every prefix of the pool is a sample of it.
A corpus of any size is a prefix: the smaller corpora are contained in the larger ones.
Same packages, same corpus; Debian's updates change it, so a result is quoted together with the printed SHA-256.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from multiprocessing import Pool
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import bytes_to_str, detect_encoding

SMALLEST_DEB, LARGEST_DEB = 50_000, 2_000_000
LARGEST_PAGE = 3_000_000
DOCUMENTS_PER_PACKAGE = 1_000  # so that no package's template dominates the corpus
WORDS = 400
ROW_GROUP = 2_000
BUCKETS = 16  # a sixteenth of the pool is sorted in memory at a time
PROCESSES = 2
MOST_BYTES = 20_000  # 400 words of more than 50 bytes are no prose but an encoded file, and one such outweighs a thousand others
DOWNLOADS_PER_CALL = 100

SCHEMA = pa.schema([("url", pa.string()), ("text", pa.string())])

# In these scripts a word is one grapheme cluster, and no peer's regular expressions know grapheme clusters (`\X`);
# nor do they pass over characters that do not count, like a soft hyphen in a word.
# Documents holding them are left out and counted, so that all peers can be asked for the same rows.
BEYOND_PEERS = re.compile(
    "["
    "\u0e01-\u0e3a\u0e40-\u0e5b"  # Thai
    "\u0e81-\u0edf"  # Lao
    "\u1000-\u109f\ua9e0-\ua9fe\uaa60-\uaa7f"  # Myanmar
    "\u1780-\u17f9\u19e0-\u19ff"  # Khmer
    "\u00ad\u034f\u180b-\u180f\u200c\u200d\u2060\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef"  # ignorable
    "]"
)


class CorpusError(Exception):
    """One sentence for the reader: thing, fact, remedy."""

    exit_code = 3


class CallError(CorpusError):
    exit_code = 2


@dataclass(frozen=True)
class Folder:
    """Where the packages, the pool and the corpora of one length of document lie."""

    root: Path
    words: int

    @property
    def debs(self) -> Path:
        return self.root / "debs"

    @property
    def pool(self) -> Path:
        return self.root / f"pool{self._suffix}.parquet"

    def corpus(self, documents: int) -> Path:
        return self.root / f"debian-{documents}{self._suffix}.parquet"

    @property
    def _suffix(self) -> str:
        return "" if self.words == WORDS else f"-w{self.words}"


@dataclass(frozen=True)
class Reading:
    """What one package gave."""

    documents: list[tuple[str, str]]
    beyond_peers: int  # documents left out


@dataclass
class Statistics:
    """What a corpus holds; the SHA-256 is of `url LF text LF` of its rows, whatever the Parquet writer made of them."""

    documents: int = 0
    bytes: int = 0
    words: int = 0
    sha256: "hashlib._Hash" = field(default_factory=hashlib.sha256)

    def add(self, batch: pa.RecordBatch) -> None:
        for url, text in zip(batch["url"].to_pylist(), batch["text"].to_pylist(), strict=True):
            encoded = text.encode()
            self.documents += 1
            self.bytes += len(encoded)
            self.words += text.count(" ") + 1
            self.sha256.update(b"%b\n%b\n" % (url.encode(), encoded))

    def __str__(self) -> str:
        mean = self.words / self.documents
        return (
            f"documents {self.documents}\nbytes {self.bytes}\nwords {self.words}\n"
            f"words per document {mean:.1f}\nsha256 {self.sha256.hexdigest()}"
        )


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        path, statistics = build_corpus(Folder(options.folder, options.words), options.documents)
    except CorpusError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    print(path)
    print(statistics)
    return 0


def build_corpus(folder: Folder, documents: int) -> tuple[Path, Statistics]:
    if documents < 1:
        raise CallError(f"`--documents {documents}` asks for no documents; give a number above 0.")
    if folder.words < 4:
        raise CallError(f"`--words {folder.words}` is too short for a document; give 4 or more.")
    _make_folder(folder.debs)
    if not folder.pool.exists():
        build_pool(folder)
    return folder.corpus(documents), _copy_prefix(folder.pool, documents, folder.corpus(documents))


def build_pool(folder: Folder) -> None:
    debs = download(package_names(), folder.debs)
    _say(f"reading {len(debs)} packages")
    with ExitStack() as stack:
        parts = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=folder.root)))
        processes = stack.enter_context(Pool(PROCESSES))
        readings = processes.imap(_read_task, [(deb, folder.words) for deb in debs], chunksize=4)
        left_out = _scatter(readings, parts)
        _gather(parts, folder.pool)
    _say(f"pool: {pq.ParquetFile(folder.pool).metadata.num_rows} documents; {left_out} left out for their characters")


# Packages


def package_names() -> list[str]:
    """Sorted names of the packages the rule at the head of this file picks."""
    for tool in ("apt-get", "apt-cache", "dpkg-deb"):
        if shutil.which(tool) is None:
            raise CorpusError(f"`{tool}` is not on this machine; build the corpus on Debian and copy the Parquet file.")
    names = _doc_names()
    if not names:
        _run(["apt-get", "update", "-q"])
        names = _doc_names()
    if not names:
        raise CorpusError("apt knows no -doc package; add Debian's main archive to the sources of apt.")
    sizes = _deb_sizes(names)
    return [name for name in names if SMALLEST_DEB <= sizes.get(name, 0) <= LARGEST_DEB]


def download(names: list[str], folder: Path) -> list[Path]:
    """The .deb files of these packages, in the order of the names; only missing ones are fetched."""
    missing = [name for name in names if name not in _present(folder)]
    for start in range(0, len(missing), DOWNLOADS_PER_CALL):
        _say(f"downloading {start} of {len(missing)} packages")
        _download_batch(missing[start : start + DOWNLOADS_PER_CALL], folder)
    present = _present(folder)
    return [present[name] for name in names]


def _download_batch(names: list[str], folder: Path) -> None:
    # apt writes under the final name while it downloads, so a broken run would leave half a package behind.
    with tempfile.TemporaryDirectory(dir=folder) as incoming:
        _run(["apt-get", "download", "-q", "-o", "APT::Sandbox::User=root", *names], cwd=incoming)
        for deb in Path(incoming).glob("*.deb"):
            deb.rename(folder / deb.name)


def _present(folder: Path) -> dict[str, Path]:
    return {deb.name.split("_")[0]: deb for deb in sorted(folder.glob("*.deb"))}


def _doc_names() -> list[str]:
    return sorted(name for name in _run(["apt-cache", "pkgnames"]).split() if name.endswith("-doc"))


def _deb_sizes(names: list[str]) -> dict[str, int]:
    records = _run(["apt-cache", "show", "--no-all-versions", *names])
    found = re.findall(r"^Package: (\S+)$(?:\n.+)*?\nSize: (\d+)$", records, re.MULTILINE)
    return {name: int(size) for name, size in found}


def _run(command: list[str], cwd: str | None = None) -> str:
    finished = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if finished.returncode:
        fact = (finished.stderr.strip().splitlines() or ["no message"])[-1].rstrip(".")
        shown = " ".join(command[:2])
        raise CorpusError(f"`{shown}` failed ({fact}); check the network and the sources of apt, then run again.")
    return finished.stdout


# Documents


def read_package(deb: Path, words: int) -> Reading:
    """The first `DOCUMENTS_PER_PACKAGE` documents of a package, in the order of its archive."""
    name = deb.name.split("_")[0]
    documents: list[tuple[str, str]] = []
    beyond_peers = 0
    for path, html in _html_files(deb):
        for piece, text in enumerate(_pieces(_visible_text(html), words)):
            if BEYOND_PEERS.search(text):
                beyond_peers += 1
            else:
                documents.append((f"https://{name}.deb.example/{path}#{piece}", text))
        if len(documents) >= DOCUMENTS_PER_PACKAGE:
            break
    return Reading(documents[:DOCUMENTS_PER_PACKAGE], beyond_peers)


def _read_task(task: tuple[Path, int]) -> Reading:
    return read_package(*task)


def _html_files(deb: Path) -> Iterator[tuple[str, bytes]]:
    """Path and content of the HTML files of a package; the archive is streamed and never unpacked."""
    process = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(deb)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    try:
        with tarfile.open(fileobj=process.stdout, mode="r|") as archive:
            for member in archive:
                if _is_html(member):
                    yield member.name.removeprefix("./"), archive.extractfile(member).read()  # type: ignore[union-attr]
    except tarfile.TarError as error:
        raise CorpusError(f"`{deb}` cannot be read ({error}); delete it and run again.") from error
    finally:
        process.stdout.close()
        process.kill()
        process.wait()


def _is_html(member: tarfile.TarInfo) -> bool:
    return member.isfile() and member.size <= LARGEST_PAGE and member.name.lower().endswith((".html", ".htm", ".xhtml"))


def _visible_text(html: bytes) -> str:
    decoded = bytes_to_str(html, detect_encoding(html, from_html_meta=True) or "utf-8")
    return extract_plain_text(decoded, main_content=False, alt_texts=False)


def _pieces(text: str, words: int) -> Iterator[str]:
    """The text cut every `words` words; a rest below a quarter of that is dropped.

    Pages shorter than one piece are mostly navigation, and are passed over.
    """
    split = text.split()
    if len(split) < words:
        return
    for start in range(0, len(split), words):
        piece = split[start : start + words]
        if len(piece) >= words // 4:
            yield " ".join(piece)


# The pool: documents scattered into buckets by the first bits of their key, then each bucket sorted


def shuffle_key(url: str) -> bytes:
    return hashlib.blake2b(url.encode(), digest_size=16, key=b"unquilt-bench").digest()


def _scatter(readings: Iterable[Reading], parts: Path) -> int:
    """Writes the buckets; returns how many documents were left out."""
    left_out = 0
    with ExitStack() as stack:
        buckets = [stack.enter_context(RowGroups(parts / str(bucket))) for bucket in range(BUCKETS)]
        for reading in readings:
            left_out += reading.beyond_peers
            for url, text in reading.documents:
                buckets[shuffle_key(url)[0] * BUCKETS // 256].add(url, text)
    return left_out


def _gather(parts: Path, pool: Path) -> None:
    written = parts / "pool"
    with RowGroups(written) as rows:
        for bucket in range(BUCKETS):
            for url, text in _sorted_bucket(parts / str(bucket)):
                rows.add(url, text)
    written.rename(pool)


def _sorted_bucket(path: Path) -> list[tuple[str, str]]:
    table = pq.read_table(path)
    rows = zip(table["url"].to_pylist(), table["text"].to_pylist(), strict=True)
    return sorted(rows, key=lambda row: shuffle_key(row[0]))


def _copy_prefix(pool: Path, documents: int, corpus: Path) -> Statistics:
    source = pq.ParquetFile(pool)
    if documents > source.metadata.num_rows:
        raise CallError(f"`{pool}` holds {source.metadata.num_rows} documents, fewer than the {documents} asked; ask for fewer.")
    statistics = Statistics()
    written = corpus.with_suffix(".part")
    with pq.ParquetWriter(written, SCHEMA, compression="zstd") as writer:
        for whole in source.iter_batches(ROW_GROUP):
            prose = whole.filter(pc.less_equal(pc.binary_length(whole["text"]), MOST_BYTES))
            batch = prose.slice(0, documents - statistics.documents)
            if not batch.num_rows:
                break
            statistics.add(batch)
            writer.write_batch(batch)
    if statistics.documents < documents:
        raise CallError(f"`{pool}` holds {statistics.documents} documents of prose, fewer than the {documents} asked; ask for fewer.")
    written.rename(corpus)
    return statistics


class RowGroups:
    """A Parquet file written document by document, in row groups of `ROW_GROUP`."""

    def __init__(self, path: Path) -> None:
        self._writer = pq.ParquetWriter(path, SCHEMA, compression="zstd")
        self._rows: list[tuple[str, str]] = []

    def add(self, url: str, text: str) -> None:
        self._rows.append((url, text))
        if len(self._rows) == ROW_GROUP:
            self._flush()

    def _flush(self) -> None:
        urls, texts = zip(*self._rows, strict=True) if self._rows else ((), ())
        self._writer.write_batch(pa.record_batch([urls, texts], schema=SCHEMA))
        self._rows.clear()

    def __enter__(self) -> "RowGroups":
        return self

    def __exit__(self, *exception: object) -> None:
        self._flush()
        self._writer.close()


# The face


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Build a benchmark corpus from Debian's documentation packages.")
    parser.add_argument("--documents", type=int, required=True, help="how many documents")
    parser.add_argument("--words", type=int, default=WORDS, help="longest document, in words (default: %(default)s)")
    parser.add_argument("--folder", type=Path, default=_default_folder(), help="default: $UNQUILT_BENCH or %(default)s")
    return parser


def _default_folder() -> Path:
    return Path(os.environ.get("UNQUILT_BENCH") or "~/.cache/unquilt-bench").expanduser()


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CallError(f"`{folder}` cannot be made ({error.strerror}); choose another with `--folder`.") from error


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
