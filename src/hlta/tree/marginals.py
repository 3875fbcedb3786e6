"""Exact P(word | latent) for every latent variable and word below it, from which keywords are chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import xlogy

from hlta.tree.parameters import MIN_PROBABILITY

if TYPE_CHECKING:
    from hlta._support.arrays import Bools, Floats, Indices, Ints
    from hlta.tree.latent_tree import LatentTree


@dataclass(frozen=True, eq=False)
class WordMarginals:
    """The words below each latent variable, those with the most mutual information with it first.

    Latent v, counted from 0 as in `LatentTree.latent_names`, owns entries start[v] to start[v + 1].

    start        int64 (n_latents + 1,): where the entries of each latent variable begin
    word         int64 (entries,): the word
    states       float64 (entries, K): P(word = 1 | latent = k)
    given        float64 (entries, 2): P(word = 1 | background) and P(word = 1 | latent is on)
    information  float64 (entries,): mutual information between the word and whether the latent is
                 on, in nats
    """

    start: Ints
    word: Ints
    states: Floats
    given: Floats
    information: Floats

    @property
    def avoids(self) -> Bools:
        """Whether the word of each entry is no likelier when the topic is on than when it is off."""
        return np.asarray(self.given[:, 1] <= self.given[:, 0])

    def of_topic(self, latent: int) -> Indices:
        """The entries of a latent variable, those of words that avoid its topic last.

        A word that is rarer when the topic is on describes the background, however much mutual
        information it has.
        """
        entries = np.arange(self.start[latent], self.start[latent + 1])
        return entries[np.argsort(self.avoids[entries], kind="stable")]


def word_marginals(tree: LatentTree) -> WordMarginals:
    """Compute P(word | latent) from the words upwards, one edge at a time for all words at once.

    A word is below a latent variable if a path of edges between levels leads down to it; links
    between latent variables of one level do not count.
    """
    n_words, parameters = tree.n_words, tree.parameters
    word = np.arange(n_words)
    at = tree.parent[:n_words]
    given = parameters.word
    words, latents, tables = [], [], []
    while len(word):
        words.append(word)
        latents.append(at)
        tables.append(given)
        up = tree.parent[at]
        below = (up >= 0) & (tree.level[up] > tree.level[at])
        word, at, up, given = word[below], at[below], up[below], given[below]
        given = np.einsum("vjk,vk->vj", parameters.latent[at - n_words], given)
        at = up
    word = np.concatenate(words)
    latent = np.concatenate(latents) - n_words
    states = np.concatenate(tables)
    prior = tree.state_marginals[latent]
    given, share = of_parts(states, prior, tree.parameters.is_on[latent])
    information = mutual_information(given, share)
    order = np.lexsort((word, -information, latent))
    start = np.searchsorted(latent[order], np.arange(tree.n_latents + 1))
    return WordMarginals(start, word[order], states[order], given[order], information[order])


def of_parts(given: Floats, prior: Floats, is_on: Bools) -> tuple[Floats, Floats]:
    """P(v = 1 | background), P(v = 1 | on) and P(background), P(on) of n pairs (v, latent).

    Both arrays are float64 (n, 2). `given` and `prior` are as in `mutual_information`; `is_on` is true
    for the states in which the latent variable is on.
    """
    parts = np.stack((np.where(is_on, 0.0, prior), np.where(is_on, prior, 0.0)), axis=1)
    share = parts.sum(axis=2)
    # The bound avoids a division by 0; only by rounding is a share below it.
    weights = parts / np.maximum(share, MIN_PROBABILITY)[:, :, None]
    return np.einsum("ipk,ik->ip", weights, given), share


def mutual_information(given: Floats, prior: Floats) -> Floats:
    """The mutual information H(v) - H(v | latent) of n pairs of a binary v and a latent, in nats.

    `given` is float64 (n, K): P(v = 1 | latent = k); `prior` is float64 (n, K): P(latent = k). The
    information is 0 where rounding would make it negative.
    """

    def entropy(p: Floats) -> Floats:
        result: Floats = -(xlogy(p, p) + xlogy(1.0 - p, 1.0 - p))
        return result

    mean = np.minimum((given * prior).sum(axis=1), 1.0)
    conditional = (entropy(given) * prior).sum(axis=1)
    information: Floats = np.maximum(entropy(mean) - conditional, 0.0)
    return information
