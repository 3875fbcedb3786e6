"""What is computed for serving, and the key that it goes by."""

from __future__ import annotations

from typing import Any

import numpy as np

from hlta import Corpus, Monitor, TopicTree
from hlta.explorer.serve.keeping import key_of, make
from tests.examples import HIERARCHY

TOPICS = TopicTree.from_tree(HIERARCHY, lowest_level=1)
X = np.random.default_rng(0).random((40, 8)) < 0.4


def corpus_of(matrix: object = X, **known: Any) -> Corpus:
    return Corpus(matrix, HIERARCHY.words, titles=[f"title {k}" for k in range(40)], **known)


def test_distinct_dates_and_groups_are_numbered() -> None:
    corpus = corpus_of(groups=["b", "", "a", "b"] * 10)
    arrays = make(HIERARCHY, TOPICS, corpus, 30, Monitor()).arrays
    assert arrays["groups"].tobytes() == b"ab"
    assert arrays["groups.ends"].tolist() == [0, 1, 2]
    assert arrays["groups.number"].tolist() == [2, 0, 1, 2] * 10
    assert arrays["dates.number"].tolist() == [0] * 40


def test_a_key_is_of_one_model_and_one_corpus() -> None:
    key = key_of(HIERARCHY, TOPICS, corpus_of(), None)
    assert key == key_of(HIERARCHY, TOPICS, corpus_of(), None)
    other = TopicTree.from_tree(HIERARCHY, lowest_level=2)
    changed = X.copy()
    changed[3, 2] ^= True
    keys = {
        key,
        key_of(HIERARCHY, other, corpus_of(), None),
        key_of(HIERARCHY, TOPICS, corpus_of(), 5),
        key_of(HIERARCHY, TOPICS, corpus_of(changed), None),
        key_of(HIERARCHY, TOPICS, corpus_of(groups=["a"] * 40), None),
        key_of(HIERARCHY, TOPICS, corpus_of(dates=["a"] * 40), None),
    }
    assert len(keys) == 6
