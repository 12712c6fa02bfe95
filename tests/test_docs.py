"""The docs say what is: generated pages are up to date, every command in them runs, everything is in them."""

import ast
import re
import shlex
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import click
import pytest

import fill_docs
import make_docs
import unquilt
from unquilt.catalogue import METHODS, TABLES
from unquilt.cli.commands import cli
from unquilt.cli.options import INPUTS
from unquilt.errors import UnquiltError
from unquilt.exporting import PAGES
from unquilt.extract import rows as rows_of_pages
from unquilt.extract.page import MOST_DATES, MOST_LINKS
from unquilt.read import document, ending, fields, http_body, media_type, warc
from unquilt.read.dates import microseconds
from unquilt.read.domain import domain_of
from unquilt.read.reader import KINDS
from unquilt.read.record import Limits
from unquilt.read.url import normalised

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
RUN_BY_CI = {"install": ["pip install ."], "test": ["pip install '.[test]'", "python -m pytest"]}
RUN = [page for page in fill_docs.pages() if any(b.runs for b in fill_docs.blocks(page.read_text("utf-8")))]
LINKED = [*fill_docs.pages(), *(ROOT / n for n in ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "THIRD_PARTY.md"))]


def text_of(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


def headings(text: str) -> set[str]:
    return set(re.findall(r"^#+ (.*)$", text, re.MULTILINE))


def rows(text: str, first: str) -> list[list[str]]:
    """The cells of the tables whose head begins with `first`."""
    tables = [table.split("\n\n", 1)[0] for table in text.split(f"| {first} |")[1:]]
    assert tables
    return [[c.strip() for c in line.strip("|").split("|")] for table in tables for line in table.splitlines()[2:]]


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


@pytest.mark.parametrize("page", make_docs.PAGES_OF)
def test_a_generated_page_says_what_the_code_says(page: str) -> None:
    assert make_docs.up_to_date(page), f"docs/{page} is out of date; run `python tools/make_docs.py`"


@pytest.mark.parametrize("page", RUN, ids=lambda p: p.name)
def test_commands_run_and_say_what_the_page_shows(page: Path) -> None:
    assert fill_docs.run_page(page) == page.read_text("utf-8"), "run `python tools/fill_docs.py`"


def test_only_installing_and_testing_are_left_to_ci() -> None:
    found = {b.elsewhere: b.commands for p in fill_docs.pages() for b in fill_docs.blocks(p.read_text("utf-8")) if b.elsewhere}
    assert found == RUN_BY_CI


TAGLINE = "what a collection of web pages repeats: copies, shared passages, and which sites share most with whom."


def test_one_sentence_says_everywhere_what_it_does() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["description"] == f"Tells {TAGLINE}"
    for name in ("README.md", "docs/index.md", "CITATION.cff", "mkdocs.yml"):
        assert f"Tells {TAGLINE}" in (ROOT / name).read_text("utf-8"), name
    assert f"Tell {TAGLINE}" in " ".join(str(cli.help).split())
    assert TAGLINE in str(unquilt.__doc__)


def words_of(block: fill_docs.Block) -> Iterator[list[str]]:
    """The calls of unquilt in a block."""
    for command in block.commands:
        for part in re.split(r" [|>] ", command):
            if part.startswith("unquilt "):
                yield shlex.split(part)[1:]


@pytest.mark.parametrize("page", fill_docs.pages(), ids=lambda p: p.name)
def test_what_needs_a_network_is_followed_by_the_same_on_the_examples(page: Path) -> None:
    for block, twin in pairwise([*fill_docs.blocks(page.read_text("utf-8")), fill_docs.Block("", "console", "")]):
        if block.mark != fill_docs.NETWORK:
            continue
        asked, done = ({w for words in words_of(b) for w in words if w.startswith("--")} for b in (block, twin))
        assert twin.runs
        assert list(words_of(twin))
        assert asked <= done, block.body


@pytest.mark.parametrize("page", fill_docs.pages(), ids=lambda p: p.name)
def test_commands_that_need_a_network_are_commands(page: Path) -> None:
    for block in fill_docs.blocks(page.read_text("utf-8")):
        for name, *arguments in words_of(block) if block.mark == fill_docs.NETWORK else ():
            assert cli.commands[name].make_context(name, arguments)


def test_no_command_hides_in_a_block_that_is_not_run() -> None:
    for page in fill_docs.pages():
        other = re.sub(fill_docs.BLOCK, "", page.read_text("utf-8"))
        assert not re.findall(r"^(?:\$|>>>) .*$", other, re.MULTILINE), page


@pytest.mark.parametrize("path", [path for path, _ in make_docs.commands()])
def test_every_command_is_documented(path: str) -> None:
    assert path in headings(text_of("cli.md"))


@pytest.mark.parametrize("table", [*TABLES.values(), PAGES], ids=lambda t: t.name)
def test_every_table_is_documented_with_every_column(table: unquilt.table.Table) -> None:
    section = text_of("tables.md").split(f"\n## {table.name}\n", 1)[1].split("\n## ", 1)[0]
    assert table.sentence in section
    assert all(f"| `{c.name}` |" in section for c in table.columns)


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_every_method_has_a_section_and_a_paper(method: type[unquilt.method.Method]) -> None:
    assert method.name in headings(text_of("methods.md"))
    assert method.name in headings(text_of("papers.md"))


@pytest.mark.parametrize("name", unquilt.__all__)
def test_every_public_name_is_documented(name: str) -> None:
    documented = {n for cell, *_ in rows(text_of("python.md"), "name") for n in re.findall(r"`(\w+)`", cell)}
    assert name in documented


def test_every_error_and_its_exit_code_are_documented() -> None:
    def below(error: type[UnquiltError]) -> list[type[UnquiltError]]:
        return [error, *(e for sub in error.__subclasses__() if sub.__module__ == error.__module__ for e in below(sub))]

    errors = below(UnquiltError)
    assert all(re.search(rf"\b{e.__name__}\b", text_of("errors.md")) for e in errors)
    codes = {code for code, _ in rows(text_of("errors.md"), "exit code")}
    assert {str(e.exit_code) for e in errors} <= codes


@pytest.mark.parametrize(("given", "becomes"), rows(text_of("inputs.md"), "given"))
def test_the_table_of_urls_is_right(given: str, becomes: str) -> None:
    assert normalised(given.strip("`")) == (None if becomes == "not understood" else becomes.strip("`"))


@pytest.mark.parametrize(("host", "domain", "site"), rows(text_of("inputs.md"), "host"))
def test_the_table_of_domains_is_right(host: str, domain: str, site: str) -> None:
    assert [domain_of(host.strip("`")), domain_of(host.strip("`"), private=True)] == [domain.strip("`"), site.strip("`")]


def test_dates_that_are_said_to_be_understood_are() -> None:
    written = quoted(text_of("inputs.md").split("\n## Dates\n\n", 1)[1].split("\n\n")[0])
    assert len([date for date in written if microseconds(date) is not None]) == 4


@pytest.mark.parametrize("kind", [k for k in KINDS.values() if k.endings], ids=lambda k: k.name)
def test_every_kind_of_input_is_documented_with_its_endings(kind: unquilt.read.reader.Kind) -> None:
    (packings,) = [
        set(quoted(packed))
        for endings, packed, *_ in rows(text_of("inputs.md"), "names end in")
        if set(kind.endings) <= set(quoted(endings))
    ]
    assert packings == set(kind.packings)


@pytest.mark.parametrize("option", [o.name for decorate in INPUTS for o in click.command()(decorate(lambda: None)).params])
def test_every_option_of_inputs_is_explained(option: str) -> None:
    assert f"--{option.replace('_', '-')}" in text_of("inputs.md")


def test_limits_are_those_of_the_code() -> None:
    documented = {of: most for of, most, _ in rows(text_of("inputs.md"), "of")}
    limits = Limits()
    assert documented["the body of a response, HTML of a file or row"] == f"{limits.body_bytes // 10**6} MB, unpacked"
    assert documented["a line, a row, a text"] == f"{limits.record_bytes >> 20} MiB"
    assert documented["a URL"] == f"{limits.url_bytes >> 10} KB"
    assert documented["links of a page"] == f"{MOST_LINKS:,}"
    assert documented["dates of a page"] == f"{MOST_DATES:,}"
    assert documented["codings of a body, one in the other"] == str(http_body.MOST_CODINGS)


# Reasons that are no literals, by module and expression. A new one has to be given its values here.
KINDS_OF_BODIES = {*media_type.OF_TYPE.values(), *media_type.OF_FAMILY.values(), *media_type.MAGIC, media_type.BINARY, media_type.DATA}
NO_PAGES = {*KINDS_OF_BODIES, *document.ENDINGS} - {media_type.HTML, media_type.PLAIN}
COMPUTED = {
    "page: f'HTTP {message.status}'": {"HTTP 404"},
    "page: kind": NO_PAGES,
    "warc: f'{head.type.decode()} record'": {f"{type_.decode()} record" for type_ in warc.NOT_READ},
    "fields: f'no {field} field'": {f"no {field} field" for field in fields.CONTENT},
    "ending: LOST": {ending.LOST},
    "pool: UNREADABLE": {rows_of_pages.UNREADABLE},
    "rows: UNREADABLE": {rows_of_pages.UNREADABLE},
    "folder: reason": {*NO_PAGES, "empty file", "not HTML"},
    "document: reason": {*NO_PAGES, "empty file"},
    "http_body: *what": {"damaged compression", "unknown coding"},
}


def test_every_reason_to_skip_is_documented_and_no_other() -> None:
    documented = [reason for cell, _ in rows(text_of("inputs.md"), "reason") for reason in quoted(cell)]
    found = set().union(*(reasons_in(path) for folder in ("read", "extract") for path in (ROOT / "src/unquilt" / folder).glob("*.py")))
    assert sorted(documented) == sorted(found)


def reasons_in(path: Path) -> set[str]:
    """What is given as the reason to Skip and Fault, also by way of a function that only passes it on."""
    tree = ast.parse(path.read_text("utf-8"))
    passing = {"Skip": 0, "Fault": 0, "other": 1}
    found: set[str] = set()
    for function, call in [*calls(tree), *calls(tree)]:  # those who pass it on are known the second time
        at = passing.get(call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", ""))
        if at is None:
            continue
        reason, passed = call.args[at], parameters(function)
        if isinstance(reason, ast.Name) and reason.id in passed:
            assert isinstance(function, ast.FunctionDef)
            passing[function.name] = passed.index(reason.id)
        elif isinstance(reason, ast.Constant):
            found.add(str(reason.value))
        elif not (isinstance(reason, ast.Attribute) and reason.attr == "reason"):
            found |= COMPUTED[f"{path.stem}: {ast.unparse(reason)}"]
    return found


def parameters(function: ast.AST) -> list[str]:
    return [a.arg for a in function.args.args if a.arg != "self"] if isinstance(function, ast.FunctionDef) else []


def calls(node: ast.AST, function: ast.AST | None = None) -> Iterator[tuple[ast.AST, ast.Call]]:
    """Every call, with the innermost function it is in."""
    function = node if function is None or isinstance(node, ast.FunctionDef) else function
    if isinstance(node, ast.Call):
        yield function, node
    for child in ast.iter_child_nodes(node):
        yield from calls(child, function)


@pytest.mark.parametrize("page", LINKED, ids=lambda p: p.name)
def test_links_between_files_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text("utf-8"))
    missing = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert not missing


def test_the_site_leads_to_every_page() -> None:
    nav = re.findall(r"^  - (\w+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    assert sorted(nav) == sorted(p.name for p in DOCS.glob("*.md"))


def test_architecture_names_every_folder_and_module() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    source = ROOT / "src" / "unquilt"
    names = [f"{p.name}/" if p.is_dir() else p.name for p in source.iterdir() if p.suffix == ".py" or (p / "__init__.py").exists()]
    assert not [n for n in names if f"`{n}`" not in text and n != "__init__.py"]
