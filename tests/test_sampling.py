"""Fingerprints and samples: neither the order of documents nor that of words changes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from hlta.documents.matrix import Documents, as_documents
from hlta.documents.sampling import drawn, fingerprints, in_own_order
from tests.synthetic import planted

if TYPE_CHECKING:
    from numpy.typing import NDArray

WORDS = tuple(f"w{k}" for k in range(30))
SEED = np.random.SeedSequence(0)


@pytest.fixture(scope="module")
def documents() -> Documents:
    X = planted(30, 0).sample(300, seed=0).toarray()
    X[10:13] = X[10]  # copies, and empty documents
    X[20:24] = 0
    return as_documents(X)


def shuffled(documents: Documents, seed: int) -> tuple[NDArray[np.intp], Documents, list[str]]:
    """The documents in another order, with their words in another one."""
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(len(documents)), rng.permutation(len(WORDS))
    other = as_documents(documents.to_csr()[rows][:, columns])
    return rows, other, [WORDS[k] for k in columns]


def test_fingerprints_hang_on_words_alone_and_differ_for_copies_too(documents: Documents) -> None:
    marks = fingerprints(documents, WORDS)
    assert len(np.unique(marks)) == len(documents)
    rows, other, words = shuffled(documents, 1)
    found = fingerprints(other, words)
    np.testing.assert_array_equal(np.sort(found), np.sort(marks))
    X = documents.to_csr().toarray()
    _, kind, copies = np.unique(X[rows], axis=0, return_inverse=True, return_counts=True)
    single = copies[kind] == 1
    np.testing.assert_array_equal(found[single], marks[rows[single]])
    renamed = fingerprints(documents, ("other", *WORDS[1:]))
    np.testing.assert_array_equal(marks == renamed, X[:, 0] == 0)


def test_the_own_order_is_the_same_for_every_given_order(documents: Documents) -> None:
    _, other, words = shuffled(documents, 2)
    one, names, marks = in_own_order(documents, WORDS)
    two, other_names, other_marks = in_own_order(other, words)
    assert names == other_names == tuple(sorted(WORDS))
    np.testing.assert_array_equal(marks, other_marks)
    for ours, theirs in zip(one.presences(), two.presences(), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert one.document_frequency.sum() == documents.document_frequency.sum()


def test_a_sample_is_drawn_without_replacement_and_follows_its_seed(documents: Documents) -> None:
    marks = fingerprints(documents, WORDS)
    one, same, other = (drawn(marks, 100, np.random.SeedSequence(seed)) for seed in (0, 0, 1))
    assert len(np.unique(one)) == len(one) == 100
    assert (np.diff(one) > 0).all()
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, other)
    for size in (300, 301):
        np.testing.assert_array_equal(drawn(marks, size, SEED), np.arange(300))


def test_without_one_document_a_sample_loses_at_most_that_one(documents: Documents) -> None:
    marks = fingerprints(documents, WORDS)
    sample = set(marks[drawn(marks, 100, SEED)].tolist())
    for left_out in range(0, len(marks), 7):
        rest = np.delete(marks, left_out)
        assert len(sample - set(rest[drawn(rest, 100, SEED)].tolist())) <= 1


def test_samples_hold_every_document_about_equally_often(documents: Documents) -> None:
    marks = fingerprints(documents, WORDS)
    samples = [drawn(marks, 150, seed) for seed in SEED.spawn(400)]
    often = np.bincount(np.concatenate(samples), minlength=len(marks)) / len(samples)
    assert np.abs(often - 0.5).max() < 5 * np.sqrt(0.25 / len(samples))
