"""Which topics occur in the same documents, wherever they are in the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from scipy.special import xlogy

from hlta._support.arrays import ranges
from hlta.tree.given_on import latents_given_on

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scipy.sparse import csr_array

    from hlta._support.arrays import Floats, Indices
    from hlta.tree.latent_tree import LatentTree

_EDGE: Final = 1e-12  # probabilities stay within [_EDGE, 1 - _EDGE]
_AT_ONCE: Final = 1 << 20  # pairs in memory at a time


class Joint(NamedTuple):
    """How often topics are on together."""

    share: Floats
    """P(topic)"""
    rows: Callable[[int, int], Floats]
    """From `begin` and `end`: P(topic and other), of topics `begin` to `end` - 1 and all topics"""


def related_topics(
    joint: Joint, parent: Sequence[int], count: int, *, least: float = 0.0
) -> list[list[tuple[int, float]]]:
    """The `count` topics with most mutual information with each topic, and the information, in nats.

    `parent` is the topic above each, -1 for a root; parents come first. Left out are ancestors,
    descendants and siblings, because the tree already shows that they are related; topics that avoid
    it; and information of at most `least`. Only some rows of all pairs are in memory at a time.
    """
    related = []
    above = _ancestors(parent)
    for begin, end in ranges(len(parent), max(1, _AT_ONCE // len(parent))):
        share = joint.share
        information = pair_information(joint.rows(begin, end), share[begin:end], share)
        information[np.equal.outer(parent[begin:end], parent)] = 0.0
        for one, other in (above, above[::-1]):
            here = (begin <= one) & (one < end)
            information[one[here] - begin, other[here]] = 0.0
        best = [np.argsort(-row, kind="stable")[:count].tolist() for row in information]
        related += [
            [(other, float(row[other])) for other in others if row[other] > least]
            for row, others in zip(information, best, strict=True)
        ]
    return related


def _ancestors(parent: Sequence[int]) -> Indices:
    """All pairs of a topic and an ancestor: an array of two rows."""
    pairs = []
    for topic, up in enumerate(parent):
        while up >= 0:
            pairs.append((topic, up))
            up = parent[up]  # noqa: PLW2901
    return np.array(pairs, dtype=np.intp).reshape(-1, 2).T


def pair_information(both: Floats, one: Floats, other: Floats) -> Floats:
    """Mutual information of every pair of events, in nats; 0 for those that avoid each other.

    `both` has the probabilities of pairs, `one` those of the events of its rows, `other` of its
    columns. It is computed from joint probabilities, where `mutual_information` in `hlta.tree.marginals`
    uses conditional ones: for events that hardly depend on each other, the two differ by rounding.
    """
    a, b = (np.clip(p, _EDGE, 1.0 - _EDGE) for p in (one[:, None], other[None, :]))
    both = np.clip(both, 0.0, np.minimum(a, b))
    cells = (
        (both, a * b),
        (a - both, a * (1.0 - b)),
        (b - both, (1.0 - a) * b),
        (np.maximum(1.0 - a - b + both, 0.0), (1.0 - a) * (1.0 - b)),
    )
    total = sum(xlogy(joint, joint) - xlogy(joint, chance) for joint, chance in cells)
    return np.where(both > a * b, np.maximum(total, 0.0), 0.0)


def joint_in_documents(on: csr_array) -> Joint:
    """P(topic and other) as a share of documents; `on` says which documents are on which topics."""
    n, on = on.shape[0], on.astype(np.float64)
    by_topic = on.tocsc().T

    def rows(begin: int, end: int) -> Floats:
        return np.asarray((by_topic[begin:end] @ on).toarray() / n)

    return Joint(np.asarray(on.sum(axis=0)).ravel() / n, rows)


def joint_in_model(tree: LatentTree, nodes: Indices) -> Joint:
    """P(topic and other) in the model, for the given latent variables."""
    chosen, share = nodes - tree.n_words, tree.marginals[nodes]

    def rows(begin: int, end: int) -> Floats:
        given = latents_given_on(tree, chosen[begin:end])[:, chosen]
        return np.asarray(given * share[begin:end, None])

    return Joint(share, rows)


def linked_topics(tree: LatentTree, nodes: Indices) -> list[tuple[int, int, float]]:
    """The edges between `nodes`: places of parent and child in `nodes`, mutual information in nats."""
    place = {int(node): k for k, node in enumerate(nodes)}
    links, is_on = [], tree.parameters.is_on
    for child, k in place.items():
        up = place.get(int(tree.parent[child]))
        if up is not None:
            p, q = tree.marginals[child], tree.marginals[nodes[up]]
            v, above = child - tree.n_words, nodes[up] - tree.n_words
            given = tree.parameters.latent[v] @ is_on[v]
            on = float((tree.state_marginals[above] * is_on[above]) @ given)
            # Of topics that avoid each other, it is the information of one and the absence of the other.
            pairs = np.array([[[p, on], [on, q]], [[1.0 - p, q - on], [q - on, q]]])
            shared = (pair_information(pair, *2 * [np.diag(pair)])[0, 1] for pair in pairs)
            links.append((up, k, float(max(shared))))
    return links
