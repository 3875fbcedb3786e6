"""Batch and stepwise EM against a few lines of NumPy on top of the oracle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta.algorithm.em import batch_em, maximise, stepwise_em
from hlta.errors import DocumentsError, OptionError
from hlta.tree.validation import FLOOR
from tests.oracles import dense_messages
from tests.strategies import random_tree, trees_with_documents

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.tree.latent_tree import LatentTree

few = settings(max_examples=80, deadline=None)
priors: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
    [
        {"pseudo_count": 0.0, "shrinkage": 0.0},
        {"pseudo_count": 0.1, "shrinkage": 3.0},
        {"pseudo_count": 1.0, "shrinkage": 0.0},
        {"pseudo_count": 0.0, "shrinkage": 2.0},
    ]
)
ordinary = st.floats(0.01, 0.99)


def oracle_counts(tree: LatentTree, documents: NDArray[np.int8]) -> NDArray[np.float64]:
    table: NDArray[np.float64] = dense_messages(tree, documents).joint.sum(axis=0)
    return table


def oracle_estimate(
    table: NDArray[np.float64],
    previous: NDArray[np.float64],
    documents: NDArray[np.int8],
    pseudo_count: float,
    shrinkage: float,
) -> NDArray[np.float64]:
    """theta_ijk = n_ijk / sum_k n_ijk (with a prior's counts), node by node."""
    estimate = previous.copy()
    for node, parent_state in np.ndindex(len(table), 2):
        off, on = table[node, parent_state] + pseudo_count
        if node < documents.shape[1]:
            off += shrinkage * (1.0 - documents[:, node].mean())
            on += shrinkage * documents[:, node].mean()
        if off + on > 0.0:
            estimate[node, parent_state] = on / (off + on)
    return np.clip(estimate, FLOOR, 1.0 - FLOOR)


def log_prior(
    tree: LatentTree, documents: NDArray[np.int8], pseudo_count: float, shrinkage: float
) -> float:
    on, off = (np.full((tree.n_nodes, 2), pseudo_count) for _ in range(2))
    share = documents.mean(axis=0)[:, None]
    on[: tree.n_words] += shrinkage * share
    off[: tree.n_words] += shrinkage * (1.0 - share)
    logs = on * np.log(tree.probability) + off * np.log1p(-tree.probability)
    return float(logs.sum() - logs[tree.root, 0])


@few
@given(
    trees_with_documents(probability=ordinary),
    priors,
    st.integers(1, 3),
)
def test_batch_em_agrees_with_the_oracle(
    case: tuple[LatentTree, NDArray[np.int8]], prior: dict[str, Any], steps: int
) -> None:
    tree, documents = case
    expected, likelihoods = tree, []
    for _ in range(steps):
        likelihoods.append(dense_messages(expected, documents).log_likelihood.mean())
        table = oracle_counts(expected, documents)
        expected = expected.with_probability(
            oracle_estimate(table, expected.probability, documents, **prior)
        )
    result = batch_em(tree, documents, steps=steps, **prior)
    np.testing.assert_allclose(result.tree.probability, expected.probability, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(result.log_likelihoods, likelihoods, rtol=1e-9, atol=1e-11)
    assert not result.converged


@pytest.mark.slow
@few
@given(trees_with_documents(probability=ordinary), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_stepwise_em_agrees_with_the_oracle(
    case: tuple[LatentTree, NDArray[np.int8]], updates: int, seed: int
) -> None:
    tree, documents = case
    batches = max(1, round(len(documents) / 2))
    rng = np.random.default_rng(seed)
    rows: list[NDArray[np.int64]] = []
    while len(rows) < updates:
        rows += np.array_split(rng.permutation(len(documents)), batches)
    statistics, weight, expected = np.zeros((tree.n_nodes, 2, 2)), 0.0, tree
    for u in range(1, updates + 1):
        minibatch = documents[rows[u - 1]]
        stepsize = (u + 2) ** -0.6
        mean = oracle_counts(expected, minibatch) / len(minibatch)
        statistics = (1 - stepsize) * statistics + stepsize * mean
        weight = (1 - stepsize) * weight + stepsize
        all_documents = statistics / weight * len(documents)
        expected = expected.with_probability(
            oracle_estimate(all_documents, expected.probability, documents, 0.1, 3.0)
        )
    result = stepwise_em(
        tree,
        documents,
        batch_size=2,
        exponent=0.6,
        updates=updates,
        pseudo_count=0.1,
        shrinkage=3.0,
        seed=seed,
    )
    np.testing.assert_allclose(result.tree.probability, expected.probability, rtol=1e-8, atol=1e-11)
    assert len(result.log_likelihoods) == updates


@few
@given(trees_with_documents(probability=ordinary))
def test_one_full_minibatch_and_stepsize_1_is_batch_em(
    case: tuple[LatentTree, NDArray[np.int8]],
) -> None:
    tree, documents = case
    batch = batch_em(tree, documents, steps=3)
    step = stepwise_em(tree, documents, batch_size=len(documents), exponent=0.0, updates=3, seed=0)
    np.testing.assert_allclose(step.tree.probability, batch.tree.probability, rtol=1e-9)
    np.testing.assert_allclose(step.log_likelihoods, batch.log_likelihoods, rtol=1e-9)


@pytest.mark.slow
@few
@given(trees_with_documents(), priors)
def test_no_step_of_batch_em_loses(
    case: tuple[LatentTree, NDArray[np.int8]], prior: dict[str, Any]
) -> None:
    tree, documents = case
    objective = []
    # A first step brings extreme parameters within the floor, which may cost likelihood.
    tree = batch_em(tree, documents, steps=1, **prior).tree
    for _ in range(8):
        likelihood = tree.log_likelihood(documents).sum()
        objective.append(likelihood + log_prior(tree, documents, **prior))
        tree = batch_em(tree, documents, steps=1, **prior).tree
    gains = np.diff(objective)
    assert gains.min() > -1e-9 * max(1.0, abs(objective[0]))


def test_batch_em_gains_a_lot_from_a_poor_start() -> None:
    truth = random_tree(0, n_words=60, n_latents=15)
    documents = truth.sample(2000, seed=0)
    rng = np.random.default_rng(1)
    start = truth.with_probability(
        np.clip(truth.probability * rng.uniform(0.5, 1.5, (truth.n_nodes, 1)), 0.01, 0.99)
    )
    result = batch_em(start, documents, steps=40)
    best = truth.log_likelihood(documents).mean()
    assert result.log_likelihoods[0] < best - 0.5
    assert result.tree.log_likelihood(documents).mean() > best


def test_stepwise_em_with_few_documents_seen_comes_near_batch_em() -> None:
    truth = random_tree(2, n_words=60, n_latents=15)
    documents, held_out = truth.sample(20_000, seed=0), truth.sample(5000, seed=1)
    rng = np.random.default_rng(1)
    start = truth.with_probability(
        np.clip(truth.probability * rng.uniform(0.5, 1.5, (truth.n_nodes, 1)), 0.01, 0.99)
    )
    one_pass = stepwise_em(start, documents, batch_size=500, epochs=1, seed=0)
    assert len(one_pass.log_likelihoods) == 40
    one_batch_pass = batch_em(start, documents, steps=1)
    best = truth.log_likelihood(held_out).mean()
    stepwise_gap = best - one_pass.tree.log_likelihood(held_out).mean()
    batch_gap = best - one_batch_pass.tree.log_likelihood(held_out).mean()
    assert stepwise_gap < 0.5 * batch_gap


def test_tolerance_stops_early_and_says_so() -> None:
    tree = random_tree(0, 30, 8)
    documents = tree.sample(500, seed=0)
    result = batch_em(tree, documents, steps=500, tolerance=1e-3)
    assert result.converged
    assert len(result.log_likelihoods) < 500
    last, before = result.log_likelihoods[-1], result.log_likelihoods[-2]
    assert last - before < 1e-3
    assert result.tree.log_likelihood(documents).mean() == pytest.approx(last, rel=1e-12)


@pytest.mark.slow
@few
@given(trees_with_documents(), priors)
def test_parameters_stay_inside(
    case: tuple[LatentTree, NDArray[np.int8]], prior: dict[str, Any]
) -> None:
    tree, documents = case
    for result in (
        batch_em(tree, documents, steps=3, **prior),
        stepwise_em(tree, documents, updates=3, **prior, seed=0),
    ):
        assert result.tree.probability.min() >= FLOOR
        assert result.tree.probability.max() <= 1.0 - FLOOR


def test_a_row_without_documents_keeps_its_parameters() -> None:
    table = np.array([[[0.0, 0.0], [3.0, 1.0]]])
    estimate = maximise(table, np.array([[0.7, 0.7]]), np.zeros((1, 2)))
    np.testing.assert_allclose(estimate, [[0.7, 0.25]], rtol=1e-15)


@pytest.mark.parametrize("n_jobs", [2, 8])
def test_any_number_of_threads_gives_the_same_bits(n_jobs: int) -> None:
    tree = random_tree(5, n_words=200, n_latents=60)
    documents = tree.sample(3000, seed=0)
    one = batch_em(tree, documents, steps=4, n_jobs=1)
    other = batch_em(tree, documents, steps=4, n_jobs=n_jobs)
    assert one.tree == other.tree
    assert one.log_likelihoods == other.log_likelihoods
    one = stepwise_em(tree, documents, batch_size=1500, updates=4, seed=0, n_jobs=1)
    other = stepwise_em(tree, documents, batch_size=1500, updates=4, seed=0, n_jobs=n_jobs)
    assert one.tree == other.tree


def test_stepwise_em_follows_its_seed() -> None:
    tree = random_tree(5, n_words=40, n_latents=10)
    documents = tree.sample(300, seed=0)
    runs = [
        stepwise_em(tree, documents, batch_size=50, updates=4, seed=seed).tree for seed in (1, 1, 2)
    ]
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


def test_every_step_is_reported() -> None:
    tree = random_tree(5, n_words=40, n_latents=10)
    documents = tree.sample(300, seed=0)
    steps: list[tuple[int, float]] = []

    def note(step: int, log_likelihood: float) -> None:
        steps.append((step, log_likelihood))

    result = batch_em(tree, documents, steps=3, on_step=note)
    assert steps == list(enumerate(result.log_likelihoods, start=1))
    steps.clear()
    result = stepwise_em(tree, documents, updates=3, seed=0, on_step=note)
    assert steps == list(enumerate(result.log_likelihoods, start=1))


def test_no_steps_leave_the_tree_as_it_was() -> None:
    tree = random_tree(5, n_words=40, n_latents=10)
    documents = tree.sample(30, seed=0)
    assert batch_em(tree, documents, steps=0).tree == tree
    assert stepwise_em(tree, documents, updates=0).tree == tree


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"steps": -1}, "steps=-1"),
        ({"steps": 2.5}, "steps=2.5"),
        ({"pseudo_count": -0.1}, "pseudo_count=-0.1"),
        ({"shrinkage": -1.0}, "shrinkage=-1.0"),
        ({"pseudo_count": float("nan")}, "pseudo_count=nan"),
        ({"tolerance": -1.0}, "tolerance=-1.0"),
    ],
)
def test_batch_em_refuses(options: dict[str, Any], message: str) -> None:
    tree = random_tree(0, 10, 3)
    with pytest.raises(OptionError, match=message):
        batch_em(tree, np.eye(10), **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"batch_size": 0}, "batch_size=0"),
        ({"exponent": 1.5}, "exponent=1.5"),
        ({"updates": -1}, "updates=-1"),
        ({"epochs": -1}, "epochs=-1"),
        ({"updates": 3, "epochs": 1}, "choose one"),
    ],
)
def test_stepwise_em_refuses(options: dict[str, Any], message: str) -> None:
    tree = random_tree(0, 10, 3)
    with pytest.raises(OptionError, match=message):
        stepwise_em(tree, np.eye(10), **options)


def test_em_refuses_documents_of_another_vocabulary() -> None:
    tree = random_tree(0, 10, 3)
    for learn in (batch_em, stepwise_em):
        with pytest.raises(DocumentsError, match="9 columns, the tree has 10 words"):
            learn(tree, np.eye(9))
