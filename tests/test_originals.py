"""The original of each document: checked, and kept when documents are chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta import Corpus, DocumentsError
from hlta.documents.originals import checked_originals, originals_among

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("wrong", [[0], [1, 1], [0, -1], [0, 0, 1], [0.0, 0.0], ["a", "b"], 3])
def test_originals_are_numbers_of_earlier_documents(wrong: Any) -> None:
    assert checked_originals(None, 2) is None
    assert checked_originals([0, 1], 2) is None  # each its own
    with pytest.raises(DocumentsError, match="originals must hold"):
        checked_originals(wrong, 3 if len(np.atleast_1d(wrong)) == 3 else 2)


@given(st.lists(st.sampled_from("abcde"), min_size=1), st.data())
def test_originals_of_chosen_documents(texts: list[str], data: st.DataObject) -> None:
    originals = np.array([texts.index(text) for text in texts])
    rows = st.lists(st.integers(0, len(texts) - 1), min_size=1, unique=True)
    chosen = data.draw(rows)
    left = [texts[row] for row in chosen]
    found = originals_among(originals, np.array(chosen)).tolist()
    lone = [texts.count(text) == 1 for text in left]
    assert found == [k if alone else left.index(left[k]) for k, alone in enumerate(lone)]
    # One without repeats may be chosen twice.
    assert originals_among(np.array([0, 1, 0]), np.array([1, 1, 2, 0])).tolist() == [0, 1, 2, 2]


def test_corpora_keep_originals(tmp_path: Path) -> None:
    corpus = Corpus([[1, 0], [0, 1], [1, 0], [1, 0]], ["a", "b"], originals=[0, 1, 0, 0])
    assert (corpus.n_repeats, len(corpus.distinct())) == (2, 2)
    assert corpus.distinct().originals is None
    for _ in range(2):
        corpus.save(tmp_path / "corpus", overwrite=True)
    loaded = Corpus.load(tmp_path / "corpus")
    np.testing.assert_array_equal(loaded.originals, [0, 1, 0, 0])
    np.testing.assert_array_equal(corpus.take([3, 1, 2]).originals, [0, 1, 0])
