"""`hlta demo --files`: the demo's abstracts as the documentation uses them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.command import run
from tests.reads import read

if TYPE_CHECKING:
    from pathlib import Path


def test_every_file_holds_the_same_abstracts(tmp_path: Path) -> None:
    done = run("demo", "--files", tmp_path / "new" / "files")
    assert done.exit_code == 0, done.output
    folder = tmp_path / "new" / "files"
    papers = [
        json.loads(line) for line in (folder / "papers.jsonl").read_text("utf-8").splitlines()
    ]
    new = [json.loads(line) for line in (folder / "new.jsonl").read_text("utf-8").splitlines()]
    assert (len(papers), len(new)) == (1834, 200)
    assert max(paper["year"] for paper in papers) <= min(paper["year"] for paper in new)
    of_lines, of_table = read(folder / "papers.jsonl"), read(folder / "papers.csv")
    assert of_lines == of_table
    assert [record.id for record in of_lines] == [paper["id"] for paper in papers]
    shards = [
        record.text for shard in sorted((folder / "shards").iterdir()) for record in read(shard)
    ]
    assert sorted(shards) == sorted(record.text for record in of_lines)
    titles = [record.text for record in read(folder / "titles.txt")]
    assert titles == [paper["title"] for paper in papers]
    mails, reports = read(folder / "Inbox.mbox"), read(folder / "reports")
    assert len(mails) == len(reports) > 300
    assert {mail.title for mail in mails} <= {paper["title"] for paper in papers}
    fields = {report.group for report in reports}
    assert len(fields) > 10
    assert fields <= {paper["venue"].split(".")[0] for paper in papers}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "nothing to do: give a folder for --output, --files, or both"),
        (["--files", "x", "--seed", "3"], "--seed applies to learning; add --output"),
        (["--files", "."], "exists; choose another folder for --files, or add --overwrite"),
    ],
)
def test_what_cannot_be_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "titles.txt").write_text("mine")
    done = run("demo", *options)
    assert done.exit_code == 1
    assert message in done.output
    assert [path.name for path in tmp_path.iterdir()] == ["titles.txt"]
    assert (tmp_path / "titles.txt").read_text() == "mine"
