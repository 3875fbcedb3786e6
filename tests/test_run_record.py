"""Commands without documents: they read those that the model was learned from, as they were read then."""

import csv
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from hlta.cli import run_record
from tests.command import mistake, page_data, ran, rows_in, run
from tests.scanning import TEXTS

OPTIONS = (
    *("--text", "body", "--date", "when", "--date-format", "%d/%m/%y", "--group", "desk"),
    *("--delimiter", ";", "--keep", "kind"),
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table whose columns have unusual names, and the folder `topics` that was learned from it."""
    home = tmp_path_factory.mktemp("home")
    with (home / "table.csv").open("w", newline="") as file:
        rows = csv.writer(file, delimiter=";")
        rows.writerow(["note", "body", "when", "desk", "kind"])
        for k, text in enumerate(TEXTS * 4):
            rows.writerow([f"note {k}", text, f"03/04/{10 + k % 3}", "ab"[k % 2], "xyz"[k % 3]])
    ran(
        *("fit", home / "table.csv", *OPTIONS, "-o", home / "topics", "--samples", 1),
        *("--em-steps", 3, "--heading", "Notes", "--page-documents", 50),
    )
    return home


@pytest.mark.parametrize(
    ("command", "further"),
    [
        ("trends", ("--unit", "year", "--json")),
        ("documents", ("--search", "desk:a kind:x date:2010", "--json")),
        ("assign", ("--main",)),
        ("score", ()),
        ("report", ("--methods",)),
        ("evaluate", ("--json",)),
    ],
)
def test_the_documents_of_the_fit_are_read_as_they_were(
    home: Path, command: str, further: tuple[str, ...]
) -> None:
    taken = OPTIONS if command in ("trends", "documents", "report") else ("--text", "body")
    if further == ("--main",):
        taken = OPTIONS
    given = ran(command, home / "topics", home / "table.csv", *taken, *further)
    done = run(command, home / "topics", *further)
    assert (done.exit_code, done.stdout) == (0, given.stdout)
    shown = f"Documents that the model was learned from: {home / 'table.csv'}\n"
    assert done.stderr == shown + given.stderr


def test_an_option_that_is_given_counts(home: Path) -> None:
    done = run("trends", home / "topics", "--by", "group", "--group", "kind", "--json")
    assert {row["group"] for row in json.loads(done.stdout)} == set("xyz")


def test_the_page_shows_them_unless_topics_are_to_be_alone(home: Path, tmp_path: Path) -> None:
    for option, count, title in (
        ((), 50, "Notes"),
        (("--heading", "Own", "--page-documents", 40), 40, "Own"),
        (("--topics-alone",), None, "topics"),
        ((home / "table.csv", *OPTIONS), 4 * len(TEXTS), "table"),
    ):
        ran("report", home / "topics", *option, "-o", tmp_path / "page.html", "--overwrite")
        topics, documents = page_data(tmp_path / "page.html")
        assert (documents and len(documents["rows"] or range(documents["documents"]))) == count
        assert topics["title"] == title
    for more in ((home / "table.csv",), ("--group", "desk")):
        shown = mistake(
            "report", home / "topics", "--topics-alone", *more, "-o", tmp_path / "x.html"
        )
        assert "leave" in shown


def test_an_edit_writes_what_shows_them_again(home: Path, tmp_path: Path) -> None:
    topics = tmp_path / "topics"
    shutil.copytree(home / "topics", topics)
    first = json.loads((topics / "topics.json").read_text())["topics"][0]["id"]
    ran("edit", topics, "rename", first, "Mine")
    for name in ("documents.csv", "shares.csv", "topics.csv"):
        assert "Mine" in (topics / name).read_text()
    page = page_data(topics / "index.html")[0]
    assert (page["topics"][0]["title"], page["title"]) == ("Mine", "Notes")
    assert {row["desk"] for row in rows_in(topics / "documents.csv")} == {"a", "b"}


def test_documents_are_found_anywhere(home: Path, tmp_path: Path, monkeypatch: Any) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "here").mkdir()
    shutil.copy(home / "table.csv", work)
    (work / "more.csv").write_text("\n".join((work / "table.csv").read_text().splitlines()[:9]))
    monkeypatch.chdir(work)
    ran("fit", "table.csv", "-o", "topics", "--samples", 1, "--min-df", 1, "-q")
    assert json.loads((work / "topics" / "run.json").read_text())["folder"] == ".."
    monkeypatch.chdir(work / "here")
    (work / "here" / "table.csv").write_text("another one")
    ran("update", "../topics", "../more.csv", "-q")
    monkeypatch.chdir(work / "topics")
    assert (
        f"learned from: {Path('../table.csv')} and {Path('../more.csv')}\n"
        in run("score", ".").stderr
    )
    shutil.move(work, tmp_path / "elsewhere")
    monkeypatch.chdir(tmp_path)
    said = run("score", tmp_path / "elsewhere" / "topics").stderr
    assert f"learned from: {Path('elsewhere/table.csv')} and {Path('elsewhere/more.csv')}\n" in said
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert "learned from: table.csv and more.csv\n" in run("score", "topics").stderr


def test_of_many_paths_the_first_is_named(home: Path, tmp_path: Path) -> None:
    for k in range(5):
        shutil.copy(home / "table.csv", tmp_path / f"{k}.csv")
    record = json.loads((home / "topics" / "run.json").read_text())
    record["source"] = [str(tmp_path / f"{k}.csv") for k in range(5)]
    record["read"]["unknown"] = 7  # of another version
    shutil.copy(home / "topics" / "model.hlta", tmp_path)
    (tmp_path / "run.json").write_text(json.dumps(record))
    done = run("score", tmp_path)
    assert f"{5 * 4 * len(TEXTS)} documents" in done.stdout
    assert f"learned from: {tmp_path / '0.csv'} and 4 more\n" in done.stderr


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"source": "gone.csv"}, "was learned from 'gone.csv', which is not there; give PATH"),
        ({"source": "-"}, "the model was learned from standard input; give PATH"),
        ({"source": []}, "no record says which documents "),
        ({"updates": [{"source": "more.txt"}]}, "cannot be read together; give PATH"),
    ],
)
def test_what_cannot_be_read_again_is_said(
    home: Path, tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    topics = tmp_path / "topics"
    topics.mkdir()
    (topics / "model.hlta").symlink_to(home / "topics" / "model.hlta")
    record = json.loads((home / "topics" / "run.json").read_text()) | changes
    (topics / "run.json").write_text(json.dumps(record))
    assert message in mistake("score", topics)
    (topics / "run.json").unlink()
    assert "no record says which documents" in mistake("score", topics)


def test_a_saved_corpus_is_not_read_with_documents_of_an_update(home: Path, tmp_path: Path) -> None:
    corpus, model = tmp_path / "corpus", tmp_path / "model"
    ran("convert", home / "table.csv", corpus, *OPTIONS)
    ran("fit", corpus, "-o", model, "--em-steps", 1, "--samples", 1)
    ran("score", model)
    ran("update", model, home / "table.csv", "--text", "body", "--delimiter", ";")
    assert "cannot be read together; give PATH" in mistake("score", model)
    ran("score", model, corpus)


def test_an_edit_needs_the_documents_that_files_show(home: Path, tmp_path: Path) -> None:
    shutil.copytree(home / "topics", tmp_path / "topics")
    (tmp_path / "topics" / "run.json").unlink()
    shown = mistake("edit", tmp_path / "topics", "hide", "Z1-1")
    assert "would no longer agree with the model; add --documents PATH, or edit" in shown
    assert run("edit", tmp_path / "topics" / "model.hlta", "hide", "Z1-1").exit_code == 0


def changed_since(home: Path, place: Path) -> Path:
    """A copy of the model, of which the record says that the table was another one."""
    topics = Path(shutil.copytree(home / "topics", place / "topics"))
    record = json.loads((topics / "run.json").read_text())
    (topics / "run.json").write_text(json.dumps(record | {"digest": "of another table"}))
    return topics


def test_documents_that_changed_since_the_fit_are_told(home: Path, tmp_path: Path) -> None:
    table, topics = home / "table.csv", changed_since(home, tmp_path)
    done = run("score", topics, "-q")
    assert f"hlta: the documents in {table} have changed since the model was learned" in done.stderr
    assert "changed" not in run("score", topics, table, "--text", "body", "--delimiter", ";").stderr


def test_an_edit_does_not_rewrite_files_from_changed_documents(home: Path, tmp_path: Path) -> None:
    topics = changed_since(home, tmp_path)
    before = {file.name: file.read_bytes() for file in topics.iterdir()}
    first = json.loads((topics / "topics.json").read_text())["topics"][0]["id"]
    shown = mistake("edit", topics, "rename", first, "Mine")
    assert "documents.csv, shares.csv and index.html would show them as they are now" in shown
    assert {file.name: file.read_bytes() for file in topics.iterdir()} == before
    ran("edit", topics, "rename", first, "Mine", "--documents", home / "table.csv", *OPTIONS)
    assert "Mine" in (topics / "documents.csv").read_text()


def test_documents_count_once(home: Path, tmp_path: Path) -> None:
    """Those of the fit, and those of an update, are refused by the next update, whatever their name."""
    topics = shutil.copytree(home / "topics", tmp_path / "topics")
    copy, more = shutil.copy(home / "table.csv", tmp_path / "copy.csv"), tmp_path / "more.csv"
    more.write_text("\n".join(Path(copy).read_text().splitlines()[:9]))
    columns = ("--text", "body", "--delimiter", ";")
    ran("update", topics, more, *columns)
    for again in (home / "table.csv", copy, more):
        shown = mistake("update", topics, again, *columns)
        assert "the model has already learned from these documents; give others" in shown


def test_a_folder_changes_with_its_files(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    files = [tmp_path / "texts" / name for name in ("a.txt", "b.txt")]
    for file in files:
        file.write_text(file.name)
    first = run_record.digest_of([str(tmp_path / "texts")])
    assert run_record.digest_of(list(map(str, files))) == first
    files[0].write_text("changed")
    assert run_record.digest_of([str(tmp_path / "texts")]) != first
    os.mkfifo(tmp_path / "texts" / "pipe")
    assert run_record.digest_of([str(tmp_path / "texts")]) is None
    assert run_record.digest_of(["-"]) is None
