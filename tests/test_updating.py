"""Updates: counts from parameters, incremental EM against all documents at once."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta import LatentTree, batch_em, updates
from hlta.documents.given_matrices import as_documents
from hlta.documents.matrix import Documents
from hlta.learning.em import PSEUDO_COUNT, SHRINKAGE, maximise, prior_counts
from hlta.learning.statistics import Statistics, old_counts
from hlta.tree.counts import e_step
from hlta.updates import update
from tests.strategies import many_states, trees_of_many_states, with_documents
from tests.synthetic import planted
from tests.trees import hollow


def drawn(tree: LatentTree, count: int, seed: int) -> Documents:
    return as_documents(tree.sample(count, seed=seed))


def statistics_of(count: float) -> Statistics:
    """Those of as many documents, each of which weighs 1."""
    return Statistics(count, count, SHRINKAGE, 0.0)


def elsewhere() -> LatentTree:
    """Topics of the same words, with other words in common."""
    tree = planted(60)
    return tree.with_words(tree.words[::-1])


@pytest.mark.parametrize(("most", "spread"), [(2, 0.0), (4, 0.0), (4, 2.0)])
def test_old_counts_turn_the_m_step_round(most: int, spread: float) -> None:
    tree = planted(40)
    tree = tree if most == 2 else many_states(tree, 3, most=most)
    documents = drawn(tree, 700, 1)
    counts = e_step(tree.inference(), documents)
    states = tree.parameters.states
    prior = prior_counts(states, documents, PSEUDO_COUNT, SHRINKAGE, spread)
    learned = tree.with_probability(maximise(counts.word, counts.latent, tree.parameters, prior))
    found = old_counts(learned, Statistics(700.0, 700.0, SHRINKAGE, spread))
    np.testing.assert_allclose(found.word, counts.word, rtol=1e-9, atol=1e-9)
    exists = tree.parameters.latent > 0.0
    np.testing.assert_allclose(found.latent[exists], counts.latent[exists], rtol=1e-9, atol=1e-9)


@settings(max_examples=40)
@given(with_documents(trees_of_many_states()), st.floats(0.5, 1e6))
def test_old_counts_of_any_parameters_can_be_used(
    pair: tuple[LatentTree, np.ndarray[tuple[int, int], np.dtype[np.int8]]], weight: float
) -> None:
    """Also of those that no M-step made: none is negative, and an update gives a tree."""
    tree, documents = pair
    statistics = statistics_of(weight)
    found = old_counts(tree, statistics)
    assert (found.word >= 0.0).all()
    assert (found.latent >= 0.0).all()
    updated = update(tree, statistics, as_documents(documents))
    assert np.isfinite(updated.tree.log_likelihood(documents)).all()
    assert updated.statistics.weight == pytest.approx(weight + len(documents))


@pytest.fixture(scope="module")
def portions() -> list[Documents]:
    return [drawn(planted(60), 400, seed) for seed in range(4)]


First = tuple[LatentTree, Statistics]


@pytest.fixture(scope="module")
def first(portions: list[Documents]) -> First:
    tree = batch_em(planted(60), portions[0], steps=30).tree
    return tree, statistics_of(400.0)


@pytest.mark.parametrize("most", [2, 3])
def test_portions_come_near_to_all_at_once(portions: list[Documents], most: int) -> None:
    source = planted(60)
    tree = source if most == 2 else many_states(source, 5, most=most)
    tree = batch_em(tree, portions[0], steps=30).tree
    statistics = statistics_of(400.0)
    test = drawn(source, 2000, 99)
    whole = as_documents(np.vstack([part.to_csr().toarray() for part in portions]))
    at_once = batch_em(tree, whole, steps=50).tree.log_likelihood(test).mean()
    alone = tree.log_likelihood(test).mean()
    for part in portions[1:]:
        tree, statistics = update(tree, statistics, part)
    updated = tree.log_likelihood(test).mean()
    assert abs(updated - at_once) < 0.005 * abs(at_once)
    assert abs(updated - at_once) < 0.5 * abs(alone - at_once)


def test_every_step_raises_the_objective(
    first: First, portions: list[Documents], monkeypatch: pytest.MonkeyPatch
) -> None:
    tree, _ = first
    values = []
    original: Any = updates._expected_log_probability

    def noted(*arguments: Any) -> float:
        value: float = original(*arguments)
        now = tree.with_probability(arguments[1])
        values.append(value + float(now.log_likelihood(portions[1]).sum()))
        return value

    monkeypatch.setattr(updates, "_expected_log_probability", noted)
    monkeypatch.setattr(updates, "TOLERANCE", 1e-9)
    update(*first, portions[1])
    assert len(values) > 5
    assert (np.diff(values) >= -1e-7).all()


def test_faded_documents_leave_the_model(first: First) -> None:
    """With all weight gone, the parameters are those of EM on the new documents."""
    other = drawn(elsewhere(), 400, 8)
    tree, statistics = first
    faded = update(tree, statistics.fade(1e-12), other)
    kept = update(*first, other)
    assert faded.statistics.weight == pytest.approx(400.0)
    assert kept.statistics.weight == pytest.approx(800.0)
    assert faded.tree.log_likelihood(other).mean() > kept.tree.log_likelihood(other).mean()
    half = update(tree, statistics.fade(0.5), other).statistics
    assert half.weight == pytest.approx(600.0)
    assert half.effective == pytest.approx(600.0**2 / (100.0 + 400.0))


def test_many_small_updates_keep_the_sizes_of_topics() -> None:
    documents = drawn(hollow(), 2000, 0)
    tree = batch_em(hollow(), documents, steps=50).tree
    statistics = statistics_of(2000.0)
    before = tree.marginals[tree.n_words :]
    for seed in range(20):
        tree, statistics = update(tree, statistics, drawn(hollow(), 10, seed))
    np.testing.assert_allclose(tree.marginals[tree.n_words :], before, rtol=0.15)


def test_statistics_are_the_same_after_a_file_unless_it_is_damaged(first: First) -> None:
    _, statistics = first
    plain = statistics._asdict()
    assert Statistics.read(plain) == statistics
    older = {"nested": True, "seen": {"most": 3.0, "shares": [0.5]}, "most": 3.0}
    assert Statistics.read(plain | older) == statistics
    for odd in ({"weight": 0.0}, {"squares": float("nan")}):
        with pytest.raises((ValueError, KeyError)):
            Statistics.read(plain | odd)
