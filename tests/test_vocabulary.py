"""Texts through the estimator: a vocabulary is chosen, saved, and read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import hlta
from hlta import HLTA, Corpus, DocumentsError, OptionError, TextOptions
from hlta.text.vocabulary import with_further_words, with_vocabulary
from tests.scanning import TEXTS

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus.from_texts(TEXTS, ngrams=2, max_df=1.0)


@pytest.fixture(scope="module")
def model(corpus: Corpus) -> HLTA:
    return HLTA(em_steps=5).fit(corpus)


def test_new_texts_are_read_as_the_old_ones(model: HLTA, corpus: Corpus) -> None:
    np.testing.assert_array_equal(model.transform(TEXTS), model.transform(corpus))


def test_a_saved_model_reads_texts(model: HLTA, corpus: Corpus, tmp_path: Path) -> None:
    model.save(tmp_path / "model.hlta")
    back = hlta.load(tmp_path / "model.hlta")
    assert isinstance(back, HLTA)
    np.testing.assert_array_equal(back.transform(TEXTS), model.transform(corpus))


def test_a_text_without_known_words_is_a_document(model: HLTA) -> None:
    assert model.transform(["nothing known here"]).shape == (1, len(model.topics_))


def test_the_estimator_learns_from_texts() -> None:
    model = HLTA(em_steps=5).fit(TEXTS)
    assert "social" in model.tree_.words
    assert np.isfinite(model.score(TEXTS))


def test_a_model_of_a_matrix_refuses_texts() -> None:
    model = HLTA(em_steps=1).fit(np.eye(5, dtype=int))
    with pytest.raises(DocumentsError, match="learned from a matrix"):
        model.transform(TEXTS)


def test_texts_bring_their_own_words() -> None:
    with pytest.raises(DocumentsError, match="words is given, but texts"):
        HLTA().fit(TEXTS, words=["a"])


def test_a_model_with_a_tokenizer_of_ones_own_cannot_be_saved(tmp_path: Path) -> None:
    own = Corpus.from_texts(TEXTS, tokenizer=str.split, max_df=1.0)
    model = HLTA(em_steps=1).fit(own)
    with pytest.raises(OptionError, match="a tokenizer of your own"):
        model.save(tmp_path / "model.hlta")


def test_further_words_come_after_those_of_the_model() -> None:
    texts = ["a deep net and qubits", "a deep qubits zebra", "deep deep", *["deep the the"] * 17]
    options = TextOptions(stop_words=["the"], min_df=2)
    documents, words = with_further_words(texts, ("net", "deep"), options)
    assert words == ("net", "deep", "qubits")  # zebra is too rare, the is a stop word
    assert documents.to_csr().toarray()[:3].tolist() == [[1, 1, 1], [0, 1, 1], [0, 1, 0]]
    alone = with_vocabulary(texts, ("net", "deep"), options)
    assert (documents.to_csr()[:, :2] != alone.to_csr()).nnz == 0


def test_a_word_nearly_too_frequent_is_no_further_word() -> None:
    texts = ["usual rare"] * 4 + ["usual"] * 8 + ["other"] * 8
    _, words = with_further_words(texts, ("other",), TextOptions(stop_words=None, max_df=12))
    assert words == ("other", "rare")
