"""The topic tree as a list that unfolds, for notebooks: plain HTML without scripts."""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import TYPE_CHECKING, Final

from hlta.topics.topic import LABEL_WORDS, Topic, as_percent

if TYPE_CHECKING:
    from collections.abc import Iterator


_MOST_TOPICS: Final = 2000  # topics, at most: the lowest levels of larger trees are left out
_LIST: Final = "list-style:none;margin:0;padding-left:1.1em"
_SIZE: Final = "display:inline-block;width:3.4em;text-align:right;margin-right:.6em;opacity:.75"
_BAR: Final = "display:inline-block;width:5em;height:.5em;margin-right:.7em;background:#8884"


def outline(roots: list[Topic]) -> Iterator[str]:
    """A list that unfolds: sizes, and keywords that show their probabilities on hovering."""
    widths = Counter(topic.level for root in roots for topic in root)
    levels = sorted(widths, reverse=True)
    counts = ", ".join(f"{widths[level]:,} on level {level}" for level in levels)
    vague = sum(topic.is_vague for root in roots for topic in root)
    of_them = f", {vague:,} of them vague" if vague else ""
    yield f"<div><p><b>{widths.total():,} topics{of_them}</b>: {counts}</p>"
    shown = levels.copy()
    while len(shown) > 1 and sum(widths[level] for level in shown) > _MOST_TOPICS:
        shown.pop()
    if shown != levels:
        yield f"<p>Levels below {shown[-1]} are left out here.</p>"
    yield f'<ul style="{_LIST}">'
    yield from _siblings(roots, shown[-1])
    yield "</ul></div>"


def _siblings(topics: list[Topic], lowest: int) -> Iterator[str]:
    """Entries for topics with the same parent, those for vague ones within an entry of their own."""
    vague = [
        topic for topic in topics if topic.is_vague and not (topic.parent and topic.parent.is_vague)
    ]
    for topic in topics:
        if topic not in vague:
            yield from _topic(topic, lowest)
    if vague:
        name = f"{len(vague):,} vague topics" if len(vague) > 1 else "1 vague topic"
        yield f'<li><details><summary>{name}</summary><ul style="{_LIST}">'
        for topic in vague:
            yield from _topic(topic, lowest)
        yield "</ul></details></li>"


def _topic(topic: Topic, lowest: int) -> Iterator[str]:
    line = _line(topic)
    children = [child for child in topic.children if child.level >= lowest]
    if not children:
        yield f'<li style="padding-left:1em">{line}</li>'
        return
    yield f'<li><details><summary>{line}</summary><ul style="{_LIST}">'
    yield from _siblings(children, lowest)
    yield "</ul></details></li>"


def _line(topic: Topic) -> str:
    shown = {
        keyword.word: f'<span title="expected in {keyword.p_topic:.1%} of the documents on the topic, '
        f'in {keyword.p_background:.1%} of the others">{escape(keyword.word)}</span>'
        for keyword in topic.keywords
    }
    words = " ".join(shown[word] for word in topic.label_words(LABEL_WORDS))
    title = f"<b>{escape(topic.title)}</b> " if topic.named()[0].rstrip(":") == topic.title else ""
    width = f"width:{topic.size:.1%}"
    bar = f'<span style="display:block;height:100%;background:#2f6fb2;{width}"></span>'
    size = escape(as_percent(topic.size))
    return (
        f'<span style="{_SIZE}">{size}{topic.mark}</span><span style="{_BAR}">{bar}</span>'
        f'<span title="{escape(topic.id)}">{title}{words}</span>'
    )
