"""Splitters of text in languages without spaces between words, or with particles at their ends."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from hlta._support.checks import needing

if TYPE_CHECKING:
    from collections.abc import Callable

# Parts of speech of content words: nouns, verbs, adjectives, idioms, foreign words.
_CHINESE_CONTENT: Final = frozenset("nvaijlsbge")
_JAPANESE_CONTENT: Final = frozenset({"名詞", "動詞", "形容詞", "形状詞"})
_KOREAN_CONTENT: Final = frozenset({"NNG", "NNP", "XR", "VV", "VA", "SL", "SH"})
_STOP: Final = "。"  # takes the place of other words, so that phrases end there


def splitter_of(language: str) -> Callable[[str], str]:
    """A function that puts spaces between the content words of a text in one of `SEGMENTED`."""
    return _SPLITTERS[language]()


def _chinese() -> Callable[[str], str]:
    with needing("Chinese text needs rjieba", extra="chinese"):
        from rjieba import Jieba
    jieba = Jieba()

    def split(text: str) -> str:
        tagged = jieba.tag(text)
        return " ".join(word if tag[0] in _CHINESE_CONTENT else _STOP for word, tag in tagged)

    return split


def _japanese() -> Callable[[str], str]:
    """A splitter of Japanese, which puts words in their base form."""
    with needing("Japanese text needs fugashi and a dictionary", extra="japanese"):
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


def _korean() -> Callable[[str], str]:
    """A splitter of Korean, which drops particles and puts verbs and adjectives in their base form."""
    with needing("Korean text needs kiwipiepy", extra="korean"):
        from kiwipiepy import Kiwi
    kiwi = Kiwi()

    def split(text: str) -> str:
        tokens = kiwi.tokenize(text)
        # Irregular verbs and adjectives have tags such as VV-I.
        return " ".join(
            token.lemma if token.tag.split("-")[0] in _KOREAN_CONTENT else _STOP for token in tokens
        )

    return split


def _thai() -> Callable[[str], str]:
    """A splitter of Thai, which keeps all words but stop words: it does not know parts of speech."""
    # Without this, pythainlp makes a folder in the user's home, or fails where it cannot.
    if "PYTHAINLP_READ_MODE" not in os.environ:
        os.environ.setdefault("PYTHAINLP_READ_ONLY", "1")
    with needing("Thai text needs pythainlp", extra="thai"):
        from pythainlp.corpus.common import thai_stopwords
        from pythainlp.tokenize.newmm import segment
    stop = thai_stopwords()

    def split(text: str) -> str:
        return " ".join(_STOP if word in stop else word for word in segment(text))

    return split


_SPLITTERS: Final = {"chinese": _chinese, "japanese": _japanese, "korean": _korean, "thai": _thai}
