"""Small trees that tests of several modules start from: arrays to change, and a file in BIF."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from hlta.tree.latent_tree import LatentTree
from hlta.tree.parameters import Parameters, reorder_states


def small_tree(**changes: Any) -> LatentTree:
    """Words a-f under Z1-1 and Z1-2 (three each), both under the root Z2-1 beside the word g."""
    arguments: dict[str, Any] = {
        "words": tuple("abcdefg"),
        "parent": [7, 7, 7, 8, 8, 8, 9, 9, 9, -1],
        "level": [0] * 7 + [1, 1, 2],
        "probability": [[0.1, 0.6]] * 9 + [[0.3, 0.3]],
    }
    return LatentTree(**(arguments | changes))


PARENT: Final = small_tree().parent
LEVEL: Final = small_tree().level
PROBABILITY: Final = small_tree().probability


def three_states() -> Parameters:
    """Parameters of the small tree in which Z1-1 has three states, Z1-2 and the root two."""
    word = np.array([[0.1, 0.6, 0.3]] * 3 + [[0.1, 0.6, 0.0]] * 4)
    latent = np.zeros((3, 3, 3))
    latent[0, :2] = [[0.5, 0.3, 0.2], [0.2, 0.4, 0.4]]
    latent[1, :2, :2] = [[0.9, 0.1], [0.4, 0.6]]
    latent[2, :, :2] = [0.7, 0.3]
    return Parameters(np.array([3, 2, 2], dtype=np.int32), word, latent)


def changed(array: Any, index: Any, value: Any) -> Any:
    """A copy of an array with other entries; integers have 64 bits, so that any number fits."""
    copy = np.array(array, dtype=float if np.ndim(array) > 1 else np.int64)
    copy[index] = value
    return copy


SMALL_BIF: Final = """// a comment
network "small" { property "made by hand"; }
variable "Z" { type discrete[2] { "no" "yes" }; property "position = (1, 2)"; }
variable "a" { type discrete [ 2 ] { "s0", "s1" }; }
variable b { type discrete[2] { s0 s1 }; }
/* two
   lines */
variable "c" { type discrete[2] { "s0" "s1" }; }
probability ( "Z" ) { table 0.75 0.25; }
probability ( "a" | "Z" ) { table 9.0E-1 0.3 1.0E-1 0.7; }
probability ( b | "Z" ) { ("yes") 0.2, 0.8; ("no") 0.95, 0.05; }
probability ( "c" | "Z" ) { property "x"; table 0.5 0.5 0.5 0.5; }
"""


def hollow() -> LatentTree:
    """A root above two topics of common words, and a third, of rare ones, that is on where it is."""
    parent = np.concatenate((18 + np.arange(18) // 3, 24 + np.arange(6) // 2, [27] * 3, [-1]))
    level = [0] * 18 + [1] * 6 + [2] * 3 + [3]
    words = [[0.02, 0.5]] * 12 + [[0.01, 0.06]] * 6
    table = [*words, *[[0.05, 0.9]] * 6, *[[0.02, 0.95]] * 3, [0.3, 0.3]]
    return LatentTree([f"w{k}" for k in range(18)], parent, level, table)


def flat_tree(
    words: Sequence[str], states: Sequence[tuple[float, list[float]]], background: int = 1
) -> LatentTree:
    """One latent variable above all words, by size and P(word) of each of its states."""
    sizes, present = zip(*states, strict=True)
    return LatentTree(
        words,
        [len(words)] * len(words) + [-1],
        [0] * len(words) + [1],
        Parameters(
            states=np.array([len(states)], dtype=np.int32),
            word=np.array(present).T,
            latent=np.tile(sizes, (1, len(states), 1)),
            background=np.array([background], dtype=np.int32),
        ),
    )


# Of a topic on the market for cars, that for motorbikes and that for space.
FACETS: Final = flat_tree(
    ("car", "price", "buy", "bike", "ride", "dod", "space", "orbit", "nasa", "moon"),
    (
        (0.6, [0.05] * 3 + [0.01] * 7),
        (0.2, [0.8] * 3 + [0.02] * 7),
        (0.08, [0.5] * 3 + [0.8, 0.7, 0.6] + [0.02] * 4),
        (0.12, [0.3, 0.4, 0.4] + [0.02] * 3 + [0.8, 0.7, 0.6, 0.5]),
    ),
)


def with_swapped_states(tree: LatentTree, latents: Any) -> LatentTree:
    """The same distribution with states 0 and 1 of some latent variables exchanged."""
    order = np.tile(np.arange(tree.parameters.most_states), (tree.n_latents, 1))
    order[np.asarray(latents) - tree.n_words, :2] = (1, 0)
    return tree.with_probability(reorder_states(tree.parameters, tree.parent, order))
