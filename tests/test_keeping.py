"""What is computed for serving, the key that it goes by, and copies that are folded."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hlta import Corpus, TopicTree
from hlta.documents.given_matrices import as_documents
from hlta.explorer.serve.copies import _ENOUGH, SAME, fold_copies, with_any_copy
from hlta.explorer.serve.keeping import key_of
from tests.examples import HIERARCHY

TOPICS = TopicTree.from_tree(HIERARCHY, lowest_level=1)
X = np.random.default_rng(0).random((40, 8)) < 0.4


def corpus_of(matrix: object = X, **known: Any) -> Corpus:
    return Corpus(matrix, HIERARCHY.words, titles=[f"title {k}" for k in range(40)], **known)


def test_a_key_is_of_one_model_and_one_corpus() -> None:
    key = key_of(HIERARCHY, TOPICS, corpus_of(), None)
    assert key == key_of(HIERARCHY, TOPICS, corpus_of(), None)
    changed = X.copy()
    changed[3, 2] ^= True
    about: list[dict[str, Any]] = [{"groups": ["a"] * 40}, {"dates": ["a"] * 40}]
    about += [{"fields": {name: ["a"] * 40}} for name in ("kind", "year")]
    others = [corpus_of(changed), *(corpus_of(**known) for known in about)]
    keys = {
        key,
        key_of(HIERARCHY, TopicTree.from_tree(HIERARCHY, lowest_level=2), corpus_of(), None),
        key_of(HIERARCHY, TOPICS, corpus_of(), 5),
        *(key_of(HIERARCHY, TOPICS, corpus, None) for corpus in others),
    }
    assert len(keys) == 8


WORDS = 16


def same(a: np.ndarray, b: np.ndarray) -> bool:
    enough = min(a.sum(), b.sum()) >= _ENOUGH
    return bool(enough and (a & b).sum() / max(1, (a | b).sum()) >= SAME)


def assert_folded(X: np.ndarray, rows: np.ndarray) -> None:
    """Each document is an entry, or a copy of an entry before it, if it is like one."""
    entries = fold_copies(rows, as_documents(X))
    assert sorted([*entries.rows, *entries.copies]) == list(range(len(X)))
    place = {row: k for k, row in enumerate(rows.tolist())}
    for row in entries.rows.tolist():
        for copy in entries.copies_of(row).tolist():
            assert same(X[row], X[copy])
            assert place[row] < place[copy]
    for row in entries.rows.tolist():  # none is a copy of one before it
        before = [other for other in entries.rows.tolist() if place[other] < place[row]]
        assert not any(same(X[other], X[row]) for other in before)
    assert [place[row] for row in entries.rows] == sorted(place[row] for row in entries.rows)


@given(
    st.lists(st.integers(2**12 - 1, 2**WORDS - 1), min_size=1, max_size=30),
    st.lists(st.integers(0, WORDS - 1), max_size=30),
    st.randoms(use_true_random=False),
)
def test_copies_are_as_of_all_pairs(numbers: list[int], changed: list[int], random: object) -> None:
    # Some documents again, with a word more or less.
    numbers = numbers + [n ^ (1 << word) for n, word in zip(numbers, changed, strict=False)]
    X = np.array([[number >> k & 1 for k in range(WORDS)] for number in numbers], dtype=bool)
    rows = np.array(random.sample(range(len(X)), len(X)))  # type: ignore[attr-defined]
    assert_folded(X, rows)


def test_documents_with_any_copy_are_those_of_all_pairs() -> None:
    """Also the last of a chain, which is no copy of the first."""
    rng = np.random.default_rng(3)
    X = rng.random((40, 60)) < 0.3
    chain = [X[0]]
    for _ in range(6):
        chain.append(chain[-1].copy())
        chain[-1][rng.choice(60, 2, replace=False)] ^= True
    X = rng.permutation(np.vstack((X, X[5:9], chain)))
    any_copy = [any(same(a, b) for k, b in enumerate(X) if k != j) for j, a in enumerate(X)]
    assert with_any_copy(as_documents(X)).tolist() == any_copy
    assert 8 <= sum(any_copy) < len(X)


def test_long_documents_fold_as_all_pairs_do() -> None:
    rng = np.random.default_rng(0)
    X = rng.random((60, 300)) < rng.uniform(0.02, 0.4, 300)
    flipped = rng.random((240, 300)) < rng.choice([0, 0.01, 0.03], (240, 1))
    X = rng.permutation(np.vstack((X, np.repeat(X, 4, axis=0) ^ flipped)))
    rows = np.arange(len(X))
    assert_folded(X, rows)
    assert len(fold_copies(rows, as_documents(X)).copies) > 50
