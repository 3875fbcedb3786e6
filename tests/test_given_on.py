"""Words and latent variables given that one is on, against all combinations of states."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta.tree import given_on
from hlta.tree.given_on import latents_given_on, words_given_on
from tests.oracles import Floats, enumerate_states
from tests.strategies import random_tree, trees, trees_of_many_states

if TYPE_CHECKING:
    import pytest

    from hlta import LatentTree

MODERATE = st.floats(0.01, 0.99)


def enumerated(tree: LatentTree) -> tuple[Floats, Floats]:
    """P(word | v on) and P(u on | v on), v by words and v by u."""
    states, log_probability = enumerate_states(tree)
    n, latent = tree.n_words, np.arange(tree.n_latents)
    on = tree.parameters.is_on[latent, states].astype(np.float64)
    weight = on * np.exp(log_probability)[:, None]
    above = tree.parent[:n] - n
    words = tree.parameters.word[np.arange(n), states[:, above]]
    size = weight.sum(axis=0)[:, None]
    return weight.T @ words / size, weight.T @ on / size


def check(tree: LatentTree) -> None:
    chosen = np.arange(tree.n_latents)[::-1]
    words, latents = enumerated(tree)
    np.testing.assert_allclose(words_given_on(tree, chosen), words[chosen], rtol=1e-8)
    np.testing.assert_allclose(latents_given_on(tree, chosen), latents[chosen], rtol=1e-8)


@settings(max_examples=40)
@given(trees(max_latents=6, max_words=8, probability=MODERATE))
def test_binary_variables(tree: LatentTree) -> None:
    check(tree)


@settings(max_examples=40)
@given(trees_of_many_states(most=5, strengths=(0.5, 1.0, 2.0), max_words=6))
def test_variables_of_many_states(tree: LatentTree) -> None:
    check(tree)


def test_a_few_at_a_time_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = random_tree(3, 40, 20)
    whole = words_given_on(tree, np.arange(20))
    monkeypatch.setattr(given_on, "_AT_ONCE", 3 * tree.n_nodes * 2)
    np.testing.assert_array_equal(words_given_on(tree, np.arange(20)), whole)
    assert words_given_on(tree, np.arange(0)).shape == (0, 40)
