"""Folding: a shorter tree, without the topics that tell a reader little."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hlta.topics.topic import Topic

_FIRST: Final = 5  # keywords that are compared
_SAME: Final = 4  # so many of these are the same
_AS_LARGE: Final = 0.9  # of the size of the topic above


def without_little(topics: Iterable[Topic], parent: Topic | None = None) -> list[Topic]:
    """Copies of the topics and of those below them, below `parent`, without those that tell little.

    A topic that is weak or of style goes, unless one below it stays. One that repeats the topic above
    goes as well, and those below it move up.
    """
    kept: list[Topic] = []
    for topic in topics:
        if repeats(topic):
            kept += without_little(topic.children, parent)
            continue
        alone = replace(topic, parent=parent, children=[])
        alone.children = without_little(topic.children, alone)
        if alone.children or not (topic.is_weak or topic.is_style):
            kept.append(alone)
    return kept


def repeats(topic: Topic) -> bool:
    """Whether a topic that nobody pinned is about as large as the one above, with the same words."""
    up = topic.parent
    if up is None or topic.pinned or topic.size < _AS_LARGE * up.size:
        return False
    return len({*topic.label_words(_FIRST)} & {*up.label_words(_FIRST)}) >= _SAME
