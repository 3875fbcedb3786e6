"""Agreement of topics with classes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import f1_score

from hlta import DocumentsError
from hlta.evaluate import agreement
from hlta.evaluate.agreement import most_raised


def told(p: float, size: float) -> float:
    """Relative entropy, if the topic is likelier than usual."""
    if p <= size:
        return 0.0
    rest = 0.0 if p == 1.0 else (1 - p) * np.log((1 - p) / (1 - size))
    return float(p * np.log(p / size) + rest)


def test_the_topic_of_which_most_is_learned() -> None:
    rng = np.random.default_rng(0)
    p, size = rng.random((200, 6)), rng.random(6)
    p[:5] = size * 0.9
    p[5, 3] = 1.0
    for row, found in zip(p, most_raised(p, size), strict=True):
        says = [told(value, prior) for value, prior in zip(row, size, strict=True)]
        assert found == (-1 if max(says) == 0 else int(np.argmax(says)))


def test_figures_are_those_of_their_definitions() -> None:
    rng = np.random.default_rng(1)
    p, classes = rng.random((120, 5)) ** 3, rng.integers(0, 4, 120)
    found, main = agreement(p, classes.tolist()), most_raised(p, p.mean(axis=0))
    assert list(found.by_class) == ["0", "1", "2", "3"]
    assert found.by_class["0"].documents == (classes == 0).sum()
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


def test_main_topics_can_be_given() -> None:
    rng = np.random.default_rng(2)
    p, classes, main = rng.random((80, 3)), rng.integers(0, 2, 80).tolist(), rng.integers(-1, 3, 80)
    found = agreement(p, classes, main=main.tolist())
    is_class = np.array(classes) == 1
    assert found.by_class["1"].f1 == pytest.approx(
        max(f1_score(is_class, main == k) for k in range(3))
    )
    assert (
        found.by_class["1"].average_precision
        == agreement(p, classes).by_class["1"].average_precision
    )
    taken = most_raised(p, p.mean(axis=0))
    assert agreement(p, classes, main=taken) == agreement(p, classes)
    some = [kind if k % 2 else None for k, kind in enumerate(classes)]
    assert agreement(p, some, main=main) == agreement(p[1::2], classes[1::2], main=main[1::2])


@pytest.mark.parametrize(
    ("classes", "main", "message"),
    [
        (["a", "b"], [0], "main has 1 entries for 2 documents"),
        (["a", "b"], [0, 2], "main must hold positions of the 2 topics"),
        (["a", "b"], [-2, 0], "main must hold positions of the 2 topics"),
        (["a", "b"], [0.5, 0.0], "main must hold positions of the 2 topics"),
        (["a"], None, "classes has 1 entries for 2 documents"),
        ([None, ""], None, "no document has a class"),
    ],
)
def test_odd_classes_and_main_topics_are_refused(
    classes: list[str | None], main: list[int] | None, message: str
) -> None:
    with pytest.raises(DocumentsError, match=message):
        agreement([[0.5, 0.2], [0.1, 0.3]], classes, main=main)
