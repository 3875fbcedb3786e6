"""`set_output`: data frames whose columns are named, for any topics."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.base import clone

from hlta import HLTA

TEXTS = ["deep neural networks", "dark matter in galaxies", "apples and pears"] * 20
FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame}


@pytest.fixture(scope="module")
def model() -> HLTA:
    return HLTA(samples=1).fit(TEXTS)


def columns_of(frame: Any) -> list[str]:
    return list(frame.columns)


@pytest.mark.parametrize("container", FRAMES)
def test_columns_have_the_ids_of_the_topics_that_are_given(model: HLTA, container: str) -> None:
    chosen = [model.topics_.roots[k] for k in (2, 0)]
    framed = copy(model).set_output(transform=container)
    for topics in (None, chosen, chosen[:1]):
        found = framed.transform(TEXTS[:4], topics=topics)
        assert isinstance(found, FRAMES[container])
        assert columns_of(found) == [t.id for t in (model.topics_ if topics is None else topics)]
        np.testing.assert_array_equal(found, model.transform(TEXTS[:4], topics=topics))


def test_rows_keep_their_index() -> None:
    data = np.repeat([[1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]], 20, axis=0)
    rows = pd.DataFrame(data, columns=list("abcdef"), index=[f"row {k}" for k in range(40)])
    framed = HLTA(samples=1, lowest_level=1).fit(rows).set_output(transform="pandas")
    for topics in (None, framed.topics_.roots[:1]):
        assert framed.transform(rows, topics=topics).index.tolist() == rows.index.tolist()


def test_the_container_is_also_that_of_scikit_learn_and_of_a_clone(model: HLTA) -> None:
    first = model.topics_.roots[:1]
    assert isinstance(model.transform(TEXTS), np.ndarray)
    with sklearn.config_context(transform_output="polars"):
        assert columns_of(model.transform(TEXTS, topics=first)) == [first[0].id]
    framed = clone(copy(model).set_output(transform="polars")).fit_transform(TEXTS)
    assert columns_of(framed) == model.get_feature_names_out().tolist()
    back = copy(model).set_output(transform="pandas").set_output(transform="default")
    assert isinstance(back.transform(TEXTS, topics=first), np.ndarray)
