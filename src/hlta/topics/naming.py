"""Titles that the user gives, by hand or by a function, such as one that asks a language model."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hlta.errors import OptionError
from hlta.topics.topic import Topic, ancestors

if TYPE_CHECKING:
    from hlta.topics.topic_tree import TopicTree

LONGEST_TITLE: Final = 80  # characters of a title, at most
LONGEST_NOTE: Final = 2_000  # characters of a note, at most


class Family(NamedTuple):
    """Topics that are named together.

    Attributes
    ----------
    parent : Topic or None
        The topic above them, which has its new title already; None for the root topics.
    topics : list of Topic
        Its children.
    """

    parent: Topic | None
    topics: list[Topic]


def check_title(title: Any, topic: str) -> str:
    """The title on one line; raises `OptionError` if it is empty, too long or has control characters."""
    if not isinstance(title, str):
        raise OptionError(f"the title of {topic} is {title!r:.60}, not a string")
    plain = " ".join(title.split())
    if not 1 <= len(plain) <= LONGEST_TITLE:
        raise OptionError(
            f"the title of {topic} has {len(plain):,} characters; give 1 to {LONGEST_TITLE}"
        )
    if any(unicodedata.category(character) in {"Cc", "Cs", "Cf"} for character in plain):
        raise OptionError(f"the title of {topic} holds a control character: {plain!r}")
    return plain


def check_note(text: Any, topic: str) -> str:
    """The note without extra spaces; raises `OptionError` if it is too long or has control characters."""
    if not isinstance(text, str):
        raise OptionError(f"the note on {topic} is {text!r:.60}, not a string")
    plain = "\n".join(" ".join(line.split()) for line in text.splitlines()).strip()
    if len(plain) > LONGEST_NOTE:
        raise OptionError(
            f"the note on {topic} has {len(plain):,} characters; give at most {LONGEST_NOTE:,}"
        )
    if any(c != "\n" and unicodedata.category(c) in {"Cc", "Cs"} for c in plain):
        raise OptionError(f"the note on {topic} holds a control character: {plain!r:.100}")
    return plain


def ask_titles(
    topics: TopicTree, name: Callable[[Family], Mapping[str, str]]
) -> tuple[dict[str, str], list[str]]:
    """Ask for the titles of every family, parents first; return titles by id, and reasons for refusals.

    A topic keeps its title if an answer leaves it out, or gives it one that is refused: one that
    `check_title` refuses, or that of a topic beside or above.
    """
    found, refused = dict[str, str](), list[str]()
    for family in families(topics.roots):
        answer = name(_with_titles(family, found))
        if not isinstance(answer, Mapping):
            raise OptionError(
                f"the function gave {answer!r:.60} for {_place(family)}; it must give a dictionary of "
                "titles by id"
            )
        for topic in family.topics:
            if topic.id not in answer:
                continue
            try:
                found[topic.id] = check_title(answer[topic.id], topic.id)
            except OptionError as error:
                refused.append(str(error))
        for topic in family.topics:
            where = _find_repeated(topic, family, found) if topic.id in found else ""
            if where:
                title = found.pop(topic.id)
                refused.append(f"the title of {topic.id}, {title!r}, is that of a topic {where} it")
    return found, refused


def families(roots: Iterable[Topic], parent: Topic | None = None) -> Iterator[Family]:
    """The families of topics, the root topics first, parents before their children."""
    topics = list(roots)
    yield Family(parent, topics)
    for topic in topics:
        if topic.children:
            yield from families(topic.children, topic)


def _with_titles(family: Family, titles: Mapping[str, str]) -> Family:
    """Copies of the topics of a family, the parent with its new title, for the function to be called."""
    parent = family.parent
    if parent is not None:
        parent = replace(parent, title=titles.get(parent.id, parent.title))
    return Family(parent, [replace(topic) for topic in family.topics])


def _find_repeated(topic: Topic, family: Family, titles: Mapping[str, str]) -> str:
    """Where another topic has the title of this one, "beside" or "above" it; empty if none has."""

    def title_of(other: Topic) -> str:
        return titles.get(other.id, other.title).casefold()

    beside = (other for other in family.topics if other is not topic)
    for others, where in ((ancestors(topic), "above"), (beside, "beside")):
        if any(title_of(other) == title_of(topic) for other in others):
            return where
    return ""


def _place(family: Family) -> str:
    return "the root topics" if family.parent is None else f"the topics below {family.parent.id}"
