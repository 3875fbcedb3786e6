"""`hlta compare`: what it prints and writes, and what it refuses."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from hlta import HLTA
from tests.command import run
from tests.scanning import TEXTS

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of some of the texts."""
    path = tmp_path_factory.mktemp("other") / "other.hlta"
    HLTA(samples=1).fit([text for text in TEXTS if "deep" not in text]).save(path)
    return path


def test_what_differs_is_printed(fitted: Path, other: Path) -> None:
    done = run("compare", fitted, other)
    topics = HLTA.load(fitted).topics_
    found = topics.compare(HLTA.load(other).topics_)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == found.to_text(names=(str(fitted), str(other))) + "\n"
    least = run("compare", fitted, other, "--least", 0.99, "--number", 1).stdout
    assert least != done.stdout
    found = topics.compare(HLTA.load(other).topics_, least=0.99)
    assert least == found.to_text(most=1, names=(str(fitted), str(other))) + "\n"


def test_a_model_is_the_same_as_itself(fitted: Path) -> None:
    count = len(HLTA.load(fitted).topics_)
    shown = run("compare", fitted, fitted / "model.hlta").stdout
    assert shown.startswith(f"Topics: {count} in both ({count} unchanged), 0 only in ")
    assert len(shown.splitlines()) == 1


def test_each_model_reads_the_documents_itself(fitted: Path, other: Path, texts_file: Path) -> None:
    rows = json.loads(run("compare", fitted, other, texts_file, "--json").stdout)
    models = HLTA.load(fitted), HLTA.load(other)
    one, two = (model.transform(TEXTS) for model in models)
    found = models[0].topics_.compare(models[1].topics_, memberships=(one, two))
    assert any(row["by_documents"] for row in rows)
    assert rows == found.to_dicts()


def test_a_table_is_written(fitted: Path, other: Path, tmp_path: Path) -> None:
    target = tmp_path / "both.csv"
    done = run("compare", fitted, other, "-o", target)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", f"Wrote {target}\n")
    written = HLTA.load(fitted).topics_.compare(HLTA.load(other).topics_).to_csv()
    assert target.read_text() == written
    target.write_text("mine")
    done = run("compare", fitted, other, "-o", target)
    assert (done.exit_code, "both.csv' exists; choose another name" in done.stderr) == (1, True)
    assert target.read_text() == "mine"
    assert run("compare", fitted, other, "-o", target, "--overwrite", "-q").output == ""
    assert target.read_text() == written


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{other}", "-"], "standard input can be read only once, and both models need it"),
        (["{other}", "nowhere"], "'nowhere' does not exist"),
        (["{other}", "--text", "body"], "--text applies to documents, and none are given"),
        (["{other}", "--least", 2], "least=2.0: use a number, from 0 to 1"),
        (["{other}", "{strange}"], "all documents are the same to the first model"),
        (["{other}", "-o", "x.csv", "--json"], "--output writes CSV, and --json prints JSON"),
        (["{foreign}"], "the two models have no word in common"),
        (["{foreign}", "{texts}"], "was learned from a matrix and cannot read texts"),
        (["{tree}"], "does not hold a model written by hlta fit"),
        (["{texts}"], "not a file written by hlta"),
    ],
)
def test_mistakes_are_a_line(
    arguments: list[str], message: str, fitted: Path, other: Path, texts_file: Path, tmp_path: Path
) -> None:
    places = {
        "other": other,
        "texts": texts_file,
        **{name: tmp_path / name for name in ("strange", "foreign", "tree")},
    }
    (tmp_path / "strange").write_text("der Hund\ndie Katze\n")
    HLTA(samples=1).fit(np.eye(8, dtype=int)[np.arange(80) % 8]).save(tmp_path / "foreign")
    HLTA.load(fitted).tree_.save(tmp_path / "tree")
    done = run("compare", fitted, *(str(argument).format(**places) for argument in arguments))
    assert (done.exit_code, done.stdout) == (1, "")
    assert message in done.stderr
    assert "Traceback" not in done.output
