"""How is Atheris told what to search? It sees which code of unquilt an input reaches, and changes those that reach something new."""

from __future__ import annotations

import gc
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import FunctionType

import atheris

import seeds
from targets import TARGETS


def search(name: str, corpus: Path, broken: Path, seconds: float, *, longest: int, wait: int, memory: int) -> None:
    for data in seeds.SEEDS[name]():  # all that is imported late is there now
        TARGETS[name](data)
    watch()
    with tempfile.NamedTemporaryFile("w", suffix=".dict") as words:
        words.writelines(f'"{spelled(word)}"\n' for word in seeds.WORDS[name])
        words.flush()
        arguments = [
            sys.argv[0],
            str(corpus),
            f"-artifact_prefix={broken}/",
            f"-dict={words.name}",
            f"-max_len={longest}",
            f"-timeout={wait}",
            f"-rss_limit_mb={memory}",
            "-verbosity=0",
        ]
        atheris.Setup(arguments, stopping(TARGETS[name], time.process_time() + seconds))
        atheris.Fuzz()


def stopping(target: Callable[[bytes], None], at: float) -> Callable[[bytes], None]:
    """Ends the process when it has had its CPU seconds: the search itself goes by the clock, and others use the machine too."""

    def target_or_end(data: bytes) -> None:
        if time.process_time() > at:
            os._exit(0)  # what was found is in files already
        target(data)

    return target_or_end


def spelled(word: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word)


def watch() -> None:
    """Every function of unquilt's, methods too, reports where it comes by."""
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and (one.__module__ or "").startswith("unquilt"):
            atheris.instrument_func(one)
