"""Hashes: whole numbers modulo 2^64."""

WORD = 2**64
GOLDEN = 0x9E3779B97F4A7C15
STIR = 0xD6E8FEB86659FD93


def mix(x: int) -> int:
    """Return the finaliser of SplitMix64 at x."""
    x ^= x >> 30
    x = x * 0xBF58476D1CE4E5B9 % WORD
    x ^= x >> 27
    x = x * 0x94D049BB133111EB % WORD
    return x ^ (x >> 31)


def word_hash(folded: bytes) -> int:
    """Return the hash of a word with these folded UTF-8 bytes.

    h = STIR; for each chunk c of 8 bytes, little-endian, the last one filled with zero bytes:
    h = (h ^ c) * GOLDEN, h ^= h >> 29. At the end h ^= length * STIR; h *= STIR; h ^= h >> 32;
    h *= GOLDEN; h ^= h >> 29.
    """
    h = STIR
    for at in range(0, len(folded), 8):
        h = (h ^ int.from_bytes(folded[at : at + 8], "little")) * GOLDEN % WORD
        h ^= h >> 29
    h ^= len(folded) * STIR % WORD
    h = h * STIR % WORD
    h ^= h >> 32
    h = h * GOLDEN % WORD
    return h ^ (h >> 29)


def fingerprint(words: list[int]) -> list[int]:
    """Return the two halves of a page's fingerprint.

    Half s: h = mix(s + 1); for each word w h = mix(h ^ w) + GOLDEN; at the end mix(h ^ number of words).
    """
    return [fingerprint_half(words, half) for half in (0, 1)]


def fingerprint_half(words: list[int], half: int) -> int:
    h = mix(half + 1)
    for word in words:
        h = (mix(h ^ word) + GOLDEN) % WORD
    return mix(h ^ len(words))


def fingerprints(words: list[list[int]]) -> list[int]:
    """Return the fingerprints of the pages, one after the other, two halves a page."""
    return [half for page in words for half in fingerprint(page)]
