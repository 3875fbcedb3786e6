"""Which licences of dependencies are allowed, and what is told of their vulnerabilities."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[1] / "scripts"
WHOLE = {"name": "whole", "version": "1", "vulns": []}
HARMED = {"name": "harmed", "version": "2", "vulns": [{"id": "PYSEC-1", "fix_versions": ["3"]}]}
OPEN = {"name": "open", "version": "2", "vulns": [{"id": "PYSEC-2", "fix_versions": []}]}
UNKNOWN = {"name": "unknown", "skip_reason": "Dependency not found on PyPI"}


@pytest.fixture(scope="module")
def script() -> dict[str, object]:
    return runpy.run_path(str(SCRIPTS / "licences.py"))


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


@pytest.mark.parametrize(
    ("packages", "told", "code"),
    [
        ([WHOLE], ["known vulnerabilities of 1 packages: 0"], 0),
        (
            [WHOLE, HARMED, OPEN],
            [
                "known vulnerabilities of 3 packages: 2",
                "harmed 2: PYSEC-1, mended in 3",
                "open 2: PYSEC-2, not mended yet",
            ],
            1,
        ),
        (
            [WHOLE, UNKNOWN],
            [
                "known vulnerabilities of 1 packages: 0",
                "the advisory service does not know 1: unknown",
            ],
            0,
        ),
        (
            [UNKNOWN],
            ["the advisory service knows none of the packages; vulnerabilities were not looked up"],
            0,
        ),
        (
            None,
            [
                "pip-audit made no report, as when its service cannot be reached; vulnerabilities were "
                "not looked up"
            ],
            0,
        ),
    ],
)
def test_vulnerabilities_are_told_and_what_was_not_looked_up(
    tmp_path: Path, packages: list[dict[str, object]] | None, told: list[str], code: int
) -> None:
    report = tmp_path / "report.json"
    if packages is not None:
        report.write_text(json.dumps({"dependencies": packages, "fixes": []}))
    script = str(SCRIPTS / "vulnerabilities.py")
    done = subprocess.run(
        [sys.executable, script, report], check=False, capture_output=True, text=True
    )
    assert done.stdout.splitlines() == told
    assert (done.returncode, done.stderr) == (code, "")
