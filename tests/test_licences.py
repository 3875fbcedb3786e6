"""Which licences of dependencies are allowed."""

from __future__ import annotations

import runpy
from importlib.metadata import version
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "scripts" / "licences.py"


@pytest.fixture(scope="module")
def script() -> dict[str, object]:
    return runpy.run_path(str(SCRIPT))


@pytest.mark.parametrize(
    ("licence", "allowed"),
    [
        ("MIT", True),
        ("BSD-3-Clause", True),
        ("Apache Software License", True),
        ("GNU Lesser General Public License v3 (LGPLv3)", True),
        ("GPL-3.0-only", False),
        ("GNU General Public License v3 (GPLv3)", False),
        ("GNU Affero General Public License v3", False),
        ("Proprietary", False),
        ("none is told", False),
        ("Permitted uses", False),
    ],
)
def test_copyleft_and_the_unknown_are_not_allowed(
    script: dict[str, object], licence: str, *, allowed: bool
) -> None:
    assert bool(script["ALLOWED"].search(licence)) is allowed  # type: ignore[attr-defined]


def test_what_is_needed_is_found_and_no_tools_are(script: dict[str, object]) -> None:
    found = script["needed"]("hlta")  # type: ignore[operator]
    assert found["numpy"].version == version("numpy")
    assert "threadpoolctl" in found  # which scikit-learn needs
    assert not {"pytest", "ruff", "hlta"} & set(found)
