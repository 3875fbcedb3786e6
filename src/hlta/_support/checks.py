"""Checks of arguments: each refusal names the argument, its value and the remedy."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import contextmanager
from math import isfinite
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Final

from hlta.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy as np
    from numpy.typing import NDArray

_HALF: Final = re.compile("[\ud800-\udfff]")  # a surrogate: half of a character


def check_choice(argument: str, value: Any, choices: tuple[str, ...]) -> None:
    """Refuse a value that is not one of the choices."""
    if not isinstance(value, str) or value not in choices:
        raise OptionError(f"{argument}={value!r}: use one of {', '.join(map(repr, choices))}")


def check_flag(argument: str, value: Any) -> None:
    """Refuse a value that is not True or False."""
    if not isinstance(value, bool):
        raise OptionError(f"{argument}={value!r}: use True or False")


def check_whole(
    argument: str,
    value: Any,
    *,
    least: int,
    most: int | None = None,
    none: str = "",
    also: str = "",
) -> Any:
    """Return `value` as an int if it is a whole number from `least` to `most`; True is refused.

    `none` says in the message what None means ("all documents"); without it, None is refused.
    `also` is another value that the caller accepts, as the message shows it.
    """
    if value is None and none:
        return None
    whole = not isinstance(value, bool) and isinstance(value, Integral)
    if not whole or value < least or (most is not None and value > most):
        bounds = f"{least} or more" if most is None else f"from {least} to {most}"
        other = f", or None for {none}" if none else f", or {also}" if also else ""
        raise OptionError(f"{argument}={value!r}: use a whole number, {bounds}{other}")
    return int(value)


def check_real(
    argument: str,
    value: Any,
    *,
    least: float | None = None,
    most: float | None = None,
    hint: str = "",
) -> None:
    """Refuse a value unless it is a finite number from `least` to `most`; True and False are none.

    `most` is given only together with `least`. A `hint` ends the message, in parentheses.
    """
    real = not isinstance(value, bool) and isinstance(value, Real) and _is_finite(value)
    if not real or (least is not None and value < least) or (most is not None and value > most):
        bounds = "" if least is None else f", {least:g} or more"
        bounds = bounds if most is None else f", from {least:g} to {most:g}"
        advice = f" ({hint})" if hint else ""
        raise OptionError(f"{argument}={value!r}: use a number{bounds}{advice}")


def _is_finite(value: Any) -> bool:
    try:
        return isfinite(value)
    except OverflowError:  # of whole numbers beyond the largest float
        return False


def check_seed(seed: Any) -> None:
    """Refuse a value unless it is a whole number, None, or a generator of random numbers."""
    import numpy as np

    if not isinstance(seed, np.random.Generator):
        check_whole("seed", seed, least=0, none="another one every time")


def check_numbers(argument: str, values: Any, count: int, things: str) -> NDArray[np.integer[Any]]:
    """Return `values` as an array if each is the number of one of `count` things, counted from 0."""
    import numpy as np

    numbers = np.asarray(values)
    if numbers.size == 0:
        return np.empty(0, dtype=np.intp)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu":
        raise OptionError(f"{argument} must be a list of whole numbers, the numbers of {things}")
    odd = numbers[(numbers < 0) | (numbers >= count)]
    if len(odd):
        raise OptionError(
            f"{argument} holds {odd[0]}; the {count:,} {things} have the numbers 0 to {count - 1:,}"
        )
    return numbers


def check_names(argument: str, values: Iterable[Any], *, error: type[Exception]) -> tuple[str, ...]:
    """Return `values` as a tuple if they are distinct, non-empty strings that UTF-8 can hold."""
    names = tuple(values)
    kind = argument.rsplit("_", maxsplit=1)[-1].removesuffix("s")  # "word" or "name"
    for name in names:
        if not isinstance(name, str) or not name:
            raise error(f"{argument} holds {name!r}; every {kind} must be a non-empty string")
        if _HALF.search(name):
            raise error(f"{argument} holds {name!r}, with half of a character; leave that half out")
    if len(set(names)) < len(names):
        name, count = Counter(names).most_common(1)[0]
        raise error(f"{argument} holds {name!r} {count} times; every {kind} must be distinct")
    return names


def check_strings(values: Iterable[Any], place: str, *, error: type[Exception]) -> Iterator[str]:
    """Yield the values; refuse one that is no string. `place.format(number)` names it in the message."""
    for number, value in enumerate(values):
        if not isinstance(value, str):
            raise error(
                f"{place.format(number)} is {value!r:.80}, of type {type(value).__name__}; "
                f"every {place.split(maxsplit=1)[0]} must be a string"
            )
        yield value


@contextmanager
def needing(what: str, *, extra: str, error: type[Exception] = OptionError) -> Iterator[None]:
    """If an import fails, raise an error that says which extra to install; `what` begins the message."""
    try:
        yield
    except ImportError:
        raise error(f'{what}; pip install "hlta[{extra}]"') from None
