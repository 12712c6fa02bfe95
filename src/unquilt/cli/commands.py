"""The commands: each parses, asks the Python API, and prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from unquilt.catalogue import METHODS
from unquilt.cli import sentences
from unquilt.cli.options import FIELDS, JSON, Engine, all_of, engine_options, method_from, options_of, share, take_engine
from unquilt.cli.output import print_json, print_rows, to_stderr
from unquilt.errors import Findings, UsageError
from unquilt.method import Method
from unquilt.version import __version__

if TYPE_CHECKING:
    from unquilt.study import Study

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(context_settings=CONTEXT)
@click.version_option(__version__, prog_name="unquilt")
def cli() -> None:
    """Tell what in a collection of web pages is original, what is copied, from where, and how sure that is.

    A study is a folder of Parquet tables. `scan` makes one out of files and says what it found.
    """


@cli.command()
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("-o", "--output", metavar="STUDY", help="The study. [default: named after the first input]")
@all_of(FIELDS)
@JSON
@engine_options
def scan(inputs: tuple[str, ...], output: str | None, as_json: bool, **values: Any) -> None:
    """Read files, run every method, and say in a few lines what was found.

    \b
    unquilt scan pages.jsonl -o news.study
    """
    engine = take_engine(values)
    folder = output or _named_after(inputs[0])
    with _opened(folder, engine, create=True) as study:
        most = share(values.pop("max_skipped"))
        _add(study, inputs, values)
        for method in METHODS:
            study.run(method())
        found = study.summary()
        if as_json:
            print_json(found.to_dict())
        else:
            for line in sentences.of_summary(found, folder):
                click.echo(line)
        _check_skipped(study, most)


@cli.command()
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
    engine = take_engine(values)
    with _opened(study_folder, engine, create=True) as study:
        most = share(values.pop("max_skipped"))
        added = _add(study, inputs, values)
        if as_json:
            print_json([sentences.added_as_dict(a) for a in added])
        _check_skipped(study, most)


@cli.group("run", subcommand_metavar="METHOD [OPTIONS]")
@click.argument("study_folder", metavar="STUDY")
@click.pass_context
def run_group(context: click.Context, study_folder: str) -> None:
    """Run one method; what is made already is not made again.

    \b
    unquilt run news.study overlaps --k 4
    """
    context.obj = study_folder


@cli.group("plan", subcommand_metavar="METHOD [OPTIONS]")
@click.argument("study_folder", metavar="STUDY")
@click.pass_context
def plan_group(context: click.Context, study_folder: str) -> None:
    """Say what a method would make, what it would reuse, and why.

    \b
    unquilt plan news.study overlaps --k 4
    """
    context.obj = study_folder


def _run_command(method: type[Method]) -> click.Command:
    @click.pass_obj
    @engine_options
    @JSON
    def command(study_folder: str, /, as_json: bool, **values: Any) -> None:
        engine = take_engine(values)
        with _opened(study_folder, engine) as study:
            result = study.run(method_from(method, values))
            rows = result.head(20)
            if as_json:
                print_json({"made": list(result.made), "params": result.method.params(), "table": method.result.name, "rows": rows})
                return
            to_stderr(f"made: {', '.join(result.made) or 'nothing, all of it was there'}")
            print_rows(list(rows[0]) if rows else method.result.names, rows)

    return click.Command(method.name, callback=command, params=[*options_of(method), *command.__click_params__[::-1]], help=method.__doc__)  # type: ignore[attr-defined]


def _plan_command(method: type[Method]) -> click.Command:
    @click.pass_obj
    @JSON
    def command(study_folder: str, /, as_json: bool, **values: Any) -> None:
        with _opened(study_folder) as study:
            planned = study.plan(method_from(method, values))
        rows = [{"tables": ", ".join(p.tables), "action": p.action, "why": p.reason} for p in planned]
        print_json(rows) if as_json else print_rows(["tables", "action", "why"], rows)

    return click.Command(method.name, callback=command, params=[*options_of(method), *command.__click_params__[::-1]], help=method.__doc__)  # type: ignore[attr-defined]


for _method in METHODS:
    run_group.add_command(_run_command(_method))
    plan_group.add_command(_plan_command(_method))


@cli.command()
@click.argument("study_folder", metavar="STUDY")
@click.argument("table", required=False)
@click.option("-n", "--limit", type=click.IntRange(min=0), default=20, show_default=True, help="Rows to show.")
@JSON
def show(study_folder: str, table: str | None, limit: int, as_json: bool) -> None:
    """Show the tables of a study, or the first rows of one.

    \b
    unquilt show news.study
    unquilt show news.study host_pair -n 5
    """
    with _opened(study_folder) as study:
        if table is None:
            names = ["table", "rows", "each row"]
            rows = sentences.tables(study)
        else:
            found = study.rows(table, limit=limit)
            names, rows = found.column_names, found.to_pylist()
    print_json(rows) if as_json else print_rows(names, rows)


@cli.command()
@click.argument("study_folder", metavar="STUDY")
@click.option("--verify", is_flag=True, help="Read every table again and compare it with what was published.")
@JSON
def info(study_folder: str, verify: bool, as_json: bool) -> None:
    """Say what a study is made of: versions, inputs, parameters, tables, and the commands to make it again."""
    with _opened(study_folder) as study:
        facts = sentences.info(study)
        problems = study.verify() if verify else []
    if verify:
        facts["damaged"] = problems
    print_json(facts) if as_json else click.echo("\n".join(sentences.of_info(facts)))
    if problems:
        raise Findings(f"{len(problems)} tables are not what was published: {problems[0]}")


@cli.command()
@click.argument("study_folder", metavar="STUDY")
@click.option("--url", "urls", multiple=True, help="Remove all captures of this URL (or id).")
@click.option("--host", "hosts", multiple=True, help="Remove all captures of this host.")
@click.option("--list", "list_file", metavar="FILE", help="Remove the URLs in this file, one a line.")
@engine_options
def remove(study_folder: str, urls: tuple[str, ...], hosts: tuple[str, ...], list_file: str | None, **values: Any) -> None:
    """Take pages out of every result, as for a takedown; results that are there are made again.

    \b
    unquilt remove news.study --url https://news.example/2024/a --host spam.example
    """
    named = (*urls, *_lines(list_file))
    if not named and not hosts:
        raise UsageError("nothing to remove is named; give --url, --host or --list")
    with _opened(study_folder, take_engine(values)) as study:
        removed = study.remove(urls=named, hosts=hosts)
    for name in removed.unknown:
        to_stderr(f"`{name}` is not in the study")
    to_stderr(f"{removed.captures} captures removed")
    if removed.unknown and not removed.captures:
        raise Findings("nothing was removed: none of the names given is in the study")


@cli.command()
@click.argument("study_folder", metavar="STUDY")
@click.argument("table")
@click.option("-o", "--output", required=True, metavar="FILE", help="File to write: .parquet, .jsonl or .csv.")
@engine_options
def export(study_folder: str, table: str, output: str, **values: Any) -> None:
    """Write a table to a file; `pages` is the corpus with its texts.

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


def _add(study: Study, inputs: Sequence[str], values: dict[str, Any]) -> list[Any]:
    from unquilt.read import Fields

    fields = Fields(values["id_field"], values["url_field"], values["text_field"], values["date_field"])
    added = study.add(*inputs, snapshot=values["snapshot"], fields=fields)
    for one in added:
        study.watch.say(sentences.of_added(one))
    return added


def _check_skipped(study: Study, most: float | None) -> None:
    if most is None:
        return
    pages = sum(f.pages for f in study.manifest.inputs)
    skipped = sum(f.skipped for f in study.manifest.inputs)
    if pages + skipped and skipped / (pages + skipped) > most:
        raise Findings(
            f"{skipped:,} of {pages + skipped:,} records were skipped, more than {most:.2%}; `unquilt show {study.folder} skipped` lists them"
        )


def _named_after(path: str) -> str:
    name = Path(path).name
    while Path(name).suffix in (".gz", ".jsonl", ".ndjson", ".parquet"):
        name = Path(name).stem
    return f"{name or 'scan'}.study"


def _lines(path: str | None) -> list[str]:
    if path is None:
        return []
    try:
        text = Path(path).read_text("utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"`{path}` cannot be read ({error.strerror}); give a file with one URL a line") from error
    return [line.strip() for line in text.splitlines() if line.strip()]
