"""What is a word? The rules are in docs/words.md; their version goes into every fingerprint that depends on words."""

WORDS_VERSION = 1
