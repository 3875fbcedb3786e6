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


def test_copyleft_and_the_unknown_are_not_allowed(script: dict[str, object]) -> None:
    def allowed(licence: str) -> bool:
        return bool(script["ALLOWED"].search(licence))  # type: ignore[attr-defined]

    lesser = "GNU Lesser General Public License v3 (LGPLv3)"
    assert all(map(allowed, ("MIT", "BSD-3-Clause", "Apache Software License", lesser)))
    affero = "GNU Affero General Public License v3"
    others = ("GPL-3.0-only", affero, "Proprietary", "none is told", "Permitted uses")
    assert not any(map(allowed, others))


def test_what_is_needed_is_found_and_no_tools_are(script: dict[str, object]) -> None:
    found = script["needed"]("hlta")  # type: ignore[operator]
    assert found["numpy"].version == version("numpy")
    assert "threadpoolctl" in found  # which scikit-learn needs
    assert not {"pytest", "ruff", "hlta"} & set(found)


@pytest.mark.parametrize(
    ("packages", "told", "code"),
    [
        ([WHOLE], ["known vulnerabilities of 1 packages: 0"], 0),
        ([WHOLE, HARMED, OPEN], ["packages: 2", "PYSEC-1, mended in 3", "PYSEC-2, not mended"], 1),
        ([WHOLE, UNKNOWN], ["of 1 packages: 0", "does not know 1: unknown"], 0),
        ([UNKNOWN], ["knows none of the packages"], 0),
        (None, ["pip-audit made no report"], 0),
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
    for line, part in zip(done.stdout.splitlines(), told, strict=True):
        assert part in line
    assert (done.returncode, done.stderr) == (code, "")
