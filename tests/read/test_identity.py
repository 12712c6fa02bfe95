"""Which inputs are the same."""

import hashlib
import os
from pathlib import Path

import pytest

from unquilt.errors import InputError
from unquilt.read.identity import identity


def made(root: Path, **files: bytes) -> Path:
    root.mkdir(exist_ok=True)
    for name, content in files.items():
        (root / name.replace("_", "/")).parent.mkdir(exist_ok=True, parents=True)
        (root / name.replace("_", "/")).write_bytes(content)
    return root


def test_a_file_is_its_bytes(tmp_path):
    (tmp_path / "a").write_bytes(b"x" * 3_000_000)
    assert identity(tmp_path / "a") == (3_000_000, hashlib.sha256(b"x" * 3_000_000).hexdigest())


def test_a_folder_is_its_files_wherever_it_lies(tmp_path):
    one = identity(made(tmp_path / "one", a=b"1", s_b=b"22"))
    assert one == identity(made(tmp_path / "two", s_b=b"22", a=b"1"))
    assert one[0] == 3


@pytest.mark.parametrize(
    "other",
    [{"a": b"1", "s_b": b"23"}, {"a": b"1", "s_c": b"22"}, {"a": b"1"}, {"a": b"1", "s_b": b"22", "c": b""}, {"a": b"122", "s_b": b""}],
    ids=["content", "name", "fewer", "one more", "moved"],
)
def test_whatever_is_changed_makes_it_another(tmp_path, other):
    assert identity(made(tmp_path / "one", a=b"1", s_b=b"22")) != identity(made(tmp_path / "two", **other))


def test_links_and_pipes_in_a_folder_are_not_read_but_count(tmp_path):
    made(tmp_path / "one", a=b"1")
    before = identity(tmp_path / "one")
    os.mkfifo(tmp_path / "one" / "pipe")
    with_pipe = identity(tmp_path / "one")
    (tmp_path / "one" / "zero").symlink_to("/dev/zero")
    (tmp_path / "one" / "loop").symlink_to(".")
    (tmp_path / "one" / "none").symlink_to("no-such")
    with_links = identity(tmp_path / "one")
    assert len({before, with_pipe, with_links}) == 3
    assert with_links == identity(tmp_path / "one")
    assert with_links[0] == 1


def test_a_pipe_is_refused_before_anybody_waits_for_it(tmp_path):
    os.mkfifo(tmp_path / "pipe.jsonl")
    for path in (tmp_path / "pipe.jsonl", Path("/dev/zero")):
        with pytest.raises(InputError, match="is a pipe, a socket or a device"):
            identity(path)
