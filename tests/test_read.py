"""Documents from files, and what is said when they can't be read."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import sys
from pathlib import Path

import pytest

from hlta import DocumentsError
from hlta.corpus.mail import looks_like_mail, strip_mail
from hlta.corpus.read import ReadOptions, Record, read_documents

POST = """From: a@b.org (Someone)
Subject: Re: Orbit of the moon
Article-I.D.: x.1
Lines: 12

In article <123@x> b@c.org (Other) writes:
>What is the orbit?
] quoted too

The orbit is an ellipse: it has two foci.
--
Someone, somewhere
"""


def read(path: Path | str, **options: str) -> list[Record]:
    return list(read_documents(path, ReadOptions(**options)))


def test_a_folder_is_searched(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "two.txt").write_text("second\ndocument")
    (tmp_path / "a.md").write_text("first")
    (tmp_path / "42").write_text("no suffix")
    (tmp_path / "emoji 🙂\n.txt").write_text("odd name")
    (tmp_path / "x.pdf").write_bytes(b"%PDF")
    (tmp_path / "binary.txt").write_bytes(b"\x00\x01\x02")
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / ".hidden").write_text("hidden")
    skipped: list[tuple[str, str]] = []
    found = list(read_documents(tmp_path, on_skip=lambda *what: skipped.append(what)))
    assert [r.text for r in found] == ["no suffix", "first", "odd name", "second\ndocument"]
    assert found[-1].id == str(Path("b", "two.txt"))
    reasons = dict(skipped)
    assert reasons["binary.txt"] == "it holds no text"
    assert reasons["empty.txt"] == "it is empty"
    assert set(reasons) == {"x.pdf", "binary.txt", "empty.txt", ".hidden"}


def test_a_folder_without_texts(tmp_path: Path) -> None:
    (tmp_path / "x.pdf").write_bytes(b"%PDF")
    with pytest.raises(DocumentsError, match="has no text files"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("suffix", "opener"),
    [("", open), (".gz", gzip.open), (".xz", lzma.open), (".bz2", bz2.open)],
)
def test_lines_and_tables_compressed_or_not(tmp_path: Path, suffix: str, opener: object) -> None:
    def written(name: str, text: str) -> Path:
        path = tmp_path / (name + suffix)
        with opener(path, "wb") as file:  # type: ignore[operator]
            file.write(text.encode())
        return path

    assert read(written("x.txt", "one\n\ntwo\r\n")) == [Record("one", "1"), Record("two", "3")]
    table = read(written("x.csv", 'id,title,abstract\n7,T,"a, b\nc"\n8,,d\n'))
    assert table == [Record("T\na, b\nc", "7", "T"), Record("d", "8", "")]
    tabs = read(written("x.tsv", 'key\tbody\n7\tsay "hi\n'), id="key", text="body")
    assert tabs == [Record('say "hi', "7")]
    lines = "\n".join(json.dumps(x) for x in ({"text": "a", "n": 1}, {"text": None, "n": 2}))
    assert [r.text for r in read(written("x.jsonl", lines + "\n"))] == ["a", ""]
    assert [r.text for r in read(written("y.jsonl", lines + "\n"), text="n")] == ["1", "2"]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    class Input:
        buffer = io.BytesIO(b"eins\nzwei")

    monkeypatch.setattr(sys, "stdin", Input())
    assert [r.text for r in read("-")] == ["eins", "zwei"]


@pytest.mark.parametrize(
    ("data", "encoding", "expected"),
    [
        ("größe".encode(), None, "größe"),
        ("größe".encode("latin-1"), None, "größe"),
        ("\ufeffgröße".encode(), None, "größe"),
        ("größe".encode("utf-16"), None, "größe"),
        ("größe".encode("latin-1"), "latin-1", "größe"),
    ],
)
def test_encodings(tmp_path: Path, data: bytes, encoding: str | None, expected: str) -> None:
    (tmp_path / "x.txt").write_bytes(data)
    assert next(read_documents(tmp_path, ReadOptions(encoding=encoding))).text == expected


@pytest.mark.parametrize(
    ("name", "data", "options", "message"),
    [
        ("x.jsonl", b'{"text": "a"}\n{"text": \n', {}, r"x.jsonl, line 2, is no JSON"),
        ("x.jsonl", b"[1]\n", {}, r"line 1, is no JSON object"),
        ("x.csv", b"a,b\n1,2\n", {}, r"no column is named text.*one of a, b"),
        ("x.csv", b"a,b\n1,2\n", {"text": "c"}, r"there is no column 'c'; there are a, b"),
        ("x.csv", b"text,b\n1,2\n1,2,3\n", {}, r"line 3, has 3 fields, the first line 2"),
        ("x.csv", b"", {}, r"its first line must name the columns"),
        ("x.txt", b"\x00\x01", {}, r"holds no text"),
        ("x.txt", b"\xff", {"encoding": "utf-8"}, r"line 1, is not utf-8: byte 0 is 0xff"),
        ("x.txt", b"a", {"encoding": "klingon"}, r"encoding='klingon' is not known"),
        ("x.gz", b"no gzip", {}, r"is damaged"),
        ("x.xz", b"no xz", {}, r"is damaged"),
        ("x.parquet", b"PAR1", {}, r".parquet files are not read"),
    ],
)
def test_what_is_wrong_is_named(
    tmp_path: Path, name: str, data: bytes, options: dict[str, str], message: str
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(DocumentsError, match=message):
        read(tmp_path / name, **options)


def test_what_is_not_there() -> None:
    with pytest.raises(DocumentsError, match="nowhere does not exist"):
        read("nowhere")


def test_mail_loses_what_others_wrote(tmp_path: Path) -> None:
    assert looks_like_mail(POST)
    left = "Orbit of the moon\n\n\nThe orbit is an ellipse: it has two foci."
    assert strip_mail(POST) == left
    for text in ("Note: this is no mail", "To be: or not\n\nto be", "", "Subject: x"):
        assert not looks_like_mail(text)
    (tmp_path / "1").write_text(POST)
    assert "Someone" not in read(tmp_path)[0].text
    assert read(tmp_path, mail="keep")[0].text == POST
