"""stdout is data, stderr is words: with `| head`, without a terminal, quietly, loudly, in any locale, and when stopped."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest

SECOND = """
import hashlib, time
from unquilt.cli.main import _catch_signals
_catch_signals()
print("ready", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print("stopping", flush=True)
    {work}
"""


def test_the_reader_may_go_away(example):
    command = f"{sys.executable} -m unquilt show blogs.study pages --json -n 119 | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=example, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("[\n0\n", "")


def test_help_may_be_cut_short(example):
    command = f"{sys.executable} -m unquilt --help | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=example, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("0\n", "")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_streams_may_be_closed(example, closed):
    command = f"{sys.executable} -m unquilt show blogs.study copy -n 1 {closed}"
    done = subprocess.run(["bash", "-c", command], cwd=example, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr in ("", "1 of 16 rows; `unquilt show blogs.study copy -n 16` shows all\n")
    assert done.stdout == "" or done.stdout.startswith("page ")


def test_quiet_says_nothing_and_still_answers(call, example):
    done = call("scan", "blogs.jsonl", "-o", "blogs.study", "--quiet", "-v", cwd=example)
    assert done.err == ""
    assert done.out.startswith("pages ")
    assert call("run", "blogs.study", "copies", "-q", cwd=example).err == ""
    assert call("show", "blogs.study", "nothing", cwd=example).err != ""


def test_the_log_file_gets_every_word_with_its_time(call, example, tmp_path):
    for _ in range(2):
        assert call("run", "blogs.study", "overlaps", "-q", "--log-file", tmp_path / "log.txt", cwd=example).err == ""
    lines = (tmp_path / "log.txt").read_text("utf-8").splitlines()
    assert all(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ ", line) for line in lines)
    assert sum("made: nothing, all of it was there" in line for line in lines) == 2
    assert sum("host_pair: nothing has changed" in line for line in lines) == 2


HOSTILE = {
    "url": "http://a.example/\x9b31m\u202egpj.exe",
    "title": "\x1b]0;owned\x07\x1b[2J \u202eevil\u2066 \x7f \x9b1m",
    "id": "\x1b[31mred",
    "text": "a text\r\x1b[1A",
    "language": "\u200b\x00",
}


@pytest.mark.parametrize("json_", [[], ["--json"]])
def test_a_page_cannot_steer_the_terminal(call, tmp_path, json_):
    name = "p\x1b[31m.jsonl"
    (tmp_path / name).write_text(json.dumps(HOSTILE) + "\n" + json.dumps({"text": "b", "url": "x\x1b[31m", "date": "\u202e"}) + "\n")
    outs = [call("scan", name, "-o", "s.study", *json_, cwd=tmp_path)]
    outs += [call("show", "s.study", t, *json_, cwd=tmp_path) for t in ("pages", "capture", "skipped", "host_overlap")]
    outs += [call("show", "s.study", "pages", "--by", "title", *json_, cwd=tmp_path), call("info", "s.study", *json_, cwd=tmp_path)]
    outs += [call("show", "s.study", "\x1b[31m\u202e", cwd=tmp_path), call("no\x1b[31m", cwd=tmp_path)]
    for done in outs:
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]", done.out + done.err)


def test_json_says_what_the_page_says(call, tmp_path):
    (tmp_path / "p.jsonl").write_text(json.dumps(HOSTILE) + "\n")
    call("scan", "p.jsonl", cwd=tmp_path)
    (row,) = json.loads(call("show", "p.study", "pages", "--json", cwd=tmp_path).out)
    assert {k: row[k] for k in HOSTILE} == {**HOSTILE, "url": "http://a.example/%C2%9B31m%E2%80%AEgpj.exe"}


@pytest.mark.parametrize("env", [{"LC_ALL": "C"}, {"LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Kathmandu"}, {"PYTHONUTF8": "0", "LANG": "POSIX"}])
def test_locale_and_time_zone_change_nothing(start, example, tmp_path, env):
    plain, other = tmp_path / "plain", tmp_path / "other"
    for folder, around in ((plain, {}), (other, env)):
        folder.mkdir()
        (folder / "blogs.jsonl").write_bytes((example / "blogs.jsonl").read_bytes())
        start("scan", "blogs.jsonl", "-o", "s.study", "-q", cwd=folder, env=around)
    shown = [start("show", "s.study", "pages", "-n", "200", cwd=f, env=e) for f, e in ((plain, {}), (other, env))]
    assert shown[0] == shown[1]
    infos = [json.loads(start("info", "s.study", "--json", cwd=f).out)["tables"] for f in (plain, other)]
    assert infos[0] == infos[1]


@pytest.mark.skipif(sys.platform != "linux", reason="file names are any bytes on Linux only")
def test_a_file_name_may_be_any_bytes(start, tmp_path):
    name = os.fsdecode(b"caf\xe9.jsonl")
    (tmp_path / name).write_text('{"text": "one two three four five six"}\n')
    done = start("scan", name, "-o", "s.study", cwd=tmp_path)
    assert (done.code, done.err) == (0, "caf\\xe9.jsonl: 1 page\n")
    assert start("scan", name, cwd=tmp_path).code == 0
    assert (tmp_path / "caf\\xe9.study").is_dir()
    assert start("export", "s.study", "pages", "-o", os.fsdecode(b"\xe9.csv"), cwd=tmp_path).code == 0
    assert (tmp_path / os.fsdecode(b"\xe9.csv")).exists()


def _started(program: str) -> "subprocess.Popen[str]":
    return subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_the_first_signal_stops_in_good_order(example, tmp_path, name):
    """The signal comes while a map runs; the command says so in a sentence and ends with 130."""
    program = f"""
import os, signal, sys
import unquilt.corpus.grams as grams
def stop(batch, around):
    os.kill(os.getpid(), signal.{name})
    import time; time.sleep(0.2)
    return iter(())
grams._gram_blocks = stop
sys.argv = ["unquilt", "scan", {str(example / "blogs.jsonl")!r}, "-o", {str(tmp_path / "s.study")!r}]
from unquilt.cli import main
main()
"""
    running = _started(program)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "unquilt: interrupted; what was finished is kept, the same command goes on from there"
    assert "Traceback" not in err


@pytest.mark.parametrize("work", ["time.sleep(60)", "hashlib.pbkdf2_hmac('sha256', b'', b'', 1 << 30)"], ids=["Python", "C"])
def test_the_second_ctrl_c_ends_at_once(work):
    """Also while the main thread is in a query or a kernel, where Python calls no handler."""
    running = _started(SECOND.format(work=work))
    assert running.stdout.readline() == "ready\n"
    time.sleep(0.3)
    began = time.monotonic()
    running.send_signal(signal.SIGINT)
    time.sleep(0.3)
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=30)
    assert running.returncode == 130
    assert time.monotonic() - began < 5


def test_whatever_breaks_because_of_ctrl_c_is_an_interruption():
    """DuckDB answers Ctrl-C with an error of its own."""
    program = """
import os, signal, sys
from unquilt.cli import commands, main
@commands.cli.command()
def ask():
    try:
        os.kill(os.getpid(), signal.SIGINT)
        signal.pause()
    except KeyboardInterrupt:
        raise RuntimeError("Query interrupted")
sys.argv = ["unquilt", "ask"]
main()
"""
    running = _started(program)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, "")
    assert err == "unquilt: interrupted; what was finished is kept, the same command goes on from there\n"


def test_a_command_born_deaf_to_ctrl_c_stays_so():
    """As in `nohup unquilt scan ... &` of a script, whose terminal may go on to other things."""
    program = """
import os, signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
from unquilt.cli.main import _catch_signals
_catch_signals()
os.kill(os.getpid(), signal.SIGINT)
print("still here")
"""
    assert _started(program).communicate(timeout=60) == ("still here\n", "")
