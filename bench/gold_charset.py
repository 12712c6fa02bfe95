"""How many charsets are guessed right, beside others' detectors, on labelled pages?

`python bench/gold_charset.py [--half 0|1] [--wrong]`. The folder of a file is its true charset. What a file says of
itself (an XML declaration, a `meta`, a comment that names the charset) is taken out first: this measures looking at
bytes. Right is who decodes to the same text: the charset that was named is decoded by the same decoder for
everybody, so that a superset or a second name of the true charset is as right as itself. The last row leaves the declarations in.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import re
import tarfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from halves import half
from unquilt.text import charset
from unquilt.text.charset_decoders import text_of
from unquilt.text.charset_labels import charset_of

ARCHIVE = Path("pages", "charset_html5lib.tar.gz")
FOLDERS = "charset_set/tests/"
SAID = re.compile(rb"""(?i)encoding\s*=\s*["'][^"']*["']|charset\s*=\s*["']?[\w-]+|Expect:\s*[\w-]+""")
LANGUAGE = re.compile(r"((?:iso-8859|windows)-\d+)-.*")
NAMES = {
    "big5hkscs": "big5",
    "cp932": "shift-jis",
    "cp949": "euc-kr",
    "cp950": "big5",
    "euc-jis-2004": "euc-jp",
    "euc-jisx0213": "euc-jp",
    "mac-cyrillic": "x-mac-cyrillic",
    "mac-roman": "macintosh",
    "maccyrillic": "x-mac-cyrillic",
    "macroman": "macintosh",
    "shift-jis-2004": "shift-jis",
    "shift-jisx0213": "shift-jis",
    "utf-8-sig": "utf-8",
}

Detector = Callable[[bytes], str | None]


@dataclass(frozen=True)
class File:
    path: str
    data: bytes

    @property
    def folder(self) -> str:
        return self.path.removeprefix(FOLDERS).partition("/")[0]

    @property
    def unsaid(self) -> bytes:
        return SAID.sub(b"", self.data)


def files(archive: Path, of_half: int) -> list[File]:
    with tarfile.open(archive) as tar:
        chosen = [m for m in tar if m.isfile() and m.name.startswith(FOLDERS) and m.name.count("/") == 3 and half(m.name) == of_half]
        return [File(m.name, (tar.extractfile(m) or io.BytesIO()).read()) for m in chosen]


def text(data: bytes, name: str | None) -> str | None:
    """Decoded the same way whoever named the charset: as a web page where the name is one of the web, else by Python."""
    name = LANGUAGE.sub(r"\1", (name or "").lower().replace("_", "-"))
    known = charset_of(NAMES.get(name, name))
    if known and name not in ("utf-16", "utf-32"):
        return text_of(data, known)[0].removeprefix("\ufeff")
    try:
        return data.decode(name, "replace").removeprefix("\ufeff")
    except (LookupError, ValueError):
        return None


def ours(data: bytes) -> str:
    return charset.decode(data).utf8.decode()


def resiliparse(data: bytes) -> str | None:
    """UTF-8 first, as its own documentation advises."""
    detect = importlib.import_module("resiliparse.parse.encoding").detect_encoding
    try:
        data.decode()
    except UnicodeDecodeError:
        return str(detect(data))
    return "utf-8"


def normalizer(data: bytes) -> str | None:
    best = importlib.import_module("charset_normalizer").from_bytes(data).best()
    return best.encoding if best else None


def chardet(data: bytes) -> str | None:
    return importlib.import_module("chardet").detect(data)["encoding"]  # type: ignore[no-any-return]


PEERS: dict[str, Detector] = {"resiliparse": resiliparse, "charset-normalizer": normalizer, "chardet": chardet}


@dataclass
class Score:
    name: str
    right: int
    seconds: list[float]
    wrong: Counter[str]


def scored(name: str, decoded: Callable[[bytes], str | None], of: list[File], *, unsaid: bool = True) -> Score:
    score = Score(name, 0, [], Counter())
    decoded("žluťoučký kůň".encode("cp1250"))  # imports are not measured
    for file in of:
        data = file.unsaid if unsaid else file.data
        begin = time.process_time()
        found = decoded(data)
        score.seconds.append(time.process_time() - begin)
        if found is not None and found == text(data, file.folder):
            score.right += 1
        else:
            score.wrong[file.folder] += 1
    return score


def scores(of: list[File]) -> Iterator[Score]:
    yield scored("unquilt", ours, of)
    for name, detect in PEERS.items():
        try:
            yield scored(name, lambda data, detect=detect: text(data, detect(data)), of)  # type: ignore[misc]
        except ImportError:
            print(f"({name} is not installed)")
    yield scored("unquilt, declarations read", ours, of, unsaid=False)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--half", type=int, choices=(0, 1), default=0)
    asked.add_argument("--wrong", action="store_true", help="say which folders are wrong, too")
    asked.add_argument("--data", type=Path, default=Path(os.environ.get("UNQUILT_DATA") or "../shared/data"))
    args = asked.parse_args()
    of = files(args.data / ARCHIVE, args.half)
    print(f"Half {args.half}: {len(of)} files.\n\n| detector | right | of all | median ms | 90% ms | most ms |\n|---|---|---|---|---|---|")
    for s in scores(of):
        ms = [1000 * t for t in sorted(s.seconds)]
        print(f"| {s.name} | {s.right} | {s.right / len(of):.1%} | {ms[len(ms) // 2]:.2f} | {ms[len(ms) * 9 // 10]:.2f} | {ms[-1]:.1f} |")
        if args.wrong:
            print("\n" + ", ".join(f"{folder} {n}" for folder, n in s.wrong.most_common()) + "\n")


if __name__ == "__main__":
    main()
