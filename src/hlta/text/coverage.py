"""Coverage: which share of the words of each document is in a vocabulary."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hlta._kernels.tokens import END
from hlta.text.selection import as_read, long_enough, numbers_of
from hlta.text.stop_words import stop_words_of

if TYPE_CHECKING:
    from hlta._support.arrays import Bools, Floats, Ints, Ints32
    from hlta.options import TextOptions
    from hlta.text.scanner import WordStream


def coverage(stream: WordStream, starts: Ints, columns: Ints32, options: TextOptions) -> Floats:
    """The share of the occurrences of words in each document that have a column; 0 without words.

    Stop words, filler words, words to exclude and words that are too short do not count, unless they
    have a column.

    Parameters
    ----------
    stream
        The words of the documents, in sections.
    starts
        Where the sections of each document begin, and the end.
    columns
        int32 (words,): the column of each word, or -1.
    options
        How the texts were read; their languages are known.
    """
    # Marks are negative and so index the end.
    known = np.append(columns >= 0, [False, False])
    counted = known.copy()
    counted[:-2] |= long_enough(stream.words, options)
    style = options.style or ()
    left_out = {*stop_words_of(options), *as_read(options.exclude, options), *style}
    counted[numbers_of(stream.words, left_out)] = False
    counted |= known
    sums = np.hstack(
        [np.empty((2, 0), dtype=np.int64)] + [_sums(part, known, counted) for part in stream.parts]
    )
    of_known, of_counted = np.diff(
        np.pad(np.cumsum(sums, axis=1), ((0, 0), (1, 0)))[:, starts], axis=1
    )
    return np.asarray(of_known / np.maximum(of_counted, 1))


def _sums(part: Ints32, known: Bools, counted: Bools) -> Ints:
    """How many words of each section of a part are known, and how many count: (2, sections)."""
    ends = np.flatnonzero(part == END)
    return np.stack(
        [np.diff(np.cumsum(words[part])[ends], prepend=0) for words in (known, counted)]
    )
