"""Coverage: the share of the words of a document that a model knows, and what follows from it."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hlta import HLTA, Corpus, TextOptions
from hlta.explorer.page_documents import select_page_documents
from hlta.text.vocabulary import with_vocabulary
from tests.there import there

WORDS = ("bank", "market", "network", "the", "ox", "zebra")
TEXTS = ["deep neural networks", "dark matter in galaxies", "apples and pears"] * 10
FOREIGN = "les pommes sont mangées par des enfants qui jouent dans le jardin avec leur chien"


@pytest.fixture(scope="module")
def model() -> HLTA:
    return HLTA(samples=1, em_steps=2).fit(TEXTS)


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=8), min_size=1, max_size=6))
def test_it_is_the_share_of_the_occurrences_that_are_known(rows: list[list[str]]) -> None:
    options = TextOptions(languages=("english",), exclude=("market",))
    texts = [" ".join(row) for row in rows]
    _, shares = with_vocabulary(texts, ("bank", "network"), options)
    expected = []
    for row in rows:
        known = sum(word in {"bank", "network"} for word in row)
        # "the" is a stop word, "market" is excluded, "ox" is too short.
        expected.append(known / max(1, known + row.count("zebra")))
    np.testing.assert_allclose(shares, expected, rtol=1e-12)


def test_a_phrase_is_one_word_and_a_stop_word_that_is_known_counts() -> None:
    options = TextOptions(ngrams=2, languages=("english",))
    known = ("neural", "network", "neural-network", "the")
    _, shares = with_vocabulary(["neural network zebra", "network", "the zebra"], known, options)
    assert shares.tolist() == [0.5, 1.0, 0.5]


def test_a_corpus_keeps_its_coverage(tmp_path: Path) -> None:
    texts = ["bank bank market zebra", "market bank", "ox"]
    corpus = Corpus.from_texts(texts, min_df=2, max_df=1.0)
    assert there(corpus.coverage).tolist() == [0.75, 1.0, 0.0]
    corpus.save(tmp_path / "corpus")
    back = Corpus.load(tmp_path / "corpus").take([2, 0])
    assert there(back.coverage).tolist() == [0.0, 0.75]


def test_coverage_of_whatever_a_model_is_given(model: HLTA) -> None:
    assert model.coverage(["deep zebras", FOREIGN, ""]).tolist() == [0.5, 0.0, 0.0]
    matrix = np.zeros((2, model.n_features_in_))
    matrix[0, 0] = 1
    assert model.coverage(matrix).tolist() == [1.0, 0.0]
    corpus = Corpus([[1, 1, 0], [0, 0, 1]], ["deep", "zebra", "stripes"])
    assert model.coverage(corpus).tolist() == [0.5, 0.0]
    read = Corpus([[1, 1, 0], [0, 0, 1]], ["deep", "zebra", "stripes"], coverage=[0.5, 1.0])
    assert model.coverage(read).tolist() == [0.25, 0.0]


def test_unknown_documents_are_on_no_topic(model: HLTA) -> None:
    one_of_many = f"{FOREIGN} {FOREIGN} {FOREIGN} galaxies"
    texts = ["deep networks", FOREIGN, one_of_many, "dark zebras"]
    assert model.knows(texts).tolist() == [True, False, False, True]
    shares = model.transform(texts)
    assert not shares[[1, 2]].any()
    np.testing.assert_allclose(shares[[0, 3]].sum(axis=1), 1.0)
    assert set(model.share_table(texts, least=0.0)["document"]) == {0, 3}
    assert model.main_table(texts)["topic_1"].is_null().to_list() == [False, True, True, False]
    main = model.predict(texts)
    assert (main[[1, 2]] == -1).all()
    assert (main[[0, 3]] >= 0).all()
    for topic in model.topics_:
        assert not {1, 2} & set(model.documents(topic, texts).rows.tolist())
        assert not {1, 2} & set(model.representative_documents(topic, texts).rows.tolist())
    # The exact posterior remains.
    exact = model.transform([FOREIGN, ""], kind="probability")
    assert exact[0].tolist() == exact[1].tolist() != [0.0, 0.0, 0.0]


def test_without_usual_coverage_only_documents_without_words_are_unknown() -> None:
    matrix = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 1], [0, 0, 0]] * 5)
    model = HLTA(samples=1, em_steps=1).fit(matrix)
    assert model.coverage_ is None
    assert model.knows(matrix).tolist() == [True, True, True, False] * 5


def test_the_page_shows_unknown_documents_on_no_topic(model: HLTA) -> None:
    corpus = Corpus.from_texts([FOREIGN, f"apples {FOREIGN}", *TEXTS], max_df=1.0)
    chosen = select_page_documents(model.tree_, model.topics_, corpus, None)
    known = [False, False, *[True] * len(TEXTS)]
    assert model.knows(corpus).tolist() == (np.diff(chosen.shares.indptr) > 0).tolist() == known


def test_topics_count_no_unknown_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    mixed = [*TEXTS, *[f"apples and pears {FOREIGN * 4}"] * 3, "", "apples"]
    options = TextOptions(min_df=4, max_df=1.0, count_repeats=True)
    model = HLTA(samples=1, text=options).fit(mixed)
    assert np.flatnonzero(~model.knows(mixed)).tolist() == [30, 31, 32, 33]
    assert not model.transform(mixed[30:33]).any()
    assert (model.transform(mixed[30:33], kind="probability") > 0.5).any()

    def check_counts(expected: NDArray[np.int64]) -> None:
        assert [topic.documents for topic in model.topics_] == expected.tolist()

    on = (model.transform(mixed) >= 0.2).sum(axis=0)
    check_counts(on)
    assert sum(topic.size for topic in model.topics_) == pytest.approx(31 / 35)
    monkeypatch.setattr("hlta.documents.matrix.PRESENCES_AT_ONCE", 20)
    model.edit.recount(mixed)
    check_counts(on)
    model.partial_fit(mixed)
    check_counts(on + (model.transform(mixed) >= 0.2).sum(axis=0))
