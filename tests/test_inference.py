"""Log-likelihoods, posteriors, expected counts and hard assignments against the oracles."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hlta.documents.given_matrices import as_documents
from hlta.tree import posteriors
from hlta.tree.counts import GRAIN, e_step
from hlta.tree.latent_tree import LatentTree
from hlta.tree.parameters import MAX_PROBABILITY, Parameters
from hlta.tree.posteriors import likely_posteriors
from hlta.tree.reshaping import reroot
from hlta.tree.validation import infer_levels
from tests.jobs import on_jobs
from tests.oracles import Beliefs, dense_messages, enumerate_joint
from tests.strategies import (
    Case,
    any_trees,
    many_states,
    ordinary,
    random_tree,
    trees,
    trees_of_many_states,
    with_documents,
)

few = settings(max_examples=60)


def assert_agrees(tree: LatentTree, documents: NDArray[np.int8], truth: Beliefs) -> None:
    """Everything inference offers, to 1e-9 relative.

    The absolute allowances are those of a difference of doubles: log P(d) is a difference to
    log P(no words), P(v=0) is 1 - P(v=1), and an absent word's count is one of all documents.
    """
    np.testing.assert_allclose(
        tree.log_likelihood(documents), truth.log_likelihood, rtol=1e-9, atol=1e-11
    )
    posterior = truth.posterior(tree)
    found = tree.posteriors(documents)
    np.testing.assert_allclose(found.dense(), posterior, rtol=1e-9, atol=1e-12)
    assert found.values.min() >= 0.0
    assert found.values.max() <= 1.0
    np.testing.assert_allclose(found.states(), truth.states(tree), rtol=1e-9, atol=1e-12)
    counts, allowed = e_step(tree.inference(), as_documents(documents)), 1e-12 * len(documents)
    for mine, theirs in ((counts.word, truth.word), (counts.latent, truth.latent)):
        np.testing.assert_allclose(mine, theirs.sum(axis=0), rtol=1e-9, atol=allowed)
    np.testing.assert_allclose(
        counts.log_likelihood, truth.log_likelihood.sum(), rtol=1e-9, atol=1e-11
    )
    assert counts.n_documents == len(documents)
    states = tree.hard_assignment(documents).toarray()
    ranked = np.sort(truth.states(tree), axis=2)
    decided = ranked[:, :, -1] - ranked[:, :, -2] > 1e-9
    likeliest = truth.states(tree).argmax(axis=2)
    np.testing.assert_array_equal(states[decided], likeliest[decided])


@pytest.mark.slow
@settings(max_examples=300)
@given(with_documents(trees() | trees_of_many_states()))
def test_agrees_with_enumeration(case: Case) -> None:
    tree, documents = case
    slow, dense = enumerate_joint(tree, documents), dense_messages(tree, documents)
    np.testing.assert_allclose(dense.log_likelihood, slow.log_likelihood, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(dense.word, slow.word, rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(dense.latent, slow.latent, rtol=1e-8, atol=1e-12)
    assert_agrees(tree, documents, slow)


@pytest.mark.parametrize("most", [2, 3, 16])
@pytest.mark.parametrize("strength", [1.0, 4.0, 12.0, 100.0])
def test_agrees_with_dense_messages_on_larger_trees(most: int, strength: float) -> None:
    tree = random_tree(most, n_words=300, n_latents=100, strength=min(strength, 12.0))
    if most > 2:
        tree = many_states(tree, most, most=most, strength=strength)
    rng = np.random.default_rng(most)
    documents = (rng.random((40, 300)) < rng.choice([0.01, 0.1, 0.9], size=(40, 1))).astype(np.int8)
    documents[0], documents[1] = 0, 1
    assert_agrees(tree, documents, dense_messages(tree, documents))


def flat_chain(length: int) -> LatentTree:
    """Latent variables in a row, each with a word of its own; two at the ends."""
    owner = np.concatenate(([0], np.arange(length), [length - 1]))
    n = len(owner)
    parent = np.concatenate((owner + n, [-1], np.arange(length - 1) + n))
    rng = np.random.default_rng(length)
    probability = rng.uniform(0.05, 0.95, (len(parent), 2))
    probability[n] = 0.3
    names = tuple(f"w{i}" for i in range(n))
    return LatentTree(names, parent, infer_levels(parent, n), probability)


@pytest.mark.parametrize("rooted_at", ["end", "middle"])
def test_chain_of_3000_latents(rooted_at: str) -> None:
    tree = flat_chain(3000)
    if rooted_at == "middle":
        tree = reroot(tree, tree.n_words + 1500)
    rng = np.random.default_rng(0)
    documents = (rng.random((8, tree.n_words)) < 0.01).astype(np.int8)
    documents[0], documents[1] = 0, 1
    assert_agrees(tree, documents, dense_messages(tree, documents))


def star(n_words: int, low: float, high: float) -> LatentTree:
    parent = np.full(n_words + 1, n_words)
    parent[-1] = -1
    probability = np.tile([low, high], (n_words + 1, 1))
    probability[::2] = probability[::2, ::-1]
    probability[-1] = 0.3
    names = tuple(f"w{i}" for i in range(n_words))
    return LatentTree(names, parent, infer_levels(parent, n_words), probability)


@pytest.mark.parametrize(
    ("low", "high"), [(0.2, 0.6), (1e-30, 0.9), (1e-100, 1 - 2.0**-53), (1e-12, 1 - 1e-12)]
)
def test_a_latent_with_5000_children(low: float, high: float) -> None:
    tree = star(5000, low, high)
    rng = np.random.default_rng(0)
    documents = (rng.random((12, 5000)) < np.linspace(0, 1, 12)[:, None]).astype(np.int8)
    documents[2:7, ::2] = 0  # one-sided: the ratio leaves the range of a double and stays out
    truth = dense_messages(tree, documents)
    assert np.isfinite(truth.log_likelihood).all()
    assert_agrees(tree, documents, truth)


@pytest.mark.parametrize("n_words", range(1, 60, 3))
@pytest.mark.parametrize("low", [1e-4, 1e-12, 1e-40, 1e-100])
@pytest.mark.parametrize("prior", [0.3, 1e-100])
def test_ratios_of_every_size(n_words: int, low: float, prior: float) -> None:
    """From ratios that need no exponent of their own, through the bounds, to those that need many."""
    parent = [n_words] * n_words + [n_words + 1, -1]
    probability = np.tile([low, 0.9], (n_words + 2, 1))
    probability[-1] = prior
    probability[n_words - 1 :: -3] = probability[n_words - 1 :: -3, ::-1]
    level = infer_levels(parent, n_words)
    names = tuple(f"w{i}" for i in range(n_words))
    tree = LatentTree(names, np.array(parent), level, probability, allow_irregular=True)
    documents = np.tril(np.ones((n_words + 1, n_words), dtype=np.int8), -1)
    for each in (tree, tree.with_probability(np.minimum(1.0 - probability, MAX_PROBABILITY))):
        assert_agrees(each, documents, dense_messages(each, documents))


@pytest.mark.slow
def test_100000_words_and_a_document_with_all_of_them() -> None:
    tree = random_tree(3, n_words=100_000, n_latents=30_000, strength=3.0)
    documents = np.zeros((3, tree.n_words), dtype=np.int8)
    documents[1], documents[2, ::1000] = 1, 1
    assert_agrees(tree, documents, dense_messages(tree, documents))


@few
@given(with_documents(trees(probability=ordinary)))
def test_a_guard_without_need_changes_nothing(case: Case) -> None:
    tree, documents = case
    plain = tree.inference()
    assert not plain.tables.guarded
    guarded = replace(plain, tables=plain.tables._replace(guarded=True))
    counts, same = (e_step(inference, as_documents(documents)) for inference in (plain, guarded))
    np.testing.assert_array_equal(counts.word, same.word)
    np.testing.assert_array_equal(counts.latent, same.latent)
    assert counts.log_likelihood == same.log_likelihood
    assert star(5000, 1e-12, 0.9).inference().tables.guarded  # a document could leave the range


def test_threads_and_little_memory_give_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = many_states(random_tree(1, n_words=300, n_latents=100), 1, most=3)
    documents = as_documents(tree.sample(3000, seed=0))
    assert len(documents.shards(GRAIN)) >= 4
    one, other = (on_jobs(jobs, e_step, tree.inference(), documents) for jobs in (1, 3))
    np.testing.assert_array_equal(one.word, other.word)
    np.testing.assert_array_equal(one.latent, other.latent)
    assert one.log_likelihood == other.log_likelihood
    scores, same = (tree.log_likelihood(documents, n_jobs=jobs) for jobs in (1, 3))
    np.testing.assert_array_equal(scores, same)
    states, same = (tree.hard_assignment(documents, n_jobs=jobs) for jobs in (1, 3))
    assert (states != same).nnz == 0
    whole = tree.posteriors(documents, n_jobs=1)
    monkeypatch.setattr(posteriors, "_BUFFER", 2000)  # six documents at a time
    in_parts = tree.posteriors(documents, n_jobs=3)
    np.testing.assert_array_equal(whole.indptr, in_parts.indptr)
    np.testing.assert_array_equal(whole.latents, in_parts.latents)
    np.testing.assert_array_equal(whole.values, in_parts.values)


@few
@given(with_documents(any_trees))
def test_a_rule_gives_what_posteriors_leave_out(case: Case) -> None:
    tree, documents = case
    found = tree.posteriors(documents)
    dense, states = found.dense(), found.states()
    assert found.values.shape == (len(found.latents), tree.parameters.most_states)
    assert not states[:, ~tree.parameters.has_state].any()
    np.testing.assert_allclose(states.sum(axis=2), 1.0, rtol=1e-9)
    np.testing.assert_allclose(dense, (states * tree.parameters.is_on).sum(axis=2), rtol=1e-14)
    for d, document in enumerate(documents):
        above = {tree.root}
        for word in np.flatnonzero(document):
            node = int(word)
            while node != tree.root:
                node = int(tree.parent[node])
                above.add(node)
        listed = found.latents[found.indptr[d] : found.indptr[d + 1]]
        assert sorted(v - tree.n_words for v in above) == listed.tolist()
        entries = found.values[found.indptr[d] : found.indptr[d + 1]]
        np.testing.assert_array_equal(states[d, listed], entries)
        for v in set(range(tree.n_latents)) - set(listed.tolist()):
            expected = states[d, found.parent[v]] @ found.rule[v]
            np.testing.assert_allclose(states[d, v], expected, rtol=1e-13)


def three_way(prior: list[float], word: list[float]) -> LatentTree:
    """Four words below a latent variable with three states."""
    states = np.array([3], dtype=np.int32)
    parameters = Parameters(states, np.array([word] * 4), np.array([[prior] * 3]))
    return LatentTree(tuple("abcd"), [4, 4, 4, 4, -1], [0, 0, 0, 0, 1], parameters)


def test_ties_go_to_the_lowest_state() -> None:
    same = [0.3, 0.3, 0.3]
    assert three_way([0.5, 0.25, 0.25], same).hard_assignment(np.eye(4)).nnz == 0
    tied = three_way([0.25, 0.375, 0.375], same).hard_assignment(np.eye(4))
    assert tied.toarray().tolist() == [[1]] * 4


@few
@given(with_documents(any_trees), st.sampled_from([0.02, 0.15, 0.3, 0.5, 0.9]))
def test_likely_posteriors_are_all_above_the_least(case: Case, least: float) -> None:
    tree, documents = case
    posterior = dense_messages(tree, documents).posterior(tree)
    likely = likely_posteriors(tree.inference(), documents, least)
    listed = np.zeros_like(posterior)
    where = np.repeat(np.arange(len(documents)), np.diff(likely.indptr)), likely.latents
    listed[where] = likely.values
    assert np.count_nonzero(listed) == len(likely.values)  # each once
    decided = abs(posterior - least) > 1e-9
    expected = np.where(posterior > least, posterior, 0.0)
    np.testing.assert_allclose(listed[decided], expected[decided], rtol=1e-9, atol=1e-12)
