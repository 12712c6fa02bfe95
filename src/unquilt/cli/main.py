"""How does a command begin and end? Signals, errors and exit codes, once for all commands."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

import click

from unquilt.cli.commands import cli
from unquilt.cli.output import to_stderr
from unquilt.errors import EXIT_INTERRUPTED, CannotGoOn, Interrupted, UnquiltError


def main() -> None:
    _speak_utf8()
    _catch_signals()
    sys.exit(_run())


def _run() -> int:
    try:
        cli(prog_name="unquilt", standalone_mode=False)
        sys.stdout.flush()
        return 0
    except click.ClickException as error:
        error.show()
        return 2
    except UnquiltError as error:
        to_stderr(f"unquilt: {error}")
        return error.exit_code
    except (KeyboardInterrupt, Interrupted, click.Abort):
        to_stderr("unquilt: interrupted; what was finished is kept, the same command goes on from there")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader of our stdout has seen enough (`| head`); that is no failure of ours.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except MemoryError:
        to_stderr("unquilt: the system gave no more memory; set --memory to what this machine can spare")
        return CannotGoOn.exit_code


def _speak_utf8() -> None:
    """Whatever the locale says: names and texts of pages are Unicode, and file names may be any bytes."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _catch_signals() -> None:
    """Ctrl-C and SIGTERM stop in good order; the second one stops at once."""

    def stop(number: int, frame: FrameType | None) -> None:
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, lambda *_: os._exit(EXIT_INTERRUPTED))
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
