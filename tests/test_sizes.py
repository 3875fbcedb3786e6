"""How large topics are: against transform, after edits and updates, of lists, and in files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hlta import HLTA, Corpus, TopicTree
from hlta.documents.matrix import as_documents
from hlta.topics import shares as module
from hlta.topics.shares import Sharing, sizes_of
from hlta.topics.sizes import Sizes
from hlta.topics.topics_of_tree import REPEATED
from hlta.topics.word_counts import count_words
from hlta.tree.reshaping import members, topic_above, topics_within
from tests.editable import DOCUMENTS, learn, siblings
from tests.synthetic import planted

if TYPE_CHECKING:
    from pathlib import Path

    from hlta import LatentTree
    from tests.oracles import Floats

TREE = planted(90, 1)
FIRST, SECOND = (as_documents(TREE.sample(300, seed=seed)) for seed in (1, 2))
SHARING = Sharing.of_tree(TREE, count_words(TREE, FIRST), 1)
EVERY = np.ones(300, dtype=bool)
SIZES = sizes_of(TREE, [SHARING], FIRST, EVERY)


def by_latent(values: Floats) -> Floats:
    """Values of the topics of `SHARING` in the order of the latent variables."""
    out = np.empty_like(values)
    out[..., SHARING.latents] = values
    return out


# ---- counting --------------------------------------------------------------------------------------


@pytest.mark.parametrize("known", [EVERY, np.arange(300) % 4 > 0])
def test_sizes_are_those_of_the_shares(known: np.ndarray) -> None:
    shares = SHARING.shares(FIRST) * known[:, None]
    sizes = sizes_of(TREE, [SHARING], FIRST, known)
    np.testing.assert_allclose(sizes.shares, by_latent(shares.mean(axis=0)), atol=1e-9)
    np.testing.assert_allclose(sizes.spreads, by_latent(shares.var(axis=0)), atol=1e-9)
    on, mainly = (shares >= 0.2).sum(axis=0), SHARING.are_main(shares).sum(axis=0)
    np.testing.assert_array_equal(sizes.documents, by_latent(on))
    np.testing.assert_array_equal(sizes.mainly, by_latent(mainly))
    assert (sizes.mainly <= sizes.documents).all()


def test_few_documents_at_a_time_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_SHARES", 7 * len(SHARING.latents))
    for one, other in zip(sizes_of(TREE, [SHARING], FIRST, EVERY), SIZES, strict=True):
        np.testing.assert_array_equal(one, other)


def test_topics_that_are_not_counted_are_unknown() -> None:
    high = Sharing.of_tree(TREE, None, 2)
    sizes = sizes_of(TREE, [high], FIRST, EVERY)
    counted = np.isin(np.arange(TREE.n_latents), high.latents)
    assert (TREE.level[TREE.n_words :] >= 2).tolist() == counted.tolist()
    for column in (sizes.documents, sizes.mainly):
        assert ((column >= 0) == counted).all()
    for shares in (sizes.shares, sizes.spreads):
        assert (np.isnan(shares) == ~counted).all()


# ---- what is made of sizes -------------------------------------------------------------------------


def below(tree: LatentTree, latent: int) -> list[int]:
    """The topics directly below one, counted from 0."""
    nodes = members(tree, latent + tree.n_words)
    return [v - tree.n_words for v in nodes if v >= tree.n_words]


def test_own_shares_are_without_those_below() -> None:
    own = SIZES.own(TREE)
    for latent in range(TREE.n_latents):
        expected = SIZES.shares[latent] - SIZES.shares[below(TREE, latent)].sum()
        assert own[latent] == pytest.approx(expected, abs=1e-12)
    leaves = TREE.level[TREE.n_words :] == 1
    np.testing.assert_array_equal(own[leaves], SIZES.shares[leaves])
    np.testing.assert_allclose(own[~leaves], 0.0, atol=1e-7)


def test_own_shares_of_topics_above_unknown_ones_are_all_of_theirs() -> None:
    sizes = sizes_of(TREE, [Sharing.of_tree(TREE, None, 2)], FIRST, EVERY)
    own, level = sizes.own(TREE), TREE.level[TREE.n_words :]
    np.testing.assert_array_equal(own[level == 2], sizes.shares[level == 2])
    assert np.isnan(own[level == 1]).all()


def test_shares_are_added_up_from_own_ones() -> None:
    every = np.arange(TREE.n_latents)
    same = SIZES.edited(SIZES.own(TREE), TREE, every)
    np.testing.assert_allclose(same.shares, SIZES.shares, atol=1e-7)
    np.testing.assert_array_equal(same.spreads, SIZES.spreads)
    assert (same.documents == -1).all()
    assert (same.mainly == -1).all()
    leaf = int(np.flatnonzero(TREE.level[TREE.n_words :] == 1)[0])
    own = SIZES.own(TREE)
    own[leaf] = np.nan
    without = SIZES.edited(own, TREE, np.where(every == leaf, -1, every))
    assert np.isnan(without.shares[leaf])
    assert np.isnan(without.spreads[leaf])
    above = topic_above(TREE, leaf + TREE.n_words) - TREE.n_words
    expected = SIZES.shares[above] - SIZES.shares[leaf]
    assert without.shares[above] == pytest.approx(expected, abs=1e-7)


def test_carried_shares_stay_within_0_and_1() -> None:
    own = np.where(TREE.level[TREE.n_words :] == 1, 0.3, -1e-9)
    shares = SIZES.edited(own, TREE, np.arange(TREE.n_latents)).shares
    assert ((shares >= 0.0) & (shares <= 1.0)).all()


def test_sizes_of_two_sets_of_documents_are_those_of_both() -> None:
    new = sizes_of(TREE, [SHARING], SECOND, EVERY)
    both = SIZES.with_more(300, new, 300)
    whole = as_documents(np.vstack([X.to_csr().toarray() for X in (FIRST, SECOND)]))
    expected = sizes_of(TREE, [SHARING], whole, np.ones(600, dtype=bool))
    np.testing.assert_allclose(both.shares, expected.shares, atol=1e-8)
    np.testing.assert_allclose(both.spreads, expected.spreads, atol=1e-8)
    np.testing.assert_array_equal(both.documents, expected.documents)
    np.testing.assert_array_equal(both.mainly, expected.mainly)


def test_documents_that_are_not_counted_make_sums_unknown() -> None:
    gaps = SIZES._replace(documents=np.where(np.arange(TREE.n_latents) == 2, -1, SIZES.documents))
    for found in (gaps.with_more(300, SIZES, 300), SIZES.with_more(300, gaps, 300)):
        assert found.documents[2] == -1
        np.testing.assert_array_equal(found.mainly, 2 * SIZES.mainly)
        np.testing.assert_array_equal(
            np.delete(found.documents, 2), 2 * np.delete(SIZES.documents, 2)
        )


def test_sizes_of_more_topics_and_of_more_documents() -> None:
    more = SIZES.padded(TREE.n_latents + 2)
    for column, before in zip(more, SIZES, strict=True):
        np.testing.assert_array_equal(column, [*before, 0, 0])
    gaps = SIZES._replace(documents=np.where(SIZES.documents > 9, -1, SIZES.documents))
    scaled = gaps.scaled(2.5)
    np.testing.assert_array_equal(scaled.shares, SIZES.shares)
    expected = [-1 if number > 9 else round(2.5 * number) for number in SIZES.documents.tolist()]
    assert scaled.documents.tolist() == expected
    assert scaled.mainly.tolist() == [round(2.5 * number) for number in SIZES.mainly.tolist()]


def test_topics_of_several_lists_are_as_large_as_in_the_last() -> None:
    topics = TopicTree.from_tree(TREE, lowest_level=1)
    flat = topics.flat(topics.cut(5)).shares().sharing
    found = sizes_of(TREE, [SHARING, flat], FIRST, EVERY)
    alone = sizes_of(TREE, [flat], FIRST, EVERY)
    chosen = np.isin(np.arange(TREE.n_latents), flat.latents)
    assert chosen.sum() == 5
    for column, listed, whole in zip(found, alone, SIZES, strict=True):
        np.testing.assert_array_equal(column, np.where(chosen, listed, whole))


# ---- files -----------------------------------------------------------------------------------------


def test_sizes_come_back_from_a_file() -> None:
    sizes = sizes_of(TREE, [Sharing.of_tree(TREE, None, 2)], FIRST, EVERY)
    back = Sizes.read(json.loads(json.dumps(sizes.plain())), TREE.n_latents)
    for column, read in zip(sizes, back, strict=True):
        np.testing.assert_array_equal(column, read)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"shares": [0.5]}, "not a number per latent variable"),
        ({"documents": [[1] * TREE.n_latents]}, "not a number per latent variable"),
        ({"shares": [1.5] * TREE.n_latents}, "not shares and numbers of documents"),
        ({"spreads": [-0.1] * TREE.n_latents}, "not shares and numbers of documents"),
        ({"documents": [-2] * TREE.n_latents}, "not shares and numbers of documents"),
        ({"mainly": [-2] * TREE.n_latents}, "not shares and numbers of documents"),
        ({"shares": ["a"] * TREE.n_latents}, "could not convert"),
        ({"documents": [None] * TREE.n_latents}, "NoneType"),
        ({"documents": [1e300] * TREE.n_latents}, "too large|cannot convert"),
    ],
)
def test_damaged_sizes_are_refused(change: dict[str, Any], error: str) -> None:
    with pytest.raises((ValueError, TypeError, OverflowError), match=error):
        Sizes.read(SIZES.plain() | change, TREE.n_latents)


@pytest.mark.parametrize("name", ["shares", "spreads", "documents", "mainly"])
def test_sizes_that_lack_a_column_are_refused(name: str) -> None:
    plain = SIZES.plain()
    del plain[name]
    with pytest.raises(LookupError):
        Sizes.read(plain, TREE.n_latents)


# ---- topics ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return learn(tmp_path_factory.mktemp("sizes") / "model.hlta")


@pytest.fixture
def model(learned: Path) -> HLTA:
    return HLTA.load(learned)


def every_topic(model: HLTA) -> TopicTree:
    return TopicTree.from_tree(model.tree_, lowest_level=1, known=model._edited.known, fold=False)


def test_a_topic_with_nearly_all_documents_of_the_one_above_is_left_out() -> None:
    X = planted(120, 0).sample(1500, seed=0)
    model = HLTA(em_steps=1, refine=False, lowest_level=1, max_top_topics=5).fit(X)
    whole = every_topic(model)
    left_out = {topic.id for topic in whole} - {topic.id for topic in model.topics_}
    for topic in whole:
        above, documents = topic.parent, topic.documents or 0
        if above is None:
            assert topic.id not in left_out
            continue
        repeats = documents >= REPEATED * (above.documents or 1)
        assert (topic.id in left_out) == (repeats or (topic.level > 1 and documents < 2))
    assert left_out
    last = sorted(left_out)[0]
    assert last in {topic.id for topic in model.topics_.level(whole[last].level)}
    model.edit.rename(last, "Named")
    assert last in model.topics_
    model.edit.undo()
    model.edit.pin(last)
    assert last in model.topics_


def test_a_topic_of_which_nothing_is_known_has_its_part_of_the_one_above() -> None:
    model = HLTA(samples=1, max_top_topics=4).fit(DOCUMENTS)
    whole, size = every_topic(model), model.tree_.marginals
    lowest = whole.level(1)
    assert all(topic.documents is None for topic in lowest)
    parents = [topic for topic in whole.level(2) if topic.children]
    assert parents
    for parent in parents:
        nodes = [model.tree_.names.index(topic.id) for topic in parent.children]
        parts = size[nodes] / size[nodes].sum()
        sizes = [topic.size for topic in parent.children]
        np.testing.assert_allclose(sizes, parent.size * parts)
    bare = TopicTree.from_tree(model.tree_, lowest_level=1)
    assert [topic.size for topic in bare] == [
        size[model.tree_.names.index(topic.id)] for topic in bare
    ]


# ---- edits -----------------------------------------------------------------------------------------


def sizes_by_id(model: HLTA) -> dict[str, float]:
    return {topic.id: topic.size for topic in every_topic(model)}


def counts_by_id(model: HLTA) -> dict[str, tuple[list[float], float]]:
    """The words and documents of each topic, with those of the topics below it."""
    assert model.topics_.counts is not None
    words, number = model.topics_.counts.totals(model.tree_)
    return {
        name: (words[[k]].toarray()[0].tolist(), float(number[k]))
        for k, name in enumerate(model.tree_.latent_names)
    }


def whole(model: HLTA) -> tuple[float, Floats, float]:
    """The sum of the sizes, words and documents of the root topics."""
    counts, sizes = counts_by_id(model), sizes_by_id(model)
    roots = [root.id for root in every_topic(model).roots]
    words = np.sum([counts[name][0] for name in roots], axis=0)
    return (
        sum(sizes[name] for name in roots),
        np.asarray(words),
        sum(counts[name][1] for name in roots),
    )


def assert_same_whole(before: tuple[float, Floats, float], model: HLTA) -> None:
    after = whole(model)
    assert after[0] == pytest.approx(before[0], abs=1e-6)
    np.testing.assert_array_equal(after[1], before[1])
    assert after[2] == pytest.approx(before[2], abs=1e-6)


def assert_recounted(model: HLTA) -> None:
    """After a count, sizes are those that the documents tell."""
    columns = [int(word.removeprefix("x")) for word in model.tree_.words]
    documents = DOCUMENTS[:, columns]
    model.edit.recount(documents)
    assert_agrees(model, documents)


def assert_agrees(model: HLTA, documents: np.ndarray) -> None:
    """Sizes and numbers of documents are what `transform` gives."""
    shares = model.transform(documents)
    np.testing.assert_allclose([t.size for t in model.topics_], shares.mean(axis=0), atol=1e-9)
    on = (shares >= 0.2).sum(axis=0).tolist()
    assert [topic.documents for topic in model.topics_] == on


@pytest.mark.parametrize("level", [1, 2])
def test_a_merged_topic_has_the_sum_of_both(model: HLTA, level: int) -> None:
    one, other = siblings(model)[:2] if level == 1 else model.topics_.roots[:2]
    before, sizes, counts = whole(model), sizes_by_id(model), counts_by_id(model)
    model.edit.merge(other, into=one)
    assert sizes_by_id(model)[one.id] == pytest.approx(sizes[one.id] + sizes[other.id], abs=1e-6)
    words, number = counts_by_id(model)[one.id]
    np.testing.assert_array_equal(words, np.add(counts[one.id][0], counts[other.id][0]))
    assert number == pytest.approx(counts[one.id][1] + counts[other.id][1], abs=1e-6)
    assert_same_whole(before, model)
    above = {topic.id for topic in (one.parent, other.parent) if topic}
    for name, size in sizes_by_id(model).items():
        if name not in {one.id} | above:
            assert size == pytest.approx(sizes[name], abs=1e-6)
    assert_recounted(model)


def test_a_topic_merged_into_the_one_above_leaves_it_as_large(model: HLTA) -> None:
    child = siblings(model)[0]
    assert child.parent is not None
    before, sizes, counts = whole(model), sizes_by_id(model), counts_by_id(model)
    model.edit.merge(child, into=child.parent)
    assert sizes_by_id(model)[child.parent.id] == pytest.approx(sizes[child.parent.id], abs=1e-6)
    assert counts_by_id(model)[child.parent.id] == counts[child.parent.id]
    assert_same_whole(before, model)
    assert_recounted(model)


def test_a_moved_topic_takes_its_share_along(model: HLTA) -> None:
    child = siblings(model)[0]
    target = next(root for root in model.topics_.roots if root is not child.parent)
    assert child.parent is not None
    before, sizes, counts = whole(model), sizes_by_id(model), counts_by_id(model)
    model.edit.move(child, below=target)
    after, words = sizes_by_id(model), counts_by_id(model)
    moved = sizes[child.id]
    assert after[child.id] == pytest.approx(moved, abs=1e-6)
    assert after[target.id] == pytest.approx(sizes[target.id] + moved, abs=1e-6)
    assert after[child.parent.id] == pytest.approx(sizes[child.parent.id] - moved, abs=1e-6)
    assert words[child.id] == counts[child.id]
    assert_same_whole(before, model)
    assert_recounted(model)


def test_a_split_divides_what_a_topic_had() -> None:
    model = HLTA(refine=False, max_top_topics=4).fit(DOCUMENTS)
    whole_before, sizes, counts = whole(model), sizes_by_id(model), counts_by_id(model)
    topic = max(
        model.topics_.roots, key=lambda root: len(members(model.tree_, _node(model, root.id)))
    )
    new = model.edit.split(topic, DOCUMENTS)
    after, words = sizes_by_id(model), counts_by_id(model)
    assert after[topic.id] + after[new] == pytest.approx(sizes[topic.id], abs=1e-6)
    assert 0.0 < after[new] < sizes[topic.id]
    both = np.add(words[topic.id][0], words[new][0])
    np.testing.assert_array_equal(both, counts[topic.id][0])
    assert np.min([words[topic.id][0], words[new][0]]) >= 0
    assert words[topic.id][1] + words[new][1] == pytest.approx(counts[topic.id][1], abs=1e-6)
    assert_same_whole(whole_before, model)
    below = topics_within(model.tree_)[[_node(model, new) - 60]].indices + 60
    own = {word for v in below for word in members(model.tree_, int(v)) if word < 60}
    more = np.array(words[new][0]) / np.maximum(both, 1)
    assert own  # which are mostly in its part
    assert more[list(own)].mean() > more.mean()
    assert_recounted(model)


def _node(model: HLTA, name: str) -> int:
    return model.tree_.names.index(name)


def test_a_removed_word_takes_only_itself_away(model: HLTA) -> None:
    before, counts = sizes_by_id(model), counts_by_id(model)
    word = max(model.topics_.level(1), key=lambda topic: len(topic.words)).words[0]
    place = model.tree_.words.index(word)
    model.edit.remove(word)
    assert sizes_by_id(model) == pytest.approx(before, abs=1e-6)
    for name, (words, number) in counts_by_id(model).items():
        assert words == np.delete(counts[name][0], place).tolist()
        assert number == counts[name][1]
    assert_recounted(model)


def test_undoing_an_edit_brings_back_what_was_counted(model: HLTA) -> None:
    def shown() -> list[tuple[str, float, int | None, int | None]]:
        return [(t.id, t.size, t.documents, t.main_documents) for t in model.topics_]

    before = shown()
    one, other = siblings(model)[:2]
    model.edit.merge(other, into=one)
    assert all(topic.documents is None for topic in model.topics_)
    model.edit.undo()
    assert shown() == before


def test_edits_of_a_model_with_one_root_can_be_saved(tmp_path: Path) -> None:
    """Its share is that of all words, which sums of rounded shares must not exceed."""
    model = HLTA(samples=1, lowest_level=1, max_top_topics=1).fit(planted(60).sample(400, seed=0))
    one, other = siblings(model)[:2]
    model.edit.merge(other, into=one)
    model.save(tmp_path / "model.hlta")
    again = HLTA.load(tmp_path / "model.hlta")
    assert [topic.size for topic in again.topics_] == [topic.size for topic in model.topics_]
    assert again.topics_.roots[0].size <= 1.0


# ---- updates ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("looked_at", [20_000, 300])
def test_an_update_gives_much_the_same_shares_as_a_fit_to_all(
    looked_at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many documents words were counted in."""
    monkeypatch.setattr("hlta.estimator.estimator._LOOKED_AT", looked_at)
    source = planted(60)
    first, second = (
        source.sample(size, seed=seed).toarray() for size, seed in ((900, 0), (300, 1))
    )
    model = HLTA(refine=False, max_top_topics=4).fit(first)
    both = np.concatenate((first, second))
    old = model.transform(both)
    counts = model.topics_.counts
    assert counts is not None
    assert counts.documents.sum() == pytest.approx(min(900, looked_at), abs=0.1)
    model.partial_fit(second)
    counts = model.topics_.counts
    assert counts is not None
    assert counts.documents.sum() == pytest.approx(1200, abs=0.1)
    again = Sharing.of_tree(model.tree_, count_words(model.tree_, as_documents(both)), 2)
    columns = {model.tree_.latent_names[v]: k for k, v in enumerate(again.latents.tolist())}
    shares = model.transform(both)
    expected = again.shares(as_documents(both))[:, [columns[t.id] for t in model.topics_]]
    assert np.abs(shares - expected).mean() < 0.02
    assert np.abs(shares - old).mean() < 0.04
    sizes = np.array([topic.size for topic in model.topics_])
    np.testing.assert_allclose(sizes, shares.mean(axis=0), atol=0.02)
    on = np.array([topic.documents for topic in model.topics_])
    np.testing.assert_allclose(on, (shares >= 0.2).sum(axis=0), atol=0.05 * 1200)


def test_repeats_weigh_as_much_in_an_update_as_in_a_fit() -> None:
    """Sizes are means over all documents, but a text that is repeated weighs once."""
    source = planted(60)
    X = source.sample(400, seed=0).toarray()
    repeated = np.arange(400) % 4 == 1
    X[repeated] = X[np.flatnonzero(repeated) - 1]
    originals = np.where(repeated, np.arange(400) - 1, np.arange(400))
    corpus = Corpus(X, [f"x{k}" for k in range(60)], originals=originals)
    assert corpus.n_repeats == 100
    model = HLTA(samples=1, max_top_topics=4).fit(corpus.take(np.arange(200)))
    old = np.array([topic.size for topic in model.topics_])
    ids = [topic.id for topic in model.topics_]
    new_documents = corpus.take(np.arange(200, 400))
    model.partial_fit(new_documents)
    new = model.transform(new_documents, topics=[every_topic(model)[name] for name in ids])
    sizes = np.array([every_topic(model)[name].size for name in ids])
    np.testing.assert_allclose(sizes, (old + new.mean(axis=0)) / 2, atol=1e-6)


# ---- lists of topics -------------------------------------------------------------------------------


def assert_list_agrees(model: HLTA, documents: np.ndarray) -> None:
    """So are main topics what `predict` gives."""
    assert_agrees(model, documents)
    main = model.predict(documents, topics=model.topics_)
    mainly = np.bincount(main[main >= 0], minlength=len(model.topics_)).tolist()
    assert [topic.main_documents for topic in model.topics_] == mainly


@pytest.mark.parametrize("n", [1, 3, 5, 9, 1000])
@pytest.mark.filterwarnings("ignore:n_topics=1000")
def test_the_topics_of_a_list_are_counted_as_they_share_words(n: int, tmp_path: Path) -> None:
    model = HLTA(samples=1, max_top_topics=4, n_topics=n).fit(DOCUMENTS)
    assert_list_agrees(model, DOCUMENTS)
    if n > 1:
        whole = model.transform(DOCUMENTS).sum(axis=1)
        np.testing.assert_allclose(whole, model.knows(DOCUMENTS), atol=1e-9)
    model.save(tmp_path / "model.hlta")
    again = HLTA.load(tmp_path / "model.hlta")
    assert again.topics_.to_dict() == model.topics_.to_dict()
    assert_list_agrees(again, DOCUMENTS)
    model.edit.recount(DOCUMENTS[:200])
    assert_list_agrees(model, DOCUMENTS[:200])
    model.save(tmp_path / "model.hlta")
    again = HLTA.load(tmp_path / "model.hlta")
    assert again.topics_.to_dict() == model.topics_.to_dict()


def test_another_list_is_counted_again() -> None:
    model = HLTA(samples=1, max_top_topics=4, n_topics=5).fit(DOCUMENTS)
    before = model.topics_.to_dict()["topics"]
    last = model.topics_.roots[-1].id
    model.edit.hide(last)
    assert last not in model.topics_
    assert len(model.topics_) == 5
    model.edit.recount(DOCUMENTS)
    assert_list_agrees(model, DOCUMENTS)
    model.edit.undo()
    assert [topic["id"] for topic in model.topics_.to_dict()["topics"]] == [t["id"] for t in before]
    model.edit.recount(DOCUMENTS)
    assert model.topics_.to_dict()["topics"] == before


def test_an_update_counts_the_topics_of_a_list() -> None:
    model = HLTA(samples=1, max_top_topics=4, n_topics=4).fit(DOCUMENTS[:400])
    ids, old = [t.id for t in model.topics_], [t.size for t in model.topics_]
    on = [topic.documents or 0 for topic in model.topics_]
    model.partial_fit(DOCUMENTS[400:])
    assert [topic.id for topic in model.topics_] == ids
    new = model.transform(DOCUMENTS[400:])
    expected = (400 * np.array(old) + 200 * new.mean(axis=0)) / 600
    np.testing.assert_allclose([t.size for t in model.topics_], expected, atol=1e-6)
    both = np.array(on) + (new >= 0.2).sum(axis=0)
    assert [topic.documents for topic in model.topics_] == both.tolist()
