"""The vocabulary: average TF-IDF as the paper defines it, stop words, phrases."""

from __future__ import annotations

import numpy as np
import pytest

import hlta
from hlta import HLTA, Corpus, DocumentsError, OptionError

TEXTS = [
    "neural network training of a neural network",
    "the social network of friends and the social media",
    "training a deep neural network with data",
    "social network analysis: friends of friends",
    "data analysis with the neural network",
    "the social network",
] * 5


def score(word: str, texts: list[str]) -> float:
    tf = np.array([text.replace(":", " ").split().count(word) for text in texts])
    return float(np.mean(tf * np.log(len(texts) / (tf > 0).sum())))


def test_words_by_average_tf_idf() -> None:
    corpus = Corpus.from_texts(TEXTS, n_words=6, stop_words="english", max_df=1.0)
    words = {w for text in TEXTS for w in text.replace(":", " ").split() if len(w) > 2}
    words -= {"the", "and", "with"}
    expected = sorted(words, key=lambda w: (-score(w, TEXTS), w))[:6]
    assert list(corpus.words) == expected
    dense = np.zeros((30, 6), dtype=int)
    documents = corpus.documents
    dense[np.repeat(np.arange(30), np.diff(documents.indptr)), documents.indices] = 1
    for d, text in enumerate(TEXTS):
        assert dense[d].tolist() == [int(w in text.replace(":", " ").split()) for w in expected]


def test_bounds_and_lists() -> None:
    every = {"n_words": 100, "stop_words": None, "max_df": 1.0}
    assert "the" in Corpus.from_texts(TEXTS, **every).words
    assert "network" not in Corpus.from_texts(TEXTS, **{**every, "max_df": 0.7}).words
    assert "deep" not in Corpus.from_texts(TEXTS, **every, min_df=6).words
    assert "deep" in Corpus.from_texts(TEXTS, **every, min_df=6, include=["deep"]).words
    assert "data" not in Corpus.from_texts(TEXTS, **every, exclude=["data"]).words
    assert "friends" not in Corpus.from_texts(TEXTS, **{**every, "stop_words": ["friends"]}).words


@pytest.mark.parametrize(
    ("language", "text", "stop"),
    [
        ("english", "the cat and the dog were in the house with some of the others", "the"),
        ("german", "der Hund und die Katze sind nicht mit den anderen auf einem Dach", "und"),
        ("french", "les chats sont dans une maison avec des chiens pour les autres", "les"),
        ("russian", "он сказал что это было не так как мне бы хотелось для них", "что"),
    ],
)
def test_the_language_is_found(language: str, text: str, stop: str) -> None:
    texts = [text, text + " extra"] * 5
    words = Corpus.from_texts(texts, max_df=1.0).words
    assert stop not in words
    assert stop not in Corpus.from_texts(texts, max_df=1.0, stop_words=language).words
    assert stop in Corpus.from_texts(texts, max_df=1.0, stop_words=None).words


def test_phrases_become_words_of_their_own() -> None:
    corpus = Corpus.from_texts(TEXTS, ngrams=2, max_df=1.0, n_words=14)
    assert "neural-network" in corpus.words
    assert "social-network" in corpus.words
    # Where the phrase was, its parts are no longer.
    column = corpus.words.index("social-network")
    documents = corpus.documents
    rows = [
        set(documents.indices[documents.indptr[d] : documents.indptr[d + 1]].tolist())
        for d in range(6)
    ]
    assert [column in row for row in rows] == [False, True, False, True, False, True]
    if "network" in corpus.words:
        assert corpus.words.index("network") not in rows[5]
    longer = Corpus.from_texts(
        ["support vector machine learning", "support vector machine", "machine shop"] * 20,
        ngrams=3,
        max_df=1.0,
        stop_words=None,
    )
    assert "support-vector-machine" in longer.words


def test_new_texts_are_read_as_the_old_ones(tmp_path: object) -> None:
    corpus = Corpus.from_texts(TEXTS, ngrams=2, max_df=1.0)
    model = HLTA(em_steps=5).fit(corpus)
    np.testing.assert_array_equal(model.transform(TEXTS), model.transform(corpus))
    path = f"{tmp_path}/model.hlta"
    model.save(path)
    back = hlta.load(path)
    np.testing.assert_array_equal(back.transform(TEXTS), model.transform(corpus))
    assert back.transform(["nothing known here"]).shape == (1, len(model.topics_))


def test_the_estimator_reads_texts() -> None:
    model = HLTA(em_steps=5).fit(TEXTS)
    assert "social" in model.tree_.words
    assert np.isfinite(model.score(TEXTS))
    with pytest.raises(DocumentsError, match="learned from a matrix"):
        HLTA(em_steps=1).fit(np.eye(5, dtype=int)).transform(TEXTS)
    with pytest.raises(DocumentsError, match="texts bring their own"):
        HLTA().fit(TEXTS, words=["a"])
    own = Corpus.from_texts(TEXTS, tokenizer=str.split, max_df=1.0)
    with pytest.raises(OptionError, match="a tokenizer of your own"):
        HLTA(em_steps=1).fit(own).save("nowhere.hlta")


def test_mistakes_are_named() -> None:
    with pytest.raises(DocumentsError, match=r"0 of 12 words are left.*loosen one of them"):
        Corpus.from_texts(TEXTS, min_df=31, max_df=1.0)
    with pytest.raises(OptionError, match="stop_words='klingon': use \"auto\""):
        Corpus.from_texts(TEXTS, stop_words="klingon")
    with pytest.raises(OptionError, match="'n_gram' is not an option for texts"):
        Corpus.from_texts(TEXTS, n_gram=2)
    with pytest.raises(DocumentsError, match="a single string"):
        Corpus.from_texts("one text")


def test_lists_are_read_as_texts_are() -> None:
    options = {"exclude": ["Network"], "include": ["WITH"], "min_df": 1}
    words = Corpus.from_texts(TEXTS, stop_words="english", **options).words
    assert "with" in words
    assert "network" not in words
    capital = [text.replace("network", "Network") for text in TEXTS]
    assert "Network" not in Corpus.from_texts(capital, lowercase=False, **options).words
