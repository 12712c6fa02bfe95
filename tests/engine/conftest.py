"""The suite is written once and imported by the tests of each engine, so pytest must be told to explain its asserts."""

from pathlib import Path

import pytest

pytest.register_assert_rewrite("conformance", "bench", "publishing")


@pytest.fixture(scope="session")
def blogs() -> Path:
    return Path(__file__).parents[2] / "examples" / "blogs.warc.gz"
