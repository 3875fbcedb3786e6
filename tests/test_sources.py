"""Documents from folders, files and standard input, and what is said when they can't be read."""

from __future__ import annotations

import gzip
import io
import lzma
import sys
from pathlib import Path
from typing import Any

import pytest

from hlta import DocumentsError
from tests.reads import read, read_and_skipped, texts_in


def test_a_folder_is_searched_in_order(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "two.txt").write_text("second\ndocument")
    (tmp_path / "a.md").write_text("first")
    (tmp_path / "42").write_text("no suffix")
    (tmp_path / "emoji 🙂\n.txt").write_text("odd name")
    records = read(tmp_path)
    assert [(r.text, r.id, r.group) for r in records] == [
        ("no suffix", "42", ""),
        ("first", "a.md", ""),
        ("odd name", "emoji 🙂\n.txt", ""),
        ("second\ndocument", str(Path("b", "two.txt")), "b"),
    ]


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("x.docx", b"PK", "files that end in .docx are not read from a folder"),
        ("binary.txt", b"\x00\x01\x02", "it holds no text: there are zero bytes at its beginning"),
        ("empty.txt", b"", "it has no text"),
        (".hidden", b"hidden", "hidden files are not read"),
        ("y.txt.gz", b"no gzip", "Not a gzipped file"),
        ("cut.txt.xz", lzma.compress(b"text" * 1000)[:-20], "Compressed file ended"),
        ("bent.txt.gz", gzip.compress(b"text" * 1000)[:12] + b"bent" * 9, "Error -3"),
        ("results/model.hlta", b"a model", "it holds results of hlta"),
    ],
)
def test_what_a_folder_holds_besides_is_skipped(
    tmp_path: Path, name: str, data: bytes, reason: str
) -> None:
    (tmp_path / "a.txt").write_text("text")
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    records, skipped = read_and_skipped(tmp_path)
    assert [record.id for record in records] == ["a.txt"]
    assert list(skipped) == [name.split("/", maxsplit=1)[0]]
    assert reason in next(iter(skipped.values()))


def test_hidden_folders_and_the_page_of_results_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("hidden folder")
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "model.hlta").write_text("a model")
    (tmp_path / "results" / "index.html").write_text("<p>a page")
    assert texts_in(tmp_path) == ["text"]


def test_a_folder_without_texts_is_refused_with_an_example(tmp_path: Path) -> None:
    (tmp_path / "x.docx").write_bytes(b"PK")
    with pytest.raises(DocumentsError, match=r"has no documents.*Not read: 'x.docx': files that"):
        read(tmp_path)


def test_lines_of_standard_input_are_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    class Input:
        buffer = io.BytesIO(b"eins\nzwei")

    monkeypatch.setattr(sys, "stdin", Input())
    assert texts_in("-") == ["eins", "zwei"]


def test_a_path_that_does_not_exist_is_named() -> None:
    with pytest.raises(DocumentsError, match="'nowhere' does not exist"):
        read("nowhere")


@pytest.mark.parametrize(
    ("name", "data", "options", "message"),
    [
        ("x.txt", b"\x00\x01", {}, r"holds no text"),
        ("x.txt", b"\xff", {"encoding": "utf-8"}, r"line 1 on, is not utf-8: byte 0 is 0xff"),
        ("x.gz", b"no gzip", {}, r"is damaged"),
        ("x.xz", b"no xz", {}, r"is damaged"),
        ("x.zst", b"no zstandard", {}, r"is damaged"),
        ("x.parquet", b"PAR1", {}, r"x.parquet cannot be read"),
        ("x.parquet.gz", b"PAR1", {}, r"decompress it first"),
        ("x.docx", b"PK", {}, r".docx files are not read"),
        ("x.pdf", b"%PDF", {}, r"give the folder"),
    ],
)
def test_files_that_cannot_be_read_are_named(
    tmp_path: Path, name: str, data: bytes, options: dict[str, Any], message: str
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(DocumentsError, match=message):
        read(tmp_path / name, **options)
