"""Coverage: the share of the words of each document that is in a vocabulary."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hlta.text.scanner import sums_of_documents
from hlta.text.selection import as_read, long_enough, numbers_of
from hlta.text.stop_words import stop_words_of

if TYPE_CHECKING:
    from hlta._support.arrays import Floats, Ints, Ints32
    from hlta.options import TextOptions
    from hlta.text.scanner import WordStream


def coverage(stream: WordStream, starts: Ints, columns: Ints32, options: TextOptions) -> Floats:
    """Of the word occurrences in each document, the share whose word has a column; 0 without words.

    Stop words, filler words, words to exclude and words that are too short do not count, unless they
    have a column.

    Parameters
    ----------
    stream
        The words of the documents, in sections.
    starts
        int64 (documents + 1,): the first section of each document, then the number of sections.
    columns
        int32 (words,): the column of each word, or -1.
    options
        How the texts were read, with their languages.
    """
    # GAP and END are negative and so index the end.
    known = np.append(columns >= 0, [False, False])
    counted = known.copy()
    counted[:-2] |= long_enough(stream.words, options)
    style = options.style or ()
    left_out = {*stop_words_of(options), *as_read(options.exclude, options), *style}
    counted[numbers_of(stream.words, left_out)] = False
    counted |= known
    words = np.stack((known, counted), axis=1)
    sums = [np.zeros((1, 2), dtype=np.int64)]  # of each section
    sums += [sums_of_documents(words[part], part) for part in stream.parts]
    of_known, of_counted = np.diff(np.cumsum(np.concatenate(sums), axis=0)[starts], axis=0).T
    return np.asarray(of_known / np.maximum(of_counted, 1))
