"""`hlta trends`: what it prints and writes, and what it refuses."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest

from hlta import HLTA
from hlta.cli.trend_report import trend_lines
from hlta.reading.corpus_reader import read_with_words
from tests.command import run
from tests.scanning import TEXTS

if TYPE_CHECKING:
    from pathlib import Path

    from hlta import Corpus, TopicTree


COUNTS = ("on_topic", "documents")


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


@pytest.mark.parametrize("option", [(), ("--depth", "99")])
def test_what_surely_changed_comes_before_a_table(
    fitted: Path, dated: Path, tmp_path: Path, option: tuple[str, ...]
) -> None:
    turned = tmp_path / "turned.jsonl"
    rows = (
        {"text": "deep neural network data" if k < 40 else "social media friends", "date": date}
        for k, date in enumerate(["2010"] * 40 + ["2012"] * 40)
    )
    turned.write_text("\n".join(map(json.dumps, rows)))
    for file, first_line in (
        (dated, "No topic surely changed: there may be too few documents to tell."),
        (turned, "What surely changed, with 95% intervals in parentheses"),
    ):
        topics, corpus = read(fitted, file)
        shown = list(topics) if option else topics.roots
        shares = topics.over_time(corpus, topics=shown, unit="year")
        done = run("trends", fitted, file, "--unit", "year", *option)
        assert (done.exit_code, done.stderr) == (0, "")
        assert done.stdout == "\n".join(trend_lines(shares.to_dicts())) + "\n"
        assert done.stdout.splitlines()[0] == first_line


def test_groups_and_both_are_json(fitted: Path, dated: Path) -> None:
    topics, corpus = read(fitted, dated)
    found = json.loads(run("trends", fitted, dated, "--by", "group", "--json").stdout)
    assert found == topics.by_group(corpus, topics=topics.roots).to_dicts()
    asked = ("--by", "both", "--depth", 99, "--unit", "month", "--json")
    found = json.loads(run("trends", fitted, dated, *asked).stdout)
    assert found == topics.over_time(corpus, unit="month", by_group=True).to_dicts()
    shown = run("trends", fitted, dated, "--by", "both", "--unit", "year").stdout
    assert "\n2010 group 0 " in shown


def test_a_text_may_be_in_several_groups(fitted: Path, tmp_path: Path) -> None:
    file = tmp_path / "groups.jsonl"
    groups = [["a", "b"], "b", [], ["c", "a", "c"], None] * 6
    rows = ({"text": text, "group": group} for text, group in zip(TEXTS, groups, strict=True))
    file.write_text("\n".join(map(json.dumps, rows)))
    found = json.loads(run("trends", fitted, file, "--by", "group", "--json").stdout)
    shares = HLTA.load(fitted).transform(TEXTS)
    ids = [topic.id for topic in HLTA.load(fitted).topics_]
    assert {row["group"]: row["documents"] for row in found} == {"a": 12, "b": 12, "c": 6}
    for row in found:
        members = [row["group"] in (group or []) for group in groups]
        of_group = shares[members, ids.index(row["topic"])]
        assert row["share"] == pytest.approx(of_group.mean())
        assert row["on_topic"] == (of_group >= 0.2).sum()


def test_a_csv_file_has_the_intervals(fitted: Path, dated: Path, tmp_path: Path) -> None:
    target = tmp_path / "trends.csv"
    done = run("trends", fitted, dated, "-o", target)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", f"Wrote {target}\n")
    rows = list(csv.DictReader(target.read_text(encoding="utf-8").splitlines()))
    assert list(rows[0]) == ["period", "topic", "title", "share", "low", "high", *COUNTS]
    assert all(float(row["low"]) <= float(row["share"]) <= float(row["high"]) for row in rows)
    assert all(0 <= int(row["on_topic"]) <= int(row["documents"]) for row in rows)
    assert sum(int(row["on_topic"]) for row in rows) >= len(TEXTS)


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
