"""The hot loops, in C++: numpy arrays in, numpy arrays out, the interpreter's lock released in between.

`docs/kernels.md` says exactly what each kernel takes and gives, `docs/words.md` what a word is. The SIMD level is
chosen when this module is loaded: the best this CPU can run, or the one the environment variable
`UNQUILT_SIMD` names. All levels give the same.
"""

from unquilt.kernel._kernel import (
    HTML_TAGS,
    WORDS_VERSION,
    blocks,
    distinct,
    fingerprints,
    frequencies,
    gram_blocks,
    grams,
    html,
    leaf_sort,
    overlap,
    posting_lists,
    simd_level,
    simd_levels,
    spans,
    words,
)

__all__ = [
    "HTML_TAGS",
    "WORDS_VERSION",
    "blocks",
    "distinct",
    "fingerprints",
    "frequencies",
    "gram_blocks",
    "grams",
    "html",
    "leaf_sort",
    "overlap",
    "posting_lists",
    "simd_level",
    "simd_levels",
    "spans",
    "words",
]
