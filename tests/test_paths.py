"""Which files are meant: one path, several, patterns, folders."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from hlta import DocumentsError, OptionError, read_corpus
from hlta.reading.paths import expanded, files_in
from tests.command import run
from tests.reads import read, read_and_skipped

if TYPE_CHECKING:
    from pathlib import Path

SHARD = "id,text,group\n,deep nets,x\nmine,social graphs,\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, which is also the current one, with shards, texts and what is neither."""
    (tmp_path / "shards").mkdir()
    (tmp_path / "shards" / "a.csv").write_text(SHARD)
    (tmp_path / "shards" / "b.csv").write_text(SHARD.replace("mine", "other"))
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "one.txt").write_text("one\ntext")
    (tmp_path / "texts" / "two.md").write_text("two")
    (tmp_path / "labels.csv").write_text("name,score\na,1\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ids(*paths: str) -> list[str]:
    return [record.id for record in read(list(paths))]


def test_shards_are_one_corpus_with_a_document_per_row(folder: Path) -> None:
    records = read(folder / "shards")
    assert [tuple(record) for record in records] == [
        ("deep nets", "a.csv:1", "", "", "x"),
        ("social graphs", "mine", "", "", ""),
        ("deep nets", "b.csv:1", "", "", "x"),
        ("social graphs", "other", "", "", ""),
    ]


def test_shards_of_json_lines_and_arrays_are_too(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "1.jsonl").write_text('{"text": "one"}\n{"text": "two"}')
    (tmp_path / "a" / "2.json").write_text('["three", {"text": "four", "id": 4}]')
    (tmp_path / "a" / "3.json").write_text('{"text": "five", "id": "5"}')
    assert [(record.id, record.group) for record in read(tmp_path)] == [
        *((os.path.join("a", "1.jsonl") + ":1", "a"), (os.path.join("a", "1.jsonl") + ":2", "a")),
        *((os.path.join("a", "2.json") + ":1", "a"), ("4", "a")),
        ("5", "a"),
    ]


def test_a_mixed_folder_is_read_as_each_file_is(folder: Path) -> None:
    records, skipped = read_and_skipped(folder)
    assert [(record.id, record.group) for record in records] == [
        *(
            ("shards/a.csv:1", "x"),
            ("mine", "shards"),
            ("shards/b.csv:1", "x"),
            ("other", "shards"),
        ),
        *(("texts/one.txt", "texts"), ("texts/two.md", "texts")),
    ]
    assert list(skipped) == ["labels.csv"]
    assert skipped["labels.csv"].startswith("no column is named text")


@pytest.mark.usefixtures("folder")
def test_several_paths_are_read_as_if_in_one_folder() -> None:
    assert ids("texts/one.txt", "shards", "texts/one.txt") == [
        *("texts/one.txt", "shards/a.csv:1", "mine", "shards/b.csv:1", "other")
    ]
    groups = [record.group for record in read(["texts", "./shards/"])]
    assert groups == ["texts", "texts", "x", "shards", "x", "shards"]


@pytest.mark.parametrize(
    "pattern", ["shards/*.csv", "shards/[ab].csv", "**/[ab].csv", "shards/?.csv"]
)
@pytest.mark.usefixtures("folder")
def test_patterns_that_the_shell_did_not_expand(pattern: str) -> None:
    assert ids(pattern) == ["shards/a.csv:1", "mine", "shards/b.csv:1", "other"]
    assert read(pattern) == read([pattern])


def test_a_name_with_a_star_is_a_name_if_there_is_such_a_file(folder: Path) -> None:
    (folder / "a[1].txt").write_text("x\ny")
    assert expanded("a[1].txt") == ["a[1].txt"]


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        (["*.none"], r"'\*.none' matches no file"),
        (["texts", "nowhere"], "'nowhere' does not exist"),
        ([], "there is no path"),
        (["-", "texts"], "standard input, must be the only path"),
        (["texts", "-"], "standard input, must be the only path"),
        (["https://a.org/b.csv"], "is an address"),
        (["labels.csv", "texts/none*", "texts"], "matches no file"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_paths_that_are_no_files_are_told(paths: list[str], message: str) -> None:
    with pytest.raises(DocumentsError, match=message):
        read(paths)


def test_files_that_cannot_be_read_are_skipped_among_others(folder: Path) -> None:
    (folder / "shards" / "c.csv").write_text("id,text\n1,one\n2,two,three\n3,four\n")
    (folder / "shards" / "d.csv.gz").write_bytes(b"no gzip")
    records, skipped = read_and_skipped(folder / "shards")
    assert [record.id for record in records][4:] == ["1", "3"]
    assert list(skipped) == ["c.csv, line 3", "d.csv.gz"]


def test_links_to_folders_are_told(folder: Path) -> None:
    (folder / "texts" / "again").symlink_to(folder / "shards")
    left: dict[str, str] = {}
    files = list(files_in(str(folder / "texts"), left.__setitem__))
    assert [file.shown for file in files] == ["one.txt", "two.md"]
    assert "link to a folder" in left["again"]


def test_maildirs_and_posts_without_suffix_are_recognised(tmp_path: Path) -> None:
    (tmp_path / "cur").mkdir()
    (tmp_path / "cur" / "1234.M1P2.host:2,S").write_text("From: x\nSubject: First\n\nbody")
    (tmp_path / "cur" / "notes.cfg").write_text("key: value\n\nno mail")
    records, skipped = read_and_skipped(tmp_path)
    assert [record.title for record in records] == ["First"]
    assert list(skipped) == [os.path.join("cur", "notes.cfg")]


def test_a_list_of_paths_is_a_corpus(folder: Path) -> None:
    corpus = read_corpus([folder / "shards" / "a.csv", "texts"], min_df=1, stop_words=None)
    assert len(corpus) == 4
    assert corpus.groups is not None
    assert list(corpus.groups) == ["x", "", "texts", "texts"]


def test_a_matrix_stands_alone(folder: Path) -> None:
    (folder / "m.npz").write_bytes(b"")
    with pytest.raises(OptionError, match=r"'m\.npz' holds words already, so .* only path"):
        read_corpus(["texts", "m.npz"])


def test_commands_take_several_paths(folder: Path, texts_file: Path, fitted: Path) -> None:
    lines = texts_file.read_text().splitlines()
    for number in range(2):
        part = [json.dumps({"text": line}) for line in lines[number::2]]
        (folder / f"{number}.jsonl").write_text("\n".join(part))
    several = ("0.jsonl", "1.jsonl")
    done = run("convert", *several, "both")
    assert done.exit_code == 0, done.output
    assert f"{len(lines):,} documents" in done.stderr
    assigned = run("assign", fitted, *several)
    named = {row.split(":")[0] for row in assigned.stdout.splitlines()[1:]}
    assert named
    assert named <= set(several)
    for paths in (several, ("[01].jsonl",)):
        assert f"{len(lines):,} documents" in run("score", fitted, *paths).stdout
