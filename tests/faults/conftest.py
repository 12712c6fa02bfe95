"""What the fault tests share: their own modules can be imported, and there is a small corpus."""

import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three files of pages that lend to each other; read in segments when a test makes them small."""
    from corpora import pages, write

    folder = tmp_path_factory.mktemp("corpus")
    some = pages(180, seed=1)
    return [write(folder / f"part-{i}.jsonl", some[i::3]) for i in range(3)]


@pytest.fixture(scope="session")
def scanned(corpus: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of all of the corpus; not to be touched."""
    import unquilt

    study = tmp_path_factory.mktemp("scanned") / "a.study"
    unquilt.open(study, memory="4GB").scan(*corpus)
    return study


@pytest.fixture
def study(scanned: Path, tmp_path: Path) -> Path:
    """A copy of it, to do with as one likes."""
    return Path(shutil.copytree(scanned, tmp_path / "a.study"))
