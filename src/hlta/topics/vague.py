"""What lists of topics leave out: vague topics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hlta.topics.topic import Topic

MEDIAN: Final = 1.0
"""The contrast of the median word. A weak topic with less tells a reader little."""


def mark_vague(roots: list[Topic]) -> None:
    """Mark the topics that are vague, and put them behind their siblings.

    A topic is vague if it tells a reader little, as all topics below it do. If that holds for all root
    topics, none is vague: something has to be shown.
    """
    _mark(roots)
    if all(root.is_vague for root in roots):
        for root in roots:
            for topic in root:
                topic.is_vague = False


def _mark(topics: list[Topic]) -> None:
    for topic in topics:
        _mark(topic.children)
        topic.is_vague = tells_little(topic) and all(child.is_vague for child in topic.children)
    topics.sort(key=lambda topic: topic.is_vague)


def tells_little(topic: Topic) -> bool:
    """Whether a topic is of style, or is weak and is not about anything specific either."""
    specific = topic.contrast is None or topic.contrast >= MEDIAN
    return topic.is_style or (topic.is_weak and not specific)
