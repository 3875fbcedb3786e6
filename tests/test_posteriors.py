"""Posteriors: explicit where words are present, by rule elsewhere; hard assignments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta.tree.latent_tree import LatentTree
from hlta.tree.parameters import Parameters
from hlta.tree.posteriors import likely_posteriors
from tests.oracles import dense_messages, enumerate_joint
from tests.strategies import (
    many_states,
    random_tree,
    trees_of_many_states_with_documents,
    trees_with_documents,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

few = settings(max_examples=60)


@few
@given(st.one_of(trees_with_documents(), trees_of_many_states_with_documents(most=12)))
def test_posteriors_are_sparse_and_the_rule_gives_the_rest(
    case: tuple[LatentTree, NDArray[np.int8]],
) -> None:
    tree, documents = case
    found = tree.posteriors(documents)
    active = found.active()
    dense, states = found.dense(), found.states()
    np.testing.assert_array_equal(np.asarray(found), dense)
    assert found.values.shape == (len(found.latents), tree.parameters.most_states)
    assert not states[:, ~tree.parameters.has_state].any()
    np.testing.assert_allclose(states.sum(axis=2), 1.0, rtol=1e-9)
    np.testing.assert_allclose(dense, (states * tree.parameters.is_on).sum(axis=2), rtol=1e-14)
    for d, document in enumerate(documents):
        above = {tree.root}
        for word in np.flatnonzero(document):
            node = int(word)
            while node != tree.root:
                node = int(tree.parent[node])
                above.add(node)
        listed = found.latents[found.indptr[d] : found.indptr[d + 1]]
        assert sorted(v - tree.n_words for v in above) == listed.tolist()
        np.testing.assert_array_equal(dense[d, listed], active[[d]].toarray()[0, listed])
        entries = found.values[found.indptr[d] : found.indptr[d + 1]]
        np.testing.assert_array_equal(states[d, listed], entries)
        for v in set(range(tree.n_latents)) - set(listed.tolist()):
            expected = states[d, found.parent[v]] @ found.rule[v]
            np.testing.assert_allclose(states[d, v], expected, rtol=1e-13)
    some = np.random.default_rng(0).permutation(tree.n_latents)[: 1 + tree.n_latents // 3]
    np.testing.assert_array_equal(found.dense(some), dense[:, some])
    is_some = np.isin(np.arange(tree.n_latents), some)
    np.testing.assert_array_equal(found.dense(is_some), dense[:, is_some])


def test_hard_assignment_finds_inactive_latents_that_are_on() -> None:
    """A latent variable with none of the document's words below it can still be likelier on."""
    tree = LatentTree(
        words=("a", "b", "c", "d", "e"),
        parent=np.array([5, 5, 6, 6, 5, -1, 5]),
        level=np.array([0, 0, 0, 0, 0, 2, 1]),
        probability=np.array(
            [[0.1, 0.9], [0.1, 0.9], [0.01, 0.1], [0.01, 0.1], [0.2, 0.3], [0.3, 0.3], [0.1, 0.95]]
        ),
    )
    documents = np.array([[1, 1, 0, 0, 0], [0, 0, 0, 0, 0]])
    truth = enumerate_joint(tree, documents).posterior(tree)
    assert truth[0, 1] > 0.5
    np.testing.assert_array_equal(tree.hard_assignment(documents).toarray(), truth > 0.5)


def three_way(prior: list[float], word: list[float]) -> LatentTree:
    """Four words below a latent variable with three states."""
    parameters = Parameters(
        states=np.array([3], dtype=np.int32),
        word=np.array([word] * 4),
        latent=np.array([[prior] * 3]),
    )
    return LatentTree(tuple("abcd"), [4, 4, 4, 4, -1], [0, 0, 0, 0, 1], parameters)


def test_ties_go_to_the_lowest_state() -> None:
    same = [0.3, 0.3, 0.3]
    assert three_way([0.5, 0.25, 0.25], same).hard_assignment(np.eye(4)).nnz == 0
    tied = three_way([0.25, 0.375, 0.375], same).hard_assignment(np.eye(4))
    assert tied.toarray().tolist() == [[1]] * 4


def test_an_inactive_latent_is_assigned_its_likeliest_state() -> None:
    """One with three states, which the presence of other words turns on."""
    states, word, latent = np.array([2, 3], dtype=np.int32), np.zeros((7, 3)), np.zeros((2, 3, 3))
    word[:4, :2], word[4:] = [0.1, 0.9], [0.02, 0.1, 0.01]
    latent[0, :, :2], latent[1, :2] = [0.5, 0.5], [[0.8, 0.1, 0.1], [0.1, 0.1, 0.8]]
    tree = LatentTree(
        tuple("abcdefg"),
        [7] * 4 + [8] * 3 + [-1, 7],
        [0] * 7 + [2, 1],
        Parameters(states, word, latent),
    )
    documents = np.array([[1, 1, 1, 1, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0]])
    truth = enumerate_joint(tree, documents).states(tree).argmax(axis=2)
    assert truth.tolist() == [[1, 2], [0, 0]]
    np.testing.assert_array_equal(tree.hard_assignment(documents).toarray(), truth)


@few
@given(
    st.one_of(trees_with_documents(), trees_of_many_states_with_documents(most=6)),
    st.sampled_from([0.02, 0.15, 0.3, 0.5, 0.9]),
)
def test_likely_posteriors_are_all_above_the_least(
    case: tuple[LatentTree, NDArray[np.int8]], least: float
) -> None:
    tree, documents = case
    posterior = dense_messages(tree, documents).posterior(tree)
    likely = likely_posteriors(tree.inference(), documents, least)
    listed = np.zeros_like(posterior)
    where = np.repeat(np.arange(len(documents)), np.diff(likely.indptr)), likely.latents
    listed[where] = likely.values
    assert np.count_nonzero(listed) == len(likely.values)  # each once
    decided = abs(posterior - least) > 1e-9
    expected = np.where(posterior > least, posterior, 0.0)
    np.testing.assert_allclose(listed[decided], expected[decided], rtol=1e-9, atol=1e-12)


@pytest.mark.slow
def test_documents_whose_posteriors_outgrow_the_memory_of_a_shard() -> None:
    tree = random_tree(2, n_words=2000, n_latents=1500)
    documents = tree.sample(1500, seed=0)
    whole = tree.posteriors(documents)
    parts = [tree.posteriors(documents[begin : begin + 100]) for begin in range(0, 1500, 100)]
    np.testing.assert_array_equal(whole.latents, np.concatenate([part.latents for part in parts]))
    np.testing.assert_array_equal(whole.values, np.concatenate([part.values for part in parts]))
    lengths = np.concatenate([np.diff(part.indptr) for part in parts])
    np.testing.assert_array_equal(np.diff(whole.indptr), lengths)


@pytest.mark.slow
@pytest.mark.parametrize("most", [2, 4])
def test_any_number_of_threads_gives_the_same_bits(most: int) -> None:
    tree = many_states(random_tree(1, n_words=2000, n_latents=1500), 1, most=most)
    documents = tree.sample(1500, seed=0)
    one, states = tree.posteriors(documents, n_jobs=1), tree.hard_assignment(documents, n_jobs=1)
    for n_jobs in (2, 8):
        other = tree.posteriors(documents, n_jobs=n_jobs)
        np.testing.assert_array_equal(one.values, other.values)
        np.testing.assert_array_equal(one.latents, other.latents)
        assert (states != tree.hard_assignment(documents, n_jobs=n_jobs)).nnz == 0
