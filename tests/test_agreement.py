"""Agreement of topics with classes, and the main topic of a document."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import f1_score

from hlta import HLTA, DocumentsError
from hlta.evaluate import agreement
from hlta.topics.memberships import main_topics
from tests.synthetic import planted


def told(p: float, size: float) -> float:
    """Relative entropy, if the topic is likelier than usual."""
    if p <= size:
        return 0.0
    rest = 0.0 if p == 1.0 else (1 - p) * np.log((1 - p) / (1 - size))
    return float(p * np.log(p / size) + rest)


def test_the_main_topic_says_most_about_the_document() -> None:
    rng = np.random.default_rng(0)
    p, size = rng.random((200, 6)), rng.random(6)
    p[:5] = size * 0.9
    p[5, 3] = 1.0
    for row, found in zip(p, main_topics(p, size), strict=True):
        says = [told(value, prior) for value, prior in zip(row, size, strict=True)]
        assert found == (-1 if max(says) == 0 else int(np.argmax(says)))


def test_a_specific_topic_says_more_than_a_broad_one() -> None:
    assert main_topics(np.array([[0.99, 0.9]]), np.array([0.6, 0.05])).tolist() == [1]


def test_topics_that_are_the_classes_agree_fully() -> None:
    classes = np.repeat(["b", "a", "c"], [5, 9, 4])
    p = (classes[:, None] == np.array(["a", "b", "c", "d"])) * 0.9 + 0.01
    found = agreement(p, classes)
    assert (found.nmi, found.purity, found.f1, found.average_precision) == (1.0, 1.0, 1.0, 1.0)
    assert list(found.by_class) == ["a", "b", "c"]
    assert found.by_class["b"].f1_topic == found.by_class["b"].average_precision_topic == 1
    assert found.by_class["a"].documents == 9


def test_figures_are_those_of_their_definitions() -> None:
    rng = np.random.default_rng(1)
    p, classes = rng.random((120, 5)) ** 3, rng.integers(0, 4, 120)
    found, main = agreement(p, classes.tolist()), main_topics(p, p.mean(axis=0))
    for kind in range(4):
        best = max(f1_score(classes == kind, main == topic) for topic in range(5))
        assert found.by_class[str(kind)].f1 == pytest.approx(best)
    largest = [np.bincount(classes[main == topic]).max() for topic in range(-1, 5) if topic in main]
    assert found.purity == pytest.approx(sum(largest) / 120)
    assert agreement(sparse.csr_array(p), classes.tolist()) == found


def test_documents_without_a_class_are_left_out() -> None:
    p = np.array([[0.9, 0.1], [0.1, 0.9], [0.9, 0.9], [0.5, 0.4]])
    found = agreement(p, ["a", "b", None, ""])
    assert found == agreement(p[:2], ["a", "b"])


@pytest.mark.parametrize(
    ("classes", "message"),
    [
        (["a"], "classes has 1 entries for 2 documents; give one per document"),
        ([None, ""], "no document has a class"),
    ],
)
def test_odd_classes_are_refused(classes: list[str | None], message: str) -> None:
    with pytest.raises(DocumentsError, match=message):
        agreement([[0.5, 0.2], [0.1, 0.3]], classes)


def test_a_model_predicts_the_main_topic() -> None:
    X = planted(90, 2).sample(900, seed=2)
    model = HLTA(samples=5, em_steps=5).fit(X)
    for topics in (model.topics_.roots, model.topics_.cut(8), model.topics_.level(1)):
        p = model.transform(X, topics=topics)
        size = np.array([topic.size for topic in topics])
        np.testing.assert_array_equal(model.predict(X, topics=topics), main_topics(p, size))
    np.testing.assert_array_equal(model.predict(X), model.predict(X, topics=model.topics_.roots))
    nothing = np.zeros((1, 90), dtype=int)
    assert model.predict(nothing).tolist() == [-1]
