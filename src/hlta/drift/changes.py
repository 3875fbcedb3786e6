"""Topics that grew or shrank, words that a topic has more or less often, documents that fit badly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from hlta.tree.parameters import latent_parents

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hlta._support.arrays import Floats, Indices
    from hlta.documents.matrix import Documents
    from hlta.topics.sizes import Sizes
    from hlta.topics.topic_tree import TopicTree
    from hlta.tree.latent_tree import LatentTree

_LEAST: Final = 10.0  # documents on a topic, for its words to be compared
_SOFTEST: Final = 0.05  # variance of shares, relative to that of documents about one topic each
_TINY: Final = 1e-300


class Before(NamedTuple):
    """A model, and what is known of the documents it was learned from.

    tree       LatentTree: the model
    cautious   LatentTree: the same, with words that say less where few documents speak for it
    documents  float: how many documents of equal weight tell as much
    sizes      Sizes: how large topics are in them
    words      float64 (n_words, 2): among those on the topic directly above a word, expected numbers
               that lack the word and that contain it
    most       float: how much evidence stood against the one that fitted worst, beyond what is to be
               expected of so many documents, see `hlta.tree.independence`
    allowed    float: the share of documents that a word may be in at most, to be chosen
    left_out   dict of float: words that the tree lacks, and the share of the documents that each was
               in at most
    others     float or None: the same of all other words that it lacks; None if it is not known
    """

    tree: LatentTree
    cautious: LatentTree
    documents: float
    sizes: Sizes
    words: Floats
    most: float
    allowed: float
    left_out: Mapping[str, float]
    others: float | None


@dataclass(frozen=True)
class TopicChange:
    """A topic that grew or shrank.

    Attributes
    ----------
    topic, title : str
        Its id and title.
    before, after : float
        Its mean share in the earlier documents, and in the new ones, under the model before the update.
    low, high : float
        A 95% interval for `after`.
    """

    topic: str
    title: str
    before: float
    after: float
    low: float
    high: float


@dataclass(frozen=True)
class WordChange:
    """A word that is in more, or fewer, of the documents on the topic directly above it.

    Attributes
    ----------
    word : str
        The word.
    topic : str
        The id of the topic directly above it, which is of level 1 as a rule.
    shown : str
        The title of that topic, or of the nearest one above it that is shown.
    before, after : float
        P(word | topic) by the earlier documents, and by the new ones.
    """

    word: str
    topic: str
    shown: str
    before: float
    after: float


@dataclass(frozen=True)
class Misfit:
    """A document that fits the model badly.

    Attributes
    ----------
    row : int
        Its number among the new documents, from 0.
    evidence : float
        By how many nats independent words explain it better than the model does, if words that few
        documents speak for say less.
    """

    row: int
    evidence: float


class Sums(NamedTuple):
    """Sums over new documents, of P(on | d) under the model as it was.

    latent   float64 (n_latents,): of each latent variable
    present  float64 (n_words,): of the parent of each word, in the documents with the word
    """

    latent: Floats
    present: Floats


def sums_over(tree: LatentTree, documents: Documents) -> Sums:
    """Visit the new documents."""
    above = latent_parents(tree.parent, tree.n_words)[: tree.n_words]
    latent, present = np.zeros(tree.n_latents), np.zeros(tree.n_words)
    for _, part, on in tree.portions(documents):
        latent += on.sum(axis=0)
        rows = np.repeat(np.arange(len(part)), np.diff(part.indptr))
        entries = on[rows, above[part.indices]]
        present += np.bincount(part.indices, entries, minlength=tree.n_words)
    return Sums(latent, present)


def topic_changes(
    before: Before, topics: TopicTree, sizes: Sizes, n_documents: int, sections: float, rate: float
) -> list[TopicChange]:
    """The topics that are shown and grew or shrank, the surest first.

    Shares vary less than if each document were about one topic; of the two sets, the one with more
    variance counts. Earlier documents are taken to have as many `sections` each as the new ones.
    Nothing is said of topics whose share is not known, as after some edits.
    """
    number = {name: k for k, name in enumerate(before.tree.latent_names)}
    was = before.sizes
    shown = [topic for topic in topics if np.isfinite(was.spreads[number[topic.id]])]
    own = [number[topic.id] for topic in shown]
    old, new = was.shares[own], sizes.shares[own]
    spread = np.maximum(was.spreads[own], sizes.spreads[own])
    hard = np.maximum(np.minimum(old, new) * (1.0 - np.minimum(old, new)), _TINY)
    softness = np.clip(spread / hard, _SOFTEST, 1.0)
    z = difference(old, new, before.documents / sections / softness, n_documents / softness)
    return [
        TopicChange(
            shown[k].id,
            shown[k].title,
            float(old[k]),
            float(new[k]),
            *interval(float(new[k]), n_documents / float(softness[k])),
        )
        for k in discoveries(two_sided(z), rate).tolist()
    ]


def word_changes(before: Before, topics: TopicTree, sums: Sums, rate: float) -> list[WordChange]:
    """The words that are in more or fewer of the documents on the topic above, the surest first.

    A topic was made to fit the earlier documents, so all its words are somewhat less frequent in new
    ones: the median difference counts as none.
    """
    tree = before.tree
    above = latent_parents(tree.parent, tree.n_words)[: tree.n_words]
    n_before, n_after = before.words.sum(axis=1), sums.latent[above]
    tested = np.flatnonzero((n_before >= _LEAST) & (n_after >= _LEAST))
    if not len(tested):
        return []
    n_before, n_after = n_before[tested], n_after[tested]
    old = before.words[tested, 1] / n_before
    new = np.clip(sums.present[tested] / n_after, 0.0, 1.0)
    z = difference(old, new, n_before, n_after)
    z -= np.median(z)
    return [
        WordChange(
            tree.words[tested[k]],
            tree.latent_names[above[tested[k]]],
            _shown(tree, topics, int(tested[k])),
            float(old[k]),
            float(new[k]),
        )
        for k in discoveries(two_sided(z), rate).tolist()
    ]


def _shown(tree: LatentTree, topics: TopicTree, node: int) -> str:
    """The title of the nearest topic above a node that is shown, or of none."""
    while (node := int(tree.parent[node])) >= 0:
        if tree.names[node] in topics:
            return topics[tree.names[node]].title
    return ""


def misfits(evidence: Floats, most: float, rate: float) -> list[Misfit]:
    """The documents that fit badly, the worst first, from the evidence against each.

    With evidence of x against a document, exp(-x) is a p-value. No corpus comes from a tree, so the
    evidence is reduced by `most`, the most that there was among the earlier documents.
    """
    found = discoveries(np.exp(-np.maximum(evidence - most, 0.0)), rate).tolist()
    return [Misfit(row, float(evidence[row])) for row in found]


# ---- tests of many differences at once ---------------------------------------------------------


def discoveries(p_values: Floats, rate: float) -> Indices:
    """The tests that find something, the surest first, by the rule of Benjamini and Hochberg.

    On average, at most a share `rate` of what is found is chance; where there is nothing to
    find, something is found with that probability.
    """
    order = np.argsort(p_values, kind="stable")
    allowed = rate * np.arange(1, len(order) + 1) / max(1, len(order))
    passed = np.flatnonzero(p_values[order] <= allowed)
    return np.asarray(order[: passed[-1] + 1 if len(passed) else 0])


def difference(
    before: Floats, after: Floats, n_before: Floats | float, n_after: Floats | float
) -> Floats:
    """How many standard errors a share rose from one set of documents to another.

    Shares are compared on the scale of the arc sine, on which the error does not depend on the share.
    """
    rise = 2.0 * (np.arcsin(np.sqrt(after)) - np.arcsin(np.sqrt(before)))
    return np.asarray(rise / np.sqrt(1.0 / n_before + 1.0 / n_after))


def two_sided(z: Floats) -> Floats:
    """How probable a difference of this many standard errors, or more, is by chance."""
    return np.asarray(2.0 * ndtr(-np.abs(z)))


def interval(share: float, n: float) -> tuple[float, float]:
    """A 95% interval for the share in the population that `n` documents were drawn from."""
    half = ndtri(0.975) / (2.0 * np.sqrt(n))
    middle = np.arcsin(np.sqrt(share))
    ends = np.clip((middle - half, middle + half), 0.0, np.pi / 2.0)
    low, high = (np.sin(ends) ** 2).tolist()
    return low, high
