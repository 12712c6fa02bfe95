"""The commands: each parses, asks the Python API, and prints."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from unquilt.catalogue import METHODS, methods_with
from unquilt.cli import sentences
from unquilt.cli.options import FIELDS, JSON, Engine, all_of, engine_options, method_from, options_of, params_in, share, take_engine
from unquilt.cli.output import print_json, print_lines, print_rows, to_stderr
from unquilt.errors import Findings, InputError, UsageError
from unquilt.method import Method
from unquilt.nearest import unknown
from unquilt.version import __version__

if TYPE_CHECKING:
    from unquilt.study import Study
    from unquilt.summary import Summary

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
PER_METHOD: dict[str, Any] = {"subcommand_metavar": "METHOD [OPTIONS]", "invoke_without_command": True}
ROWS = 20


class Commands(click.Group):
    """Listed in the order in which they are needed; an unknown one is answered with the nearest."""

    what = "command"

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            raise UsageError(unknown(self.what, args[0], self.commands))
        return super().resolve_command(ctx, args)


class Methods(Commands):
    what = "method"


@click.group(cls=Commands, context_settings=CONTEXT)
@click.version_option(__version__, prog_name="unquilt")
def cli() -> None:
    """Tell what in a collection of web pages is original, what is copied, from where, and how sure that is.

    A study is a folder of Parquet tables. `scan` makes one out of files and says what it found.
    """


@cli.command(short_help="Read files, run every method, say what was found.")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("-o", "--output", metavar="STUDY", help="The study. [default: named after the first input]")
@click.option("--params", "params_file", metavar="FILE", help='Take parameters from a JSON file, like {"overlaps": {"k": 4}}.')
@all_of(FIELDS)
@JSON
@engine_options
def scan(inputs: tuple[str, ...], output: str | None, params_file: str | None, as_json: bool, **values: Any) -> None:
    """Read files, run every method, and say in a few lines what was found.

    INPUT is a file that ends in .jsonl, .ndjson (or these with .gz) or .parquet, or - for JSONL on stdin.

    \b
    unquilt scan pages.jsonl -o news.study
    """
    engine, most = take_engine(values), share(values.pop("max_skipped"))
    folder, params = output or _named_after(inputs[0]), params_in(params_file)
    given = _inputs(inputs, values)
    methods_with(params)
    with _opened(folder, engine, create=True) as study:
        began = time.monotonic()
        found = study.scan(*inputs, params=params, **given)
        study.watch.detail(f"all of it: done in {time.monotonic() - began:.1f} s")
        _check_readable(found, folder)
        print_json(found.to_dict()) if as_json else print_lines([*sentences.of_summary(found, folder)])
        _check_skipped(found, folder, most)


@cli.command(short_help="Read files into a study.")
@click.argument("study_folder", metavar="STUDY")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@all_of(FIELDS)
@JSON
@engine_options
def add(study_folder: str, inputs: tuple[str, ...], as_json: bool, **values: Any) -> None:
    """Read files into a study; it is made when it is not there.

    \b
    unquilt add news.study november.jsonl --snapshot 2026-11
    """
    engine, most = take_engine(values), share(values.pop("max_skipped"))
    given = _inputs(inputs, values)
    with _opened(study_folder, engine, create=True) as study:
        added = study.add(*inputs, **given)
        if as_json:
            print_json([sentences.added_as_dict(a) for a in added])
        found = study.summary()
        _check_readable(found, study_folder)
        _check_skipped(found, study_folder, most)


@cli.group("run", cls=Methods, short_help="Run one method.", **PER_METHOD)
@click.argument("study_folder", metavar="STUDY")
@click.pass_context
def run_group(context: click.Context, study_folder: str) -> None:
    """Run one method; what is made already is not made again.

    \b
    unquilt run news.study overlaps --k 4
    """
    context.obj = _with_method(context, study_folder)


@cli.group("plan", cls=Methods, short_help="Say what a method would make.", **PER_METHOD)
@click.argument("study_folder", metavar="STUDY")
@click.pass_context
def plan_group(context: click.Context, study_folder: str) -> None:
    """Say what a method would make, what it would reuse, why, and what that would take.

    \b
    unquilt plan news.study overlaps --k 4
    """
    context.obj = _with_method(context, study_folder)


def _with_method(context: click.Context, study_folder: str) -> str:
    if context.invoked_subcommand is None:
        names = [m.name for m in METHODS]
        raise UsageError(f"no method is named; the methods are: {', '.join(names)} (`{context.command_path} {study_folder} {names[-1]}`)")
    return study_folder


def _run_command(method: type[Method]) -> click.Command:
    @click.pass_obj
    @engine_options
    @JSON
    def command(study_folder: str, /, as_json: bool, **values: Any) -> None:
        engine = take_engine(values)
        with _opened(study_folder, engine) as study:
            result = study.run(method_from(method, values))
            found = study.first(method.result.name, ROWS)
            if as_json:
                answer = {"made": list(result.made), "params": result.method.params(), "table": method.result.name}
                print_json({**answer, "rows": found.to_pylist()})
                return
            study.watch.say(f"made: {', '.join(result.made) or 'nothing, all of it was there'}")
            print_rows(found.column_names, found.to_pylist())
            _say_more(study, method.result.name, ROWS)

    return click.Command(method.name, callback=command, params=[*options_of(method), *command.__click_params__[::-1]], help=method.__doc__)  # type: ignore[attr-defined]


def _plan_command(method: type[Method]) -> click.Command:
    @click.pass_obj
    @engine_options
    @JSON
    def command(study_folder: str, /, as_json: bool, **values: Any) -> None:
        with _opened(study_folder, take_engine(values)) as study:
            planned = study.plan(method_from(method, values))
            if as_json:
                print_json([sentences.planned_as_dict(p) for p in planned])
                return
            rows = [sentences.of_planned(p) for p in planned]
            print_rows(list(rows[0]), rows)
            study.watch.say(sentences.of_needs(planned, study.memory))

    return click.Command(method.name, callback=command, params=[*options_of(method), *command.__click_params__[::-1]], help=method.__doc__)  # type: ignore[attr-defined]


for _method in METHODS:
    run_group.add_command(_run_command(_method))
    plan_group.add_command(_plan_command(_method))


@cli.command(short_help="Show the tables of a study, or rows of one.")
@click.argument("study_folder", metavar="STUDY")
@click.argument("table", required=False)
@click.option("-n", "--limit", type=click.IntRange(min=0), default=ROWS, metavar="N", help=f"Rows to show. [default: {ROWS}]")
@click.option("--by", metavar="COLUMN", help="Count the rows by what they have in this column.")
@JSON
def show(study_folder: str, table: str | None, limit: int, by: str | None, as_json: bool) -> None:
    """Show the tables of a study, or the most interesting rows of one.

    \b
    unquilt show news.study
    unquilt show news.study host_pair -n 5
    unquilt show news.study skipped --by reason
    """
    if table is None and by is not None:
        raise UsageError(f"--by {by} counts the rows of a table, and none is named; `unquilt show {study_folder}` lists them")
    with _opened(study_folder) as study:
        if table is None:
            names, rows = ["table", "rows", "each row"], study.contents()
        else:
            found = study.counts(table, by).slice(0, limit) if by else study.first(table, limit)
            names, rows = found.column_names, found.to_pylist()
        print_json(rows) if as_json else print_rows(names, rows)
        if table is not None and by is None:
            _say_more(study, table, limit)


@cli.command(short_help="Say what a study is made of, and how to make it again.")
@click.argument("study_folder", metavar="STUDY")
@click.option("--verify", is_flag=True, help="Read every table again and compare it with what was published.")
@JSON
def info(study_folder: str, verify: bool, as_json: bool) -> None:
    """Say what a study is made of: versions, inputs, parameters, tables, and the commands to make it again."""
    with _opened(study_folder) as study:
        facts = study.info()
        problems = study.verify() if verify else []
    if verify:
        facts["damaged"] = problems
    print_json(facts) if as_json else print_lines([*sentences.of_info(facts)])
    if problems:
        raise Findings(f"not all tables are what was published ({len(problems)} problems): {problems[0]}")


@cli.command(short_help="Take pages out of every result.")
@click.argument("study_folder", metavar="STUDY")
@click.option("--url", "urls", multiple=True, help="Remove all captures of this URL (or id).")
@click.option("--host", "hosts", multiple=True, help="Remove all captures of this host.")
@click.option("--list", "list_file", metavar="FILE", help="Remove the URLs in this file, one a line.")
@engine_options
def remove(study_folder: str, urls: tuple[str, ...], hosts: tuple[str, ...], list_file: str | None, **values: Any) -> None:
    """Take pages out for good, as for a takedown; results that are there are made again.

    Texts, titles, URLs and ids of the pages are deleted from the study. Inputs and exports stay as they are.

    \b
    unquilt remove news.study --url https://news.example/2024/a --host spam.example
    """
    named = (*urls, *_lines(list_file))
    if not named and not hosts:
        raise UsageError("nothing to remove is named; give --url, --host or --list")
    with _opened(study_folder, take_engine(values)) as study:
        removed = study.remove(urls=named, hosts=hosts)
        for name in removed.unknown:
            study.watch.say(f"`{name}` is not in the study")
        study.watch.say(f"captures removed: {removed.captures:,}")
    if removed.unknown and not removed.captures and not removed.made:
        raise Findings("nothing was removed: none of the names given is in the study")


@cli.command(short_help="Write a table to a file.")
@click.argument("study_folder", metavar="STUDY")
@click.argument("table")
@click.option("-o", "--output", required=True, metavar="FILE", help="File to write: .parquet, .jsonl or .csv.")
@engine_options
def export(study_folder: str, table: str, output: str, **values: Any) -> None:
    """Write a table to a file; `pages` is the corpus with its texts.

    CSV holds every text as it is, also one that begins with = + - or @: import such columns as text.

    \b
    unquilt export news.study host_pair -o pairs.csv
    """
    with _opened(study_folder, take_engine(values)) as study:
        rows = study.export(table, output)
        study.watch.say(f"{rows:,} rows written to {output}")


@contextmanager
def _opened(folder: str, engine: Engine | None = None, create: bool = False) -> Iterator[Study]:
    import unquilt
    from unquilt.cli.progress import watch_for
    from unquilt.engine.budget import steady_allocator

    engine = engine or Engine(None, None, None, True, False, None)
    steady_allocator()
    log = _log(engine.log_file)
    try:
        watch = watch_for(quiet=engine.quiet, verbose=engine.verbose, log=log)
        yield unquilt.open(folder, create=create, memory=engine.memory, threads=engine.threads, tmp=engine.tmp, watch=watch)
    finally:
        if log is not None:
            log.close()


def _log(path: str | None) -> Any:
    if path is None:
        return None
    try:
        return open(path, "a", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"`{path}` cannot be written ({error.strerror}); name another --log-file") from error


def _inputs(inputs: Sequence[str], values: dict[str, Any]) -> dict[str, Any]:
    """How to read them; a file that is not there is told of before a study is made."""
    from unquilt.read import Fields, readers_for

    fields = Fields(values["id_field"], values["url_field"], values["text_field"], values["date_field"])
    readers_for(inputs, fields)
    return {"fields": fields, "snapshot": values["snapshot"]}


def _check_readable(found: Summary, folder: str) -> None:
    if found.skipped and not found.captures:
        raise InputError(f"{sentences.of_unreadable(found)}; `unquilt show {shlex.quote(folder)} skipped` says where")


def _check_skipped(found: Summary, folder: str, most: float | None) -> None:
    if most is not None and (found.skipped_share or 0) > most:
        raise Findings(f"{sentences.of_skipped(found, most)}; `unquilt show {shlex.quote(folder)} skipped --by reason` says why")


def _say_more(study: Study, table: str, shown: int) -> None:
    rows = next(t["rows"] for t in study.contents() if t["table"] == table)
    if rows > shown:
        to_stderr(f"{shown:,} of {rows:,} rows; `unquilt show {shlex.quote(str(study.folder))} {table} -n {rows}` shows all")


def _named_after(path: str) -> str:
    name = os.fsencode(Path(path).name).decode("utf-8", "backslashreplace")  # DuckDB opens no other names
    while Path(name).suffix.lower() in (".gz", ".jsonl", ".ndjson", ".parquet"):
        name = Path(name).stem
    return "stdin.study" if name == "-" else f"{name}.study"


def _lines(path: str | None) -> list[str]:
    if path is None:
        return []
    try:
        text = Path(path).read_text("utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"`{path}` cannot be read ({error.strerror}); give a file with one URL a line") from error
    return [line.strip() for line in text.splitlines() if line.strip()]
