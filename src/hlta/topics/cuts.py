"""Flat lists of topics: the few that tell most about documents, and those of one level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hlta._support.arrays import ranges
from hlta.topics.main_topics import word_evidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from hlta.topics.topic import Topic
    from hlta.tree.latent_tree import LatentTree

_DRAWN: Final = 4000  # documents that topics are compared on
_TOPICS_AT_ONCE: Final = 256


def telling_cut(tree: LatentTree, roots: Sequence[Topic], count: int) -> list[Topic]:
    """`count` topics, no one below another, that tell most about documents of the model.

    Every document has one topic of the list, or none. What a topic tells is the evidence of the
    document's words for it, see `word_evidence`, less what it takes to name a topic of its size,
    -log P(topic).
    """
    topics = [topic for root in roots for topic in root]
    return [topics[k] for k in best_cut(roots, _told(tree, topics), count)]


def best_cut(roots: Sequence[Topic], told: NDArray[np.float32], count: int) -> list[int]:
    """Choose topics one by one, each of which adds most to the sum of the largest told per document.

    Topics are counted from 0, parents first; `told` is by topic and document, and where all of a
    document's are negative, nothing is told. A topic is chosen only if as many as are still wanted
    are neither below nor above it.
    """
    topics = [topic for root in roots for topic in root]
    number = {topic.id: k for k, topic in enumerate(topics)}
    widths = np.array([sum(not below.children for below in topic) for topic in topics])
    spare = sum(not topic.children for topic in topics) - count
    # What a topic adds only falls: what it added when last asked is the most that it can add.
    most = np.full(len(topics), np.inf)
    best = np.zeros(told.shape[1], dtype=told.dtype)
    chosen: list[int] = []
    while len(chosen) < count:
        most[widths - 1 > spare] = -np.inf
        k = _adds_most(told, best, most)
        chosen.append(k)
        best = np.maximum(best, told[k])
        spare -= int(widths[k]) - 1
        most[[number[topic.id] for topic in _related(topics[k])]] = -np.inf
    return chosen


def _related(topic: Topic) -> Iterator[Topic]:
    """A topic, those below it, and those above it."""
    yield from topic
    while topic.parent is not None:
        topic = topic.parent
        yield topic


def _adds_most(
    told: NDArray[np.float32], best: NDArray[np.float32], most: NDArray[np.float64]
) -> int:
    """The topic that adds most to `best`; lowers `most`, the bounds, until it is known."""
    while True:
        k = int(most.argmax())
        adds = float(np.maximum(told[k] - best, 0.0).sum(dtype=np.float64))
        if adds >= most[k]:
            return k
        most[k] = adds


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
