"""Messages that name options of a command in place of Python arguments, and classes of commands."""

from __future__ import annotations

import re
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

from typer.core import TyperCommand, TyperGroup

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_flags: ContextVar[Mapping[str, tuple[str, str]]] = ContextVar("flags", default={})  # noqa: B039 (never changed)

# The parameter of the command for each Python argument that has another name.
_OTHERWISE: Final = {
    "client": "cluster",
    "n_jobs": "jobs",
    "random_state": "seed",
    "tokenizer": "segment",
}
_FILES: Final = {"seeds", "apart"}  # options that name a file, where messages show its content
_VALUE: Final = r"(?:\"[^\"]*\"|'[^']*'|[^\s,;:()]+)"
# Messages that name both forms: n=10 (--number 10); n=..., --number; (--number; in Python, n=10).
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
# The first alternative matches quoted text, such as the name of a file, which is not changed.
_ARGUMENT: Final = re.compile(
    rf"(?<!\w)(?:\"[^\"]*\"|'[^']*')|(?<![\w\"'/=.-])(--[a-z-]+|[a-z_]+)=({_VALUE})"
)


@contextmanager
def name_options(parameters: Iterable[Any]) -> Iterator[None]:
    """Let messages from the block name the options among the parameters of a command."""
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
    """The message in terms of the command that is running; unchanged if none is.

    Python arguments are replaced by options of that command, such as n_topics=0 by --topics 0; arguments
    that are none of its options stay.
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


# ---- commands whose messages name their options, and help without Python types --------------------


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
    """A command such as `hlta fit`; its messages name its options."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        with name_options(self.params):
            return super().invoke(ctx)


class Group(_PlainHelp, TyperGroup):
    """The command `hlta`, with all of these."""
