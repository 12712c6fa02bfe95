"""What the suite promises of itself: with the shared data at hand and under CI=true, a run that used none of it fails."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
SETTINGS = "[pytest]\ntestpaths = tests\nmarkers =\n  long: l\n  data: d\n  loopback: n\n"
DATA = "import pytest\n@pytest.mark.data\ndef test_data(shared_data): assert shared_data.is_dir()\n"
NAMED = "import pytest\n@pytest.mark.parametrize('x', ['data'])\ndef test_plain(x): pass\n"
TESTS = {"plain": "def test_plain(): pass\n", "named": NAMED, "data": DATA}


def ran(folder: Path, tests: str, *, data: bool, ci: str, words: tuple[str, ...] = ()) -> tuple[int, str]:
    """(exit code, the line on the data) of a suite with our conftest and these tests."""
    shutil.copytree(HERE / "guard", folder / "tests" / "guard")
    shutil.copy(HERE / "conftest.py", folder / "tests")
    (folder / "pytest.ini").write_text(SETTINGS)
    for name in tests.split():
        (folder / "tests" / f"test_{name}.py").write_text(TESTS[name])
    (folder / "data").mkdir() if data else None
    around = {**os.environ, "CI": ci, "UNQUILT_DATA": str(folder / "data")}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words]
    done = subprocess.run(command, cwd=folder, env=around, capture_output=True, text=True, check=False)
    (line,) = re.findall("^shared data: .*$", done.stdout, re.MULTILINE)
    return done.returncode, line


@pytest.mark.parametrize(
    ("tests", "data", "ci", "words", "code"),
    [
        ("plain", True, "true", (), 1),
        ("named", True, "true", (), 1),
        ("plain data", True, "true", (), 0),
        ("plain", True, "", (), 0),
        ("plain", False, "true", (), 0),
        ("plain data", False, "true", (), 0),
        ("plain", True, "true", ("tests/test_plain.py",), 0),
    ],
    ids=["none ran", "one is only called so", "one ran", "not in CI", "no data", "skipped for want of data", "only a part was asked for"],
)
def test_a_run_in_ci_that_passes_over_the_data_fails(tmp_path: Path, tests: str, data: bool, ci: str, words: tuple[str, ...], code: int):
    ended, line = ran(tmp_path, tests, data=data, ci=ci, words=words)
    assert ended == code
    count = int("data" in tests.split() and data)
    assert line == f"shared data: {count} tests ran" + ("" if data else f"; {tmp_path / 'data'} is absent")
