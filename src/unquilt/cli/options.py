"""Options that several commands share, and options made out of a method's parameters."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from unquilt.catalogue import methods_with
from unquilt.errors import UsageError
from unquilt.method import Method, Parameter
from unquilt.read.options import NOINDEX, REVISIONS, SAME_URL

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Engine:
    """How to run: what `--memory` and its neighbours say."""

    memory: str | None
    threads: int | None
    tmp: str | None
    quiet: bool
    verbose: bool
    log_file: str | None


def _bytes(text: str) -> int:
    from unquilt.engine.budget import parse_size

    return parse_size(text)


ENGINE = (
    click.option("--memory", metavar="SIZE", help="Memory to stay within, like 8GB or 60%. [default: 60% of what is available]"),
    click.option("--threads", type=click.IntRange(min=1), metavar="N", help="Threads. [default: all cores]"),
    click.option("--tmp", metavar="FOLDER", help="Folder for what is spilled. [default: inside the study]"),
    click.option("-q", "--quiet", is_flag=True, help="No words on stderr but errors."),
    click.option("-v", "--verbose", is_flag=True, help="More words on stderr."),
    click.option("--log-file", metavar="FILE", help="Write the words to a file as well."),
)

INPUTS = (
    click.option("--snapshot", metavar="NAME", help="Name of the crawl these files come from."),
    click.option("--id-field", metavar="NAME", help="Field that holds the id. [default: id]"),
    click.option("--url-field", metavar="NAME", help="Field that holds the URL. [default: url]"),
    click.option("--text-field", metavar="NAME", help="Field that holds the text. [default: text]"),
    click.option("--html-field", metavar="NAME", help="Field that holds HTML. [default: html, where there is no text]"),
    click.option("--date-field", metavar="NAME", help="Field that holds the publication date. [default: date]"),
    click.option("--base-url", metavar="URL", help="Where the files of a folder stood. [default: http:// and the first folder's name]"),
    click.option("--warc-root", metavar="FOLDER|URL", help="Where the archives of an index lie. [default: beside the index]"),
    click.option("--revisions", type=click.Choice(REVISIONS), default="newest", help="Of a MediaWiki export. [default: newest]"),
    click.option("--dayfirst/--monthfirst", default=None, help="How 3/4/2009 in a page is meant. [default: as in its language]"),
    click.option("--noindex", type=click.Choice(NOINDEX), default="keep", help="Pages that ask not to be indexed. [default: keep]"),
    click.option(
        "--same-url",
        type=click.Choice(SAME_URL),
        default="keep",
        help="Records with one URL and ids of their own: keep all as pages, or the newest. [default: keep]",
    ),
    click.option("--max-body", type=_bytes, default="10MB", metavar="SIZE", help="Of a page's HTML no more is read. [default: 10MB]"),
    click.option("--max-skipped", metavar="SHARE", help="Exit with 1 when a larger share of records was skipped, like 1%."),
)

JSON = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")


def all_of(options: tuple[Callable[[F], F], ...]) -> Callable[[F], F]:
    def add(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def engine_options(command: F) -> F:
    return all_of(ENGINE)(command)


def take_engine(values: dict[str, Any]) -> Engine:
    return Engine(**{name: values.pop(name) for name in Engine.__dataclass_fields__})


def options_of(method: type[Method]) -> list[click.Option]:
    """One option a parameter, and `--params` for all of them at once."""
    file = click.Option(["--params", "params_file"], metavar="FILE", help="Take parameters from a JSON file, by the same names.")
    return [*(_option(p) for p in method.parameters()), file]


def _option(p: Parameter) -> click.Option:
    names = [f"--{n}" for n in (p.name.replace("_", "-"), *p.limits.alias)]
    kind: Any = click.Choice(p.limits.choices) if p.limits.choices else p.type
    meaning = f"{p.limits.help[0].upper()}{p.limits.help[1:]}. [default: {p.default}]"
    return click.Option([*names, p.name], type=kind, default=None, help=meaning)


def method_from(method: type[Method], values: Mapping[str, Any]) -> Method:
    """What was typed wins over the file, the file over the defaults."""
    given = dict(values)
    from_file = next(m for m in methods_with(params_in(given.pop("params_file", None))) if type(m) is method)
    return method.of({**from_file.params(), **{k: v for k, v in given.items() if v is not None}})


def params_in(path: str | None) -> dict[str, Any]:
    if path is None:
        return {}
    try:
        found = json.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"`{path}` cannot be read ({error.strerror}); give a JSON file of parameters") from error
    except ValueError as error:
        raise UsageError(f'`{path}` is not JSON ({error}); it should look like {{"k": 5, "m": 50}}') from error
    if not isinstance(found, dict):
        raise UsageError(f'`{path}` holds no JSON object; it should look like {{"k": 5, "m": 50}}')
    return found


def share(text: str | None) -> float | None:
    """0.01 of `1%` and of `0.01`."""
    if text is None:
        return None
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise UsageError(f"`{text}` is no share; write it like 1% or 0.01")
    return value
