"""More than two states: where they start from, that they pay, and that their number is found."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from hlta import HLTA, LatentTree, Monitor, OptionError
from hlta.documents.given_matrices import as_documents
from hlta.documents.matrix import Documents
from hlta.learning import states
from hlta.learning.em import batch_em
from hlta.learning.state_changes import add_states
from hlta.learning.states import learn_states
from hlta.tree.state_order import order_states
from tests.jobs import on_jobs
from tests.strategies import many_states, numbered_tree
from tests.synthetic import planted

SEED = np.random.SeedSequence(0)


def learn(tree: LatentTree, documents: Documents, states: int | str, n_jobs: int = 1) -> LatentTree:
    given = tree, documents, states
    seed = np.random.SeedSequence(1)
    return on_jobs(n_jobs, learn_states, *given, seed=seed, monitor=Monitor()).tree


@pytest.fixture(scope="module")
def truth() -> LatentTree:
    """Latent variables with four states that differ in their words."""
    return many_states(planted(60, 1, width=8), 1, most=4, strength=1.5)


@pytest.fixture(scope="module")
def documents(truth: LatentTree) -> Documents:
    return as_documents(truth.sample(4000, seed=2))


@pytest.fixture(scope="module")
def binary(truth: LatentTree, documents: Documents) -> LatentTree:
    """The best tree of the true shape that has two states everywhere."""
    start = planted(60, 1, width=8)
    np.testing.assert_array_equal(start.parent, truth.parent)
    return batch_em(start, documents, steps=60).tree


@pytest.mark.parametrize("seed", range(3))
def test_each_variable_grows_to_a_number_of_its_own(seed: int) -> None:
    """Whatever the parent's copy, copies together have what the state had that they are copies of."""
    tree = many_states(planted(60, 0), seed, most=4)
    before = tree.parameters
    more = np.random.default_rng(seed).integers(0, 4, tree.n_latents)
    grown = add_states(tree, before.states + more.astype(np.int32), SEED)
    after = grown.parameters
    assert after.states.tolist() == (before.states + more).tolist()
    above = tree.parent.astype(int) - tree.n_words

    def source(v: int) -> NDArray[np.intp]:
        new = np.arange(before.states[v], after.states[v]) - before.states[v]
        return np.concatenate((np.arange(before.states[v]), 1 + new % (before.states[v] - 1)))

    for v in range(tree.n_latents):
        own = source(v)
        of_parent = source(above[tree.n_words + v]) if v != tree.root - tree.n_words else [0]
        for j, state in enumerate(of_parent):
            together = np.bincount(own, after.latent[v, j, : len(own)])
            expected = before.latent[v, state, : before.states[v]]
            np.testing.assert_allclose(together, expected, atol=1e-5)
        alone = np.bincount(own)[own] == 1
        for word in np.flatnonzero(above[: tree.n_words] == v):
            now, then = after.word[word, : len(own)], before.word[word, own]
            np.testing.assert_allclose(now[alone], then[alone], rtol=1e-9)


def test_two_states_are_the_tree_as_it_is_and_any_number_of_threads_is_the_same(
    binary: LatentTree, documents: Documents
) -> None:
    assert learn(binary, documents, 2) is binary
    part = documents.take(np.arange(600))
    assert learn(binary, part, 3, n_jobs=1) == learn(binary, part, 3, n_jobs=3)
    found = learn(binary, documents.take(np.arange(1000)), 6)
    before = binary.marginals[binary.n_words :]
    assert order_states(found, before) == found


@pytest.mark.slow
def test_true_states_are_found(truth: LatentTree, binary: LatentTree, documents: Documents) -> None:
    test = truth.sample(2000, seed=3)
    best = truth.log_likelihood(test).mean()
    with_two = binary.log_likelihood(test).mean()
    found = learn(binary, documents, "auto")
    assert found.parameters.most_states > 2
    with_more = found.log_likelihood(test).mean()
    assert with_more - with_two > 0.7 * (best - with_two) > 0.0


def test_of_too_many_documents_the_last_steps_are_stepwise(
    binary: LatentTree, documents: Documents, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = documents.take(np.arange(1000))
    in_batches = learn(binary, few, 3)
    monkeypatch.setattr(states, "AUTO_PRESENCES", 0)
    stepwise = learn(binary, few, 3)
    assert stepwise != in_batches
    test = documents.take(np.arange(1000, 2000))
    means = [tree.log_likelihood(test).mean() for tree in (stepwise, in_batches)]
    assert abs(means[0] - means[1]) < 0.01 * abs(means[1])


def test_documents_of_two_states_keep_them() -> None:
    tree = planted(40, 4)
    documents = as_documents(tree.sample(2000, seed=5))
    fitted = batch_em(tree, documents, steps=20).tree
    assert learn(fitted, documents, "auto") is fitted


def test_auto_that_finds_nothing_gives_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(states._Search, "best", lambda _: (None, "as by default"))
    documents = planted(120, 2).sample(600, seed=5)
    by_default, auto = (HLTA(samples=2, states=each).fit(documents) for each in (None, "auto"))
    assert auto.tree_ == by_default.tree_
    assert auto.tree_.parameters.most_states == 4
    assert (auto.log_likelihoods_ == by_default.log_likelihoods_).all()
    new = documents[:50]
    assert auto.partial_fit(new).tree_ == by_default.partial_fit(new).tree_


def test_by_default_islands_have_four_states_which_pays_and_topics_two(truth: LatentTree) -> None:
    X, test = (truth.sample(2000, seed=seed) for seed in (4, 5))
    three, two, tree = (
        HLTA(states=states, samples=5, max_top_topics=5, em_steps=steps).fit(X).tree_
        for states, steps in ((3, 2), (2, 50), (None, 50))
    )
    np.testing.assert_array_equal(two.parent, tree.parent)
    level, states = tree.level[tree.n_words :], tree.parameters.states
    assert set(three.parameters.states) == {3}
    assert set(states[level == 1]) == {4}
    assert set(states[level > 1]) == {2}
    gain = tree.log_likelihood(test) - two.log_likelihood(test)
    assert gain.mean() > 3.0 * gain.std() / len(gain) ** 0.5


def test_islands_that_are_the_topics_have_two_states() -> None:
    parent = np.array([6] * 6 + [-1], dtype=np.int32)
    table = np.array([[0.1, 0.5]] * 6 + [[0.5, 0.5]])
    tree = HLTA(samples=1).fit(numbered_tree(6, parent, table).sample(300, seed=0)).tree_
    assert tree.level.max() == 1
    assert set(tree.parameters.states) == {2}


def test_no_number_of_states_is_refused_first(documents: Documents, monkeypatch: Any) -> None:
    monkeypatch.setattr("hlta.learning.recipe.learn_structure", None)
    odd: list[Any] = [1, 65, True, 40]
    for number in odd:
        with pytest.raises(OptionError, match=f"states={number!r}: "):
            HLTA(states=number, em_steps=1).fit(documents.to_csr()[:30])
