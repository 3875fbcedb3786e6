"""One edit as it is typed: `hlta edit MODEL rename Z2-3 "Physics of fields"`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hlta.errors import OptionError

if TYPE_CHECKING:
    from hlta.estimator import HLTA

_TOP: Final = "top"  # where a topic is moved to become a root topic
VERBS: Final = {
    "rename": "TOPIC TITLE",
    "note": "TOPIC TEXT",
    "hide": "TOPIC",
    "show": "TOPIC",
    "pin": "TOPIC",
    "unpin": "TOPIC",
    "merge": "TOPIC INTO",
    "move": f"TOPIC|WORD BELOW|{_TOP}",
    "remove": "WORD",
    "undo": "[NUMBER]",
}
"""The edits that can be typed, with their arguments."""


def edit_by(model: HLTA, verb: str, arguments: list[str]) -> None:
    """Make one edit of a model, or take back the last ones; topics are given by id or by title."""
    expected = VERBS[verb].split()
    if len(arguments) != len(expected) and not (verb == "undo" and not arguments):
        raise OptionError(f"{verb}: use it as `{verb} {VERBS[verb]}`")
    if verb == "undo":
        model.edit.undo(_number(*arguments))
    elif verb == "move":
        name, below = arguments
        model.edit.move(name, None if below == _TOP else below)
    else:
        getattr(model.edit, verb)(*arguments)


def _number(text: str = "1") -> int:
    try:
        return int(text)
    except ValueError:
        raise OptionError(f"undo {text!r:.60}: use the number of edits to take back") from None
