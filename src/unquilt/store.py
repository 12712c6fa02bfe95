"""How does a table become part of a study? It is written in a temporary folder, synced, renamed, and named by the manifest last.

    STUDY/manifest.json                      what exists
    STUDY/lock                               who writes
    STUDY/tables/<table>/<segment>/*.parquet immutable
    STUDY/inputs/                            inputs that could be read only once, where their HTML may be asked for again
    STUDY/work/                              what is being made; swept by the next writer

A process killed at any moment leaves the manifest of before or of after, and at most some litter that
no manifest names.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from unquilt import lock, manifest
from unquilt.errors import CannotGoOn, NoRoom, NotWritable, StudyError, UsageError
from unquilt.manifest import Manifest, Segment
from unquilt.parquet import Written, sha256
from unquilt.version import __version__

NEW = manifest.FILE + ".new"
OWN = frozenset((manifest.FILE, NEW, lock.FILE))
"""What there may be before there is a study: one that another process is making, or was killed while making."""


class Store:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def work(self) -> Path:
        return self.folder / "work"

    @property
    def inputs(self) -> Path:
        return self.folder / "inputs"

    def exists(self) -> bool:
        with writing(self.folder):  # a folder that lets nobody look into it
            return (self.folder / manifest.FILE).exists()

    def read(self) -> Manifest:
        path = self.folder / manifest.FILE
        try:
            return manifest.from_json(path.read_text("utf-8"), str(self.folder))
        except UnicodeDecodeError as error:
            raise StudyError(f"{path} is not text; put it back from a copy, or make the study anew") from error
        except FileNotFoundError:
            raise StudyError(f"{self.folder} is not a study: it has no {manifest.FILE}; make one with `unquilt scan`") from None
        except OSError as error:
            raise StudyError(f"{path} cannot be opened ({error.strerror}); check its permissions") from error

    def create(self, words_version: int) -> Manifest:
        """Make an empty study; one that another process has just made is taken as it is."""
        utf8_name(self.folder)
        with writing(self.folder):
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
            except (FileExistsError, NotADirectoryError):
                raise StudyError(f"{self.folder} is or lies in a file, and a study is a folder; name another with -o") from None
            if not OWN.issuperset(p.name for p in self.folder.iterdir()):
                raise StudyError(f"{self.folder} is there and is not a study; name another folder, or an empty one")
        with lock.held(self.folder):
            return self.read() if self.exists() else self.write(Manifest(made_by=__version__, words_version=words_version))

    def write(self, new: Manifest) -> Manifest:
        """Replace the manifest: the one moment at which the study changes."""
        new = replace(new, generation=new.generation + 1)
        with writing(self.folder):
            temporary = self.folder / NEW
            with open(temporary, "w", encoding="utf-8") as file:
                file.write(new.to_json())
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, self.folder / manifest.FILE)
            _sync_folder(self.folder)
        return new

    @contextmanager
    def writer(self) -> Iterator[None]:
        """The only way to write: holds the lock and sweeps what a killed writer left."""
        with lock.held(self.folder):
            self.sweep()
            yield

    def sweep(self) -> None:
        """Delete what no manifest names; for the writer."""
        shutil.rmtree(self.work, ignore_errors=True)
        manifest = self.read()
        named = {s.folder for held in manifest.tables.values() for s in held.segments}
        kept = {i.kept for i in manifest.inputs}
        for table in _folders(self.folder / "tables"):
            for segment in _folders(table):
                if f"{table.name}/{segment.name}" not in named:
                    shutil.rmtree(segment, ignore_errors=True)
        for file in self.inputs.iterdir() if self.inputs.is_dir() else ():
            if file.name not in kept:
                file.unlink(missing_ok=True)

    def keep(self, path: Path) -> Path:
        """Take a file of a workroom into the study; it goes with the next sweep unless an input says that it is kept."""
        target = self.inputs / f"{sha256(path)[:16]}{''.join(path.suffixes)}"
        with writing(self.folder):
            self.inputs.mkdir(exist_ok=True)
            os.replace(path, target)
            _sync_file(target)
            _sync_folder(self.inputs)
        return target

    @contextmanager
    def workroom(self, name: str) -> Iterator[Path]:
        room = self.work / name
        with writing(self.folder):
            shutil.rmtree(room, ignore_errors=True)
            room.mkdir(parents=True)
            try:
                yield room
            finally:
                shutil.rmtree(room, ignore_errors=True)

    def place(self, table: str, made: Path, files: Sequence[Written], *, base: int, fingerprint: str) -> Segment:
        """Move finished files of one segment to where the manifest will name them."""
        digest = files[0].digest
        name = f"{base:012d}-{fingerprint[:16]}"
        target = self.folder / "tables" / table / name
        with writing(self.folder):
            for file in files:
                _sync_file(made / file.file)
            _sync_folder(made)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.rmtree(target, ignore_errors=True)  # litter of a writer killed before its manifest
            os.rename(made, target)
            _sync_folder(target.parent)
        return Segment(f"{table}/{name}", base, sum(f.rows for f in files), digest, fingerprint, tuple(files))

    def files_of(self, segment: Segment) -> list[Path]:
        return [self.folder / "tables" / segment.folder / f.file for f in segment.files]


@contextmanager
def writing(what: Path) -> Iterator[None]:
    """Turns what the operating system says into what a person can act on."""
    try:
        yield
    except BrokenPipeError:  # of a reader of what we print; nothing of ours went wrong
        raise
    except OSError as error:
        raise _sentence(error, what) from error


def _sentence(error: OSError, what: Path) -> CannotGoOn:
    why = error.strerror or str(error)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return NoRoom(f"no room left to write {what}; free some, or name another folder with --tmp or -o")
    if error.errno == errno.EFBIG:
        return NoRoom(f"{what} may hold no file so large ({why}); lift the limit (ulimit -f), or name another folder with --tmp or -o")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return NotWritable(f"{what} cannot be written ({why}); give it write permission or copy the study")
    return CannotGoOn(f"{what} cannot be written ({why}); put that right and give the same command again")


def utf8_name(path: Path) -> str:
    """The name as DuckDB takes it, whatever the locale makes of it."""
    try:
        return os.fsencode(path).decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"the name of {str(path)!a} is not UTF-8, which DuckDB needs; give the folder another name") from None


def _folders(path: Path) -> list[Path]:
    return sorted(p for p in path.iterdir() if p.is_dir()) if path.is_dir() else []


def _sync_file(path: Path) -> None:
    handle = os.open(path, os.O_RDWR if os.name == "nt" and path.is_file() else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sync_folder(path: Path) -> None:
    if os.name == "nt":  # Windows does not open folders; untested
        return
    _sync_file(path)
