"""Batch and stepwise EM against a few lines of NumPy on top of the oracle."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hlta.errors import DocumentsError, FormatError, OptionError
from hlta.learning.checkpoint import Checkpoint
from hlta.learning.em import Prior, batch_em, maximise, stepwise_em
from hlta.tree.latent_tree import LatentTree
from hlta.tree.parameters import FLOOR, Parameters
from tests.oracles import Floats, dense_messages
from tests.strategies import (
    Case,
    any_trees,
    ordinary,
    random_tree,
    trees,
    trees_of_many_states,
    with_documents,
)

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
few_extremes = trees_of_many_states(most=6, strengths=(0.5, 1.0))
ANY_NUMBER_OF_STATES = with_documents(trees(probability=ordinary) | few_extremes)


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
@given(ANY_NUMBER_OF_STATES, priors, st.integers(1, 3))
def test_batch_em_agrees_with_the_oracle(case: Case, prior: dict[str, Any], steps: int) -> None:
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


@pytest.mark.slow
@few
@given(
    ANY_NUMBER_OF_STATES, st.integers(1, 4), st.integers(0, 2**32 - 1), st.sampled_from([0, 2.0])
)
def test_stepwise_em_agrees_with_the_oracle(
    case: Case, updates: int, seed: int, state_shrinkage: float
) -> None:
    tree, documents = case
    batches = max(1, round(len(documents) / 2))
    rng = np.random.default_rng(seed)
    rows: list[NDArray[np.int64]] = []
    while len(rows) < updates:
        rows += np.array_split(rng.permutation(len(documents)), batches)
    word = np.zeros((*tree.parameters.word.shape, 2))
    latent = np.zeros(tree.parameters.latent.shape)
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
    how: dict[str, Any] = {"batch_size": 2, "exponent": 0.6, "updates": updates, "seed": seed}
    how |= {"pseudo_count": 0.1, "shrinkage": 3.0, "state_shrinkage": state_shrinkage}
    result = stepwise_em(tree, documents, **how)
    assert_parameters(result.tree, expected, rtol=1e-8)
    assert len(result.log_likelihoods) == updates


@pytest.mark.slow
@few
@given(with_documents(any_trees), priors)
def test_no_step_loses(case: Case, prior: dict[str, Any]) -> None:
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


def test_no_steps_leave_the_tree_as_it_was() -> None:
    tree = random_tree(5, n_words=40, n_latents=10)
    documents = tree.sample(30, seed=0)
    assert batch_em(tree, documents, steps=0).tree == tree
    assert stepwise_em(tree, documents, updates=0).tree == tree


@pytest.mark.parametrize(
    ("learn", "options"),
    [
        (batch_em, {"steps": -1}),
        (batch_em, {"pseudo_count": -0.1}),
        (batch_em, {"shrinkage": -1.0}),
        (batch_em, {"state_shrinkage": -2.0}),
        (stepwise_em, {"batch_size": 0}),
        (stepwise_em, {"exponent": 1.5}),
        (stepwise_em, {"updates": -1}),
        (stepwise_em, {"seed": -1}),
    ],
)
def test_odd_options_and_vocabularies_are_refused(learn: Any, options: dict[str, Any]) -> None:
    tree = random_tree(0, 10, 3)
    with pytest.raises(OptionError, match=next(iter(options))):
        learn(tree, np.eye(10), **options)
    with pytest.raises(DocumentsError, match="9 columns"):
        learn(tree, np.eye(9))


class Stopping(Checkpoint):
    """Keeps the state, and stops after some steps."""

    def __init__(self, steps: int) -> None:
        self.left, self.state = steps, None

    def get(self, name: str) -> Any:  # noqa: ARG002
        return self.state

    def keep(self, name: str, value: Any) -> None:  # noqa: ARG002
        self.state = value
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


@settings(max_examples=30)
@given(ANY_NUMBER_OF_STATES, st.integers(1, 8), st.booleans())
def test_em_that_was_stopped_goes_on(pair: Case, stop: int, stepwise: bool) -> None:
    tree, X = pair
    learn: Any = stepwise_em if stepwise else batch_em
    how = {"updates": 8, "batch_size": 2, "seed": 1} if stepwise else {"steps": 8}
    options: dict[str, Any] = {"n_jobs": 1} | how
    whole = learn(tree, X, **options)
    kept, shown = Stopping(stop), list[tuple[int, float]]()
    with pytest.raises(KeyboardInterrupt):
        learn(tree, X, **options, checkpoint=kept)
    resumed = learn(tree, X, **options, checkpoint=kept, on_step=lambda *step: shown.append(step))
    assert resumed.tree == whole.tree
    assert resumed.log_likelihoods == whole.log_likelihoods
    assert shown == list(enumerate(whole.log_likelihoods, start=1))


def test_the_state_of_another_tree_is_refused() -> None:
    kept = Stopping(1)
    with pytest.raises(KeyboardInterrupt):
        batch_em(random_tree(0, 10, 3), np.eye(10), checkpoint=kept)
    with pytest.raises(FormatError, match="in the checkpoint is damaged"):
        batch_em(random_tree(0, 11, 3), np.eye(11), checkpoint=kept)
