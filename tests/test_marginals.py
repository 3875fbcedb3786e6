"""P(word | latent) and mutual information against the joint distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta.tree.marginals import mutual_information, word_marginals
from tests.oracles import enumerate_joint
from tests.strategies import trees

if TYPE_CHECKING:
    from hlta import LatentTree


def below(tree: LatentTree, latent: int) -> set[int]:
    """Words that a path of descending levels leads down to."""
    words: set[int] = set()
    for child in tree.children[latent].tolist():
        if child < tree.n_words:
            words.add(child)
        elif tree.level[child] < tree.level[latent]:
            words |= below(tree, child)
    return words


@settings(max_examples=40, deadline=None)
@given(trees(max_latents=5, max_words=6))
def test_marginals_are_those_of_the_joint(tree: LatentTree) -> None:
    every = (np.arange(1 << tree.n_words)[:, None] >> np.arange(tree.n_words)) & 1
    beliefs = enumerate_joint(tree, every)
    weight = np.exp(beliefs.log_likelihood)
    posterior = beliefs.posterior(tree)
    table = word_marginals(tree)
    for v in range(tree.n_latents):
        entries = slice(table.start[v], table.start[v + 1])
        words = table.word[entries]
        assert set(words.tolist()) == below(tree, v + tree.n_words)
        on = weight * posterior[:, v]
        off = weight * (1.0 - posterior[:, v])
        for word, given_latent in zip(words, table.given[entries], strict=True):
            present = every[:, word] == 1
            if on.sum() > 1e-6 and off.sum() > 1e-6:
                expected = [off[present].sum() / off.sum(), on[present].sum() / on.sum()]
                np.testing.assert_allclose(given_latent, expected, rtol=1e-6, atol=1e-9)


@settings(max_examples=40, deadline=None)
@given(trees(max_latents=5, max_words=6))
def test_words_are_ranked_by_information(tree: LatentTree) -> None:
    table = word_marginals(tree)
    for v in range(tree.n_latents):
        entries = slice(table.start[v], table.start[v + 1])
        prior = np.full(len(table.word[entries]), tree.marginals[v + tree.n_words])
        information = mutual_information(table.given[entries], prior)
        np.testing.assert_array_equal(table.information[entries], information)
        assert (np.diff(information) <= 0.0).all()


@given(*[st.floats(0.001, 0.999)] * 3)
def test_information_is_that_of_the_joint_table(off: float, on: float, prior: float) -> None:
    joint = np.array([[1 - off, off], [1 - on, on]]) * [[1 - prior], [prior]]
    independent = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    expected = (joint * np.log(joint / independent)).sum()
    information = mutual_information(np.array([[off, on]]), np.array([prior]))
    assert information == pytest.approx([expected], abs=1e-12)
    assert information[0] >= 0.0


def test_certain_variables_have_finite_information() -> None:
    given_latent = np.array([[0.0, 1.0], [0.0, 0.0], [1.0, 1.0]])
    information = mutual_information(given_latent, np.full(3, 0.5))
    np.testing.assert_allclose(information, [np.log(2.0), 0.0, 0.0])
