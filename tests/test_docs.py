"""The docs say what is: generated pages are up to date, every command in them runs, everything is in them."""

import ast
import re
from pathlib import Path

import pytest

import fill_docs
import make_docs
import unquilt
from unquilt.catalogue import METHODS, TABLES
from unquilt.errors import UnquiltError
from unquilt.exporting import PAGES
from unquilt.read.url import normalised

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
RUN_BY_CI = {"install": ["pip install ."], "test": ["pip install '.[test]'", "python -m pytest"]}
RUN = [page for page in fill_docs.pages() if any(b.elsewhere is None for b in fill_docs.blocks(page.read_text("utf-8")))]
LINKED = [*fill_docs.pages(), *(ROOT / n for n in ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "THIRD_PARTY.md"))]


def text_of(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


def headings(text: str) -> set[str]:
    return set(re.findall(r"^#+ (.*)$", text, re.MULTILINE))


def rows(text: str, first: str) -> list[list[str]]:
    """The cells of the table whose head begins with `first`."""
    table = text.split(f"| {first} |", 1)[1].split("\n\n", 1)[0]
    return [[c.strip() for c in line.strip("|").split("|")] for line in table.splitlines()[2:]]


@pytest.mark.parametrize("page", make_docs.PAGES_OF)
def test_a_generated_page_says_what_the_code_says(page: str) -> None:
    assert make_docs.up_to_date(page), f"docs/{page} is out of date; run `python tools/make_docs.py`"


@pytest.mark.parametrize("page", RUN, ids=lambda p: p.name)
def test_commands_run_and_say_what_the_page_shows(page: Path) -> None:
    assert fill_docs.run_page(page) == page.read_text("utf-8"), "run `python tools/fill_docs.py`"


def test_only_installing_and_testing_are_left_to_ci() -> None:
    found = {b.elsewhere: b.commands for p in fill_docs.pages() for b in fill_docs.blocks(p.read_text("utf-8")) if b.elsewhere}
    assert found == RUN_BY_CI


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


def test_every_reason_to_skip_is_documented() -> None:
    documented = {reason.strip("`") for reason, _ in rows(text_of("inputs.md"), "reason")}
    assert documented == set().union(*(reasons_in(p) for p in (ROOT / "src/unquilt/read").glob("*.py")))


def reasons_in(path: Path) -> set[str]:
    """First literals of calls of Skip, and of those that only pass a reason on."""
    place = {"Skip": 0, "_left_out": 2}
    calls = [n for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
    given = [c.args[place[c.func.id]] for c in calls if isinstance(c.func, ast.Name) and c.func.id in place]
    return {str(a.value) for a in given if isinstance(a, ast.Constant)}


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
