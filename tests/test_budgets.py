"""Files of a few bytes that stand for endless texts, tags or work: they end soon, with a sentence.

Before there were limits, each took minutes, gigabytes, or both.
"""

import gzip
import io
import warnings
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final
from xml.parsers import expat

import polars as pl
import pytest

from hlta import load
from hlta.errors import DocumentsError, FormatError
from hlta.reading import budget
from hlta.reading.budget import within_budget
from hlta.reading.formats import markup
from hlta.reading.formats.html import html_text
from hlta.reading.formats.markup import BEGIN, events
from hlta.reading.formats.office import docx_text
from hlta.reading.records import ReadOptions, Record, Source
from hlta.reading.sources import read_documents
from tests.zipped import zipped

_ROW: Final = "<row><c t='str'><v>text</v></c></row>"


def _workbook(rows: str, sheets: int = 1, shared: str = "") -> bytes:
    """A workbook with one member of rows, which some sheets name."""
    names = "".join(f"<sheet name='{k}' r:id='i{k}'/>" for k in range(sheets))
    places = "".join(f"<Relationship Id='i{k}' Target='s.xml'/>" for k in range(sheets))
    return zipped(
        {
            "xl/workbook.xml": f"<w>{names}</w>",
            "xl/_rels/workbook.xml.rels": f"<r>{places}</r>",
            "xl/sharedStrings.xml": f"<s><si><t>text</t></si><si><t>{shared}</t></si></s>",
            "xl/s.xml": f"<s>{rows}</s>",
        }
    )


def _texts(path: Path, content: bytes | str) -> list[str]:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return [record.text for record in read_documents(path)]


# ---- a file -----------------------------------------------------------------------------------


def _endless(source: Source, *, skipped: bool = False) -> Iterator[Record]:
    while True:
        if skipped:
            source.skip("row", "it has no text")
        else:
            yield Record("text", "")


@pytest.mark.parametrize("skipped", [False, True])
def test_documents_per_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, skipped: bool) -> None:
    monkeypatch.setattr(budget, "_ALWAYS_DOCUMENTS", 5)
    (path := tmp_path / "a").write_bytes(b"ab")
    places: list[str] = []
    source = Source("a", ReadOptions(), skip=lambda where, _: places.append(where))
    records = within_budget(path, source, partial(_endless, skipped=skipped))
    with pytest.raises(DocumentsError, match=r"more than 16 documents in 2 bytes; write its texts"):
        places.extend(record.text for record in records)
    assert len(places) == 16


def test_a_file_holds_so_much_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "_ALWAYS_TEXT", 1)
    (path := tmp_path / "a").write_bytes(b"a" * 10)
    records = within_budget(path, Source("a", ReadOptions()), _endless)
    assert [next(records).text for _ in range(500)] == ["text"] * 500
    with pytest.raises(DocumentsError, match="more than 0 MB of text in 10 bytes"):
        next(records)


def test_a_text_to_which_many_rows_of_parquet_refer(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pl.DataFrame({"text": pl.repeat("some words " * 4000, 20_000, eager=True)}).write_parquet(path)
    assert path.stat().st_size < 5000
    with pytest.raises(DocumentsError, match=r"a\.parquet' cannot be read: it holds more"):
        list(read_documents(path))


def test_a_row_of_parquet_that_is_repeated(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pl.DataFrame({"text": pl.repeat("a b", 1_100_000, eager=True)}).write_parquet(path)
    (tmp_path / "b.txt").write_text("text")
    reasons: dict[str, str] = {}
    records = read_documents(tmp_path, on_skip=reasons.__setitem__)
    assert sum(1 for _ in records) == (1 << 20) + 1
    assert reasons.keys() == {"a.parquet"}
    assert "1,048,576 documents before that were read" in reasons["a.parquet"]


# ---- workbooks --------------------------------------------------------------------------------


def test_a_sheet_that_a_workbook_names_often_is_read_once(tmp_path: Path) -> None:
    texts = _texts(tmp_path / "a.xlsx", _workbook(_ROW * 3000, sheets=3000))
    assert texts == ["text"] * 2999


def test_a_text_that_many_cells_share(tmp_path: Path) -> None:
    cells = "".join(f"<row><c t='s'><v>{k}</v></c></row>" for k in [0, *[1] * 1000])
    with pytest.raises(DocumentsError, match="more than 64 MB of text"):
        _texts(tmp_path / "a.xlsx", _workbook(cells, shared="some words " * 10_000))


def test_rows_take_no_longer_for_columns_that_are_not_used(tmp_path: Path) -> None:
    names = "".join(f"<c t='str'><v>{k}</v></c>" for k in range(15_000))
    rows = _ROW.replace("</row>", f"{names}</row>") + _ROW.replace("text", "a b") * 15_000
    assert _texts(tmp_path / "a.xlsx", _workbook(rows)) == ["a b"] * 15_000


# ---- other zip archives -----------------------------------------------------------------------


def test_members_with_one_name_are_one_member(tmp_path: Path) -> None:
    file = io.BytesIO()
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(file, "w") as archive:
        for _ in range(2000):
            archive.writestr("ppt/slides/slide1.xml", "<a><t>word</t></a>")
    assert _texts(tmp_path / "a.pptx", file.getvalue()) == ["word"]


def test_many_slides_are_looked_up_at_once(tmp_path: Path) -> None:
    slides: dict[str, str | bytes] = {
        f"ppt/slides/slide{k}.xml": "<a><t>w</t></a>" for k in range(20_000)
    }
    assert _texts(tmp_path / "a.pptx", zipped(slides)) == ["w" * 20_000]


def test_chapters_with_one_place_are_one_chapter(tmp_path: Path) -> None:
    hrefs = ["./" * k + "c.html" for k in range(1000)]
    items = "".join(f"<item id='i{k}' href='{href}'/>" for k, href in enumerate(hrefs))
    order = "".join(f"<itemref idref='i{k}'/>" for k in range(1000))
    book: dict[str, str | bytes] = {
        "META-INF/container.xml": "<c><rootfile full-path='p.opf'/></c>",
        "p.opf": f"<p>{items}{order}</p>",
        "c.html": "<p>word</p>",
    }
    assert _texts(tmp_path / "a.epub", zipped(book)) == ["word"]


def test_tags_are_counted() -> None:
    data = zipped({"word/document.xml": "<w>" + "<a/>" * markup._ALWAYS_TAGS + "</w>"})
    with pytest.raises(DocumentsError, match="more than 2,097,152 tags"):
        docx_text(data)


def test_the_parser_reads_no_long_tag_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """For n blocks of a tag, it is asked some log n times, not n times."""
    asked: list[int] = []
    create = expat.ParserCreate

    class Counting:
        """A parser that notes how much it is given at a time."""

        def __init__(self, encoding: str) -> None:
            vars(self)["parser"] = create(encoding)

        def __getattr__(self, name: str) -> Any:
            return getattr(vars(self)["parser"], name)

        def __setattr__(self, name: str, value: Any) -> None:
            setattr(vars(self)["parser"], name, value)

        def Parse(self, data: bytes, is_final: bool) -> Any:  # noqa: N802
            asked.append(len(data))
            return vars(self)["parser"].Parse(data, is_final)

    monkeypatch.setattr(expat, "ParserCreate", Counting)
    pieces = [b"<r><!--", *[b"a" * 1000] * 1000, b"--><b/></r>"]
    found = [what for step, what, _ in events(pieces) if step == BEGIN]
    assert found == ["r", "b"]
    assert sum(asked) == sum(map(len, pieces))
    assert len(asked) < 20


def test_the_header_of_a_model_has_a_length(tmp_path: Path) -> None:
    (path := tmp_path / "a.hlta").write_bytes(
        zipped({"header.json": "[" + "[]," * 4_000_000 + "[]]"})
    )
    with pytest.raises(FormatError, match=r"its header\.json is far too long"):
        load(path)


# ---- pages, tables, mail ----------------------------------------------------------------------


@pytest.mark.parametrize("between", [" ", "/", "='<'"])
def test_a_tag_with_many_attributes(between: str) -> None:
    page = f"<p {between.join(f'a{k}' for k in range(80_000))}>one<p>two"
    assert html_text(page) == Record("one\n\ntwo", "")


def test_a_list_with_many_options() -> None:
    text = html_text("<p>one</p><select>" + "<option>x" * 60_000 + "</select><p>two</p>").text
    assert text.startswith("one\n\nx\n\nx")
    assert text.endswith("two")


def test_values_of_attributes_may_hold_tags() -> None:
    page = "<p>one" + "<a title='<b>'>x</a>" * 600 + "<p>two"
    assert html_text(page).text.split("\n\n") == ["one" + " ".join(["x"] * 600), "two"]


def test_a_page_with_too_many_tags(tmp_path: Path) -> None:
    with pytest.raises(DocumentsError, match="more than 1,048,576 tags"):
        _texts(tmp_path / "a.html.gz", gzip.compress(b"<b>a</b>" * (1 << 20)))
    with pytest.raises(DocumentsError, match="more than 2,097,152 tags"):
        _texts(tmp_path / "a.xml", b"<b>" * ((1 << 21) + 1))


@pytest.mark.parametrize("row", ['1,"{}"\n', '1,"{}', "1,{}\n"])
def test_a_field_that_is_too_long(tmp_path: Path, row: str) -> None:
    table = "id,text\n" + row.format("word " * 18_000_000)
    with pytest.raises(DocumentsError, match="line 2, does not end within 67,108,864 characters"):
        _texts(tmp_path / "a.csv", table)


def test_a_header_with_many_parameters(tmp_path: Path) -> None:
    parameters = "".join(f';\n a{k}="b"' for k in range(240_000))
    mail = f"From: a\nSubject: b\nMIME-Version: 1.0\nContent-Type: text/plain{parameters}\n\nc d"
    assert _texts(tmp_path / "a.eml", mail) == ["b\n\n\nc d"]
