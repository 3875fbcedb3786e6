"""Refinement moves variables to where they share most, and leaves a regular tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from benchmarks.synthetic import planted
from hlta.corpus.documents import as_documents
from hlta.model.learning import batch_em
from hlta.model.posteriors import likely_posteriors
from hlta.monitor import Monitor
from hlta.options import StructureOptions
from hlta.structure import refine
from hlta.structure.levels import learn_structure
from hlta.structure.refine import move_variables, refine_structure

if TYPE_CHECKING:
    from hlta.model.tree import LatentTree


def misplaced(
    seed: int, n: int = 60, count: int = 2000
) -> tuple[LatentTree, LatentTree, np.ndarray]:
    """A planted tree, the same with a few words elsewhere, and documents of the first."""
    tree = planted(n, seed)
    X = tree.sample(count, seed=seed).toarray()
    rng = np.random.default_rng(seed)
    parent = tree.parent.copy()
    sizes = np.bincount(parent[:n], minlength=tree.n_nodes)
    for group in np.flatnonzero(sizes >= 4)[:4]:  # three stay
        word = int(np.flatnonzero(parent[:n] == group)[0])
        parent[word] = rng.choice(np.setdiff1d(tree.levels[1], group))
    wrong = type(tree)(tree.words, parent, tree.level, tree.probability)
    return tree, wrong, X


@pytest.mark.parametrize("seed", range(4))
def test_misplaced_words_go_home(seed: int) -> None:
    tree, wrong, X = misplaced(seed)
    found = refine_structure(wrong, as_documents(X), monitor=Monitor())
    same = tree.parent[:60, None] == tree.parent[:60]
    before = wrong.parent[:60, None] == wrong.parent[:60]
    after = found.parent[:60, None] == found.parent[:60]
    assert (after == same).mean() > (before == same).mean()
    assert (after == same).mean() > 0.99
    fitted = batch_em(wrong, X, steps=20).tree
    assert found.log_likelihood(X).mean() > fitted.log_likelihood(X).mean()


@pytest.mark.parametrize("seed", range(4))
def test_the_tree_stays_in_shape(seed: int) -> None:
    n = 150
    X = as_documents(planted(n, seed).sample(700, seed=seed))
    tree = learn_structure(
        X, [f"w{i}" for i in range(n)], StructureOptions(max_top_topics=3), monitor=Monitor()
    )
    moved = move_variables(batch_em(tree, X, steps=3).tree, X)
    while moved is not None:
        assert moved.words == tree.words
        for v in range(n, moved.n_nodes):
            assert sum(moved.level[c] < moved.level[v] for c in moved.children[v]) >= 2
        linked = [
            v
            for v in range(n, moved.n_nodes)
            if v != moved.root and moved.level[moved.parent[v]] == moved.level[v]
        ]
        assert all(moved.level[v] == moved.level.max() for v in linked)
        last, moved = moved, move_variables(batch_em(moved, X, steps=3).tree, X)
        if moved is not None and moved.n_nodes == last.n_nodes:
            break


def test_words_choose_by_information_under_the_posteriors() -> None:
    _, wrong, X = misplaced(0)
    wrong = batch_em(wrong, X, steps=5).tree
    moved = move_variables(wrong, as_documents(X))
    assert moved is not None
    P = wrong.posteriors(X).dense()[:, wrong.levels[1] - 60]
    P[P < refine._LEAST] = 0.0
    information = np.zeros((60, P.shape[1]))
    p, q = X.mean(axis=0)[:, None], P.mean(axis=0)
    both = X.T @ P / len(X)
    for joint, alone in (
        (both, p * q),
        (p - both, p * (1 - q)),
        (q - both, (1 - p) * q),
        (1 - p - q + both, (1 - p) * (1 - q)),
    ):
        information += np.where(joint > 0.0, joint * np.log(np.maximum(joint, 1e-300) / alone), 0.0)
    information[both <= p * q] = 0.0
    current = np.searchsorted(wrong.levels[1], wrong.parent[:60])
    best = information.argmax(axis=1)
    now = information[np.arange(60), current]
    goes = information.max(axis=1) > refine._GAIN * now
    wanted = np.where(goes, best, current)
    same = wanted[:, None] == wanted
    np.testing.assert_array_equal(moved.parent[:60, None] == moved.parent[:60], same)


def test_threads_change_nothing() -> None:
    _, wrong, X = misplaced(1)
    one = refine_structure(wrong, as_documents(X), n_jobs=1, monitor=Monitor())
    three = refine_structure(wrong, as_documents(X), n_jobs=3, monitor=Monitor())
    assert one == three


def test_likely_posteriors_are_all_above_the_least() -> None:
    tree, _, X = misplaced(2)
    dense = tree.posteriors(X).dense()
    for least in (0.02, 0.3):
        indptr, latents, values = likely_posteriors(tree, X, least)
        got = np.zeros_like(dense)
        got[np.repeat(np.arange(len(X)), np.diff(indptr)), latents] = values
        np.testing.assert_allclose(got, np.where(dense > least, dense, 0.0), atol=1e-9)
