"""Posteriors: explicit where words are present, by rule elsewhere; hard assignments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta.tree.latent_tree import LatentTree
from hlta.tree.posteriors import likely_posteriors
from tests.oracles import dense_messages, enumerate_joint
from tests.strategies import random_tree, trees_with_documents

if TYPE_CHECKING:
    from numpy.typing import NDArray

few = settings(max_examples=60, deadline=None)


@few
@given(trees_with_documents())
def test_posteriors_are_sparse_and_the_rule_gives_the_rest(
    case: tuple[LatentTree, NDArray[np.int8]],
) -> None:
    tree, documents = case
    found = tree.posteriors(documents)
    active = found.active()
    dense = found.dense()
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
        for v in set(range(tree.n_latents)) - set(listed.tolist()):
            on = dense[d, found.parent[v]]
            expected = found.rule[v, 1] * on + found.rule[v, 0] * (1.0 - on)
            assert dense[d, v] == pytest.approx(expected, rel=1e-14)


def test_posteriors_convert_to_an_array() -> None:
    tree = random_tree(0, 30, 10)
    found = tree.posteriors(np.eye(30))
    assert found.shape == (30, 10)
    np.testing.assert_array_equal(np.asarray(found), found.dense())


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


def test_ties_go_to_state_0() -> None:
    tree = LatentTree(
        words=tuple("abcd"),
        parent=np.array([4, 4, 4, 4, -1]),
        level=np.array([0, 0, 0, 0, 1]),
        probability=np.array([[0.3, 0.3]] * 4 + [[0.5, 0.5]]),
    )
    assert tree.hard_assignment(np.eye(4)).nnz == 0


@few
@given(trees_with_documents(), st.sampled_from([0.02, 0.15, 0.3, 0.5, 0.9]))
def test_likely_posteriors_are_all_above_the_least(
    case: tuple[LatentTree, NDArray[np.int8]], least: float
) -> None:
    tree, documents = case
    posterior = dense_messages(tree, documents).posterior(tree)
    indptr, latents, values = likely_posteriors(tree.inference(), documents, least)
    listed = np.zeros_like(posterior)
    listed[np.repeat(np.arange(len(documents)), np.diff(indptr)), latents] = values
    assert np.count_nonzero(listed) == len(values)  # each once
    decided = abs(posterior - least) > 1e-9
    expected = np.where(posterior > least, posterior, 0.0)
    np.testing.assert_allclose(listed[decided], expected[decided], rtol=1e-9, atol=1e-12)


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
@pytest.mark.parametrize("n_jobs", [2, 8])
def test_any_number_of_threads_gives_the_same_bits(n_jobs: int) -> None:
    tree = random_tree(1, n_words=2000, n_latents=1500)
    documents = tree.sample(1500, seed=0)
    one, other = (tree.posteriors(documents, n_jobs=jobs) for jobs in (1, n_jobs))
    np.testing.assert_array_equal(one.values, other.values)
    np.testing.assert_array_equal(one.latents, other.latents)
    states, same = (tree.hard_assignment(documents, n_jobs=jobs) for jobs in (1, n_jobs))
    assert (states != same).nnz == 0
