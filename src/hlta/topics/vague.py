"""Vague topics, which lists of topics leave out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hlta.topics.topic import Topic

_LEAST_STABILITY: Final = 0.15  # of a topic that is not vague, whatever its contrast
_LEAST_CONTRAST: Final = 1.0  # likewise, whatever its stability: that of the median word


def mark_vague(roots: list[Topic]) -> None:
    """Mark the topics that are vague, and put them behind their siblings.

    A topic is vague if few samples of the documents confirm it, its words are about nothing in
    particular, and the same holds for all topics below it. If that holds for all root topics, none is
    vague: something has to be shown.
    """
    _mark(roots)
    if all(root.is_vague for root in roots):
        for root in roots:
            for topic in root:
                topic.is_vague = False


def _mark(topics: list[Topic]) -> None:
    for topic in topics:
        _mark(topic.children)
        topic.is_vague = _tells_little(topic) and all(child.is_vague for child in topic.children)
    topics.sort(key=lambda topic: topic.is_vague)


def _tells_little(topic: Topic) -> bool:
    if topic.pinned or topic.stability is None or topic.contrast is None:
        return False
    return topic.stability < _LEAST_STABILITY and topic.contrast < _LEAST_CONTRAST
