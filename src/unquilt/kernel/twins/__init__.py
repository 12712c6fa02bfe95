"""Plain Python twins of the kernels: slow and obviously right, for tests to hold the kernels against.

They take and give lists where the kernels take and give arrays; a page's words or grams are a list of
their own instead of a stretch between two offsets. They need the extra `test`, and nothing of unquilt
imports them.
"""

from .grams import blocks, distinct, finish, gram_blocks, grams
from .hashes import fingerprint, fingerprints, mix, word_hash
from .lists import frequencies, leaf_sort, list_hash, overlap, posting_lists
from .words import class_of, decode, fold, spans, word_places, word_texts, words

__all__ = [
    "blocks",
    "class_of",
    "decode",
    "distinct",
    "fingerprint",
    "fingerprints",
    "finish",
    "fold",
    "frequencies",
    "gram_blocks",
    "grams",
    "leaf_sort",
    "list_hash",
    "mix",
    "overlap",
    "posting_lists",
    "spans",
    "word_hash",
    "word_places",
    "word_texts",
    "words",
]
