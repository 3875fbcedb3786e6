"""Documents with the names of their words."""

from __future__ import annotations

import numpy as np
import pytest

from hlta import Corpus, DocumentsError

X = np.array([[1, 0, 2], [0, 1, 1], [0, 0, 0]])


def test_columns_follow_the_words_asked_for() -> None:
    corpus = Corpus(X, ["a", "b", "c"])
    same = corpus.aligned(["a", "b", "c"])
    assert same is corpus.documents
    other = corpus.aligned(["c", "new", "a"])
    assert other.shape == (3, 3)
    np.testing.assert_array_equal(other.indptr, [0, 2, 3, 3])
    np.testing.assert_array_equal(other.indices, [0, 2, 0])
    assert repr(corpus) == "Corpus(3 documents, 3 words)"
    assert len(corpus) == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["a", "b"], "2 entries for 3 columns"),
        (["a", "b", "a"], "'a' 2 times"),
        (["a", "b", ""], "holds ''"),
        (["a", "b", 3], "holds 3"),
    ],
)
def test_words_must_name_the_columns(words: list[str], message: str) -> None:
    with pytest.raises(DocumentsError, match=message):
        Corpus(X, words)
