"""Arrays that are not a tree are refused by name, as are odd parameters; levels follow from the shape."""

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hlta.errors import TreeError
from hlta.topics import TopicTree
from hlta.tree.latent_tree import LatentTree
from hlta.tree.parameters import MAX_STATES, MIN_PROBABILITY, Parameters, bound_rows
from hlta.tree.validation import MAX_LEVEL, infer_levels
from tests.trees import LEVEL, PARENT, PROBABILITY, changed, small_tree, three_states

ODD: dict[str, list[tuple[Any, str]]] = {
    "words": [
        (("a", "b", "c", "d", "e", "f", "a"), "'a' 2 times; every word must be distinct"),
        ((), "words is empty"),
        ((*"abcdef", ""), "every word must be a non-empty string"),
        ((*"abcdef", 7), "words holds 7"),
        ((*"abcdef", "g\ud83d"), "with half of a character; leave that half out"),
    ],
    "latent_names": [
        (("x", "x", "y"), "'x' 2 times"),
        (("x", "y"), "2 entries for 3 latent variables"),
        (("x", "a", "y"), "'a' is also the name of a word"),
    ],
    "parent": [
        (changed(PARENT, 8, 8), "cycle through 'Z1-2'"),
        (changed(PARENT, 8, -1), r"2 roots .* \[8, 9\]"),
        (changed(PARENT, 9, 8), "no root"),
        (changed(PARENT, [0, 9], [-1, 8]), "root is the word 'a'"),
        (changed(PARENT, 2, 10), "parent of 'c' is node 10, which does not exist"),
        (changed(PARENT, 2, 3), "parent of 'c' is the word 'd'"),
        (changed(PARENT, 7, 0), "parent of latent node 7 is the word 'a'"),
        (changed(PARENT, [0, 1, 2], 8), "'Z1-1' has no child"),
        (changed(PARENT, 2, 2**32 + 7), "parent holds numbers beyond 32 bits"),
        (changed(PARENT, 2, -(2**32)), "parent holds numbers beyond 32 bits"),
        (PARENT[:7], "at least one latent variable"),
        (PARENT.astype(float), "parent must be a one-dimensional array of integers"),
    ],
    "level": [
        (LEVEL[:9], "level has 9 entries, but parent has 10"),
        (changed(LEVEL, 3, 1), "level of the word 'd' is 1"),
        (changed(LEVEL, 7, 0), "level of latent variable 'Z0-1' is 0"),
        (changed(LEVEL, 9, 101), "'Z101-1' is 101; it must be at least 1 and at most 100"),
        (changed(LEVEL, 7, 3), "'Z3-1' at level 3 hangs below 'Z2-1' at level 2"),
    ],
    "probability": [
        (PROBABILITY[:9], r"shape \(9, 2\); it must be \(10, 2\)"),
        ([[0.5, 0.5], [0.5]], "probability must be an array of numbers: .*inhomogeneous"),
        (changed(PROBABILITY, (4, 1), 0.0), r"P\(e = 1 \| parent = 1\) is 0.0; .* between 0 and 1"),
        (changed(PROBABILITY, (4, 0), 1.0), r"P\(e = 1 \| parent = 0\) is 1.0; .* between 0 and 1"),
        (changed(PROBABILITY, (4, 0), np.nan), r"P\(e = 1 \| parent = 0\) is nan"),
        (changed(PROBABILITY, (9, 1), 0.4), "root 'Z2-1' has no parent, but its rows differ"),
    ],
}


@pytest.mark.parametrize(
    ("argument", "value", "message"),
    [(argument, *odd) for argument, values in ODD.items() for odd in values],
)
def test_what_is_no_tree_is_refused_by_name(argument: str, value: Any, message: str) -> None:
    with pytest.raises(TreeError, match=message):
        small_tree(**{argument: value})


def test_variables_have_three_neighbours_unless_an_irregular_tree_is_asked_for() -> None:
    few = changed(PARENT, [0, 1], 8)
    with pytest.raises(TreeError, match="not regular: 'Z1-1' has 2 neighbours"):
        small_tree(parent=few)
    with pytest.raises(TreeError, match="not regular: 'Z1-1' has 2 neighbours"):
        LatentTree(("a", "b"), [2, 2, -1], [0, 0, 1], np.full((3, 2), 0.5))
    tree = small_tree(parent=few, allow_irregular=True)
    assert [len(children) for children in tree.children[7:]] == [1, 5, 3]


@pytest.mark.parametrize(
    ("parent", "n_words", "levels"),
    [
        ([6, 6, 6, 7, 7, 7, 8, 8, -1], 6, [1, 1, 2]),
        (PARENT, 7, [1, 1, 1]),  # the root has a word
        ([4, 5, 6, 6, -1, 4, 5], 4, [1] * 3),  # a chain
        ([6, 6, 7, 7, 8, 8, 9, 9, 10, -1, 9], 6, [1, 1, 1, 2, 2]),  # linked at the top
    ],
)
def test_levels_follow_from_the_shape(parent: Any, n_words: int, levels: list[int]) -> None:
    assert infer_levels(parent, n_words).tolist() == [0] * n_words + levels
    with pytest.raises(TreeError, match="cycle through 'y'"):
        infer_levels([2, 2, -1, 4, 3], 2, ("a", "b", "x", "y", "z"))


def chain(n: int, level: list[int]) -> LatentTree:
    """Latent variables one below the other, each with two words and the lowest with three."""
    n_words = 2 * n + 1
    above = [n_words + max(0, k // 2 - (k == 2 * n)) for k in range(n_words)]
    parent = [*above, -1, *range(n_words, n_words + n - 1)]
    words = [f"w{k}" for k in range(n_words)]
    return LatentTree(words, parent, [0] * n_words + level, [[0.3, 0.3]] * len(parent))


def test_the_deepest_tree_can_be_shown_and_written(tmp_path: Path) -> None:
    tree = chain(MAX_LEVEL, list(range(MAX_LEVEL, 0, -1)))
    topics = TopicTree.from_tree(tree, lowest_level=1)
    assert len(topics.to_text().splitlines()) == MAX_LEVEL
    assert json.loads(topics.to_json())["topics"]
    assert pickle.loads(pickle.dumps(topics)).roots[0].id == topics.roots[0].id
    topics.to_html(tmp_path / "page.html")
    assert len(TopicTree.from_tree(chain(3000, [1] * 3000))) == 3000  # links, all of one level


STATES, WORD, LATENT, _ = three_states()


ODD_PARAMETERS: dict[str, list[tuple[Any, str]]] = {
    "states": [
        ([1, 2, 2], "latent variable 'Z1-1' has 1 state; it must have 2 to 64"),
        ([3, 2, 65], "latent variable 'Z2-1' has 65 states; it must have 2 to 64"),
        ([3, 2], r"states must be one whole number per latent variable, 3 in all; .* \(2,\)"),
        ([3.0, 2.0, 2.0], "states must be one whole number .* type float64"),
    ],
    "word": [
        (WORD[:6], r"word has shape \(6, 3\); it must be \(7, 3\)"),
        (np.pad(WORD, ((0, 0), (0, 1))), r"latent has shape \(3, 3, 3\)"),
        ([[0.5, 0.5], [0.5]], "word must be an array of numbers"),
        (np.full((7, 3), 0.5j), "word must be an array of numbers"),
        (changed(WORD, (0, 2), 0.0), r"P\(a = 1 \| parent = 2\) is 0.0; .* between 0 and 1"),
        (changed(WORD, (5, 1), 1.0), r"P\(f = 1 \| parent = 1\) is 1.0; .* between 0 and 1"),
        (changed(WORD, (6, 2), np.nan), r"parameters of 'g' hold nan at \[2\]"),
    ],
    "latent": [
        (LATENT[:, :, :2], r"latent has shape \(3, 3, 2\); it must be \(3, 3, 3\)"),
        (changed(LATENT, (0, 1, 1), 0.5), r"P\(Z1-1 \| parent = 1\) sums to 1.1; .* sum to 1"),
        (changed(LATENT, (0, 1, 2), 0.0), r"P\(Z1-1 = 2 \| parent = 1\) is 0.0"),
        (changed(LATENT, (1, 1), [1.5, -0.5, 0.0]), r"P\(Z1-2 = 0 \| parent = 1\) is 1.5"),
        (changed(LATENT, (1, 0, 2), 0.1), r"parameters of 'Z1-2' hold 0.1 at \[0, 2\]"),
        (changed(LATENT, (0, 2), [0.2, 0.4, 0.4]), r"parameters of 'Z1-1' hold 0.2 at \[2, 0\]"),
        (changed(LATENT, (2, 1), [0.6, 0.4, 0.0]), "root 'Z2-1' has no parent, but its rows diff"),
    ],
    "background": [
        ([1.0, 1.0, 1.0], "background must be one whole number per latent"),
        ([0, 1, 1], "background of latent variable 'Z1-1' is 0"),
        ([3, 1, 1], "background of latent variable 'Z1-1' is 3"),
    ],
}


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [(name, *odd) for name, values in ODD_PARAMETERS.items() for odd in values],
)
def test_odd_parameters_are_refused_by_name(name: str, value: Any, message: str) -> None:
    with pytest.raises(TreeError, match=message):
        small_tree(probability=three_states()._replace(**{name: value}))


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
def test_columns_beyond_the_most_states_hold_nothing(name: str, place: Any, message: str) -> None:
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


def test_what_is_hardly_possible_stays_so_and_rounding_keeps_the_bounds() -> None:
    latent = changed(LATENT, (1, 1), [1e-100, 1.0 - 2.0**-53, 0.0])
    tree = small_tree(probability=three_states()._replace(latent=latent))
    assert tree.parameters.latent[1, 1].tolist() == [1e-100, 1.0, 0.0]
    rows = np.array([[np.nextafter(1.0, 2.0), 0.0, 0.0]])
    found = bound_rows(rows, np.array([[True, True, False]]))
    assert found.tolist() == [[1.0, MIN_PROBABILITY, 0.0]]
