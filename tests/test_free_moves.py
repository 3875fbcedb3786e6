"""Refinement brings variables to where they share most, keeps what BIC favours, and keeps the shape."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from hlta.documents.given_matrices import as_documents
from hlta.learning import free_moves
from hlta.learning.em import batch_em
from hlta.learning.free_moves import (
    EM_STEPS,
    NEGLIGIBLE,
    latents_by_level,
    make_free_moves,
    move_variables,
)
from hlta.learning.paper.hierarchy import build_hierarchy
from hlta.learning.reassignment import Reassigned
from hlta.monitor import Monitor
from hlta.options import StructureOptions
from hlta.tree.latent_tree import LatentTree
from tests.jobs import on_jobs
from tests.synthetic import planted

OPTIONS = StructureOptions(max_top_topics=3)


class Misplaced(NamedTuple):
    """A planted tree, the same with a few words elsewhere, and documents of the first."""

    tree: LatentTree
    wrong: LatentTree
    X: NDArray[np.int8]


def misplaced(seed: int, n: int = 60, count: int = 2000) -> Misplaced:
    tree = planted(n, seed)
    X = tree.sample(count, seed=seed).toarray()
    rng = np.random.default_rng(seed)
    parent = tree.parent.copy()
    sizes = np.bincount(parent[:n], minlength=tree.n_nodes)
    for group in np.flatnonzero(sizes >= 4)[:4]:  # three stay
        word = int(np.flatnonzero(parent[:n] == group)[0])
        parent[word] = rng.choice(np.setdiff1d(tree.levels[1], group))
    return Misplaced(tree, LatentTree(tree.words, parent, tree.level, tree.probability), X)


def moved_in(tree: LatentTree, X: Any) -> LatentTree | None:
    documents = as_documents(X)
    return move_variables(tree, documents.to_csr(np.float32), latents_by_level(tree, documents))


def together(tree: LatentTree) -> NDArray[np.bool_]:
    """Which words have the same parent."""
    parent = tree.parent[: tree.n_words]
    same: NDArray[np.bool_] = parent[:, None] == parent
    return same


@pytest.mark.parametrize("seed", range(3))
def test_misplaced_words_go_home_with_any_number_of_threads(seed: int) -> None:
    tree, wrong, X = misplaced(seed)
    found, other = (on_jobs(k, make_free_moves, wrong, as_documents(X)) for k in (1, 3))
    assert found == other
    right = (together(found) == together(tree)).mean()
    assert right > (together(wrong) == together(tree)).mean()
    assert right > 0.98
    fitted = batch_em(wrong, X, steps=20).tree
    assert found.log_likelihood(X).mean() > fitted.log_likelihood(X).mean()


def test_moves_that_cost_bic_are_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    tree, _, X = misplaced(0)
    asked = []

    def scatter(_lower: Any, upper: Any, current: Any, probability: Any, **_: Any) -> Reassigned:
        asked.append(len(current))
        alive = np.ones(upper.shape[1], dtype=np.uint8)
        return Reassigned(np.roll(current, 2), probability, alive)

    monkeypatch.setattr(free_moves, "reassign_by_mi", scatter)
    found = make_free_moves(tree, as_documents(X))
    assert asked[0] == 60
    assert found == batch_em(tree, X, steps=EM_STEPS).tree


def test_nothing_moves_where_all_are_at_home() -> None:
    tree, _, X = misplaced(0, count=20_000)
    assert moved_in(batch_em(tree, X, steps=5).tree, X) is None
    single = planted(4, 0)
    assert moved_in(single, single.sample(100, seed=0)) is None


@pytest.mark.parametrize("seed", range(3))
def test_rounds_of_moves_keep_the_tree_in_shape_and_what_stays_as_it_was(seed: int) -> None:
    n, moved = 150, 0
    X = as_documents(planted(n, seed).sample(700, seed=seed))
    tree = build_hierarchy(X, [f"w{i}" for i in range(n)], OPTIONS, False, monitor=Monitor())
    for _ in range(4):
        before = batch_em(tree, X, steps=3).tree
        rival = moved_in(before, X)
        if rival is None:
            break
        tree, moved = rival, moved + 1
        assert tree.words == tuple(f"w{i}" for i in range(n))
        for v in range(n, tree.n_nodes):
            assert sum(tree.level[c] < tree.level[v] for c in tree.children[v]) >= 2
            linked = v != tree.root and tree.level[tree.parent[v]] == tree.level[v]
            assert not linked or tree.level[v] == tree.level.max()
        if tree.n_nodes == before.n_nodes:
            stay = tree.parent[:n] == before.parent[:n]
            np.testing.assert_array_equal(tree.probability[:n][stay], before.probability[:n][stay])
    assert moved > 0


def test_top_level_latents_are_linked_by_their_correlations() -> None:
    """Two that go together, and a third that goes with the second."""
    rng = np.random.default_rng(0)
    y = rng.random(4000) < 0.4
    z = rng.random(4000) < np.where(y, 0.8, 0.2)
    u = rng.random(4000) < np.where(z, 0.8, 0.2)
    X = (rng.random((4000, 9)) < np.where(np.repeat([y, z, u], 3, axis=0).T, 0.9, 0.05)).astype(int)
    X[:, [2, 5]] = X[:, [5, 2]]  # word 2 belongs below z, word 5 below y
    parent = np.array([9, 9, 9, 10, 10, 10, 11, 11, 11, -1, 11, 9])  # y - u - z
    level = np.repeat([0, 1], [9, 3])
    probability = np.tile([0.05, 0.9], (12, 1))
    probability[9:] = 0.2, 0.8
    probability[9] = 0.4
    moved = moved_in(LatentTree(tuple("abcdefghi"), parent, level, probability), X)
    assert moved is not None
    assert moved.parent[:9].tolist() == [9, 9, 10, 10, 10, 9, 11, 11, 11]
    assert moved.root == 10
    assert moved.parent[[9, 11]].tolist() == [10, 10]
    assert (np.diff(moved.probability[[9, 11]]) > 0.3).all()


def test_latents_by_level_are_posteriors_but_for_negligible_ones() -> None:
    tree = planted(60, 2)
    X = tree.sample(300, seed=2)
    posterior = tree.posteriors(X).dense()
    posterior[posterior < NEGLIGIBLE] = 0.0
    levels = latents_by_level(tree, as_documents(X))
    assert len(levels) == len(tree.levels) - 1 >= 3
    for soft, nodes in zip(levels, tree.levels[1:], strict=True):
        np.testing.assert_allclose(soft.toarray(), posterior[:, nodes - 60], rtol=1e-6)
