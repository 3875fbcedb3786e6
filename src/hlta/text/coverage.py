"""Coverage: which share of the words of each document is in a vocabulary."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hlta._kernels.tokens import END
from hlta.text.selection import as_read, long_enough, numbers_of
from hlta.text.stop_words import stop_words_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.options import TextOptions
    from hlta.text.scanner import WordStream


def coverage(
    stream: WordStream, columns: NDArray[np.int32], options: TextOptions
) -> NDArray[np.float64]:
    """The share of the occurrences of words in each document that have a column; 0 without words.

    Stop words, words of style, words to exclude and words that are too short do not count, unless they
    have a column.

    Parameters
    ----------
    stream
        The words of the documents.
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
    shares = [_shares(part, known, counted) for part in stream.parts]
    return np.concatenate(shares)


def _shares(
    part: NDArray[np.int32], known: NDArray[np.bool_], counted: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """The coverage of the documents of a part."""
    ends = np.flatnonzero(part == END)
    of_known, of_counted = (
        np.diff(np.cumsum(words[part])[ends], prepend=0) for words in (known, counted)
    )
    return of_known / np.maximum(of_counted, 1)
