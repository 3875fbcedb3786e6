"""More than two states: where they start from, that they pay, and that their number is found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hlta import HLTA, LatentTree, Monitor, OptionError
from hlta.documents.matrix import Documents, as_documents
from hlta.learning import states
from hlta.learning.checkpoint import NOTHING_KEPT
from hlta.learning.em import batch_em
from hlta.learning.state_changes import add_states
from hlta.learning.states import learn_states
from tests.strategies import many_states, numbered_tree
from tests.synthetic import planted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.learning.em import EMResult

SEED = np.random.SeedSequence(0)


def learned(
    tree: LatentTree, documents: Documents, states: int | str, n_jobs: int = 1
) -> LatentTree:
    return learn_states(
        tree, documents, states, seed=np.random.SeedSequence(1), n_jobs=n_jobs, monitor=Monitor()
    ).tree


def flat(n_words: int) -> LatentTree:
    """One latent variable above all words."""
    table = np.tile([0.1, 0.5], (n_words + 1, 1))
    table[-1, 0] = 0.5
    return numbered_tree(n_words, np.array([n_words] * n_words + [-1], dtype=np.int32), table)


@pytest.fixture(scope="module")
def truth() -> LatentTree:
    """Latent variables with four states that differ in their words."""
    return many_states(planted(60, 1, width=8), 1, most=4, strength=1.5)


@pytest.fixture(scope="module")
def documents(truth: LatentTree) -> Documents:
    return as_documents(truth.sample(4000, seed=2))


@pytest.fixture(scope="module")
def binary(truth: LatentTree, documents: Documents) -> LatentTree:
    """The best tree of the true shape that has two states everywhere."""
    start = planted(60, 1, width=8)
    np.testing.assert_array_equal(start.parent, truth.parent)
    return batch_em(start, documents, steps=60).tree


@pytest.mark.parametrize("states", [3, 8])
def test_new_states_are_variants_of_state_1(states: int) -> None:
    tree = planted(60, 0)
    grown = add_states(tree, states, SEED)
    assert grown.parameters.states.tolist() == [states] * tree.n_latents
    of_binary, of_grown = tree.parameters, grown.parameters
    np.testing.assert_allclose(of_grown.word[:, 0], of_binary.word[:, 0], rtol=1e-12)
    np.testing.assert_allclose(of_grown.latent[:, 0, 0], of_binary.latent[:, 0, 0], rtol=1e-12)
    on = of_grown.latent[:, 1:, 1:].sum(axis=2)
    np.testing.assert_allclose(on, np.repeat(of_binary.latent[:, 1:, 1], states - 1, axis=1))
    spread = of_grown.word[:, 1:].max(axis=1) / of_grown.word[:, 1:].min(axis=1)
    assert spread.min() > 1.0


def test_new_states_are_tied_along_the_tree() -> None:
    grown = add_states(planted(60, 0), 5, SEED)
    below = np.delete(grown.parameters.latent, grown.root - grown.n_words, axis=0)[:, 1:, 1:]
    share = below / below.sum(axis=2, keepdims=True)
    assert share.diagonal(axis1=1, axis2=2).min() >= 0.9


def test_states_grow_from_any_number() -> None:
    """Copies of a state share what it had; the background and states without copies stay."""
    four = add_states(planted(60, 0), 4, SEED)
    six = add_states(four, 6, SEED)  # states 1 and 2 are copied to 4 and 5
    before, after = four.parameters, six.parameters
    alone = [0, 3]
    np.testing.assert_allclose(after.word[:, alone], before.word[:, alone], rtol=1e-12)
    for state, copy in ((1, 4), (2, 5)):
        both = after.latent[:, :4, [state, copy]].sum(axis=2)
        np.testing.assert_allclose(both, before.latent[:, :, state], rtol=1e-9)
        np.testing.assert_allclose(
            after.latent[:, copy].sum(axis=1), after.latent[:, state].sum(axis=1), rtol=1e-9
        )
        below = np.delete(after.latent, six.root - six.n_words, axis=0)
        for parent, own, other in ((state, state, copy), (copy, copy, state)):
            assert (below[:, parent, own] > 8 * below[:, parent, other]).all()


@pytest.mark.parametrize("seed", range(5))
def test_each_variable_grows_to_a_number_of_its_own(seed: int) -> None:
    """Whatever the parent's copy, copies together have what the state had that they are copies of."""
    tree = many_states(planted(60, 0), seed, most=4)
    before = tree.parameters
    more = np.random.default_rng(seed).integers(0, 4, tree.n_latents)
    grown = add_states(tree, before.states + more.astype(np.int32), SEED)
    after = grown.parameters
    assert after.states.tolist() == (before.states + more).tolist()
    above = tree.parent.astype(int) - tree.n_words

    def source(v: int) -> NDArray[np.intp]:
        new = np.arange(before.states[v], after.states[v]) - before.states[v]
        return np.concatenate((np.arange(before.states[v]), 1 + new % (before.states[v] - 1)))

    for v in range(tree.n_latents):
        own = source(v)
        of_parent = source(above[tree.n_words + v]) if v != tree.root - tree.n_words else [0]
        for j, state in enumerate(of_parent):
            together = np.bincount(own, after.latent[v, j, : len(own)])
            expected = before.latent[v, state, : before.states[v]]
            np.testing.assert_allclose(together, expected, atol=1e-5)
        for word in np.flatnonzero(above[: tree.n_words] == v):
            alone = np.bincount(own)[own] == 1
            np.testing.assert_allclose(
                after.word[word, : len(own)][alone], before.word[word, own][alone], rtol=1e-9
            )


def test_a_topic_keeps_its_size(binary: LatentTree, documents: Documents) -> None:
    found = learned(binary, documents.take(np.arange(1000)), 6)
    sizes, before = (tree.marginals[tree.n_words :] for tree in (found, binary))
    share = np.where(found.parameters.is_on, found.state_marginals, 0.0)
    np.testing.assert_allclose(sizes, share.sum(axis=1))
    # No state more or less would bring it nearer to what it was.
    first = found.parameters.is_on.argmax(axis=1)
    weakest = found.state_marginals[np.arange(found.n_latents), first]
    strongest_off = found.state_marginals[np.arange(found.n_latents), first - 1]
    step = np.where(sizes > before, weakest, strongest_off)
    one_more = found.parameters.states - first > 1
    possible = np.where(sizes > before, one_more, first > 1)
    nearest = np.abs(sizes - before) <= step / 2 + 1e-9
    # Unless the topic would then be more than a tenth larger than the one above it.
    above = found.parent[found.n_words :]
    is_below = (above >= 0) & (found.level[found.n_words :] < found.level[above])
    most = np.where(is_below, 1.1 * found.marginals[above], 1.0)
    too_large = (sizes < before) & (sizes + strongest_off > most)
    assert ((sizes <= most + 1e-9) | ~one_more).all()
    assert (nearest | too_large)[possible].all()
    assert nearest[possible].mean() > 0.5


def test_two_states_are_the_tree_as_it_is(binary: LatentTree, documents: Documents) -> None:
    assert learned(binary, documents, 2) is binary


@pytest.mark.slow
def test_states_that_documents_have_are_found_and_pay(
    truth: LatentTree, binary: LatentTree, documents: Documents
) -> None:
    test = truth.sample(2000, seed=3)
    best = truth.log_likelihood(test).mean()
    with_two = binary.log_likelihood(test).mean()
    found = learned(binary, documents, "auto")
    assert found.parameters.most_states > 2
    with_more = found.log_likelihood(test).mean()
    assert with_more - with_two > 0.7 * (best - with_two) > 0.0


@pytest.mark.parametrize("better", [0, 1, 2])
def test_states_grow_while_documents_held_out_are_predicted_better(
    binary: LatentTree, documents: Documents, monkeypatch: pytest.MonkeyPatch, better: int
) -> None:
    """From each number to the next, until the first that does not predict better."""
    tried: list[int] = []

    def with_more(_: states._Search, best: states._Fitted, number: int) -> states._Fitted:
        tried.append(number)
        gain = 1.0 if len(tried) <= better else -1.0
        tree = add_states(best.tree, number, SEED)
        return best._replace(tree=tree, log_likelihoods=best.log_likelihoods + gain)

    monkeypatch.setattr(states._Search, "_with_more", with_more)
    found = search(binary, documents).grown((4, 8, 16, 24), while_better=True)
    assert tried == [4, 8, 16, 24][: better + 1]
    assert found.tree.parameters.most_states == [2, 4, 8][better]


def search(tree: LatentTree, documents: Documents) -> states._Search:
    seed = np.random.SeedSequence(1)
    return states._Search(tree, documents, seed, NOTHING_KEPT, 1, Monitor())


def test_a_shrinkage_that_predicts_badly_is_corrected(
    truth: LatentTree, documents: Documents
) -> None:
    few = search(truth, documents.take(np.arange(1000)))
    start = few._after_em(truth, 5, states.Shrinkage(300.0, 300.0))
    found = few._with_more(start, truth.parameters.most_states)
    assert found.shrinkage == (150.0, 150.0)
    assert found.is_better_than(start)


def test_documents_held_out_are_not_learned_from(binary: LatentTree, documents: Documents) -> None:
    distinct = np.unique(documents.to_csr()[:300].toarray(), axis=0)
    of_search = search(binary, as_documents(distinct))
    learned_from, held_out = (
        {tuple(row) for row in part.to_csr().toarray().tolist()}
        for part in (of_search._documents, of_search._held_out)
    )
    assert len(held_out) == len(distinct) // 10
    assert len(learned_from) == len(distinct) - len(held_out)
    assert held_out.isdisjoint(learned_from)


@pytest.mark.parametrize(
    ("n_documents", "most_work"), [(39, 4e8), (600, 0.0)], ids=["few documents", "much text"]
)
def test_where_states_are_not_affordable_none_are_tried(
    binary: LatentTree,
    documents: Documents,
    monkeypatch: pytest.MonkeyPatch,
    n_documents: int,
    most_work: float,
) -> None:
    monkeypatch.setattr(states, "_MOST_WORK", most_work)
    monkeypatch.setattr(states._Search, "grown", None)
    assert learned(binary, documents.take(np.arange(n_documents)), "auto") is binary


def test_of_too_many_documents_the_last_steps_are_stepwise(
    binary: LatentTree, documents: Documents, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = documents.take(np.arange(1000))
    in_batches = learned(binary, few, 3)
    monkeypatch.setattr(states, "AUTO_PRESENCES", 0)
    monkeypatch.setattr(states, "batch_em", watched := Watched())
    stepwise = learned(binary, few, 3)
    assert all(len(of) < len(few) for of in watched.documents)
    assert stepwise != in_batches
    test = documents.take(np.arange(1000, 2000))
    means = [tree.log_likelihood(test).mean() for tree in (stepwise, in_batches)]
    assert abs(means[0] - means[1]) < 0.01 * abs(means[1])


class Watched:
    """Batch EM that notes what it learns from."""

    def __init__(self) -> None:
        self.documents: list[Documents] = []

    def __call__(self, tree: LatentTree, documents: Documents, **options: Any) -> EMResult:
        self.documents.append(documents)
        return batch_em(tree, documents, **options)


def test_if_no_round_predicts_better_the_tree_is_as_by_default(
    binary: LatentTree, documents: Documents, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if two states everywhere seem better than the default."""
    monkeypatch.setattr(states._Fitted, "is_better_than", lambda *_: False)
    monkeypatch.setattr(states._Fitted, "surely_beats", lambda *_: True)
    assert learned(binary, documents.take(np.arange(600)), "auto") is binary


def test_documents_of_two_states_keep_them() -> None:
    tree = planted(40, 4)
    documents = as_documents(tree.sample(2000, seed=5))
    fitted = batch_em(tree, documents, steps=20).tree
    assert learned(fitted, documents, "auto") is fitted


@pytest.mark.parametrize(("gain", "beats"), [(-0.1, False), (0.01, False), (0.1, True)])
def test_what_is_found_must_surely_beat_the_states_of_the_default(
    binary: LatentTree,
    documents: Documents,
    monkeypatch: pytest.MonkeyPatch,
    gain: float,
    beats: bool,
) -> None:
    """Of 60 gains, half are 0.5 above the mean and half below, so the standard error is 0.06."""

    def grown(of: states._Search, *_: Any, **__: Any) -> states._Fitted:
        default = of._settled(of._binary.tree, states.USUAL_SHRINKAGE)
        gains = gain + np.resize([-0.5, 0.5], len(default.log_likelihoods))
        tree = add_states(default.tree, 3, SEED)
        return default._replace(tree=tree, log_likelihoods=default.log_likelihoods + gains)

    monkeypatch.setattr(states._Search, "grown", grown)
    monkeypatch.setattr(states, "add_island_states", lambda tree, _: tree)
    few = documents.take(np.arange(600))
    assert (learned(binary, few, "auto") is binary) != beats


@pytest.mark.parametrize("samples", [1, 8])
def test_where_auto_finds_nothing_the_tree_is_that_of_the_default(
    samples: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(states._Search, "best", lambda _: (None, "as by default"))
    documents = planted(120, 2).sample(600, seed=5)
    by_default, auto = (
        HLTA(samples=samples, states=each).fit(documents) for each in (None, "auto")
    )
    assert auto.tree_ == by_default.tree_
    assert auto.tree_.parameters.most_states == 4
    assert (auto.log_likelihoods_ == by_default.log_likelihoods_).all()
    new = documents[:50]
    assert auto.partial_fit(new).tree_ == by_default.partial_fit(new).tree_


def test_any_number_of_threads_gives_the_same_bits(
    binary: LatentTree, documents: Documents
) -> None:
    part = documents.take(np.arange(600))
    assert learned(binary, part, 3, n_jobs=1) == learned(binary, part, 3, n_jobs=3)


def test_the_estimator_learns_as_many_states_as_it_is_told(documents: Documents) -> None:
    X = documents.to_csr()[:500]
    model = HLTA(states=3, em_steps=5).fit(X)
    assert set(model.tree_.parameters.states.tolist()) == {3}
    shares = model.transform(X)
    assert shares.min() >= 0.0
    assert shares.max() <= 1.0
    np.testing.assert_allclose(shares.mean(axis=0), [t.size for t in model.topics_], atol=0.1)


@pytest.fixture(scope="module")
def with_two_and_default(truth: LatentTree) -> tuple[LatentTree, LatentTree]:
    """Trees of the same documents: with two states everywhere, and by default."""
    two, default = (
        HLTA(states=states, samples=5, max_top_topics=5).fit(truth.sample(2000, seed=4)).tree_
        for states in (2, None)
    )
    return two, default


def test_by_default_islands_have_four_states_and_topics_two(
    with_two_and_default: tuple[LatentTree, LatentTree],
) -> None:
    two, tree = with_two_and_default
    np.testing.assert_array_equal(two.parent, tree.parent)
    level, states = tree.level[tree.n_words :], tree.parameters.states
    assert level.max() > 1
    assert set(states[level == 1].tolist()) == {4}
    assert set(states[level > 1].tolist()) == {2}


def test_states_of_islands_pay(
    with_two_and_default: tuple[LatentTree, LatentTree], truth: LatentTree
) -> None:
    two, tree = with_two_and_default
    test = truth.sample(2000, seed=5)
    gain = tree.log_likelihood(test) - two.log_likelihood(test)
    assert gain.mean() > 3.0 * gain.std() / len(gain) ** 0.5


def test_islands_that_are_the_topics_have_two_states() -> None:
    documents = flat(6).sample(300, seed=0)
    tree = HLTA(samples=1).fit(documents).tree_
    assert tree.level.max() == 1
    assert set(tree.parameters.states.tolist()) == {2}


@pytest.mark.parametrize(
    ("states", "message"),
    [
        (1, 'states=1: use a whole number, from 2 to 64, or "auto"'),
        (65, 'states=65: use a whole number, from 2 to 64, or "auto"'),
        ("two", "states='two': use a whole number, from 2 to 64, or \"auto\""),
        (True, 'states=True: use a whole number, from 2 to 64, or "auto"'),
        (40, "states=40: there are only 30 documents; use fewer states"),
    ],
)
def test_what_is_no_number_of_states_is_refused(
    documents: Documents, states: object, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Refused before anything is done.
    monkeypatch.setattr("hlta.learning.recipe.learn_structure", None)
    with pytest.raises(OptionError) as refused:
        HLTA(states=states, em_steps=1).fit(documents.to_csr()[:30])  # type: ignore[arg-type]
    assert str(refused.value) == message
