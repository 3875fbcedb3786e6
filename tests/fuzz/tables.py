"""Targets that read tables: rows that are documents, and tables beside matrices."""

import csv
import io
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final
from unittest.mock import patch

import polars as pl

from hlta import Corpus, HltaError
from hlta.reading.matrices.beside_matrices import with_metadata
from hlta.reading.records import ReadOptions
from hlta.reading.sources import read_documents
from tests.fuzz.documents import JSON_TOKENS, expect_strings, read, single, zipped
from tests.fuzz.mutations import mutated, one_of
from tests.fuzz.targets import Target, expect, target

CSV: Final = b"""id,title,text,date,group
1,First,"deep, ""neural"" nets",2020-01-31,a
2,,"two
lines",2021,b
3,Third,plain text,,
"""
_FOREIGN: Final = (
    "id,text,date\n1,Größe über é,2020\n2,машинное обучение,2021\n3,机器学习,\n4,ひらがな,\n"
)
_TEXT_ENCODINGS: Final = (
    *("utf-8", "utf-8-sig", "latin-1", "cp1252", "cp1251", "koi8-r", "utf-16", "utf-16-le"),
    *("utf-16-be", "utf-32", "gb18030", "big5", "shift_jis", "euc_jp", "iso2022_jp"),
    *("euc_kr", "utf-7", "hz"),
)
_CSV_TOKENS: Final = [
    *(b'"', b'""', b",", b";", b"\t", b"|", b"\r", b"\n", b"\r\n", b'"\n', b'","', b"text", b"id"),
    *(b"=1+1", b"sep=;", b'"' * 999, b"," * 999, b"text,text", b"\n\n", b"1,2\n"),
]


@target(cost=2)
def tables(rng: Random, folder: Path) -> None:
    """CSV and the like."""
    endings = ((".csv", b","), (".tsv", b"\t"), (".tab", b"\t"), (".csv", b";"))
    ending, delimiter = rng.choice(endings)
    data = one_of(rng, [CSV.replace(b",", delimiter)], _CSV_TOKENS)
    (path := folder / f"input{ending}").write_bytes(data)
    options: list[dict[str, Any]] = [{}, {}, {"text": "3"}, {"delimiter": ","}, {"text": "text"}]
    options += [{"keep": "all"}, {"keep": ["date", "title"]}]
    read(rng, path, **rng.choice(options))


@target()
def standard_input(rng: Random, folder: Path) -> None:
    """Lines or a table from standard input."""
    data = one_of(rng, [CSV, b"one line\nand another \xe4\n\n"], _CSV_TOKENS)
    (path := folder / "input").write_bytes(data)
    given: dict[str, Any] = rng.choice(({}, {"delimiter": ","}, {"delimiter": "\t", "text": "1"}))
    with path.open() as file, patch.object(sys, "stdin", file):
        _read_only("-", **given)


@target(cost=2)
def encodings(rng: Random, folder: Path) -> None:
    """Tables and JSON lines in any encoding, and said to be in any."""
    ending, rows = rng.choice(((".csv", _FOREIGN), (".tsv", _FOREIGN.replace(",", "\t"))))
    data = rows.encode(rng.choice(_TEXT_ENCODINGS), "replace")
    (path := folder / f"input{ending}").write_bytes(one_of(rng, [data], _CSV_TOKENS))
    _read_only(path, encoding=rng.choice((None, *_TEXT_ENCODINGS)))


def _read_only(path: Path | str, **options: Any) -> None:
    """Read documents, but not their words: these would load a package for each language."""
    for record in read_documents(path, ReadOptions(**options)):
        expect_strings(record)


@target(cost=2)
def quotes(rng: Random, folder: Path) -> None:
    """A table with a quote too many or too few has the texts that Python's own reader finds."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    for n in range(rng.choice((3, 8, 40))):
        body = rng.choice(("plain", "with, comma", 'a "quoted" word', "two\nlines", "")) + f" {n}"
        writer.writerow((n, body, f"t{n}"))
    head = "id,text,title\n"
    data = head + file.getvalue()
    place = rng.randrange(len(head), len(data))
    quote = data.find('"', place)
    if rng.random() < 0.5 and quote >= 0:
        data = data[:quote] + data[quote + 1 :]
    else:
        data = data[:place] + '"' + data[place:]
    (path := folder / "input.csv").write_text(data, newline="")
    skipped = list[str]()
    options = ReadOptions(broken=rng.choice(("skip", "stop")), mail="keep", text="text")
    records = list(read_documents(path, options, on_skip=lambda where, _: skipped.append(where)))
    rows = list(csv.reader(io.StringIO(data, newline="")))
    whole = [row for row in rows[1:] if len(row) == 3 and row[1]]
    texts = [f"{row[2]}\n\n{row[1]}" if row[2] else row[1] for row in whole]
    got = [record.text for record in records]
    expect(got == texts[: len(got)], "a table with a stray quote has other texts")
    expect(skipped or len(got) == len([row for row in rows[1:] if row]), "rows are lost, untold")


JSON: Final = b"""[{"text": "one", "id": 1, "meta": {"date": "2020"}, "tags": ["a", null]},
{"text": ["two", "three"], "title": "T", "id": null}, {"text": "f\\u00fcnf \\ud83d\\ude00", "id": 1.5}]"""
JSON_LINES: Final = b"""{"text": "one", "id": 1, "meta": {"text": "inner"}}
{"text": null, "title": "T"}
{"abstract": "other", "text": {"a": [1, 2.5, true]}}
"""
_JSON_TOKENS: Final = [*JSON_TOKENS, b'"text"', b'"text":', b"\n"]
single("json", (".json",), (JSON, JSON.replace(b"[{", b'{"items": [{') + b"}"), _JSON_TOKENS)
single("json_lines", (".jsonl", ".ndjson"), (JSON_LINES,), _JSON_TOKENS)


@target(cost=2)
def nested_keys(rng: Random, folder: Path) -> None:
    """JSON of which a key within keys is the text."""
    ending, seed = rng.choice(((".json", JSON), (".jsonl", JSON_LINES)))
    (path := folder / f"input{ending}").write_bytes(one_of(rng, [seed], _JSON_TOKENS))
    read(rng, path, text=rng.choice(("meta.text", "meta.date", "text.a", "tags", "a.b.c.d")))


def _sheet(rows: str) -> str:
    return f"<worksheet><sheetData>{rows}</sheetData></worksheet>"


zipped(
    "xlsx",
    (".xlsx", ".xlsm"),
    {
        "xl/workbook.xml": '<workbook xmlns:r="r"><workbookPr date1904="1"/><sheets><sheet name="A" '
        'r:id="r1"/><sheet name="B" state="hidden" r:id="r2"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": '<Relationships><Relationship Id="r1" Target="worksheets/a.xml"/>'
        '<Relationship Id="r2" Target="/xl/worksheets/b.xml"/></Relationships>',
        "xl/styles.xml": '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm"/></numFmts>'
        '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>',
        "xl/sharedStrings.xml": "<sst><si><t>text</t></si><si><t>date</t></si><si><r><t>Deep </t></r>"
        "<r><t>nets</t></r></si></sst>",
        "xl/worksheets/a.xml": _sheet(
            '<row><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row><row><c r="A2" t="s">'
            '<v>2</v></c><c r="C2" s="1"><v>43831.5</v></c></row><row><c r="A3" t="inlineStr"><is><t>x'
            '</t></is></c><c t="b"><v>1</v></c><c r="ZZ3" t="e"><v>#N/A</v></c></row>'
        ),
        "xl/worksheets/b.xml": _sheet('<row><c r="A1"><v>1</v></c></row>'),
    },
    [b"<c ", b'r="XFD1048576"', b'r="AAAAAAAA1"', b'r=""', b't="s"', b's="9"', b"<row>", b"</row>"],
)

_FRAME: Final = pl.DataFrame(
    {
        "text": ["one", None, "drei größer"] * 4,
        "id": range(12),
        "date": [1.5, None, 2.0] * 4,
        "tags": [["a"], [], ["b", None]] * 4,
    }
)


def columnar(name: str, endings: Sequence[str], write: Callable[..., object]) -> Target:
    """A target that reads such files, by a process of its own for each."""
    seeds = list[bytes]()
    for compression in ("zstd", "uncompressed"):
        write(_FRAME, file := io.BytesIO(), compression=compression)
        seeds.append(file.getvalue())
    return single(name, endings, seeds, cost=400)


columnar("parquet", (".parquet",), pl.DataFrame.write_parquet)
columnar("arrow", (".arrow", ".feather", ".ipc"), pl.DataFrame.write_ipc)


@target(cost=2)
def metadata(rng: Random, folder: Path) -> None:
    """A table beside a matrix."""
    ids = rng.choice((None, ("1", "2", "3")))
    corpus = Corpus([[1, 0], [0, 1], [1, 1]], ["a", "b"], ids=ids)
    path = folder / f"input{rng.choice(('.csv', '.tsv'))}"
    path.write_bytes(mutated(rng, CSV, _CSV_TOKENS))
    shown = with_metadata(corpus, path, ReadOptions(), keep_texts=rng.random() < 0.7)
    expect(all(len(values) == 3 for values in shown.metadata.values()), "a document is lost")


@target(cost=3)
def frames(rng: Random, folder: Path) -> None:
    """Columns of a data frame of any types."""
    values: list[Any] = [None, "x y", 1, 2.5, True, "\ud800", "", b"bytes"]
    values += [["a", "b"], {"a": 1}, []]
    column = [rng.choice(values) for _ in range(3)]
    (folder / "column").write_text(ascii(column))
    try:
        texts = ["apple pear", "pear plum", "plum"]
        frame = pl.DataFrame({"text": texts, "title": column}, strict=False)
    except Exception as error:
        raise HltaError("Polars itself refuses the column") from error
    text, keep = rng.choice(("text", "title")), rng.choice((None, "all"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of columns that are not kept
        corpus = Corpus.from_frame(frame, text=text, keep=keep, min_df=1, stop_words=None)
    expect(len(corpus) <= 3, "there are documents that nobody gave")
