"""One edit as it is typed: `hlta edit MODEL rename Z2-3 "Physics of fields"`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hlta.errors import OptionError

if TYPE_CHECKING:
    from hlta.edits.entries import Entry
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
"""What can be typed, and its arguments."""


def edit_by(model: HLTA, verb: str, arguments: list[str]) -> None:
    """Make one edit of a model, or take back the last ones; topics are given by id or by title."""
    expected = VERBS[verb].split()
    if len(arguments) != len(expected) and not (verb == "undo" and not arguments):
        raise OptionError(f"{verb}: use it as `{verb} {VERBS[verb]}`")
    if verb == "undo":
        model.edit.undo(_number(*arguments))
    else:
        model.edit.make(_entry(model, verb, *arguments))


def _entry(model: HLTA, verb: str, name: str, other: str = "") -> Entry:
    from hlta.edits.entries import KINDS, Merge, Move, Note, Remove, Rename

    if verb == "remove":
        return Remove(name)
    if verb == "rename":
        return Rename({_topic(model, name): other})
    if verb == "note":
        return Note(_topic(model, name), other)
    if verb == "merge":
        return Merge(_topic(model, name), _topic(model, other))
    if verb == "move":
        moved = name if name in model.tree_.words else _topic(model, name)
        return Move(moved, None if other == _TOP else _topic(model, other))
    kind: Any = KINDS[verb]  # to hide, show, pin or unpin
    entry: Entry = kind(_topic(model, name))
    return entry


def _topic(model: HLTA, name: str) -> str:
    """The id of the topic with this id, hidden or not, or with this title."""
    if name in model.tree_.latent_names:
        return name
    try:
        return model.topics_[name].id
    except KeyError as error:
        raise OptionError(
            f"{error.args[0]}; give an id that `hlta topics MODEL --ids` prints"
        ) from None


def _number(text: str = "1") -> int:
    try:
        return int(text)
    except ValueError:
        raise OptionError(f"undo {text!r:.60}: use the number of edits to take back") from None
