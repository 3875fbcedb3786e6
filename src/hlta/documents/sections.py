"""Sections of long documents: many pages hold nearly every common word, whatever their subject.

Texts are cut into consecutive parts. In a matrix of counts words have no order, so they are dealt out
to sections like cards: two words that are both frequent in a document are together in many sections.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hlta._support.arrays import offsets
from hlta.documents.matrix import Documents, Sections
from hlta.documents.writer import DocumentsWriter, from_keys

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from hlta._support.arrays import Floats, Ints

WORDS: Final = 300
"""About how many words make a section."""
_MOST_DEALT: Final = 1 << 22  # sections times distinct words, of a document or of several at a time


def number_of_sections(lengths: NDArray[Any]) -> Ints:
    """How many sections documents with these numbers of words have."""
    return np.maximum(1, np.rint(lengths / WORDS).astype(np.int64))


def divide_long(documents: Documents, matrix: Any, words: Sequence[str]) -> Documents:
    """The documents of a matrix, with sections of long ones if the matrix holds counts.

    Sections do not depend on the order of documents or columns.

    Parameters
    ----------
    documents
        What `as_documents` made of the matrix.
    matrix
        Documents by words, sparse or dense.
    words
        The names of the columns.

    Returns
    -------
    Documents
    """
    counts = _counts(matrix)
    if counts is None:
        return documents
    indptr, indices = documents.presences()
    distinct = np.diff(indptr)
    lengths = np.add.reduceat(np.append(counts, 0.0), indptr[:-1]) * (distinct > 0)
    most = np.minimum(distinct, _MOST_DEALT // np.maximum(distinct, 1))
    number = number_of_sections(np.minimum(lengths, WORDS * np.maximum(most, 1)))
    if number.max(initial=1) < 2:
        return documents
    rank = np.empty(len(words), dtype=np.int64)
    rank[sorted(range(len(words)), key=words.__getitem__)] = np.arange(len(words))
    writer = DocumentsWriter(documents.n_words)
    for first, last in _portions(number * distinct):
        entries = slice(indptr[first], indptr[last])
        part = _dealt(
            np.repeat(np.arange(last - first), distinct[first:last]),
            indices[entries].astype(np.int64),
            counts[entries],
            number[first:last],
            rank,
        )
        writer.append(part)
    return documents.with_sections(Sections(writer.read(), offsets(number)))


def _counts(matrix: Any) -> Floats | None:
    """The counts of a matrix, row by row, in the order of words; None if it holds no counts.

    Counts are whole numbers, of which one or more are above 1.
    """
    from scipy.sparse import csr_array

    table = csr_array(matrix, dtype=np.float64, copy=True)  # in a small type, sums would wrap
    table.sum_duplicates()
    table.eliminate_zeros()
    values = table.data
    is_count = len(values) > 0 and values.max() > 1.0 and bool((values == np.floor(values)).all())
    return values if is_count else None


def _portions(sizes: Ints) -> Iterator[tuple[int, int]]:
    """Ranges of consecutive documents whose sizes sum to at most `_MOST_DEALT`, or of one document."""
    begin, total = 0, 0
    for at, size in enumerate(sizes.tolist()):
        if total and total + size > _MOST_DEALT:
            yield begin, at
            begin, total = at, 0
        total += size
    if begin < len(sizes):
        yield begin, len(sizes)


def _dealt(document: Ints, word: Ints, count: Floats, number: Ints, rank: Ints) -> Documents:
    """The sections of some documents: their words, in the order of `rank`, are dealt out in turn."""
    order = np.lexsort((rank[word], document))
    document, word = document[order], word[order]
    dealt_out = np.minimum(count[order], number[document]).astype(np.int64)
    entry = np.repeat(np.arange(len(word)), dealt_out)
    before = offsets(dealt_out)[:-1]
    of_document = before[np.searchsorted(document, document)]  # where its document's cards begin
    card = np.arange(len(entry)) - of_document[entry]
    section = offsets(number)[document[entry]] + card % number[document[entry]]
    keys = np.sort(section * len(rank) + word[entry])
    return from_keys(keys, int(number.sum()), len(rank))
