"""Phrases that occur in many documents, such as "state of the art", for the titles of topics."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from scipy import sparse

from hlta._kernels.tokens import END
from hlta.documents.matrix import Documents
from hlta.documents.phrases import Phrases
from hlta.text.scanner import bounds_of_documents

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from hlta._support.arrays import Bools, Indices, Ints
    from hlta.text.scanner import WordStream

_MOST_WORDS: Final = 1_000  # words that are read of each document, at most: this bounds memory
_LONGEST: Final = 4  # words of a phrase
_LEAST_SHARE: Final = 0.001  # share of the documents that contain a phrase, at least
_LEAST: Final = 3  # documents that contain a phrase, at least
_SHORTEST_END: Final = 3  # letters of the first and of the last word, at least
_SHORTEST_SINGULAR: Final = 4  # letters of a singular, at least
_NO_SINGULARS: Final = ("s", "u", "i", "ic")  # endings of words that have no plural in "s"
_FIRM: Final = 0.3
"""A phrase with stop words must be in this share of those with all but its last, or first, word."""
_ABSORBED: Final = 0.8  # share of a phrase's documents with one longer phrase that absorbs it


class _Text(NamedTuple):
    """The words of some documents, one after the other."""

    written: Ints  # numbers of words; negative at gaps and ends
    tokens: Ints  # the same, with the singular in place of the plural
    document: Ints  # the document of each token, counted from 0


class _Kinds(NamedTuple):
    """The roles that the words of a stream may have in a phrase."""

    may_end: Bools  # whether a phrase may begin and end with it
    makes_clause: Bools  # whether no phrase may contain it

    @classmethod
    def of(
        cls, words: Sequence[str], stop_words: Collection[str], clause_words: Collection[str]
    ) -> _Kinds:
        may_end = (len(word) >= _SHORTEST_END and word not in stop_words for word in words)
        makes_clause = (word in clause_words for word in words)
        return cls(*(np.fromiter(each, bool, len(words)) for each in (may_end, makes_clause)))


class _Grams(NamedTuple):
    """The frequent runs of `length` words."""

    length: int
    number: Ints  # per position of the text, the run that begins there, or -1
    first: Ints  # per run, a position where it begins
    document_frequency: Ints

    def words(self, text: _Text) -> Ints:
        """The numbers of the words of each run, (runs, length)."""
        words: Ints = text.tokens[self.first[:, None] + np.arange(self.length)]
        return words


def find_phrases(
    stream: WordStream,
    rows: Ints,
    chosen: Indices,
    stop_words: Collection[str],
    clause_words: Collection[str] = (),
) -> Phrases:
    """The phrases of two to four words in the documents `rows`, which ascend; sorted by name.

    Each contains one of the `chosen` words, in singular or plural, and none of the `clause_words`. It
    begins and ends with words of three letters or more that are not stop words.
    """
    kinds = _Kinds.of(stream.words, stop_words, clause_words)
    text = _text(stream, rows, kinds)
    of_model = np.zeros(len(stream.words), dtype=bool)
    of_model[chosen] = True
    is_word = text.written >= 0
    counts = np.zeros_like(of_model)  # which tokens are chosen words, in singular or plural
    counts[text.tokens[is_word][of_model[text.written[is_word]]]] = True
    least = max(_LEAST, round(_LEAST_SHARE * len(rows)))
    grams = [_Grams(1, text.tokens, np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))]
    while grams[-1].length <= _LONGEST:  # runs of five words only show which phrases are cut off
        grams.append(_longer(grams[-1], text, least))
    names: list[str] = []
    where: list[Ints] = [np.empty((2, 0), dtype=np.int64)]
    wholes = [_whole(found, shorter, text, kinds) for shorter, found in pairwise(grams)]
    apart = _find_apart(grams[1:], wholes, text, kinds)
    for found, is_apart in zip(grams[1:-1], apart, strict=True):
        kept = is_apart & counts[found.words(text)].any(axis=1)
        number = np.append(np.where(kept, np.cumsum(kept) - 1, -1), -1)[found.number]
        at = np.flatnonzero(number >= 0)
        where.append(np.stack((text.document[at], number[at] + len(names))))
        written = text.written[at[:, None] + np.arange(found.length)]
        names += _usual_forms(stream.words, written, number[at], of_model)
    row, column = np.concatenate(where, axis=1)
    by_name = sorted(range(len(names)), key=names.__getitem__)
    column = np.argsort(by_name)[column] if names else column
    shape = (len(rows), len(names))
    table = sparse.csr_array((np.ones(len(row), dtype=np.int8), (row, column)), shape=shape)
    table.sum_duplicates()  # older versions of SciPy keep duplicates, unsorted
    documents = Documents(
        table.indptr.astype(np.int64), table.indices.astype(np.uint32), len(names)
    )
    return Phrases(tuple(names[k] for k in by_name), rows, documents)


def _text(stream: WordStream, rows: Ints, kinds: _Kinds) -> _Text:
    wanted = np.zeros(stream.n_documents, dtype=bool)
    wanted[rows] = True
    taken = [np.empty(0, dtype=np.int32)]
    begin = 0
    for part in stream.parts:
        starts, sizes = bounds_of_documents(part)
        place = np.arange(len(part)) - np.repeat(starts, sizes)
        of_document = np.repeat(wanted[begin : begin + len(starts)], sizes)
        taken.append(part[of_document & ((place < _MOST_WORDS) | (part == END))])
        begin += len(starts)
    written = np.concatenate(taken).astype(np.int64)
    is_end = written == END
    tokens = written.copy()
    is_word = written >= 0
    tokens[is_word] = _singulars(stream.words, written[is_word], kinds)
    return _Text(written, tokens, np.cumsum(is_end) - is_end)


def _singulars(words: Sequence[str], written: Ints, kinds: _Kinds) -> Ints:
    """The number of each word, or of its singular if the texts contain that, too.

    Both must be words that may end a phrase, so that "wells" does not become "well", a stop word.
    """
    distinct, place = np.unique(written, return_inverse=True)
    content = distinct[kinds.may_end[distinct]].tolist()
    number = {words[k]: k for k in content}
    singular = {k: number.get(_singular(words[k]), k) for k in content}
    return np.array([singular.get(k, k) for k in distinct.tolist()], dtype=np.int64)[place]


def _singular(word: str) -> str:
    """The word without the "s" of a plural; "glass", "news" and "semantics" keep theirs."""
    stem = word.removesuffix("s")
    return word if len(stem) < _SHORTEST_SINGULAR or stem.endswith(_NO_SINGULARS) else stem


def _longer(grams: _Grams, text: _Text, least: int) -> _Grams:
    """The frequent runs of one word more; without the first or the last word, they are frequent, too."""
    number = np.full(len(text.tokens), -1)
    begin, end = grams.number[:-1], grams.number[1:]
    at = np.flatnonzero((begin >= 0) & (end >= 0))
    keys = begin[at] * (int(grams.number.max(initial=0)) + 1) + end[at]
    _, first, run = np.unique(keys, return_index=True, return_inverse=True)
    # Positions ascend within a run, so a document is counted where it differs from the one before.
    order = np.argsort(run, kind="stable")
    document = text.document[at][order]
    new = np.diff(document, prepend=-1) != 0
    new |= np.diff(run[order], prepend=-1) != 0
    frequency = np.bincount(run[order][new], minlength=len(first))
    frequent = frequency >= least
    renumbered = np.where(frequent, np.cumsum(frequent) - 1, -1)
    number[at] = renumbered[run]
    return _Grams(grams.length + 1, number, at[first[frequent]], frequency[frequent])


def _whole(grams: _Grams, shorter: _Grams, text: _Text, kinds: _Kinds) -> Bools:
    """Which runs begin and end with words that may, contain no clause words, and hold together.

    "State of the art" holds together: of the documents with "state of the", and of those with "of the
    art", a share of `_FIRM` or more has all of it. "Prove the existence" does not. Runs without stop
    words always do.
    """
    words, may_end = grams.words(text), kinds.may_end
    whole: Bools = may_end[words[:, 0]] & may_end[words[:, -1]]
    whole &= ~kinds.makes_clause[words].any(axis=1)
    if grams.length == 2:
        return whole
    parts = np.stack([shorter.number[grams.first + shift] for shift in (0, 1)])
    share = grams.document_frequency / shorter.document_frequency[parts].max(axis=0)
    whole &= may_end[words].all(axis=1) | (share >= _FIRM)
    return whole


def _find_apart(
    grams: Sequence[_Grams], wholes: Sequence[Bools], text: _Text, kinds: _Kinds
) -> list[Bools]:
    """Which runs of each length but the last are whole and not mostly part of one longer whole run.

    Runs between them need not be whole: "drug administration" is part of "food and drug administration",
    although "and drug administration" is not whole.
    """
    apart: list[Bools] = []
    longer = grams[-1]
    # The document frequency of each run if it is whole, or else of the commonest whole run around it.
    around = np.where(wholes[-1], longer.document_frequency, 0)
    for found, whole in zip(grams[-2::-1], wholes[-2::-1], strict=True):
        most = np.zeros(len(found.first), dtype=np.int64)
        for shift in (0, 1):
            np.maximum.at(most, found.number[longer.first + shift], around)
        absorbed = most >= np.maximum(_ABSORBED * found.document_frequency, 1)
        if found.length == _LONGEST:  # longer runs are no phrases: of long names, parts are kept
            absorbed &= ~kinds.may_end[found.words(text)].all(axis=1)
            most[:] = 0
        apart.append(whole & ~absorbed)
        longer, around = found, np.where(whole, found.document_frequency, most)
    return apart[::-1]


def _usual_forms(words: Sequence[str], written: Ints, run: Indices, of_model: Bools) -> list[str]:
    """The form of each run with most words of the model; among equals the commonest, or first by name.

    `written` has the form of each occurrence of a run, (occurrences, length), in singular or plural.
    """
    distinct, place = np.unique(written, return_inverse=True)
    by_name = np.array(sorted(distinct.tolist(), key=words.__getitem__), dtype=np.int64)
    rank = np.searchsorted(distinct, by_name).argsort()[place].reshape(written.shape)
    forms, count = np.unique(np.column_stack((run, rank)), axis=0, return_counts=True)
    form = by_name[forms[:, 1:]]
    order = np.lexsort((-count, -of_model[form].sum(axis=1), forms[:, 0]))  # stable: then by name
    _, best = np.unique(forms[order, 0], return_index=True)
    return [" ".join(words[word] for word in usual) for usual in form[order[best]].tolist()]
