"""Files of a few bytes that stand for endless texts, tags or work: they end soon, with a sentence.

Before there were limits, each took minutes, gigabytes, or both. What Python does again and again is
counted in `test_doubling.py`.
"""

import gzip
import io
import sys
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest

from hlta import load
from hlta.errors import DocumentsError, FormatError
from hlta.reading import budget
from hlta.reading.budget import within_budget
from hlta.reading.formats import markup
from hlta.reading.formats.html import html_text
from hlta.reading.formats.markup import BEGIN, events, xml_text
from hlta.reading.records import ReadOptions, Record, Source
from hlta.reading.sources import read_documents
from hlta.reading.tables import blocks, json_documents
from tests.pdfs import pdf
from tests.zipped import zipped

_ROW: Final = "<row><c t='str'><v>text</v></c></row>"
_NAMES: Final = [f"a{k}" for k in range(80_000)]
_FONTS: Final = "".join(f"<font size={k}>" for k in range(495))


def _workbook(rows: str, sheets: int = 1, shared: str = "", styles: str = "<s/>") -> bytes:
    """A workbook with one member of rows, which some sheets name."""
    names = "".join(f"<sheet name='{k}' r:id='i{k}'/>" for k in range(sheets))
    places = "".join(f"<Relationship Id='i{k}' Target='s.xml'/>" for k in range(sheets))
    return zipped(
        {
            "xl/workbook.xml": f"<w>{names}</w>",
            "xl/_rels/workbook.xml.rels": f"<r>{places}</r>",
            "xl/sharedStrings.xml": f"<s><si><t>text</t></si><si><t>{shared}</t></si></s>",
            "xl/s.xml": f"<s>{rows}</s>",
            "xl/styles.xml": styles,
        }
    )


def _word_document(content: str) -> bytes:
    return zipped({"word/document.xml": f"<!DOCTYPE w SYSTEM 'w'><w>{content}"})


def _texts(path: Path, content: bytes | str) -> list[str]:
    data = content.encode() if isinstance(content, str) else content
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return [record.text for record in read_documents(path)]


def _endless(source: Source, *, skipped: bool = False) -> Iterator[Record]:
    while True:
        if skipped:
            source.skip("row", "it has no text")
        else:
            yield Record("text", "")


@pytest.mark.parametrize("skipped", [False, True])
def test_documents_per_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, skipped: bool) -> None:
    monkeypatch.setattr(budget, "ALWAYS_STEPS", 5)
    (path := tmp_path / "a").write_bytes(b"ab")
    places: list[str] = []
    source = Source("a", ReadOptions(), skip=lambda where, _: places.append(where))
    records = within_budget(path, source, partial(_endless, skipped=skipped))
    message = r"more than 5 documents, rows or lines in 2 bytes; write"
    with pytest.raises(DocumentsError, match=message):
        places.extend(record.text for record in records)
    assert len(places) == 5


def test_a_file_holds_so_much_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "_ALWAYS_TEXT", 1)
    (path := tmp_path / "a").write_bytes(b"a" * 10)
    records = within_budget(path, Source("a", ReadOptions()), _endless)
    assert [next(records).text for _ in range(500)] == ["text"] * 500
    with pytest.raises(DocumentsError, match="more than 0 MB of text in 10 bytes"):
        next(records)
    monkeypatch.setattr(budget, "MOST_RATIO", 1)
    record = Record("a", "", kept=(("b", "c" * 10),))  # what columns keep is counted, too
    with pytest.raises(DocumentsError, match="of text in 10 bytes"):
        list(within_budget(path, Source("a", ReadOptions()), lambda _: iter([record])))


def test_a_text_to_which_many_rows_of_parquet_refer(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pl.DataFrame({"text": pl.repeat("some words " * 4000, 500, eager=True)}).write_parquet(path)
    assert path.stat().st_size < 5000
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(budget, "_ALWAYS_TEXT", 1 << 20)
        with pytest.raises(DocumentsError, match=r"a\.parquet' cannot be read: it holds more"):
            list(read_documents(path))


def test_a_row_of_parquet_that_holds_an_endless_list(tmp_path: Path) -> None:
    """Without memory, Polars waited for itself, and we for it."""
    texts = pl.repeat("a", 9_000_000, eager=True).alias("text").implode()
    texts.to_frame().write_parquet(path := tmp_path / "a.parquet")
    with pytest.raises(DocumentsError, match="a row holds too much; write it in several rows"):
        list(read_documents(path))


def test_a_row_of_parquet_that_is_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "ALWAYS_STEPS", 5000)
    path = tmp_path / "a.parquet"
    pl.DataFrame({"text": pl.repeat("a b", 20_000, eager=True)}).write_parquet(path)
    (tmp_path / "b.txt").write_text("text")
    reasons: dict[str, str] = {}
    records = read_documents(tmp_path, on_skip=reasons.__setitem__)
    assert sum(1 for _ in records) == 5001
    assert reasons.keys() == {"a.parquet"}
    assert "5,000 documents before that were read" in reasons["a.parquet"]


_BLANK: Final = b"\n" * (1 << 15)
_JSON: Final = b'{"text": "a b"}\n'
_SHARED: Final = "".join(f"<row><c t='s'><v>{k}</v></c></row>" for k in [0, *[1] * 1000])
_PARTS: Final = "From: a\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
_NESTED: Final = "Content-Type: multipart/mixed; boundary=c\n\n" + "--c\n\n" * 100
_MAIL: Final = b"From a 00:00 2020\nFrom: a\n" + b"\n" * 2000 + b"b\n\n"
_ROWS: Final = "more than 4,096 documents, rows or lines"
_TAGS: Final = "more than 16,384 tags and entities"
_COLUMNS: Final = "has more than 16,384 columns; leave out those"
_LONG: Final = "line 1, has more than 4,096 characters; correct"


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that are reached soon, where the usual ones take a while."""
    monkeypatch.setattr(budget, "ALWAYS_STEPS", 1 << 12)
    monkeypatch.setattr(markup, "_ALWAYS_TAGS", 1 << 14)
    monkeypatch.setattr(json_documents, "_LONGEST", 1 << 12)
    monkeypatch.setattr(blocks, "LONGEST", 1 << 14)


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv.gz", lambda: b"text\na b\n" + _BLANK + b"a b\n", _ROWS),
        ("a.txt.gz", lambda: b"a b\n" + _BLANK + b"a b\n", _ROWS),
        ("a.jsonl.gz", lambda: _JSON + _BLANK + _JSON, _ROWS),
        ("a.mbox.gz", lambda: _MAIL * 3, _ROWS),
        ("a.xlsx", lambda: _workbook(_SHARED, shared="some words " * 10_000), "64 MB of text"),
        ("a.html.gz", lambda: b"<b>a</b>" * (1 << 20), "more than 524,288 tags"),
        ("a.xml", lambda: b"<b>" * 16_385, _TAGS),
        ("a.docx", lambda: _word_document("<a/>" * 16_385), _TAGS),
        ("a.docx", lambda: _word_document("&x;" * 16_385), _TAGS),
        ("a.csv", lambda: "text{0}\na b{0}\n".format("," * 500_000), _COLUMNS),
        ("a.jsonl.gz", lambda: b'{"text": [' + b'{"":0},' * 1000 + b"0]}\n", _LONG),
        ("a.rtf", lambda: "{\\rtf1 " + "{}" * (1 << 22), "more than 8,388,608 codes"),
        ("a.eml", lambda: _PARTS + "--b\n\n" * 10_001, "more than 10,000 parts, too many for a"),
        ("a.eml", lambda: _PARTS + ("--b\n" + _NESTED) * 101, "more than 10,000 parts, too many"),
    ],
)
def test_what_a_file_holds_has_a_limit(
    tmp_path: Path, name: str, content: Callable[[], bytes | str], message: str
) -> None:
    with pytest.raises(DocumentsError, match=message):
        _texts(tmp_path / name, content())


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("row", ['1,"{}"\n', '1,"{}', "1,{}\n"])
def test_rows_have_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, row: str) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 1 << 10)
    monkeypatch.setattr(blocks, "FIRST", 1 << 10)
    with pytest.raises(DocumentsError, match="line 2, does not end within 16,384 characters"):
        _texts(tmp_path / "a.csv", "id,text\n" + row.format("word " * 5000))


def test_what_a_file_names_often_is_read_once(tmp_path: Path) -> None:
    texts = _texts(tmp_path / "a.xlsx", _workbook(_ROW * 3000, sheets=3000))
    assert texts == ["text"] * 2999
    file = io.BytesIO()
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(file, "w") as archive:
        for _ in range(2000):
            archive.writestr("ppt/slides/slide1.xml", "<a><t>word</t></a>")
    assert _texts(tmp_path / "a.pptx", file.getvalue()) == ["word"]
    hrefs = ["./" * k + "c.html" for k in range(1000)]
    items = "".join(f"<item id='i{k}' href='{href}'/>" for k, href in enumerate(hrefs))
    order = "".join(f"<itemref idref='i{k}'/>" for k in range(1000))
    book: dict[str, str | bytes] = {
        "META-INF/container.xml": "<c><rootfile full-path='p.opf'/></c>",
        "p.opf": f"<p>{items}{order}</p>",
        "c.html": "<p>word</p>",
    }
    assert _texts(tmp_path / "a.epub", zipped(book)) == ["word"]


def test_rows_take_no_longer_for_columns_that_are_not_used(tmp_path: Path) -> None:
    names = "".join(f"<c t='str'><v>{k}</v></c>" for k in range(15_000))
    rows = _ROW.replace("</row>", f"{names}</row>") + _ROW.replace("text", "a b") * 15_000
    assert _texts(tmp_path / "a.xlsx", _workbook(rows)) == ["a b"] * 15_000


@pytest.mark.parametrize("code", ['"x"' * 200_000, "[" * 1_000_000])
def test_a_format_of_numbers_is_short_and_read_once(tmp_path: Path, code: str) -> None:
    """However many styles have it."""
    formats = f"<s><numFmt numFmtId='999' formatCode='{code}'/><cellXfs>"
    styles = formats + "<xf numFmtId='999'/>" * 30_000 + "</cellXfs></s>"
    book = _workbook(_ROW + _ROW.replace("text", "a b"), styles=styles)
    assert _texts(tmp_path / "a.xlsx", book) == ["a b"]


def test_elements_have_no_attributes_that_only_a_declaration_gives() -> None:
    page = "<!DOCTYPE r [<!ATTLIST a {}>]><r><a b='own'>text</a><a/></r>"
    few = page.format(f"b CDATA '{'x' * 500_000}' c CDATA 'x' d CDATA #IMPLIED").encode()
    assert [given for what, _, given in events([few]) if what == BEGIN] == [{}, {"b": "own"}, {}]
    many = page.format(" ".join(f"a{k} CDATA 'x'" for k in range(101))).encode()
    with pytest.raises(DocumentsError, match="it declares more than 100 attributes"):
        xml_text(many)


def test_the_parser_reads_no_long_tag_again_and_again() -> None:
    """For n blocks of a tag, it is asked some log n times, not n times."""
    pieces = [b"<r><!--", *[b"a" * 1000] * 1000, b"--><b/></r>"]
    called: list[str] = []

    def note(_: Any, event: str, of: Any) -> None:
        called.append(of.__name__ if event == "c_call" else event)

    sys.setprofile(note)
    try:
        found = [what for step, what, _ in events(pieces) if step == BEGIN]
    finally:
        sys.setprofile(None)
    assert found == ["r", "b"]
    assert 0 < called.count("Parse") < 20


def test_the_header_of_a_model_has_a_length(tmp_path: Path) -> None:
    header = "[" + "[]," * 4_000_000 + "[]]"
    (path := tmp_path / "a.hlta").write_bytes(zipped({"header.json": header}))
    with pytest.raises(FormatError, match=r"its header\.json is far too long"):
        load(path)


def test_pages_of_the_same_content(tmp_path: Path) -> None:
    """PDFium reads it again for each page."""
    data = pdf(["text"], pages=3000, drawn="0 0 m 9 9 l S " * 1000)
    with pytest.raises(DocumentsError, match="too many pages, and objects on them, for its size"):
        _texts(tmp_path / "a.pdf", data)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_forms_that_draw_each_other(tmp_path: Path) -> None:
    """Twelve of them would take days."""
    assert _texts(tmp_path / "a.pdf", pdf(["text"], drawn="/X Do", forms=4)) == ["text"]
    with pytest.raises(DocumentsError, match="takes too much memory or time"):
        _texts(tmp_path / "b.pdf", pdf(["text"], drawn="/X Do", forms=12))
    assert _texts(tmp_path / "c.pdf", pdf(["text"])) == ["text"]


@pytest.mark.parametrize(
    ("page", "text"),
    [
        *((f"<p {mark.join(_NAMES)}>one<p>two", "one\n\ntwo") for mark in (" ", "/", "='<'")),
        ("<p>one" + "<a title='<b>'>x</a>" * 600 + "<p>two", f"one{' '.join('x' * 600)}\n\ntwo"),
        (f"<p>{_FONTS}</p>" + "<p>a <b>b</b></p>" * 20_000, "\n\n".join(["a b"] * 20_000)),
    ],
    ids=["spaces", "slashes", "values", "tags in values", "never closed"],
)
def test_tags_and_attributes_without_end_are_read(page: str, text: str) -> None:
    assert html_text(page).text == text


def test_a_list_with_many_options() -> None:
    text = html_text("<p>one</p><select>" + "<option>x" * 60_000 + "</select><p>two</p>").text
    assert text.startswith("one\n\nx\n\nx")
    assert text.endswith("two")


def test_a_header_with_many_parameters(tmp_path: Path) -> None:
    parameters = "".join(f';\n a{k}="b"' for k in range(240_000))
    mail = f"From: a\nSubject: b\nMIME-Version: 1.0\nContent-Type: text/plain{parameters}\n\nc d"
    assert _texts(tmp_path / "a.eml", mail) == ["b\n\n\nc d"]


def test_a_table_with_too_many_columns_to_keep(tmp_path: Path) -> None:
    names = ",".join(f"c{k}" for k in range(8000))
    (path := tmp_path / "a.csv").write_text(f"text,{names}\n" + ("a b" + "," * 8000 + "\n") * 1000)
    message = 'keep="all" would keep 8,000 columns; give the names of at most 20'
    with pytest.raises(DocumentsError, match=message):
        list(read_documents(path, ReadOptions(keep="all")))


def test_objects_of_many_keys_are_not_remembered(tmp_path: Path) -> None:
    keys = ",".join(f'"{k}":0' for k in range(1000))
    lines = "".join(f'{{"text":"a b","k{k}":0,{keys}}}\n' for k in range(400))
    tracemalloc.start()
    assert _texts(tmp_path / "a.jsonl", lines) == ["a b"] * 400
    assert tracemalloc.get_traced_memory()[1] < 25e6
    tracemalloc.stop()
