"""Documents from folders, files and standard input, and what is said when they can't be read."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from hlta import DocumentsError, OptionError
from hlta.reading import sources
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
        ("x.docx", b"PK", "it is damaged: File is not a zip file"),
        ("x.doc", b"\xd0", "files that end in .doc are not read; save it as .docx"),
        ("x.bin", b"some text", ".bin are not read; to include them as text, rename them to .txt"),
        ("x.bin", b"\x00\x01", "files that end in .bin are not read"),
        ("binary.txt", b"\x00\x01\x02", "it holds no text: there are zero bytes at its beginning"),
        ("empty.txt", b"", "it has no text"),
        (".hidden", b"hidden", "hidden files are not read"),
        ("y.txt.gz", b"no gzip", "Not a gzipped file"),
        ("cut.txt.xz", lzma.compress(b"text" * 1000)[:-20], "Compressed file ended"),
        ("bent.txt.gz", gzip.compress(b"text" * 1000, mtime=0)[:12] + b"bent" * 9, "Error -3"),
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


@pytest.mark.parametrize("codec", ["rot13", "hex", "base64", "punycode", "undefined"])
def test_no_encoding_that_a_file_declares_ends_a_run(tmp_path: Path, codec: str) -> None:
    (tmp_path / "a.txt").write_text("text")
    (tmp_path / "x.xml").write_text(f'<?xml version="1.0" encoding="{codec}"?><r>other</r>')
    assert sorted(texts_in(tmp_path)) == ["other", "text"]
    assert texts_in(tmp_path / "x.xml") == ["other"]


@pytest.mark.parametrize("error", [ValueError("odd"), RecursionError("odd"), AttributeError("odd")])
@pytest.mark.parametrize("name", ["x.pdf", "x.csv", "x.jsonl"])
def test_whatever_a_reader_raises_is_that_files_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, name: str
) -> None:
    def fail(*_: Any) -> Any:
        raise error

    for reader in ("_single", "table", "json_lines"):
        monkeypatch.setattr(sources, reader, fail)
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / name).write_text("text")
    (tmp_path / "x" / "b.json").write_text('["text"]')
    told = f"it cannot be read ({type(error).__name__}: odd)"
    records, skipped = read_and_skipped(tmp_path / "x")
    assert [record.text for record in records] == ["text"]
    assert skipped == {name: told}
    with pytest.raises(DocumentsError) as caught:
        read(tmp_path / "x" / name)
    assert str(caught.value) == f"{str(tmp_path / 'x' / name)!r}: {told}"


@pytest.mark.parametrize("error", [OptionError("no such column"), ImportError("too old")])
def test_what_is_no_files_fault_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*_: Any) -> Any:
        raise error

    monkeypatch.setattr(sources, "table", fail)
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("text")
    with pytest.raises(type(error), match=str(error)):
        read(tmp_path)


def test_hidden_folders_and_the_page_of_results_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("hidden folder")
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "model.hlta").write_text("a model")
    (tmp_path / "results" / "index.html").write_text("<p>a page")
    assert texts_in(tmp_path) == ["text"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
def test_only_regular_files_of_a_folder_are_read(tmp_path: Path) -> None:
    for name in ("pipe.txt", "pipe.pdf", "pipe.gz"):
        os.mkfifo(tmp_path / name)  # which waits for a writer for ever
    (tmp_path / "zero.txt").symlink_to("/dev/zero")
    (tmp_path / "gone.txt").symlink_to("nowhere")
    (tmp_path / "a.txt").write_text("text")
    (tmp_path / "b.txt").symlink_to("a.txt")
    records, skipped = read_and_skipped(tmp_path)
    assert [record.id for record in records] == ["a.txt", "b.txt"]
    no_file = "it is not a regular file; only those are read from a folder"
    assert {name for name, why in skipped.items() if why == no_file} == {
        *("pipe.txt", "pipe.pdf", "pipe.gz", "zero.txt")
    }
    assert skipped["gone.txt"] == "No such file or directory"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
def test_a_pipe_that_is_named_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with ThreadPoolExecutor() as pool:
        pool.submit((tmp_path / "pipe").write_text, "one\ntwo\n")
        assert texts_in(tmp_path / "pipe") == ["one", "two"]


def test_links_to_folders_are_told(tmp_path: Path) -> None:
    (tmp_path / "real" / "below").mkdir(parents=True)
    (tmp_path / "real" / "below" / "a.txt").write_text("text")
    (tmp_path / "real" / "link").symlink_to(tmp_path / "real")
    records, skipped = read_and_skipped(tmp_path / "real")
    assert [record.text for record in records] == ["text"]
    assert skipped == {"link": "it is a link to a folder; name that folder itself"}


def test_a_file_that_the_memory_does_not_hold_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: Any) -> bytes:
        data: bytes = file.read()
        if data == b"large":
            raise MemoryError
        return data

    monkeypatch.setattr(sources, "read_document", full)
    (tmp_path / "a.txt").write_text("text")
    (tmp_path / "b.txt").write_text("large")
    records, skipped = read_and_skipped(tmp_path)
    assert [record.text for record in records] == ["text"]
    assert skipped == {"b.txt": "it does not fit into memory"}


def test_a_folder_without_texts_is_refused_by_reason(tmp_path: Path) -> None:
    for k in range(30):
        (tmp_path / f"{k:02}.png").write_bytes(b"PNG")
    (tmp_path / "empty.txt").write_bytes(b"")
    reasons = (
        r"Not read: '00.png' and 29 more: files that end in .png are not .*"
        r"; 'empty.txt': it has no text\. Files with documents end in .txt"
    )
    with pytest.raises(DocumentsError, match=reasons):
        read(tmp_path)


def test_names_of_files_do_not_control_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "a.\x1b[31m").write_text("text")
    (tmp_path / "\x1b]0;.csv").write_text("a,b\n1,2\n")
    for path in (tmp_path, tmp_path / "\x1b]0;.csv"):
        with pytest.raises(DocumentsError) as refused:
            read(path)
        assert str(refused.value).isprintable()


@pytest.mark.parametrize("path", ["https://x.org/a.csv", "s3://bucket/a.parquet", "FILE:///a"])
def test_addresses_are_not_read(path: str) -> None:
    with pytest.raises(DocumentsError, match="is an address, and only files are read; download"):
        read(path)


def test_a_standard_input_that_is_closed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(DocumentsError, match="standard input is closed"):
        read("-")


def test_a_folder_without_texts_is_refused_with_an_example(tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_bytes(b"PK")
    with pytest.raises(
        DocumentsError, match=r"has no documents that can be read\. Not read: 'x.zip': files that"
    ):
        read(tmp_path)


def test_rows_without_text_are_told_where_no_row_has_some(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("id,text\n1,\n2,\n", encoding="utf-8")
    reason = r"Not read: '.*x\.csv, record 1' and 1 more: it has no text"
    with pytest.raises(DocumentsError, match=reason + "; give at least one text"):
        read(tmp_path / "x.csv")
    with pytest.raises(DocumentsError, match=reason):
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
        ("x.parquet", b"PAR1", {}, r"x.parquet' cannot be read"),
        ("x.parquet.gz", b"PAR1", {}, r"decompress it first"),
        ("x.doc", b"\xd0", {}, r".doc files are not read; save it as .docx"),
        ("x.docx", b"PK", {}, r"x.docx' cannot be read: it is damaged"),
        ("x.pdf", b"%PDF", {}, r"x.pdf' cannot be read: it is not a readable PDF"),
    ],
)
def test_files_that_cannot_be_read_are_named(
    tmp_path: Path, name: str, data: bytes, options: dict[str, Any], message: str
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(DocumentsError, match=message):
        read(tmp_path / name, **options)
