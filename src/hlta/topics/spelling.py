"""Phrases as the documents write them: "Bose-Einstein", not "bose einstein"."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Final
from zlib import crc32

if TYPE_CHECKING:
    from scipy.sparse import csc_array

    from hlta.documents.corpus import Corpus

_MOST_READ: Final = 40  # documents that are read per phrase, at most
_OPENING: Final = 1000  # bytes of a text that tell it from others
_BETWEEN: Final = r"(?:[\s\u00a0]+|['\u2019\u2010\u2011\u2013-]\s?)"  # two words of a phrase


class Spelling:
    """How a corpus writes its phrases."""

    def __init__(self, corpus: Corpus) -> None:
        self._texts, self._phrases = corpus.texts, corpus.phrases
        names = () if self._phrases is None else self._phrases.names
        self._column = {name: k for k, name in enumerate(names)}

    @cached_property
    def _documents(self) -> csc_array:
        assert self._phrases is not None
        return self._phrases.documents.to_csr().tocsc()

    def of(self, phrase: str) -> str:
        """The commonest spelling in the documents that have the phrase.

        If it occurs only where sentences begin, its first letter is lowercased, unless that word is
        in capitals. Without texts, or if they lack it, the phrase is returned as it is.
        Its words may be hyphenated.
        """
        column = self._column.get(phrase, self._column.get(phrase.replace("-", " ")))
        if column is None or self._texts is None or self._phrases is None:
            return phrase
        begin, end = self._documents.indptr[column : column + 2]
        rows = self._phrases.rows[self._documents.indices[begin:end]]
        some = rows.tolist()
        if len(some) > _MOST_READ:  # whatever their order
            some = sorted(some, key=self._hash)[:_MOST_READ]
        texts = [self._texts[document] for document in some]
        words = map(re.escape, self._phrases.names[column].split(" "))
        pattern = re.compile(rf"(?<!\w){_BETWEEN.join(words)}(?!\w)", re.IGNORECASE)
        within: Counter[str] = Counter()
        at_beginnings: Counter[str] = Counter()
        for text in texts:
            for found in pattern.finditer(text):
                spelling = " ".join(found.group().split())
                if _begins_sentence(text[: found.start()]):
                    at_beginnings[_uncapitalise(spelling)] += 1
                else:
                    within[spelling] += 1
        spellings = within or at_beginnings
        return min(spellings, key=lambda one: (-spellings[one], one), default=phrase)

    def _hash(self, document: int) -> int:
        """A number that the text of a document has, wherever it stands."""
        assert self._texts is not None
        data, ends = self._texts.data, self._texts.ends
        begin = int(ends[document - 1]) if document else 0
        return crc32(data[begin : min(begin + _OPENING, int(ends[document]))].tobytes())


def _uncapitalise(spelling: str) -> str:
    """With a small first letter, unless the second one is a capital too: deep nets, but HTTP server."""
    return spelling if spelling[1:2].isupper() else spelling[:1].lower() + spelling[1:]


def _begins_sentence(before: str) -> bool:
    """Whether the next word has a capital letter for that reason alone, after this text."""
    return before.rstrip(" \t\"'([")[-1:] in {"", "\n", ".", "!", "?", ":"}
