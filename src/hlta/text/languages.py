"""What depends on the language: where words end when no space says so, and what their base form is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hlta.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

_CAPITAL: Final = frozenset({"de", "lb"})
# Parts of speech that have content: nouns, verbs, adjectives, idioms, foreign words.
_CHINESE: Final = frozenset("nvaijlsbge")
_CONTENT: Final = frozenset({"名詞", "動詞", "形容詞", "形状詞"})
_STOP: Final = "。"


def segmenter(language: str) -> Callable[[str], str]:
    """A function that puts spaces between the words of a text."""
    return _chinese() if language == "chinese" else _japanese()


def _chinese() -> Callable[[str], str]:
    try:
        from rjieba import Jieba
    except ImportError:
        raise OptionError("tokenizer='chinese' needs rjieba; pip install 'hlta[chinese]'") from None
    jieba = Jieba()

    def split(text: str) -> str:
        """Words of content; pronouns, particles, numerals and the like part them."""
        return " ".join(word if tag[0] in _CHINESE else _STOP for word, tag in jieba.tag(text))

    return split


def _japanese() -> Callable[[str], str]:
    try:
        from fugashi import Tagger
    except ImportError:
        raise OptionError(
            "tokenizer='japanese' needs fugashi and a dictionary; pip install 'hlta[japanese]'"
        ) from None
    tagger = Tagger()

    def split(text: str) -> str:
        """Words of content in their base form; particles and endings part them."""
        words = []
        for word in tagger(text):
            content = word.feature.pos1 in _CONTENT
            base = getattr(word.feature, "orthBase", None)
            words.append((base or word.surface) if content else _STOP)
        return " ".join(words)

    return split


def lemmas(words: Sequence[str], language: str) -> list[str]:
    """The base form of each word."""
    try:
        from simplemma import is_known, lemmatize
    except ImportError:
        raise OptionError(
            f"lemmas={language!r} needs simplemma; pip install 'hlta[lemmas]'"
        ) from None
    code = _lemma_codes().get(language, language)
    found = [lemmatize(word, lang=code).lower() for word in words]
    if code in _CAPITAL:  # the dictionary knows nouns as they are written, and we small letters
        nouns = (
            lemmatize(word.capitalize(), lang=code).lower()
            if is_known(word.capitalize(), lang=code)
            else word
            for word in words
        )
        found = [min(pair, key=len) for pair in zip(found, nouns, strict=True)]
    return found


def check_lemmas(language: str) -> None:
    """Refuse a language that there are no base forms for."""
    codes = _lemma_codes()
    if language not in codes and language not in codes.values():
        raise OptionError(
            f"lemmas={language!r}: use one of {', '.join(sorted(codes))}, or one of the codes "
            f"{', '.join(sorted(set(codes.values())))}"
        )


def _lemma_codes() -> dict[str, str]:
    """Codes of the languages that there are base forms for, by their names and by themselves."""
    import stop_words

    try:
        from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES
    except ImportError:
        raise OptionError("lemmas need simplemma; pip install 'hlta[lemmas]'") from None
    named = {name: code for code, name in stop_words.LANGUAGE_MAPPING.items()}
    known = {name: code for name, code in named.items() if code in SUPPORTED_LANGUAGES}
    return known | {code: code for code in SUPPORTED_LANGUAGES}


def merged(names: Sequence[str]) -> tuple[list[str], NDArray[np.int32]]:
    """The distinct ones in order of appearance, and the number of each among them."""
    place = {name: k for k, name in enumerate(dict.fromkeys(names))}
    return list(place), np.array([place[name] for name in names], dtype=np.int32)
