"""Algorithm 1: the hierarchy it builds, the documents it looks at, and what it does by their number."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hlta.documents.matrix import Documents, as_documents
from hlta.learning import recipe, structure
from hlta.learning.paper.hierarchy import build_hierarchy
from hlta.learning.recipe import Learned, choose_em, hlta
from hlta.monitor import Monitor
from hlta.options import EMOptions, StructureOptions
from tests.synthetic import planted

if TYPE_CHECKING:
    from hlta.learning.em import EMResult
    from hlta.tree.latent_tree import LatentTree

SEED = np.random.SeedSequence(0)


def names(n: int) -> list[str]:
    return [f"w{i}" for i in range(n)]


def build(X: Any, **options: Any) -> LatentTree:
    documents = as_documents(X)
    structure = StructureOptions(**options)
    return build_hierarchy(documents, names(documents.n_words), structure, False, monitor=Monitor())


def learn(X: Any, seed: int = 0, **options: Any) -> Learned:
    structure = StructureOptions(**options)
    parameters = EMOptions(em="batch", em_steps=2)
    words = names(X.shape[1])
    return hlta(as_documents(X), words, structure, parameters, seed=seed, monitor=Monitor())


# ---- the hierarchy -------------------------------------------------------------------------------


@pytest.mark.parametrize("top", [1, 2, 5, 20])
@pytest.mark.parametrize("seed", range(3))
class TestHierarchy:
    def tree(self, seed: int, top: int) -> LatentTree:
        n = 150 + seed
        return build(planted(n, seed).sample(800, seed=seed), max_top_topics=top)

    def test_levels_narrow_until_few_are_on_top(self, seed: int, top: int) -> None:
        widths = [len(nodes) for nodes in self.tree(seed, top).levels]
        assert widths[-1] <= max(top, 2)
        assert all(width > max(top, 2) for width in widths[1:-1])
        assert all(2 * upper <= lower for lower, upper in pairwise(widths))

    def test_parents_are_one_level_up_but_for_links_at_the_top(self, seed: int, top: int) -> None:
        tree = self.tree(seed, top)
        children = np.setdiff1d(np.arange(tree.n_nodes), [tree.root])
        step = tree.level[tree.parent[children]] - tree.level[children]
        at_the_top = tree.level[children] == tree.level.max()
        np.testing.assert_array_equal(step, np.where(at_the_top, 0, 1))

    def test_latent_variables_have_two_children_below_them(self, seed: int, top: int) -> None:
        tree = self.tree(seed, top)
        for v in range(tree.n_words, tree.n_nodes):
            assert sum(tree.level[c] < tree.level[v] for c in tree.children[v]) >= 2


def test_a_structure_is_the_same_from_temporary_files(monkeypatch: pytest.MonkeyPatch) -> None:
    X = planted(60, 0).sample(800, seed=0)
    expected = build(X, max_top_topics=2)
    monkeypatch.setattr("hlta._support.spool.IN_MEMORY", 64)
    monkeypatch.setattr("hlta._support.spool._AT_ONCE", 100)
    monkeypatch.setattr("hlta.learning.paper.bridges._ENTRIES", 100)
    monkeypatch.setattr("hlta.documents.matrix.PRESENCES_AT_ONCE", 500)
    tree = build(X, max_top_topics=2)
    np.testing.assert_array_equal(tree.parent, expected.parent)
    np.testing.assert_array_equal(tree.probability, expected.probability)


def test_levels_are_learned_from_the_likelier_states_of_the_flat_model_below() -> None:
    X = planted(150, 0).sample(800, seed=0)
    tree = build(X, max_top_topics=5)
    flat = build(X, max_top_topics=150)  # the first level alone
    assert len(flat.levels) == 2 < len(tree.levels)
    np.testing.assert_array_equal(flat.parent[:150], tree.parent[:150])
    states = (flat.posteriors(X).dense() > 0.5).astype(np.int8)
    upper = build(states, max_top_topics=5)
    roots = upper.parent < 0
    np.testing.assert_array_equal(tree.parent[150:], np.where(roots, -1, upper.parent + 150))
    np.testing.assert_array_equal(tree.probability[150:], upper.probability)


# ---- the whole of it -----------------------------------------------------------------------------


def test_a_model_follows_its_seed() -> None:
    X = planted(60, 0).sample(600, seed=0)
    one, same, other = (learn(X, seed, structure_sample=200).tree for seed in (0, 0, 1))
    assert one == same
    assert one != other


def test_state_1_is_the_topic_whatever_em_made_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    X = planted(60, 0).sample(600, seed=0)
    expected = learn(X).tree
    fit = recipe.run_em

    def swapped(*arguments: Any, **options: Any) -> EMResult:
        fitted = fit(*arguments, **options)
        every = np.arange(60, fitted.tree.n_nodes)
        return replace(fitted, tree=fitted.tree.swap_states(every))

    monkeypatch.setattr(recipe, "run_em", swapped)
    np.testing.assert_allclose(learn(X).tree.probability, expected.probability, rtol=1e-9)


def test_em_sees_each_of_its_steps() -> None:
    learned = learn(planted(60, 0).sample(600, seed=0))
    assert learned.em == "batch"
    assert len(learned.log_likelihoods) == 2


@pytest.mark.parametrize(
    ("em", "affordable", "expected"),
    [
        ("auto", 50, "batch"),
        ("auto", 49, "stepwise"),
        ("batch", 49, "batch"),
        ("stepwise", 50, "stepwise"),
    ],
)
def test_the_number_of_presences_decides_between_batch_and_stepwise_em(
    monkeypatch: pytest.MonkeyPatch, em: str, affordable: int, expected: str
) -> None:
    monkeypatch.setattr(recipe, "AUTO_PRESENCES", affordable)
    documents = as_documents(np.eye(50, dtype=int))
    assert choose_em(documents, EMOptions(em=em), Monitor()) == expected


@pytest.mark.parametrize(
    ("samples", "n_documents", "n_presences", "votes"),
    [
        (7, 10, 10**9, 7),
        ("auto", 10, 10, 200),
        ("auto", 10, 10**5, 100),
        ("auto", 10, 10**9, 50),
        ("auto", 32_000, 10**9, 17),
        ("auto", 100_000, 10**9, 12),
        ("auto", 40_000, 250_000, 40),
    ],
)
def test_more_samples_vote_where_there_is_little_text_and_fewer_where_there_are_many_documents(
    samples: int | str,
    n_documents: int,
    n_presences: int,
    votes: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(structure, "_MOST_VOTES", 200)
    documents = as_documents(np.zeros((n_documents, 2), dtype=np.int8))
    monkeypatch.setattr(Documents, "n_presences", n_presences)
    assert structure._n_votes(StructureOptions(samples=samples), documents) == votes


def test_votes_have_half_the_documents_or_twice_the_structure_sample() -> None:
    X = planted(30, 0).sample(300, seed=0)
    sizes: list[int] = []

    def learn_and_look(structure_sample: int | None) -> set[int]:
        sizes.clear()
        with pytest.MonkeyPatch.context() as patch:

            def looked_at(documents: Documents, *args: Any, **options: Any) -> Any:
                sizes.append(len(documents))
                return build_hierarchy(documents, *args, **options)

            patch.setattr(structure, "build_hierarchy", looked_at)
            learn(X, 0, samples=3, structure_sample=structure_sample)
        return set(sizes)

    assert learn_and_look(None) == {150}
    assert learn_and_look(50) == {100}
    assert learn_and_look(100) == {150}
