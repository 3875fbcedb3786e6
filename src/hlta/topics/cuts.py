"""Flat lists of topics: the few that tell most about documents, and those of one level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hlta._support.arrays import ranges
from hlta.topics.main_topics import word_evidence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hlta.topics.topic import Topic
    from hlta.tree.latent_tree import LatentTree

_DRAWN: Final = 4000  # documents that topics are compared on
_TOPICS_AT_ONCE: Final = 256


def telling_cut(tree: LatentTree, roots: Sequence[Topic], count: int) -> list[Topic]:
    """`count` topics, none below another, that tell most about documents of the model.

    Every document has one topic of the list, or none. What a topic tells is the evidence of the
    document's words for it, see `word_evidence`, less what it takes to name a topic of its size,
    -log P(topic).
    """
    topics = [topic for root in roots for topic in root]
    return [topics[k] for k in best_cut(roots, _told(tree, topics), count)]


def best_cut(roots: Sequence[Topic], told: NDArray[np.float32], count: int) -> list[int]:
    """Lengthen a list of topics, step by step, by what adds most to the sum of the largest told.

    A step adds a topic that is neither above nor below one of the list, or divides one of the list:
    two topics below it take its place. So each list has the topics of a shorter one, or parts of them.

    Topics are counted from 0, parents first; `told` is by topic and document, and where all of a
    document's are negative, nothing is told.
    """
    order, told = _Order.of(roots), np.maximum(told, 0.0)
    chosen: list[int] = []
    while len(chosen) < count:
        chosen = _longer(chosen, told, order)
    return chosen


class _Order(NamedTuple):
    """Topics counted from 0, parents first: those below a topic are the next ones, up to its end."""

    end: NDArray[np.intp]
    leaves: NDArray[np.intp]  # how many of the most specific topics each topic is above, or is

    @classmethod
    def of(cls, roots: Sequence[Topic]) -> _Order:
        topics = [topic for root in roots for topic in root]
        end = [number + sum(1 for _ in topic) for number, topic in enumerate(topics)]
        leaves = [sum(not below.children for below in topic) for topic in topics]
        return cls(np.array(end), np.array(leaves))

    def apart(self, topics: NDArray[np.intp], from_topic: int) -> NDArray[np.intp]:
        """Those of the topics that are neither above nor below a topic."""
        found: NDArray[np.intp] = topics[
            (topics >= self.end[from_topic]) | (self.end[topics] <= from_topic)
        ]
        return found

    def below(self, topic: int) -> NDArray[np.intp]:
        """The topics below one that have others beside them there."""
        every = np.arange(topic + 1, self.end[topic])
        below: NDArray[np.intp] = every[self.leaves[every] < self.leaves[topic]]
        return below


def _longer(chosen: list[int], told: NDArray[np.float32], order: _Order) -> list[int]:
    """The list with one topic more, or with one divided in two, whichever adds more."""
    first, second, main = _largest_two(told, chosen)
    free = np.arange(len(told))
    for topic in chosen:
        free = order.apart(free, topic)
    most, found = -np.inf, chosen
    if len(free):
        new, most = _adds_most(told, free, first)
        found = [*chosen, new]
    for place, topic in enumerate(chosen):
        below = order.below(topic)
        if not len(below):
            continue
        others = np.where(main == place, second, first)
        one, by_one = _adds_most(told, below, others)
        two, by_two = _adds_most(told, order.apart(below, one), np.maximum(others, told[one]))
        adds = by_one + by_two - float((first - others).sum(dtype=np.float64))
        if adds > most:
            most, found = adds, [*chosen[:place], one, two, *chosen[place + 1 :]]
    return found


def _largest_two(
    told: NDArray[np.float32], chosen: list[int]
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.intp]]:
    """The largest told per document, the second largest, and the place in the list of the largest."""
    nothing = np.zeros_like(told[:1])
    of_chosen = np.concatenate((told[chosen], nothing, nothing))
    main = of_chosen.argmax(axis=0)
    column = np.arange(told.shape[1])
    first = of_chosen[main, column]
    of_chosen[main, column] = 0.0
    return first, of_chosen.max(axis=0), main


def _adds_most(
    told: NDArray[np.float32], topics: NDArray[np.intp], before: NDArray[np.float32]
) -> tuple[int, float]:
    """The topic that adds most to what was told before, and how much."""
    adds = np.maximum(told[topics] - before, 0.0).sum(axis=1, dtype=np.float64)
    best = int(adds.argmax())
    return int(topics[best]), float(adds[best])


def _told(tree: LatentTree, topics: Sequence[Topic]) -> NDArray[np.float32]:
    """What each topic tells about each of some documents drawn from the model."""
    tree = tree.with_words(sorted(tree.words))  # so that the order of columns changes nothing
    documents = tree.sample(_DRAWN, seed=0)
    told = np.empty((len(topics), _DRAWN), dtype=np.float32)
    for begin, end in ranges(len(topics), _TOPICS_AT_ONCE):
        part = topics[begin:end]
        size = np.array([topic.size for topic in part])
        told[begin:end] = (documents @ word_evidence(tree, part) + np.log(size)).T
    return told


def level_cut(roots: Sequence[Topic], level: int) -> list[Topic]:
    """The topics of a level; where none is, the one that stands for it: the lowest one above."""
    found = []
    for root in roots:
        below = [child for child in root.children if child.level >= level]
        if root.level >= level and not below:
            found.append(root)
        else:
            found += level_cut(root.children, level)
    return found
