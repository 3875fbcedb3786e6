"""`hlta edit`: logs are printed, made, matched and undone; a folder stays of one piece."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hlta import HLTA, Topic, UnknownTopicError
from tests.command import mistake, page_data, ran, run
from tests.synthetic import planted


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of `hlta fit` with several root topics, beside the documents."""
    folder = tmp_path_factory.mktemp("edited")
    rows = planted(60).sample(600, seed=0).toarray()
    texts = (
        " ".join(f"word{chr(97 + k // 26)}{chr(97 + k % 26)}" for k in np.flatnonzero(row))
        for row in rows
    )
    (folder / "texts.txt").write_text("\n".join(texts), encoding="utf-8")
    options = ("--samples", 1, "--max-top-topics", 4, "--max-df", 1.0)
    ran("fit", folder / "texts.txt", "-o", folder / "fitted", *options)
    return folder


@pytest.fixture
def texts_file(learned: Path) -> Path:
    return learned / "texts.txt"


@pytest.fixture
def folder(learned: Path, tmp_path: Path) -> Path:
    """A copy of the results, to be changed."""
    return Path(shutil.copytree(learned / "fitted", tmp_path / "fitted"))


def two_topics(folder: Path) -> tuple[Topic, Topic]:
    first, *_, last = HLTA.load(folder).topics_.roots
    return first, last


def log_of(folder: Path, *edits: dict[str, Any], **other: Any) -> Path:
    """A log with these edits, made from what the command prints."""
    whole = json.loads(run("edit", folder, "--json").stdout) | other
    path = folder.parent / "edits.json"
    path.write_text(json.dumps(whole | {"edits": [*whole["edits"], *edits]}), encoding="utf-8")
    return path


def test_a_log_is_printed_made_and_undone(folder: Path, texts_file: Path) -> None:
    assert run("edit", folder).stdout == "The model has no edits.\n"
    first, last = two_topics(folder)
    log = log_of(
        folder, {"edit": "rename", "titles": {first.id: "Mine"}}, {"edit": "hide", "topic": last.id}
    )
    done = ran("edit", folder, log, "--documents", texts_file)
    assert "the model has 2 edits" in done.stderr
    assert run("edit", folder).stdout == f"1 rename {first.id} to 'Mine'\n2 hide {last.id}\n"
    model = HLTA.load(folder)
    assert model.topics_[first.id].title == "Mine"
    assert last.id not in model.topics_
    ran("edit", folder, "undo", "--documents", texts_file)
    assert last.id in HLTA.load(folder).topics_


def test_all_files_of_a_folder_agree_with_the_edits(folder: Path, texts_file: Path) -> None:
    last = two_topics(folder)[1]
    log = log_of(folder, {"edit": "hide", "topic": last.id})
    ran("edit", folder, log, "--documents", texts_file, "--heading", "H")
    topics = HLTA.load(folder).topics_
    assert last.id not in topics
    assert json.loads((folder / "topics.json").read_text(encoding="utf-8")) == topics.to_dict()
    assert (folder / "topics.csv").read_text(encoding="utf-8") == topics.to_csv()
    for name, options in (("documents", ["--main"]), ("shares", ["--least", 0.05])):
        assigned = run("assign", folder, texts_file, *options).stdout
        assert (folder / f"{name}.csv").read_text(encoding="utf-8") == assigned
    shown, _ = page_data(folder / "index.html")
    assert shown["title"] == "H"
    assert [topic["id"] for topic in shown["topics"]] == [topic.id for topic in topics]
    assert {path.name for path in folder.iterdir()} == {
        *("model.hlta", "topics.json", "topics.csv", "documents.csv", "shares.csv"),
        *("index.html", "run.json"),
    }


def test_each_edit_is_one_line(folder: Path) -> None:
    """Topics are given by id or by title, whatever the case of its letters."""
    path = folder / "model.hlta"
    first, last = two_topics(path)
    word = last.words[0]
    mine, other = f"'Mine' ({first.id})", f"{last.title!r} ({last.id})"
    for line, expected in {
        ("rename", first.id, "Mine"): f"Done: rename {first.title!r} ({first.id}) to 'Mine'",
        ("note", "mine", "Look again."): f"Done: note {mine}: 'Look again.'",
        ("pin", "MINE"): f"Done: pin {mine}",
        ("unpin", first.id): f"Done: unpin {mine}",
        ("hide", last.id): f"Done: hide {other}",
        ("show", last.id): f"Done: show {other}",
        ("move", word, "Mine"): f"Done: move {word!r} below {mine}",
        ("merge", last.id, "Mine"): f"into {mine}",
        ("remove", word): f"Done: remove {word!r}",
        ("undo",): f"Undone: remove {word!r}",
    }.items():
        assert expected in ran("edit", path, *line).stderr.splitlines()[0], line
    log = [edit["edit"] for edit in json.loads(run("edit", path, "--json").stdout)["edits"]]
    assert log == ["rename", "note", "pin", "unpin", "hide", "show", "move", "merge"]
    ran("edit", path, "undo", 7)
    assert run("edit", path).stdout == f"1 rename {first.id} to 'Mine'\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rename", "Z9-9", "x"), "there is no topic 'Z9-9'; ids look like"),
        (("rename", "Z1-1"), "rename: use it as `rename TOPIC TITLE`"),
        (("undo", "two"), "undo 'two': use the number of edits"),
        (("paint", "Z1-1"), "'paint' is no edit; use one of rename, note,"),
        (("--match",), "--match applies to LOG, which is not given"),
        (("ORPHAN",), '"model" does not name a model; use a log as `hlta edit MODEL --json`'),
        (("LOG", "--json"), "--json prints the log of the model"),
        (("LOG", "--text", "body"), "--text body names a"),
        (("OTHER", "--documents", "TEXTS"), "the log is of another model; with match (--match)"),
        (("BAD", "--documents", "TEXTS"), "edit 1, hide Z9-9: there is no topic 'Z9-9'"),
        (("TEXTS",), "is not a log of edits"),
        (("missing.json", "--documents", "TEXTS"), "No such file"),
    ],
)
def test_mistakes_are_named_and_change_nothing(
    folder: Path, texts_file: Path, arguments: tuple[object, ...], message: str
) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    files: dict[object, Any] = {"TEXTS": lambda: texts_file}
    files["ORPHAN"] = lambda: log_of(folder, model=None)
    files["LOG"] = lambda: log_of(folder)
    files["OTHER"] = lambda: log_of(folder, model="x")
    files["BAD"] = lambda: log_of(folder, {"edit": "hide", "topic": "Z9-9"})
    printed = mistake("edit", folder, *(files[a]() if a in files else a for a in arguments))
    assert message in " ".join(printed.split())
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_what_does_not_apply_to_another_model_is_told(folder: Path, texts_file: Path) -> None:
    first = HLTA.load(folder).topics_.roots[0]
    log = log_of(
        folder,
        {"edit": "rename", "titles": {first.id: "Mine"}, "words": {first.id: first.words}},
        {"edit": "hide", "topic": "Z9-9", "words": {"Z9-9": ["zebra"]}},
        model="another",
    )
    done = ran("edit", folder, log, "--documents", texts_file, "--match")
    assert "left out: edit 2, hide Z9-9: no topic here is like Z9-9, zebra" in done.stderr
    assert HLTA.load(folder).topics_[first.id].title == "Mine"


def test_documents_are_read_with_words_that_come_back(folder: Path, texts_file: Path) -> None:
    model = HLTA.load(folder)
    before = [topic.documents for topic in model.topics_]
    lists = (folder / "documents.csv").read_text(encoding="utf-8")
    for word in {topic.words[0] for topic in model.topics_.roots}:
        model.edit.remove(word)
    model.save(folder / "model.hlta")
    many = len(model.edit)
    ran("edit", folder, "undo", many, "--documents", texts_file)
    assert [topic.documents for topic in HLTA.load(folder).topics_] == before
    assert (folder / "documents.csv").read_text(encoding="utf-8") == lists


def test_a_topic_that_is_no_longer_listed_is_named(folder: Path, texts_file: Path) -> None:
    """One that a merge leaves with nearly all documents of the topic above."""
    first, last = two_topics(folder)
    ran("edit", folder, "merge", last.id, first.id, "--documents", texts_file)
    parts = HLTA.load(folder).topics_[first.id].children
    into, *others = sorted(parts, key=lambda topic: -(topic.documents or 0))
    documents = ("--documents", texts_file)
    merged = [ran("edit", folder, "merge", one.id, into.id, *documents) for one in others[:-1]]
    told = "".join(done.stderr for done in merged)
    assert told.count(f"({into.id}) is no longer listed: it has nearly all") == 1
    topics = HLTA.load(folder).topics_
    assert [topic.id for topic in topics.unlisted] == [into.id]
    with pytest.raises(
        UnknownTopicError, match="is not listed, because it has nearly all documents"
    ):
        topics[into.id]
    ran("edit", folder, "pin", into.id, "--documents", texts_file)
    assert into.id in HLTA.load(folder).topics_
