"""Nothing of unquilt opens a connection: sockets are barred for every test, and a scan runs where there is no network."""

import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
UNQUILT = str(Path(sys.executable).parent / "unquilt")
TRY = "import socket; socket.create_connection(('127.0.0.1', 9), 1)"


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where attempts of this test are written, so that they do not fail it."""
    log = tmp_path / "connections"
    monkeypatch.setenv("UNQUILT_TEST_CONNECTIONS", str(log))
    return log


def test_a_connection_is_refused_and_noted(tried: Path) -> None:
    with pytest.raises(PermissionError, match="open no connection"):
        socket.create_connection(("127.0.0.1", 9), 1)
    assert "127.0.0.1" in tried.read_text()


def test_a_connection_of_a_child_is_refused_and_noted(tried: Path) -> None:
    done = subprocess.run([sys.executable, "-c", TRY], capture_output=True, text=True, check=False)
    assert "open no connection" in done.stderr
    assert "127.0.0.1" in tried.read_text()


def test_a_host_is_not_looked_up(tried: Path) -> None:
    with pytest.raises(PermissionError):
        socket.getaddrinfo("unquilt.example", 80)
    assert tried.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")
def test_a_scan_runs_where_there_is_no_network(tmp_path: Path) -> None:
    alone = [shutil.which("unshare") or "unshare", "--map-root-user", "--net"]
    if not shutil.which("unshare") or subprocess.run([*alone, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this system lets nobody make a network namespace (unshare --map-root-user --net)")
    blogs = ROOT / "examples" / "blogs.jsonl"
    done = subprocess.run([*alone, UNQUILT, "scan", blogs, "-o", tmp_path / "a.study"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "pages " in done.stdout
