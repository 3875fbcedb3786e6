"""Which topics occur in the same documents, wherever they are in the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.special import xlogy

from hlta.tree.given_on import latents_given_on

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hlta.tree.latent_tree import LatentTree

_EDGE: Final = 1e-12


def related_topics(
    both: NDArray[np.float64], parent: Sequence[int], count: int, *, least: float = 0.0
) -> list[list[tuple[int, float]]]:
    """The `count` topics with most information about each topic, and the information, in nats.

    `both` is P(topic and topic), with P(topic) on the diagonal; `parent` is the topic above each, -1
    for a root; parents come first. Left out are ancestors, descendants and siblings, because the tree
    already shows that they are related; topics that avoid it; and information of at most `least`.
    """
    information = pair_information(both)
    family = np.eye(len(parent), dtype=bool)
    for topic, up in enumerate(parent):
        if up >= 0:
            family[topic] |= family[up]  # all above it
    family |= family.T
    family |= np.equal.outer(parent, parent)
    information[family] = 0.0
    best = [np.argsort(-row, kind="stable")[:count].tolist() for row in information]
    return [
        [(other, float(row[other])) for other in others if row[other] > least]
        for row, others in zip(information, best, strict=True)
    ]


def pair_information(both: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mutual information of every pair of events, in nats; 0 for those that avoid each other.

    From joint probabilities, where `mutual_information` in `hlta.tree.marginals` takes conditional
    ones: of events that hardly depend on each other, the two differ by rounding.
    """
    p = np.clip(np.diag(both), _EDGE, 1.0 - _EDGE)
    a, b = p[:, None], p[None, :]
    both = np.clip(both, 0.0, np.minimum(a, b))
    cells = (
        (both, a * b),
        (a - both, a * (1.0 - b)),
        (b - both, (1.0 - a) * b),
        (np.maximum(1.0 - a - b + both, 0.0), (1.0 - a) * (1.0 - b)),
    )
    total = sum(xlogy(joint, joint) - xlogy(joint, chance) for joint, chance in cells)
    return np.where(both > a * b, np.maximum(total, 0.0), 0.0)


def joint_in_documents(memberships: csr_array) -> NDArray[np.float64]:
    """P(topic and topic) as a share of documents, from P(topic | document)."""
    n = memberships.shape[0]
    both: NDArray[np.float64] = (memberships.T @ memberships).toarray() / n
    np.fill_diagonal(both, np.asarray(memberships.sum(axis=0)).ravel() / n)
    return both


def joint_in_model(tree: LatentTree, nodes: NDArray[np.intp]) -> NDArray[np.float64]:
    """P(topic and topic) in the model, for the given latent variables."""
    chosen = nodes - tree.n_words
    return latents_given_on(tree, chosen)[:, chosen] * tree.marginals[nodes][:, None]


def linked_topics(tree: LatentTree, nodes: NDArray[np.intp]) -> list[tuple[int, int, float]]:
    """The edges between the given latent variables: parent, child, mutual information in nats."""
    place = {int(node): k for k, node in enumerate(nodes)}
    links, is_on = [], tree.parameters.is_on
    for child, k in place.items():
        up = place.get(int(tree.parent[child]))
        if up is not None:
            p, q = tree.marginals[child], tree.marginals[nodes[up]]
            v, above = child - tree.n_words, nodes[up] - tree.n_words
            given = tree.parameters.latent[v] @ is_on[v]
            on = float((tree.state_marginals[above] * is_on[above]) @ given)
            # The two may avoid each other: then it is the information of one and not the other.
            pairs = np.array([[[p, on], [on, q]], [[1.0 - p, q - on], [q - on, q]]])
            links.append((up, k, max(float(pair_information(pair)[0, 1]) for pair in pairs)))
    return links
