"""Groups of options: what several commands share is declared once, as a dataclass.

Typer derives the options of a command from the parameters of one function and knows no groups.
`grouped` bridges the two: a parameter that is a dataclass stands for all options among its fields.
"""

from __future__ import annotations

from dataclasses import is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Annotated, Any, get_origin, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Callable


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Show Typer the fields of each group in place of the group, and reassemble it on call."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {}
    shown: list[Parameter] = []
    for parameter in signature(command).parameters.values():
        hint = hints[parameter.name]
        if is_dataclass(hint):
            groups[parameter.name] = hint
            shown += options_of(hint)
        else:
            # As keywords, options with a default may stand before those without one.
            shown.append(parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=hint))

    @wraps(command)
    def expanded(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{one.name: given.pop(one.name) for one in options_of(group)})
        command(**given)

    expanded.__signature__ = Signature(shown)  # type: ignore[attr-defined]
    expanded.__annotations__ = {parameter.name: parameter.annotation for parameter in shown}
    return expanded


def options_of(group: Any) -> list[Parameter]:
    """The options among the fields of a group: those annotated with one.

    A subclass withholds an option by giving its field a plain type.
    """
    hints = get_type_hints(group, include_extras=True)
    return [
        parameter.replace(annotation=hints[name])
        for name, parameter in signature(group).parameters.items()
        if get_origin(hints[name]) is Annotated
    ]
