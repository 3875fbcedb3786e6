"""Validators of arguments: each names the argument, its value and the remedy."""

from __future__ import annotations

from math import isfinite
from numbers import Integral, Real
from typing import Any

from hlta.errors import OptionError


def check_choice(argument: str, value: Any, choices: tuple[str, ...]) -> None:
    """Refuse what is not one of the names."""
    if value not in choices:
        raise OptionError(f"{argument}={value!r}: use one of {', '.join(map(repr, choices))}")


def check_whole(
    argument: str, value: Any, *, least: int, most: int | None = None, none: str = ""
) -> None:
    """Refuse what is not a whole number within bounds."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):
        bounds = f"{least} or more" if most is None else f"from {least} to {most}"
        other = f", or None for {none}" if none else ""
        raise OptionError(f"{argument}={value!r}: use a whole number, {bounds}{other}")


def check_real(
    argument: str, value: Any, *, least: float | None = None, most: float | None = None
) -> None:
    """Refuse what is not a finite number within bounds."""
    real = not isinstance(value, bool) and isinstance(value, Real) and isfinite(value)
    if not real or (least is not None and value < least) or (most is not None and value > most):
        bounds = "" if least is None else f", {least:g} or more"
        bounds = bounds if most is None else f", from {least:g} to {most:g}"
        raise OptionError(f"{argument}={value!r}: use a number{bounds}")
