"""Text for terminals and logs: characters that could control them are shown as escapes, as in JSON."""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

# Control characters other than tabs and line feeds, and marks that change the direction of text.
_COMMANDS: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)


def visible(text: str) -> str:
    """The text with an escape, as in JSON, in place of each character that a terminal would obey."""
    return _COMMANDS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def show(text: object) -> None:
    """Print a result, as a line or several."""
    sys.stdout.write(f"{visible(str(text))}\n")


def tell(text: object, *, quiet: bool = False) -> None:
    """Print a message that is no part of the result, on stderr; if that pipe is closed, work goes on."""
    if quiet:
        return
    with suppress(BrokenPipeError):
        sys.stderr.write(f"{visible(str(text))}\n")


def pass_on(parts: Iterable[str]) -> None:
    """Print data: unchanged to a file or a program, and with escapes (`visible`) to a terminal."""
    sys.stdout.writelines(map(visible, parts) if sys.stdout.isatty() else parts)
