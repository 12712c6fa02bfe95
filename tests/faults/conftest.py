"""What the fault tests share: their own modules can be imported, and there is a small corpus."""

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
