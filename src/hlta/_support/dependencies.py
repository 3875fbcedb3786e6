"""Which packages that hlta needs are missing or too old."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_LEAST: Final = re.compile(r"([\w.-]+)>=([\d.]+)")
_OF_DEVELOPERS: Final = re.compile("extra == .(bench|dev|docs)")


@contextmanager
def naming_the_remedy() -> Iterator[None]:
    """If the block fails and a package is missing or too old, raise an ImportError with the remedy."""
    try:
        yield
    except Exception as error:
        unmet = unmet_requirements()
        if not unmet:
            raise
        raise ImportError("; ".join(unmet)) from error


def unmet_requirements() -> list[str]:
    """What is wrong with the installed packages, each with its remedy.

    Packages of extras may be missing, but not too old; those of the extras for developers are not
    checked. The list is empty for a checkout that is not installed.
    """
    from importlib.metadata import PackageNotFoundError, requires, version

    try:
        needed = requires("hlta") or []
    except PackageNotFoundError:
        return []
    found = []
    for requirement in needed:
        match = _LEAST.match(requirement)
        if match is None or _OF_DEVELOPERS.search(requirement):
            continue
        name, least = match.groups()
        remedy = f'pip install --upgrade "{name}>={least}"'
        try:
            there = version(name)
        except PackageNotFoundError:
            if "extra ==" not in requirement:
                found.append(f"{name} is not installed; {remedy}")
            continue
        if _numbers(there) < _numbers(least):
            found.append(f"{name} {there} is installed, and hlta needs {least} or later; {remedy}")
    return found


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers of a release, without zeros at the end: 2.1.0rc1 is 2.1."""
    release = re.match(r"\d+(\.\d+)*", version)
    parts = [int(part) for part in release[0].split(".")] if release else []
    while parts and not parts[-1]:
        parts.pop()
    return tuple(parts)
