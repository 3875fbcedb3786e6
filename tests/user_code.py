"""What a user may write, as strict type checkers see it; it is checked with the tests and never run."""

from typing import assert_type

import numpy as np
from numpy.typing import NDArray

from hlta import (
    HLTA,
    Corpus,
    EMResult,
    LatentTree,
    Monitor,
    TextOptions,
    Topic,
    TopicTree,
    batch_em,
    load,
    read_corpus,
    stepwise_em,
)


class Printing(Monitor):
    def begin(self, name: str, total: int | None) -> None:
        self.stages = [name, total]


def fit(path: str) -> HLTA:
    corpus = read_corpus(path, ngrams=2, stop_words="english", date="year", min_df=2)
    train, test = corpus.split(0.2)
    assert_type(train, Corpus)
    model = HLTA(em="batch", progress=Printing(), random_state=1).fit(train)
    assert_type(model, HLTA)
    assert_type(model.score(test), float)
    assert_type(model.transform(test), NDArray[np.float64])
    assert_type(model.topics_, TopicTree)
    model.save("model.hlta")
    return model


def texts() -> Corpus:
    corpus = Corpus.from_texts(["a text", "another"], titles=["one", "two"], n_words=100)
    assert_type(Corpus.from_frame(object(), text="body", date="year", ngrams=2), Corpus)
    HLTA(text=TextOptions(ngrams=2)).fit(["a text", "another"])
    return corpus.take([0])


def topics(model: HLTA, corpus: Corpus) -> list[str]:
    model.topics_.to_html("topics.html", corpus=corpus, title="Topics")
    model.topics_.to_json("topics.json")
    largest = model.topics_.roots[0]
    assert_type(largest, Topic)
    assert_type(largest.keywords[0].word, str)
    return [topic.id for topic in model.topics_ if topic.size > 0.1]


def trees() -> LatentTree:
    tree = LatentTree(("a", "b", "c"), [3, 3, 3, -1], [0, 0, 0, 1], [[0.2, 0.7]] * 3 + [[0.5, 0.5]])
    X = tree.sample(100, seed=0)
    assert_type(tree.log_likelihood(X), NDArray[np.float64])
    result = batch_em(tree, X, steps=5)
    assert_type(result, EMResult)
    return stepwise_em(result.tree, np.ones((3, 3)), updates=2).tree


def loaded(path: str) -> LatentTree:
    saved = load(path)
    if isinstance(saved, LatentTree):
        return saved
    if isinstance(saved, Corpus):
        return LatentTree.load(path)
    assert_type(saved, HLTA)
    return saved.tree_
