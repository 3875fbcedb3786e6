"""Topics as plain lists of words, from any tool."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hlta.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass(frozen=True)
class WordList:
    """A topic of which nothing is known but its words, best first, and perhaps its level."""

    words: list[str]
    level: int | None = None


def read_lists(path: Path) -> list[WordList]:
    """Topics of a JSON file.

    A list of lists of words; a list of objects with "words" (or "keywords") and, if there is a
    hierarchy, "level", and "children"; or either under "topics". `topics.json` is such a file.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise FormatError(f"{str(path)!r} is no JSON: {error}") from None
    if isinstance(data, dict):
        data = data.get("topics")
    if not isinstance(data, list) or not data:
        raise FormatError(
            f"{str(path)!r} holds no topics: there is neither a list nor one under 'topics'"
        )
    return [topic for entry in data for topic in _topics(entry, str(path))]


def _topics(entry: Any, path: str) -> Iterator[WordList]:
    level: Any = None
    children: Any = []
    words = entry
    if isinstance(entry, dict):
        words = entry.get("words", entry.get("keywords"))
        level, children = entry.get("level"), entry.get("children") or []
    if isinstance(words, list):
        words = [word.get("word") if isinstance(word, dict) else word for word in words]
    ok = isinstance(words, list) and all(isinstance(word, str) for word in words)
    if not ok or not (level is None or type(level) is int) or not isinstance(children, list):
        raise FormatError(f"{path!r}: {entry!r:.80} is no topic; give a list of words")
    yield WordList(words, level)
    for child in children:
        yield from _topics(child, path)
