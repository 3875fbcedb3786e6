"""Log-likelihoods, posteriors, expected counts and hard assignments against the oracles."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta._kernels import scale
from hlta._kernels.propagation import rescale
from hlta.documents.matrix import as_documents
from hlta.tree.counts import e_step
from hlta.tree.inference import Inference
from hlta.tree.latent_tree import LatentTree
from hlta.tree.parameters import MAX_PROBABILITY
from hlta.tree.validation import infer_levels
from tests.compiled import from_python
from tests.oracles import Beliefs, dense_messages, enumerate_joint
from tests.strategies import (
    many_states,
    random_tree,
    trees_of_many_states_with_documents,
    trees_with_documents,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

many = settings(max_examples=300)
few = settings(max_examples=60)
compiled_rescale = from_python(rescale)


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
    counts, allowed = tree.expected_counts(documents), 1e-12 * len(documents)
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
@many
@given(trees_with_documents())
def test_agrees_with_enumeration(case: tuple[LatentTree, NDArray[np.int8]]) -> None:
    tree, documents = case
    assert_agrees(tree, documents, enumerate_joint(tree, documents))


@pytest.mark.slow
@many
@given(trees_of_many_states_with_documents())
def test_agrees_with_enumeration_for_any_number_of_states(
    case: tuple[LatentTree, NDArray[np.int8]],
) -> None:
    tree, documents = case
    assert_agrees(tree, documents, enumerate_joint(tree, documents))


@pytest.mark.parametrize("most", [3, 5, 16])
@pytest.mark.parametrize("strength", [1.0, 12.0, 100.0])
def test_agrees_with_dense_messages_for_any_number_of_states(most: int, strength: float) -> None:
    tree = random_tree(most, n_words=300, n_latents=100)
    tree = many_states(tree, most, most=most, strength=strength)
    rng = np.random.default_rng(most)
    documents = (rng.random((40, 300)) < rng.choice([0.01, 0.1, 0.9], size=(40, 1))).astype(np.int8)
    documents[0], documents[1] = 0, 1
    assert_agrees(tree, documents, dense_messages(tree, documents))


@pytest.mark.slow
@many
@given(st.one_of(trees_with_documents(), trees_of_many_states_with_documents()))
def test_the_two_oracles_agree(case: tuple[LatentTree, NDArray[np.int8]]) -> None:
    tree, documents = case
    slow, dense = enumerate_joint(tree, documents), dense_messages(tree, documents)
    np.testing.assert_allclose(dense.log_likelihood, slow.log_likelihood, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(dense.word, slow.word, rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(dense.latent, slow.latent, rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("strength", [1.0, 4.0, 12.0])
def test_agrees_with_dense_messages_on_larger_trees(seed: int, strength: float) -> None:
    tree = random_tree(seed, n_words=400, n_latents=150, strength=strength)
    rng = np.random.default_rng(seed)
    documents = (rng.random((40, 400)) < rng.choice([0.01, 0.1, 0.9], size=(40, 1))).astype(np.int8)
    documents[0], documents[1] = 0, 1
    assert_agrees(tree, documents, dense_messages(tree, documents))


def flat_chain(length: int, words_each: int = 1) -> LatentTree:
    """Latent variables in a row, each with words of its own; two at the ends."""
    owner = np.concatenate(([0], np.repeat(np.arange(length), words_each), [length - 1]))
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
        tree = tree.reroot(tree.n_words + 1500)
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
    documents[1] = 1
    documents[2, ::1000] = 1
    truth = dense_messages(tree, documents)
    np.testing.assert_allclose(tree.log_likelihood(documents), truth.log_likelihood, rtol=1e-9)
    posterior = truth.posterior(tree)
    np.testing.assert_allclose(tree.posteriors(documents).dense(), posterior, rtol=1e-9, atol=1e-12)
    counts = tree.expected_counts(documents)
    np.testing.assert_allclose(counts.word, truth.word.sum(axis=0), rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(counts.latent, truth.latent.sum(axis=0), rtol=1e-9, atol=1e-11)


@few
@given(trees_with_documents(probability=st.floats(0.01, 0.99)))
def test_the_guard_changes_nothing_where_it_is_not_needed(
    case: tuple[LatentTree, NDArray[np.int8]],
) -> None:
    tree, documents = case
    plain = tree.inference()
    assert not plain.tables.guarded
    guarded = replace(plain, tables=plain.tables._replace(guarded=True))
    counts, same = (e_step(inference, as_documents(documents)) for inference in (plain, guarded))
    np.testing.assert_array_equal(counts.word, same.word)
    np.testing.assert_array_equal(counts.latent, same.latent)
    assert counts.log_likelihood == same.log_likelihood


def test_the_guard_is_up_where_a_document_could_leave_the_range() -> None:
    assert star(5000, 1e-12, 0.9).inference().tables.guarded
    assert not star(20, 0.1, 0.9).inference().tables.guarded


@pytest.mark.slow
@many
@given(trees_with_documents())
def test_the_wordless_document_agrees_with_the_oracle(
    case: tuple[LatentTree, NDArray[np.int8]],
) -> None:
    tree, _ = case
    inference, nodes = tree.inference(), tree.numbering.nodes
    wordless = dense_messages(tree, np.zeros((1, tree.n_words), dtype=np.int8))
    assert inference.log_likelihood == pytest.approx(
        wordless.log_likelihood[0], rel=1e-9, abs=1e-11
    )
    joint = wordless.latent[0, nodes - tree.n_words]
    # What P(v | parent) is in a state of the parent that the document rules out, it cannot tell.
    likely = joint.sum(axis=2) > 1e-200
    expected = joint[likely] / joint.sum(axis=2)[likely][:, None]
    np.testing.assert_allclose(inference.conditional[likely], expected, rtol=1e-9, atol=1e-12)


def test_inference_under_other_parameters_is_that_of_the_tree_with_them() -> None:
    tree, other = (random_tree(seed, 30, 10) for seed in (0, 1))
    other = tree.with_probability(other.probability)
    under = Inference.under(tree.numbering, other.parameters)
    documents = as_documents(np.eye(30))
    counts, same = (e_step(inference, documents) for inference in (under, other.inference()))
    np.testing.assert_array_equal(counts.word, same.word)
    np.testing.assert_array_equal(counts.latent, same.latent)
    assert counts.log_likelihood == same.log_likelihood


@few
@given(st.floats(1e-300, 1e300), st.integers(-3, 3))
def test_rescaling_keeps_the_number_within_bounds(product: float, lift: int) -> None:
    x, n = compiled_rescale(product, float(lift))
    assert scale.LOW <= x <= scale.HIGH
    assert np.log(x) + n * scale.LOG_STEP == pytest.approx(
        np.log(product) + lift * scale.LOG_STEP, rel=1e-12, abs=1e-9
    )
