"""What people have, as captures: readers yield records and what they could not use, in the order of the input.

A reader is a function from an input and a place in it to `Found`s; `readers_for` chooses one for each input that was typed.
"""

from __future__ import annotations

from unquilt.read.inputs import STDIN, STDIN_NAME, Given, brought, reader_of_brought, readers_for
from unquilt.read.options import Options
from unquilt.read.reader import Reader, reader_for, reader_of
from unquilt.read.record import Fields, Found, Limits, Record, Response, Revisit, Skip

__all__ = [
    "STDIN",
    "STDIN_NAME",
    "Fields",
    "Found",
    "Given",
    "Limits",
    "Options",
    "Reader",
    "Record",
    "Response",
    "Revisit",
    "Skip",
    "brought",
    "reader_for",
    "reader_of",
    "reader_of_brought",
    "readers_for",
]
