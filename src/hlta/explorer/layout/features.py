"""What documents are about, as points: near each other if they are on the same topics."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from hlta._support.arrays import Floats32, Indices

_DIMENSIONS: Final = 64
_COMMONEST: Final = 0.999  # topics of all documents tell something, too
_STEPS: Final = 1000  # coordinates of rows of length 1 are rounded to as many
_SUFFICIENT: Final = 5000  # documents that tell the principal directions


class Kinds(NamedTuple):
    """Documents that are alike, put together; in an order that is not that of the documents."""

    rows: csr_array  # (kinds, topics): what documents of each kind are about
    kind: Indices  # (documents,): the kind of each


def directions(shares: csr_array) -> csr_array:
    """What each document is about, as rows of length 1: their squares are shares of the topics.

    A topic counts by its share, times what it tells that it is on: the rarer, the more. Through
    their length, documents on many topics are no farther from others than documents on few.
    """
    from scipy.sparse import diags_array

    n = shares.shape[0]
    usual = np.asarray(shares.sum(axis=0)) / max(1, n)
    telling = -np.log(np.clip(usual, 1.0 / (1 + n), _COMMONEST))
    rows = shares @ diags_array(telling)
    length = np.sqrt(np.asarray((rows * rows).sum(axis=1)).ravel())
    return (diags_array(1.0 / np.where(length > 0.0, length, 1.0)) @ rows).tocsr()


def kinds_of(rows: csr_array) -> Kinds:
    """Documents by what they are about, rounded: what differs by less counts as alike."""
    from scipy.sparse import csr_array

    steps = np.rint(rows.data * _STEPS)
    rounded = csr_array((steps, rows.indices, rows.indptr), rows.shape)
    rounded.eliminate_zeros()
    rounded.sort_indices()
    topics = rounded.indices.astype(np.int32)
    keys = np.empty(rounded.shape[0], dtype=object)
    for row, (a, b) in enumerate(pairwise(rounded.indptr.tolist())):
        keys[row] = topics[a:b].tobytes() + rounded.data[a:b].tobytes()
    _, first, kind = np.unique(keys, return_index=True, return_inverse=True)
    return Kinds(csr_array(rounded[first] / _STEPS), kind)


def principal_coordinates(rows: csr_array) -> Floats32:
    """The coordinates of rows along their principal directions, 64 at most, the widest first."""
    from scipy.linalg import eigh

    some = rows[:: max(1, -(-rows.shape[0] // _SUFFICIENT))]
    mean = np.asarray(some.mean(axis=0)).ravel()
    covariance = (some.T @ some).toarray() / some.shape[0] - np.outer(mean, mean)
    n = len(mean)
    kept = min(_DIMENSIONS, n)
    _, directions = eigh(covariance, subset_by_index=[n - kept, n - 1])
    directions = directions[:, ::-1]
    largest = directions[np.abs(directions).argmax(axis=0), np.arange(kept)]
    directions = directions * np.sign(largest)  # either sign would do
    return np.asarray(rows @ directions - mean @ directions, dtype=np.float32)
