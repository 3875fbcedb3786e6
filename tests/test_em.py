"""Batch and stepwise EM against a few lines of NumPy on top of the oracle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta.documents.matrix import as_documents
from hlta.errors import DocumentsError, OptionError, TreeError
from hlta.learning.checkpoint import Checkpoint
from hlta.learning.em import Prior, batch_em, maximise, prior_counts, stepwise_em
from hlta.tree.parameters import FLOOR, Parameters
from tests.oracles import dense_messages
from tests.strategies import (
    many_states,
    random_tree,
    trees_of_many_states_with_documents,
    trees_with_documents,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.tree.latent_tree import LatentTree
    from tests.oracles import Floats

few = settings(max_examples=80)
priors: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
    [
        {"pseudo_count": 0.0, "shrinkage": 0.0},
        {"pseudo_count": 0.1, "shrinkage": 3.0},
        {"pseudo_count": 0.1, "shrinkage": 1.0, "state_shrinkage": 2.0},
        {"pseudo_count": 1.0, "shrinkage": 0.0},
        {"pseudo_count": 0.0, "shrinkage": 2.0},
    ]
)
ordinary = st.floats(0.01, 0.99)


def any_number_of_states(**limits: Any) -> st.SearchStrategy[tuple[LatentTree, NDArray[np.int8]]]:
    """Trees with two states everywhere, and with 2 to 6; parameters are ordinary."""
    return st.one_of(
        trees_with_documents(probability=ordinary, **limits),
        trees_of_many_states_with_documents(most=6, strengths=(0.5, 1.0), **limits),
    )


def oracle_step(tree: LatentTree, word: Floats, latent: Floats, prior: Prior) -> LatentTree:
    """theta_ijk = n_ijk / sum_k n_ijk (with a prior's counts), one distribution after another."""
    states, parameters = tree.parameters.states.tolist(), tree.parameters
    words, latents = parameters.word.copy(), parameters.latent.copy()
    for w in range(tree.n_words):
        for j in range(states[tree.parent[w] - tree.n_words]):
            off, on = word[w, j] + prior.word[w]
            if off + on > 0.0:
                words[w, j] = np.clip(on / (off + on), FLOOR, 1.0 - FLOOR)
    for v in range(tree.n_latents):
        up = int(tree.parent[tree.n_words + v])
        rows = latents.shape[1] if up < 0 else states[up - tree.n_words]
        for j in range(rows):
            count = latent[v, j, : states[v]] + prior.latent[v]
            of_all = latent[v].sum(axis=0)[: states[v]]
            count += prior.row * of_all / of_all.sum()
            if count.sum() > 0.0:
                share = np.clip(count / count.sum(), FLOOR, 1.0 - FLOOR)
                latents[v, j, : states[v]] = share / share.sum()
    return tree.with_probability(parameters._replace(word=words, latent=latents))


def prior_for(
    tree: LatentTree,
    documents: NDArray[np.int8],
    pseudo_count: float,
    shrinkage: float,
    state_shrinkage: float = 0.0,
) -> Prior:
    """Documents in every state, as many per row as of two states, and documents like all of them."""
    share = documents.mean(axis=0)
    word = np.column_stack((1.0 - share, share)) * shrinkage + pseudo_count
    return Prior(word, pseudo_count * 2.0 / tree.parameters.states, state_shrinkage)


def log_prior(tree: LatentTree, prior: Prior) -> float:
    states, word, latent, _ = tree.parameters
    total = 0.0
    for w in range(tree.n_words):
        p = word[w, : states[tree.parent[w] - tree.n_words]]
        total += float((prior.word[w, 0] * np.log1p(-p) + prior.word[w, 1] * np.log(p)).sum())
    for v in range(tree.n_latents):
        rows = latent[v][:1] if v == tree.root - tree.n_words else latent[v]
        total += prior.latent[v] * float(np.log(rows[rows > 0.0]).sum())
    return total


def assert_parameters(found: LatentTree, expected: LatentTree, rtol: float) -> None:
    mine, theirs = found.parameters, expected.parameters
    np.testing.assert_array_equal(mine.states, theirs.states)
    np.testing.assert_allclose(mine.word, theirs.word, rtol=rtol, atol=1e-11)
    np.testing.assert_allclose(mine.latent, theirs.latent, rtol=rtol, atol=1e-11)


@few
@given(any_number_of_states(), priors, st.integers(1, 3))
def test_batch_em_agrees_with_the_oracle(
    case: tuple[LatentTree, NDArray[np.int8]], prior: dict[str, Any], steps: int
) -> None:
    tree, documents = case
    expected, likelihoods = tree, []
    for _ in range(steps):
        likelihoods.append(dense_messages(expected, documents).log_likelihood.mean())
        beliefs = dense_messages(expected, documents)
        counts = beliefs.word.sum(axis=0), beliefs.latent.sum(axis=0)
        expected = oracle_step(expected, *counts, prior_for(tree, documents, **prior))
    result = batch_em(tree, documents, steps=steps, **prior)
    assert_parameters(result.tree, expected, rtol=1e-8)
    np.testing.assert_allclose(result.log_likelihoods, likelihoods, rtol=1e-9, atol=1e-11)
    assert not result.converged


@pytest.mark.slow
@few
@given(
    any_number_of_states(),
    st.integers(1, 4),
    st.integers(0, 2**32 - 1),
    st.sampled_from([0.0, 2.0]),
)
def test_stepwise_em_agrees_with_the_oracle(
    case: tuple[LatentTree, NDArray[np.int8]], updates: int, seed: int, state_shrinkage: float
) -> None:
    tree, documents = case
    batches = max(1, round(len(documents) / 2))
    rng = np.random.default_rng(seed)
    rows: list[NDArray[np.int64]] = []
    while len(rows) < updates:
        rows += np.array_split(rng.permutation(len(documents)), batches)
    word, latent = (
        np.zeros((*tree.parameters.word.shape, 2)),
        np.zeros(tree.parameters.latent.shape),
    )
    weight, expected = 0.0, tree
    for u in range(1, updates + 1):
        minibatch = documents[rows[u - 1]]
        stepsize = (u + 2) ** -0.6
        beliefs = dense_messages(expected, minibatch)
        word = (1 - stepsize) * word + stepsize * beliefs.word.mean(axis=0)
        latent = (1 - stepsize) * latent + stepsize * beliefs.latent.mean(axis=0)
        weight = (1 - stepsize) * weight + stepsize
        scale = len(documents) / weight
        prior = prior_for(tree, documents, 0.1, 3.0, state_shrinkage)
        expected = oracle_step(expected, word * scale, latent * scale, prior)
    result = stepwise_em(
        tree,
        documents,
        batch_size=2,
        exponent=0.6,
        updates=updates,
        pseudo_count=0.1,
        shrinkage=3.0,
        state_shrinkage=state_shrinkage,
        seed=seed,
    )
    assert_parameters(result.tree, expected, rtol=1e-8)
    assert len(result.log_likelihoods) == updates


@few
@given(any_number_of_states())
def test_one_full_minibatch_and_stepsize_1_is_batch_em(
    case: tuple[LatentTree, NDArray[np.int8]],
) -> None:
    tree, documents = case
    batch = batch_em(tree, documents, steps=3)
    step = stepwise_em(tree, documents, batch_size=len(documents), exponent=0.0, updates=3, seed=0)
    assert_parameters(step.tree, batch.tree, rtol=1e-9)
    np.testing.assert_allclose(step.log_likelihoods, batch.log_likelihoods, rtol=1e-9)


@pytest.mark.slow
@few
@given(st.one_of(trees_with_documents(), trees_of_many_states_with_documents(most=6)), priors)
def test_no_step_of_batch_em_loses(
    case: tuple[LatentTree, NDArray[np.int8]], prior: dict[str, Any]
) -> None:
    tree, documents = case
    prior = prior | {"state_shrinkage": 0.0}  # whose mean changes with the parameters
    objective = []
    # A first step brings extreme parameters within the floor, which may cost likelihood.
    tree = batch_em(tree, documents, steps=1, **prior).tree
    for _ in range(8):
        likelihood = tree.log_likelihood(documents).sum()
        objective.append(likelihood + log_prior(tree, prior_for(tree, documents, **prior)))
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
@given(st.one_of(trees_with_documents(), trees_of_many_states_with_documents(most=6)), priors)
def test_parameters_stay_inside(
    case: tuple[LatentTree, NDArray[np.int8]], prior: dict[str, Any]
) -> None:
    tree, documents = case
    for result in (
        batch_em(tree, documents, steps=3, **prior),
        stepwise_em(tree, documents, updates=3, **prior, seed=0),
    ):
        states, word, latent, _ = result.tree.parameters
        np.testing.assert_array_equal(states, tree.parameters.states)
        for before, after in ((tree.parameters.word, word), (tree.parameters.latent, latent)):
            np.testing.assert_array_equal(before == 0.0, after == 0.0)
            inside = after[after > 0.0]
            # With more than two states, rows above 1 by their floors were divided by their sums.
            assert inside.min() >= FLOOR * (1.0 if tree.parameters.is_binary else 1.0 - 1e-11)
            assert inside.max() <= 1.0 - FLOOR


@settings(max_examples=20)
@given(seed=st.integers(0, 1000), most=st.integers(2, 7), row=st.sampled_from([0.0, 2.0]))
def test_the_m_step_divides_counts_and_those_of_the_prior(seed: int, most: int, row: float) -> None:
    """Against whole tables, states that variables lack included."""
    tree = many_states(random_tree(seed, n_words=12, n_latents=5), seed, most=most)
    documents = as_documents(tree.sample(40, seed=seed))
    counts, previous = tree.expected_counts(documents), tree.parameters
    prior = prior_counts(previous.states, documents, 0.1, 3.0, row)
    found = maximise(counts.word, counts.latent, previous, prior)

    word = np.where(previous.word[:, :, None] > 0.0, counts.word + prior.word[:, None], 1.0)
    expected = np.clip(word[:, :, 1] / word.sum(axis=2), FLOOR, 1.0 - FLOOR)
    np.testing.assert_allclose(found.word, np.where(previous.word > 0.0, expected, 0.0), rtol=1e-12)
    exists = previous.latent > 0.0
    of_all = counts.latent.sum(axis=1, keepdims=True)
    spread = row * of_all / of_all.sum(axis=2, keepdims=True)
    latent = np.where(exists, counts.latent + prior.latent[:, None, None] + spread, 0.0)
    shares = latent / np.maximum(latent.sum(axis=2, keepdims=True), 1e-300)
    expected = np.where(exists, np.clip(shares, FLOOR, 1.0 - FLOOR), 0.0)
    np.testing.assert_allclose(found.latent, expected, rtol=1e-9)


def test_a_state_without_documents_keeps_its_parameters() -> None:
    """Of a root with three states, and of a latent variable with two below it."""
    previous = Parameters(
        states=np.array([3, 2], dtype=np.int32),
        word=np.array([[0.7, 0.6, 0.5], [0.2, 0.3, 0.0]]),
        latent=np.array(
            [[[0.5, 0.2, 0.3]] * 3, [[0.4, 0.6, 0.0], [0.1, 0.9, 0.0], [0.5, 0.5, 0.0]]]
        ),
    )
    word = np.array([[[0, 0], [3, 1], [2, 6]], [[5, 3], [4, 0], [0, 0]]], dtype=float)
    latent = np.array([[[0, 4, 8]] * 3, [[0, 0, 0], [1, 3, 0], [7, 1, 0]]], dtype=float)
    none = Prior(np.zeros((2, 2)), np.zeros(2), 0.0)
    found = maximise(word, latent, previous, none)
    np.testing.assert_allclose(found.word, [[0.7, 0.25, 0.75], [0.375, FLOOR, 0.0]], rtol=1e-15)
    np.testing.assert_allclose(found.latent[0], [[FLOOR, 1 / 3, 2 / 3]] * 3, rtol=1e-11)
    expected = [[0.4, 0.6, 0.0], [0.25, 0.75, 0.0], [0.875, 0.125, 0.0]]
    np.testing.assert_allclose(found.latent[1], expected, rtol=1e-15)


@pytest.mark.parametrize("most", [3, 6])
def test_batch_em_without_a_prior_never_loses_on_a_larger_tree(most: int) -> None:
    tree = many_states(random_tree(most, n_words=60, n_latents=15), 0, most=most, strength=1.0)
    documents = random_tree(0, n_words=60, n_latents=15).sample(400, seed=0)
    found = batch_em(tree, documents, steps=30, pseudo_count=0.0, shrinkage=0.0)
    assert np.diff(found.log_likelihoods).min() > -1e-9
    assert found.log_likelihoods[-1] > found.log_likelihoods[0] + 0.5


def test_a_run_in_two_halves_is_one_run() -> None:
    tree = many_states(random_tree(5, n_words=60, n_latents=15), 5, most=3)
    documents = tree.sample(400, seed=0)
    whole = batch_em(tree, documents, steps=8)
    first = batch_em(tree, documents, steps=4)
    second = batch_em(first.tree, documents, steps=4)
    both = first.log_likelihoods + second.log_likelihoods
    np.testing.assert_allclose(both, whole.log_likelihoods, rtol=1e-10)
    assert_parameters(second.tree, whole.tree, rtol=1e-6)


@pytest.mark.parametrize("n_jobs", [2, 8])
@pytest.mark.parametrize("most", [2, 4])
def test_any_number_of_threads_gives_the_same_bits(most: int, n_jobs: int) -> None:
    tree = many_states(random_tree(5, n_words=200, n_latents=60), 5, most=most)
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
        ({"state_shrinkage": -2.0}, "state_shrinkage=-2.0"),
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
        with pytest.raises(DocumentsError, match="9 columns, but the tree has 10 words"):
            learn(tree, np.eye(9))


# ---- going on ------------------------------------------------------------------------------------


class Stopping(Checkpoint):
    """Keeps the state, and stops after some steps."""

    def __init__(self, steps: int) -> None:
        self.left, self.state = steps, None

    def kept(self, name: str) -> Any:  # noqa: ARG002
        return self.state

    def keep(self, name: str, value: Any) -> None:  # noqa: ARG002
        self.state = value
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


@few
@given(any_number_of_states(), st.integers(1, 8), st.booleans())
def test_em_that_was_stopped_goes_on(
    pair: tuple[LatentTree, NDArray[np.int8]], stop: int, stepwise: bool
) -> None:
    tree, X = pair
    learn: Any = stepwise_em if stepwise else batch_em
    how = {"updates": 8, "batch_size": 2, "seed": 1} if stepwise else {"steps": 8}
    options: dict[str, Any] = {"n_jobs": 1} | how
    whole = learn(tree, X, **options)
    kept, told = Stopping(stop), list[tuple[int, float]]()
    with pytest.raises(KeyboardInterrupt):
        learn(tree, X, **options, checkpoint=kept)
    resumed = learn(tree, X, **options, checkpoint=kept, on_step=lambda *step: told.append(step))
    assert resumed.tree == whole.tree
    assert resumed.log_likelihoods == whole.log_likelihoods
    assert told == list(enumerate(whole.log_likelihoods, start=1))


def test_the_state_of_another_tree_is_refused() -> None:
    kept = Stopping(1)
    with pytest.raises(KeyboardInterrupt):
        batch_em(random_tree(0, 10, 3), np.eye(10), checkpoint=kept)
    with pytest.raises(TreeError, match="shape"):
        batch_em(random_tree(0, 11, 3), np.eye(11), checkpoint=kept)
