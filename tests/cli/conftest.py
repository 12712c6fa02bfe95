"""What the tests of the command line share: two ways to call it, and a study of the example web."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "blogs.jsonl"


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str


Call = Callable[..., Ended]


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `blogs.jsonl` and `blogs.study`; tests do not change them."""
    folder = tmp_path_factory.mktemp("example")
    (folder / "blogs.jsonl").write_bytes(EXAMPLE.read_bytes())
    done = subprocess.run([sys.executable, "-m", "unquilt", "scan", "blogs.jsonl"], cwd=folder, capture_output=True, check=True)
    assert b"Traceback" not in done.stderr
    return folder


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    """The command line in this process: quick. Every complaint is one sentence."""
    from unquilt.cli.main import _run

    def run(*words: str | Path, cwd: Path | None = None) -> Ended:
        if cwd is not None:
            monkeypatch.chdir(cwd)
        code = _run([os.fspath(w) for w in words])
        out, err = capfd.readouterr()
        if code in (2, 3, 4):
            assert err.strip().splitlines()[-1].startswith("unquilt: ")
        return Ended(code, out, err)

    return run


@pytest.fixture
def start() -> Call:
    """The command line as users start it, in a process of its own."""

    def run(*words: str | Path, cwd: Path, given: bytes = b"", env: dict[str, str] | None = None, **more: Any) -> Ended:
        command = [sys.executable, "-m", "unquilt", *map(os.fspath, words)]
        whole = {**os.environ, **(env or {})}
        done = subprocess.run(command, cwd=cwd, input=given, capture_output=True, env=whole, timeout=120, check=False, **more)
        out, err = (s.decode("utf-8", "surrogateescape") for s in (done.stdout, done.stderr))
        assert "Traceback" not in err, err
        return Ended(done.returncode, out, err)

    return run
