"""Stop words: frequent words without meaning of their own, in the language of the texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hlta.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_LEAST_SHARE: Final = 0.05  # of stop words among all words, for a language to be recognised
_DECIDING: Final = 50  # most frequent words of each list: a long list must not win by its length
# English lists that go back to old retrieval systems hold words that topics are made of.
_CONTENT_WORDS: Final = frozenset({"bill", "cry", "fire", "interest", "mill", "sincere", "system"})


def languages() -> tuple[str, ...]:
    """The languages with a list of stop words."""
    import stop_words

    return tuple(sorted(stop_words.AVAILABLE_LANGUAGES))


def stop_words(wanted: Any, occurrences: Mapping[str, int]) -> set[str]:
    """The stop words of texts; `occurrences` says how often each word occurs in them.

    `wanted` is None for none, a list of words, a language, or "auto": the language whose most
    frequent stop words occur most in the texts, and none if they hardly occur.

    Examples
    --------
    >>> sorted(stop_words("english", {}))[:3]
    ['a', 'about', 'above']
    """
    if wanted is None:
        return set()
    if not isinstance(wanted, str):
        return {str(word) for word in wanted}
    if wanted != "auto":
        if wanted not in languages():
            raise OptionError(
                f'stop_words={wanted!r}: use "auto", None, a list of words, or one of '
                f"{', '.join(languages())}"
            )
        return _of(wanted)
    best: set[str] = set()
    most = _LEAST_SHARE * sum(occurrences.values())
    for language in languages():
        words = _of(language)
        counts = sorted((occurrences.get(word, 0) for word in words), reverse=True)
        seen = sum(counts[:_DECIDING])
        if seen > most:
            most, best = seen, words
    return best


def _of(language: str) -> set[str]:
    if language == "english":
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

        stems = ("don", "doesn", "didn", "isn", "aren", "wasn", "weren", "won", "wouldn", "couldn")
        more = ("shouldn", "hasn", "haven", "hadn", "ain", "just", "like", "does", "did", "doing")
        return {*_pieces(ENGLISH_STOP_WORDS), *stems, *more} - _CONTENT_WORDS
    from stop_words import get_stop_words

    return _pieces(get_stop_words(language))


def _pieces(words: Iterable[str]) -> set[str]:
    """Words as the scanner reads them: those with an apostrophe are split there."""
    return {
        part for word in words for part in word.lower().replace("\u2019", "'").split("'") if part
    }
