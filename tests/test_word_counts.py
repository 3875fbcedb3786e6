"""The words of topics, counted in documents, against EM with dense arrays."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.special import softmax

from hlta import LatentTree
from hlta._kernels.mixture import count_topics
from hlta.documents.given_matrices import as_documents
from hlta.topics import word_counts as module
from hlta.topics.shares import evidence_for
from hlta.topics.word_counts import ARRAYS, WordCounts, count_words, words_of_topics
from hlta.tree.given_on import words_given_on
from hlta.tree.marginals import mutual_information, word_marginals
from hlta.tree.reshaping import topic_above
from tests.examples import FLAT, HIERARCHY
from tests.jobs import on_jobs
from tests.oracles import Floats
from tests.synthetic import planted

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
    evidence = np.tile([-9.0, 0.0], (500, 1))
    seen, number = np.zeros((500, 2)), np.zeros(2)
    documents = as_documents(np.ones((3, 500), dtype=int))
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


def test_of_too_many_topics_those_of_a_level_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    top = int(TREE.level.max())
    for lowest, most in ((3, len(most_specific(TREE, 3)) * TREE.n_words), (top, 0)):
        monkeypatch.setattr(module, "_MOST_NUMBERS", most)
        found = count_words(TREE, DOCUMENTS)
        assert np.flatnonzero(found.documents).tolist() == most_specific(TREE, lowest)


def test_few_documents_can_be_counted_and_threads_and_shards_change_no_bit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for X in (np.zeros((3, 90), dtype=int), np.eye(90, dtype=int)[:1]):
        found = count_words(TREE, as_documents(X))
        assert found.documents.sum() == pytest.approx(len(X), abs=0.02)
        assert 0.0 < found.length < 2.0
    monkeypatch.setattr(module, "_GRAIN", 400)
    one, three = (on_jobs(n_jobs, count_words, TREE, DOCUMENTS) for n_jobs in (1, 3))
    np.testing.assert_array_equal(one.documents, three.documents)
    for found in (one, three):  # rounded, the sums are the same as of one shard
        assert (found.own != COUNTS.own).nnz == 0


# ---- what is made of counts ------------------------------------------------------------------------


def test_totals_are_those_of_all_topics_below() -> None:
    words, documents = COUNTS.own.toarray(), COUNTS.documents.copy()
    for at in range(TREE.n_words, TREE.n_nodes):
        up = at
        while (up := topic_above(TREE, up)) >= 0:
            words[up - TREE.n_words] += COUNTS.own[[at - TREE.n_words]].toarray()[0]
            documents[up - TREE.n_words] += COUNTS.documents[at - TREE.n_words]
    found = COUNTS.totals(TREE)
    np.testing.assert_array_equal(found[0].toarray(), words)
    np.testing.assert_allclose(found[1], documents)


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
    nothing = COUNTS._replace(own=0 * COUNTS.own, documents=0.0 * COUNTS.documents)
    of_tree = words_of_topics(TREE, nothing)
    for column in ("word", "given", "information"):
        np.testing.assert_array_equal(getattr(of_tree, column), getattr(table, column))


@pytest.mark.parametrize(
    "plain",
    [
        *({"documents": odd} for odd in ([1.0], [-1.0] * SHAPE[0], [float("nan")] * SHAPE[0])),
        *({"documents": [odd] * SHAPE[0]} for odd in (1e300, "many")),
        *({"length": odd} for odd in (0.0, float("inf"), float("nan"))),
    ],
)
def test_damaged_numbers_are_refused(plain: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"number|convert"):
        WordCounts.read(COUNTS.plain() | plain, COUNTS.arrays, SHAPE)


@pytest.mark.parametrize(
    ("array", "change"),
    [
        (0, lambda a: a[:-1]),
        (0, lambda a: a[::-1].copy()),
        (0, lambda a: a + 1),
        (1, lambda a: a + SHAPE[1]),
        (1, lambda a: a[:-1]),
        (2, lambda a: -1 - a),
        (2, lambda a: np.full_like(a, 2**31 - 1)),
    ],
)
def test_damaged_arrays_are_refused(array: int, change: Callable[[Any], Any]) -> None:
    arrays = COUNTS.arrays | {ARRAYS[array]: change(COUNTS.arrays[ARRAYS[array]])}
    with pytest.raises(ValueError, match=r"do not fit the tree|than there can be"):
        WordCounts.read(COUNTS.plain(), arrays, SHAPE)
