"""Topics as plain lists of words, from any tool."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from hlta.errors import FormatError

if TYPE_CHECKING:
    from os import PathLike

_BETWEEN: Final = re.compile(r"[\s_]+")


class Words(Protocol):
    """Anything that has words, best first, such as a `Topic` or a `WordList`."""

    @property
    def words(self) -> list[str]:
        """The words."""


class Placed(Words, Protocol):
    """A topic that knows the topic above it, such as a `Topic` or a `WordList`."""

    @property
    def parent(self) -> Placed | None:
        """The topic above, None for a root topic."""


def first_words(topic: Words, n_words: int) -> list[str]:
    """The first distinct words of a topic."""
    return list(dict.fromkeys(topic.words))[:n_words]


@dataclass(frozen=True)
class WordList:
    """A topic given by its words, perhaps in a hierarchy.

    Attributes
    ----------
    words : list of str
        The words, best first.
    level : int or None
        The level of the topic, if it is part of a hierarchy.
    parent : WordList or None
        The topic above, if there is one. It does not count when lists are compared.
    """

    words: list[str]
    level: int | None = None
    parent: WordList | None = field(default=None, repr=False, compare=False)


def read_word_lists(path: str | PathLike[str]) -> list[WordList]:
    """Read topics from a JSON file.

    The file holds a list of lists of words; or a list of objects with "words" (or "keywords") and,
    if there is a hierarchy, "level" and "children". Either may be the value of "topics", as in the
    `topics.json` that `hlta fit` writes.

    Parameters
    ----------
    path
        The file.

    Returns
    -------
    list of WordList
        The topics, parents first.

    Raises
    ------
    FormatError
        If the file is not valid JSON, or holds anything but topics.
    """
    name = str(path)
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8-sig"))
    except RecursionError:
        raise FormatError(f"{name!r} is nested too deeply for a list of topics") from None
    except ValueError as error:
        raise FormatError(f"{name!r} is not valid JSON: {error}") from None
    if isinstance(data, dict):
        data = data.get("topics")
    if not isinstance(data, list) or not data:
        raise FormatError(
            f"{name!r} holds no topics: it needs a list of topics, at the top or under 'topics'"
        )
    topics = []
    waiting: list[tuple[Any, WordList | None]] = [(entry, None) for entry in data[::-1]]
    while waiting:
        topic, children = _topic(*waiting.pop(), name)
        topics.append(topic)
        waiting += [(child, topic) for child in children[::-1]]
    return topics


def _topic(entry: Any, parent: WordList | None, name: str) -> tuple[WordList, list[Any]]:
    """The topic of a JSON entry, below the topic `parent`, and the entries of its children."""
    level: Any = None
    children: Any = []
    words = entry
    if isinstance(entry, dict):
        words = entry.get("words", entry.get("keywords"))
        level, children = entry.get("level"), entry.get("children") or []
    if isinstance(words, list):
        words = [word.get("word") if isinstance(word, dict) else word for word in words]
    ok = isinstance(words, list) and words and all(isinstance(w, str) and w.strip() for w in words)
    if not ok or not (level is None or type(level) is int) or not isinstance(children, list):
        shown = json.dumps(entry)[:80]
        raise FormatError(f"{name!r}: {shown} is not a topic; give a list of words")
    return WordList(words, level, parent), children


def as_read(word: str) -> str:
    """A word or phrase as it is spelled when texts are read: lower case, hyphens between its parts."""
    return _BETWEEN.sub("-", unicodedata.normalize("NFC", word).strip().lower())
