"""Rows of tables and lines of JSON as documents, in blocks of any size."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

import pandas
import polars as pl
import pytest

from hlta import DocumentsError, OptionError
from hlta.reading.records import ReadOptions, Record
from hlta.reading.tables import blocks
from tests.reads import read, read_and_skipped, texts_in

if TYPE_CHECKING:
    from pathlib import Path

LINES = ['{"text": "a", "n": 1}', '{"text": null, "n": 2}']


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_lines_are_documents_but_empty_ones(tmp_path: Path) -> None:
    path = written(tmp_path / "x.txt", "one\n\ntwo\r\n")
    assert read(path) == [Record("one", "1"), Record("two", "3")]


def test_rows_of_a_table_are_documents(tmp_path: Path) -> None:
    path = written(tmp_path / "x.csv", 'id,title,abstract\n7,T,"a, b\nc"\n8,,d\n')
    assert read(path) == [Record("T\n\na, b\nc", "7", "T"), Record("d", "8", "")]


def test_quotes_mean_nothing_between_tabs(tmp_path: Path) -> None:
    path = written(tmp_path / "x.tsv", 'key\tbody\n7\tsay "hi\n')
    assert read(path, id="key", text="body") == [Record('say "hi', "7")]


@pytest.mark.parametrize(
    ("name", "text"),
    [("x.jsonl", "\n".join([*LINES, ""])), ("x.json", f"[{','.join(LINES)}]")],
)
def test_json_objects_are_documents_if_they_have_text(tmp_path: Path, name: str, text: str) -> None:
    path = written(tmp_path / name, text)
    assert texts_in(path) == ["a"]
    assert texts_in(path, text="n") == ["1", "2"]


@pytest.fixture
def frame() -> pl.DataFrame:
    rows = [("b", "second", "2020-01-02", "news"), ("a", "first", None, "blog")]
    frame = pl.DataFrame(rows, schema=["doi", "body", "date", "Category"], orient="row")
    return frame.with_columns(pl.col("date").str.to_date())


@pytest.mark.parametrize(
    ("suffix", "write"),
    [
        ("parquet", pl.DataFrame.write_parquet),
        ("arrow", pl.DataFrame.write_ipc),
        ("csv", pl.DataFrame.write_csv),
        ("jsonl", pl.DataFrame.write_ndjson),
    ],
)
def test_every_kind_of_table_gives_the_same_documents(
    tmp_path: Path, frame: pl.DataFrame, suffix: str, write: Any
) -> None:
    write(frame, tmp_path / f"x.{suffix}")
    assert read(tmp_path / f"x.{suffix}", id="doi") == [
        Record("second", "b", "", "2020-01-02", "news"),
        Record("first", "a", "", "", "blog"),
    ]


def test_one_column_may_be_several_parts(tmp_path: Path, frame: pl.DataFrame) -> None:
    frame.write_csv(tmp_path / "x.csv")
    first = read(tmp_path / "x.csv", group="date", title="doi")[0]
    assert (first.title, first.date, first.group) == ("b", "2020-01-02", "2020-01-02")


@pytest.mark.parametrize(
    ("name", "data", "options", "message"),
    [
        ("x.jsonl", b'{"text": "a"}\n{"text": \n', {}, r"x.jsonl, line 2, is not valid JSON"),
        ("x.jsonl", b"[1]\n", {}, r"line 1, is not a JSON object"),
        ("x.csv", b"a,b\n1,2\n", {}, r"no column is named text.*one of 'a', 'b'"),
        ("x.csv", b"text,b\n1,2\n1,2,3\n", {}, r"line 3, has 3 fields, but the first line has 2"),
        ("x.csv", b"", {}, r"its first line must name the columns"),
        ("x.csv", b"text,b\n1,2\n1\n", {}, r"line 3, has 1 fields, but the first line has 2"),
        ("x.csv", b"\n", {}, r"its first line must name the columns"),
        ("x.json", b"{", {}, r"is not valid JSON: .*call it .jsonl"),
        ("x.json", b"{}", {}, r"is not a JSON array"),
    ],
)
def test_what_is_wrong_with_a_table_is_named(
    tmp_path: Path, name: str, data: bytes, options: dict[str, Any], message: str
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(DocumentsError, match=message):
        read(tmp_path / name, **options)


@pytest.mark.parametrize("delimiter", [";", "|", "\t"])
@pytest.mark.parametrize("name", ["x.csv", "x.tsv"])
def test_delimiters_are_guessed(tmp_path: Path, name: str, delimiter: str) -> None:
    rows = ["id;text;date", "7;one, two, three;2020", "8;four, five;2021"]
    path = written(tmp_path / name, "\n".join(row.replace(";", delimiter) for row in rows))
    assert read(path) == [
        Record("one, two, three", "7", date="2020"),
        Record("four, five", "8", date="2021"),
    ]


def test_a_delimiter_can_be_given_for_any_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / "x.dat", "id~text\n7~one\n")
    assert read(path, delimiter="~") == [Record("one", "7")]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    assert read("-", delimiter="~") == [Record("one", "7")]


@pytest.mark.parametrize("name", ["x.jsonl", "x.json", "x.parquet", "x.arrow"])
def test_a_delimiter_has_no_place_in_other_files(tmp_path: Path, name: str) -> None:
    path = written(tmp_path / name, "{}")
    with pytest.raises(OptionError, match=r"delimiter=';' is for tables of text.*leave it out"):
        read(path, delimiter=";")


@pytest.mark.parametrize("delimiter", ["", "::", "ö", '"', "\n", "a", 7])
def test_a_delimiter_is_one_character(delimiter: Any) -> None:
    with pytest.raises(OptionError, match=r"delimiter=.*: use one character"):
        ReadOptions(delimiter=delimiter)


def test_tabs_and_quotes_are_read_as_pandas_writes_them(tmp_path: Path) -> None:
    texts = ["two\nlines", 'say "hi"', "a\ttab", "plain"]
    frame = pandas.DataFrame({"id": ["a", "b", "c", "d"], "text": texts})
    frame.to_csv(tmp_path / "x.tsv", sep="\t", index=False)
    assert texts_in(tmp_path / "x.tsv") == texts


def test_columns_without_names_have_numbers(tmp_path: Path) -> None:
    path = written(tmp_path / "x.csv", "a,first text,2020\nb,second,2021\n")
    expected = [Record("first text", "1"), Record("second", "2")]
    assert read(path, text="2") == expected
    assert read(path, text="2", id="1", date="3")[1] == Record("second", "b", date="2021")
    with pytest.raises(DocumentsError, match="no column '4'; the columns are '1', '2', '3'"):
        read(path, text="4")
    with pytest.raises(DocumentsError, match="there is no column '2'"):
        read(path, text="2", id="name")
    with pytest.raises(DocumentsError, match="if these are not names, give a number: text='1'"):
        read(path)


def test_a_number_may_be_a_name(tmp_path: Path) -> None:
    path = written(tmp_path / "x.csv", "1,2\na,b\n")
    assert texts_in(path, text="1") == ["a"]


def test_names_of_columns_are_strings() -> None:
    with pytest.raises(OptionError, match="text=2: use the name of a column, a string"):
        ReadOptions(text=2)  # type: ignore[arg-type]


@pytest.mark.parametrize("header", ['"te\rxt",text', "te\rxt,text"])
def test_a_header_may_hold_cr(tmp_path: Path, header: str) -> None:
    (tmp_path / "x.csv").write_bytes(f"{header}\n1,one\n2,two\n".encode())
    assert texts_in(tmp_path / "x.csv") == ["one", "two"]


@pytest.mark.parametrize("block", [1, 7, 64, 1 << 20])
@pytest.mark.parametrize("name", ["x.csv", "x.tsv"])
def test_quotes_within_fields_open_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, block: int
) -> None:
    rows = ["text,n", '5" disk,1', '"a ""b""\nc",2', "plain,3", '"d\n\ne",4', ""]
    text = "\n".join(rows).replace(",", "," if name == "x.csv" else "\t")
    path = written(tmp_path / name, text)
    monkeypatch.setattr(blocks, "BLOCK", block)
    monkeypatch.setattr(blocks, "FIRST", 1 << 16)
    assert texts_in(path) == ['5" disk', 'a "b"\nc', "plain", "d\n\ne"]


@pytest.mark.parametrize("block", [1, 7, 64, 1 << 20])
def test_a_quote_that_is_never_closed_is_told_and_what_follows_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    path = written(tmp_path / "x.csv", 'text,n\na,1\n"open,2\nb,3\nc,4\n')
    monkeypatch.setattr(blocks, "BLOCK", block)
    monkeypatch.setattr(blocks, "FIRST", 1 << 16)
    with pytest.raises(DocumentsError, match=r"x.csv, line 3, has a quote that is never closed"):
        read(path)
    records, skipped = read_and_skipped(path, broken="skip")
    assert [record.text for record in records] == ["a"]
    assert list(skipped) == [f"{path}, line 3"]


@pytest.mark.parametrize("block", [1, 7, 64, 1 << 20])
@pytest.mark.parametrize("name", ["x.csv", "x.jsonl", "utf-16.csv"])
def test_blocks_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int, name: str
) -> None:
    texts = ["plain", 'a "quoted" word, and', "two\nlines\r\nor three", "größe", '"', "", "last\n"]
    path = tmp_path / name
    if path.suffix == ".csv":
        encoding = "utf-16" if name == "utf-16.csv" else "utf-8"
        with path.open("w", newline="", encoding=encoding) as file:
            table = csv.writer(file)
            table.writerow(["text", "n\nm"])
            table.writerows([text, "x"] for text in texts)
    else:
        path.write_text("\n".join(json.dumps({"text": text}) for text in texts))
    monkeypatch.setattr(blocks, "BLOCK", block)
    monkeypatch.setattr(blocks, "FIRST", 1 << 16)
    assert texts_in(path) == [text for text in texts if text]


@pytest.fixture
def with_a_broken_line(tmp_path: Path) -> Path:
    lines = [f'{{"text": "good {k}"}}' for k in range(5000)]
    lines[4710] = '{"text": "cut'
    return written(tmp_path / "x.jsonl", "\n".join(lines))


def test_a_broken_line_stops_reading(with_a_broken_line: Path) -> None:
    message = r'x.jsonl, line 4,711, is not valid JSON.*"skip", --skip-broken'
    with pytest.raises(DocumentsError, match=message):
        read(with_a_broken_line)


def test_a_broken_line_can_be_skipped(with_a_broken_line: Path) -> None:
    records, skipped = read_and_skipped(with_a_broken_line, broken="skip")
    assert len(records) == 4999
    assert list(skipped) == [f"{with_a_broken_line}, line 4,711"]


def test_broken_rows_can_be_skipped(tmp_path: Path) -> None:
    path = written(tmp_path / "x.csv", "text,n\na,1\nb\nc,3,4\n\n,5\nd,6\n")
    records, skipped = read_and_skipped(path, broken="skip")
    assert [record.text for record in records] == ["a", "d"]
    assert [where.rsplit(", ")[-1] for where in skipped] == ["line 3", "line 4", "record 2"]
