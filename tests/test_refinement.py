"""Refinement moves variables to where they share most, and leaves a regular tree."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from benchmarks.synthetic import planted
from hlta._kernels import parent_search as moves
from hlta.algorithm import hlta as pipeline
from hlta.algorithm import reassignment as placing
from hlta.algorithm import soft_assignments as soft
from hlta.algorithm.em import batch_em
from hlta.algorithm.flat_model import learn_structure, renew_levels
from hlta.algorithm.refinement import SAMPLED, WHOLE, Plan, move, refine_structure
from hlta.documents.matrix import as_documents
from hlta.monitor import Monitor
from hlta.options import EMOptions, StructureOptions
from hlta.tree.posteriors import likely_posteriors

if TYPE_CHECKING:
    from hlta.tree.latent_tree import LatentTree


OPTIONS = StructureOptions(max_top_topics=3)


def moved_by(tree: LatentTree, X: Any, place: Any) -> LatentTree | None:
    documents = as_documents(X)
    return move(tree, soft.words_of(documents), soft.latents_by_level(tree, documents), place)


def move_freely(tree: LatentTree, X: Any) -> LatentTree | None:
    return moved_by(tree, X, placing.place_freely)


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
    found = refine_structure(wrong, as_documents(X), OPTIONS, monitor=Monitor())
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
    moved = move_freely(batch_em(tree, X, steps=3).tree, X)
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
        last, moved = moved, move_freely(batch_em(moved, X, steps=3).tree, X)
        if moved is not None and moved.n_nodes == last.n_nodes:
            break


def test_words_choose_by_information_under_the_posteriors() -> None:
    _, wrong, X = misplaced(0)
    wrong = batch_em(wrong, X, steps=5).tree
    moved = move_freely(wrong, as_documents(X))
    assert moved is not None
    P = wrong.posteriors(X).dense()[:, wrong.levels[1] - 60]
    P[P < soft.LEAST] = 0.0
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
    goes = information.max(axis=1) > placing.GAIN * now
    wanted = np.where(goes, best, current)
    same = wanted[:, None] == wanted
    np.testing.assert_array_equal(moved.parent[:60, None] == moved.parent[:60], same)


def information(both: float, p: float, q: float) -> float:
    total = 0.0
    for joint, alone in (
        (both, p * q),
        (p - both, p * (1 - q)),
        (q - both, (1 - p) * q),
        (1 - p - q + both, (1 - p) * (1 - q)),
    ):
        total += joint * np.log(joint / alone) if joint > 0.0 else 0.0
    return total if both > p * q else 0.0


def without(tree: LatentTree, X: np.ndarray, v: int) -> np.ndarray:
    """P(parent of v = 1 | d) in the tree from which v and all below it is cut."""
    cut = [v]
    for node in cut:
        cut += list(tree.children[node])
    gone = [w for w in cut if w < tree.n_words]
    probability = tree.probability.copy()
    probability[gone] = probability[gone].mean(axis=1, keepdims=True)  # they tell nothing
    return (
        tree.with_probability(probability).posteriors(X).dense()[:, tree.parent[v] - tree.n_words]
    )


@pytest.mark.parametrize("seed", range(3))
def test_fair_moves_take_back_what_child_and_parent_told(seed: int) -> None:
    n = 40
    truth = planted(n, seed)
    X = truth.sample(400, seed=seed).toarray()
    tree = batch_em(truth, X, steps=3).tree
    dense = tree.posteriors(X).dense()
    N = len(X)
    rows, columns = np.nonzero(dense > 1e-12)
    every = soft.Soft(
        np.searchsorted(rows, np.arange(N + 1)),
        columns.astype(np.uint32),
        dense[rows, columns].astype(np.float32),
        tree.n_latents,
    )
    lower = soft.words_of(as_documents(X))
    level_1, level_2 = (tree.levels[k] - n for k in (1, 2))
    for below, above, nodes in (
        (lower, every.columns(level_1), np.arange(n)),
        (every.columns(level_1), every.columns(level_2), tree.levels[1]),
    ):
        parents = tree.levels[1 if nodes[0] == 0 else 2]
        current = np.searchsorted(parents, tree.parent[nodes])
        best = np.empty(len(nodes), dtype=np.int64)
        found = np.empty((len(nodes), 4))
        moves.compare_parents(
            below.by_variable,
            ((above.indptr, above.indices), above.values, above.sums),
            above.by_variable,
            tree.probability[nodes],
            np.arange(len(nodes)),
            current,
            *(0, len(nodes)),
            (np.zeros(len(parents)), np.zeros(N), np.zeros(N)),
            best,
            found,
        )
        for k, v in enumerate(nodes):
            cavity = without(tree, X, v)
            if v < n:
                own = X[:, v].astype(float)
            else:  # what its own words say, with its prior
                p0, p1 = tree.probability[v]
                prior = dense[:, v - n].mean()
                odds = dense[:, v - n] / (1 - dense[:, v - n])
                from_above = cavity * p1 + (1 - cavity) * p0
                odds *= (1 - from_above) / from_above * prior / (1 - prior)
                own = odds / (1 + odds)
            p = own.mean()
            expected = information((own * cavity).mean(), p, cavity.mean())
            assert found[k, 1] == pytest.approx(expected, rel=2e-3, abs=2e-5)
            rivals = [
                information((own * dense[:, y - n]).mean(), p, dense[:, y - n].mean())
                for y in parents
            ]
            rivals[current[k]] = -1.0
            if max(rivals) > 1e-4:
                assert best[k] == np.argmax(rivals)
                assert found[k, 0] == pytest.approx(max(rivals), rel=2e-3)


@pytest.mark.parametrize("seed", range(4))
def test_fair_moves_keep_the_tree_in_shape(seed: int) -> None:
    _, wrong, X = misplaced(seed)
    tree = batch_em(wrong, X, steps=3).tree
    one, many = (
        moved_by(tree, X, partial(placing.place_fairly, many=many)) for many in (False, True)
    )
    for moved in (one, many):
        if moved is None:
            continue
        assert moved.n_latents == tree.n_latents
        lost = np.bincount(tree.parent[:60][tree.parent[:60] != moved.parent[:60]])
        assert lost.max() <= 1 or moved is many
        before, after = (np.bincount(t.parent[:60], minlength=t.n_nodes) for t in (tree, moved))
        assert (after[before >= 4] >= 3).all()
        assert (after >= before)[before < 4].all()


def test_upper_levels_are_learned_anew() -> None:
    n = 150
    X = planted(n, 0).sample(1000, seed=0)
    tree = learn_structure(as_documents(X), [f"w{i}" for i in range(n)], OPTIONS, monitor=Monitor())
    tree = batch_em(tree, X, steps=3).tree
    anew = renew_levels(tree, as_documents(X), OPTIONS)
    assert len(anew.levels[1]) == len(tree.levels[1])
    np.testing.assert_array_equal(anew.parent[:n], tree.parent[:n])
    np.testing.assert_array_equal(anew.probability[:n], tree.probability[:n])
    assert len(anew.levels[-1]) <= 3


def test_threads_change_nothing() -> None:
    _, wrong, X = misplaced(1)
    one = refine_structure(wrong, as_documents(X), OPTIONS, n_jobs=1, monitor=Monitor())
    three = refine_structure(wrong, as_documents(X), OPTIONS, n_jobs=3, monitor=Monitor())
    assert one == three


def test_likely_posteriors_are_all_above_the_least() -> None:
    tree, _, X = misplaced(2)
    dense = tree.posteriors(X).dense()
    for least in (0.02, 0.3):
        indptr, latents, values = likely_posteriors(tree, X, least)
        got = np.zeros_like(dense)
        got[np.repeat(np.arange(len(X)), np.diff(indptr)), latents] = values
        np.testing.assert_allclose(got, np.where(dense > least, dense, 0.0), atol=1e-9)


@pytest.mark.parametrize(
    ("sample", "most_words", "plan", "seen"),
    [
        (None, 10**6, WHOLE, 600),
        (300, 10**6, WHOLE, 600),
        (299, 10**6, SAMPLED, 600),
        (200, 100, SAMPLED, 400),
        (400, 100, WHOLE, 600),
    ],
)
def test_a_structure_from_few_documents_moves_by_what_more_say(
    monkeypatch: pytest.MonkeyPatch, sample: int | None, most_words: int, plan: Plan, seen: int
) -> None:
    X = planted(60, 0).sample(600, seed=0)
    used = []

    def noted(tree: LatentTree, documents: Any, *_: Any, plan: Plan, **__: Any) -> LatentTree:
        used.append((plan, len(documents)))
        return tree

    monkeypatch.setattr(pipeline, "AUTO_PRESENCES", most_words)
    monkeypatch.setattr(pipeline, "refine_structure", noted)
    pipeline.learn(
        as_documents(X),
        [f"w{i}" for i in range(60)],
        StructureOptions(structure_sample=sample),
        EMOptions(em="batch", em_steps=1),
        seed=0,
        monitor=Monitor(),
    )
    assert used == [(plan, seen)]
