"""Which topics occur on the same documents, wherever they are in the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.special import xlogy

from hlta.tree.numbering import Numbering

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hlta.tree.latent_tree import LatentTree

_EDGE: Final = 1e-12


def related_topics(
    both: NDArray[np.float64], parent: Sequence[int], count: int, *, least: float = 0.0
) -> list[list[tuple[int, float]]]:
    """For each topic those that it shares most information with, in nats.

    Not the topics above and below it, nor its siblings, whose place in the tree already says so, and
    none that avoid it.

    Parameters
    ----------
    both
        P(topic and topic) of every pair, P(topic) on the diagonal.
    parent
        The topic above each; -1 for a root. Parents come before their children.
    count
        How many to name at most.
    least
        Information that is no more than chance gives.
    """
    information = pair_information(both)
    family = np.eye(len(parent), dtype=bool)
    for topic, up in enumerate(parent):
        if up >= 0:
            family[topic] |= family[up]  # all above it
    family |= family.T
    above = np.asarray(parent)
    family |= above[:, None] == above
    information[family] = 0.0
    found = []
    for row in information:
        best = np.argsort(-row, kind="stable")[:count]
        found.append([(int(other), float(row[other])) for other in best if row[other] > least])
    return found


def pair_information(both: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mutual information of every pair of events, in nats; 0 for those that avoid each other."""
    p = np.clip(np.diag(both), _EDGE, 1.0 - _EDGE)
    a, b = p[:, None], p[None, :]
    both = np.clip(both, 0.0, np.minimum(a, b))
    cells = (
        (both, a * b),
        (a - both, a * (1.0 - b)),
        (b - both, (1.0 - a) * b),
        (np.maximum(1.0 - a - b + both, 0.0), (1.0 - a) * (1.0 - b)),
    )
    total = sum(xlogy(seen, seen) - xlogy(seen, chance) for seen, chance in cells)
    found: NDArray[np.float64] = np.where(both > a * b, np.maximum(total, 0.0), 0.0)
    return found


def together_in_documents(memberships: csr_array) -> NDArray[np.float64]:
    """P(topic and topic) by the share of documents, from P(topic | document)."""
    n = memberships.shape[0]
    both: NDArray[np.float64] = (memberships.T @ memberships).toarray() / n
    np.fill_diagonal(both, np.asarray(memberships.sum(axis=0)).ravel() / n)
    return both


def together_in_model(tree: LatentTree, latents: NDArray[np.intp]) -> NDArray[np.float64]:
    """P(topic and topic) of the model, for the given latent variables."""
    p = tree.marginals
    seen: list[int] = []
    both = np.zeros((tree.n_latents, tree.n_latents))
    for v in Numbering.of(tree).nodes.tolist():
        k, up = v - tree.n_words, int(tree.parent[v])
        if up >= 0:
            off, on = tree.probability[v]
            others = np.array(seen)
            with_parent = both[up - tree.n_words, others]
            both[k, others] = on * with_parent + off * (p[others + tree.n_words] - with_parent)
            both[others, k] = both[k, others]
        both[k, k] = p[v]
        seen.append(k)
    chosen = latents - tree.n_words
    result: NDArray[np.float64] = both[np.ix_(chosen, chosen)]
    return result
