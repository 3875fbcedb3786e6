"""What is released says the same everywhere: versions, dependencies, pinned actions."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

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
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action), action
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", comment), action


def test_only_publishing_may_ask_for_an_identity() -> None:
    for workflow in WORKFLOWS:
        text = workflow.read_text(encoding="utf-8")
        assert re.search(r"^permissions:\n  contents: read$", text, re.MULTILINE)
        assert text.count("id-token: write") == (workflow.stem == "release")


def test_every_extra_is_in_all() -> None:
    extras = PROJECT["optional-dependencies"]
    of_users = set(extras) - {"all", "bench", "dev", "docs"}
    named = re.fullmatch(r"hlta\[(.*)\]", extras["all"][0])
    assert named is not None
    assert set(named[1].split(",")) == of_users
