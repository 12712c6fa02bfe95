"""What holds for every test: no connection anywhere, long tests only when asked for, shared data where it is."""

import importlib.util
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
GUARD = ROOT / "tests" / "guard"
DATA = Path(os.environ.get("UNQUILT_DATA") or ROOT.parent / "shared" / "data")
CONNECTIONS = "UNQUILT_TEST_CONNECTIONS"
LOOPBACK = "UNQUILT_TEST_LOOPBACK"
ON_DATA = ("marker", "data")

ran_on_data: list[str] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the tests marked `long` too; they take minutes each")


def pytest_configure(config: pytest.Config) -> None:
    # A suite started in the background of a script (`nohup`, `&`) is born deaf to Ctrl-C, and so are its children.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    spec = importlib.util.spec_from_file_location("guard", GUARD / "sitecustomize.py")
    assert spec is not None
    assert spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--long"):
        long = [i for i in items if i.get_closest_marker("long")]
        config.hook.pytest_deselected(items=long)
        items[:] = [i for i in items if i not in set(long)]
    on_data = [i for i in items if i.get_closest_marker("data")]
    for item in on_data:
        item.user_properties.append(ON_DATA)
    if not DATA.is_dir():
        absent = pytest.mark.skip(reason=f"the shared data is not at {DATA}; name its folder in UNQUILT_DATA")
        for item in on_data:
            item.add_marker(absent)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of the shared data; tests that ask for it carry `@pytest.mark.data`."""
    return DATA


@pytest.fixture(autouse=True)
def _no_connections(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    log = tmp_path_factory.getbasetemp() / "connections"
    log.unlink(missing_ok=True)
    monkeypatch.setenv(CONNECTIONS, str(log))
    if request.node.get_closest_marker("loopback"):
        monkeypatch.setenv(LOOPBACK, "1")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(GUARD), *filter(None, [os.environ.get("PYTHONPATH")])]))
    yield
    if log.exists():
        pytest.fail(f"connections were tried:\n{log.read_text('utf-8')}", pytrace=False)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    # Keywords would not do: a test may be called `data` for another reason.
    if report.when == "call" and ON_DATA in map(tuple, report.user_properties) and not report.skipped:
        ran_on_data.append(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Under CI=true a whole run with the data at hand must have used it."""
    config = session.config
    if hasattr(config, "workerinput"):  # one of several processes, which sees only its own tests
        return
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.keyword and not config.option.markexpr
    missed = whole and not config.option.collectonly and DATA.is_dir() and not ran_on_data
    if missed and os.environ.get("CI") == "true" and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    where = "" if DATA.is_dir() else f"; {DATA} is absent"
    terminalreporter.write_line(f"shared data: {len(ran_on_data)} tests ran{where}")
