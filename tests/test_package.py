"""The package as others meet it: quick to import, typed, one version, no more names than promised."""

import importlib.metadata
import re
import resource
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import unquilt

ROOT = Path(__file__).resolve().parents[1]
FACE = ["Copies", "Fields", "Options", "Overlaps", "Result", "Study", "Suspects", "UnquiltError", "__version__", "open"]
BRIEF = 0.25  # CPU seconds

# What has no place in a published repository; each spelt so that this file does not hold it.
FOREIGN = {
    "a path of somebody's machine": r"(?<![\w.])/(?:hom[e]|roo[t]|User[s]|wor[k]|workspac[e])/\w",
    "the address of a package index": r"pypi[.]|files[.]pythonhosted|registry[.]npmjs|deb[.]debian[.]org",
    "the number of an issue": r"(?i)\b(?:issu[e]|ticke[t]) #?\d|(?<!UAX )(?<![\w&])#\d+\b",
    "a mark of unfinished work": r"\b(?:TOD[O]|FIXM[E]|XX[X])\b",
}
TEXT = {".py", ".md", ".toml", ".yml", ".cff", ".h", ".inc", ".cpp", ".txt", ".pyi", ""}


def cpu_seconds(*command: str) -> float:
    """CPU time of a command, best of five."""
    return min(one_run(command) for _ in range(5))


def one_run(command: tuple[str, ...]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_importing_is_quick() -> None:
    assert cpu_seconds(sys.executable, "-c", "import unquilt") < BRIEF


def test_help_is_quick() -> None:
    assert cpu_seconds(str(Path(sys.executable).parent / "unquilt"), "--help") < BRIEF


def test_importing_loads_nothing_heavy() -> None:
    code = "import sys, unquilt; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert not {"numpy", "pyarrow", "duckdb", "click", "rich"} & set(loaded)


def test_the_public_names_are_these() -> None:
    assert unquilt.__all__ == FACE
    assert dir(unquilt) == FACE
    assert all(getattr(unquilt, name) is not None for name in FACE)


def test_another_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        unquilt.nothing  # noqa: B018


def test_the_package_is_typed() -> None:
    assert (Path(unquilt.__file__).parent / "py.typed").exists()
    assert (Path(unquilt.__file__).parent / "kernel" / "_kernel.pyi").exists()


def test_there_is_one_version() -> None:
    version = unquilt.__version__
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == version
    assert importlib.metadata.version("unquilt") == version
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\n## [{version}]" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_extras_are_those_that_exist() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(project["optional-dependencies"]) == {"remote", "test", "dev", "docs"}


def test_every_need_has_its_licence_noted() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    noted = (ROOT / "THIRD_PARTY.md").read_text("utf-8")
    needs = {re.split("[^a-z0-9]", need)[0] for need in (*project["dependencies"], *project["optional-dependencies"]["remote"])}
    assert needs == set(re.findall(r"^\| ([a-z0-9]+) \|", noted, re.MULTILINE)) - {"package"}
    assert "### nanobind" in noted


@pytest.mark.parametrize("what", FOREIGN)
def test_the_repository_holds_none_of(what: str) -> None:
    found = [f"{p.relative_to(ROOT)}: {m[0]}" for p in texts() for m in re.finditer(FOREIGN[what], p.read_text("utf-8", "replace"))]
    assert not found


def texts() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this is no git repository; the list of files comes from git")
    paths = [ROOT / name for name in listed.stdout.splitlines()]
    return [p for p in paths if p.is_file() and p.suffix in TEXT and "examples/articles" not in p.as_posix()]
