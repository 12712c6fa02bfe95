"""The command line: a face with no logic of its own. stdout is data, stderr is words."""

from __future__ import annotations

from unquilt.cli.main import main

__all__ = ["main"]
