"""Parameters of any number of states: odd ones are refused by name, and few are mended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta.errors import TreeError
from hlta.tree.parameters import (
    MAX_STATES,
    MIN_PROBABILITY,
    ROUNDING,
    Parameters,
    binary_parameters,
    bounded_rows,
)
from tests.strategies import trees, trees_of_many_states
from tests.trees import PROBABILITY, changed, small_tree, three_states

if TYPE_CHECKING:
    from hlta.tree.latent_tree import LatentTree

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


def test_one_state_is_refused_by_name_in_the_smallest_tree() -> None:
    from hlta.tree.latent_tree import LatentTree

    parameters = Parameters(np.array([1], dtype=np.int32), np.full((3, 1), 0.5), np.ones((1, 1, 1)))
    with pytest.raises(TreeError, match="latent variable 'Z1-1' has 1 state; it must have 2 to 64"):
        LatentTree(tuple("abc"), [3, 3, 3, -1], [0, 0, 0, 1], parameters)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"word": WORD[:6]}, r"word has shape \(6, 3\); it must be \(7, 3\)"),
        ({"word": WORD[:, :2]}, r"word has shape \(7, 2\); it must be \(7, 3\)"),
        ({"word": WORD[:, 0]}, r"word has shape \(7,\); it must be \(7, 3\)"),
        ({"latent": LATENT[:2]}, r"latent has shape \(2, 3, 3\); it must be \(3, 3, 3\)"),
        ({"latent": LATENT[:, :, :2]}, r"latent has shape \(3, 3, 2\); it must be \(3, 3, 3\)"),
        ({"latent": LATENT[:, :1]}, r"latent has shape \(3, 1, 3\); it must be \(3, 3, 3\)"),
        ({"latent": LATENT[:, 0]}, r"latent has shape \(3, 3\); it must be \(3, 3, 3\)"),
        ({"word": [[0.5, 0.5], [0.5]]}, "word must be an array of numbers: .*inhomogeneous"),
        (
            {"word": np.full((7, 3), 0.5j)},
            "word must be an array of numbers: it holds complex ones",
        ),
        ({"latent": "likely"}, "latent must be an array of numbers: could not convert"),
        (
            {"word": np.pad(WORD, ((0, 0), (0, 1)))},
            r"latent has shape \(3, 3, 3\); it must be \(3, 4, 4\) .* up to 4 states",
        ),
    ],
)
def test_arrays_have_a_row_for_every_node_and_a_column_for_every_state(
    changes: dict[str, Any], message: str
) -> None:
    refused(message, **changes)


@pytest.mark.parametrize(
    ("background", "message"),
    [
        (
            [1, 1],
            r"background must be one whole number per latent variable, 3 in all; it has shape",
        ),
        ([1.0, 1.0, 1.0], "background must be one whole number .* and type float64"),
        ([0, 1, 1], "the background of latent variable 'Z1-1' is 0 of its 3 states; .* 1 to 2"),
        ([3, 1, 1], "the background of latent variable 'Z1-1' is 3 of its 3 states; .* 1 to 2"),
        ([1, 2, 1], "the background of latent variable 'Z1-2' is 2 of its 2 states; .* 1 to 1"),
    ],
)
def test_the_background_is_some_of_the_states_but_not_all(
    background: list[float], message: str
) -> None:
    refused(message, background=np.array(background))


def test_one_state_is_the_background_unless_given() -> None:
    tree = small_tree(probability=Parameters(STATES, WORD, LATENT))
    assert tree.parameters.background.tolist() == [1, 1, 1]
    assert tree.parameters.is_on.tolist() == [[False, True, True], *[[False, True, False]] * 2]


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        ((0, 2), 0.0, r"P\(a = 1 \| parent = 2\) is 0.0; .* strictly between 0 and 1"),
        ((5, 1), 1.0, r"P\(f = 1 \| parent = 1\) is 1.0; .* strictly between 0 and 1"),
        ((5, 1), -0.5, r"P\(f = 1 \| parent = 1\) is -0.5"),
        ((6, 0), np.nan, r"P\(g = 1 \| parent = 0\) is nan"),
        ((3, 2), 0.5, r"parameters of 'd' hold 0.5 at \[2\], for a state .* must be 0"),
        ((6, 2), np.nan, r"parameters of 'g' hold nan at \[2\], for a state .* must be 0"),
    ],
)
def test_words_are_likely_in_the_states_that_there_are(
    place: tuple[int, int], value: float, message: str
) -> None:
    refused(message, word=changed(WORD, place, value))


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        ((0, 1, 1), 0.5, r"P\(Z1-1 \| parent = 1\) sums to 1.1; .* must sum to 1"),
        ((1, 0, 0), 0.8, r"P\(Z1-2 \| parent = 0\) sums to 0.9; .* must sum to 1"),
        ((2, slice(None), 0), 0.6, r"P\(Z2-1 \| parent = 0\) sums to 0.9; .* must sum to 1"),
        ((0, 1, 2), 0.0, r"P\(Z1-1 = 2 \| parent = 1\) is 0.0; .* strictly between 0 and 1"),
        ((1, 1), [1.5, -0.5, 0.0], r"P\(Z1-2 = 0 \| parent = 1\) is 1.5"),
        ((1, 1, 1), np.nan, r"P\(Z1-2 = 1 \| parent = 1\) is nan"),
        ((1, 0, 2), 0.1, r"parameters of 'Z1-2' hold 0.1 at \[0, 2\], for a state that it or"),
        ((0, 2), [0.2, 0.4, 0.4], r"parameters of 'Z1-1' hold 0.2 at \[2, 0\], .* must be 0"),
        ((2, 1), [0.6, 0.4, 0.0], "the root 'Z2-1' has no parent, but its rows differ"),
        ((2, 2), 0.0, r"P\(Z2-1 = 0 \| parent = 2\) is 0.0"),
    ],
)
def test_latent_variables_have_a_distribution_given_every_state_of_their_parents(
    place: Any, value: Any, message: str
) -> None:
    refused(message, latent=changed(LATENT, place, value))


def padded() -> Parameters:
    """The parameters of the small tree with two columns more than there are states."""
    word, latent = np.pad(WORD, ((0, 0), (0, 2))), np.pad(LATENT, ((0, 0), (0, 2), (0, 2)))
    latent[2] = latent[2, 0]  # the root has the same row everywhere
    return Parameters(STATES, word, latent)


def test_columns_beyond_the_largest_number_of_states_are_left_out() -> None:
    assert small_tree(probability=padded()) == small_tree(probability=three_states())


@pytest.mark.parametrize(
    ("name", "place", "message"),
    [
        ("word", (4, 3), r"parameters of 'e' hold 0.5 at \[3\]"),
        ("latent", (1, 0, 4), r"parameters of 'Z1-2' hold 0.5 at \[0, 4\]"),
        ("latent", (0, 3, 0), r"parameters of 'Z1-1' hold 0.5 at \[3, 0\]"),
    ],
)
def test_columns_that_are_left_out_hold_nothing(name: str, place: Any, message: str) -> None:
    odd = padded()
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


def test_the_largest_of_a_row_that_sums_to_nearly_1_is_what_the_others_leave() -> None:
    given = LATENT * (1.0 + 5e-10)
    tree = small_tree(probability=three_states()._replace(latent=given))
    found = tree.parameters.latent
    sums = found.sum(axis=2)
    np.testing.assert_allclose(sums[sums > 0.0], 1.0, rtol=0.0, atol=ROUNDING)
    assert (sums[1:][sums[1:] > 0.0] == 1.0).all()  # of two states
    assert found[0, 0].tolist() == [1.0 - given[0, 0, 1:].sum(), *given[0, 0, 1:]]
    assert found[1, 1].tolist() == [given[1, 1, 0], 1.0 - given[1, 1, 0], 0.0]


def test_a_state_that_is_hardly_possible_stays_so_beside_a_rounded_one() -> None:
    latent = changed(LATENT, (1, 1), [1e-100, 1.0 - 2.0**-53, 0.0])
    tree = small_tree(probability=three_states()._replace(latent=latent))
    assert tree.parameters.latent[1, 1].tolist() == [1e-100, 1.0, 0.0]


@settings(max_examples=60)
@given(st.one_of(trees(), trees_of_many_states(most=6)))
def test_parameters_of_a_tree_make_the_same_tree(tree: LatentTree) -> None:
    assert tree.with_probability(tree.parameters) == tree
    assert tree.with_probability(tree.with_probability(tree.parameters).parameters) == tree


@settings(max_examples=60)
@given(trees())
def test_a_table_of_two_states_is_kept_bit_for_bit(tree: LatentTree) -> None:
    table = tree.probability
    np.testing.assert_array_equal(tree.with_probability(table).probability, table)
    assert tree.with_probability(table) == tree
    binary = binary_parameters(table, tree.n_words)
    assert tree.with_probability(binary) == tree


def test_arrays_are_copied_and_cannot_be_changed() -> None:
    given = three_states()._replace(background=np.array([2, 1, 1], dtype=np.int32))
    tree = small_tree(probability=given)
    for array in given:
        array.fill(2)
    background = np.array([2, 1, 1], dtype=np.int32)
    assert tree == small_tree(probability=three_states()._replace(background=background))
    for array in (*tree.parameters, tree.state_marginals):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    assert tree.parameters.states.dtype == np.int32


def test_a_table_is_for_two_states() -> None:
    tree = small_tree(probability=three_states())
    assert small_tree().with_probability(three_states()) == tree
    assert tree.with_probability(PROBABILITY) == small_tree()


def test_rounding_takes_no_probability_out_of_its_bounds() -> None:
    rows = np.array([[np.nextafter(1.0, 2.0), 0.0, 0.0]])
    found = bounded_rows(rows, np.array([[True, True, False]]))
    assert found.tolist() == [[1.0, MIN_PROBABILITY, 0.0]]
