"""The commands: each parses, asks the Python API, and prints."""

from __future__ import annotations

import dataclasses
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
from unquilt.cli.options import INPUTS, JSON, Engine, all_of, engine_options, method_from, options_of, params_in, share, take_engine
from unquilt.cli.output import print_bytes, print_json, print_json_rows, print_lines, print_rows, print_text
from unquilt.errors import Findings, InputError, UnquiltError, UsageError
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
    """Tell what a collection of web pages repeats: copies, shared passages, and which sites share most with whom.

    A study is a folder of Parquet tables. `scan` makes one out of files and says what it found.
    """


@cli.command(short_help="Read files, run every method, say what was found.")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("-o", "--output", metavar="STUDY", help="The study. [default: named after the first input]")
@click.option("--params", "params_file", metavar="FILE", help='Take parameters from a JSON file, like {"overlaps": {"k": 4}}.')
@all_of(INPUTS)
@JSON
@engine_options
def scan(inputs: tuple[str, ...], output: str | None, params_file: str | None, as_json: bool, **values: Any) -> None:
    """Read files, run every method, and say in a few lines what was found.

    INPUT is a WARC, ARC or WACZ archive, a WET file, an index of archives (.cdx, .cdxj), a folder of HTML, JSONL,
    Parquet, CSV or a MediaWiki export; also compressed. Patterns, @list.txt, URLs and - (stdin) stand for such.

    \b
    unquilt scan crawl.warc.gz -o news.study
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
@all_of(INPUTS)
@JSON
@engine_options
def add(study_folder: str, inputs: tuple[str, ...], as_json: bool, **values: Any) -> None:
    """Read files into a study; it is made when it is not there. INPUT is what `unquilt scan --help` says.

    \b
    unquilt add news.study "november/*.warc.gz" --snapshot 2026-11
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
    """Run one method; what is made already is not made again. With --json, `rows` are the first of `total`.

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
                print_json({**answer, "total": _rows_of(study, method.result.name), "rows": found.to_pylist()})
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
@click.option("-n", "--limit", type=click.IntRange(min=0), metavar="N", help=f"Rows to show. [default: {ROWS}; with --json all]")
@click.option("--by", metavar="COLUMN", help="Count the rows by what they have in this column.")
@JSON
@engine_options
def show(study_folder: str, table: str | None, limit: int | None, by: str | None, as_json: bool, **values: Any) -> None:
    """Show the tables of a study, or the most interesting rows of one.

    \b
    unquilt show news.study
    unquilt show news.study host_pair -n 5
    unquilt show news.study skipped --by reason
    """
    engine, limit = take_engine(values), ROWS if limit is None and not as_json else limit
    if table is None and by is not None:
        raise UsageError(f"--by {by} counts the rows of a table, and none is named; `unquilt show {study_folder}` lists them")
    with _opened(study_folder, engine) as study:
        if table is None:
            found = study.contents()
            print_json(found) if as_json else print_rows(["table", "rows", "each row"], found)
        elif by is not None:
            _show_counts(study, table, by, limit, as_json)
        elif as_json:
            print_json_rows(study.each(table, limit))
        else:
            print_rows(study.first(table, 0).column_names, study.each(table, limit))
        if table is not None and by is None and limit is not None:
            _say_more(study, table, limit)


def _show_counts(study: Study, table: str, by: str, limit: int | None, as_json: bool) -> None:
    more = None if limit is None else limit + 1
    found = study.counts(table, by, limit=more)
    shown = found.slice(0, limit)
    print_json(shown.to_pylist()) if as_json else print_rows(shown.column_names, shown.to_pylist())
    if found.num_rows > shown.num_rows:
        study.watch.say(f"the {shown.num_rows:,} most frequent; give a larger -n to see more")


@cli.command(short_help="Show one page: what is known of it, its text, or its HTML again.")
@click.argument("study_folder", metavar="STUDY")
@click.argument("name", metavar="ID")
@click.option("--text", "what", flag_value="text", help="The text a person can see.")
@click.option("--main", "what", flag_value="main", help="The main text alone.")
@click.option("--html", "what", flag_value="html", help="The archived bytes, read from the input again.")
@click.option("--inputs", metavar="FOLDER", help="Where the inputs lie now. [default: where they were added from]")
@JSON
def page(study_folder: str, name: str, what: str | None, inputs: str | None, as_json: bool) -> None:
    """Show one page by its id or URL: what is known of it and where it came from; or its text, or its HTML.

    \b
    unquilt page news.study https://news.example/2024/a
    unquilt page news.study https://news.example/2024/a --html > a.html
    """
    with _opened(study_folder) as study:
        if what == "html":
            print_bytes(study.html(name, inputs))
            return
        found = study.page(name)
        if as_json:
            print_json(dataclasses.asdict(found))
        elif what is not None:
            print_text(found.text if what == "text" else found.main_text)
        else:
            print_lines([*sentences.of_page(found)])


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
@JSON
@engine_options
def remove(study_folder: str, urls: tuple[str, ...], hosts: tuple[str, ...], list_file: str | None, as_json: bool, **values: Any) -> None:
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
        if as_json:
            print_json(dataclasses.asdict(removed))
        for name in removed.unknown:
            study.watch.say(f"`{name}` is not in the study")
        study.watch.say(f"captures removed: {removed.captures:,}")
    if removed.unknown and not removed.captures and not removed.made:
        raise Findings("nothing was removed: none of the names given is in the study")


@cli.command(short_help="Write a table to a file.")
@click.argument("study_folder", metavar="STUDY")
@click.argument("table")
@click.option("-o", "--output", required=True, metavar="FILE", help="File to write: .parquet, .jsonl or .csv.")
@JSON
@engine_options
def export(study_folder: str, table: str, output: str, as_json: bool, **values: Any) -> None:
    """Write a table to a file; `pages` is the corpus with its texts.

    CSV holds every text as it is, also one that begins with = + - or @: import such columns as text.

    \b
    unquilt export news.study host_pair -o pairs.csv
    """
    with _opened(study_folder, take_engine(values)) as study:
        rows = study.export(table, output)
        if as_json:
            print_json({"table": table, "path": output, "rows": rows, "columns": study.first(table, 0).column_names})
        else:
            study.watch.say(f"{rows:,} rows written to {output}")


@contextmanager
def _opened(folder: str, engine: Engine | None = None, create: bool = False) -> Iterator[Study]:
    import unquilt
    from unquilt.cli.progress import watch_for
    from unquilt.engine.budget import steady_allocator
    from unquilt.study import discard_empty

    engine = engine or Engine(None, None, None, True, False, None)
    made_here = create and not Path(folder).exists()
    steady_allocator()
    log = _log(engine.log_file)
    watch = watch_for(quiet=engine.quiet, verbose=engine.verbose, log=log)
    try:
        yield unquilt.open(folder, create=create, memory=engine.memory, threads=engine.threads, tmp=engine.tmp, watch=watch)
    except (UnquiltError, KeyboardInterrupt) as error:
        watch.note(f"ended: {error or 'interrupted'}")
        if made_here and isinstance(error, UnquiltError):
            discard_empty(Path(folder))
        raise
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
    """How to read them; an input that is not there is told of before a study is made."""
    from unquilt.read.inputs import readers_for
    from unquilt.read.options import Options
    from unquilt.read.record import Fields

    fields = Fields(**{f.name: values[f"{f.name}_field"] for f in dataclasses.fields(Fields)})
    options = Options(**{f.name: values[f.name] for f in dataclasses.fields(Options)})
    readers_for(inputs, fields, options)
    return {"fields": fields, "options": options, "snapshot": values["snapshot"]}


def _check_readable(found: Summary, folder: str) -> None:
    if found.skipped and not found.captures:
        raise InputError(f"{sentences.of_unreadable(found)}; `unquilt show {shlex.quote(folder)} skipped` says where")


def _check_skipped(found: Summary, folder: str, most: float | None) -> None:
    """What is lost of a file that was cut off may be any share of it."""
    if most is None or ((found.skipped_share or 0) <= most and not found.lost):
        return
    said = sentences.of_skipped(found, most) if (found.skipped_share or 0) > most else f"lost: {sentences.of_lost(found)}"
    raise Findings(f"{said}; `unquilt show {shlex.quote(folder)} skipped --by reason` says why")


def _say_more(study: Study, table: str, shown: int) -> None:
    rows = _rows_of(study, table)
    if rows > shown:
        study.watch.say(f"{shown:,} of {rows:,} rows; `unquilt show {shlex.quote(str(study.folder))} {table} -n {rows}` shows all")


def _rows_of(study: Study, table: str) -> int:
    return next(int(t["rows"]) for t in study.contents() if t["table"] == table)


_ENDINGS = frozenset(".gz .zst .lz4 .bz2 .jsonl .ndjson .parquet .csv .tsv .warc .arc .wet .wacz .cdx .cdxj .xml .html .htm .txt".split())


def _named_after(path: str) -> str:
    name = os.fsencode(Path(path).name).decode("utf-8", "backslashreplace")  # DuckDB opens no other names
    while Path(name).suffix.lower() in _ENDINGS:
        name = Path(name).stem
    return "stdin.study" if name == "-" else f"{name.lstrip('@') or 'unquilt'}.study"


def _lines(path: str | None) -> list[str]:
    if path is None:
        return []
    try:
        text = Path(path).read_text("utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"`{path}` cannot be read ({error.strerror}); give a file with one URL a line") from error
    return [line.strip() for line in text.splitlines() if line.strip()]
