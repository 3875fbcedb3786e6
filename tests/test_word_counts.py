"""The words of topics, counted in documents, against EM with dense arrays."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.special import softmax

from hlta import HLTA
from hlta._kernels.mixture import count_topics
from hlta.documents.matrix import as_documents
from hlta.topics import word_counts as module
from hlta.topics.shares import evidence_for
from hlta.topics.word_counts import ARRAYS, WordCounts, count_words, words_of_topics
from hlta.tree.given_on import words_given_on
from hlta.tree.marginals import mutual_information, word_marginals
from hlta.tree.reshaping import topic_above
from tests.examples import FLAT, HIERARCHY
from tests.synthetic import planted

if TYPE_CHECKING:
    from collections.abc import Callable

    from hlta import LatentTree
    from tests.oracles import Floats

TREE = planted(90, 1)
DOCUMENTS = as_documents(TREE.sample(500, seed=1))
COUNTS = count_words(TREE, DOCUMENTS)
SHAPE = TREE.n_latents, TREE.n_words


def most_specific(tree: LatentTree, lowest: int) -> list[int]:
    """The latent variables from a level on, counted from 0, that are above no other of these."""
    every = range(tree.n_words, tree.n_nodes)
    above = {topic_above(tree, v) for v in every if tree.level[v] >= lowest}
    return [v - tree.n_words for v in every if tree.level[v] >= lowest and v not in above]


def expected_words(tree: LatentTree, latents: list[int]) -> Floats:
    """Of the words of documents on each topic, how many are each word, by the tree."""
    given = words_given_on(tree, np.array(latents))
    return np.asarray(given / given.sum(axis=1, keepdims=True))


def e_step(X: Floats, words: Floats, number: Floats, added: Floats) -> tuple[Floats, Floats]:
    """The words and documents of each topic: of a mixture with those counted before."""
    counted, number = words + added, number + 1.0
    evidence = np.log(counted / counted.sum(axis=1, keepdims=True)).T
    given = softmax(X @ evidence + np.log(number / number.sum()), axis=1)
    given[given < 1e-6] = 0.0
    return given.T @ X, given.sum(axis=0)


def counted_by_em(tree: LatentTree, X: Floats, latents: list[int]) -> tuple[Floats, Floats]:
    """Ten steps, in which the tree goes on counting as three times a mean topic's documents."""
    added = 3.0 * max(1.0, len(X) / len(latents)) * X.sum() / len(X) * expected_words(tree, latents)
    size = tree.marginals[tree.n_words + np.array(latents)]
    words, number = np.zeros_like(added), len(X) * size / size.sum()
    for _ in range(10):
        words, number = e_step(X, words, number, added)
    return words, number


# ---- the kernel ------------------------------------------------------------------------------------


@given(st.integers(0, 2**16), st.integers(1, 8), st.integers(1, 6))
def test_the_kernel_adds_up_what_dense_arrays_give(seed: int, count: int, topics: int) -> None:
    rng = np.random.default_rng(seed)
    X = (rng.random((count, 12)) < 0.4).astype(int)
    documents = as_documents(csr_array(X))
    evidence, prior = 3.0 * rng.normal(size=(12, topics)), rng.normal(size=topics)
    seen, number = rng.random((12, topics)), rng.random(topics)  # to which is added
    given = softmax(X @ evidence + prior, axis=1)
    given[given < 1e-6] = 0.0
    expected = seen + X.T @ given, number + given.sum(axis=0)
    count_topics(documents.rows, evidence, prior, np.empty(topics), seen, number)
    np.testing.assert_allclose(seen, expected[0], rtol=1e-9)
    np.testing.assert_allclose(number, expected[1], rtol=1e-9)


def test_evidence_may_be_as_large_as_documents_make_it() -> None:
    documents = as_documents(np.ones((3, 500), dtype=int))
    evidence = np.zeros((500, 2))
    evidence[:, 0] = -9.0
    seen, number = np.zeros((500, 2)), np.zeros(2)
    count_topics(documents.rows, evidence, np.zeros(2), np.empty(2), seen, number)
    assert number.tolist() == [0.0, 3.0]
    assert seen.tolist() == [[0.0, 3.0]] * 500


# ---- counting --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tree", "lowest"), [(TREE, 2), (planted(40, 3), 2), (HIERARCHY, 2), (FLAT, 1)]
)
def test_words_are_counted_as_by_dense_em(tree: LatentTree, lowest: int) -> None:
    X = tree.sample(500, seed=1).toarray().astype(float)
    latents = most_specific(tree, lowest)
    words, number = counted_by_em(tree, X, latents)
    found = count_words(tree, as_documents(csr_array(X)))
    np.testing.assert_array_equal(found.own[latents].toarray(), np.rint(words.round(6)))
    np.testing.assert_allclose(found.documents[latents], number, atol=1e-3)
    assert found.length == pytest.approx(X.sum() / len(X))
    others = np.setdiff1d(np.arange(tree.n_latents), latents)
    assert not found.own[others].nnz
    assert not found.documents[others].any()
    assert found.own.dtype == np.float32
    assert found.own.shape == (tree.n_latents, tree.n_words)


def test_with_too_many_topics_those_of_a_higher_level_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tree = planted(300, 1)
    documents = as_documents(tree.sample(200, seed=1))
    top = int(tree.level.max())
    assert top > 3
    for lowest, most in ((3, len(most_specific(tree, 3)) * 300), (top, 0)):
        monkeypatch.setattr(module, "_MOST_NUMBERS", most)
        found = count_words(tree, documents)
        assert np.flatnonzero(found.documents).tolist() == most_specific(tree, lowest)


def test_threads_and_shards_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_GRAIN", 400)
    one, three = (count_words(TREE, DOCUMENTS, n_jobs=jobs) for jobs in (1, 3))
    assert (one.own != three.own).nnz == 0
    np.testing.assert_array_equal(one.documents, three.documents)
    assert (one.own != COUNTS.own).nnz == 0  # rounded, the sums are the same


def test_the_order_of_documents_and_words_changes_nothing() -> None:
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(len(DOCUMENTS)), rng.permutation(TREE.n_words)
    tree = TREE.with_words([TREE.words[k] for k in columns])
    other = count_words(tree, as_documents(DOCUMENTS.to_csr()[rows][:, columns]))
    assert (other.own != COUNTS.own[:, columns]).nnz == 0
    np.testing.assert_array_equal(other.documents, COUNTS.documents)


def test_few_documents_can_be_counted() -> None:
    for X in (np.zeros((3, 90), dtype=int), np.eye(90, dtype=int)[:1]):
        found = count_words(TREE, as_documents(X))
        assert found.documents.sum() == pytest.approx(len(X), abs=0.02)
        assert found.own.sum() <= X.sum() + TREE.n_latents
        assert 0.0 < found.length < 2.0


# ---- what is made of counts ------------------------------------------------------------------------


def test_totals_are_those_of_all_topics_below() -> None:
    words, documents = COUNTS.totals(TREE)
    own = COUNTS.own.toarray()
    for latent in range(TREE.n_latents):
        within = []
        for below in range(TREE.n_latents):
            at = below + TREE.n_words
            while at >= 0:
                if at == latent + TREE.n_words:
                    within.append(below)
                at = topic_above(TREE, at)
        np.testing.assert_array_equal(words[[latent]].toarray()[0], own[within].sum(axis=0))
        assert documents[latent] == pytest.approx(COUNTS.documents[within].sum())


def test_counts_are_carried_to_other_places() -> None:
    rng = np.random.default_rng(1)
    latents = np.append(rng.permutation(TREE.n_latents)[:-3], -1)
    columns = np.append(rng.permutation(TREE.n_words)[:-5], [-1, -1])
    found = COUNTS.carried(latents, columns)
    own = np.pad(COUNTS.own.toarray(), ((0, 1), (0, 1)))
    np.testing.assert_array_equal(found.own.toarray(), own[latents][:, columns])
    np.testing.assert_array_equal(found.documents, np.append(COUNTS.documents, 0.0)[latents])
    assert found.length == COUNTS.length
    assert not found.own[[-1]].nnz
    assert not found.own[:, -2:].nnz


def test_the_counts_of_a_topic_are_replaced() -> None:
    latent = int(np.flatnonzero(COUNTS.documents)[2])
    other = csr_array((np.arange(90) % 4)[None, :].astype(np.int32))
    found = COUNTS.with_own(latent, other, 7.5)
    expected, number = COUNTS.own.toarray(), COUNTS.documents.copy()
    expected[latent], number[latent] = other.toarray()[0], 7.5
    np.testing.assert_array_equal(found.own.toarray(), expected)
    np.testing.assert_array_equal(found.documents, number)
    assert found.own.dtype == np.float32


@pytest.mark.parametrize("weight", [500.0, 120.0, 5000.0])
def test_further_documents_are_added_to_earlier_ones_that_weigh_so_much(weight: float) -> None:
    X = TREE.sample(200, seed=2).toarray().astype(float)
    latents = most_specific(TREE, 2)
    factor = weight / COUNTS.documents.sum()
    mean = COUNTS.documents.sum() / len(latents)
    added = 3.0 * mean * COUNTS.length * expected_words(TREE, latents)
    own = COUNTS.own[latents].toarray()
    words, number = e_step(X, own, COUNTS.documents[latents], added)
    found = COUNTS.with_more(TREE, as_documents(csr_array(X)), weight)
    np.testing.assert_allclose(found.own[latents].toarray(), factor * own + words, atol=2e-3)
    assert found.length == pytest.approx((weight * COUNTS.length + X.sum()) / (weight + 200))
    number += factor * COUNTS.documents[latents]
    np.testing.assert_allclose(found.documents[latents], number, atol=2e-3)
    assert found.documents.sum() == pytest.approx(weight + 200, abs=0.1)


def test_counts_of_earlier_documents_fade_however_small_they_are() -> None:
    """Also if each update adds hardly anything."""
    counts, nothing = COUNTS, DOCUMENTS.take(np.arange(0))
    for _ in range(100):
        counts = counts.with_more(TREE, nothing, 0.95 * counts.documents.sum())
    assert counts.documents.sum() < 0.01 * COUNTS.documents.sum()
    assert counts.own.sum() < 0.02 * COUNTS.own.sum()


@pytest.mark.parametrize("counts", [None, COUNTS])
def test_evidence_is_how_much_likelier_a_word_is_in_a_topic(counts: WordCounts | None) -> None:
    """Than in all documents, in nats; what was counted changes what the tree expects."""
    latents = np.array([*most_specific(TREE, 2)[:4], *most_specific(TREE, 3)[:1]])
    given = expected_words(TREE, latents.tolist())
    if counts is not None:
        totals = counts.totals(TREE)[0][latents].toarray()
        added = 3.0 * counts.documents.sum() / np.count_nonzero(counts.documents) * counts.length
        given = totals + added * given
        given /= given.sum(axis=1, keepdims=True)
    usual = TREE.marginals[: TREE.n_words] / TREE.marginals[: TREE.n_words].sum()
    found = evidence_for(TREE, counts, latents).words
    np.testing.assert_allclose(found, np.log(given / usual).T, atol=1e-5)  # kept as float32


def test_a_topic_that_was_not_counted_is_changed_as_the_one_above() -> None:
    below = next(v for v in range(TREE.n_latents) if TREE.level[v + TREE.n_words] == 1)
    above = topic_above(TREE, below + TREE.n_words) - TREE.n_words
    both = np.array([below, above])
    tree_alone, counted = (evidence_for(TREE, c, both).words for c in (None, COUNTS))
    change = counted - tree_alone
    difference = change[:, 0] - change[:, 1]
    np.testing.assert_allclose(difference, difference.mean(), atol=1e-4)  # but for their sums


def test_words_of_topics_are_those_that_were_counted() -> None:
    """With as many documents of the tree for a prior as in a division."""
    found, table = words_of_topics(TREE, COUNTS), word_marginals(TREE)
    totals, number = COUNTS.totals(TREE)
    is_root = [topic_above(TREE, v + TREE.n_words) < 0 for v in range(TREE.n_latents)]
    every, total = totals.toarray()[is_root].sum(axis=0), number[is_root].sum()
    prior = 3.0 * COUNTS.documents.sum() / np.count_nonzero(COUNTS.documents)
    some = (TREE.level[TREE.n_words :] > 1) & (number < total)
    assert some.sum() > 3
    for v in np.flatnonzero(some).tolist():
        entries = slice(*table.start[v : v + 2])
        words, inside = table.word[entries], totals[[v]].toarray()[0][table.word[entries]]
        counted = np.column_stack((every[words] - inside, inside))
        given = (counted + prior * table.given[entries]) / (
            total - number[v] + prior,
            number[v] + prior,
        )
        share = np.full(given.shape, (1.0 - number[v] / total, number[v] / total))
        information = mutual_information(given, share)
        order = np.lexsort((words, -information))
        np.testing.assert_array_equal(found.word[entries], words[order])
        np.testing.assert_allclose(found.given[entries], given[order], rtol=1e-9)
        np.testing.assert_allclose(found.information[entries], information[order], atol=1e-12)


def test_words_of_topics_that_were_not_counted_are_those_of_the_tree() -> None:
    table = word_marginals(TREE)
    nothing = COUNTS._replace(own=0 * COUNTS.own, documents=0.0 * COUNTS.documents)
    for counts in (nothing, COUNTS):
        found = words_of_topics(TREE, counts)
        latent = np.repeat(np.arange(TREE.n_latents), np.diff(table.start))
        number = counts.totals(TREE)[1][latent]
        same = (TREE.level[TREE.n_words + latent] == 1) | (number == 0.0) | (number == number.max())
        assert same.sum() >= TREE.n_words
        for column in ("word", "given", "information"):
            one, other = getattr(found, column), getattr(table, column)
            np.testing.assert_array_equal(one[same], other[same])


# ---- files -----------------------------------------------------------------------------------------


def test_counts_come_back_from_a_file() -> None:
    plain = json.loads(json.dumps(COUNTS.plain()))
    assert tuple(COUNTS.arrays) == ARRAYS
    back = WordCounts.read(plain, COUNTS.arrays, SHAPE)
    np.testing.assert_array_equal(back.own.toarray(), COUNTS.own.toarray())
    assert back.own.dtype == np.float32
    np.testing.assert_array_equal(back.documents, COUNTS.documents)
    assert back.length == COUNTS.length


def with_array(name: str, change: Callable[[Any], Any]) -> dict[str, Any]:
    return COUNTS.arrays | {name: change(COUNTS.arrays[name])}


@pytest.mark.parametrize(
    ("plain", "arrays", "message"),
    [
        ({"documents": [1.0]}, {}, "a number of documents per latent variable"),
        ({"documents": [-1.0] * SHAPE[0]}, {}, "a number of documents per latent variable"),
        ({"documents": [float("nan")] * SHAPE[0]}, {}, "a number of documents"),
        ({"documents": [1e300] * SHAPE[0]}, {}, "a number of documents per latent variable"),
        ({"documents": ["many"] * SHAPE[0]}, {}, "could not convert"),
        ({"length": 0.0}, {}, "the mean number of words"),
        ({"length": float("inf")}, {}, "the mean number of words"),
        ({"length": float("nan")}, {}, "the mean number of words"),
        ({}, with_array(ARRAYS[0], lambda a: a[:-1]), "do not fit the tree"),
        ({}, with_array(ARRAYS[0], lambda a: a[::-1].copy()), "do not fit the tree"),
        ({}, with_array(ARRAYS[0], lambda a: a + 1), "do not fit the tree"),
        ({}, with_array(ARRAYS[1], lambda a: a + SHAPE[1]), "do not fit the tree"),
        ({}, with_array(ARRAYS[1], lambda a: a[:-1]), "do not fit the tree"),
        ({}, with_array(ARRAYS[2], lambda a: -1 - a), "do not fit the tree"),
        ({}, with_array(ARRAYS[2], lambda a: np.full_like(a, 2**31 - 1)), "than there can be"),
    ],
)
def test_damaged_counts_are_refused(
    plain: dict[str, Any], arrays: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        WordCounts.read(COUNTS.plain() | plain, COUNTS.arrays | arrays, SHAPE)


def test_a_model_knows_the_counts_of_the_documents_it_was_learned_from() -> None:
    X = TREE.sample(300, seed=3)
    model = HLTA(samples=1, em_steps=5).fit(X, words=TREE.words)
    found, expected = model.topics_.counts, count_words(model.tree_, as_documents(X))
    assert found is not None
    assert (found.own != expected.own).nnz == 0
    np.testing.assert_array_equal(found.documents, expected.documents)
    assert found.documents.sum() == pytest.approx(300, abs=0.1)
