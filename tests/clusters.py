"""Shares made up for tests of the map: documents in clusters, each with topics of its own."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

CLUSTERS = 5
_TOPICS = 4  # of each cluster


def clustered_shares(documents: int, seed: int) -> tuple[csr_array, NDArray[np.intp]]:
    """The shares of topics in documents, at least one of which is 0.2, and the cluster of each."""
    rng = np.random.default_rng(seed)
    cluster = np.arange(documents) % CLUSTERS
    words = np.where(rng.random((documents, CLUSTERS * _TOPICS)) < 0.05, 0.2, 0.0)
    for topic in range(_TOPICS):
        columns = cluster * _TOPICS + topic
        least, most = (1.0, 2.0) if topic == 0 else (0.0, 1.0)
        words[np.arange(documents), columns] = rng.uniform(least, most, documents)
    shares = words / words.sum(axis=1, keepdims=True)
    return csr_array(np.where(shares >= 0.05, shares, 0.0)), cluster


def purity(place: NDArray[np.float64], label: NDArray[np.intp], k: int = 10) -> float:
    """The share of the k nearest others of each point that have its label."""
    distance = ((place[:, None] - place[None]) ** 2).sum(axis=2)
    np.fill_diagonal(distance, np.inf)
    nearest = np.argsort(distance, axis=1)[:, :k]
    return float((label[nearest] == label[:, None]).mean())
