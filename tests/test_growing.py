"""Further words: known ones find their topic again, new themes become topics, nothing else moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from hlta.documents.matrix import Documents, as_documents
from hlta.learning.statistics import statistics_of
from hlta.tree.latent_tree import LatentTree
from hlta.tree.reshaping import members, topic_above
from hlta.updates import growing
from hlta.updates.growing import add_words
from hlta.updates.updating import update
from tests.jobs import on_jobs
from tests.strategies import many_states
from tests.synthetic import planted

if TYPE_CHECKING:
    from collections.abc import Sequence


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
    np.testing.assert_array_equal(
        other.parameters.word[: tree.n_words], tree.parameters.word[: tree.n_words]
    )
    np.testing.assert_array_equal(other.parameters.latent[: tree.n_latents], tree.parameters.latent)
    without = np.pad(columns(tree.words).to_csr().toarray(), ((0, 0), (0, len(theme))))
    np.testing.assert_allclose(
        other.log_likelihood(without), tree.log_likelihood(columns(tree.words)), atol=1e-9
    )


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
    one, two = (
        on_jobs(jobs, add_words, tree, theme, columns(tree.words), columns(theme), level=2)
        for jobs in (1, 2)
    )
    assert one.tree == two.tree
    for a, b in zip(one.start, two.start, strict=True):
        np.testing.assert_array_equal(a, b)
