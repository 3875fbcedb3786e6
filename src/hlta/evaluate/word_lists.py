"""Topics as plain lists of words, from any tool."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hlta.errors import FormatError

if TYPE_CHECKING:
    from pathlib import Path

_BETWEEN: Final = re.compile(r"[\s_]+")


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
    except RecursionError:
        raise FormatError(f"{str(path)!r} is nested too deeply to be a list of topics") from None
    except ValueError as error:
        raise FormatError(f"{str(path)!r} is no JSON: {error}") from None
    if isinstance(data, dict):
        data = data.get("topics")
    if not isinstance(data, list) or not data:
        raise FormatError(
            f"{str(path)!r} holds no topics: there is neither a list nor one under 'topics'"
        )
    found = []
    waiting = data[::-1]
    while waiting:
        entry = waiting.pop()
        topic, children = _topic(entry, str(path))
        found.append(topic)
        waiting += children[::-1]
    return found


def _topic(entry: Any, path: str) -> tuple[WordList, list[Any]]:
    """A topic and those below it."""
    level: Any = None
    children: Any = []
    words = entry
    if isinstance(entry, dict):
        words = entry.get("words", entry.get("keywords"))
        level, children = entry.get("level"), entry.get("children") or []
    if isinstance(words, list):
        words = [word.get("word") if isinstance(word, dict) else word for word in words]
    ok = isinstance(words, list) and len(words) > 0
    ok = ok and all(isinstance(word, str) and word.strip() for word in words)
    if not ok or not (level is None or type(level) is int) or not isinstance(children, list):
        shown = json.dumps(entry)[:80]
        raise FormatError(f"{path!r}: {shown} is no topic; give a list of words")
    return WordList(words, level), children


def as_read(word: str) -> str:
    """A word or phrase as it is in documents that were read: small letters, phrases with hyphens."""
    return _BETWEEN.sub("-", unicodedata.normalize("NFC", word).strip().lower())
