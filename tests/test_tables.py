"""Files with many documents: rows of tables and workbooks, lines and arrays of JSON, columns."""

import csv
import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta import DocumentsError, OptionError
from hlta._support import limited
from hlta.reading.records import Record
from hlta.reading.tables import blocks, columnar, delimited
from hlta.reading.tables.rows import Dialect
from tests.reads import read, read_and_skipped, texts_in
from tests.zipped import bomb, zipped


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "text", "options", "records"),
    [
        ("x.txt", "one\n\ntwo\r\n", {}, [Record("one", "1"), Record("two", "3")]),
        (
            "x.csv",
            'id,title,abstract\n7,T,"a, b\nc"\n8,,d\n',
            {},
            [Record("T\n\na, b\nc", "7", "T"), Record("d", "8", "")],
        ),
        ("x.tsv", "id;text;date\n7;a, b, c;2020\n", {}, [Record("a, b, c", "7", date="2020")]),
        ("x.dat", "id~text\n7~one\n", {"delimiter": "~"}, [Record("one", "7")]),
        ("x.json", '[{"text": "a", "n": 1}, {"text": null}]', {"text": "n"}, [Record("1", "1")]),
    ],
)
def test_lines_rows_and_objects_are_documents_if_they_have_text(
    tmp_path: Path, name: str, text: str, options: dict[str, Any], records: list[Record]
) -> None:
    assert read(written(tmp_path / name, text), **options) == records


@pytest.mark.parametrize(
    ("suffix", "write"),
    [
        ("parquet", pl.DataFrame.write_parquet),
        ("arrow", pl.DataFrame.write_ipc),
        ("csv", pl.DataFrame.write_csv),
        ("jsonl", pl.DataFrame.write_ndjson),
    ],
)
def test_every_kind_of_table_has_the_documents(tmp_path: Path, suffix: str, write: Any) -> None:
    rows = [("b", "größer", "2020-01-02", "news"), ("", None, None, ""), ("a", "1", None, "blog")]
    frame = pl.DataFrame(rows, schema=["doi", "body", "date", "Category"], orient="row")
    write(frame.with_columns(pl.col("date").str.to_date()), tmp_path / f"x.{suffix}")
    records, skipped = read_and_skipped(tmp_path / f"x.{suffix}", id="doi")
    first = Record("größer", "b", "", "2020-01-02", "news")
    assert records == [first, Record("1", "a", "", "", "blog")]
    assert list(skipped.values()) == ["it has no text"]
    with pytest.raises(DocumentsError, match="there is no column 'words'"):
        read(tmp_path / f"x.{suffix}", text="words")


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("x.jsonl", b'{"text": "a"}\n{"text": \n', r"x.jsonl, line 2, is not valid JSON"),
        ("x.jsonl", b"[1]\n", r"line 1, is not a JSON object"),
        ("x.jsonl", b'{"text": [["a", "b"], ["c"]]}\n', r"line 1, has a list of lists in 'text'"),
        ("x.csv", b"a,b\n1,2\n", r"no column is named text.*one of 'a', 'b'"),
        ("x.csv", b"text,b\n1,2\n1,2,3\n", r"line 3, has 3 fields, but the first line has 2"),
        ("x.csv", b"", r"its first line must name the columns"),
        ("x.csv", b"text,b\n1,2\n1\n", r"line 3, has 1 fields, but the first line has 2"),
        ("x.json", b"{", r"is not valid JSON: .*call it .jsonl"),
        ("x.json", b"{}", r"is not a JSON array"),
        ("x.json", b'[{"text": "a"}, 3]', r"x\.json, entry 2, is not a JSON object"),
    ],
)
def test_what_is_wrong_in_it_is_named(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(DocumentsError, match=message):
        read(tmp_path / name)


@pytest.mark.parametrize("name", ["x.jsonl", "x.parquet"])
def test_lists_of_lists_are_refused_where_they_are_asked_for(tmp_path: Path, name: str) -> None:
    frame = pl.DataFrame({"text": ["a b"], "place": [[["x"], ["y"]]], "day": ["2020"]})
    write = frame.write_ndjson if name == "x.jsonl" else frame.write_parquet
    write(tmp_path / name)
    shown = r"'place'.* lists? of lists|lists? of lists .*'place'"
    with pytest.raises(DocumentsError, match=shown):
        read(tmp_path / name, group="place")
    assert texts_in(tmp_path / name) == ["a b"]


@pytest.mark.parametrize("name", ["x.jsonl", "x.json", "x.parquet", "x.arrow"])
def test_a_delimiter_is_for_text_and_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"id~text\n7~one\n")))
    assert read("-", delimiter="~") == [Record("one", "7")]
    with pytest.raises(OptionError, match=r"delimiter=';' is for tables of text"):
        read(written(tmp_path / name, "{}"), delimiter=";")


def test_columns_without_names_have_numbers(tmp_path: Path) -> None:
    path = written(tmp_path / "x.csv", "1,2\na,b\n")
    assert texts_in(path, text="1") == ["a"]  # a number may be a name
    path = written(tmp_path / "x.csv", "a,first text,2020\nb,second,2021\n")
    assert read(path, text="2") == [Record("first text", "1"), Record("second", "2")]
    found = read(path, text="2", id="1", date="3", title="1")[1]
    assert found == Record("b\n\nsecond", "b", "b", date="2021")
    with pytest.raises(DocumentsError, match="no column '4'; the columns are '1', '2', '3'"):
        read(path, text="4")
    with pytest.raises(DocumentsError, match="there is no column '2'"):
        read(path, text="2", id="name")
    with pytest.raises(DocumentsError, match="if these are not names, give a number: text='1'"):
        read(path)


@pytest.fixture(params=[1, 7])
def of_any_size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of so many bytes, after a first one that holds the names of columns."""
    monkeypatch.setattr(blocks, "BLOCK", request.param)
    monkeypatch.setattr(blocks, "FIRST", 32)


@pytest.mark.parametrize(
    ("table", "options", "texts"),
    [
        # Of columns that differ in case, the lower one is taken.
        ("text,TEXT,Text\ntext,TEXT,Text\n", {}, ["text"]),
        ("TEXT,Text,text\nTEXT,Text,text\n", {}, ["text"]),
        # No row is a head where those above it are as wide, or columns have numbers.
        (
            "sentence,label\na b,news\nc d,mail\ne f,text\n",
            {"text": "sentence"},
            ["a b", "c d", "e f"],
        ),
        ("5,bad\n4,good\n2,dull\n", {"text": "2"}, ["bad", "good", "dull"]),
        # Nor are empty lines after those that are skipped.
        ("Report\n\n\nid,text\n1,one\n", {"skip_rows": 1}, ["one"]),
        # Stray quotes merge no rows.
        ('text\n""Alpha" is first\nbeta"\ngamma\n', {}, ['Alpha" is first', 'beta"', "gamma"]),
        ('id,text\n1,"a"b"c"\n', {}, ['ab"c"']),
    ],
)
def test_odd_tables_are_read_as_they_are_meant(
    tmp_path: Path, table: str, options: dict[str, Any], texts: list[str]
) -> None:
    assert texts_in(written(tmp_path / "x.csv", table), **options) == texts


NO_DELIMITERS = ("", "::", "ö", '"', "\n", "a", 7)
ABOVE = "Report: papers of 2020\nMade on 3 May;\n\n"


@pytest.mark.parametrize("between", [",", ";", "\t", "|"])
@pytest.mark.parametrize("options", [{}, {"skip_rows": 3}])
def test_lines_above_the_names_of_columns_are_left_out(
    tmp_path: Path, between: str, options: dict[str, Any]
) -> None:
    table = "Year,Abstract,Venue\n2020,one,x\n2021,,y\n2021,two three,z\n".replace(",", between)
    records, skipped = read_and_skipped(written(tmp_path / "x.csv", ABOVE + table), **options)
    assert [record[:2] for record in records] == [("one", "1"), ("two three", "3")]
    assert [record.date for record in records] == ["2020", "2021"]
    shown = {} if options else {f"{tmp_path / 'x.csv'}, lines 1 to 3": "above the line that names"}
    for where, reason in shown.items():
        assert skipped.pop(where).startswith(reason)
    assert list(skipped) == [f"{tmp_path / 'x.csv'}, record 2"]


def test_numbers_of_lines_count_those_above(tmp_path: Path) -> None:
    path = written(tmp_path / "x.csv", f'{ABOVE}id,text\n1,one\n2,"two\nlines",odd\n')
    with pytest.raises(DocumentsError, match="line 6, has 3 fields, but the first line has 2"):
        read(path)


@pytest.mark.parametrize(
    ("above", "options", "message"),
    [
        ("", {"skip_rows": 1}, "no column is named text"),
        ("", {"skip_rows": 9}, "skip_rows=9: .* has no more lines; give a smaller number"),
        ("a,b\ntext,x\n", {}, "no column is named text, .* one of 'a', 'b'"),
        ("question,answer\n", {"text": "id"}, "there is no column 'id'"),
        (ABOVE, {"skip_rows": 0}, "no column is named text"),
        (ABOVE, {"text": "summary"}, "there is no column 'summary'; the columns are 'id', 'text'"),
        ("x\n" * 20, {}, "no column is named text"),
        ("text\n" * 2, {"text": "body"}, "there is no column 'body'"),
    ],
)
def test_a_table_in_which_no_line_names_a_text(
    tmp_path: Path, above: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(DocumentsError, match=message):
        read(written(tmp_path / "x.csv", f"{above}id,text\n1,one\n"), **options)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("x.csv", {"sheet": "a"}, "sheet='a' is for workbooks"),
        ("x.jsonl", {"skip_rows": 1}, "skip_rows=1 is for tables of text and workbooks"),
        ("x.txt", {"skip_rows": 0}, "skip_rows=0 is for tables of text and workbooks"),
        ("x.txt", {"group": "kind"}, "group='kind' names a column, but there is no table in"),
        ("x.csv", {"skip_rows": -1}, "skip_rows=-1: use a whole number"),
        ("x.csv", {"date_format": "%d"}, "date_format='%d': use the codes"),
        ("x.csv", {"text": 2}, "text=2: use the name of a column"),
        *(
            ("x.csv", {"delimiter": odd}, "delimiter=.*: use one character")
            for odd in NO_DELIMITERS
        ),
    ],
)
def test_options_of_tables_that_do_not_apply_are_refused(
    tmp_path: Path, name: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        read(written(tmp_path / name, "id,text\n1,one\n"), **options)


@pytest.mark.parametrize(
    ("options", "applies_to"), [({"sheet": "a"}, "w.xlsx"), ({"skip_rows": 0}, "t.csv")]
)
def test_options_need_tables(tmp_path: Path, options: dict[str, Any], applies_to: str) -> None:
    file = written(tmp_path / "a.txt", "one")
    for path, where in ((tmp_path, repr(str(tmp_path))), ([file, file.parent], "the paths")):
        with pytest.raises(OptionError, match=rf"there is none in {re.escape(where)}; leave"):
            read(path, **options)
    written(tmp_path / applies_to, "text\ntwo\n")
    assert read(tmp_path, **options)[0].text == "one"


def test_dates_are_read_in_a_format(tmp_path: Path) -> None:
    path = written(tmp_path / "x.csv", "date,text\n20-05-19,a\n2020,b\n,c\n")
    records, skipped = read_and_skipped(path, date_format="%y-%m-%d")
    assert [record.date for record in records] == ["2020-05-19", "2020", ""]
    shown = "its date is not in the format '%y-%m-%d'; it was read as usual"
    assert skipped == {f"{path}, document '2'": shown}


@pytest.mark.usefixtures("of_any_size")
def test_a_quote_that_is_never_closed_is_told_and_what_follows_left_out(tmp_path: Path) -> None:
    path = written(tmp_path / "x.csv", 'text,n\na,1\n"open,2\n' + "b,3\n" * 9)
    with pytest.raises(DocumentsError, match=r"x.csv, line 3, has a quote that is never closed"):
        read(path)
    records, skipped = read_and_skipped(path, broken="skip")
    assert [record.text for record in records] == ["a"]
    assert list(skipped) == [f"{path}, line 3"]


@pytest.mark.usefixtures("of_any_size")
@pytest.mark.parametrize(
    ("rows", "kept"),
    [
        (['1,"a\n', '2,"b"\n', '3,"c"\n'], ["c"]),  # one closing quote is missing
        (['1,"a\n', "2,b\n", '3,"c\n', "4,d\n"], ["d"]),  # two opening quotes are stray
        (['1,"a\n', 'of "b" c"\n', "2,d\n"], ["d"]),  # quotes within a text are not doubled
    ],
)
def test_rows_that_a_quote_joins_are_told(tmp_path: Path, rows: list[str], kept: list[str]) -> None:
    path = written(tmp_path / "x.csv", "id,text\n0,first\n" + "".join(rows))
    last = 2 + len(rows) - len(kept)
    with pytest.raises(
        DocumentsError, match=rf"x.csv, lines 3 to {last}, are one row, because a quote"
    ):
        read(path)
    records, skipped = read_and_skipped(path, broken="skip")
    assert [record.text for record in records] == ["first", *kept]
    assert list(skipped) == [f"{path}, lines 3 to {last}"]


@pytest.mark.usefixtures("of_any_size")
@pytest.mark.parametrize("text", ['"a\nb ""c"" d"', '5" pipe,"a\nb"', '"a" and "b"'])
def test_quotes_that_join_no_rows_are_no_defect(tmp_path: Path, text: str) -> None:
    columns = "size,text" if text.startswith("5") else "text"
    path = written(tmp_path / "x.csv", f"{columns},n\n{text},1\n")
    records, skipped = read_and_skipped(path)
    assert len(list(records)) == 1
    assert not skipped


_FIELD = st.text('ab",\n ', max_size=6)
_ROWS = st.integers(1, 3).flatmap(
    lambda width: st.lists(st.lists(_FIELD, min_size=width, max_size=width), min_size=1, max_size=5)
)


@given(_ROWS, st.lists(st.booleans(), min_size=15, max_size=15), st.sampled_from(["", "\n"]))
def test_blocks_are_read_as_by_csv(rows: list[list[str]], quoted: list[bool], end: str) -> None:
    plain = [field for row in rows for field in row]
    doubled = [field.replace('"', '""') for field in plain]
    fields = [f'"{d}"' if q else p for d, p, q in zip(doubled, plain, quoted, strict=False)]
    width = len(rows[0])
    text = "\n".join(",".join(fields[k : k + width]) for k in range(0, len(fields), width)) + end
    names = [f"c{k}" for k in range(width)]
    found = delimited._fast_rows(text, names, Dialect(","), names)
    if found is not None:
        expected = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
        assert [[field or "" for field in row] for row in found.rows()] == expected


@pytest.mark.usefixtures("of_any_size")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_blocks_change_nothing(tmp_path: Path, encoding: str) -> None:
    texts = ["plain", 'a "quoted" word, and', "two\nlines\r\nor three", "größe", '"', "", "last\n"]
    with (tmp_path / "x.csv").open("w", newline="", encoding=encoding) as file:
        csv.writer(file).writerows([("text", "n\nm"), *((text, "x") for text in texts)])
    lines = "\n".join(json.dumps({"text": text}) for text in texts)
    (tmp_path / "x.jsonl").write_text(lines, encoding=encoding)
    for name in ("x.csv", "x.jsonl"):
        assert texts_in(tmp_path / name) == [text for text in texts if text]


def test_broken_lines_stop_reading_or_are_skipped(tmp_path: Path) -> None:
    lines = [f'{{"text": "good {k}"}}' for k in range(5000)]
    lines[4710] = '{"text": "cut'
    path = written(tmp_path / "x.jsonl", "\n".join(lines))
    message = r'x.jsonl, line 4,711, is not valid JSON.*"skip", --skip-broken'
    with pytest.raises(DocumentsError, match=message):
        read(path)
    records, skipped = read_and_skipped(path, broken="skip")
    assert (len(records), list(skipped)) == (4999, [f"{path}, line 4,711"])
    path = written(tmp_path / "x.csv", "text,n\na,1\nb\nc,3,4\n\n,5\nd,6\n")
    records, skipped = read_and_skipped(path, broken="skip")
    assert [record.text for record in records] == ["a", "d"]
    assert [where.rsplit(", ")[-1] for where in skipped] == ["line 3", "line 4", "record 2"]


# ---- keys of JSON --------------------------------------------------------------------------------


def written_json(path: Path, objects: list[Any]) -> Path:
    lines = "\n".join(map(json.dumps, objects))
    return written(path, json.dumps(objects) if path.suffix == ".json" else lines)


@pytest.mark.parametrize("name", ["x.jsonl", "x.json"])
def test_keys_may_be_nested(tmp_path: Path, name: str) -> None:
    objects = [
        {"data": {"text": {"body": "one"}, "when": 2020}, "meta": {"topic": "x", "no": 7}},
        {"data": {"text": {"body": "two"}}, "meta": {}},
        {"data": {"text": None}, "meta": None},
        {"data": {"text": {"body": ["three", None, "four"]}}},
    ]
    path = written_json(tmp_path / name, objects)
    named = {"text": "data.text.body", "date": "data.when", "group": "meta.topic"}
    records, skipped = read_and_skipped(path, **named, id="meta.no")
    first = Record("one", "7", date="2020", group="x")
    assert records == [first, Record("two", "2"), Record("three\nfour", "4")]
    assert list(skipped.values()) == ["it has no text"]


def test_keys_are_looked_for_in_lists_and_as_they_are_or_refused(tmp_path: Path) -> None:
    thread = {"posts": [{"body": "one"}, {"body": "two"}, {}, 3]}
    assert texts_in(written_json(tmp_path / "x.jsonl", [thread]), text="posts.body") == ["one\ntwo"]
    dotted = {"a.b": "plain", "a": {"b": "nested"}}
    assert texts_in(written_json(tmp_path / "x.jsonl", [dotted]), text="a.b") == ["plain"]
    path = written_json(tmp_path / "x.jsonl", [{"text": {"body": "a", "lang": "en"}}])
    with pytest.raises(DocumentsError, match=r"there is no column 'text\.c'; the columns are"):
        read(path, text="text.c")
    with pytest.raises(DocumentsError, match=r"name a key of it: 'text\.body', 'text\.lang'"):
        read(path)


@pytest.mark.parametrize("brackets", [("[", "]"), ('{"a":', "}")])
@pytest.mark.parametrize("depth", [480, 5_000, 200_000])
def test_deep_data_is_read_or_told(tmp_path: Path, depth: int, brackets: tuple[str, str]) -> None:
    begin, end = brackets
    deep = begin * depth + '"deep"' + end * depth
    path = tmp_path / "x.jsonl"
    path.write_text(f'{{"text": "a", "title": ""}}\n{{"text": "b", "title": {deep}}}\n')
    records, skipped = read_and_skipped(path, broken="skip")
    assert records[0].text == "a"
    assert len(records) + len(skipped) == 2
    assert all("deep" in record.title for record in records[1:])


# ---- Parquet and Arrow, read by another process --------------------------------------------------


DAMAGED = Path(__file__).parent / "damaged"
WRITERS = [("x.parquet", pl.DataFrame.write_parquet), ("x.arrow", pl.DataFrame.write_ipc)]
FRAME = pl.DataFrame({"text": ["one", None, "drei größer"], "id": [1, 2, 3]})


@pytest.mark.parametrize(("name", "write"), WRITERS)
def test_rows_come_in_order_from_many_batches(tmp_path: Path, name: str, write: Any) -> None:
    texts = [f"text {k}" for k in range(50_001)]
    write(pl.DataFrame({"n": range(50_001), "text": texts}), tmp_path / name)
    records = read(tmp_path / name)
    assert [record.text for record in records] == texts
    assert [record.id for record in records[-2:]] == ["50000", "50001"]


@pytest.mark.parametrize("name", ["[x].parquet", "x*.parquet", "x?.arrow", "-x.arrow"])
def test_a_name_is_no_pattern(tmp_path: Path, name: str) -> None:
    for one in ("x.parquet", "xy.parquet", "xy.arrow"):
        (tmp_path / one).write_bytes(b"no table")
    write = FRAME.write_parquet if name.endswith("parquet") else FRAME.write_ipc
    with (tmp_path / name).open("wb") as file:
        write(file)
    assert texts_in(tmp_path / name) == ["one", "drei größer"]


@pytest.mark.parametrize("name", ["aborts.arrow", "panics.arrow"])
def test_files_that_crash_polars_are_refused(name: str) -> None:
    with pytest.raises(DocumentsError, match=f"{name}' cannot be read: it is damaged"):
        read(DAMAGED / name)


@pytest.mark.parametrize(
    ("program", "longest"),
    [
        ("import os; os.abort()", 60.0),
        ("import time; time.sleep(60)", 0.5),
        ("import os; os.write(1, b'c' + (100).to_bytes(8, 'little') + b'cut off')", 60.0),
        pytest.param(
            "import mmap, os\n"
            "mmap.mmap(-1, 1 << 40, mmap.MAP_PRIVATE | mmap.MAP_NORESERVE)\n"
            "os.write(1, b'c' + (8).to_bytes(8, 'little') + b'[\"text\"]' + b'.' + bytes(8))",
            60.0,
            marks=pytest.mark.skipif(sys.platform != "linux", reason="not every system limits it"),
        ),
    ],
)
def test_early_ends_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, longest: float
) -> None:
    (tmp_path / "program.py").write_text(program)
    monkeypatch.setattr(columnar, "_PROGRAM", tmp_path / "program.py")
    monkeypatch.setattr(limited, "_LONGEST", longest)
    FRAME.write_ipc(tmp_path / "x.arrow")
    with pytest.raises(DocumentsError, match=r"x\.arrow' cannot be read: it is damaged"):
        read(tmp_path / "x.arrow")


def test_no_module_of_the_folder_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    FRAME.write_parquet(tmp_path / "x.parquet")
    for name in ("json", "io", "polars", "_polars_runtime_32", "sitecustomize"):
        noting = "from pathlib import Path\nPath('imported').touch()\nraise SystemExit(1)\n"
        (tmp_path / f"{name}.py").write_text(noting)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert texts_in("x.parquet") == ["one", "drei größer"]
    assert not (tmp_path / "imported").exists()


# ---- workbooks -----------------------------------------------------------------------------------


WORKBOOK = """<workbook xmlns:r="r"><workbookPr {settings}/><sheets>
<sheet name="Papers" r:id="rId1"/><sheet name="Notes" r:id="rId2"/>
<sheet name="Old" state="hidden" r:id="rId3"/></sheets></workbook>"""
RELATIONSHIPS = "".join(
    f'<Relationship Id="rId{n}" Target="{target}"/>'
    for n, target in enumerate(("worksheets/a.xml", "/xl/worksheets/b.xml", "worksheets/c.xml"), 1)
)
STYLES = """<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[Red]yyyy\\-mm;&quot;d&quot;"/>
<numFmt numFmtId="165" formatCode="&quot;dm&quot;0.0"/></numFmts><cellStyleXfs><xf numFmtId="14"/>
</cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/>
</cellXfs></styleSheet>"""
TEXTS = """<sst><si><t>Title</t></si><si><t>Abstract</t></si><si><t>Date</t></si>
<si><r><t>Deep </t></r><r><t>nets</t></r><rPh><t>spoken</t></rPh></si></sst>"""


def sheet(*rows: str) -> str:
    return f"<worksheet><sheetData>{''.join(f'<row>{row}</row>' for row in rows)}</sheetData></worksheet>"


NAMES = '<c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c><c r="AA1" t="s"><v>2</v></c>'


def workbook(path: Path, *rows: str, settings: str = "", **more: Any) -> Path:
    members = {
        "xl/workbook.xml": WORKBOOK.format(settings=settings),
        "xl/_rels/workbook.xml.rels": f"<Relationships>{RELATIONSHIPS}</Relationships>",
        "xl/styles.xml": STYLES,
        "xl/sharedStrings.xml": TEXTS,
        "xl/worksheets/a.xml": sheet(*rows),
        "xl/worksheets/b.xml": sheet('<c t="str"><v>remark</v></c>'),
        "xl/worksheets/c.xml": sheet(NAMES, '<c r="C2" t="str"><v>hidden</v></c>'),
    }
    path.write_bytes(zipped(members | more))
    return path


def test_rows_are_documents_and_columns_are_chosen_as_in_tables(tmp_path: Path) -> None:
    path = workbook(
        tmp_path / "a.xlsx",
        NAMES,
        '<c r="A2" t="inlineStr"><is><t>First</t></is></c><c r="C2" t="s"><v>3</v></c>'
        '<c r="AA2" s="1"><v>43831</v></c>',
        '<c r="A3" t="str"><v>No text</v></c><c r="C3" t="e"><v>#N/A</v></c>',
        '<c r="C4" t="str"><v>no title</v></c><c r="AA4" s="2"><v>43831.5</v></c>',
        '<c r="C5" t="str"><v>a year</v></c><c r="AA5" s="3"><v>2019</v></c>',
    )
    records, skipped = read_and_skipped(path)
    assert [record[:5] for record in records] == [
        ("First\n\nDeep nets", "1", "First", "2020-01-01", ""),
        ("no title", "3", "", "2020-01-01", ""),
        ("a year", "4", "", "2019", ""),
    ]
    assert [where.removeprefix(str(path)) for where in skipped] == [", row 2", ", sheet 'Notes'"]


def test_columns_can_be_named_and_days_counted_from_1904(tmp_path: Path) -> None:
    row = '<c t="str"><v>text</v></c><c/><c/><c r="AA2" s="1"><v>1</v></c>'
    path = workbook(tmp_path / "a.xlsx", NAMES, row, settings='date1904="1"')
    (record,) = read(path, text="Title", title="Abstract")
    assert record[:4] == ("text", "1", "", "1904-01-02")


REMARK = '<c t="str"><v>Papers of 2020</v></c>'
ROW = '<c r="C9" t="str"><v>one</v></c>'


def test_rows_above_the_names_of_columns_are_left_out_and_have_given_numbers(
    tmp_path: Path,
) -> None:
    path = workbook(tmp_path / "a.xlsx", REMARK, "", NAMES, ROW)
    records, skipped = read_and_skipped(path)
    assert [record.text for record in records] == texts_in(path, skip_rows=2) == ["one"]
    assert skipped[f"{path}, 1 row"] == "above the row that names the columns"
    sheets = sheet(REMARK, NAMES, ROW).split("<row>")
    numbered = sheets[0] + "".join(f'<row r="{9 * k}">{one}' for k, one in enumerate(sheets[1:], 1))
    workbook(path, **{"xl/worksheets/a.xml": numbered})
    assert texts_in(path, skip_rows=17) == ["one"]
    with pytest.raises(DocumentsError, match="no column is named text"):
        read(path, skip_rows=18)
    with pytest.raises(DocumentsError, match="skip_rows=99: it has no more rows; give a smaller"):
        read(path, skip_rows=99)


def test_odd_characters_and_values_out_of_range_are_read(tmp_path: Path) -> None:
    row = '<c r="C2" t="str"><v>one_x000D_\ntwo_x005F_x000D_</v></c>'
    (record,) = read(workbook(tmp_path / "a.xlsx", NAMES, row))
    assert record.text == "one\r\ntwo_x000D_"
    row = '<c r="C2" t="s"><v>99</v></c><c r="AA2" s="1"><v>1e300</v></c>'
    row += '<c r="A2" s="x"><v>7</v></c>'
    (record,) = read(workbook(tmp_path / "a.xlsx", NAMES, row))
    assert record[:5] == ("7\n\n99", "1", "7", "1e300", "")


def test_a_sheet_can_be_chosen_and_one_without_texts_is_told(tmp_path: Path) -> None:
    other = {"xl/worksheets/b.xml": sheet(NAMES, ROW.replace("one", "two"))}
    path = workbook(tmp_path / "a.xlsx", NAMES, ROW, **other)
    assert texts_in(path) == ["one", "two"]
    assert texts_in(path, sheet="Notes") == ["two"]
    with pytest.raises(DocumentsError, match="no sheet 'Old notes'; the sheets are 'Papers'"):
        read(path, sheet="Old notes")
    path = workbook(tmp_path / "a.xlsx", '<c t="str"><v>number</v></c>')
    with pytest.raises(DocumentsError, match=r"no column is named text, .* one of 'number'"):
        read(path)
    written(tmp_path / "b.csv", "text\none\n")
    _, skipped = read_and_skipped(tmp_path)
    assert list(skipped) == ["a.xlsx"]  # and not the sheet, too
    with pytest.raises(DocumentsError, match="it has no sheet with rows"):
        read(workbook(tmp_path / "a.xlsx", **{"xl/worksheets/b.xml": sheet()}))
    path.write_bytes(zipped({"a": "x"}))
    with pytest.raises(DocumentsError, match="has no sheet with rows"):
        read(path)


@pytest.mark.parametrize("data", [b"PK", bomb("xl/sharedStrings.xml")])
def test_damage_and_bombs_are_told(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.xlsx").write_bytes(data)
    (tmp_path / "b.txt").write_text("text")
    records, skipped = read_and_skipped(tmp_path)
    assert ([record.id for record in records], list(skipped)) == (["b.txt"], ["a.xlsx"])
    with pytest.raises(DocumentsError, match=r"a\.xlsx"):
        read(tmp_path / "a.xlsx")


def test_polars_without_threads_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLARS_MAX_THREADS", "0")
    (tmp_path / "x.csv").write_text("text\na b\n")
    with pytest.raises(OptionError, match="POLARS_MAX_THREADS=0: use a number of"):
        read(tmp_path / "x.csv")
