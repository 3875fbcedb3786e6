"""Base forms of words, which depend on the language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hlta._support.checks import needing
from hlta.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

_CAPITAL_NOUNS: Final = frozenset({"de", "lb"})


def lemma_code(language: str) -> str:
    """The code of a language, given by name or code; refuses languages that simplemma does not know."""
    import stop_words

    with needing("lemmas need simplemma", extra="lemmas"):
        from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES
    names = stop_words.LANGUAGE_MAPPING.items()
    codes: dict[str, str] = {name: code for code, name in names if code in SUPPORTED_LANGUAGES}
    codes |= {code: code for code in SUPPORTED_LANGUAGES}
    if language not in codes:
        raise OptionError(
            f"lemmas={language!r}: use one of {', '.join(sorted(codes))}, or one of the codes "
            f"{', '.join(sorted(set(codes.values())))}"
        )
    return codes[language]


def base_forms(words: Sequence[str], code: str) -> list[str]:
    """The base form of each word, in the language with this code."""
    with needing("lemmas need simplemma", extra="lemmas"):
        from simplemma import is_known, lemmatize

    def base_form(word: str) -> str:
        form: str = lemmatize(word, lang=code).lower()
        if code not in _CAPITAL_NOUNS:
            return form
        noun = word.capitalize()  # as in the dictionary; our words are in lower case
        of_noun = lemmatize(noun, lang=code).lower() if is_known(noun, lang=code) else word
        return min(form, of_noun, key=len)

    return [base_form(word) for word in words]
