"""Slow, obvious computations that the package must agree with.

`enumerate_*` sum over every joint state of the tree. `dense_*` pass messages over every node in the
log domain, for trees too large to enumerate.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from hlta.tree.latent_tree import LatentTree

Floats = NDArray[np.float64]


class Beliefs(NamedTuple):
    """log P(d), and P(parent = j, node = k | d) of every node (the root's two rows are the same)."""

    log_likelihood: Floats  # (documents,)
    joint: Floats  # (documents, nodes, 2, 2)

    def posterior(self, tree: LatentTree) -> Floats:
        """P(latent = 1 | d), documents by latent variables."""
        below = self.joint[:, tree.n_words :, :, 1].sum(axis=2)
        below[:, tree.root - tree.n_words] /= 2.0
        return below


def enumerate_joint(tree: LatentTree, documents: NDArray[np.integer]) -> Beliefs:
    """Sum over every state of the latent variables, one by one."""
    n, m = tree.n_words, tree.n_latents
    states = np.array(list(product((0, 1), repeat=m)))
    log_likelihood = np.empty(len(documents))
    joint = np.zeros((len(documents), tree.n_nodes, 2, 2))
    for d, document in enumerate(np.asarray(documents)):
        full = np.hstack((np.broadcast_to(document != 0, (len(states), n)).astype(int), states))
        log_p = np.zeros(len(states))
        for v in range(tree.n_nodes):
            above = full[:, tree.parent[v]] if v != tree.root else 0
            p = tree.probability[v][above]
            log_p += np.where(full[:, v] == 1, np.log(p), np.log1p(-p))
        log_likelihood[d] = np.logaddexp.reduce(log_p)
        weight = np.exp(log_p - log_likelihood[d])
        for v in range(tree.n_nodes):
            for j, k in product((0, 1), repeat=2):
                match = full[:, v] == k
                if v != tree.root:
                    match &= full[:, tree.parent[v]] == j
                joint[d, v, j, k] = weight[match].sum()
    return Beliefs(log_likelihood, joint)


def top_down(tree: LatentTree) -> list[int]:
    """The latent variables, parents before their children."""
    order = [tree.root]
    for v in order:  # grows while it is walked
        order += [int(child) for child in tree.children[v] if child >= tree.n_words]
    return order


def dense_messages(tree: LatentTree, documents: NDArray[np.integer]) -> Beliefs:
    """Message passing over every node for every document, float64, in the log domain."""
    present = np.asarray(documents) != 0
    count = len(present)
    order = top_down(tree)
    log_p = np.stack((np.log1p(-tree.probability), np.log(tree.probability)), axis=2)  # v, j, k
    evidence = np.zeros((tree.n_nodes, count, 2))  # log lambda_v(k)
    message = np.zeros((tree.n_nodes, count, 2))  # log m_v(j)
    evidence[: tree.n_words] = np.where(np.stack((~present.T, present.T), axis=2), 0.0, -np.inf)
    for v in [*range(tree.n_words), *order[::-1]]:
        message[v] = np.logaddexp.reduce(log_p[v][None] + evidence[v][:, None, :], axis=2)
        if v != tree.root:
            evidence[tree.parent[v]] += message[v]
    log_likelihood = message[tree.root, :, 0]
    joint = np.empty((count, tree.n_nodes, 2, 2))
    log_belief = np.empty((tree.n_nodes, count, 2))  # log P(v = k | d)
    log_belief[tree.root] = log_p[tree.root, 0] + evidence[tree.root] - log_likelihood[:, None]
    joint[:, tree.root] = np.exp(log_belief[tree.root])[:, None, :]
    for v in [*order[1:], *range(tree.n_words)]:
        given = log_p[v][None] + evidence[v][:, None, :] - message[v][:, :, None]  # d, j, k
        pair = given + log_belief[tree.parent[v]][:, :, None]
        joint[:, v] = np.exp(pair)
        log_belief[v] = np.logaddexp.reduce(pair, axis=1)
    return Beliefs(log_likelihood, joint)


def dense_information(X: NDArray[np.integer], *, any_sign: bool = False) -> Floats:
    """Mutual information of pairs of columns; 0 with itself and for pairs that avoid each other."""
    present = (np.asarray(X) != 0).astype(float)
    joint = {}
    for a, b in product((0, 1), repeat=2):
        left = present if a else 1.0 - present
        right = present if b else 1.0 - present
        joint[a, b] = left.T @ right / len(present)
    return soft_information(joint, any_sign=any_sign)


def soft_information(joint: dict[tuple[int, int], Floats], *, any_sign: bool = False) -> Floats:
    """The same from the four joint probabilities of every pair."""
    first = joint[1, 0] + joint[1, 1]
    second = joint[0, 1] + joint[1, 1]
    found = np.zeros_like(first)
    for (a, b), p in joint.items():
        alone = (first if a else 1.0 - first) * (second if b else 1.0 - second)
        with np.errstate(divide="ignore", invalid="ignore"):
            found += np.where(p > 0.0, p * np.log(p / alone), 0.0)
    np.fill_diagonal(found, 0.0)
    if not any_sign:
        found[joint[1, 1] < first * second] = 0.0
    return np.maximum(found, 0.0)
