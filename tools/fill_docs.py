"""Runs what README.md and docs/ show, and writes (or compares) what comes out.

    python tools/fill_docs.py                       run everything, write the outputs into the pages
    python tools/fill_docs.py --check               run everything, write nothing; exit 1 if an output differs
    python tools/fill_docs.py --print test          print the commands of the block whose mark ends in `:test`

Run are the commands (`$ `) of fenced `console` blocks and the examples (`>>> `) of `pycon` blocks. The blocks of
a page run in their order, in one fresh folder that holds a copy of examples/. Each must end well, and what
follows a command must be what it says on stdout and stderr; a block right below `<!-- no output -->` only has to run.
A block right below `<!-- elsewhere:NAME -->` is run by `.ci/run`, for it cannot run inside the tests. One right below
`<!-- network -->` is run by nobody: it fetches from a place that is not ours. The next block does the same with the examples.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"(?:^<!-- (?P<mark>[^\n]*?) -->\n)?^```(?P<kind>console|pycon)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
NETWORK = "network"
PYTHON = """
import contextlib, io, json, sys
names, outputs = {"__name__": "__main__"}, []
for source in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(source, "<docs>", "single"), names)
    outputs.append(out.getvalue())
json.dump(outputs, sys.stdout)
"""


class CommandFailed(Exception):
    pass


@dataclass(frozen=True)
class Block:
    mark: str
    kind: str
    body: str

    @property
    def elsewhere(self) -> str | None:
        return self.mark.removeprefix("elsewhere:") if self.mark.startswith("elsewhere:") else None

    @property
    def runs(self) -> bool:
        return self.elsewhere is None and self.mark != NETWORK

    @property
    def commands(self) -> list[str]:
        """Commands of a console block; one that ends in a backslash goes on in the next line."""
        joined = self.body.replace("\\\n", "\\\0")
        return [line[2:].replace("\0", "\n") for line in joined.splitlines() if line.startswith("$ ")]


def pages() -> list[Path]:
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(text: str) -> Iterator[Block]:
    for match in BLOCK.finditer(text):
        yield Block(match["mark"] or "", match["kind"], match["body"])


def filled(text: str, folder: Path) -> str:
    """The page with the outputs of this run."""

    def fill(match: re.Match[str]) -> str:
        block = Block(match["mark"] or "", match["kind"], match["body"])
        if not block.runs:
            return match[0]
        body = _console(block, folder) if block.kind == "console" else _pycon(block, folder)
        return match[0] if block.mark == "no output" else match[0].replace(block.body, body)

    return BLOCK.sub(fill, text)


def run_page(page: Path) -> str:
    text = page.read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "examples", Path(folder, "examples"))
        return filled(text, Path(folder))


def _console(block: Block, folder: Path) -> str:
    return "".join(f"$ {command}\n{_run(['bash', '-euo', 'pipefail', '-c', command], folder)}" for command in block.commands)


def _pycon(block: Block, folder: Path) -> str:
    examples = doctest.DocTestParser().get_examples(block.body)
    outputs = json.loads(_run([sys.executable, "-c", PYTHON], folder, json.dumps([e.source for e in examples]), words=False))
    return "".join(_typed(e.source) + output for e, output in zip(examples, outputs, strict=True))


def _typed(source: str) -> str:
    return "".join(f"{'>>>' if i == 0 else '...'} {line}\n" for i, line in enumerate(source.splitlines()))


def _run(command: list[str], folder: Path, given: str = "", *, words: bool = True) -> str:
    tools = [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    around = {**os.environ, "PATH": os.pathsep.join(tools), "TZ": "UTC", "COLUMNS": "100", "NO_COLOR": "1"}
    errors = subprocess.STDOUT if words else subprocess.PIPE
    done = subprocess.run(command, cwd=folder, env=around, input=given.encode(), stdout=subprocess.PIPE, stderr=errors, check=False)
    if done.returncode:
        said = (done.stdout + (done.stderr or b"")).decode("utf-8", "replace")
        raise CommandFailed(f"{command[-1]!r} ended with {done.returncode}:\n{said}")
    return done.stdout.decode("utf-8").replace(str(folder), "/tmp")


def commands_of(name: str) -> list[str]:
    return [c for page in pages() for b in blocks(page.read_text("utf-8")) if b.mark.partition(":")[2] == name for c in b.commands]


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--print"]:
        print("\n".join(commands_of(arguments[1])))
        return 0
    differ = []
    for page in pages():
        now = run_page(page)
        if now != page.read_text("utf-8"):
            differ.append(page)
            if "--check" not in arguments:
                page.write_text(now, "utf-8")
    for page in differ:
        print(f"{page.relative_to(ROOT)} {'says something else' if '--check' in arguments else 'written'}")
    return int(bool(differ) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
