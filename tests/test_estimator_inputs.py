"""Documents in every form that `HLTA` takes, odd ones too, what it refuses, and frames that it gives."""

from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import clone

from hlta import HLTA, Corpus, DocumentsError
from hlta.documents.given_matrices import as_documents
from tests.scanning import THEMES
from tests.synthetic import planted
from tests.there import there

WORDS: Final = [f"word{k}" for k in range(30)]
X: Final = planted(30, 0).sample(400, seed=0)
TEXTS: Final = [f"{a} team" for a in ("space nasa orbit", "hockey game puck", "nasa orbit")] * 9


@pytest.fixture(scope="module")
def model() -> HLTA:
    return learn(X, words=WORDS)


def learn(X: Any, **given: Any) -> HLTA:
    return HLTA(samples=3, em_steps=2).fit(X, **given)


@pytest.fixture(scope="module")
def model_of_texts() -> HLTA:
    return learn(TEXTS)


def frame(matrix: Any) -> Any:
    """A data frame of pandas, whose columns are w0, w1, ..."""
    return pd.DataFrame(matrix, columns=names(matrix))


def names(matrix: Any) -> list[str]:
    return [f"w{k}" for k in range(matrix.shape[1])]


MATRICES: Final[dict[str, Callable[[NDArray[Any]], Any]]] = {
    "of numbers": lambda matrix: 3.0 * matrix,
    "CSC": sparse.csc_array,
    "Documents": as_documents,
}
FORMS: Final = MATRICES | {"frame": frame, "Corpus": lambda matrix: Corpus(matrix, names(matrix))}


@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
def test_tf_idf_is_told_of_once_and_counts_as_presence(model: HLTA, form: Any) -> None:
    weighted = form(0.37 * X.toarray())
    with pytest.warns(UserWarning, match="not whole, such as those of TF-IDF") as shown:
        found = learn(weighted, words=WORDS)
    assert len(shown) == 1
    assert shown[0].filename == __file__
    assert found.tree_ == model.tree_
    found.transform(weighted)  # which does not say it again


@pytest.mark.parametrize("form", MATRICES)
def test_every_form_of_a_matrix_gives_the_same_model_and_topics(model: HLTA, form: str) -> None:
    given = MATRICES[form](X.toarray())
    assert learn(given, words=WORDS).tree_ == model.tree_
    for ask in (model.transform, model.score_samples):
        np.testing.assert_array_equal(ask(given), ask(X))


def test_columns_have_the_names_that_are_known_or_are_numbered(model: HLTA) -> None:
    assert model.tree_.words == tuple(WORDS)
    assert learn(Corpus(X, WORDS)).tree_ == model.tree_
    assert learn(frame(X.toarray())).tree_.words[3] == "w3"
    for given in (X, as_documents(X)):
        assert learn(given).tree_.words[:2] == ("x0", "x1")
    turned = Corpus(X[:, ::-1], WORDS[::-1])  # in another order
    np.testing.assert_array_equal(model.transform(turned), model.transform(X))


@pytest.mark.parametrize("column", [np.array, iter, tuple, pd.Series, pl.Series])
def test_texts_may_be_any_column_of_strings(model_of_texts: HLTA, column: Any) -> None:
    expected = model_of_texts.transform(TEXTS)
    np.testing.assert_array_equal(model_of_texts.transform(column(TEXTS)), expected)
    again = learn(column(TEXTS))
    np.testing.assert_array_equal(again.transform(TEXTS), expected)


@pytest.mark.parametrize("tuples", [False, True])
def test_lists_of_words_are_documents(tmp_path: Path, *, tuples: bool) -> None:
    lists: list[Any] = [[*text.split(), "3d", "black hole"] for text in TEXTS]
    lists = [tuple(words) for words in lists] if tuples else lists
    model = learn(lists)
    assert there(model.text_options_).tokenizer == "whitespace"
    assert {"hockey", "nasa", "orbit"} <= set(model.tree_.words)
    model.save(tmp_path / "a.hlta")
    again = HLTA.load(tmp_path / "a.hlta")
    shares, texts = model.transform(lists), [f"{text} 3d black_hole" for text in TEXTS]
    np.testing.assert_array_equal(again.transform(lists), shares)
    np.testing.assert_array_equal(again.transform(texts), shares)
    assert list(Corpus.from_texts(lists, min_df=1).texts or ()) == texts
    corpus = Corpus.from_texts(lists, tokenizer=None)
    assert there(corpus.text_options).tokenizer is None  # what is given is kept


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ((1, 3), r"2 documents are required, not 1; give more|1 sample\(s\)"),
        ((3, 1), r"2 words are required, not 1; give more|1 feature\(s\)"),
    ],
)
def test_one_document_or_word_is_refused(form: str, shape: tuple[int, int], message: str) -> None:
    with pytest.raises(DocumentsError, match=message):
        HLTA().fit(FORMS[form](np.ones(shape, dtype=int)))


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["one text of several words"], "at least 2 documents are required, not 1; give more"),
        (["comets", "comets"], "1 of 1 words are left"),
        (["so it is", "or is it"], "0 of 0 words are left"),
    ],
)
def test_texts_of_one_document_or_word_are_refused(texts: list[str], message: str) -> None:
    for given in (texts, iter(texts), np.array(texts)):
        with pytest.raises(DocumentsError, match=message):
            HLTA().fit(given)


@pytest.mark.parametrize(
    ("given", "words", "message"),
    [
        (np.ones((0, 10)), None, "0 sample"),
        ([], None, "X is empty"),
        (-np.ones((5, 5)), None, "Negative values"),
        (np.full((5, 5), np.nan), None, "NaN"),
        (np.ones(5), None, "1D array"),
        ("some raw text", None, "a single string"),
        *((given, ["a", "b", "c"], "3 entries for 30 columns") for given in (X, as_documents(X))),
        (Corpus(X, WORDS), WORDS, "a Corpus names its words itself; leave it out"),
        (TEXTS, WORDS, "texts bring theirs; leave it out"),
    ],
)
def test_hopeless_data_and_words_that_do_not_fit_are_refused(
    given: Any, words: list[str] | None, message: str
) -> None:
    with pytest.raises(DocumentsError, match=message):
        HLTA().fit(given, words=words)


def odd_data() -> dict[str, NDArray[np.int64]]:
    rng = np.random.default_rng(0)
    noise = (rng.random((60, 25)) < 0.5).astype(int)
    constant = noise.copy()
    constant[:, :5], constant[:, 5:9] = 1, 0
    empty = noise.copy()
    empty[::2] = 0
    return {
        "constant columns": constant,
        "all constant": np.ones((20, 8), dtype=int),
        "nothing present": np.zeros((20, 8), dtype=int),
        "empty documents": empty,
        "identical documents": np.tile(noise[0], (30, 1)),
        "two words": noise[:, :2],
        "three words": noise[:, :3],
        "four words": noise[:, :4],
        "two documents": noise[:2],
        "duplicated columns": np.tile(noise[:, :6], 3),
        "no structure": (rng.random((500, 60)) < 0.5).astype(int),
        "more words than documents": (rng.random((10, 300)) < 0.1).astype(int),
        "complements": np.concatenate((noise[:, :5], 1 - noise[:, :5]), axis=1),
    }


DATA: Final = odd_data()


@pytest.mark.parametrize(
    ("name", "em"),
    [
        *((name, "batch") for name in DATA),
        *((name, "stepwise") for name in ("constant columns", "nothing present", "two documents")),
    ],
)
def test_the_model_is_one_of_topics_and_no_worse_than_independent_words(name: str, em: str) -> None:
    X = DATA[name]
    model = HLTA(em=em, em_updates=20, batch_size=10, max_top_topics=2).fit(X)
    posteriors = model.transform(X)
    assert ((posteriors >= 0.0) & (posteriors <= 1.0)).all()  # which NaN is not
    tree, topics = model.tree_, model.topics_
    assert min(len(tree.children[v]) for v in range(tree.n_words, tree.n_nodes)) >= 2
    assert len(str(topics).splitlines()) >= 1
    assert len(topics.to_text(whole=True).splitlines()) == len(topics)
    p = np.clip(X.mean(axis=0), 1e-3, 1 - 1e-3)
    independent = (X * np.log(p) + (1 - X) * np.log(1 - p)).sum(axis=1).mean()
    assert np.isfinite(model.score_samples(X)).all()
    assert model.score(X) >= independent - 0.1 * abs(independent) - 0.1


FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame}


def columns_of(frame: Any) -> list[str]:
    return list(frame.columns)


@pytest.mark.parametrize("container", FRAMES)
def test_columns_have_the_ids_of_the_topics_that_are_given(of_themes: HLTA, container: str) -> None:
    chosen = [of_themes.topics_.roots[k] for k in (2, 0)]
    framed = copy(of_themes).set_output(transform=container)
    for topics in (None, chosen, chosen[:1]):
        found = framed.transform(THEMES[:4], topics=topics)
        assert isinstance(found, FRAMES[container])
        asked = of_themes.topics_ if topics is None else topics
        assert columns_of(found) == [topic.id for topic in asked]
        np.testing.assert_array_equal(found, of_themes.transform(THEMES[:4], topics=topics))


def test_rows_keep_their_index() -> None:
    data = np.repeat([[1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]], 20, axis=0)
    rows = pd.DataFrame(data, columns=list("abcdef"), index=[f"row {k}" for k in range(40)])
    framed = HLTA(samples=1, lowest_level=1).fit(rows).set_output(transform="pandas")
    for topics in (None, framed.topics_.roots[:1]):
        assert framed.transform(rows, topics=topics).index.tolist() == rows.index.tolist()


def test_the_container_is_also_that_of_scikit_learn_and_of_a_clone(of_themes: HLTA) -> None:
    first = of_themes.topics_.roots[:1]
    assert isinstance(of_themes.transform(THEMES), np.ndarray)
    with sklearn.config_context(transform_output="polars"):
        assert columns_of(of_themes.transform(THEMES, topics=first)) == [first[0].id]
    framed = clone(copy(of_themes).set_output(transform="polars")).fit_transform(THEMES)
    assert columns_of(framed) == of_themes.get_feature_names_out().tolist()
    back = copy(of_themes).set_output(transform="pandas").set_output(transform="default")
    assert isinstance(back.transform(THEMES, topics=first), np.ndarray)


def test_lists_within_documents_are_refused() -> None:
    deep = ["deep", "neural"]
    documents: list[Any]
    for documents in ([[deep], [["dark"]]] * 30, [[deep], [deep]] * 30, [[1, [2]], [3, 4]]):
        with pytest.raises(
            DocumentsError, match="X holds lists within its documents; give one text"
        ):
            HLTA().fit(documents)
        with pytest.raises(
            DocumentsError, match="documents holds lists within its documents; give"
        ):
            as_documents(documents)


def test_columns_of_a_frame_have_the_number_and_the_order_of_the_words(model: HLTA) -> None:
    named = pd.DataFrame(X.toarray(), columns=WORDS)
    np.testing.assert_array_equal(model.transform(named), model.transform(X))  # without a warning
    for ask in (model.transform, copy(model).partial_fit):
        with pytest.raises(DocumentsError, match="same order"):
            ask(named[WORDS[::-1]])
    for given in (X[:, :20], as_documents(X[:, :20])):
        with pytest.raises(DocumentsError, match="30"):
            model.transform(given)
