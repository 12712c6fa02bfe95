"""What people have, as captures: readers yield records and what they could not use, in the order of the file.

A reader is a function from a file and a place in it to `Found`s; `reader_for` chooses by the file's name.
"""

from __future__ import annotations

from unquilt.read.reader import STDIN, Reader, reader_for, readers_for
from unquilt.read.record import Fields, Found, Limits, Record, Skip

__all__ = ["STDIN", "Fields", "Found", "Limits", "Reader", "Record", "Skip", "reader_for", "readers_for"]
