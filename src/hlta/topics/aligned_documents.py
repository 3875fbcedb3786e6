"""Documents with the words of a model, and which of them it knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlta._support.arrays import Bools, Floats
    from hlta.documents.corpus import Corpus
    from hlta.documents.matrix import Documents

_LEAST_COVERAGE: Final = 0.2  # of the usual coverage, at least, for a document to be known


class AlignedDocuments(NamedTuple):
    """Documents with the words of a model as columns, and the share of their words that it knows."""

    documents: Documents
    coverage: Floats

    @classmethod
    def of(cls, corpus: Corpus, words: Sequence[str]) -> AlignedDocuments:
        """The documents of a corpus, for a model with these words."""
        documents = corpus.aligned(words)
        share = documents.lengths / np.maximum(corpus.documents.lengths, 1)
        return cls(documents, share if corpus.coverage is None else share * corpus.coverage)

    def are_known(self, usual: float | None, *, by_vectors: bool) -> Bools:
        """Which documents have enough words of the model or, if it uses vectors, a vector.

        `usual` is the usual coverage of the model.
        """
        if by_vectors and self.documents.vectors is not None:
            return np.ones(len(self.documents), dtype=np.bool_)
        least = 0.0 if usual is None else _LEAST_COVERAGE * usual
        return (self.documents.lengths > 0) & (self.coverage >= least)
