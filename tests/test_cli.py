"""The command, from files to results, and how it fails."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from test_vocabulary import TEXTS
from typer.testing import CliRunner, Result

import hlta
from hlta.cli import app
from hlta.evaluate.coherence import topic_coherence

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("source") / "texts.csv"
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "text"])
        table.writerows([f"doc{i}", text] for i, text in enumerate(TEXTS))
    return path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(a) for a in arguments])


@pytest.fixture(scope="module")
def output(source: Path) -> Path:
    folder = source.parent / "out"
    done = run("fit", source, "-o", folder, "--em-steps", 5, "--ngrams", 2)
    assert done.exit_code == 0, done.output
    assert "[0." in done.stdout
    assert "batch EM" in done.stderr
    return folder


def test_fit_leaves_a_folder(output: Path, source: Path) -> None:
    assert {p.name for p in output.iterdir()} == {
        "model.hlta",
        "topics.json",
        "topics.csv",
        "documents.csv",
        "run.json",
    }
    model = hlta.load(output / "model.hlta")
    ids = [topic.id for topic in model.topics_]
    with (output / "topics.csv").open() as file:
        assert [row["id"] for row in csv.DictReader(file)] == ids
    with (output / "documents.csv").open() as file:
        rows = list(csv.DictReader(file))
    expected = model.transform(TEXTS)
    assert len(rows) == (expected >= 0.5).sum()
    for row in rows[:20]:
        p = expected[int(row["document"][3:]), ids.index(row["topic"])]
        assert float(row["probability"]) == pytest.approx(p, abs=1e-4)
    ran = json.loads((output / "run.json").read_text())
    assert ran["documents"] == 30
    assert ran["source"] == str(source)
    assert ran["options"]["em_steps"] == 5
    assert not [p for p in output.parent.iterdir() if p.name.startswith(".")]


def test_the_other_verbs(output: Path, source: Path, tmp_path: Path) -> None:
    model = hlta.load(output / "model.hlta")
    assert run("topics", output).stdout == str(model.topics_) + "\n"
    assert (
        json.loads(run("topics", output / "model.hlta", "--json").stdout)["format"] == "hlta-topics"
    )
    assert run("assign", output, source).stdout == (output / "documents.csv").read_text()
    run("assign", output, source, "-o", tmp_path / "all.csv", "--least", 0)
    lines = (tmp_path / "all.csv").read_text().splitlines()
    assert len(lines) == 1 + 30 * len(model.topics_)
    scored = json.loads(run("score", output, source, "--json").stdout)
    assert scored == {"documents": 30, "log_likelihood": pytest.approx(model.score(TEXTS))}
    assert "30 documents" in run("score", output, source).stdout


def test_evaluate(output: Path, source: Path) -> None:
    model = hlta.load(output / "model.hlta")
    bare = json.loads(run("evaluate", output, "--json").stdout)
    assert bare["topics"] == len(model.topics_)
    assert sum(level["topics"] for level in bare["levels"]) == bare["topics"]
    full = json.loads(run("evaluate", output, source, "--json", "--words", 3).stdout)
    assert full["log_likelihood"] == pytest.approx(model.score(TEXTS))
    documents = model.read(TEXTS)
    expected = topic_coherence(model.topics_, documents, model.tree_.words, n_words=3)
    assert full["coherence"] == pytest.approx(np.nanmean(expected))
    assert "coherence: " in run("evaluate", output, source, "--words", 3).stdout


def test_the_demo(tmp_path: Path) -> None:
    done = run("demo", "-o", tmp_path / "demo")
    assert done.exit_code == 0, done.output
    topics = json.loads((tmp_path / "demo" / "topics.json").read_text())["topics"]
    assert len(topics) >= 3
    assert "theorem" in done.stdout
    assert json.loads((tmp_path / "demo" / "run.json").read_text())["documents"] > 1900


def test_quiet_is_quiet(source: Path, tmp_path: Path) -> None:
    done = run("fit", source, "-o", tmp_path / "out", "-q", "--em-steps", 1, "--no-refine")
    assert (done.exit_code, done.output) == (0, "")


def test_an_existing_folder_is_kept(output: Path, source: Path) -> None:
    before = (output / "run.json").read_text()
    done = run("fit", source, "-o", output)
    assert done.exit_code == 1
    assert "exists; choose another folder, or --overwrite it" in done.stderr
    assert (output / "run.json").read_text() == before
    done = run("fit", source, "-o", output, "--overwrite", "--em-steps", 5, "--ngrams", 2, "-q")
    assert done.exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fit", "nowhere", "-o", "{out}"], "nowhere does not exist"),
        (["fit", "{source}", "-o", "{out}", "--text", "body"], "there is no column 'body'"),
        (["fit", "{source}", "-o", "{out}", "--em", "fast"], "em='fast'"),
        (["fit", "{source}", "-o", "{out}", "--stop-words", "klingon"], "stop_words='klingon'"),
        (["topics", "nowhere"], "nowhere: No such file"),
        (["topics", "{source}"], "not a file written by hlta"),
    ],
)
def test_mistakes_are_a_line(
    arguments: list[str], message: str, source: Path, tmp_path: Path
) -> None:
    places = {"source": source, "out": tmp_path / "out"}
    done = run(*(a.format(**places) for a in arguments))
    assert done.exit_code == 1
    assert message in done.stderr
    assert "Traceback" not in done.output
    assert not list(tmp_path.iterdir())


def test_python_dash_m_and_help() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hlta", "fit", "--help"], capture_output=True, text=True, check=True
    )
    for shown in ("(tau)", "(mu)", "(delta)", "(kappa)", "--structure-sample"):
        assert shown in done.stdout
    code = "import sys, hlta.cli; print({'numba', 'sklearn', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
