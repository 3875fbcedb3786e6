"""`hlta trends`: what it prints and writes, and what it refuses."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest

from hlta import HLTA
from hlta.reading.corpus_reader import read_with_words
from tests.command import run
from tests.scanning import TEXTS

if TYPE_CHECKING:
    from pathlib import Path

    from hlta import Corpus, TopicTree


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of the texts, each with a month and a group."""
    file = tmp_path_factory.mktemp("dated") / "dated.jsonl"
    rows = (
        {"text": text, "date": f"201{k % 3}-0{1 + k % 2}", "group": f"group {k % 2}"}
        for k, text in enumerate(TEXTS)
    )
    file.write_text("\n".join(map(json.dumps, rows)))
    return file


def read(fitted: Path, dated: Path) -> tuple[TopicTree, Corpus]:
    """The topics, and the texts as their model reads them."""
    model = HLTA.load(fitted)
    return model.topics_, read_with_words(dated, model.tree_.words, model.text_options_)


def test_what_changed_most_comes_before_a_table(fitted: Path, dated: Path) -> None:
    topics, corpus = read(fitted, dated)
    shares = topics.over_time(corpus, topics=topics.roots, unit="year")
    done = run("trends", fitted, dated, "--unit", "year")
    assert (done.exit_code, done.stderr) == (0, "")
    changes, table = done.stdout.split("\n\n")[:2]
    first, *_, last = shares.partition_by("period", maintain_order=True)
    assert changes.startswith(
        f"What changed most from {first['period'][0]} ({first['documents'][0]} documents) to "
        f"{last['period'][0]} ({last['documents'][0]} documents), with 95% intervals"
    )
    for topic in topics.roots[:10]:
        assert f"  {topic.title}: " in changes
    _, *lines = (line.split() for line in table.splitlines())
    assert [(line[0], int(line[1])) for line in lines] == [
        (part["period"][0], part["documents"][0])
        for part in shares.partition_by("period", maintain_order=True)
    ]


def test_groups_and_both_are_json(fitted: Path, dated: Path) -> None:
    topics, corpus = read(fitted, dated)
    found = json.loads(run("trends", fitted, dated, "--by", "group", "--json").stdout)
    assert found == topics.by_group(corpus, topics=topics.roots).to_dicts()
    asked = ("--by", "both", "--depth", 99, "--unit", "month", "--json")
    found = json.loads(run("trends", fitted, dated, *asked).stdout)
    assert found == topics.over_time(corpus, unit="month", by_group=True).to_dicts()
    shown = run("trends", fitted, dated, "--by", "both", "--unit", "year").stdout
    assert "\n2010 group 0 " in shown


def test_a_csv_file_has_the_intervals(fitted: Path, dated: Path, tmp_path: Path) -> None:
    target = tmp_path / "trends.csv"
    done = run("trends", fitted, dated, "-o", target)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", f"Wrote {target}\n")
    rows = list(csv.DictReader(target.read_text(encoding="utf-8").splitlines()))
    assert list(rows[0]) == ["period", "topic", "title", "share", "low", "high", "documents"]
    assert all(float(row["low"]) <= float(row["share"]) <= float(row["high"]) for row in rows)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--by", "year"], "--by year: use one of 'period', 'group', 'both'"),
        (["--by", "group", "--unit", "year"], "--unit applies to periods"),
        (["--unit", "week"], "--unit week: use one of 'year', 'month', 'day'"),
        (["--unit", "day"], "--unit day: too many dates only give the month"),
        (["--json", "-o", "out.csv"], "--output writes CSV, and --json prints JSON"),
        (["--date", "day"], "there is no column 'day'"),
    ],
)
def test_mistakes_are_a_line(fitted: Path, dated: Path, arguments: list[str], message: str) -> None:
    done = run("trends", fitted, dated, *arguments)
    assert (done.exit_code, done.stdout) == (1, "")
    assert message in done.stderr


def test_documents_without_dates_are_refused(fitted: Path, texts_file: Path) -> None:
    done = run("trends", fitted, texts_file)
    assert (done.exit_code, "give documents with dates" in done.stderr) == (1, True)
