"""The version of the word rules is said twice, for one of the two must cost nothing to import."""

from unquilt import kernel, text


def test_the_word_rules_have_one_version() -> None:
    assert kernel.WORDS_VERSION == text.WORDS_VERSION
