"""Documents from files, and what is said when they can't be read."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import sys
from pathlib import Path
from typing import IO, Any

import pytest

from hlta import DocumentsError, OptionError
from hlta.reading import tables
from hlta.reading.mail import looks_like_mail, strip_mail
from hlta.reading.records import ReadOptions, Record
from hlta.reading.sources import read_documents

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


def zstd(path: Path, mode: str) -> IO[bytes]:
    opened: IO[bytes] = pytest.importorskip("zstandard").open(path, mode)
    return opened


def read(path: Path | str, **options: Any) -> list[Record]:
    return list(read_documents(path, ReadOptions(**options)))


def test_a_folder_is_searched(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "two.txt").write_text("second\ndocument")
    (tmp_path / "a.md").write_text("first")
    (tmp_path / "42").write_text("no suffix")
    (tmp_path / "emoji 🙂\n.txt").write_text("odd name")
    (tmp_path / "x.docx").write_bytes(b"PK")
    (tmp_path / "y.txt.gz").write_bytes(b"no gzip")
    (tmp_path / "binary.txt").write_bytes(b"\x00\x01\x02")
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / ".hidden").write_text("hidden")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("hidden folder")
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "model.hlta").write_text("a model")
    (tmp_path / "results" / "index.html").write_text("<p>a page")
    (tmp_path / "cut.txt.xz").write_bytes(lzma.compress(b"text" * 1000)[:-20])
    (tmp_path / "bent.txt.gz").write_bytes(gzip.compress(b"text" * 1000)[:12] + b"bent" * 9)
    skipped: list[tuple[str, str]] = []
    found = list(read_documents(tmp_path, on_skip=lambda *what: skipped.append(what)))
    assert [r.text for r in found] == ["no suffix", "first", "odd name", "second\ndocument"]
    assert found[-1].id == str(Path("b", "two.txt"))
    reasons = dict(skipped)
    assert reasons["binary.txt"] == "it holds no text: there are zero bytes at its beginning"
    assert reasons["empty.txt"] == "it has no text"
    assert reasons["y.txt.gz"].startswith("Not a gzipped file")
    assert reasons["results"] == "it holds results of hlta"
    damaged = {"y.txt.gz", "cut.txt.xz", "bent.txt.gz"}
    others = {"x.docx", "binary.txt", "empty.txt", ".hidden", "results"}
    assert set(reasons) == damaged | others
    assert found[-1].group == "b"
    assert found[0].group == ""


def test_a_folder_without_texts(tmp_path: Path) -> None:
    (tmp_path / "x.docx").write_bytes(b"PK")
    with pytest.raises(DocumentsError, match=r"has no documents.*Not read: 'x.docx': files that"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("suffix", "opener"),
    [("", open), (".gz", gzip.open), (".xz", lzma.open), (".bz2", bz2.open), (".zst", zstd)],
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
    assert [r.text for r in read(written("x.jsonl", lines + "\n"))] == ["a"]
    assert [r.text for r in read(written("x.json", "[" + ",\n".join(lines.split("\n")) + "]"))] == [
        "a"
    ]
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
        ("x.jsonl", b'{"text": "a"}\n{"text": \n', {}, r"x.jsonl, line 2, is not valid JSON"),
        ("x.jsonl", b"[1]\n", {}, r"line 1, is not a JSON object"),
        ("x.csv", b"a,b\n1,2\n", {}, r"no column is named text.*one of 'a', 'b'"),
        (
            "x.csv",
            b"a,b\n1,2\n",
            {"text": "c"},
            r"there is no column 'c'; the columns are 'a', 'b'",
        ),
        ("x.csv", b"text,b\n1,2\n1,2,3\n", {}, r"line 3, has 3 fields, but the first line has 2"),
        ("x.csv", b"", {}, r"its first line must name the columns"),
        ("x.txt", b"\x00\x01", {}, r"holds no text"),
        ("x.csv", b"text,b\n1,2\n1\n", {}, r"line 3, has 1 fields, but the first line has 2"),
        ("x.csv", b"\n", {}, r"its first line must name the columns"),
        ("x.json", b"{", {}, r"is not valid JSON: .*call it .jsonl"),
        ("x.json", b"{}", {}, r"is not a JSON array"),
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
def test_what_is_wrong_is_named(
    tmp_path: Path, name: str, data: bytes, options: dict[str, str], message: str
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(DocumentsError, match=message):
        read(tmp_path / name, **options)


def test_what_is_not_there() -> None:
    with pytest.raises(DocumentsError, match="'nowhere' does not exist"):
        read("nowhere")


def test_mail_loses_what_others_wrote(tmp_path: Path) -> None:
    assert looks_like_mail(POST)
    left = "\n\nThe orbit is an ellipse: it has two foci."
    assert strip_mail(POST) == ("Orbit of the moon", left)
    assert strip_mail(POST.replace("\n", "\r\n")) == ("Orbit of the moon", left)
    for text in ("Note: this is no mail", "To be: or not\n\nto be", "", "Subject: x"):
        assert not looks_like_mail(text)
    (tmp_path / "1").write_text(POST)
    assert "Someone" not in read(tmp_path)[0].text
    assert read(tmp_path)[0].title == "Orbit of the moon"
    assert read(tmp_path, mail="keep")[0].text == POST


def test_an_encoding_that_is_not_known() -> None:
    with pytest.raises(OptionError, match="encoding='klingon' is not known"):
        ReadOptions(encoding="klingon")


@pytest.mark.parametrize(
    "encoding", ["utf-16", "utf-32", "cp1251", "gb18030", "shift_jis", "koi8-r"]
)
def test_other_alphabets_are_recognised(tmp_path: Path, encoding: str) -> None:
    text = {
        "gb18030": "机器学习是人工智能的一个分支，它研究计算机怎样模拟人类的学习行为。",
        "shift_jis": "機械学習とは、人間が自然に行っている学習能力をコンピュータで実現する技術です。",
    }.get(encoding, "Машинное обучение изучает, как программы учатся на данных, и это важно.")
    lines = [text, text[::-1]] * 3
    data = "\n".join(lines).encode(encoding)
    (tmp_path / "x.txt").write_bytes(data)
    given = read(tmp_path / "x.txt", encoding=encoding)
    assert [r.text for r in given] == lines
    assert [r.text for r in read(tmp_path / "x.txt")] == lines


def test_tables_hold_more_than_text(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    rows = [("b", "second", "2020-01-02", "news"), ("a", "first", None, "blog")]
    frame = polars.DataFrame(rows, schema=["doi", "body", "date", "Category"], orient="row")
    frame = frame.with_columns(polars.col("date").str.to_date())
    expected = [
        Record("second", "b", "", "2020-01-02", "news"),
        Record("first", "a", "", "", "blog"),
    ]
    frame.write_parquet(tmp_path / "x.parquet")
    frame.write_ipc(tmp_path / "x.arrow")
    frame.write_csv(tmp_path / "x.csv")
    frame.write_ndjson(tmp_path / "x.jsonl")
    for suffix in ("parquet", "arrow", "csv", "jsonl"):
        assert read(tmp_path / f"x.{suffix}", id="doi") == expected
    assert read(tmp_path / "x.csv", group="date", title="doi")[0][2:] == (
        "b",
        "2020-01-02",
        "2020-01-02",
    )


@pytest.mark.parametrize("block", [1, 7, 64, 1 << 20])
def test_blocks_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    texts = ["plain", 'a "quoted" word, and', "two\nlines\r\nor three", "größe", '"', "", "last\n"]
    with (tmp_path / "x.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["text", "n\nm"])
        table.writerows([text, "x"] for text in texts)
    (tmp_path / "x.jsonl").write_text("\n".join(json.dumps({"text": t}) for t in texts))
    monkeypatch.setattr(tables, "BLOCK", block)
    expected = [text for text in texts if text]
    assert [r.text for r in read(tmp_path / "x.csv")] == expected
    assert [r.text for r in read(tmp_path / "x.jsonl")] == expected
    (tmp_path / "x.csv").write_bytes((tmp_path / "x.csv").read_bytes().decode().encode("utf-16"))
    assert [r.text for r in read(tmp_path / "x.csv")] == expected


def test_broken_lines_can_be_left_out(tmp_path: Path) -> None:
    skipped: list[tuple[str, str]] = []

    def skipping(path: Path) -> list[str]:
        skipped.clear()
        options = ReadOptions(broken="skip")
        found = read_documents(path, options, on_skip=lambda *what: skipped.append(what))
        return [record.text for record in found]

    good = [f'{{"text": "good {k}"}}' for k in range(5000)]
    good[4710] = '{"text": "cut'
    (tmp_path / "x.jsonl").write_text("\n".join(good))
    with pytest.raises(
        DocumentsError, match=r'x.jsonl, line 4,711, is not valid JSON.*"skip", --skip-broken'
    ):
        read(tmp_path / "x.jsonl")
    assert len(skipping(tmp_path / "x.jsonl")) == 4999
    assert skipped[0][0].endswith("x.jsonl, line 4,711")
    (tmp_path / "x.csv").write_text("text,n\na,1\nb\nc,3,4\n\n,5\nd,6\n")
    assert skipping(tmp_path / "x.csv") == ["a", "d"]
    assert [where.rsplit(", ")[-1] for where, _ in skipped] == ["line 3", "line 4", "record 2"]
