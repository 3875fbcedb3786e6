"""What documents say of words and topics that the tree does not, counted one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta import HLTA, LatentTree, TopicTree
from hlta.documents.matrix import as_documents
from hlta.topics import corrections as module
from hlta.topics.corrections import Corrections, find_corrections
from hlta.topics.main_topics import main_topics, word_evidence
from hlta.tree.given_on import words_given_on
from tests.oracles import enumerate_joint
from tests.strategies import trees_with_documents
from tests.synthetic import planted

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from numpy.typing import NDArray

    from tests.oracles import Floats

DOUBT = 300.0


def counted(tree: LatentTree, X: NDArray[np.int8]) -> Floats:
    """What is to be added, in nats, document by document: latent variables by words."""
    n = tree.n_words
    every = (np.arange(1 << n)[:, None] >> np.arange(n)) & 1
    beliefs = enumerate_joint(tree, every)
    weight, on = np.exp(beliefs.log_likelihood), beliefs.posterior(tree)
    usual = [DOUBT * sum(weight * every[:, w]) for w in range(n)]
    topics = [
        [DOUBT * sum(weight * on[:, v] * every[:, w]) / sum(weight * on[:, v]) for w in range(n)]
        for v in range(tree.n_latents)
    ]
    rows = np.array([usual, *topics])
    expected = rows / rows.sum(axis=1, keepdims=True)
    for document, beliefs_of in zip(X, enumerate_joint(tree, X).posterior(tree), strict=True):
        for w in np.flatnonzero(document):
            rows[0, w] += 1.0
            for v in range(tree.n_latents):
                rows[1 + v, w] += beliefs_of[v]
    found = np.log(rows / rows.sum(axis=1, keepdims=True)) - np.log(expected)
    nats: Floats = found[1:] - found[0]
    return nats


@settings(max_examples=30)
@given(trees_with_documents(probability=st.floats(0.05, 0.95), max_words=6))
def test_corrections_are_those_of_counting(case: tuple[LatentTree, NDArray[np.int8]]) -> None:
    tree, X = case
    found = find_corrections(tree, as_documents(X))
    assert found.latents.tolist() == list(range(tree.n_latents))
    np.testing.assert_allclose(found.steps / 8.0, counted(tree, X), atol=0.0626)


def apart() -> tuple[LatentTree, NDArray[np.int8]]:
    """Three topics that the tree takes to be independent, and documents in which two come together."""
    table = [[0.05, 0.8]] * 12 + [[0.3, 0.3]] * 3
    parent = [12] * 4 + [13] * 4 + [14] * 4 + [-1, 12, 12]
    tree = LatentTree("abcdefghijkl", parent, [0] * 12 + [1] * 3, table)
    rng = np.random.default_rng(0)
    on = (rng.random((4000, 2)) < 0.3)[:, [0] * 8 + [1] * 4]
    return tree, (rng.random((4000, 12)) < np.where(on, 0.8, 0.05)).astype(np.int8)


def test_words_of_other_topics_speak_for_a_topic_that_they_come_with() -> None:
    tree, X = apart()
    topics, found = (
        list(TopicTree.from_tree(tree, lowest_level=1)),
        find_corrections(tree, as_documents(X)),
    )
    row = [topic.id for topic in topics].index(tree.latent_names[0])
    by_tree, by_both = (word_evidence(tree, topics, c)[:, row] for c in (None, found))
    assert by_tree[:4].min() > 0.3
    assert by_tree[4:].max() < 0.0 < by_both[:8].min()
    document = as_documents(np.array([[0] * 4 + [1] * 4 + [0] * 4]))
    assert main_topics(tree, [topics[row]], document).tolist() == [-1]
    assert main_topics(tree, [topics[row]], document, found).tolist() == [0]


def test_few_numbers_are_those_of_the_upper_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = planted(60, 1)
    X = as_documents(tree.sample(100, seed=0))
    level = tree.level[tree.n_words :]
    whole = find_corrections(tree, X)
    assert len(whole.latents) == tree.n_latents
    for lowest in range(1, int(level.max()) + 1):
        monkeypatch.setattr(module, "_MOST_NUMBERS", 60 * int((level >= lowest).sum()))
        part = find_corrections(tree, X)
        kept = np.flatnonzero(level >= lowest)
        assert part.latents.tolist() == kept.tolist()
        np.testing.assert_array_equal(part.steps, whole.steps[kept])
    monkeypatch.setattr(module, "_MOST_NUMBERS", 0)
    assert len(find_corrections(tree, X).latents) == (level == level.max()).sum()


def test_documents_some_at_a_time_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = planted(60, 1)
    X = as_documents(tree.sample(100, seed=0))
    whole = find_corrections(tree, X)
    monkeypatch.setattr(module, "_AT_ONCE", 7 * tree.n_latents)
    np.testing.assert_array_equal(find_corrections(tree, X).steps, whole.steps)


def test_what_is_known_of_some_topics() -> None:
    found = Corrections(
        np.array([1, 4], dtype=np.int32), np.array([[8, -4], [2, 0]], dtype=np.int8)
    )
    assert found.of(np.array([4, 0, 1, 9])).tolist() == [
        [0.25, 0.0],
        [0.0, 0.0],
        [1.0, -0.5],
        [0.0, 0.0],
    ]
    assert found.of(np.array([], dtype=np.intp)).shape == (0, 2)
    other = found.carried({1: 3, 4: 0, 5: 7}, np.array([1, -1, 0]))
    assert other.latents.tolist() == [0, 3]
    assert other.steps.tolist() == [[0, 0, 2], [-4, 0, 8]]
    assert found.carried({}, np.array([0, 1])).of(np.array([1])).tolist() == [[0.0, 0.0]]


X = planted(60, seed=1).sample(400, seed=2).toarray()


def test_a_model_keeps_what_it_counted(tmp_path: Path) -> None:
    model = HLTA(samples=5, em_steps=5).fit(X)
    known = model._edited.known.corrections
    assert known is not None
    assert known.steps.any()
    model.save(tmp_path / "model.hlta")
    back = HLTA.load(tmp_path / "model.hlta")
    read = back._edited.known.corrections
    assert read is not None
    np.testing.assert_array_equal(read.latents, known.latents)
    np.testing.assert_array_equal(read.steps, known.steps)
    np.testing.assert_array_equal(back.predict(X), model.predict(X))
    assert HLTA(refine=False, em_steps=5).fit(X)._edited.known.corrections is None


def test_the_order_of_documents_and_words_changes_nothing() -> None:
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(len(X)), rng.permutation(X.shape[1])
    words = np.array([f"w{k}" for k in range(X.shape[1])])
    one = HLTA(samples=5, em_steps=5).fit(X, words=words.tolist())
    other = HLTA(samples=5, em_steps=5).fit(X[rows][:, columns], words=words[columns].tolist())
    found, again = (model._edited.known.corrections for model in (one, other))
    assert found is not None
    assert again is not None
    np.testing.assert_array_equal(again.steps, found.steps[:, columns])


def test_edits_and_updates_keep_what_is_known_of_other_topics(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_DOUBT", 1.0)
    model = HLTA(samples=5, em_steps=5).fit(X, words=[f"w{k}" for k in range(X.shape[1])])
    one, other = model.topics_.roots[:2]
    before = dict(zip(model.tree_.latent_names, rows_of(model), strict=True))
    assert before[one.id].any()
    model.edit.merge(other, into=one)
    after = dict(zip(model.tree_.latent_names, rows_of(model), strict=True))
    assert after[one.id].any()
    for name in after.keys() - {one.id}:
        np.testing.assert_array_equal(after[name], before[name])
    model.edit.undo()
    for name, row in zip(model.tree_.latent_names, rows_of(model), strict=True):
        np.testing.assert_array_equal(row, before[name])
    model.partial_fit(X[:50])
    for name, row in zip(model.tree_.latent_names, rows_of(model), strict=True):
        np.testing.assert_array_equal(row, before[name])


def test_the_words_of_a_merged_topic_are_those_of_both(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_DOUBT", 1.0)
    model = HLTA(samples=5, em_steps=5).fit(X, words=[f"w{k}" for k in range(X.shape[1])])
    tree, parts = model.tree_, model.topics_.roots[:2]
    known = model._edited.known.corrections
    words, total = np.zeros(tree.n_words), 0.0
    for topic, evidence in zip(parts, word_evidence(tree, parts, known).T, strict=True):
        usual = tree.marginals[: tree.n_words]
        share = np.exp(evidence) * usual / usual.sum()
        given = words_given_on(tree, np.array([tree.latent_names.index(topic.id)]))[0]
        words += topic.size * given.sum() * share / share.sum()
        total += topic.size * given.sum()
    model.edit.merge(parts[1], into=parts[0])
    after = model._edited.known.corrections
    assert model.tree_.words == tree.words
    (evidence,) = word_evidence(model.tree_, [model.topics_[parts[0].id]], after).T
    usual = model.tree_.marginals[: tree.n_words]
    found = np.exp(evidence) * usual / usual.sum()
    np.testing.assert_allclose(np.log(found / found.sum()), np.log(words / total), atol=0.07)


def rows_of(model: HLTA) -> Floats:
    known = model._edited.known.corrections
    assert known is not None
    return known.of(np.arange(model.tree_.n_latents))
