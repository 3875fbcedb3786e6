"""Updates: counts from parameters, incremental EM against all documents at once, further words."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta import LatentTree, batch_em
from hlta.documents.given_matrices import as_documents
from hlta.documents.matrix import Documents
from hlta.learning.em import PSEUDO_COUNT, SHRINKAGE, maximise, prior_counts
from hlta.learning.statistics import CAUTION, Statistics, cautious, old_counts, statistics_of
from hlta.tree.counts import e_step
from hlta.tree.reshaping import members, topic_above
from hlta.updates import growing, updating
from hlta.updates.growing import add_words
from hlta.updates.updating import update
from tests.jobs import on_jobs
from tests.strategies import many_states, trees_of_many_states, with_documents
from tests.synthetic import planted
from tests.trees import hollow


def drawn(tree: LatentTree, count: int, seed: int) -> Documents:
    return as_documents(tree.sample(count, seed=seed))


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
    found = old_counts(learned, Statistics(700.0, 700.0, SHRINKAGE, spread, 0.0))
    np.testing.assert_allclose(found.word, counts.word, rtol=1e-9, atol=1e-9)
    exists = tree.parameters.latent > 0.0
    np.testing.assert_allclose(found.latent[exists], counts.latent[exists], rtol=1e-9, atol=1e-9)


@given(with_documents(trees_of_many_states()), st.floats(0.5, 1e6))
def test_old_counts_of_any_parameters_can_be_used(
    pair: tuple[LatentTree, np.ndarray[tuple[int, int], np.dtype[np.int8]]], weight: float
) -> None:
    """Also of those that no M-step made: none is negative, and an update gives a tree."""
    tree, documents = pair
    statistics = statistics_of(tree, as_documents(documents))._replace(weight=weight)
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
    return tree, statistics_of(tree, portions[0])


def joined(portions: list[Documents]) -> Documents:
    return as_documents(np.vstack([part.to_csr().toarray() for part in portions]))


@pytest.mark.parametrize("most", [2, 3])
def test_portions_come_near_to_all_at_once(portions: list[Documents], most: int) -> None:
    source = planted(60)
    tree = source if most == 2 else many_states(source, 5, most=most)
    tree = batch_em(tree, portions[0], steps=30).tree
    statistics = statistics_of(tree, portions[0])
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
    original = updating._expected

    def noted(*arguments: object) -> float:
        value: float = original(*arguments)  # type: ignore[arg-type]
        values.append(value + e_step_value(arguments))
        return value

    def e_step_value(arguments: tuple[object, ...]) -> float:
        parameters = arguments[1]
        now = tree.with_probability(parameters)  # type: ignore[arg-type]
        return float(now.log_likelihood(portions[1]).sum())

    monkeypatch.setattr(updating, "_expected", noted)
    monkeypatch.setattr(updating, "TOLERANCE", 1e-9)
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
    faded = update(*first, other, fading=1e-12)
    kept = update(*first, other)
    assert faded.statistics.weight == pytest.approx(400.0)
    assert kept.statistics.weight == pytest.approx(800.0)
    assert faded.tree.log_likelihood(other).mean() > kept.tree.log_likelihood(other).mean()
    half = update(*first, other, fading=0.5).statistics
    assert half.weight == pytest.approx(600.0)
    assert half.effective == pytest.approx(600.0**2 / (100.0 + 400.0))


def test_many_small_updates_keep_the_sizes_of_topics() -> None:
    documents = drawn(hollow(), 2000, 0)
    tree = batch_em(hollow(), documents, steps=50).tree
    statistics = statistics_of(tree, documents)
    before = tree.marginals[tree.n_words :]
    for seed in range(20):
        tree, statistics = update(tree, statistics, drawn(hollow(), 10, seed))
    np.testing.assert_allclose(tree.marginals[tree.n_words :], before, rtol=0.15)


# ---- what is known of documents ------------------------------------------------------------------


def test_a_cautious_tree_has_words_nearer_to_shares(first: First) -> None:
    tree, statistics = first
    found, old = cautious(tree, statistics), old_counts(tree, statistics).word
    share = old[:, :, 1].sum(axis=1) / statistics.weight
    for word in range(tree.n_words):
        for state in (0, 1):
            absent, present = old[word, state]
            weight = statistics.shrinkage + CAUTION
            above = present + PSEUDO_COUNT + weight * share[word]
            expected = above / (absent + present + 2.0 * PSEUDO_COUNT + weight)
            assert found.parameters.word[word, state] == pytest.approx(expected, rel=1e-9)
    after, before = (one.marginals[tree.n_words :] for one in (found, tree))
    np.testing.assert_allclose(after, before, rtol=1e-6)


def test_statistics_are_the_same_after_a_file(first: First) -> None:
    _, statistics = first
    assert Statistics.read(statistics.plain()) == statistics
    older = statistics.plain() | {"nested": True, "seen": {"most": 3.0, "shares": [0.5]}}
    del older["most"]
    assert Statistics.read(older) == statistics._replace(most=3.0)


@pytest.mark.parametrize(
    ("key", "value"), [("weight", 0.0), ("weight", -1.0), ("squares", float("nan")), ("most", -1.0)]
)
def test_damaged_statistics_are_refused(first: First, key: str, value: object) -> None:
    _, statistics = first
    with pytest.raises((ValueError, KeyError)):
        Statistics.read(statistics.plain() | {key: value})


# ---- further words -------------------------------------------------------------------------------


TREE = planted(60)
SAMPLE = TREE.sample(4000, seed=1).toarray()


def columns(words: Sequence[str]) -> Documents:
    return as_documents(SAMPLE[:, [TREE.words.index(word) for word in words]])


def lacking(words: Sequence[str]) -> LatentTree:
    """The tree without some of its words, and without topics that have no others."""
    kept = np.array([name not in words for name in TREE.names])
    for node in range(TREE.n_words, TREE.n_nodes):
        kept[node] = kept[TREE.children[node]].any()
    number = np.cumsum(kept) - 1
    return LatentTree(
        [word for word in TREE.words if word not in words],
        np.where(TREE.parent < 0, -1, number[TREE.parent])[kept],
        TREE.level[kept],
        TREE.probability[kept],
        [name for name, stays in zip(TREE.names, kept, strict=True) if stays and "Z" in name],
        allow_irregular=True,
    )


def members_of(tree: LatentTree, name: str) -> set[str]:
    return {tree.names[v] for v in members(tree, tree.names.index(name))}


def above(tree: LatentTree, name: str) -> str:
    return tree.names[topic_above(tree, tree.names.index(name))]


@pytest.fixture(scope="module")
def theme() -> list[str]:
    """The words of one topic."""
    return sorted(members_of(TREE, "Z1-3"))


def test_a_word_finds_its_topic_again() -> None:
    """A word of each topic is left out; the documents tell where it belongs."""
    chosen = [sorted(members_of(TREE, name))[0] for name in TREE.latent_names if "Z1-" in name]
    tree = lacking(chosen)
    other = add_words(tree, chosen, columns(tree.words), columns(chosen), level=2).tree
    assert other.latent_names == tree.latent_names
    assert [above(other, word) for word in chosen] == [above(TREE, word) for word in chosen]


def test_words_that_go_together_become_a_topic(theme: list[str]) -> None:
    tree = lacking(theme)
    other, start = add_words(
        tree, theme, columns(tree.words), columns(theme), level=1, used=TREE.latent_names
    )
    (new,) = set(other.latent_names) - set(tree.latent_names)
    assert new not in TREE.latent_names
    assert members_of(other, new) == set(theme)
    assert above(other, new) == above(TREE, "Z1-3")
    on = other.with_probability(start).marginals[other.names.index(new)]
    assert on == pytest.approx(TREE.marginals[TREE.names.index("Z1-3")], abs=0.03)


def test_trees_of_many_states_get_topics_of_two(theme: list[str]) -> None:
    tree = many_states(lacking(theme), 3, most=4)
    other, start = add_words(tree, theme, columns(tree.words), columns(theme), level=1)
    (new,) = set(other.latent_names) - set(tree.latent_names)
    assert members_of(other, new) == set(theme)
    assert other.parameters.states[other.latent_names.index(new)] == 2
    assert np.isfinite(other.with_probability(start).log_likelihood(columns(other.words))).all()


def test_nothing_changes_for_documents_without_the_words(theme: list[str]) -> None:
    """Before EM the words are as good as absent, and all that was known stays, bit for bit."""
    tree = lacking(theme)
    other = add_words(tree, theme, columns(tree.words), columns(theme), level=1).tree
    before, after = (one.parameters.word[: tree.n_words] for one in (tree, other))
    np.testing.assert_array_equal(after, before)
    np.testing.assert_array_equal(other.parameters.latent[: tree.n_latents], tree.parameters.latent)
    without = np.pad(columns(tree.words).to_csr().toarray(), ((0, 0), (0, len(theme))))
    expected = tree.log_likelihood(columns(tree.words))
    np.testing.assert_allclose(other.log_likelihood(without), expected, atol=1e-9)


def test_the_earlier_documents_have_none_of_the_words(theme: list[str]) -> None:
    tree = lacking(theme)
    known, further = columns(tree.words), columns(theme)
    statistics = statistics_of(tree, known)._replace(weight=12_000.0)
    other, start = add_words(tree, theme, known, further, level=1)
    everything = columns(other.words)
    updated = update(other, statistics, everything, start=start).tree
    expected = further.document_frequency / 16_000
    np.testing.assert_allclose(updated.marginals[tree.n_words : other.n_words], expected, atol=2e-3)
    assert updated.log_likelihood(everything).mean() > other.log_likelihood(everything).mean()


def test_loose_words_join_topics_and_unrelated_themes_are_root_topics() -> None:
    rng = np.random.default_rng(0)
    count = len(SAMPLE)
    on = rng.random(count) < 0.05
    theme = (rng.random((count, 4)) < np.where(on, 0.6, 0.002)[:, None]).astype(np.int8)
    loose = (rng.random((count, 20)) < 0.02).astype(np.int8)
    words = [f"theme{k}" for k in range(4)] + [f"loose{k}" for k in range(20)]
    further = as_documents(np.hstack((theme, loose)))
    other = add_words(TREE, words, columns(TREE.words), further, level=1).tree
    (new,) = set(other.latent_names) - set(TREE.latent_names)
    assert members_of(other, new) == set(words[:4])
    node = other.names.index(new)
    assert topic_above(other, node) < 0
    assert other.level[node] == TREE.level.max()
    assert all(above(other, word) in TREE.latent_names for word in words[4:])


@pytest.mark.parametrize("count", [1, 2])
def test_one_or_two_words_make_no_topic(count: int, theme: list[str]) -> None:
    tree = lacking(theme[:count])
    chosen = theme[:count]
    other = add_words(tree, chosen, columns(tree.words), columns(chosen), level=1).tree
    assert other.latent_names == tree.latent_names
    assert {above(other, word) for word in chosen} == {"Z1-3"}


def test_relations_are_those_of_all_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    from hlta.tree import queries

    known, events = columns(TREE.words), np.random.default_rng(0).random((len(SAMPLE), 3))
    on = TREE.posteriors(known).dense()
    monkeypatch.setattr(queries, "AT_ONCE", 700 * TREE.state_marginals.size)
    latents = np.array([4, 0, 7])
    found = growing._relations(TREE, latents, known, events)
    for row, latent in enumerate(latents):
        weight = np.stack((1.0 - on[:, latent], on[:, latent]))
        share = weight.mean(axis=1)
        both = (weight @ events).T / len(events)  # (events, off or on)
        np.testing.assert_allclose(found.off[row], both[:, 0] / share[0], rtol=1e-9)
        np.testing.assert_allclose(found.on[row], both[:, 1] / share[1], rtol=1e-9)
        cells = np.stack((both, share - both), axis=2)
        chance = cells.sum(axis=1)[:, None, :] * cells.sum(axis=2)[:, :, None]
        told = (cells * np.log(cells / chance)).sum(axis=(1, 2))
        positive = found.on[row] > found.off[row]
        np.testing.assert_allclose(
            found.information[row], np.where(positive, told, 0.0), atol=1e-12
        )


def test_any_number_of_threads_gives_the_same(theme: list[str]) -> None:
    tree = lacking(theme)
    given = tree, theme, columns(tree.words), columns(theme)
    one, two = (on_jobs(jobs, add_words, *given, level=2) for jobs in (1, 2))
    assert one.tree == two.tree
    for a, b in zip(one.start, two.start, strict=True):
        np.testing.assert_array_equal(a, b)
