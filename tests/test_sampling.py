"""Fingerprints and samples: neither the order of documents nor that of words changes them."""

from __future__ import annotations

import numpy as np
import pytest

from hlta.documents.matrix import Documents, as_documents
from hlta.documents.sampling import drawn, fingerprints, in_own_order
from tests.synthetic import planted

WORDS = tuple(f"w{k}" for k in range(30))
SEED = np.random.SeedSequence(0)


@pytest.fixture(scope="module")
def documents() -> Documents:
    X = planted(30, 0).sample(300, seed=0).toarray()
    X[10:13] = X[10]  # copies, and empty documents
    X[20:24] = 0
    return as_documents(X)


def test_fingerprints_differ_for_copies_too(documents: Documents) -> None:
    assert len(np.unique(fingerprints(documents, WORDS))) == len(documents)


def test_fingerprints_do_not_hang_on_any_order(documents: Documents) -> None:
    marks = fingerprints(documents, WORDS)
    rng = np.random.default_rng(1)
    rows, columns = rng.permutation(len(documents)), rng.permutation(len(WORDS))
    other = as_documents(documents.to_csr()[rows][:, columns])
    found = fingerprints(other, [WORDS[k] for k in columns])
    np.testing.assert_array_equal(np.sort(found), np.sort(marks))
    _, kind, copies = np.unique(
        other.to_csr().toarray(), axis=0, return_inverse=True, return_counts=True
    )
    single = np.flatnonzero(copies[kind] == 1)
    np.testing.assert_array_equal(found[single], marks[rows[single]])


def test_fingerprints_hang_on_the_words(documents: Documents) -> None:
    renamed = ("other", *WORDS[1:])
    has_first = documents.to_csr().toarray()[:, 0] == 1
    same = fingerprints(documents, WORDS) == fingerprints(documents, renamed)
    np.testing.assert_array_equal(same, ~has_first)


def test_the_own_order_is_the_same_for_every_given_order(documents: Documents) -> None:
    rng = np.random.default_rng(2)
    rows, columns = rng.permutation(len(documents)), rng.permutation(len(WORDS))
    other = as_documents(documents.to_csr()[rows][:, columns])
    one, names, marks = in_own_order(documents, WORDS)
    two, other_names, other_marks = in_own_order(other, [WORDS[k] for k in columns])
    assert names == other_names == tuple(sorted(WORDS))
    np.testing.assert_array_equal(marks, other_marks)
    np.testing.assert_array_equal(one.indptr, two.indptr)
    np.testing.assert_array_equal(one.indices, two.indices)
    assert one.document_frequency.sum() == documents.document_frequency.sum()


def test_a_sample_is_drawn_without_replacement_and_follows_its_seed(documents: Documents) -> None:
    marks = fingerprints(documents, WORDS)
    one, same, other = (drawn(marks, 100, np.random.SeedSequence(seed)) for seed in (0, 0, 1))
    assert len(np.unique(one)) == len(one) == 100
    assert (np.diff(one) > 0).all()
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, other)


@pytest.mark.parametrize("size", [300, 301])
def test_a_sample_of_all_documents_is_all_documents(documents: Documents, size: int) -> None:
    chosen = drawn(fingerprints(documents, WORDS), size, SEED)
    np.testing.assert_array_equal(chosen, np.arange(len(documents)))


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
