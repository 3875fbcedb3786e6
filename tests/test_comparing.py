"""`hlta compare`: what it prints and writes, and what it refuses."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from hlta import HLTA, TopicTree
from tests.command import run
from tests.scanning import TEXTS

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A model of all texts, and one of most of them."""
    folder = tmp_path_factory.mktemp("models")
    HLTA(samples=1).fit(TEXTS).save(folder / "first.hlta")
    HLTA(samples=1).fit([text for text in TEXTS if "deep" not in text]).save(folder / "second.hlta")
    return folder / "first.hlta", folder / "second.hlta"


def topics_of(models: tuple[Path, Path]) -> tuple[TopicTree, TopicTree]:
    return HLTA.load(models[0]).topics_, HLTA.load(models[1]).topics_


def test_what_differs_is_printed(models: tuple[Path, Path]) -> None:
    first, second = topics_of(models)
    names = (str(models[0]), str(models[1]))
    done = run("compare", *models)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == first.compare(second).to_text(names=names) + "\n"
    assert "Changed, most changed first" in done.stdout
    strict = run("compare", *models, "--least", 0.99, "--number", 1).stdout
    assert strict == first.compare(second, least=0.99).to_text(most=1, names=names) + "\n"
    assert "Only in" in strict


def test_each_model_reads_the_documents_itself(tmp_path: Path) -> None:
    themes = ["deep neural networks", "dark matter in galaxies", "apples and pears"]
    models = tmp_path / "first.hlta", tmp_path / "second.hlta"
    HLTA(samples=1).fit(themes * 20).save(models[0])
    HLTA(samples=1).fit([*themes[:2] * 20, *["boats and ships"] * 20]).save(models[1])
    texts = ["neural networks", "dark galaxies", "deep matter", "apples", "ships"]
    (tmp_path / "texts.txt").write_text("\n".join(texts))
    rows = json.loads(run("compare", *models, tmp_path / "texts.txt", "--json").stdout)
    one, other = (HLTA.load(path).transform(texts) for path in models)
    first, second = topics_of(models)
    assert rows == first.compare(second, memberships=(one, other)).to_dicts()
    assert rows[0]["by_documents"] > 0.5


def test_a_table_is_written(models: tuple[Path, Path], tmp_path: Path) -> None:
    target = tmp_path / "both.csv"
    done = run("compare", *models, "-o", target)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", f"Wrote {target}\n")
    first, second = topics_of(models)
    assert target.read_text() == first.compare(second).to_csv()
    target.write_text("mine")
    done = run("compare", *models, "-o", target)
    assert (done.exit_code, "both.csv' exists; choose another name" in done.stderr) == (1, True)
    assert target.read_text() == "mine"
    assert run("compare", *models, "-o", target, "--overwrite", "-q").output == ""
    assert target.read_text() == first.compare(second).to_csv()


@pytest.fixture(scope="module")
def odd(models: tuple[Path, Path]) -> Path:
    """A folder with documents in another language, a model of another matrix, and a tree alone."""
    folder = models[0].parent
    (folder / "strange").write_text("der Hund\ndie Katze\n")
    HLTA(samples=1).fit(np.eye(8, dtype=int)[np.arange(80) % 8]).save(folder / "foreign")
    HLTA.load(models[0]).tree_.save(folder / "tree")
    return folder


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{other}", "-"], "standard input can be read only once"),
        (["{other}", "nowhere"], "'nowhere' does not exist"),
        (["{other}", "--text", "body"], "--text applies to documents, and none are given"),
        (["{other}", "--least", 2], "--least 2.0: use a number, from 0 to 1"),
        (["{other}", "{odd}/strange"], "all documents are the same to the first model"),
        (["{other}", "-o", "x.csv", "--json"], "--output writes a table, and --json prints JSON"),
        (["{odd}/foreign"], "the two models have no word in common"),
        (["{odd}/foreign", "{texts}"], "was learned from a matrix and cannot read texts"),
        (["{odd}/tree"], "holds a tree alone"),
        (["{texts}"], "is not a model; to learn one from documents, run `hlta fit"),
    ],
)
def test_mistakes_are_a_line(
    arguments: list[str], message: str, models: tuple[Path, Path], odd: Path, texts_file: Path
) -> None:
    places = {"other": models[1], "texts": texts_file, "odd": odd}
    done = run("compare", models[0], *(str(argument).format(**places) for argument in arguments))
    assert (done.exit_code, done.stdout) == (1, "")
    assert message in done.stderr
    assert "Traceback" not in done.output
