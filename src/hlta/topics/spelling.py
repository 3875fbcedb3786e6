"""Phrases and words as the documents write them: "Bose-Einstein", not "bose einstein"."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Final
from zlib import crc32

from scipy.sparse import csc_array, hstack

if TYPE_CHECKING:
    from hlta.documents.corpus import Corpus

_MOST_READ: Final = 40  # documents that are read per phrase, at most
_HELD: Final = 1 << 24  # letters of texts, for further phrases in the same documents
_PIECE: Final = 1000  # letters that are read around a phrase; bytes of a text that are hashed
_BETWEEN: Final = r"(?:[\s\u00a0]+|['\u2019\u2010\u2011\u2013-]\s?)"  # two words of a phrase
_FURTHER: Final = re.compile(r"(?:[\u2010\u2011\u2013-]\w+)*")  # words of a compound


class Spelling:
    """How a corpus writes its phrases and words."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus, self._column = corpus, dict[str, int]()
        self._texts, self._held = dict[int, tuple[str, str]](), 0
        if corpus.phrases is not None and corpus.texts is not None:
            names = (*corpus.phrases.names, *corpus.words)
            # Of equal names, the first counts: that of the phrase.
            self._column = {name: k for k, name in reversed([*enumerate(names)])}

    @cached_property
    def _table(self) -> csc_array:
        """The documents that were searched for phrases, by phrases and then by words."""
        assert self._corpus.phrases is not None
        words = self._corpus.documents.take(self._corpus.phrases.rows).to_csr()
        return csc_array(hstack([self._corpus.phrases.documents.to_csr(), words]))

    def of(self, phrase: str) -> str:
        """The commonest spelling in the documents that have the phrase, which may be a word.

        If most of its occurrences are within the same hyphenated compound, the compound is returned:
        "few-shot learning" for "shot learning". If it occurs only where sentences begin, its first
        letter is lowercased, unless it seems to be an acronym or a name (`_uncapitalise`). Without
        texts, or if they lack it, `phrase` itself is returned. Its words may be separated by hyphens.
        """
        spaced = phrase.replace("-", " ")
        column = self._column.get(spaced, self._column.get(phrase))
        phrases = self._corpus.phrases
        if column is None or phrases is None:
            return phrase
        begin, end = self._table.indptr[column : column + 2]
        some = phrases.rows[self._table.indices[begin:end]].tolist()
        if len(some) > _MOST_READ:  # the same ones in any order of documents
            some = sorted(some, key=self._hash)[:_MOST_READ]
        pattern = _pattern_of(spaced.lower())
        within: Counter[tuple[str, str]] = Counter()  # compounds, and the phrase as spelled in them
        at_beginnings: Counter[tuple[str, str]] = Counter()
        for document in some:
            text, lowered = self._text(document)
            for found in pattern.finditer(lowered):
                begin, end = found.span()
                before, compound = _compound_at(text, begin, end)
                spelling = " ".join(text[begin:end].split())
                if _begins_sentence(before):
                    at_beginnings[_uncapitalise(compound), _uncapitalise(spelling)] += 1
                else:
                    within[compound, spelling] += 1
        return _commonest(within or at_beginnings) or phrase

    def _text(self, document: int) -> tuple[str, str]:
        """The text of a document, and the same in lower case."""
        if document not in self._texts:
            assert self._corpus.texts is not None
            text = self._corpus.texts[document]
            if (held := self._held + len(text)) > _HELD:
                self._texts.clear()
                held = len(text)
            self._held, self._texts[document] = held, (text, _lowered(text))
        return self._texts[document]

    def _hash(self, document: int) -> int:
        """A hash of the first bytes of the text of a document."""
        assert self._corpus.texts is not None
        data, ends = self._corpus.texts.data, self._corpus.texts.ends
        begin = int(ends[document - 1]) if document else 0
        return crc32(data[begin : min(begin + _PIECE, int(ends[document]))].tobytes())


def _pattern_of(phrase: str) -> re.Pattern[str]:
    """A pattern of a phrase in lower case.

    `re` searches many times faster for a pattern that begins with letters than for one that begins with
    a look-behind or ignores case, so the look-behind follows the first word.
    """
    first, *others = map(re.escape, phrase.split(" "))
    words = (rf"{first}(?<!\w{first})", *others)
    return re.compile(rf"{_BETWEEN.join(words)}(?!\w)")


def _lowered(text: str) -> str:
    """The text in lower case, of the same length: "\u0130" is the only letter that would become two."""
    return text.replace("\u0130", "I").lower()


def _compound_at(text: str, begin: int, end: int) -> tuple[str, str]:
    """The text before the hyphenated compound around a part of a text, and the compound."""
    before, after = text[max(0, begin - _PIECE) : begin], text[end : end + _PIECE]
    further = [_FURTHER.match(each) for each in (before[::-1], after)]
    left, right = (found.end() if found else 0 for found in further)
    first = len(before) - left
    return before[:first], " ".join((before[first:] + text[begin:end] + after[:right]).split())


def _commonest(spellings: Counter[tuple[str, str]]) -> str:
    """The compound of most occurrences, whatever its case, or else the commonest spelling."""
    compounds: Counter[str] = Counter()
    for (compound, _), count in spellings.items():
        compounds[compound.casefold()] += count
    name, most = max(compounds.items(), key=lambda each: each[1], default=("", 0))
    in_most = name if 2 * most > spellings.total() else None
    forms: Counter[str] = Counter()
    for (compound, own), count in spellings.items():
        if in_most is None or compound.casefold() == in_most:
            forms[own if in_most is None else compound] += count
    return min(forms, key=lambda one: (-forms[one], one), default="")


def _uncapitalise(spelling: str) -> str:
    """The spelling with a small first letter, unless its second letter or another word has a capital.

    It is "deep nets", but "HTTP server" and "Oscar Wilde"; an acronym at the end makes no name of it.
    """
    others = re.split(r"\W+", spelling)[1:]
    is_name = any(word[:1].isupper() and not word[1:2].isupper() for word in others)
    return spelling if is_name or spelling[1:2].isupper() else spelling[:1].lower() + spelling[1:]


def _begins_sentence(before: str) -> bool:
    """Whether a sentence begins after this text, which is why its first word may be capitalised."""
    return before.rstrip(" \t\"'([")[-1:] in {"", "\n", ".", "!", "?", ":"}
