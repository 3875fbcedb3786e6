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


def test_a_table_has_a_line_per_period_and_a_column_per_root_topic(
    fitted: Path, dated: Path
) -> None:
    topics, corpus = read(fitted, dated)
    shares = topics.over_time(corpus, topics=topics.roots, unit="year")
    done = run("trends", fitted, dated, "--unit", "year")
    assert (done.exit_code, done.stderr) == (0, "")
    legend, table = done.stdout.split("\n\n")
    assert [line.split()[0] for line in legend.splitlines()] == [one.id for one in topics.roots]
    head, *lines = (line.split() for line in table.splitlines())
    assert head == ["documents", *(topic.id for topic in topics.roots)]
    for (period, count, *values), part in zip(
        lines, shares.partition_by("period", maintain_order=True), strict=True
    ):
        assert (period, int(count)) == (part["period"][0], part["documents"][0])
        assert values == [f"{share:.2f}" for share in part["share"]]


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
        (["--by", "group", "--unit", "year"], "--unit is about periods"),
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
