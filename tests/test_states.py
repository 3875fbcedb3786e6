"""More than two states: where they start from, that they pay, and that their number is found."""

from __future__ import annotations

import numpy as np
import pytest

from hlta import HLTA, LatentTree, Monitor, OptionError
from hlta.algorithm.em import batch_em
from hlta.algorithm.state_changes import add_states
from hlta.algorithm.states import learn_states
from hlta.documents.matrix import Documents, as_documents
from tests.strategies import many_states
from tests.synthetic import planted

SEED = np.random.SeedSequence(0)


def learned(
    tree: LatentTree, documents: Documents, states: int | str, n_jobs: int = 1
) -> LatentTree:
    return learn_states(
        tree, documents, states, seed=np.random.SeedSequence(1), n_jobs=n_jobs, monitor=Monitor()
    )


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


@pytest.mark.parametrize("states", [3, 8])
def test_new_states_are_variants_of_state_1(states: int) -> None:
    tree = planted(60, 0)
    grown = add_states(tree, states, SEED)
    assert grown.parameters.states.tolist() == [states] * tree.n_latents
    of_binary, of_grown = tree.parameters, grown.parameters
    np.testing.assert_allclose(of_grown.word[:, 0], of_binary.word[:, 0], rtol=1e-12)
    np.testing.assert_allclose(of_grown.latent[:, 0, 0], of_binary.latent[:, 0, 0], rtol=1e-12)
    on = of_grown.latent[:, 1:, 1:].sum(axis=2)
    np.testing.assert_allclose(on, np.repeat(of_binary.latent[:, 1:, 1], states - 1, axis=1))
    spread = of_grown.word[:, 1:].max(axis=1) / of_grown.word[:, 1:].min(axis=1)
    assert spread.min() > 1.0


def test_new_states_are_tied_along_the_tree() -> None:
    grown = add_states(planted(60, 0), 5, SEED)
    below = np.delete(grown.parameters.latent, grown.root - grown.n_words, axis=0)[:, 1:, 1:]
    share = below / below.sum(axis=2, keepdims=True)
    assert share.diagonal(axis1=1, axis2=2).min() >= 0.9


def test_two_states_are_the_tree_as_it_is(binary: LatentTree, documents: Documents) -> None:
    assert learned(binary, documents, 2) is binary


@pytest.mark.slow
def test_states_that_documents_have_are_found_and_pay(
    truth: LatentTree, binary: LatentTree, documents: Documents
) -> None:
    test = truth.sample(2000, seed=3)
    best = truth.log_likelihood(test).mean()
    with_two = binary.log_likelihood(test).mean()
    found = learned(binary, documents, "auto")
    assert found.parameters.most_states > 2
    with_more = found.log_likelihood(test).mean()
    assert with_more - with_two > 0.7 * (best - with_two) > 0.0


def test_documents_of_two_states_keep_them() -> None:
    tree = planted(40, 4)
    documents = as_documents(tree.sample(2000, seed=5))
    fitted = batch_em(tree, documents, steps=20).tree
    assert learned(fitted, documents, "auto") is fitted


def test_any_number_of_threads_gives_the_same_bits(
    binary: LatentTree, documents: Documents
) -> None:
    part = documents.take(np.arange(600))
    assert learned(binary, part, 3, n_jobs=1) == learned(binary, part, 3, n_jobs=3)


def test_the_estimator_learns_as_many_states_as_it_is_told(documents: Documents) -> None:
    X = documents.to_csr()[:500]
    model = HLTA(states=3, em_steps=5).fit(X)
    assert set(model.tree_.parameters.states.tolist()) == {3}
    shares = model.transform(X)
    assert shares.min() >= 0.0
    assert shares.max() <= 1.0
    np.testing.assert_allclose(shares.mean(axis=0), [t.size for t in model.topics_], atol=0.1)


@pytest.mark.parametrize(
    ("states", "message"),
    [
        (1, 'states=1: use a whole number, from 2 to 64, or "auto"'),
        (65, 'states=65: use a whole number, from 2 to 64, or "auto"'),
        ("two", "states='two': use a whole number, from 2 to 64, or \"auto\""),
        (True, 'states=True: use a whole number, from 2 to 64, or "auto"'),
        (None, 'states=None: use a whole number, from 2 to 64, or "auto"'),
        (40, "states=40: there are only 30 documents; use fewer states"),
    ],
)
def test_what_is_no_number_of_states_is_refused(
    documents: Documents, states: object, message: str
) -> None:
    with pytest.raises(OptionError) as refused:
        HLTA(states=states, em_steps=1).fit(documents.to_csr()[:30])  # type: ignore[arg-type]
    assert str(refused.value) == message
