"""Which name was meant? An unknown name is answered with the nearest of those there are, and with all of them."""

from __future__ import annotations

from collections.abc import Iterable


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """`there is no table `cop`; did you mean `copy`? there are: capture, copy, host`"""
    from difflib import get_close_matches

    names = list(known)
    near = get_close_matches(name, names, 1, 0.5)
    meant = f"did you mean `{near[0]}`? " if near else ""
    return f"there is no {what} `{name}`; {meant}there are: {', '.join(names) or 'none'}"
