"""Slow, obvious computations that the package must agree with: inference and information.

`enumerate_*` sum over every joint state of the tree. `dense_*` pass messages over every node in the
log domain, for trees too large to enumerate. Structure learning is in `slow_structure`.
"""

from itertools import product
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit, xlogy

from hlta._kernels.soft_information import IslandTables
from hlta.tree.latent_tree import LatentTree

Floats: TypeAlias = NDArray[np.float64]


class Beliefs(NamedTuple):
    """log P(d) and, of every document, P(parent = j, node = k | d); K is the most states of a latent.

    The root has no parent: each of its rows holds P(root = k | d).
    """

    log_likelihood: Floats  # (documents,)
    word: Floats  # (documents, n_words, K, 2)
    latent: Floats  # (documents, n_latents, K, K)

    def states(self, tree: LatentTree) -> Floats:
        """P(latent = k | d), documents by latent variables by states."""
        found: Floats = self.latent.sum(axis=2)
        found[:, tree.root - tree.n_words] = self.latent[:, tree.root - tree.n_words, 0]
        return found

    def posterior(self, tree: LatentTree) -> Floats:
        """P(latent is on | d), documents by latent variables."""
        on: Floats = np.where(tree.parameters.is_on, self.states(tree), 0.0).sum(axis=2)
        return on

    @property
    def joint(self) -> Floats:
        """Of a binary tree, all nodes: (documents, nodes, 2, 2)."""
        return np.concatenate((self.word, self.latent), axis=1)


class JointStates(NamedTuple):
    """Every combination of states of the latent variables."""

    states: NDArray[np.int64]  # (combinations, n_latents)
    log_probability: Floats  # (combinations,)


def enumerate_states(tree: LatentTree) -> JointStates:
    """How likely every combination of states is, whatever the words."""
    n, latent = tree.n_words, tree.parameters.latent
    states = np.array(list(product(*map(range, tree.parameters.states.tolist()))))
    log_probability = np.zeros(len(states))
    for v, up in enumerate(tree.parent[n:].tolist()):
        above = states[:, up - n] if up >= 0 else 0
        log_probability += np.log(latent[v][above, states[:, v]])
    return JointStates(states, log_probability)


def enumerate_joint(tree: LatentTree, documents: NDArray[np.integer]) -> Beliefs:
    """Sum over every state of the latent variables, one by one."""
    n, m = tree.n_words, tree.n_latents
    word = tree.parameters.word
    most, parents = word.shape[1], tree.parent.tolist()
    joint_states, log_prior = enumerate_states(tree)
    log_likelihood = np.empty(len(documents))
    of_words = np.zeros((len(documents), n, most, 2))
    of_latents = np.zeros((len(documents), m, most, most))
    for d, document in enumerate(np.asarray(documents)):
        log_p = log_prior.copy()
        for w in range(n):
            p = word[w][joint_states[:, parents[w] - n]]
            log_p += np.log(p) if document[w] else np.log1p(-p)
        log_likelihood[d] = np.logaddexp.reduce(log_p)
        weight = np.exp(log_p - log_likelihood[d])
        for w in range(n):
            state = joint_states[:, parents[w] - n]
            of_words[d, w, :, int(document[w] != 0)] = np.bincount(state, weight, minlength=most)
        for v in range(m):
            up = parents[n + v]
            for j, k in product(range(most), repeat=2):
                match = joint_states[:, v] == k
                if up >= 0:
                    match &= joint_states[:, up - n] == j
                of_latents[d, v, j, k] = weight[match].sum()
    return Beliefs(log_likelihood, of_words, of_latents)


def top_down(tree: LatentTree) -> list[int]:
    """The latent variables, parents before their children, counted from 0."""
    order = [tree.root]
    for v in order:  # grows while it is walked
        order += [int(child) for child in tree.children[v] if child >= tree.n_words]
    return [v - tree.n_words for v in order]


def dense_messages(tree: LatentTree, documents: NDArray[np.integer]) -> Beliefs:
    """Message passing over every node for every document, float64, in the log domain."""
    present = np.asarray(documents) != 0
    count, n, order = len(present), tree.n_words, top_down(tree)
    word, latent = tree.parameters.word, tree.parameters.latent
    most, parent = word.shape[1], (tree.parent - n).tolist()
    with np.errstate(divide="ignore"):
        log_word = np.stack((np.log1p(-word), np.log(word)), axis=2)  # w, j, k
        log_latent = np.log(latent)  # v, j, k; -inf where there is no such state
    evidence = np.zeros((tree.n_latents, count, most))  # log lambda_v(k)
    message = np.zeros((tree.n_latents, count, most))  # log m_v(j)
    for w in range(n):
        evidence[parent[w]] += log_word[w].T[present[:, w].astype(int)]
    evidence[evidence == -np.inf] = -1e300  # a word's states that its parent lacks
    for v in order[::-1]:
        message[v] = np.logaddexp.reduce(log_latent[v][None] + evidence[v][:, None, :], axis=2)
        message[v][message[v] == -np.inf] = 0.0  # a state that the parent lacks
        if parent[n + v] >= 0:
            evidence[parent[n + v]] += message[v]
    root = order[0]
    log_likelihood = message[root, :, 0]
    of_words = np.zeros((count, n, most, 2))
    of_latents = np.empty((count, tree.n_latents, most, most))
    log_belief = np.empty((tree.n_latents, count, most))  # log P(v = k | d)
    log_belief[root] = log_latent[root, 0] + evidence[root] - log_likelihood[:, None]
    of_latents[:, root] = np.exp(log_belief[root])[:, None, :]
    for v in order[1:]:
        given = log_latent[v][None] + evidence[v][:, None, :] - message[v][:, :, None]  # d, j, k
        pair = given + log_belief[parent[n + v]][:, :, None]
        of_latents[:, v] = np.exp(pair)
        log_belief[v] = np.logaddexp.reduce(pair, axis=1)
    for w in range(n):
        belief = np.exp(log_belief[parent[w]])
        of_words[np.arange(count), w, :, present[:, w].astype(int)] = belief
    return Beliefs(log_likelihood, of_words, of_latents)


# ---- mutual information --------------------------------------------------------------------------


def information(both: Floats, p: Floats, q: Floats, *, include_negative: bool = False) -> Floats:
    """Mutual information in nats of two events, of probabilities p, q and jointly `both`.

    Events that avoid each other are taken to be unrelated, unless `include_negative`.
    """
    cells = (
        (both, p * q),
        (p - both, p * (1.0 - q)),
        (q - both, (1.0 - p) * q),
        (1.0 - p - q + both, (1.0 - p) * (1.0 - q)),
    )
    terms = (
        # What never happens tells nothing; the quotient is then of no interest.
        np.where(joint > 0.0, xlogy(joint, np.where(joint > 0.0, joint / alone, 1.0)), 0.0)
        for joint, alone in ((joint, np.where(alone > 0.0, alone, 1.0)) for joint, alone in cells)
    )
    total: Floats = np.maximum(sum(terms), 0.0)
    return total if include_negative else np.where(both < p * q, 0.0, total)


def dense_information(P: NDArray[np.generic], *, include_negative: bool = False) -> Floats:
    """Mutual information of pairs of columns that are on with probability P[d]; 0 with itself."""
    on = np.asarray(P, dtype=np.float64)
    p = on.mean(axis=0)
    both = on.T @ on / len(on)
    result = information(both, p[:, None], p, include_negative=include_negative)
    np.fill_diagonal(result, 0.0)
    return result


def island_posteriors(X: NDArray[np.integer], islands: IslandTables) -> Floats:
    """P(Y = 1 | d) of each island by itself, documents by islands, by Bayes' rule."""
    out = np.empty((len(X), len(islands.prior)))
    for i in range(len(islands.prior)):
        part = slice(islands.start[i], islands.start[i + 1])
        present = X[:, islands.members[part]] == 1
        p = islands.probability[part]
        odds = np.where(present, np.log(p[:, 1] / p[:, 0]), np.log((1 - p[:, 1]) / (1 - p[:, 0])))
        out[:, i] = expit(logit(islands.prior[i]) + odds.sum(axis=1))
    return out


# ---- parents -------------------------------------------------------------------------------------


def parent_information(lower: Floats, upper: Floats) -> Floats:
    """What each column of `lower` tells about each column of `upper`, both P(on | d)."""
    both = lower.T @ upper / len(lower)
    return information(both, lower.mean(axis=0)[:, None], upper.mean(axis=0))
