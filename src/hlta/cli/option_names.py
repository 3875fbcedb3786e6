"""Messages with the options of a command in place of arguments of Python; commands that know theirs."""

from __future__ import annotations

import re
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

from typer.core import TyperCommand, TyperGroup

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_flags: ContextVar[Mapping[str, tuple[str, str]]] = ContextVar("flags", default={})  # noqa: B039 (never changed)

# Arguments that differ from the name of the option, which is that of its parameter.
_OTHERWISE: Final = {
    "client": "cluster",
    "n_jobs": "jobs",
    "random_state": "seed",
    "tokenizer": "segment",
}
_FILES: Final = {"seeds", "apart"}  # options that name a file; messages show what is in it
_VALUE: Final = r"(?:\"[^\"]*\"|'[^']*'|[^\s,;:()]+)"
# What a message says for both: n=10 (--number 10); n=..., --number; (--number; in Python, n=10).
_BOTH: Final = (
    (re.compile(rf"\b[a-z_]+={_VALUE} \((--[^)]*)\)"), r"\1"),
    (re.compile(rf"\b[a-z_]+={_VALUE}, (--)"), r"\1"),
    (re.compile(r"; in Python, [^)]*"), ""),
)
_WORDS: Final = (
    (", a function from a text to its words, or None", ", or none"),
    (", a string, or None", ""),
    ('"auto", None, a list of words, or', "auto, none, a file of words, or"),
    (", or None for all documents", ", or 0 for all documents"),
    (", or None", ", or leave it out"),
)
_BARE: Final = re.compile(r"[\w./+-]+$")  # needs no quotes
# What stands in quotes, such as the name of a file, stays as it is.
_ARGUMENT: Final = re.compile(
    rf"(?<!\w)(?:\"[^\"]*\"|'[^']*')|(?<![\w\"'/=.-])(--[a-z-]+|[a-z_]+)=({_VALUE})"
)


@contextmanager
def name_options(parameters: Iterable[Any]) -> Iterator[None]:
    """Meanwhile, messages name the options among the parameters of a command."""
    flags = {
        one.name: (max(one.opts, key=len), max(one.secondary_opts, key=len, default=""))
        for one in parameters
        if one.name not in _FILES
    }
    before = _flags.set({name: both for name, both in flags.items() if both[0].startswith("--")})
    try:
        yield
    finally:
        _flags.reset(before)


def as_typed(message: str) -> str:
    """The message as it would be put for the command that is running; outside of one, as it is.

    Only what are options of that command is replaced: n_topics=0 by --topics 0.
    """
    flags = _flags.get()
    if not flags:
        return message

    def option(match: re.Match[str]) -> str:
        name, value = match.groups()
        if name is None:
            return match[0]
        flag, opposite = (
            (name, "") if name.startswith("--") else flags.get(_OTHERWISE.get(name, name), ("", ""))
        )
        if value in ("True", "False"):
            return (flag if value == "True" else opposite) or match[0]
        if not flag:
            return match[0]
        bare = value.strip("\"'")
        return f"{flag} {bare if _BARE.match(bare) else value}"

    for pattern, instead in _BOTH:
        message = pattern.sub(instead, message)
    typed = _ARGUMENT.sub(option, message)
    if typed.startswith("--"):
        for words, others in _WORDS:
            typed = typed.replace(words, others)
    return typed


# ---- commands that know their options, and help without types of Python ---------------------------


class _PlainHelp:
    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters of a command; help shows no value of flags, and no type of arguments."""
        found: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for parameter in found:
            if getattr(parameter, "is_flag", False):
                parameter.metavar = ""
            elif parameter.param_type_name == "argument":  # its name says what it is
                parameter.display_type_rich = lambda ctx: None  # noqa: ARG005
        return found


class Command(_PlainHelp, TyperCommand):
    """One of the verbs; its messages name its options."""

    def invoke(self, ctx: Any) -> Any:
        """Run the verb."""
        with name_options(self.params):
            return super().invoke(ctx)


class Group(_PlainHelp, TyperGroup):
    """The verbs together."""
