"""A wheel needs no compiler: it is built, repaired, and installed where the compiler is `false`."""

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="auditwheel is for Linux; cibuildwheel tests the wheels of others")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repaired wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    built, repaired = folder / "built", folder / "repaired"
    # A copy, so that nothing is left in the tree, and nothing that lies around in it gets into the wheel.
    source = shutil.copytree(ROOT, folder / "source", ignore=shutil.ignore_patterns("build", "dist", "site", ".*", "*.study"))
    run(BIN / "python", "-m", "pip", "wheel", "-q", "--no-deps", "-w", built, source)
    path = os.pathsep.join([str(BIN), os.environ["PATH"]])
    run(BIN / "auditwheel", "repair", "-w", repaired, *built.glob("*.whl"), PATH=path)
    return next(repaired.glob("*.whl"))


def run(*command: object, **around: str) -> str:
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "UNQUILT_TEST_CONNECTIONS")}  # pip may fetch
    done = subprocess.run([str(c) for c in command], env={**env, **around}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_a_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {n.split("/")[0] for n in names} == {"unquilt", f"unquilt-{wheel.name.split('-')[1]}.dist-info"}
    assert {"unquilt/py.typed", "unquilt/kernel/_kernel.pyi"} <= set(names)
    assert [n for n in names if n.endswith("dist-info/licenses/LICENSE")]
    assert [n for n in names if n.endswith("dist-info/licenses/THIRD_PARTY.md")]
    assert not [n for n in names if n.endswith((".cpp", ".h", ".inc"))]


def test_a_wheel_is_for_any_linux_of_its_age(wheel: Path) -> None:
    assert "manylinux" in wheel.name


def test_a_wheel_scans_where_there_is_no_compiler(wheel: Path, tmp_path: Path) -> None:
    fresh = tmp_path / "fresh"
    venv.create(fresh, with_pip=True)
    without = {"CC": "false", "CXX": "false"}
    run(fresh / "bin" / "python", "-m", "pip", "install", "-q", "--only-binary", ":all:", wheel, **without)
    said = run(fresh / "bin" / "unquilt", "scan", ROOT / "examples" / "blogs.jsonl", "-o", tmp_path / "blogs.study", **without)
    assert said.startswith("pages ")
