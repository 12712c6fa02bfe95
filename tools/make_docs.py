"""Writes the pages of docs/ that follow from the code: commands, tables, methods, errors.

    python tools/make_docs.py            write them
    python tools/make_docs.py --check    write nothing; exit 1 if one of them is out of date

`tests/test_docs.py` checks that they are up to date. Commands on them are written without what they say, and that is not
compared: `tools/fill_docs.py` fills it in.
"""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from unquilt import errors
from unquilt.catalogue import METHODS, TABLES
from unquilt.cli.commands import cli
from unquilt.exporting import PAGES
from unquilt.method import Method, Parameter
from unquilt.table import Table

DOCS = Path(__file__).resolve().parents[1] / "docs"
NOTE = "<!-- Written by tools/make_docs.py from the code; edit the code. -->"
WIDTH = 100
ROWS = ("| table | each row |", "|---|---|")

OF_COMMANDS = """# Commands

What each command says to `--help`. Data goes to stdout, words go to stderr; how a command ends is said in
[errors](errors.md), what a table holds in [tables](tables.md).
"""

OF_TABLES = """# Tables

A study is a folder of tables. Each is one or more Parquet files in `STUDY/tables/<name>/`, sorted by its key, no
two rows with the same key. Name, version, key and meaning are in the files' metadata as well.

`unquilt show STUDY TABLE` and `unquilt export STUDY TABLE` say ids and URLs beside the page numbers in the columns
marked *page*.
"""

OF_METHODS = """# Methods

`unquilt scan` runs all of them; `unquilt run STUDY METHOD` runs one. In Python a method is a frozen dataclass:
`study.run(unquilt.Overlaps(k=4))`. A `--params` file is a JSON object with the names in the first column.

What they answer below is of the examples:

```console
$ unquilt add blogs.study examples/blogs.warc.gz
```
"""

CONSOLE = re.compile(r"^```console\n.*?^```$", re.MULTILINE | re.DOTALL)
NO_COMMAND = re.compile(r"^(?!\$ |```).*\n", re.MULTILINE)

OF_ERRORS = """# Errors and exit codes

A command that fails says one sentence on stderr: the thing, the fact, the remedy. No traceback.
"""

OF_EXCEPTIONS = """
A page that cannot be read is no error: it is a row of [skipped](tables.md#skipped) with its place and the reason,
see [inputs](inputs.md#what-is-skipped).

In Python the same sentences are exceptions, all of them in `unquilt.errors`; `unquilt.UnquiltError` is the base of
all but `Interrupted`.
"""


def main() -> int:
    late = [path for path in PAGES_OF if not up_to_date(path)]
    if "--check" in sys.argv:
        for path in late:
            print(f"docs/{path} is out of date; run `python tools/make_docs.py`")
        return int(bool(late))
    for path in late:
        (DOCS / path).write_text(text_of(path), "utf-8")
        print(f"docs/{path} written")
    return 0


def up_to_date(path: str) -> bool:
    page = DOCS / path
    return page.exists() and without_outputs(page.read_text("utf-8")) == text_of(path)


def without_outputs(text: str) -> str:
    return CONSOLE.sub(lambda block: NO_COMMAND.sub("", block[0]), text)


def text_of(path: str) -> str:
    return "\n".join([NOTE, "", *PAGES_OF[path]()]).rstrip() + "\n"


# Commands


def _cli() -> Iterator[str]:
    yield OF_COMMANDS
    for path, command in commands():
        yield from (f"## {path}", "", "```text", help_of(path, command), "```", "")


def commands(command: click.Command = cli, path: str = "unquilt") -> Iterator[tuple[str, click.Command]]:
    """Every command with its path, groups before what is in them."""
    yield path, command
    if isinstance(command, click.Group):
        for name, one in command.commands.items():
            argument = "" if command is cli else " STUDY"
            yield from commands(one, f"{path}{argument} {name}")


def help_of(path: str, command: click.Command) -> str:
    context = click.Context(command, info_name=path, terminal_width=WIDTH, max_content_width=WIDTH, help_option_names=["-h", "--help"])
    return command.get_help(context)


# Tables


def _tables() -> Iterator[str]:
    yield OF_TABLES
    yield from ROWS
    for table in (*TABLES.values(), PAGES):
        yield f"| [{table.name}](#{table.name}) | {table.sentence.removeprefix('Each row ')} |"
    yield ""
    for table in TABLES.values():
        yield from _table(table)
    yield from _table(PAGES, "It is not stored: it is what `show` and `export` make of `capture` and `current`.")


def _table(table: Table, remark: str = "") -> Iterator[str]:
    yield from (f"## {table.name}", "", f"{table.sentence} {remark}".strip(), "")
    yield from (f"Version {table.version}; key: {', '.join(f'`{k}`' for k in table.key)}.", "")
    yield from ("| column | type | meaning |", "|---|---|---|")
    for column in table.columns:
        page = " (*page*)" if column.page else ""
        null = " or null" if column.nullable else ""
        yield f"| `{column.name}` | {column.type.replace('<', '&lt;')}{null} | {column.meaning}{page} |"
    yield ""


# Methods


def _methods() -> Iterator[str]:
    yield OF_METHODS
    for method in METHODS:
        yield from _method(method)


def _method(method: type[Method]) -> Iterator[str]:
    yield from (f"## {method.name}", "", f"`unquilt.{method.__name__}`. {method.__doc__}", "")
    if dataclasses.fields(method):
        yield from ("| parameter | option | default | what may be given | meaning |", "|---|---|---|---|---|")
        yield from (_parameter(p) for p in method.parameters())
        yield ""
    yield from (f"Answers with [{method.result.name}](tables.md#{method.result.name}).", "")
    yield from ROWS
    for table in method.tables:
        yield f"| [{table.name}](tables.md#{table.name}) | {table.sentence.removeprefix('Each row ')} |"
    yield from ("", "```console", f"$ {_command(method)} | head -6", "```", "")
    if (DOCS / f"{method.name}.md").exists():
        yield from (f"[More about {method.name}]({method.name}.md): what its rules are, and what they miss.", "")


def _command(method: type[Method]) -> str:
    options = [word for name, value in method().params().items() for word in (f"--{name.replace('_', '-')}", str(value))]
    return " ".join(["unquilt run blogs.study", method.name, *options])


def _parameter(p: Parameter) -> str:
    options = ", ".join(f"`--{n}`" for n in (p.name.replace("_", "-"), *p.limits.alias))
    return f"| `{p.name}` | {options} | {p.default} | {_range(p)} | {p.limits.help} |"


def _range(p: Parameter) -> str:
    limits = p.limits
    kind = {int: "whole number", float: "number", str: "text", bool: "true or false"}[p.type]
    if limits.choices is not None:
        return ", ".join(f"`{c}`" for c in limits.choices)
    if limits.low is None and limits.high is None:
        return kind
    if limits.low is None or limits.high is None:
        return f"{kind}, at least {limits.low}" if limits.high is None else f"{kind}, at most {limits.high}"
    return f"{kind}, {limits.low} to {limits.high}"


# Errors

EXITS = {
    0: "done; also when the reader of stdout went away, like `head`",
    1: "it ran, and found what you asked to fail on (`--max-skipped`, `info --verify`, nothing to `remove`)",
    2: "the call makes no sense",
    3: "what was given to read cannot be read",
    4: "nothing wrong with the call, but it could not be finished",
    errors.EXIT_INTERRUPTED: "Ctrl-C or SIGTERM; the same command goes on where it stopped",
}


def _errors() -> Iterator[str]:
    yield OF_ERRORS
    yield from ("| exit code | meaning |", "|---|---|")
    yield from (f"| {code} | {meaning} |" for code, meaning in EXITS.items())
    yield OF_EXCEPTIONS
    yield from ("```text", (errors.__doc__ or "").split("\n\n", 1)[1].strip(), "```")


PAGES_OF: dict[str, Callable[[], Iterator[str]]] = {"cli.md": _cli, "tables.md": _tables, "methods.md": _methods, "errors.md": _errors}

if __name__ == "__main__":
    sys.exit(main())
