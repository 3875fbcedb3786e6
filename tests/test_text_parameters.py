"""`HLTA(text=...)`: options of texts, in scikit-learn's searches and in files."""

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline

from hlta import HLTA, Corpus, OptionError, TextOptions
from tests.synthetic import planted

TEXTS: Final = ["deep neural networks", "dark matter galaxies", "apples and pears"] * 10
PHRASES: Final = TextOptions(ngrams=2, min_df=2, stop_words=None)


def quick(**options: Any) -> HLTA:
    return HLTA(samples=1, em_steps=2, **options)


def test_texts_are_read_as_text_says() -> None:
    model = quick(text=PHRASES).fit(TEXTS)
    assert model.text_options_ == replace(PHRASES, languages=("english",))
    corpus = Corpus.from_texts(TEXTS, ngrams=2, min_df=2, stop_words=None)
    assert model.tree_.words == corpus.words
    assert any("-" in word for word in model.tree_.words)
    assert model.tree_ == quick().fit(corpus).tree_
    assert quick().fit(TEXTS).text_options_ == TextOptions(languages=("english",))  # the usual ones


def test_they_are_refused_where_words_are_known_already_and_anything_else_always() -> None:
    given: Any
    for given, what in (
        (planted(20, 0).sample(50), "matrix"),
        (Corpus.from_texts(TEXTS), "Corpus"),
    ):
        with pytest.raises(
            OptionError, match=f"X is a {what}, which holds words already; leave text"
        ):
            quick(text=TextOptions()).fit(given)
    odd: list[Any] = [{"ngrams": 2}, 2, "english"]
    for text in odd:
        with pytest.raises(OptionError, match=r"text=.*: use hlta\.TextOptions"):
            HLTA(text=text).fit(TEXTS)


def test_a_search_tries_options_of_texts_and_of_the_model() -> None:
    pipeline = Pipeline([("topics", quick()), ("classify", LogisticRegression())])
    options = [TextOptions(n_words=2), TextOptions(n_words=20)]
    grid = {"topics__text": options, "topics__max_island_size": [4, 15]}
    texts = [*TEXTS[:3], "hockey team puck", "river bank flood"] * 10
    found = GridSearchCV(pipeline, grid, cv=2).fit(texts, [0, 1, 2, 3, 4] * 10)
    assert len(found.cv_results_["params"]) == 4
    # Two words cannot tell five classes apart.
    assert found.best_params_["topics__text"] == options[1]
    read = found.best_estimator_["topics"].text_options_
    assert read == TextOptions(n_words=20, languages=("english",))
    assert found.best_score_ == 1.0


def test_they_are_kept_in_files_but_for_a_tokenizer_of_ones_own(tmp_path: Path) -> None:
    text = TextOptions(ngrams=2, stop_words=["and"], include=("apples",))
    model = quick(text=text).fit(TEXTS)
    model.save(tmp_path / "model.hlta")
    again = HLTA.load(tmp_path / "model.hlta")
    assert again.get_params() == model.get_params()
    assert again.text_options_ == replace(text, languages=("english",))
    np.testing.assert_array_equal(again.transform(TEXTS[:3]), model.transform(TEXTS[:3]))
    own = quick(text=TextOptions(tokenizer=str.split)).fit(TEXTS)
    with pytest.raises(OptionError, match="drop the options of text"):
        own.save(tmp_path / "model.hlta")
    own.text_options_ = None
    own.save(tmp_path / "model.hlta")
    assert HLTA.load(tmp_path / "model.hlta").text is None
