"""Does hostile input break a reader or the extraction? A search for such input, guided by what code it reaches (Atheris).

    pip install -r fuzz/requirements.txt
    python fuzz/run.py [TARGET...] [--minutes 10] [--folder build/fuzz]
    python fuzz/run.py TARGET --replay FILE

Every target gets so many CPU minutes, and goes on where it stopped the last time. What counts as broken: an exception that
is no InputError or UsageError, a process that ends, a promise of the readers that is not kept (`targets.py`), an input that
takes more than `SECONDS` of CPU, and memory that grows when the same inputs are read again and again. The input is made as
small as it goes and kept in the folder; the exit code is 1.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tests" / "read")]  # the archives of the tests are where the search begins

import seeds  # noqa: E402
import shrink  # noqa: E402
from targets import TARGETS  # noqa: E402

SECONDS = 2.0  # of CPU, for an input of at most LONGEST bytes
LONGEST = 32 << 10
ROUNDS = 4
GROWTH = 8_000_000  # bytes, from the second round to the last
SLICE = 120  # CPU seconds; then a new process, so that what the search itself holds does not add up
WAIT = 40  # seconds after which the search itself calls an input endless; it is measured again before that is said
MEMORY = 1500  # MB, the search's own included
BROKEN = ("crash-", "timeout-", "oom-")
REPLAY = 8 * SECONDS * ROUNDS


@dataclass(frozen=True)
class Room:
    """Where a target keeps what it found: inputs that reach something, and inputs that break something."""

    folder: Path

    @property
    def corpus(self) -> Path:
        return self.folder / "corpus"

    @property
    def broken(self) -> Path:
        return self.folder / "broken"

    def make(self) -> Room:
        self.corpus.mkdir(parents=True, exist_ok=True)
        self.broken.mkdir(exist_ok=True)
        return self

    def found(self) -> list[Path]:
        return sorted(p for p in self.broken.iterdir() if p.name.startswith(BROKEN))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}; all of them by default")
    parser.add_argument("--minutes", type=float, default=10, help="CPU minutes for each target (default: %(default)g)")
    parser.add_argument("--folder", type=Path, default=Path("build/fuzz"), help="where inputs are kept (default: %(default)s)")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="read this input once, and show what it does")
    parser.add_argument("--search", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--again", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    unknown = [name for name in chosen.targets if name not in TARGETS]
    if unknown:
        parser.error(f"there is no target `{unknown[0]}`; the targets are: {', '.join(TARGETS)}")
    if chosen.replay or chosen.search or chosen.again:
        if len(chosen.targets) != 1:
            parser.error("name the one target")
        return child(chosen.targets[0], chosen.replay, Room(chosen.folder), search=chosen.search, seconds=60 * chosen.minutes)
    broken = [fuzzed(name, Room(chosen.folder / name).make(), 60 * chosen.minutes) for name in chosen.targets or TARGETS]
    return int(any(broken))


def child(name: str, replay: Path | None, room: Room, *, search: bool, seconds: float) -> int:
    if replay is not None:
        return int(timed(name, replay))
    if search:
        import search as searching

        searching.search(name, room.corpus, room.broken, seconds, longest=LONGEST, wait=WAIT, memory=MEMORY)
        return 0
    return again(name, room)


def fuzzed(name: str, room: Room, seconds: float) -> bool:
    """Searches, then reads all again; says what is broken."""
    seeds.write(name, room.corpus)
    spent, found = 0.0, ""
    while spent < seconds and not found:
        used, words = ran([name, "--search", "--folder", str(room.folder), "--minutes", str(min(SLICE, seconds - spent) / 60)])
        spent += used
        found = confirmed(name, room) or ("" if used > 1 else f"the search ended at once:\n{words}")
    if not found:
        code, words = finished([name, "--again", "--folder", str(room.folder)])
        found = words if code else ""
    inputs = len(list(room.corpus.iterdir()))
    print(f"{name}: {spent / 60:.1f} CPU minutes, {inputs} inputs that reach different code, {found or 'nothing broken'}", flush=True)
    return bool(found)


def ran(arguments: list[str]) -> tuple[float, str]:
    """CPU seconds a process took, and the end of what it said."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _, words = finished(arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, words


def finished(arguments: list[str], seconds: float | None = None) -> tuple[int, str]:
    """The exit code of a process (None: it did not end in time), and the end of what it said."""
    try:
        done = subprocess.run(
            [sys.executable, __file__, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return -1, f"no end after {seconds:.0f} s"
    return done.returncode, done.stdout.decode("utf-8", "replace")[-3000:]


def confirmed(name: str, room: Room) -> str:
    """Of what the search calls broken that which is so without it, made small; the rest is put away."""
    for path in room.found():
        code, words = finished([name, "--replay", str(path)], REPLAY)
        if code:
            small = shrink.shrunk(TARGETS[name], path) if code == 1 else path
            return f"broken by {small} ({small.stat().st_size} bytes):\n{words}"
        path.rename(path.with_name(f"sound-{path.name}"))
    return ""


def again(name: str, room: Room) -> int:
    """Reads all inputs some times over: how long does each take, and does memory grow?"""
    held: list[int] = []
    for _ in range(ROUNDS):
        for path in sorted(room.corpus.iterdir()):
            if timed(name, path):
                return 1
        held.append(resident())
    if held[-1] - held[1] > GROWTH:
        print(f"memory grows: {', '.join(f'{n / 1e6:.0f}' for n in held)} MB after rounds over the same inputs")
        return 1
    return 0


def timed(name: str, path: Path) -> bool:
    """Reads one input; says so if that took too long."""
    data = path.read_bytes()
    began = time.process_time()
    TARGETS[name](data)
    spent = time.process_time() - began
    if spent > SECONDS:
        print(f"{path} takes {spent:.1f} CPU seconds")
    return spent > SECONDS


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    sys.exit(main())
