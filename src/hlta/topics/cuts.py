"""Flat lists of topics: the few that tell most about the words, and those of one level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from hlta.topics.topic import Topic


@dataclass(frozen=True)
class _Choice:
    """The best choice of each number of topics from a part of the tree, no one below another."""

    gain: NDArray[np.float64]  # of 0, 1, 2, ... topics
    chosen: Callable[[int], list[Topic]]  # those topics, given their number


def best_cut(roots: Sequence[Topic], gain: Callable[[Topic], float], count: int) -> list[Topic]:
    """The `count` topics, no one below another, with the largest sum of gains; parents' order."""
    return _of_forest(roots, gain).chosen(count)


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


def _of_forest(topics: Sequence[Topic], gain: Callable[[Topic], float]) -> _Choice:
    """Split any number between the first tree and the others, in the best way."""
    best = _Choice(np.zeros(1), lambda count: [])  # noqa: ARG005
    for topic in topics:
        best = _joined(best, _of_tree(topic, gain))
    return best


def _of_tree(topic: Topic, gain: Callable[[Topic], float]) -> _Choice:
    """One topic may be the root itself; more come from below it."""
    below, own = _of_forest(topic.children, gain), gain(topic)
    if len(below.gain) > 1 and below.gain[1] > own:
        return below
    gains = np.concatenate((below.gain[:1], [own], below.gain[2:]))
    return _Choice(gains, lambda count: [topic] if count == 1 else below.chosen(count))


def _joined(one: _Choice, other: _Choice) -> _Choice:
    most = len(one.gain) + len(other.gain) - 1
    gains, of_other = np.full(most, -np.inf), np.zeros(most, dtype=np.intp)
    for k, gain in enumerate(other.gain.tolist()):
        part = slice(k, k + len(one.gain))
        better = one.gain + gain > gains[part]
        gains[part][better] = (one.gain + gain)[better]
        of_other[part][better] = k

    def chosen(count: int) -> list[Topic]:
        there = int(of_other[count])
        return one.chosen(count - there) + other.chosen(there)

    return _Choice(gains, chosen)
