"""Hypothesis strategies: random trees, parameters and documents."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from hlta.tree.latent_tree import LatentTree
from hlta.tree.parameters import MAX_PROBABILITY, MIN_PROBABILITY, Parameters
from hlta.tree.validation import infer_levels

# Ordinary parameters, and some so near to 0 or 1 that sums and products lose their digits.
extremes = [1e-100, 1e-30, 1e-12, 1e-5, 0.5, 1 - 1e-5, 1 - 1e-12, 1 - 2.0**-53]
probabilities = st.floats(0.001, 0.999) | st.sampled_from(extremes)

ordinary = st.floats(0.01, 0.99)
Case = tuple[LatentTree, NDArray[np.int8]]  # a tree, and documents


def numbered_tree(
    n_words: int, parent: NDArray[np.int32], probability: NDArray[np.float64]
) -> LatentTree:
    """A tree of words w0, w1, ... with the levels that its shape implies."""
    words, level = tuple(f"w{i}" for i in range(n_words)), infer_levels(parent, n_words)
    return LatentTree(words, parent, level, probability, allow_irregular=True)


@st.composite
def trees(
    draw: st.DrawFn, max_latents: int = 6, max_words: int = 8, probability: Any = probabilities
) -> LatentTree:
    """Any rooted tree of binary variables with words as leaves: hierarchies, stars, chains."""
    m = draw(st.integers(1, max_latents))
    up = [-1] + [draw(st.integers(0, v - 1)) for v in range(1, m)]
    leaves = sorted(set(range(m)) - set(up))
    n = draw(st.integers(len(leaves), max(max_words, len(leaves))))
    above = leaves + [draw(st.integers(0, m - 1)) for _ in range(n - len(leaves))]
    # Latents in any order, the root anywhere among them.
    place = draw(st.permutations(range(m)))
    parent = np.empty(n + m, dtype=np.int32)
    parent[:n] = [n + place[p] for p in above]
    for v in range(m):
        parent[n + place[v]] = -1 if up[v] < 0 else n + place[up[v]]
    table = draw(st.lists(st.tuples(probability, probability), min_size=n + m, max_size=n + m))
    values = np.array(table)
    root = n + place[0]
    values[root, 1] = values[root, 0]
    return numbered_tree(n, parent, values)


def many_states(tree: LatentTree, seed: int, *, most: int, strength: float = 2.0) -> LatentTree:
    """The tree with random numbers of states from 2 to `most`, and anything else random."""
    rng = np.random.default_rng(seed)
    n, m = tree.n_words, tree.n_latents
    states = rng.integers(2, most + 1, m)
    states[rng.integers(m)] = most
    has_state = np.arange(most) < states[:, None]
    above = np.where(tree.parent < 0, tree.root, tree.parent) - n
    word = 1.0 / (1.0 + np.exp(-rng.normal(-1.5, strength, (n, most))))
    word = np.clip(word, MIN_PROBABILITY, MAX_PROBABILITY) * has_state[above[:n]]
    weight = np.exp(np.clip(rng.normal(0.0, strength, (m, most, most)), -200.0, 200.0))
    weight[tree.root - n] = weight[tree.root - n, 0]
    weight *= has_state[:, None, :]
    rows = weight / weight.sum(axis=2, keepdims=True)
    rows = np.where(has_state[:, None, :], np.maximum(rows, MIN_PROBABILITY), 0.0)
    exists = has_state[above[n:]]
    exists[tree.root - n] = True
    latent = rows * exists[:, :, None]
    background = rng.integers(1, states, dtype=np.int32)
    return tree.with_probability(Parameters(states.astype(np.int32), word, latent, background))


@st.composite
def trees_of_many_states(
    draw: st.DrawFn,
    /,
    most: int = 4,
    strengths: Sequence[float] = (0.5, 2.0, 10.0, 60.0),
    **limits: Any,
) -> LatentTree:
    """Small trees with 2 to `most` states per latent variable; strengths above 2 give extremes."""
    tree = draw(trees(**{"max_latents": 4, **limits}))
    states, strength = draw(st.integers(2, most)), draw(st.sampled_from(strengths))
    return many_states(tree, draw(st.integers(0, 10**6)), most=states, strength=strength)


@st.composite
def documents(draw: st.DrawFn, n_words: int, max_documents: int = 6) -> NDArray[np.int8]:
    """Dense 0/1 rows; the first is empty, the second full."""
    extra = draw(st.integers(0, max_documents - 2))
    row = st.lists(st.integers(0, 1), min_size=n_words, max_size=n_words)
    bits = draw(st.lists(row, min_size=extra, max_size=extra))
    return np.array([[0] * n_words, [1] * n_words, *bits], dtype=np.int8)


@st.composite
def with_documents(draw: st.DrawFn, drawn: st.SearchStrategy[LatentTree]) -> Case:
    tree = draw(drawn)
    return tree, draw(documents(tree.n_words))


any_trees = trees() | trees_of_many_states(most=6)


def random_tree(seed: int, n_words: int, n_latents: int, *, strength: float = 2.0) -> LatentTree:
    """A large random tree: latents attach to random earlier ones, words to random latents."""
    rng = np.random.default_rng(seed)
    up = np.array([-1, *(rng.integers(0, v) for v in range(1, n_latents))])
    leaves = np.setdiff1d(np.arange(n_latents), up)
    above = np.concatenate((leaves, rng.integers(0, n_latents, n_words - len(leaves))))
    parent = np.concatenate((above + n_words, np.where(up < 0, -1, up + n_words))).astype(np.int32)
    logits = rng.normal(-1.5, strength, (n_words + n_latents, 2))
    values = np.clip(1.0 / (1.0 + np.exp(-logits)), MIN_PROBABILITY, MAX_PROBABILITY)
    values[n_words, 1] = values[n_words, 0]
    return numbered_tree(n_words, parent, values)
