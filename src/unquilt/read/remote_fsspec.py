"""How is a file read that lies in a store fsspec knows: s3, gs, abfs, hdfs, sftp ...? It says itself how to get in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from unquilt.errors import UsageError
from unquilt.read.remote import PIECE, Failed, Refused, Stream
from unquilt.read.url import shown

NOT_THERE = (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError)
NOT_KNOWN = ("NoCredentialsError", "PartialCredentialsError", "ParamValidationError", "DefaultCredentialsError")


class Fsspec:
    def __init__(self, url: str) -> None:
        self._system, self._path = _system(url)

    def opened(self, begin: int, length: int | None = None) -> Stream:
        with _told():
            size = self._system.info(self._path).get("size")
            file = self._system.open(self._path, "rb", block_size=min(PIECE, length or PIECE))
            file.seek(begin)
        return Stream(begin, size, _pieces(file, min(PIECE, length or PIECE)))


def matches(pattern: str) -> list[str]:
    """URLs that the pattern names."""
    system, path = _system(pattern)
    with _told():
        found = system.glob(path, detail=True)
    names = [name for name, info in found.items() if info["type"] == "file"]
    return [system.unstrip_protocol(name) for name in sorted(names, key=os.fsencode)]


def _system(url: str) -> tuple[Any, str]:
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise UsageError(f"`{shown(url)}` needs fsspec; install it with `pip install 'unquilt[remote]'`, or give a file") from error
    try:
        system, path = url_to_fs(url)
    except ImportError as error:
        raise UsageError(f"`{shown(url)}` needs a package that is not installed ({error})") from error
    except ValueError as error:
        raise UsageError(
            f"`{shown(url)}` cannot be fetched ({error}); give a file, or a URL like s3://bucket/name or https://..."
        ) from error
    return system, path


def _pieces(file: Any, size: int) -> Iterator[bytes]:
    with file:
        while True:
            with _told():
                piece: bytes = file.read(size)
            if not piece:
                return
            yield piece


@contextmanager
def _told() -> Iterator[None]:
    """Stores raise what their libraries raise."""
    try:
        yield
    except NOT_THERE as error:
        why = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise Refused(why, absent=isinstance(error, FileNotFoundError)) from error
    except Exception as error:  # they have no base in common
        if type(error).__name__ in NOT_KNOWN:
            raise Refused(str(error)[:200]) from error
        raise Failed(f"{type(error).__name__}: {error}".splitlines()[0][:200]) from error
