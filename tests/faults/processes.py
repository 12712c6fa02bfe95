"""How the fault tests start unquilt, and what they look at afterwards."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import unquilt

VICTIM = Path(__file__).with_name("victim.py")
COMMAND = [sys.executable, "-m", "unquilt"]
INTERRUPTED, CANNOT_GO_ON, UNREADABLE, USAGE = 130, 4, 3, 2

Done = subprocess.CompletedProcess[str]


def run(*args: str | Path, env: Mapping[str, str] | None = None, cwd: Path | None = None, **more: Any) -> Done:
    return _run([*COMMAND, *map(os.fspath, args)], env, cwd, **more)


def run_victim(plan: Mapping[str, Any], *args: str | Path, env: Mapping[str, str] | None = None, **more: Any) -> Done:
    return _run([sys.executable, str(VICTIM), json.dumps(plan), *map(os.fspath, args)], env, None, **more)


def _run(command: list[str], env: Mapping[str, str] | None, cwd: Path | None, **more: Any) -> Done:
    whole = {**os.environ, **(env or {})}
    return subprocess.run(
        command, env=whole, cwd=cwd, capture_output=True, text=True, encoding="utf-8", errors="surrogateescape", timeout=900, **more
    )


def check(done: Done, code: int = 0) -> Done:
    """It ended with this code, and whatever it had to say it said in sentences."""
    assert done.returncode == code, f"exit {done.returncode}, wanted {code}\n{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr, done.stderr
    return done


def complaint(done: Done) -> str:
    """The one sentence of an error."""
    lines = [line for line in done.stderr.splitlines() if line.startswith("unquilt: ")]
    assert len(lines) == 1, done.stderr
    return lines[0].removeprefix("unquilt: ")


def manifest(study: Path) -> dict[str, Any]:
    """What the manifest says, but for how often it was written."""
    facts: dict[str, Any] = json.loads((study / "manifest.json").read_text("utf-8"))
    return {**facts, "generation": None}


def tree(folder: Path) -> dict[str, str]:
    """Every file below the folder, by its content."""
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    return {str(p.relative_to(folder)): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}


def exports(study: Path, to: Path) -> dict[str, str]:
    to.mkdir(parents=True, exist_ok=True)
    opened = unquilt.open(study, create=False)
    for name in ("pages.jsonl", "host_pair.csv", "host_overlap.parquet", "copy.jsonl"):
        opened.export(name.split(".")[0], to / name)
    return tree(to)


def published(study: Path) -> dict[str, str]:
    """Digest of every published table."""
    held = unquilt.open(study, create=False).manifest.tables
    return {name: table.identity for name, table in held.items()}
