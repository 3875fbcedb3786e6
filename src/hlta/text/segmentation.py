"""Segmentation of texts in languages whose words have to be found, and detection of these languages."""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain, islice
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hlta._support.messages import warn
from hlta.errors import OptionError
from hlta.options import SEGMENTED, TextOptions
from hlta.text.splitters import splitter_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from hlta._support.arrays import Ints

_LEAST: Final = 0.1  # least share of a text's characters that are letters of its language
_SHORT: Final = 40  # Chinese characters, at most, of a text that may be Japanese without kana
_LOOKED_AT: Final = 1000  # first texts, whose languages decide on that of short ones
_LOOKED_AT_CHARACTERS: Final = 1 << 20  # characters of these texts, at most
_REFUSED: Final = 0.1  # share of documents, from which on it is an error if sentences become words
# The first and the last character of kana, Chinese characters, Hangul and Thai.
_SCRIPTS: Final = ("\u3041\u30ff", "\u3400\u9fff", "\uac00\ud7a3", "\u0e00\u0e7f")
_EAST_ASIAN: Final = (
    "\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
)
# Runs that a splitter gets as a whole: letters of the language, with Latin letters and digits that touch
# them. Korean words are recognized by their neighbours, so spaces are included there.
_RUNS: Final = {
    "chinese": re.compile(f"[{_EAST_ASIAN}A-Za-z0-9]+"),
    "japanese": re.compile(f"[{_EAST_ASIAN}A-Za-z0-9]+"),
    "korean": re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3A-Za-z0-9 ]+"),
    "thai": re.compile("[\u0e00-\u0e7fA-Za-z0-9]+"),
}
_SPACED: Final = frozenset({"korean"})


def language_of(text: str, *, short: str = "chinese") -> str | None:
    """The language of `SEGMENTED` that a text, or at least a tenth of it, is in; None if it is in none.

    It follows from the letters, except for a few Chinese characters without kana: they count as `short`.
    """
    if text.isascii():
        return None
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    if codes.max() < ord(min(_SCRIPTS)[0]):
        return None
    return language_by([*(_count(codes, script) for script in _SCRIPTS), len(text)], short)


def language_by(letters_in: Sequence[int], short: str) -> str | None:
    """The same, given how many characters a text has of each of the scripts, and in all."""
    kana, chinese, hangul, thai, length = letters_in
    if kana:
        east_asian = "japanese" if kana >= _LEAST * (kana + chinese) else "chinese"
    else:
        east_asian = short if chinese <= _SHORT else "chinese"
    letters = {east_asian: kana + chinese, "korean": hangul, "thai": thai}
    language = max(letters, key=lambda name: letters[name])
    return language if letters[language] >= max(1, _LEAST * length) else None


def letters_of(words: list[str]) -> Ints:
    """How many characters words have of each of the scripts, and in all, int64 (words, 5)."""
    patterns = [re.compile(f"[{first}-{last}]") for first, last in _SCRIPTS]
    counts = [[*(len(one.findall(word)) for one in patterns), len(word)] for word in words]
    return np.array(counts, dtype=np.int64).reshape(-1, len(_SCRIPTS) + 1)


def _count(codes: np.ndarray[tuple[int], np.dtype[np.uint32]], script: str) -> int:
    """How many characters are of a script; for those before it, differences wrap around to be large."""
    first, last = map(ord, script)
    return int(np.count_nonzero(codes - np.uint32(first) <= last - first))


def language_of_short(known: Collection[str]) -> str:
    """The language of texts of few Chinese characters: Japanese if `known` has it before Chinese."""
    return next((name for name in known if name in {"chinese", "japanese"}), "chinese")


class Findings(NamedTuple):
    """The languages that were segmented, and the number of texts per language without its package."""

    languages: frozenset[str]
    lacking: Counter[str]


class Segmenter:
    """Puts spaces between the words of texts in the languages of `SEGMENTED`.

    With tokenizer="auto", these are the languages of the options or, if they have none, all. Texts in a
    language whose package is missing are then counted, and `check` reports them. `short` is the
    language of short texts, if the first of all texts have already been looked at.
    """

    def __init__(self, options: TextOptions, short: str | None = None) -> None:
        self._named = options.tokenizer if options.tokenizer in SEGMENTED else None
        self._known = () if options.tokenizer is None else options.languages
        self._is_decided = short is not None or self._named is not None or self._known is not None
        self.short = short or language_of_short(self._known or ())
        self._found = set[str]()
        self._splitters: dict[str, Callable[[str], str] | None] = {}
        self._lacking = Counter[str]()
        if self._named is not None:
            self._find_splitter(self._named)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages segmented so far: first that of short texts, then the others by name."""
        return tuple(sorted(self._found, key=lambda name: (name != self.short, name)))

    @property
    def findings(self) -> Findings:
        """What was found in the texts so far, for another segmenter to `add`."""
        return Findings(frozenset(self._found), self._lacking)

    def add(self, findings: Findings) -> None:
        """Add what another segmenter found in other texts."""
        self._found |= findings.languages
        self._lacking += findings.lacking

    def looking_ahead(self, texts: Iterable[str]) -> Iterator[str]:
        """The texts; the language of short ones is found from the first of them, unless it is known."""
        if self._is_decided:
            return iter(texts)
        rest = iter(texts)
        first: list[str] = []
        seen = Counter[str | None]()
        characters = 0
        for text in islice(rest, _LOOKED_AT):
            first.append(text)
            seen[language_of(text, short="none")] += 1
            characters += len(text)
            if characters > _LOOKED_AT_CHARACTERS:
                break
        if seen["japanese"] > seen["chinese"] + seen["none"]:
            self.short = "japanese"
        return chain(first, rest)

    def split(self, text: str) -> str:
        """The text with spaces between its words."""
        language = self._named or language_of(text, short=self.short)
        if language is None or (self._known is not None and language not in self._known):
            return text
        if language not in self._splitters:
            self._find_splitter(language)
        split = self._splitters[language]
        if split is None:
            self._lacking[language] += 1
            return text

        def spaced(run: re.Match[str]) -> str:
            return run[0] if run[0].isascii() else split(run[0])

        return _RUNS[language].sub(spaced, text)

    def _find_splitter(self, language: str) -> None:
        try:
            self._splitters[language] = splitter_of(language)
            self._found.add(language)
        except OptionError:
            if self._named or self._known:
                raise
            self._splitters[language] = None

    def check(self, n_documents: int) -> None:
        """Warn of documents in languages whose package is missing; refuse if they are many."""
        for language, count in sorted(self._lacking.items()):
            few = language in _SPACED or count < _REFUSED * n_documents
            effect = (
                "words keep their particles" if language in _SPACED else "sentences become words"
            )
            message = (
                f"{count:,} of {n_documents:,} documents are in {language.title()}, whose {effect} "
                f'without a package that finds the words; pip install "hlta[{language}]"'
            )
            if not few:
                raise OptionError(
                    f"{message}, or read them as they are with tokenizer=None (--segment none)"
                )
            warn(message)
