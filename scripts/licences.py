"""Licences of what the package needs, with its extras, as installed; 1 if one is not allowed.

With `--requirements`, it prints those packages with their versions instead, as pip reads them.
"""

from __future__ import annotations

import re
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from typing import Final

# Permissive licences, and weak copyleft for packages that are used as they are.
ALLOWED: Final = re.compile(
    r"\b(MIT|BSD|Apache|ISC|PSF|Python Software Foundation|Zlib|CC0|Unlicense|0BSD|HPND|MIT-CMU|"
    r"Mozilla Public License|MPL|LGPL|Lesser General Public License|Public Domain|Matplotlib)",
    re.IGNORECASE,
)
_DEVELOPMENT: Final = {"dev", "docs", "bench"}  # extras that nobody installs to use the package
_NAME: Final = re.compile(r"[\w.-]+")


def needed(name: str) -> dict[str, Distribution]:
    """All installed distributions that the package needs, with its extras, by their names."""
    found: dict[str, Distribution] = {}
    waiting = [name]
    while waiting:
        one = waiting.pop().lower().replace("_", "-")
        if one in found:
            continue
        try:
            found[one] = distribution(one)
        except PackageNotFoundError:  # of another system, or an extra that is not installed
            continue
        for requirement in found[one].requires or ():
            extra = re.search(r"extra *== *[\"']([^\"']+)", requirement)
            if extra is None or (one == name and extra[1] not in _DEVELOPMENT):
                match = _NAME.match(requirement)
                waiting += [match[0]] if match else []
    del found[name]
    return found


def licence_of(package: Distribution) -> str:
    """What a distribution says of its licence, shortly."""
    about = package.metadata
    classifiers = about.get_all("Classifier") or []
    declared = [text.split(" :: ")[-1] for text in classifiers if text.startswith("License ::")]
    fields = [*(about.get_all("License-Expression") or []), *(about.get_all("License") or [])]
    expression = [field.split("\n")[0][:80] for field in fields[:1]]
    return "; ".join(filter(None, [*expression, *declared])) or "none is declared"


def _tell(*lines: str) -> None:
    sys.stdout.write("\n".join(lines) + "\n")


def main() -> int:
    """Print what is installed and its licence; 1 if one is not allowed."""
    packages = sorted(needed("hlta").items())
    if "--requirements" in sys.argv[1:]:
        _tell(*(f"{name}=={package.version}" for name, package in packages))
        return 0
    odd = [
        f"{name}: {licence}"
        for name, package in packages
        if not ALLOWED.search(licence := licence_of(package))
    ]
    _tell(f"licences of {len(packages)} packages: {len(odd)} not allowed", *odd)
    return int(bool(odd) or not packages)


if __name__ == "__main__":
    sys.exit(main())
