"""How large topics are: against transform, after edits and updates, of lists, and in files."""

import json
from collections.abc import Callable, Iterable
from copy import copy
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import pytest

from hlta import HLTA, Corpus, Topic, TopicTree
from hlta.documents.given_matrices import as_documents
from hlta.topics import shares as module
from hlta.topics.annotations import REPEATED, Sizes
from hlta.topics.shares import Sharing, sizes_of
from hlta.topics.word_counts import count_words
from hlta.tree.reshaping import members, topic_above
from tests.editable import DOCUMENTS, siblings, state
from tests.oracles import Floats
from tests.synthetic import planted

TREE = planted(90, 1)
FIRST, SECOND = (as_documents(TREE.sample(300, seed=seed)) for seed in (1, 2))
SHARING = Sharing.of_tree(TREE, count_words(TREE, FIRST), 1)
EVERY = np.ones(300, dtype=bool)
SIZES = sizes_of(TREE, [SHARING], FIRST, EVERY)
LEVEL = TREE.level[TREE.n_words :]


def by_latent(values: Floats) -> Floats:
    """Values of the topics of `SHARING` in the order of the latent variables."""
    out = np.empty_like(values)
    out[..., SHARING.latents] = values
    return out


def assert_equal(found: Iterable[Any], expected: Iterable[Any], atol: float = 0.0) -> None:
    of_found, of_expected = (
        (*sizes.columns, sizes.weight) if isinstance(sizes, Sizes) else sizes
        for sizes in (found, expected)
    )
    for one, other in zip(of_found, of_expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=0.0, atol=atol)


# ---- counting --------------------------------------------------------------------------------------


@pytest.mark.parametrize("known", [EVERY, np.arange(300) % 4 > 0])
@pytest.mark.parametrize("at_once", [300, 7])
def test_sizes_sum_shares(known: np.ndarray, at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_SHARES", at_once * len(SHARING.latents))
    shares = SHARING.shares(FIRST) * known[:, None]
    on, mainly = (shares >= 0.2).sum(axis=0), SHARING.are_main(shares).sum(axis=0)
    expected = [by_latent(of) for of in (shares.mean(axis=0), shares.var(axis=0), on, mainly)]
    assert_equal(sizes_of(TREE, [SHARING], FIRST, known), [*expected, 300.0], atol=1e-9)


def test_topics_that_are_not_counted_are_unknown() -> None:
    sizes = sizes_of(TREE, [Sharing.of_tree(TREE, None, 2)], FIRST, EVERY)
    counted = LEVEL >= 2
    for number, share in ((sizes.documents, sizes.shares), (sizes.mainly, sizes.spreads)):
        np.testing.assert_array_equal(number >= 0, counted)
        np.testing.assert_array_equal(np.isnan(share), ~counted)
    own = sizes.own(TREE)  # all of it, as nothing is known of those below
    np.testing.assert_array_equal(own[LEVEL == 2], sizes.shares[LEVEL == 2])
    assert np.isnan(own[~counted]).all()
    assert_equal(Sizes.read(json.loads(json.dumps(sizes.plain())), TREE.n_latents), sizes)


def test_topics_of_several_lists_are_as_large_as_in_the_last() -> None:
    topics = TopicTree.from_tree(TREE, lowest_level=1)
    flat = topics.flat(topics.cut(5)).shares().sharing
    alone = sizes_of(TREE, [flat], FIRST, EVERY)
    chosen = np.isin(np.arange(TREE.n_latents), flat.latents)
    assert chosen.sum() == 5
    expected = (
        np.where(chosen, one, all_) for one, all_ in zip(alone.columns, SIZES.columns, strict=True)
    )
    assert_equal(sizes_of(TREE, [SHARING, flat], FIRST, EVERY).columns, expected)


def test_own_shares_are_without_those_below_and_carried_ones_within_0_and_1() -> None:
    own = np.where(LEVEL == 1, 0.3, -1e-9)
    shares = SIZES.carry(own, TREE, np.arange(TREE.n_latents)).shares
    assert ((shares >= 0.0) & (shares <= 1.0)).all()
    expected = SIZES.shares.copy()
    for latent in range(TREE.n_latents):
        above = topic_above(TREE, latent + TREE.n_words) - TREE.n_words
        if above >= 0:
            expected[above] -= SIZES.shares[latent]
    np.testing.assert_allclose(SIZES.own(TREE), expected, atol=1e-12)


def test_sizes_of_two_sets_are_those_of_both_and_unknown_where_one_is() -> None:
    more = sizes_of(TREE, [SHARING], SECOND, EVERY)
    whole = as_documents(np.vstack([X.to_csr().toarray() for X in (FIRST, SECOND)]))
    expected = sizes_of(TREE, [SHARING], whole, np.ones(600, dtype=bool))
    assert_equal(SIZES.with_more(more, 300.0), expected, atol=1e-8)
    documents = np.where(np.arange(TREE.n_latents) == 2, -1, SIZES.documents)
    gaps = SIZES._replace(documents=documents)
    for found in (gaps.with_more(SIZES, 300.0), SIZES.with_more(gaps, 300.0)):
        np.testing.assert_array_equal(found.documents, np.where(documents < 0, -1, 2 * documents))
        np.testing.assert_array_equal(found.mainly, 2 * SIZES.mainly)


N = TREE.n_latents


@pytest.mark.parametrize(
    "change",
    [
        *({name: None} for name in Sizes._fields if name not in {"weight", "folded"}),
        *({name: [odd] * N} for name, odd in (("shares", 1.5), ("shares", "a"), ("spreads", -0.1))),
        *({"documents": [odd] * N} for odd in (-2, [1], None, 1e300)),
        *({"weight": odd} for odd in (-1.0, float("inf"))),
        *({"folded": odd} for odd in ("Z1-1", [1])),
        {"shares": [0.5]},
        {"mainly": [-2] * N},
    ],
)
def test_damaged_sizes_are_refused(change: dict[str, Any]) -> None:
    plain = {name: value for name, value in (SIZES.plain() | change).items() if value is not None}
    with pytest.raises((ValueError, TypeError, OverflowError, LookupError)):
        Sizes.read(plain, N)


def every_topic(model: HLTA) -> TopicTree:
    known = model._fitted.annotations
    return TopicTree.from_tree(model.tree_, lowest_level=1, annotations=known, fold=False)


PLANTED, NAMES = planted(120, 0), [f"x{k}" for k in range(120)]


@pytest.fixture(scope="module")
def of_planted() -> HLTA:
    """Of whose topics some are left out."""
    options: dict[str, Any] = {"em_steps": 1, "refine": False, "lowest_level": 1}
    return HLTA(**options, max_top_topics=5).fit(PLANTED.sample(1500, seed=0), words=NAMES)


@pytest.fixture
def whole(of_planted: HLTA) -> HLTA:
    return copy(of_planted)


def ids(model: HLTA) -> set[str]:
    return {topic.id for topic in model.topics_}


def test_a_topic_with_nearly_all_documents_of_the_one_above_is_left_out(whole: HLTA) -> None:
    every = every_topic(whole)
    left_out = {topic.id for topic in every} - ids(whole)
    assert left_out
    for topic in every:
        documents, above = topic.documents or 0, topic.parent
        repeats = above is not None and documents >= REPEATED * (above.documents or 1)
        few = above is not None and topic.level > 1 and documents < 2
        assert (topic.id in left_out) == (repeats or few)
    last = min(left_out)
    assert last in {topic.id for topic in whole.topics_.level(every[last].level)}
    whole.edit.rename(last, "Named")
    assert last in whole.topics_
    whole.edit.undo()
    whole.edit.pin(last)
    assert last in whole.topics_


def test_a_topic_of_which_nothing_is_known_has_its_part_of_the_one_above() -> None:
    model = HLTA(samples=1, max_top_topics=4).fit(DOCUMENTS)
    whole, size = every_topic(model), model.tree_.marginals
    assert all(topic.documents is None for topic in whole.level(1))
    parents = [topic for topic in whole.level(2) if topic.children]
    assert parents
    for parent in parents:
        parts = size[[model.tree_.names.index(topic.id) for topic in parent.children]]
        sizes = [topic.size for topic in parent.children]
        np.testing.assert_allclose(sizes, parent.size * parts / parts.sum())


# ---- edits -----------------------------------------------------------------------------------------


class Counted(NamedTuple):
    """Sizes, words and documents of topics, with those of the topics below them."""

    size: dict[str, float]
    words: dict[str, Floats]
    documents: dict[str, float]

    @classmethod
    def of(cls, model: HLTA) -> Self:
        names = model.tree_.latent_names
        assert model.topics_.counts is not None
        words, number = model.topics_.counts.totals(model.tree_)
        return cls(
            {topic.id: topic.size for topic in every_topic(model)},
            dict(zip(names, words.toarray(), strict=True)),
            dict(zip(names, number.tolist(), strict=True)),
        )

    def total(self, *names: str) -> Floats:
        """The sums over some topics."""
        rows = [[self.size[one], self.documents[one], *self.words[one]] for one in names]
        return np.asarray(np.sum(rows, axis=0))


def assert_as_counted(model: HLTA, documents: np.ndarray) -> None:
    """Sizes, numbers of documents and main topics are those of `transform` and `predict`."""
    shares = model.transform(documents)
    np.testing.assert_allclose([t.size for t in model.topics_], shares.mean(axis=0), atol=1e-9)
    on = (shares >= 0.2).sum(axis=0).tolist()
    assert [topic.documents for topic in model.topics_] == on


def assert_recounted(model: HLTA) -> None:
    columns = [int(word.removeprefix("x")) for word in model.tree_.words]
    model.edit.recount(DOCUMENTS[:, columns])
    assert_as_counted(model, DOCUMENTS[:, columns])


More = dict[str, tuple[int, str]]  # of topics: what else they have (1) or have no more (-1)


def merge(model: HLTA, one: Topic | None, other: Topic) -> More:
    assert one is not None
    within = other.parent is one
    model.edit.merge(other, into=one)
    return {} if within else {one.id: (1, other.id)}


def move(model: HLTA) -> More:
    child = siblings(model)[0]
    assert child.parent is not None
    target = next(root for root in model.topics_.roots if root is not child.parent)
    model.edit.move(child, below=target)
    return {target.id: (1, child.id), child.parent.id: (-1, child.id)}


@pytest.mark.parametrize(
    "edit",
    [
        lambda model: merge(model, *siblings(model)[:2]),
        lambda model: merge(model, *model.topics_.roots[:2]),
        lambda model: merge(model, siblings(model)[0].parent, siblings(model)[0]),
        move,
    ],
    ids=["topics merged", "roots merged", "merged into the topic above", "moved"],
)
def test_what_topics_have_goes_along(edit: Callable[[HLTA], More], model: HLTA) -> None:
    before, shown = Counted.of(model), state(model)
    more = edit(model)
    after = Counted.of(model)
    for name in after.size:
        sign, other = more.get(name, (0, name))
        expected = np.add(before.total(name), sign * before.total(other))
        np.testing.assert_allclose(after.total(name), expected, atol=1e-6)
    assert_recounted(model)
    model.edit.undo()
    assert state(model) == shown


def test_a_split_divides_what_a_topic_had(model: HLTA) -> None:
    tree, before = model.tree_, Counted.of(model)
    sizes = {root: len(members(tree, tree.names.index(root.id))) for root in model.topics_.roots}
    topic = max(sizes, key=lambda root: sizes[root]).id
    new = model.edit.split(topic, DOCUMENTS)
    after = Counted.of(model)
    np.testing.assert_allclose(after.total(topic, new), before.total(topic), atol=1e-6)
    assert 0.0 < after.size[new] < before.size[topic]
    assert min(after.words[name].min() for name in (topic, new)) >= 0
    # Words below the new topic are mostly in its part.
    own = [model.tree_.words.index(word) for word in every_topic(model)[new].words]
    part = after.words[new] / np.maximum(after.words[topic] + after.words[new], 1)
    assert part[own].mean() > part.mean()
    assert_recounted(model)


def test_a_removed_word_takes_only_itself_away(model: HLTA) -> None:
    before = Counted.of(model)
    word = max(model.topics_.level(1), key=lambda topic: len(topic.words)).words[0]
    place = model.tree_.words.index(word)
    model.edit.remove(word)
    after = Counted.of(model)
    assert after.size == pytest.approx(before.size, abs=1e-6)
    for name, words in after.words.items():
        np.testing.assert_array_equal(words, np.delete(before.words[name], place))
        assert after.documents[name] == before.documents[name]
    assert_recounted(model)


def test_topics_that_an_edit_does_not_touch_stay_left_out(whole: HLTA, tmp_path: Path) -> None:
    model, listed = whole, ids(whole)
    assert {topic.id for topic in every_topic(model)} > listed
    last, *others = reversed(model.topics_.roots)
    one, other = next(root.children for root in others if len(root.children) > 1)[:2]
    model.edit.remove(last.words[-1])
    assert ids(model) == listed
    model.edit.merge(other, into=one)
    within = {topic.id for topic in every_topic(model)[one.id]}
    assert ids(model) - within == listed - within - {other.id}
    model.partial_fit(Corpus(PLANTED.sample(100, seed=1), NAMES))
    model.save(tmp_path / "model.hlta")
    assert ids(HLTA.load(tmp_path / "model.hlta")) - within == listed - within - {other.id}


def test_which_topics_are_left_out_is_in_files_and_survives_notes(
    whole: HLTA, tmp_path: Path
) -> None:
    last = whole.topics_.roots[-1]
    whole.edit.remove(last.words[-1])
    learned = ids(whole)
    whole.edit.recount(Corpus(PLANTED.sample(40, seed=0), NAMES))
    whole.edit.remove(last.words[-2])
    listed = ids(whole)
    assert listed != learned  # 40 documents leave out others
    whole.edit.note(last, "A note")
    whole.edit.undo()
    assert ids(whole) == listed
    whole.save(tmp_path / "model.hlta")
    assert ids(HLTA.load(tmp_path / "model.hlta")) == listed


def test_what_is_merged_into_a_topic_that_is_left_out_is_listed(whole: HLTA) -> None:
    every = every_topic(whole)
    into = next(topic for topic in every if topic.id not in whole.topics_ and topic.level > 1)
    assert into.parent is not None
    other = next(topic for topic in into.parent.children if topic.id in whole.topics_)
    whole.edit.merge(other.id, into=into.id)
    assert into.id in whole.topics_
    whole.edit.undo()
    assert into.id not in whole.topics_
    whole.edit.move(other.id, below=into.id)
    assert into.id in whole.topics_


def test_edits_of_a_model_with_one_root_can_be_saved(tmp_path: Path) -> None:
    """Its share is that of all words, which sums of rounded shares must not exceed."""
    model = HLTA(samples=1, lowest_level=1, max_top_topics=1).fit(planted(60).sample(400, seed=0))
    one, other = siblings(model)[:2]
    model.edit.merge(other, into=one)
    model.save(tmp_path / "model.hlta")
    again = HLTA.load(tmp_path / "model.hlta")
    assert [topic.size for topic in again.topics_] == [topic.size for topic in model.topics_]
    assert again.topics_.roots[0].size <= 1.0


def test_sizes_are_means_over_all_documents_repeats_included() -> None:
    X, every = planted(60).sample(400, seed=0).toarray(), np.arange(400)
    originals = np.where(every % 4 == 1, every - 1, every)
    originals[200:] = every[200:] - every[200:] % 20  # more of which are repeats
    corpus = Corpus(X[originals], [f"x{k}" for k in range(60)], originals=originals)
    model = HLTA(samples=1, max_top_topics=4).fit(corpus.take(every[:200]))
    old, ids = [t.size for t in model.topics_], [t.id for t in model.topics_]
    model.partial_fit(corpus.take(every[200:]))
    topics = [every_topic(model)[name] for name in ids]
    new = model.transform(corpus.take(every[200:]), topics=topics)
    expected = (np.array(old) + new.mean(axis=0)) / 2
    np.testing.assert_allclose([topic.size for topic in topics], expected, atol=1e-6)


def test_long_documents_weigh_as_much_as_short_ones_in_sizes(tmp_path: Path) -> None:
    """They are learned from in sections, but are one document each."""
    rng = np.random.default_rng(0)
    kinds = [[f"{kind}{a}{b}" for a in "pqrst" for b in "uvwxyz"] for kind in "abc"]
    short = [" ".join(rng.choice(kinds[k % 3], 8)) for k in range(300)]
    long = [" ".join(rng.choice(kinds[0], 3000)) for _ in range(50)]
    model = HLTA(samples=1).fit(short)
    model.save(tmp_path / "model.hlta")
    model = HLTA.load(tmp_path / "model.hlta")
    ids, old = zip(*[(topic.id, topic.size) for topic in model.topics_], strict=True)
    model.partial_fit(long)
    topics = [every_topic(model)[name] for name in ids]
    new = model.transform(long, topics=topics).mean(axis=0)
    expected = (300 * np.array(old) + 50 * new) / 350
    np.testing.assert_allclose([topic.size for topic in topics], expected, atol=1e-6)


# ---- lists of topics -------------------------------------------------------------------------------


def assert_list_as_counted(model: HLTA, documents: np.ndarray) -> None:
    assert_as_counted(model, documents)
    main = model.predict(documents, topics=model.topics_)
    mainly = np.bincount(main[main >= 0], minlength=len(model.topics_)).tolist()
    assert [topic.main_documents for topic in model.topics_] == mainly


@pytest.mark.parametrize("n", [1, 5])
def test_the_topics_of_a_list_are_counted_as_they_share_words(n: int, tmp_path: Path) -> None:
    model = HLTA(samples=1, max_top_topics=4, n_topics=n).fit(DOCUMENTS)
    if n > 1:
        whole = model.transform(DOCUMENTS).sum(axis=1)
        np.testing.assert_allclose(whole, model.knows(DOCUMENTS), atol=1e-9)
    for documents in (DOCUMENTS, DOCUMENTS[:200]):
        if len(documents) < len(DOCUMENTS):
            model.edit.recount(documents)
        model.save(tmp_path / "model.hlta")
        again = HLTA.load(tmp_path / "model.hlta")
        assert again.topics_.to_dict() == model.topics_.to_dict()
        assert_list_as_counted(again, documents)


def test_another_list_is_counted_again() -> None:
    model = HLTA(samples=1, max_top_topics=4, n_topics=5).fit(DOCUMENTS)
    before, last = model.topics_.to_dict()["topics"], model.topics_.roots[-1].id
    model.edit.hide(last)
    assert (last in model.topics_, len(model.topics_)) == (False, 5)
    model.edit.recount(DOCUMENTS)
    assert_list_as_counted(model, DOCUMENTS)
    model.edit.undo()
    model.edit.recount(DOCUMENTS)
    assert model.topics_.to_dict()["topics"] == before


def test_an_update_counts_the_topics_of_a_list() -> None:
    model = HLTA(samples=1, max_top_topics=4, n_topics=4).fit(DOCUMENTS[:400])
    before = [(t.id, t.size, t.documents) for t in model.topics_]
    ids, old, on = zip(*before, strict=True)
    model.partial_fit(DOCUMENTS[400:])
    assert tuple(topic.id for topic in model.topics_) == ids
    new = model.transform(DOCUMENTS[400:])
    expected = (400 * np.array(old) + 200 * new.mean(axis=0)) / 600
    np.testing.assert_allclose([t.size for t in model.topics_], expected, atol=1e-6)
    both = np.array(on) + (new >= 0.2).sum(axis=0)
    assert [topic.documents for topic in model.topics_] == both.tolist()
