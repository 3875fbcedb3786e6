"""Parameters of any number of states: odd ones are refused by name, and few are mended."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hlta.errors import TreeError
from hlta.tree.parameters import (
    MAX_STATES,
    MIN_PROBABILITY,
    Parameters,
    bounded_rows,
)
from tests.trees import changed, small_tree, three_states

STATES, WORD, LATENT, _ = three_states()


def refused(message: str, **changes: Any) -> None:
    with pytest.raises(TreeError, match=message):
        small_tree(probability=three_states()._replace(**changes))


@pytest.mark.parametrize(
    ("states", "message"),
    [
        ([1, 2, 2], "latent variable 'Z1-1' has 1 state; it must have 2 to 64"),
        ([3, 0, 2], "latent variable 'Z1-2' has 0 states; it must have 2 to 64"),
        ([3, 2, 65], "latent variable 'Z2-1' has 65 states; it must have 2 to 64"),
        ([3, -2, 2], "latent variable 'Z1-2' has -2 states"),
        ([3, 2], r"states must be one whole number per latent variable, 3 in all; .* \(2,\)"),
        ([[3, 2, 2]], r"states must be one whole number per latent variable.* \(1, 3\)"),
        ([3.0, 2.0, 2.0], "states must be one whole number .* type float64"),
        ([True, True, True], "states must be one whole number .* type bool"),
    ],
)
def test_latent_variables_have_2_to_64_states(states: Any, message: str) -> None:
    refused(message, states=np.array(states))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"word": WORD[:6]}, r"word has shape \(6, 3\); it must be \(7, 3\)"),
        ({"word": WORD[:, 0]}, r"word has shape \(7,\); it must be \(7, 3\)"),
        ({"latent": LATENT[:2]}, r"latent has shape \(2, 3, 3\); it must be \(3, 3, 3\)"),
        ({"latent": LATENT[:, :, :2]}, r"latent has shape \(3, 3, 2\); it must be \(3, 3, 3\)"),
        ({"latent": LATENT[:, 0]}, r"latent has shape \(3, 3\); it must be \(3, 3, 3\)"),
        ({"word": [[0.5, 0.5], [0.5]]}, "word must be an array of numbers"),
        ({"word": np.full((7, 3), 0.5j)}, "word must be an array of numbers"),
        ({"latent": "likely"}, "latent must be an array of numbers"),
        ({"word": np.pad(WORD, ((0, 0), (0, 1)))}, r"latent has shape \(3, 3, 3\)"),
        ({"background": np.array([1, 1])}, "background must be one whole number per latent"),
        ({"background": np.array([1.0, 1.0, 1.0])}, "background must be one whole number"),
        ({"background": np.array([0, 1, 1])}, "background of latent variable 'Z1-1' is 0"),
        ({"background": np.array([3, 1, 1])}, "background of latent variable 'Z1-1' is 3"),
        ({"background": np.array([1, 2, 1])}, "background of latent variable 'Z1-2' is 2"),
    ],
)
def test_arrays_of_other_shapes_kinds_and_backgrounds_are_refused(
    changes: dict[str, Any], message: str
) -> None:
    refused(message, **changes)


@pytest.mark.parametrize(
    ("name", "place", "value", "message"),
    [
        ("word", (0, 2), 0.0, r"P\(a = 1 \| parent = 2\) is 0.0; .* strictly between 0 and 1"),
        ("word", (5, 1), 1.0, r"P\(f = 1 \| parent = 1\) is 1.0; .* strictly between 0 and 1"),
        ("word", (5, 1), -0.5, r"P\(f = 1 \| parent = 1\) is -0.5"),
        ("word", (6, 0), np.nan, r"P\(g = 1 \| parent = 0\) is nan"),
        ("word", (3, 2), 0.5, r"parameters of 'd' hold 0.5 at \[2\]"),
        ("word", (6, 2), np.nan, r"parameters of 'g' hold nan at \[2\]"),
        ("latent", (0, 1, 1), 0.5, r"P\(Z1-1 \| parent = 1\) sums to 1.1; .* must sum to 1"),
        ("latent", (2, slice(None), 0), 0.6, r"P\(Z2-1 \| parent = 0\) sums to 0.9"),
        ("latent", (0, 1, 2), 0.0, r"P\(Z1-1 = 2 \| parent = 1\) is 0.0"),
        ("latent", (1, 1), [1.5, -0.5, 0.0], r"P\(Z1-2 = 0 \| parent = 1\) is 1.5"),
        ("latent", (1, 1, 1), np.nan, r"P\(Z1-2 = 1 \| parent = 1\) is nan"),
        ("latent", (1, 0, 2), 0.1, r"parameters of 'Z1-2' hold 0.1 at \[0, 2\]"),
        ("latent", (0, 2), [0.2, 0.4, 0.4], r"parameters of 'Z1-1' hold 0.2 at \[2, 0\]"),
        ("latent", (2, 1), [0.6, 0.4, 0.0], "the root 'Z2-1' has no parent, but its rows differ"),
        ("latent", (2, 2), 0.0, r"P\(Z2-1 = 0 \| parent = 2\) is 0.0"),
    ],
)
def test_what_is_no_distribution_given_every_state_of_the_parent_is_refused_by_name(
    name: str, place: Any, value: Any, message: str
) -> None:
    array = {"word": WORD, "latent": LATENT}[name]
    refused(message, **{name: changed(array, place, value)})


def padded() -> Parameters:
    """The parameters of the small tree with two columns more than there are states."""
    word, latent = np.pad(WORD, ((0, 0), (0, 2))), np.pad(LATENT, ((0, 0), (0, 2), (0, 2)))
    latent[2] = latent[2, 0]  # the root has the same row everywhere
    return Parameters(STATES, word, latent)


@pytest.mark.parametrize(
    ("name", "place", "message"),
    [
        ("word", (4, 3), r"parameters of 'e' hold 0.5 at \[3\]"),
        ("latent", (1, 0, 4), r"parameters of 'Z1-2' hold 0.5 at \[0, 4\]"),
        ("latent", (0, 3, 0), r"parameters of 'Z1-1' hold 0.5 at \[3, 0\]"),
    ],
)
def test_columns_beyond_the_largest_number_of_states_are_left_out_and_hold_nothing(
    name: str, place: Any, message: str
) -> None:
    odd = padded()
    assert small_tree(probability=odd) == small_tree(probability=three_states())
    getattr(odd, name)[place] = 0.5
    with pytest.raises(TreeError, match=message):
        small_tree(probability=odd)


def test_64_states_are_possible() -> None:
    rng = np.random.default_rng(0)
    latent = np.tile(rng.dirichlet(np.ones(MAX_STATES), 3)[:, None], (1, MAX_STATES, 1))
    states = np.full(3, MAX_STATES, dtype=np.int32)
    tree = small_tree(probability=Parameters(states, rng.uniform(0.1, 0.9, (7, 64)), latent))
    documents = np.eye(7, dtype=np.int8)
    expected = np.log(tree.marginals[:7]) - np.log1p(-tree.marginals[:7])
    assert np.isfinite(tree.log_likelihood(documents)).all()
    # The latent variables are independent of each other, so that "g" is independent of all others.
    only_g, none = tree.log_likelihood(np.stack((documents[6], np.zeros(7))))
    assert only_g - none == pytest.approx(expected[6], rel=1e-9)
    assert tree.hard_assignment(documents).toarray().max() < MAX_STATES


def test_rounding_takes_no_probability_out_of_its_bounds() -> None:
    rows = np.array([[np.nextafter(1.0, 2.0), 0.0, 0.0]])
    found = bounded_rows(rows, np.array([[True, True, False]]))
    assert found.tolist() == [[1.0, MIN_PROBABILITY, 0.0]]
