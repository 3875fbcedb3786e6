"""Themes: the few groups into which the islands fall as a whole.

Linkage decides one pair at a time, and what it joins by mistake stays joined. So the themes are found
all at once: by spectral clustering of how often the words of islands share a topic in the votes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.cluster.hierarchy import cut_tree, linkage
from scipy.linalg import eigh

if TYPE_CHECKING:
    from numpy.typing import NDArray

_STEPS: Final = 50  # of Lloyd's algorithm, at most
_TINY: Final = 1e-12


def themes(
    similarity: NDArray[np.float64], size: NDArray[np.float64], count: int
) -> NDArray[np.intp]:
    """The theme of each member, int (members,), at most `count` of them, numbered from 0.

    Members are points on the sphere, by the leading eigenvectors of their similarity; Ward's method
    gives the groups from which Lloyd's algorithm starts, in which a member weighs its size.
    """
    if count >= len(similarity):
        return np.arange(len(similarity))
    points = _points(similarity, count)
    found: NDArray[np.intp] = cut_tree(linkage(points, "ward"), n_clusters=[count]).ravel()
    for _ in range(_STEPS):
        centres = np.zeros((int(found.max()) + 1, points.shape[1]))
        np.add.at(centres, found, points * size[:, None])
        nearest = np.unique((points @ _unit(centres).T).argmax(axis=1), return_inverse=True)[1]
        if np.array_equal(nearest, found):
            break
        found = nearest
    return found


def _points(similarity: NDArray[np.float64], dimensions: int) -> NDArray[np.float64]:
    """Members by dimensions: eigenvectors, weighted by the roots of their eigenvalues, of length 1."""
    n = len(similarity)
    values, vectors = eigh(similarity, subset_by_index=(n - dimensions, n - 1))
    return _unit(vectors * np.sqrt(np.maximum(values, 0.0)))


def _unit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(length, _TINY))
