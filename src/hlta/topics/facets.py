"""Facets: states of a topic that differ in kind, each with the words that set it apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hlta.topics.topic import LABEL_WORDS, Facet, Keyword, inflections_last
from hlta.tree.marginals import WordMarginals, mutual_information

if TYPE_CHECKING:
    from hlta._support.arrays import Floats, Ints
    from hlta.tree.latent_tree import LatentTree

MOST_FACETS: Final = 4  # facets of a topic, at most: the largest ones
_SETTING_APART: Final = 3  # words that a facet has, at least
_NOT_RAISED: Final = 2  # of the topic's first words, at least, that are not among a facet's
_LEAST_SHARE: Final = 0.05  # share of the topic that a facet has, at least
_LEAST_LIFT: Final = 2.0  # P(word | facet) over that in the rest of the topic, at least
_LEAST_PROBABILITY: Final = 0.1  # P(word | facet), at least: of rarer words, few documents have any


def facets(tree: LatentTree, table: WordMarginals, latent: int, n_words: int) -> list[Facet]:
    """The facets of a latent variable, counted from 0, the largest first.

    Most states are degrees of a topic: they raise the same words more or less. A facet has words of
    its own, much likelier in it than in the rest of the topic, and some of the topic's first words
    are not likelier in it. Of facets that begin alike, the largest stands for all.
    """
    found: list[Facet] = []
    if tree.parameters.states[latent] - tree.parameters.background[latent] == 1:
        return found
    is_on, prior = tree.parameters.is_on[latent], tree.state_marginals[latent]
    on = prior[is_on].sum()
    entries = table.of_topic(latent)
    word, given = table.word[entries], table.states[entries]
    for state in np.argsort(-prior, kind="stable").tolist():
        share = prior[state] / on
        if not is_on[state] or not _LEAST_SHARE <= share < 1.0 or len(found) == MOST_FACETS:
            continue
        rest = is_on & (np.arange(len(prior)) != state)
        inside, outside = given[:, state], given[:, rest] @ (prior[rest] / prior[rest].sum())
        keywords = _set_apart(tree, word, inside, outside, share)
        is_degree = np.count_nonzero(inside[:LABEL_WORDS] <= outside[:LABEL_WORDS]) < _NOT_RAISED
        if is_degree or len(keywords) < _SETTING_APART:
            continue
        if not any(_alike(keywords, facet.keywords) for facet in found):
            found.append(Facet(float(share), keywords))
    return [Facet(facet.size, facet.keywords[:n_words]) for facet in found]


def _alike(some: list[Keyword], others: list[Keyword]) -> bool:
    """Whether most of the first words are the same."""
    first = [{keyword.word for keyword in words[:_SETTING_APART]} for words in (some, others)]
    return 2 * len(first[0] & first[1]) > _SETTING_APART


def _set_apart(
    tree: LatentTree, word: Ints, inside: Floats, outside: Floats, share: float
) -> list[Keyword]:
    """Words much likelier in a state than in the rest of the topic, the most informative first."""
    known = np.tile([1.0 - share, share], (len(word), 1))
    information = mutual_information(np.column_stack((outside, inside)), known)
    kept = (inside >= _LEAST_PROBABILITY) & (inside >= _LEAST_LIFT * outside)
    order = np.lexsort((word, -information))
    found = {
        tree.words[word[k]]: (float(inside[k]), float(outside[k]), float(information[k]))
        for k in order.tolist()
        if kept[k]
    }
    return [Keyword(shown, *found[shown]) for shown in inflections_last(found)]
