"""From what readers yield to rows of tables: what a response says, found once, on all cores."""

from __future__ import annotations

from unquilt.extract.pool import Pool
from unquilt.extract.rows import Extracted, Work, extracted

__all__ = ["Extracted", "Pool", "Work", "extracted"]
