"""unquilt: what a collection of web pages repeats: copies, shared passages, and which sites share most with whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unquilt.errors import UnquiltError
from unquilt.version import __version__

if TYPE_CHECKING:
    from unquilt.copies import Copies
    from unquilt.overlaps import Overlaps
    from unquilt.read import Fields, Options
    from unquilt.study import Result, Study, open
    from unquilt.suspects import Suspects

__all__ = ["Copies", "Fields", "Options", "Overlaps", "Result", "Study", "Suspects", "UnquiltError", "__version__", "open"]

# Names come when they are asked for, so that `import unquilt` and `unquilt --help` stay quick.
_HOMES = {
    "Copies": "unquilt.copies",
    "Fields": "unquilt.read",
    "Options": "unquilt.read",
    "Overlaps": "unquilt.overlaps",
    "Result": "unquilt.study",
    "Study": "unquilt.study",
    "Suspects": "unquilt.suspects",
    "open": "unquilt.study",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'unquilt' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
