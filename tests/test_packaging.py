"""What is released says the same everywhere, under licences that are allowed, pinned and audited."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import hlta

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RECIPE = (ROOT / "packaging" / "conda" / "recipe.yaml").read_text(encoding="utf-8")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
BASE_VERSION = hlta.__version__.partition(".dev")[0]


def test_the_recipe_needs_what_the_package_needs() -> None:
    run = RECIPE.split("  run:\n")[1].split("\n\n")[0]
    needed = {line.strip("- ").replace(" ", "") for line in run.splitlines()}
    assert needed == {*PROJECT["dependencies"], f"python{PROJECT['requires-python']}"}


def test_versions_agree() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.*)$", citation, re.MULTILINE)[1] == BASE_VERSION  # type: ignore[index]
    assert re.search(r"^  version: (.*)$", RECIPE, re.MULTILINE)[1] == BASE_VERSION  # type: ignore[index]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_to_commits(workflow: Path) -> None:
    used = re.findall(r"uses: (\S+)(.*)", workflow.read_text(encoding="utf-8"))
    assert used
    for action, comment in used:
        assert re.fullmatch(r"[\w-]+/[\w-]+(/\w+)?@[0-9a-f]{40}", action), action
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", comment), action


def test_only_publishing_may_ask_for_an_identity() -> None:
    for workflow in WORKFLOWS:
        text = workflow.read_text(encoding="utf-8")
        assert re.search(r"^permissions:\n  contents: read$", text, re.MULTILINE)
        assert text.count("id-token: write") == (workflow.stem == "release")


def test_what_is_published_is_built_alone_by_tools_with_hashes() -> None:
    release = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    build = release.split("\n  build:\n")[1].split("\n  publish:\n")[0]
    assert re.findall(r"^      - run: (.*)$", build, re.MULTILINE) == ["scripts/build"]
    tools = (ROOT / "packaging" / "build.txt").read_text(encoding="utf-8").splitlines()[2:]
    assert all(re.fullmatch(r"[\w-]+==[\d.]+ --hash=sha256:[0-9a-f]{64}", tool) for tool in tools)
    assert {"build", "hatchling"} <= {tool.partition("==")[0] for tool in tools}


def test_every_extra_is_in_all() -> None:
    extras = PROJECT["optional-dependencies"]
    of_users = set(extras) - {"all", "bench", "dev", "docs"}
    named = re.fullmatch(r"hlta\[(.*)\]", extras["all"][0])
    assert named is not None
    assert set(named[1].split(",")) == of_users


def test_a_developer_s_versions_are_pinned_within_the_bounds() -> None:
    lines = (ROOT / "packaging" / "development.txt").read_text(encoding="utf-8").splitlines()
    pinned = dict(re.findall(r"^([\w-]+)==([^\s;]+)", "\n".join(lines), re.MULTILINE))
    extras = [
        one
        for name, ones in PROJECT["optional-dependencies"].items()
        if name != "bench"
        for one in ones
    ]
    for text in (*PROJECT["dependencies"], *extras):
        needed = Requirement(text)
        if needed.name != "hlta":
            assert needed.specifier.contains(pinned[needed.name], prereleases=True), text


# ---- licences and vulnerabilities of dependencies ------------------------------------------------


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
