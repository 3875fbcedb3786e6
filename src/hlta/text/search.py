"""Documents that hold words and phrases, whatever their letters' case and accents."""

from __future__ import annotations

import re
from itertools import pairwise, repeat
from math import log1p
from typing import TYPE_CHECKING, Final

import numpy as np

from hlta.text.patterns import check_query, in_place_of_text, patterns, spaced, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from hlta.documents.corpus import Corpus
    from hlta.text.patterns import Pattern

IN_TITLE: Final = 3
"""How many times as much a word counts in a title or an id as in the text."""


def find(corpus: Corpus, query: str) -> NDArray[np.int64]:
    """The documents with all words and phrases of a query, the best first.

    What is kept for serving finds the same, in the same order, see `hlta.explorer.serve.store`.
    """
    check_query(query)
    wanted = [_expression(pattern) for pattern in patterns(query)]
    scores = np.zeros(len(corpus))
    if wanted:
        for row, (title, id_, text) in enumerate(searched(corpus, corpus.words)):
            scores[row] = _score(wanted, f" {title}  {id_} ", f" {text} ")
    rows = np.flatnonzero(scores)
    return rows[np.argsort(-scores[rows], kind="stable")]


def _score(wanted: list[re.Pattern[str]], head: str, text: str) -> float:
    """How well a document matches patterns; 0 if it lacks one."""
    score = 0.0
    for pattern in wanted:
        in_head, in_text = pattern.search(head) is not None, len(pattern.findall(text))
        if not (in_head or in_text):
            return 0.0
        score += IN_TITLE * in_head + log1p(in_text)
    return score


def passage(text: str, query: str, most: int) -> str:
    """A part of a text, of so many characters at most, that begins with a line or sentence of a query.

    That is the first one with a word or phrase of it, or the beginning of the text if there is none.
    """
    wanted = [_expression(pattern) for pattern in patterns(query)]
    begins = [0, *(match.end() for match in _SENTENCE.finditer(text))]
    for begin, end in pairwise([*begins, len(text)]):
        part = f" {tokens(spaced(text[begin:end]))} "
        if any(pattern.search(part) for pattern in wanted):
            break
    else:
        begin = 0
    shown = " ".join(text[begin : begin + 2 * most].split())
    cut = shown if len(shown) <= most else f"{shown[:most].rsplit(' ', 1)[0]} …"
    return f"… {cut}" if begin else cut


def searched(corpus: Corpus, words: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """The tokens of each document's title, id and text. Without texts, its words stand for them."""
    titles, ids = (
        repeat("", len(corpus)) if column is None else map(_tokens, column)
        for column in (corpus.titles, corpus.ids)
    )
    texts = _words(corpus, words) if corpus.texts is None else map(_tokens, corpus.texts)
    return zip(titles, ids, texts, strict=True)


def _expression(pattern: Pattern) -> re.Pattern[str]:
    """What finds a pattern among tokens that spaces surround; its places may overlap."""
    return re.compile(f"(?= {re.escape(tokens(pattern.text))}{'' if pattern.prefix else ' '})")


def _tokens(text: str) -> str:
    return tokens(spaced(text))


def _words(corpus: Corpus, words: Sequence[str]) -> Iterator[str]:
    """The words of each document, as they are searched."""
    names = [spaced(word) for word in words]
    starts, indices = corpus.aligned(words).presences()
    for begin, end in pairwise(starts.tolist()):
        yield in_place_of_text(names[k] for k in indices[begin:end].tolist())


_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+|(?<=[\u3002\uff01\uff1f])")
