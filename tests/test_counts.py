"""Passes that add up: log-likelihoods, and the expected counts of the E-step."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlta.documents.matrix import as_documents
from hlta.errors import DocumentsError
from hlta.tree.counts import GRAIN, Workspace, e_step
from tests.strategies import (
    many_states,
    random_tree,
    trees_of_many_states_with_documents,
    trees_with_documents,
)
from tests.synthetic import planted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.tree.latent_tree import LatentTree

few = settings(max_examples=60)


@few
@given(st.one_of(trees_with_documents(), trees_of_many_states_with_documents()), st.integers(0, 6))
def test_counts_add_over_splits_of_the_documents(
    case: tuple[LatentTree, NDArray[np.int8]], cut: int
) -> None:
    tree, documents = case
    parts = [part for part in (documents[:cut], documents[cut:]) if len(part)]
    whole = tree.expected_counts(documents)
    counts = [tree.expected_counts(part) for part in parts]
    word, latent = sum(part.word for part in counts), sum(part.latent for part in counts)
    np.testing.assert_allclose(whole.word, word, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(whole.latent, latent, rtol=1e-9, atol=1e-11)
    log_likelihood = sum(part.log_likelihood for part in counts)
    assert whole.log_likelihood == pytest.approx(log_likelihood, rel=1e-9)
    assert whole.n_documents == sum(part.n_documents for part in counts)


@few
@given(st.one_of(trees_with_documents(), trees_of_many_states_with_documents(most=6)))
def test_every_document_is_counted_once_per_node(
    case: tuple[LatentTree, NDArray[np.int8]],
) -> None:
    tree, documents = case
    counts, n = tree.expected_counts(documents), tree.n_words
    root = tree.root - n
    own = counts.latent.sum(axis=1)  # documents by the state of each latent variable
    own[root] = counts.latent[root, 0]
    atol = 1e-12 * len(documents)
    np.testing.assert_allclose(own.sum(axis=1), len(documents), rtol=1e-9, atol=atol)
    np.testing.assert_allclose(
        counts.word.sum(axis=2), own[tree.parent[:n] - n], rtol=1e-9, atol=atol
    )
    np.testing.assert_allclose(
        counts.word[:, :, 1].sum(axis=1), documents.sum(axis=0), rtol=1e-9, atol=atol
    )
    others = np.arange(tree.n_latents) != root
    above = own[tree.parent[n:][others] - n]
    np.testing.assert_allclose(counts.latent[others].sum(axis=2), above, rtol=1e-9, atol=atol)
    assert not own[~tree.parameters.has_state].any()
    assert not counts.latent[tree.parameters.latent == 0.0].any()


@few
@given(trees_with_documents(probability=st.floats(0.01, 0.99)), st.data())
def test_relabelling_the_states_of_a_latent_keeps_the_likelihood(
    case: tuple[LatentTree, NDArray[np.int8]], data: st.DataObject
) -> None:
    tree, documents = case
    v = data.draw(st.integers(tree.n_words, tree.n_nodes - 1))
    probability = tree.probability.copy()
    probability[v] = 1.0 - probability[v]
    children = tree.children[v]
    probability[children] = probability[children][:, ::-1]
    np.testing.assert_allclose(
        tree.with_probability(probability).log_likelihood(documents),
        tree.log_likelihood(documents),
        rtol=1e-9,
        atol=1e-12,
    )


@pytest.mark.parametrize("n_jobs", [2, 8])
@pytest.mark.parametrize("most", [2, 5])
def test_any_number_of_threads_gives_the_same_bits(most: int, n_jobs: int) -> None:
    tree = many_states(random_tree(1, n_words=300, n_latents=100), 1, most=most)
    documents = as_documents(tree.sample(3000, seed=0))
    assert len(documents.shards(GRAIN)) >= 4
    one, other = (tree.expected_counts(documents, n_jobs=jobs) for jobs in (1, n_jobs))
    np.testing.assert_array_equal(one.word, other.word)
    np.testing.assert_array_equal(one.latent, other.latent)
    assert one.log_likelihood == other.log_likelihood
    scores, same = (tree.log_likelihood(documents, n_jobs=jobs) for jobs in (1, n_jobs))
    np.testing.assert_array_equal(scores, same)


@pytest.mark.parametrize("most", [2, 5])
def test_working_memory_can_be_used_again(most: int) -> None:
    tree = many_states(random_tree(1, n_words=300, n_latents=100), 1, most=most)
    documents = as_documents(tree.sample(3000, seed=0))
    inference, workspace = tree.inference(), Workspace()
    fresh = e_step(inference, documents)
    for _ in range(3):
        counts = e_step(inference, documents, workspace=workspace)
        np.testing.assert_array_equal(counts.word, fresh.word)
        np.testing.assert_array_equal(counts.latent, fresh.latent)
        assert counts.log_likelihood == fresh.log_likelihood


def test_working_memory_serves_parameters_that_need_a_guard_after_some_that_do_not() -> None:
    """As in EM, where estimates can come near 0 and 1."""
    plain = many_states(random_tree(1, n_words=300, n_latents=100), 1, most=3, strength=0.5)
    extreme = plain.with_probability(many_states(plain, 1, most=3, strength=60.0).parameters)
    workspace = Workspace()
    documents = as_documents(plain.sample(50, seed=0))
    assert not plain.inference().tables.guarded
    assert extreme.inference().tables.guarded
    assert workspace.memory(plain.inference()).lift.shape == (101, 3)
    for tree in (plain, extreme, plain):
        counts = e_step(tree.inference(), documents, workspace=workspace)
        fresh = e_step(tree.inference(), documents)
        np.testing.assert_array_equal(counts.word, fresh.word)
        np.testing.assert_array_equal(counts.latent, fresh.latent)


def test_wrong_number_of_columns_is_refused() -> None:
    tree = random_tree(0, 30, 10)
    with pytest.raises(DocumentsError, match="31 columns, but the tree has 30 words"):
        tree.log_likelihood(np.zeros((2, 31)))


def test_a_workspace_stays_small_and_travels_empty() -> None:
    inference, workspace = planted(12).inference(), Workspace()
    size = len(pickle.dumps(workspace))
    for _ in range(200):  # as of parts that other processes made
        workspace.give_back(sums=Workspace().sums(inference))
    assert len(workspace._sums) < 100
    assert len(pickle.dumps(workspace)) == size
