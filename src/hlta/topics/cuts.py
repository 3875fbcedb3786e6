"""Flat lists of topics: the few that explain documents best, and those of one level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hlta._support.arrays import ranges
from hlta.topics.nodes import topic_nodes
from hlta.topics.shares import evidence_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlta._support.arrays import Bools, Floats32, Indices
    from hlta.topics.topic import Topic
    from hlta.topics.word_counts import WordCounts
    from hlta.tree.latent_tree import LatentTree

_DRAWN: Final = 4000  # documents that topics are compared on


def telling_cut(
    tree: LatentTree, counts: WordCounts | None, roots: Sequence[Topic], count: int
) -> list[Topic]:
    """`count` topics, none below another, that explain documents drawn from the model best.

    Every document counts for the topic of the list that it has most evidence for, or for none. The
    evidence is that of the document's words plus the logarithm of the topic's size, see `Evidence`.
    """
    topics = [topic for root in roots for topic in root]
    return [topics[k] for k in best_cut(roots, _evidence(tree, counts, topics), count)]


def best_cut(roots: Sequence[Topic], evidence: Floats32, count: int) -> list[int]:
    """Lengthen a list of topics, step by step, by what adds most to the largest evidence per document.

    A step adds a topic that is neither above nor below one of the list, or divides one of the list:
    two topics below it take its place, the one that adds most to the others, and then the one that
    adds most to these. So a list has the topics of a shorter one, or parts of them, and new ones.

    Topics are numbered from 0, parents first; `evidence` is (topics, documents), and negative numbers
    count as 0. `count` is at most the number of topics without others below them.
    """
    growing = _Growing(_Order.of(roots), np.maximum(evidence, 0.0))
    for _ in range(count):
        growing.step()
    return growing.chosen


class _Order(NamedTuple):
    """Topics numbered from 0, parents first: those below a topic follow it, up to its end."""

    end: Indices
    leaves: Indices  # how many of the most specific topics each topic is above, or is

    @classmethod
    def of(cls, roots: Sequence[Topic]) -> _Order:
        topics = [topic for root in roots for topic in root]
        end = [number + sum(1 for _ in topic) for number, topic in enumerate(topics)]
        leaves = [sum(not below.children for below in topic) for topic in topics]
        return cls(np.array(end, dtype=np.intp), np.array(leaves, dtype=np.intp))

    def apart(self, topics: Indices, from_topic: int) -> Bools:
        """Which of the topics are neither above nor below a topic, nor the topic itself."""
        return np.asarray((topics >= self.end[from_topic]) | (self.end[topics] <= from_topic))

    def below(self, topic: int) -> Indices:
        """The topics below one that do not cover all of its leaves."""
        below = np.arange(topic + 1, self.end[topic])
        return np.asarray(below[self.leaves[below] < self.leaves[topic]])


class _Growing:
    """A list of topics that grows by one per step.

    What a step adds is computed only while its upper bound, from earlier steps, is the largest.
    """

    def __init__(self, order: _Order, evidence: Floats32) -> None:
        self.chosen: list[int] = []
        self._order, self._evidence = order, evidence
        # Which topics are neither above nor below one of the list.
        self._free = np.ones(len(evidence), dtype=np.bool_)
        # What a topic can add at most, and what its two parts can add to the list without it.
        self._most = np.full((2, len(evidence)), _total(evidence.max(axis=0, initial=0.0)))

    def step(self) -> None:
        """Add a topic, or divide one in two, whichever adds most evidence."""
        first, second, main = _largest_two(self._evidence[self.chosen])
        lost = np.full(self._most.shape, np.inf)  # what a step costs; infinite if it is impossible
        lost[0, self._free] = 0.0
        for place, topic in enumerate(self.chosen):
            if self._order.leaves[topic] > 1:
                lost[1, topic] = _total((first - second)[main == place])
        while True:
            divides, topic = divmod(int((self._most - lost).argmax()), len(self._evidence))
            if divides:
                place = self.chosen.index(topic)
                new, adds = self._parts(topic, np.where(main == place, second, first))
            else:
                place, new = len(self.chosen), [topic]
                adds = _total(np.maximum(self._evidence[topic] - first, 0.0))
            if adds >= self._most[divides, topic]:
                break
            self._most[divides, topic] = adds
        self.chosen[place : place + divides] = new
        if divides:
            self._free[topic + 1 : self._order.end[topic]] = True
            # Others can add the evidence that the parts lack; otherwise, what they can add only falls.
            self._most += _total(
                np.maximum(self._evidence[topic] - self._evidence[new].max(axis=0), 0.0)
            )
        for part in new:
            self._free &= self._order.apart(np.arange(len(self._evidence)), part)

    def _parts(self, topic: int, before: Floats32) -> tuple[list[int], float]:
        """The two topics below one that add most to the evidence `before`, and how much they add."""
        below = self._order.below(topic)
        one, by_one = self._adds_most(below, before)
        others = below[self._order.apart(below, one)]
        two, by_two = self._adds_most(others, np.maximum(before, self._evidence[one]))
        return [one, two], by_one + by_two

    def _adds_most(self, topics: Indices, before: Floats32) -> tuple[int, float]:
        """The topic that adds most to the evidence `before`, and how much it adds."""
        adds = np.maximum(self._evidence[topics] - before, 0.0).sum(axis=1, dtype=np.float64)
        best = int(adds.argmax())
        return int(topics[best]), float(adds[best])


def _largest_two(evidence: Floats32) -> tuple[Floats32, Floats32, Indices]:
    """The largest evidence per document, the second largest, and which row has the largest."""
    nothing = np.zeros((2, evidence.shape[1]), dtype=evidence.dtype)
    evidence = np.concatenate((evidence, nothing))
    main = evidence.argmax(axis=0)
    column = np.arange(evidence.shape[1])
    first = evidence[main, column]
    evidence[main, column] = 0.0
    return first, evidence.max(axis=0), main


def _total(evidence: Floats32) -> float:
    return float(evidence.sum(dtype=np.float64))


def _evidence(tree: LatentTree, counts: WordCounts | None, topics: Sequence[Topic]) -> Floats32:
    """The evidence for each topic in documents drawn from the model, float32 (topics, documents)."""
    by_name = sorted(range(tree.n_words), key=tree.words.__getitem__)
    # Words are sorted, so that the sample does not depend on their order.
    documents = tree.with_words([tree.words[k] for k in by_name]).sample(_DRAWN, seed=0)
    latents = topic_nodes(tree, topics) - tree.n_words
    evidence = np.empty((len(topics), _DRAWN), dtype=np.float32)
    for begin, end in ranges(len(topics)):
        found = evidence_for(tree, counts, latents[begin:end])
        evidence[begin:end] = (documents @ found.words[by_name] + found.size).T
    return evidence


def level_cut(roots: Sequence[Topic], level: int) -> list[Topic]:
    """The topics of a level; where a branch has none there, the lowest topic above the level."""
    found = []
    for root in roots:
        below = [child for child in root.children if child.level >= level]
        if root.level >= level and not below:
            found.append(root)
        else:
            found += level_cut(root.children, level)
    return found
