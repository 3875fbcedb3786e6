"""Texts through the estimator: a vocabulary is chosen, saved, and read again."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import hlta
from hlta import HLTA, Corpus, DocumentsError, OptionError, TextOptions
from hlta.text import passages
from hlta.text.vocabulary import with_further_words, with_vocabulary
from tests.scanning import TEXTS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hlta.documents.matrix import Documents


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
    documents, words, coverage, originals = with_further_words(texts, ("net", "deep"), options)
    assert words == ("net", "deep", "qubits")  # zebra is too rare, the is a stop word
    assert documents.to_csr().toarray()[:3].tolist() == [[1, 1, 1], [0, 1, 1], [0, 1, 0]]
    assert coverage[:3].tolist() == [0.75, 2 / 3, 1.0]
    alone, _ = with_vocabulary(texts, ("net", "deep"), options)
    assert (documents.to_csr()[:, :2] != alone.to_csr()).nnz == 0
    assert originals is not None
    assert originals.tolist() == list(range(20))  # short texts are no repeats


def test_repeats_have_no_say_in_further_words() -> None:
    long = "a qubit and ten more words of one text that is copied again and again"
    texts = [long] * 6 + ["deep net"] * 30
    _, words, _, originals = with_further_words(texts, ("net",), TextOptions(min_df=2, max_df=1.0))
    assert originals is not None
    assert originals.tolist()[:7] == [0] * 6 + [6]
    assert words == ("net",)  # deep is too frequent
    _, words, _, originals = with_further_words(
        texts, ("net",), TextOptions(min_df=2, max_df=1.0, count_repeats=True)
    )
    assert originals is None
    assert "qubit" in words


def test_a_word_nearly_too_frequent_is_no_further_word() -> None:
    texts = ["usual rare"] * 4 + ["usual"] * 8 + ["other"] * 8
    words = with_further_words(texts, ("other",), TextOptions(stop_words=None, max_df=12)).words
    assert words == ("other", "rare")


# ---- what learning saw -------------------------------------------------------------------------


def assert_equal(one: Documents, other: Documents) -> None:
    np.testing.assert_array_equal(one.indptr, other.indptr)
    np.testing.assert_array_equal(one.indices, other.indices)


def own_words(text: str) -> list[str]:
    """A tokenizer of a user's own, whose words may hold hyphens."""
    return text.split()


def tokenizers() -> list[Any]:
    """Tokenizers; those that need a dictionary, which is slow to load, if it is installed."""
    needed = {"chinese": "rjieba", "japanese": "fugashi"}
    return (
        ["auto"] * 4
        + [None]
        + [own_words] * 3
        + [name for name, module in needed.items() if find_spec(module)]
    )


WORDS = [
    "net",
    "nets",
    "Deep",
    "deep",
    "x-ray",
    "x",
    "ray",
    "the",
    "b2b",
    "été",
    "学习",
    "機械",
    ",",
    "-",
]
SOME_TEXTS = st.lists(
    st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join), min_size=2, max_size=8
).map(lambda texts: texts[:2] + texts)
ANY_OPTION: dict[str, st.SearchStrategy[Any]] = {
    "lowercase": st.booleans(),
    "min_length": st.sampled_from([None, 1, 2, 4]),
    "max_length": st.sampled_from([40, 4]),
    "numbers": st.booleans(),
    "stop_words": st.sampled_from(["auto", "english", None, ["deep"]]),
    "tokenizer": st.sampled_from(tokenizers()),
    "languages": st.sampled_from([None, ("english",), ("english", "russian")]),
    "lemmas": st.sampled_from([None, *(["english", "fr"] if find_spec("simplemma") else [])]),
    "n_words": st.sampled_from([None, 2, 3, 5]),
    "min_df": st.sampled_from([None, 1, 2, 0.2]),
    "max_df": st.sampled_from([None, 0.9, 1.0]),
    "ngrams": st.integers(1, 5),
    "include": st.sampled_from([(), ("net",), ("net-deep", "ray"), ("deep net", "net ray deep")]),
    "exclude": st.sampled_from([(), ("net",), ("net-deep", "ray")]),
    "count_repeats": st.booleans(),
    "drop_passages": st.booleans(),
    "keep_style": st.booleans(),
}


def test_any_option_is_drawn() -> None:
    assert set(ANY_OPTION) == set(TextOptions().keywords)


@pytest.fixture(scope="module")
def short_passages() -> Iterator[None]:
    """Two words in two documents are a passage."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passages, "LENGTH", 2)
        patch.setattr(passages, "LEAST", 2)
        yield


@pytest.mark.usefixtures("short_passages")
@settings(max_examples=80)
@given(SOME_TEXTS, st.fixed_dictionaries(ANY_OPTION))
def test_texts_read_again_are_what_learning_saw(texts: list[str], options: dict[str, Any]) -> None:
    try:
        corpus = Corpus.from_texts(texts, **options)
    except DocumentsError:  # fewer than two words are left
        reject()
    read = corpus.text_options
    assert read is not None
    if read.tokenizer is not own_words:  # as a file holds the options
        read = TextOptions(**json.loads(json.dumps(read.plain())))
    assert_equal(with_vocabulary(texts, corpus.words, read)[0], corpus.documents)
    alone, _ = with_vocabulary(texts[-1:], corpus.words, read)
    assert_equal(alone, corpus.documents.take(np.array([len(texts) - 1])))


OVERLAPPING = ["red blue blue", "blue red blue", "red blue white", "blue blue blue"] * 6


def test_saved_models_and_corpora_read_texts_as_they_were_read(tmp_path: Path) -> None:
    corpus = Corpus.from_texts(OVERLAPPING, ngrams=3, max_df=1.0, n_words=6)
    model = HLTA(samples=1, em_steps=1).fit(corpus)
    model.save(tmp_path / "model.hlta")
    corpus.save(tmp_path / "corpus")
    back = HLTA.load(tmp_path / "model.hlta")
    assert_equal(back.documents_from_texts(OVERLAPPING), corpus.documents)
    options = Corpus.load(tmp_path / "corpus").text_options
    assert options is not None
    assert_equal(with_vocabulary(OVERLAPPING, corpus.words, options)[0], corpus.documents)
    # What older files lack matters here: words alone do not tell which phrases were joined.
    older, _ = with_vocabulary(OVERLAPPING, corpus.words, replace(options, joined=None))
    assert older.indices.tolist() != corpus.documents.indices.tolist()


def test_learning_finds_phrases_anew() -> None:
    found = Corpus.from_texts(TEXTS, ngrams=2, max_df=1.0).text_options
    again = HLTA(samples=1, text=found).fit(OVERLAPPING).text_options_
    assert found is not None
    assert again is not None
    assert again.joined != found.joined
