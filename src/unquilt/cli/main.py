"""How does a command begin and end? Signals, errors and exit codes, once for all commands."""

from __future__ import annotations

import os
import signal
import sys
import threading
from types import FrameType

import click

from unquilt.cli.commands import cli
from unquilt.cli.output import to_stderr
from unquilt.errors import EXIT_INTERRUPTED, CannotGoOn, Interrupted, UnquiltError, UsageError

SHOW_CURSOR = b"\x1b[?25h"
STOPPED = threading.Event()


def main() -> None:
    _open_streams()
    _catch_signals()
    sys.exit(_run(sys.argv[1:]))


def _run(arguments: list[str]) -> int:
    try:
        code = _invoked(arguments)
        sys.stdout.flush()
        return code
    except BaseException as error:  # noqa: BLE001 - what is no sentence of ours is raised again
        # DuckDB turns Ctrl-C into an error of its own, and whatever breaks while we stop, breaks because we stop.
        return _ended_by(KeyboardInterrupt() if STOPPED.is_set() else error)


def _ended_by(error: BaseException) -> int:
    """Says what happened in one sentence, and gives the exit code; what is no sentence of ours is raised again."""
    match error:
        case click.ClickException():
            to_stderr(_said(error))
            return UsageError.exit_code
        case UnquiltError():
            to_stderr(f"unquilt: {error}")
            return error.exit_code
        case KeyboardInterrupt() | Interrupted():
            to_stderr("unquilt: interrupted; what was finished is kept, the same command goes on from there")
            return EXIT_INTERRUPTED
        case BrokenPipeError():
            _drop_stdout()  # the reader of our stdout has seen enough (`| head`); that is no failure of ours
            return 0
        case OSError():
            _drop_stdout()
            where = f" `{os.fsdecode(error.filename)}`" if isinstance(error.filename, str | bytes) else ""
            to_stderr(f"unquilt: the system refused{where} ({error.strerror or error}); mend that, then the same command goes on")
            return CannotGoOn.exit_code
        case MemoryError():
            to_stderr("unquilt: the system gave no more memory; set --memory to what this machine can spare")
            return CannotGoOn.exit_code
    raise error


def _invoked(arguments: list[str]) -> int:
    """Like click's own `main`, which has other exit codes for a closed pipe and for Ctrl-C."""
    try:
        with cli.make_context("unquilt", arguments) as context:
            cli.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    return 0


def _said(error: click.ClickException) -> str:
    """Click's complaints in our form; a command without anything behind it answers with its help."""
    message = error.format_message().strip()
    if not isinstance(error, click.UsageError) or error.ctx is None or message.startswith("Usage:"):
        return message
    message = " ".join(line.strip() for line in message.splitlines()).rstrip(".")
    return f"unquilt: {message[0].lower()}{message[1:]}; `{error.ctx.command_path} --help` says what can be given"


def _open_streams() -> None:
    """Text goes out as UTF-8 whatever the locale says; a stream that was closed swallows what it is given."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "r+", encoding="utf-8"))  # noqa: SIM115 - open to the end
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _drop_stdout() -> None:
    """What is still in its buffer would fail again when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _catch_signals() -> None:
    """Ctrl-C and SIGTERM stop in good order; the second one stops at once. `nohup` and `&` in a script stay deaf to Ctrl-C."""

    def stop(number: int, frame: FrameType | None) -> None:
        if STOPPED.is_set():
            _end_now()
        STOPPED.set()
        raise KeyboardInterrupt

    received, sent = os.pipe()
    os.set_blocking(sent, False)
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, stop)
    signal.set_wakeup_fd(sent, warn_on_full_buffer=False)
    threading.Thread(target=_end_at_the_second, args=(received,), daemon=True).start()


def _end_at_the_second(signals: int) -> None:
    """In a thread of its own: Python calls no handler while a query or a kernel has the main thread."""
    os.read(signals, 1)
    os.read(signals, 1)
    _end_now()


def _end_now() -> None:
    if sys.stderr.isatty():
        os.write(sys.stderr.fileno(), SHOW_CURSOR)  # the bar hides it
    os._exit(EXIT_INTERRUPTED)
