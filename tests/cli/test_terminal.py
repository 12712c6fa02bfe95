"""What a person sees in a terminal, and what a file gets without one."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from unquilt.cli.output import printable

WORK = """
import sys, time
from unquilt.cli.progress import watch_for
import unquilt.cli.progress as progress
progress.EVERY = 0.3
watch = watch_for(quiet="-q" in sys.argv, verbose="-v" in sys.argv, log=None)
with watch.stage("read pages.jsonl", 12e6, "bytes"):
    for _ in range(12):
        time.sleep(0.1)
        watch.advance(1e6)
with watch.stage("host", 0, ""):
    time.sleep(0.2)
watch.say("told \\x1b[31m at the end")
"""


def in_terminal(command: list[str], cwd: Path, columns: int = 100, **more: object) -> str:
    """Everything the command writes to a terminal of that many columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    env = {**os.environ, "TERM": "xterm", "COLUMNS": str(columns)}
    streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs, **more}
    running = subprocess.Popen(command, cwd=cwd, env=env, **streams)  # type: ignore[call-overload]
    os.close(theirs)
    said = b""
    while True:
        try:
            piece = os.read(ours, 1 << 16)
        except OSError:  # Linux: the other side is closed
            break
        if not piece:
            break
        said += piece
    os.close(ours)
    assert running.wait(timeout=60) == 0
    return said.decode("utf-8")


def without_escapes(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


def test_a_terminal_gets_a_bar_with_rate_and_time_left(tmp_path):
    said = in_terminal([sys.executable, "-c", WORK], tmp_path)
    seen = without_escapes(said)
    assert "read pages.jsonl" in seen
    assert re.search(r"\d+%\s+[\d.]+ MB/s\s+0:00:0\d", seen)
    assert "host" in seen
    assert seen.rstrip().endswith("told \\x1b[31m at the end")
    assert said.rindex("\x1b[?25h") > said.rindex("\x1b[?25l"), "the cursor is shown again"


def test_without_a_terminal_there_are_plain_lines_now_and_then(tmp_path):
    done = subprocess.run([sys.executable, "-c", WORK], capture_output=True, text=True, check=True)
    *lines, last = done.stderr.splitlines()
    assert 2 <= len(lines) <= 4
    for line in lines:
        assert re.fullmatch(r"read pages\.jsonl: \d+% of 12\.0 MB, [\d.]+ MB/s, \d+ s left", line)
    assert last == "told \\x1b[31m at the end"
    assert done.stdout == ""


@pytest.mark.parametrize(("flags", "lines"), [(["-q"], 0), (["-q", "-v"], 0), (["-v"], 2)])
def test_quiet_and_verbose(flags, lines):
    done = subprocess.run([sys.executable, "-c", WORK, *flags], capture_output=True, text=True, check=True)
    assert len(re.findall(r": done in \d\.\d s$", done.stderr, re.MULTILINE)) == lines
    assert (done.stderr == "") == (lines == 0)


def test_quiet_in_a_terminal_shows_no_bar(tmp_path):
    assert in_terminal([sys.executable, "-c", WORK, "-q"], tmp_path) == ""


def test_in_a_terminal_the_answer_alone_is_data(example, tmp_path):
    """Stdout goes to a file, the terminal gets the words: none of the bar's escapes may be in the file."""
    with open(tmp_path / "out.txt", "wb") as out:
        command = [sys.executable, "-m", "unquilt", "scan", str(example / "blogs.jsonl"), "-o", "s.study"]
        said = in_terminal(command, tmp_path, stdout=out)
    assert "123 pages" in without_escapes(said)
    answer = (tmp_path / "out.txt").read_text("utf-8")
    assert answer.startswith("pages      119 (4 older captures)\n")
    assert "\x1b" not in answer


@pytest.mark.parametrize("columns", [60, 100, 160])
def test_a_table_fits_the_terminal(example, columns):
    said = in_terminal([sys.executable, "-m", "unquilt", "show", "blogs.study", "copy"], example, columns)
    lines = without_escapes(said).splitlines()
    assert len(lines) == 17
    assert max(map(len, lines)) <= columns
    assert ("…" in said) == (columns < 130)


def test_without_a_terminal_urls_are_whole(start, example):
    out = start("show", "blogs.study", "copy", cwd=example).out
    assert "https://tidepool-mirror.example/2022/07/a-bucket-and-a-rule" in out
    assert "…" not in out


def test_columns_are_aligned_in_any_script(start, example):
    from unquilt.cli.output import _width

    done = start("show", "blogs.study", "page_size", "-n", "200", cwd=example)
    assert len({_width(line) for line in done.out.splitlines()[1:]}) == 1
    pages = start("show", "blogs.study", "pages", "-n", "200", cwd=example).out.splitlines()
    at = _width(pages[0][: pages[0].index("text")])
    for line in pages[1:]:
        head = next(line[:i] for i in range(len(line)) if _width(line[:i]) == at)
        assert head.endswith("  ")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("\u4e09 caf\u00e9 \U0001f600", "\u4e09 caf\u00e9 \U0001f600"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\x7f\x9b", "\\x7f\\x9b"),
        ("\u202e\u2066\u200b", "\\u202e\\u2066\\u200b"),
        ("\udcff", "\\udcff"),
    ],
)
def test_what_steers_a_terminal_is_shown_as_an_escape(text, shown):
    assert printable(text) == shown
