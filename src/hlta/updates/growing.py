"""Words that a model lacks, from new documents: some become new topics, others join topics there are.

The earlier documents are no longer available and are assumed to contain none of these words. So EM
starts where the new documents place the words, and the counts of the earlier ones enter it.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from scipy.special import expit, logit

from hlta._support.arrays import TINY
from hlta.learning.paper.islands import build_islands
from hlta.learning.paper.mutual_information import measure_pairs
from hlta.monitor import Monitor
from hlta.options import StructureOptions
from hlta.tree.latent_tree import LatentTree
from hlta.tree.marginals import mutual_information
from hlta.tree.parameters import Parameters, bounded_estimate
from hlta.tree.reshaping import unused_name

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from hlta._support.arrays import Floats, Indices, Ints32
    from hlta.documents.matrix import Documents

_LEAST_WORDS: Final = 3  # of a new topic: two do not determine a latent variable
_FIRM: Final = 0.1  # P(word | new topic), at least: chance alone puts rare words together loosely
_BACKGROUND, _ON = 0, 1  # the states of a new topic


class Grown(NamedTuple):
    """A tree with further words.

    tree   LatentTree: as the earlier documents leave it, none of which has any of the words
    start  Parameters: the same with the words where they belong by the new documents
    """

    tree: LatentTree
    start: Parameters


class _Theme(NamedTuple):
    """Further words that one latent variable explains.

    words  intp (members,): their numbers, from 0
    given  float64 (members, 2): P(word | theme off or on)
    prior  float64: P(on)
    """

    words: Indices
    given: Floats
    prior: float

    def firm(self, least: Floats) -> _Theme:
        """The theme with its frequent words that tell more of it than `least`."""
        prior = np.broadcast_to((1.0 - self.prior, self.prior), self.given.shape)
        off, on = self.given.T
        kept = (mutual_information(self.given, prior) > least) & (on > off) & (on >= _FIRM)
        return _Theme(self.words[kept], self.given[kept], self.prior)

    def posterior(self, further: Documents) -> Floats:
        """P(on | its words in the document)."""
        off, on = self.given.T
        present = further.to_csr(np.float64)[:, self.words]
        without = logit(self.prior) + np.log((1.0 - on) / (1.0 - off)).sum()
        return np.asarray(expit(without + present @ (logit(on) - logit(off))))


class _Relations(NamedTuple):
    """How events in new documents go together with topics.

    off, on      float64 (topics, events): P(event | topic off), P(event | topic on)
    information  float64 (topics, events): what one tells of the other; 0 where they avoid each other
    """

    off: Floats
    on: Floats
    information: Floats


def add_words(
    tree: LatentTree,
    words: Sequence[str],
    documents: Documents,
    further: Documents,
    *,
    level: int,
    used: Collection[str] = (),
) -> Grown:
    """Give a tree further words, where new documents say that they belong.

    Words that go together, and tell more of one another than of any topic, become a new topic. It
    comes below the topic that it tells most of, or is a root topic if it tells next to nothing of
    any. Each other word comes below the topic that it tells most of, among those directly above
    words.

    Parameters
    ----------
    tree
        The tree.
    words
        The further words.
    documents, further
        The new documents as they have the words of the tree, and the further words.
    level
        The level of new topics, lower if the tree has fewer levels.
    used
        Ids that no new topic may get.
    """
    n_words, level = tree.n_words, min(level, int(tree.level.max()))
    above_words = np.unique(tree.parent[:n_words]).astype(np.intp) - n_words
    homes = _relations(tree, above_words, documents, further.to_csr(np.float64).toarray())
    least = homes.information.max(axis=0)
    themes = [theme.firm(least[theme.words]) for theme in _themes(further)]
    themes = [theme for theme in themes if len(theme.words) >= _LEAST_WORDS]
    places = np.flatnonzero(tree.level[n_words:] > level)
    events = np.array([theme.posterior(further) for theme in themes]).reshape(-1, len(documents)).T
    parents = _relations(tree, places, documents, events)

    best, n_topics = homes.information.argmax(axis=0), len(themes)
    off, on = (shares[best, np.arange(len(words))] for shares in (homes.off, homes.on))
    above_word, word = above_words[best], np.stack((off, on), axis=1)
    above_topic, topic = np.zeros(n_topics, dtype=np.intp), np.zeros((n_topics, 2))
    levels = np.full(n_topics, level, dtype=np.int32)
    for t, theme in enumerate(themes):
        of_theme = parents.information[:, t]
        if len(places) and of_theme.max() * len(documents) > log(len(documents)):
            p = of_theme.argmax()
            above_topic[t], topic[t] = places[p], (parents.off[p, t], parents.on[p, t])
        else:
            above_topic[t], topic[t] = tree.root - n_words, events[:, t].mean()
            levels[t] = tree.level.max()
        above_word[theme.words], word[theme.words] = tree.n_latents + t, theme.given
    return _Plan(tree, above_word, above_topic, levels, word, topic).carried_out(words, used)


def _themes(further: Documents) -> Iterator[_Theme]:
    """Islands of further words."""
    if further.n_words < _LEAST_WORDS:
        return
    usual, silent = StructureOptions(), Monitor()
    pairs = measure_pairs(further, monitor=silent)
    limit, threshold = usual.max_island_size, usual.ud_threshold
    islands = build_islands(pairs, limit=limit, threshold=threshold, monitor=silent)
    for k in range(len(islands)):
        own = slice(islands.start[k], islands.start[k + 1])
        given = bounded_estimate(islands.probability[own])
        yield _Theme(islands.members[own], given, float(bounded_estimate(islands.prior[k])))


def _relations(
    tree: LatentTree, latents: Indices, documents: Documents, events: Floats
) -> _Relations:
    """How events, float64 (documents, events) of their probabilities, go together with topics."""
    size, both = np.zeros((len(latents), 1)), np.zeros((len(latents), events.shape[1]))
    for first, part, every in tree.portions(documents):
        on = every[:, latents].T
        size += on.sum(axis=1, keepdims=True)
        both += on @ events[first : first + len(part)]
    count = len(documents)
    given_on = both / np.maximum(size, TINY)
    given_off = np.maximum(events.sum(axis=0) - both, 0.0) / np.maximum(count - size, TINY)
    given = bounded_estimate(np.stack((given_off, given_on), axis=2))
    prior = np.broadcast_to(np.stack((1.0 - size / count, size / count), axis=2), given.shape)
    mutual = mutual_information(given.reshape(-1, 2), prior.reshape(-1, 2)).reshape(both.shape)
    off, on = given[:, :, _BACKGROUND], given[:, :, _ON]
    return _Relations(off, on, np.where(on > off, mutual, 0.0))


class _Plan(NamedTuple):
    """Where further words and new topics go in a tree; latent variables are counted from 0.

    above_word, above_topic  intp: the topic that each comes below, or is linked to
    level                    int32 (topics,)
    word                     float64 (words, 2): P(present | parent off or on)
    topic                    float64 (topics, 2): P(on | parent off or on)
    """

    tree: LatentTree
    above_word: Indices
    above_topic: Indices
    level: Ints32
    word: Floats
    topic: Floats

    def carried_out(self, words: Sequence[str], used: Collection[str]) -> Grown:
        """The tree with the words, in which they are as good as absent; and with their parameters."""
        old, n_words = self.tree, self.tree.n_words
        more, offset = len(words), n_words + len(words)
        level, parent = old.level, np.where(old.parent >= n_words, old.parent + more, old.parent)
        of_words, of_topics = self.above_word + offset, self.above_topic + offset
        tree = LatentTree(
            (*old.words, *words),
            np.concatenate((parent[:n_words], of_words, parent[n_words:], of_topics)),
            np.concatenate(
                (level[:n_words], np.zeros(more, np.int32), level[n_words:], self.level)
            ),
            self._parameters(np.zeros_like(self.word), np.zeros_like(self.topic)),
            (*old.latent_names, *self._names({*old.names, *words, *used})),
            allow_irregular=True,
        )
        return Grown(tree, self._parameters(self.word, self.topic))

    def _names(self, used: set[str]) -> Iterator[str]:
        for level in self.level.tolist():
            name = unused_name(level, used)
            used.add(name)
            yield name

    def _parameters(self, word: Floats, topic: Floats) -> Parameters:
        """Those of the tree, and of what is new by whether its parent is on."""
        old, n_topics = self.tree.parameters, len(topic)
        most = old.most_states
        two = np.arange(most) < _ON + 1
        exists = np.concatenate((old.has_state, np.broadcast_to(two, (n_topics, most))))
        is_on = np.concatenate(
            (old.is_on, np.broadcast_to(np.arange(most) == _ON, (n_topics, most)))
        )

        def by_state(given: Floats, above: Indices) -> Floats:
            bounded = bounded_estimate(given)
            found = np.where(is_on[above], bounded[:, [_ON]], bounded[:, [_BACKGROUND]])
            return np.where(exists[above], found, 0.0)

        on = by_state(topic, self.above_topic)
        latent = np.zeros((n_topics, most, most))
        latent[:, :, _ON] = on
        latent[:, :, _BACKGROUND] = np.where(exists[self.above_topic], 1.0 - on, 0.0)
        return Parameters(
            np.append(old.states, np.full(n_topics, 2, dtype=np.int32)),
            np.concatenate((old.word, by_state(word, self.above_word))),
            np.concatenate((old.latent, latent)),
            np.append(old.background, np.ones(n_topics, dtype=np.int32)),
        )
