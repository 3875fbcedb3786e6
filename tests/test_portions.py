"""Files in portions: whatever is read in portions, elsewhere, is what is read in one go."""

import gzip
import json
import os
import pickle
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from hlta._support.passes import Merging, Part, Pass, Shard, passes_at
from hlta.reading.portions import portions_of
from hlta.reading.records import ReadOptions
from tests.portions import WORDS, cut_small, folder_of_many_kinds, rows, shown, texts, write


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_small(monkeypatch)


class Elsewhere:
    """A place that has nothing but what it is sent, and ends tasks in any order."""

    def __init__(self) -> None:
        self.shards: list[int] = []

    def reaches(self, shards: Sequence[Any]) -> bool:
        return len(shards) > 1

    def run(self, work: Pass[Shard, Part], shards: Sequence[Shard], *, apart: bool = False) -> Part:
        if apart:
            self.shards.append(len(shards))
        merging, sent = Merging(work), pickle.dumps((work, shards))
        for number in random.Random(0).sample(range(len(shards)), len(shards)):
            other, others = pickle.loads(sent)
            merging.add(number, pickle.loads(pickle.dumps(other.accumulate(others[number]))))
        return merging.total


def check(path: Any, *, cut: bool = True, **options: Any) -> Any:
    """Read in one go and elsewhere, which gives the same, and return what that is."""
    place = Elsewhere()
    here = shown(path, **options)
    with passes_at(place):
        there = shown(path, **options)
    assert there == here
    assert bool(place.shards) == cut
    assert not cut or max(place.shards) > 2
    return here


@pytest.mark.parametrize("ngrams", [1, 3])
@pytest.mark.parametrize("drop_passages", [True, False])
def test_tables(tmp_path: Path, ngrams: int, drop_passages: bool) -> None:
    options: dict[str, Any] = {"ngrams": ngrams, "drop_passages": drop_passages}
    lines = [f"{row} élan 𝒳 слово \ufffd" if k else row for k, row in enumerate(rows(200))]
    found, _, notes = check(write(tmp_path / "a.tsv", lines), **options)
    assert found["options"].passages
    assert found["originals"] != list(range(200))
    assert found["ids"][-1] == "200"
    assert sum(note.startswith("Reading a.tsv: ") for note in notes) == 1


def test_rows_that_cannot_be_read_have_their_numbers(tmp_path: Path) -> None:
    lines = list(rows(200))
    lines[50], lines[120] = "too short", "on\t\tg1\t2000"
    path = write(tmp_path / "a.tsv", lines)
    (_, message), _, _ = check(path)
    assert "line 51, has 1 fields" in message
    _, skipped, _ = check(path, broken="skip")
    assert [where.rpartition(", ")[2] for where, _ in skipped] == ["line 51", "record 119"]
    folder = tmp_path / "folder"
    folder.mkdir()
    path.rename(folder / "a.tsv")
    found, skipped, _ = check(folder)
    assert found["ids"][-1] == "a.tsv:199"


def test_json_lines(tmp_path: Path) -> None:
    objects = [{"abstract": text, "id": f"i{k}"} for k, text in enumerate(texts(200))]
    lines = [json.dumps(one) for one in objects]
    lines[60], lines[61], lines[130] = "{", '{"abstract": ""}', '{"other": 3}'
    path = write(tmp_path / "a.jsonl", lines)
    _, skipped, _ = check(path, broken="skip")
    assert len(skipped) == 3
    (_, message), _, _ = check(path)
    assert "line 61" in message
    lines[:30] = ["3"] * 1_000
    check(write(path, lines), cut=False, broken="skip")


@pytest.mark.parametrize(
    ("encoding", "end"), [("utf-8-sig", "\n"), ("utf-16", "\n"), ("cp1252", "\n"), ("utf-8", "\r")]
)
def test_what_is_not_plain_utf_8_is_read_in_one_go(tmp_path: Path, encoding: str, end: str) -> None:
    lines = [f"{line} élan vital" for line in texts(200)]
    check(write(tmp_path / "a.txt", lines, end, encoding), cut=False)


def test_lines_above_a_table_are_told_once_and_line_breaks_in_fields_kept(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", ["Report of the year", "", *rows(200)])
    found, skipped, _ = check(path, date_format="%Y")
    assert (found["ids"][0], set(found["dates"])) == ("1", {f"20{k:02}" for k in range(20)})
    assert [where for where, _ in skipped] == [f"{path}, lines 1 to 2"]
    made = texts(200)
    lines = ["id,text", *(f'{k},"{text}\n""{text}"""' for k, text in enumerate(made))]
    found, _, _ = check(write(tmp_path / "a.csv", lines, "\r\n"))
    assert len(found["ids"]) == 200


def test_options_that_do_not_apply_are_refused_where_portions_are_read(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", texts(200))
    (_, message), _, _ = check(path, cut=False, skip_rows=1)
    assert message.startswith("skip_rows=1 is for tables")


KANA, KANJI = "これは日本語の文章であり、研究について書かれている。", "東京大学物理学研究"


def test_short_texts_are_in_the_language_of_the_first_texts(tmp_path: Path) -> None:
    pytest.importorskip("fugashi")
    lines = [f"{KANA} {word}" for word in WORDS * 6] + [f"{KANJI} {word}" for word in WORDS]
    found, _, _ = check(write(tmp_path / "a.txt", [*lines, "", "  ", KANA]), min_df=1)
    assert found["options"].languages == ("japanese",)
    assert found["ids"][-1] == str(len(lines) + 3)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = folder_of_many_kinds(tmp_path / "folder")
    (root / "nowhere.txt").symlink_to("none")
    (root / "linked").symlink_to(root / "group0")
    os.mkfifo(root / "pipe.txt")
    return root


def test_folders_and_what_cannot_be_read(folder: Path) -> None:
    found, skipped, _ = check(folder, min_df=1)
    assert len(skipped) == 10
    assert len(found["ids"]) == 281
    assert set(found["groups"]) == {"g0", "g1", "g2", "group0", "group1", "group2", ""}


def test_several_paths_and_nothing_to_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    found, _, _ = check(["group0", "large.tsv", "group1", "lines.jsonl"], delimiter="\t")
    assert "large.tsv:7" in found["ids"]
    pictures = folder / "pictures"
    pictures.mkdir()
    for k in range(60):
        (pictures / f"{k}.png").write_text("picture" * 20)
    (_, message), skipped, _ = check(pictures)
    assert ("has no documents" in message, len(skipped)) == (True, 60)


def test_files_that_are_not_cut(tmp_path: Path) -> None:
    (tmp_path / "a.tsv.gz").write_bytes(gzip.compress("\n".join(rows(200)).encode()))
    check(tmp_path / "a.tsv.gz", cut=False)
    check(write(tmp_path / "a.mbox", ["From a b", "Subject: x", "", *texts(100)]), cut=False)
    check(write(tmp_path / "b.txt", ["From: a", "Subject: x", "", *texts(100)]), cut=False)
    check(tmp_path / "missing.txt", cut=False)
    check(write(tmp_path / "c.tsv", rows(200)), cut=False, tokenizer=str.split)
    quoted = ["id,text", *(f"{k},{text}" for k, text in enumerate(texts(200)))]
    quoted[90] = quoted[90].replace(",", ',"', 1)  # is never closed
    check(write(tmp_path / "a.csv", quoted), cut=False, broken="skip")
    check(tmp_path / "a.csv", cut=False)


def test_portions_do_not_grow_with_the_files_and_know_when_one_has_changed(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", texts(200))
    piece: Any = portions_of([str(path)], ReadOptions())[1].pieces[0]
    write(path, texts(210))
    with pytest.raises(OSError, match=r"a\.txt' is another file there, or has changed meanwhile"):
        piece.check()
    path.unlink()
    for k in range(600):
        (tmp_path / f"{k}.txt").write_text("some words " * 400)
    portions = portions_of([str(tmp_path)], ReadOptions())
    assert 150 < len(portions) <= 257
    assert sum(len(portion.pieces) for portion in portions) == 600
