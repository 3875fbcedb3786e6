"""Fills the page reference/command-line with the verbs and options of `hlta`, as Typer knows them."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

import typer

from hlta.cli import app as hlta_app

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

PAGE: Final = "reference/command-line"
_PANELS: Final = ("Arguments and options", "Reading", "Words", "Model", "Page", "Run")
_SPECIAL: Final = re.compile(r"(?<!`)([*_<>])(?!`)")


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("source-read", _fill)
    return {"parallel_read_safe": True}


def _fill(_app: Sphinx, page: str, source: list[str]) -> None:
    if page == PAGE:
        source[0] += "\n" + command_line()


def command_line() -> str:
    """Every verb with its arguments and options, as MyST Markdown."""
    group: Any = typer.main.get_command(hlta_app)
    return "\n".join(line for name, verb in group.commands.items() for line in _verb(name, verb))


def _verb(name: str, verb: Any) -> Iterator[str]:
    context = typer.Context(verb, info_name=f"hlta {name}")
    shown = [one for one in verb.get_params(context) if one.name != "help"]
    arguments = [
        (one.metavar if one.required else f"[{one.metavar}]") + "..." * (one.nargs == -1)
        for one in shown
        if _is_argument(one)
    ]
    yield from (f"## `hlta {name}`", "", _prose(verb.help), "")
    yield from ("```sh", " ".join(["hlta", name, "[OPTIONS]", *arguments]), "```", "")
    yield from (f"```{{program}} hlta {name}", "```", "")
    for (_, heading), parameters in groupby(sorted(shown, key=_panel), key=_panel):
        yield from (f"**{heading}**", "")
        for parameter in parameters:
            yield from _parameter(parameter, context)


def _is_argument(parameter: Any) -> bool:
    return bool(parameter.param_type_name == "argument")


def _panel(parameter: Any) -> tuple[int, str]:
    """What has no heading of its own first, then the headings in the order of the help."""
    name = getattr(parameter, "rich_help_panel", None) or _PANELS[0]
    return (_PANELS.index(name) if name in _PANELS else len(_PANELS), name)


def _parameter(parameter: Any, context: typer.Context) -> Iterator[str]:
    names = parameter.metavar if _is_argument(parameter) else parameter.get_help_record(context)[0]
    value = "Required." if parameter.required else _default(parameter)
    yield from (f"````{{option}} {names}", _prose(parameter.help or ""), value, "````", "")


def _default(parameter: Any) -> str:
    """What the help shows as the default, if anything."""
    shown = parameter.show_default
    if isinstance(shown, str):
        return f"Default: {_prose(shown)}."
    unsaid = not shown or getattr(parameter, "is_flag", False) or parameter.default in (None, "")
    return "" if unsaid else f"Default: `{parameter.default}`."


def _prose(text: str) -> str:
    """Text of the help, with Rich's escapes undone and Markdown's in their place."""
    return _SPECIAL.sub(r"\\\1", text.replace("\\[", "["))
