"""What a page declares for itself: the prescan of the HTML standard, case by case."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unquilt.text.charset_prescan import WINDOW, declared


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ('<meta charset="utf-8">', "UTF-8"),
        ("<meta charset=utf-8>", "UTF-8"),
        ("<meta charset='utf-8'/>", "UTF-8"),
        ("<META CHARSET=KOI8-R>", "KOI8-R"),
        ("<meta/charset=koi8-r>", "KOI8-R"),
        ("<meta\ncharset = 'koi8-r' >", "KOI8-R"),
        ('<meta name="x" charset="koi8-r">', "KOI8-R"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">', "KOI8-R"),
        ("<meta http-equiv=content-type content='text/html;charset=\"koi8-r\"'>", "KOI8-R"),
        ('<meta content="text/html; charset = koi8-r ; x" http-equiv="CONTENT-TYPE">', "KOI8-R"),
        ('<meta content="text/html; charset=koi8-r">', None),
        ('<meta http-equiv="refresh" content="text/html; charset=koi8-r">', None),
        ('<meta http-equiv="Content-Type" content="text/html">', None),
        ('<meta charset="nonsense"><meta charset="koi8-r">', "KOI8-R"),
        ('<meta charset=""><meta charset="koi8-r">', "KOI8-R"),
        ('<!-- <meta charset="koi8-r"> --><meta charset="utf-8">', "UTF-8"),
        ('<!--><meta charset="koi8-r">', "KOI8-R"),
        ('<!-- <meta charset="koi8-r">', None),
        ('<p title="<meta charset=koi8-r>"><meta charset="utf-8">', "UTF-8"),
        ("<p title='<meta charset=koi8-r>'>", None),
        ('<p title="><meta charset=koi8-r>', None),
        ("</p title='<meta charset=koi8-r>'><meta charset=utf-8>", "UTF-8"),
        ('<metal charset="koi8-r">', None),
        ('<? <meta charset="koi8-r"> ?>', None),
        ('<!doctype html><title>a < b</title><meta charset="koi8-r">', "KOI8-R"),
        ('<meta charset="koi8-r" charset="utf-8">', "KOI8-R"),
        ('<meta charset="utf-16">', "UTF-8"),
        ('<meta charset="utf-16be">', "UTF-8"),
        ('<meta charset="iso-8859-1">', "windows-1252"),
        ('<meta charset="x-user-defined">', "windows-1252"),
        ('<meta charset="koi8-r"', None),
        ('<?xml version="1.0" encoding="koi8-r"?><html>', "KOI8-R"),
        ("<?xml version='1.0' encoding='koi8-r'?><html>", "KOI8-R"),
        ('<?xml version="1.0" encoding="koi8-r"?><meta charset="utf-8">', "UTF-8"),
        (' <?xml version="1.0" encoding="koi8-r"?>', None),
        ('<?xml version="1.0"?><x encoding="koi8-r">', None),
        ("charset=koi8-r", None),
        ("", None),
    ],
)
def test_what_a_page_declares(page: str, name: str | None) -> None:
    assert declared(page.encode()) == name


def test_a_meta_behind_much_script_counts_and_one_in_the_page_does_not() -> None:
    script = f"<script>{'x' * 4000}</script>"
    assert declared(f'{script}<meta charset="koi8-r">'.encode()) == "KOI8-R"
    assert declared(f'{"x" * WINDOW}<meta charset="koi8-r">'.encode()) is None


PIECES = [
    "<",
    ">",
    "<meta ",
    "charset",
    "=",
    '"',
    "'",
    "utf-8",
    "koi8-r",
    "<!--",
    "-->",
    "<?xml",
    "encoding",
    " ",
    "/",
    "content",
    "http-equiv",
    "\0",
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_any_head_is_scanned(head: str) -> None:
    assert declared(head.encode()) in {None, "UTF-8", "KOI8-R"}


@pytest.mark.parametrize("piece", [*PIECES, '<meta x="', "<a b='", "<!-->", "<meta charset=x>", "charset ", "<?xml encoding"])
def test_no_head_takes_long(piece: str) -> None:
    begin = time.process_time()
    declared(b"<?xml charset" + piece.encode() * 20_000)
    assert time.process_time() - begin < 0.5
