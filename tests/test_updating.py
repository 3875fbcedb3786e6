"""Updates: counts from parameters, incremental EM against all documents at once."""

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
from tests.jobs import on_jobs
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


# ---- the counts behind parameters ----------------------------------------------------------------


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


# ---- updates -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def portions() -> list[Documents]:
    return [drawn(planted(60), 400, seed) for seed in range(4)]


First = tuple[LatentTree, Statistics]


@pytest.fixture(scope="module")
def first(portions: list[Documents]) -> First:
    tree = batch_em(planted(60), portions[0], steps=30).tree
    return tree, statistics_of(400.0)


def joined(portions: list[Documents]) -> Documents:
    return as_documents(np.vstack([part.to_csr().toarray() for part in portions]))


@pytest.mark.parametrize("most", [2, 3])
def test_portions_come_near_to_all_at_once(portions: list[Documents], most: int) -> None:
    source = planted(60)
    tree = source if most == 2 else many_states(source, 5, most=most)
    tree = batch_em(tree, portions[0], steps=30).tree
    statistics = statistics_of(400.0)
    test = drawn(source, 2000, 99)
    at_once = batch_em(tree, joined(portions), steps=50).tree.log_likelihood(test).mean()
    alone = tree.log_likelihood(test).mean()
    for part in portions[1:]:
        tree, statistics = update(tree, statistics, part)
    updated = tree.log_likelihood(test).mean()
    assert abs(updated - at_once) < 0.005 * abs(at_once)
    assert abs(updated - at_once) < 0.5 * abs(alone - at_once)


def test_the_order_of_portions_hardly_matters(first: First, portions: list[Documents]) -> None:
    test, scores = drawn(planted(60), 2000, 99), []
    for order in ([1, 2, 3], [3, 1, 2]):
        tree, statistics = first
        for k in order:
            tree, statistics = update(tree, statistics, portions[k])
        scores.append(tree.log_likelihood(test).mean())
    assert scores[0] == pytest.approx(scores[1], rel=0.002)


def test_every_step_raises_the_objective(
    first: First, portions: list[Documents], monkeypatch: pytest.MonkeyPatch
) -> None:
    tree, statistics = first
    values = []
    original = updates._expected_log_probability

    def noted(*arguments: object) -> float:
        value: float = original(*arguments)  # type: ignore[arg-type]
        values.append(value + e_step_value(arguments))
        return value

    def e_step_value(arguments: tuple[object, ...]) -> float:
        parameters = arguments[1]
        now = tree.with_probability(parameters)  # type: ignore[arg-type]
        return float(now.log_likelihood(portions[1]).sum())

    monkeypatch.setattr(updates, "_expected_log_probability", noted)
    monkeypatch.setattr(updates, "TOLERANCE", 1e-9)
    update(tree, statistics, portions[1])
    assert len(values) > 5
    assert (np.diff(values) >= -1e-7).all()


def test_threads_change_no_bit(first: First, portions: list[Documents]) -> None:
    one, two = (on_jobs(jobs, update, *first, portions[1]) for jobs in (1, 2))
    assert np.array_equal(one.tree.parameters.latent, two.tree.parameters.latent)
    assert np.array_equal(one.tree.parameters.word, two.tree.parameters.word)
    assert one.statistics == two.statistics


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


# ---- what is known of documents ------------------------------------------------------------------


def test_statistics_are_the_same_after_a_file(first: First) -> None:
    _, statistics = first
    assert Statistics.read(statistics._asdict()) == statistics
    older = statistics._asdict() | {
        "nested": True,
        "seen": {"most": 3.0, "shares": [0.5]},
        "most": 3.0,
    }
    assert Statistics.read(older) == statistics


@pytest.mark.parametrize(("key", "value"), [("weight", 0.0), ("squares", float("nan"))])
def test_damaged_statistics_are_refused(first: First, key: str, value: object) -> None:
    _, statistics = first
    with pytest.raises((ValueError, KeyError)):
        Statistics.read(statistics._asdict() | {key: value})
