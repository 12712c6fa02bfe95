"""Pages of known charset: the tests of html5lib for declarations, a labelled collection for looking at bytes."""

import io
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from unquilt.text.charset import decode
from unquilt.text.charset_labels import charset_of

pytestmark = pytest.mark.data

ARCHIVE = Path("pages", "charset_html5lib.tar.gz")
BENCH = Path(__file__).resolve().parents[2] / "bench"


def declarations(archive: Path) -> Iterator[tuple[bytes, str]]:
    with tarfile.open(archive) as tar:
        for member in tar:
            if member.name.startswith("charset_set/encoding/") and member.name.count("/") == 2 and member.name.endswith(".dat"):
                for case in (tar.extractfile(member) or io.BytesIO()).read().split(b"#data\n")[1:]:
                    data, _, said = case.partition(b"\n#encoding\n")
                    yield data, said.split(b"\n")[0].decode()


def test_declarations_are_understood_as_the_tests_of_html5lib_have_them(shared_data: Path) -> None:
    """One of them was put into UTF-8 after it was declared, and is read as what it is."""
    cases = [(decode(data), charset_of(name)) for data, name in declarations(shared_data / ARCHIVE)]
    assert len(cases) == 82
    assert [(d.charset, d.note) for d, name in cases if d.charset != name] == [("UTF-8", "declared as EUC-JP")]


def test_charsets_are_found_without_a_word(shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the half that rules are made on; `bench/gold_charset.py` has the other, and other detectors beside."""
    monkeypatch.syspath_prepend(str(BENCH))
    import gold_charset

    of = gold_charset.files(shared_data / ARCHIVE, 0)
    score = gold_charset.scored("unquilt", gold_charset.ours, of)
    assert len(of) == 215
    assert score.right >= 0.98 * len(of), score.wrong
