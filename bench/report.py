"""How is a measurement said? A line of a table for people, the same in JSON for programs, and an exit code that knows of bars."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

MISSED = 1


@dataclass(frozen=True)
class Line:
    """One comparison: `figure` is how many times as fast unquilt is, or what the section says it is; `held` is None without a bar."""

    section: str
    what: str
    ours: float
    peer: float | None
    figure: float
    bar: str
    held: bool | None


def beside(section: str, what: str, mine: float, peer: float, bar: float | None) -> Line:
    figure = peer / mine
    return Line(section, what, mine, peer, figure, f">= {bar:g}x" if bar else "", figure >= bar if bar else None)


def head(packages: Sequence[str], **more: Any) -> tuple[dict[str, Any], str]:
    """What was measured on, with which versions, for JSON; and the same above a table."""
    known = facts(packages) | more
    said = ", ".join(f"{k} {v}" for k, v in known.items())
    return known, f"{said}\n\n| section | what | unquilt | peer | figure | bar | held |\n|---|---|---|---|---|---|---|"


def facts(packages: Sequence[str]) -> dict[str, Any]:
    from unquilt import __version__

    cpu = next((line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line), "")
    level = subprocess.run(
        [sys.executable, "-c", "from unquilt import kernel; print(kernel.simd_level())"], capture_output=True, text=True, check=True
    ).stdout.strip()
    known = {"cpu": cpu, "cores": os.cpu_count(), "simd": level, "python": platform.python_version(), "unquilt": __version__}
    return known | {package: version(package) for package in packages}


def row(x: Line) -> str:
    peer = "" if x.peer is None else f"{x.peer:.3f}"
    held = {True: "yes", False: "**no**", None: ""}[x.held]
    return f"| {x.section} | {x.what} | {x.ours:.3f} | {peer} | {x.figure:.2f} | {x.bar} | {held} |"


def closed(lines: Sequence[Line], known: dict[str, Any], path: Path | None) -> int:
    """Writes the figures where they are wanted; the exit code is 1 when a bar was missed, and stderr says which."""
    if path is not None:
        path.write_text(json.dumps({"machine": known, "lines": [asdict(one) for one in lines]}, indent=1) + "\n")
    missed = [one for one in lines if one.held is False]
    for one in missed:
        print(f"missed: {one.section}, {one.what}: {one.figure:.2f}, the bar is {one.bar}", file=sys.stderr)
    return MISSED if missed else 0
