"""What depends on the language: words in texts without spaces, and base forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hlta._support.checks import needing
from hlta.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_CAPITAL_NOUNS: Final = frozenset({"de", "lb"})
# Parts of speech of content words: nouns, verbs, adjectives, idioms, foreign words.
_CHINESE_CONTENT: Final = frozenset("nvaijlsbge")
_JAPANESE_CONTENT: Final = frozenset({"名詞", "動詞", "形容詞", "形状詞"})
_STOP: Final = "。"  # takes the place of other words, so that phrases end there


def chinese_splitter() -> Callable[[str], str]:
    """A function that puts spaces between the content words of a Chinese text."""
    with needing("tokenizer='chinese' needs rjieba", extra="chinese"):
        from rjieba import Jieba
    jieba = Jieba()

    def split(text: str) -> str:
        tagged = jieba.tag(text)
        return " ".join(word if tag[0] in _CHINESE_CONTENT else _STOP for word, tag in tagged)

    return split


def japanese_splitter() -> Callable[[str], str]:
    """A function that puts spaces between the content words of a Japanese text, in base form."""
    with needing("tokenizer='japanese' needs fugashi and a dictionary", extra="japanese"):
        from fugashi import Tagger
    tagger = Tagger()

    def split(text: str) -> str:
        words = []
        for word in tagger(text):
            content = word.feature.pos1 in _JAPANESE_CONTENT
            base = getattr(word.feature, "orthBase", None)
            words.append((base or word.surface) if content else _STOP)
        return " ".join(words)

    return split


def lemma_code(language: str) -> str:
    """The code of a language with base forms, given by its name or by the code; refuses others."""
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
        noun = word.capitalize()  # as the dictionary has nouns; ours are in lower case
        of_noun = lemmatize(noun, lang=code).lower() if is_known(noun, lang=code) else word
        return min(form, of_noun, key=len)

    return [base_form(word) for word in words]
