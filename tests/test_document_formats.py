"""Files that hold one document each: its text, its title, and the message if it is none."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax import lexbor

from hlta import DocumentsError, read_corpus
from hlta._support import limited
from hlta.reading.formats import pdf as pdf_files
from hlta.reading.formats.html import html_text
from hlta.reading.formats.markup import xml_text
from hlta.reading.formats.notebooks import notebook_text
from hlta.reading.formats.office import docx_text, epub_text, odt_text, pptx_text
from hlta.reading.formats.pdf import _HYPHEN, pdf_text
from hlta.reading.formats.rtf import rtf_text
from hlta.reading.formats.single_documents import _OF_BYTES, _OF_TEXT
from hlta.reading.formats.subtitles import subtitles_text
from hlta.reading.records import Record
from hlta.reading.sources import MANY, read_documents
from tests import samples
from tests.pdfs import pdf
from tests.zipped import LAUGHS, zipped

DOCS = Path(__file__).parents[1] / "docs"


def test_every_ending_is_in_the_documentation() -> None:
    page = (DOCS / "explanation" / "text.md").read_text(encoding="utf-8")
    endings = {*_OF_BYTES, *_OF_TEXT, *MANY, ".eml", ".xml"}
    assert [ending for ending in sorted(endings) if f"`{ending}`" not in page] == []


# ---- HTML ----------------------------------------------------------------------------------------


def test_html_is_read_as_its_reader_sees_it(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(samples.HTML)
    (tmp_path / "b.htm").write_text("<p>größe", encoding="latin-1")
    a, b = read_documents(tmp_path)
    assert a.title == "On networks"
    assert a.text == "Deep neural networks\n\nlearn & grow 😀 boldx\n\ncell\n\nother\n\n<p>"
    assert b.text == "größe"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<h2>Deep nets</h2>learn<hr>more", "Deep nets\n\nlearn\n\nmore"),
        ("<ul><li>one<li>two <i>more</i></ul>three", "one\n\ntwo more\n\nthree"),
        ("<table><tr><td>one<td>two<tr><td>three</table>", "one\n\ntwo\n\nthree"),
        ("<p>one<br>two\n\n  three", "one\ntwo\nthree"),
        ("<p>one<br><br>two<br> <br>\n<br>three", "one\n\ntwo\n\nthree"),
        ("H<sub>2</sub>O <a>one</a><a>two</a>, <a>net</a>s", "H2O one two, nets"),
        ("<span>a</span>mid<span>b</span><img>c<svg></svg>d", "amidb c d"),
        ("one<nav>x</nav>two<form>x</form>three<center>four", "one\n\ntwo\n\nthree\n\nfour"),
        ("", ""),
    ],
)
def test_html_is_divided_into_paragraphs(body: str, text: str) -> None:
    assert html_text(f"<title>Title</title><body>{body}") == Record(text, "", "Title")


@pytest.mark.parametrize(
    "nest", ["<div>{}</div>", "<b>{}", "<ul><li>{}", "<div></b>{}", "<table><tr><td>{}</table>"]
)
def test_no_page_is_deeper_than_parsing_is_fast(monkeypatch: pytest.MonkeyPatch, nest: str) -> None:
    deepest = 0

    def parse(page: str) -> Any:
        nonlocal deepest
        begun = len(re.findall(r"<(?:div|b|ul|table)>", page))
        deepest = max(deepest, begun)
        return parser(page)

    parser = lexbor.LexborHTMLParser
    monkeypatch.setattr(lexbor, "LexborHTMLParser", parse)
    begin, end = nest.split("{}")
    page = begin * 5000 + "<p>text" + end * 5000
    assert html_text(page).text.strip() == "text"
    assert deepest <= 500
    usual = "<p>one<br>" * 600 + "<div>" * 99 + "<div>two</div>" * 600 + "</div>" * 99
    assert html_text(usual).text == "\n\n".join(["one"] * 600 + ["two"] * 600)


# ---- XML -----------------------------------------------------------------------------------------


def test_the_text_of_all_elements_of_xml_is_read() -> None:
    assert xml_text(samples.XML.encode()).text.split("\n") == [
        "On nets",
        "one",
        "two & Größe",
        "<three>",
    ]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "windows-1251", "koi8-r", "shift_jis", "utf-16", "utf-8-sig"]
)
def test_the_encoding_of_xml_is_the_one_declared(encoding: str) -> None:
    text = "наука"
    page = f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig")}"?><a>{text}</a>'
    assert xml_text(page.encode(encoding)).text == text


@pytest.mark.parametrize("codec", ["none-such", "rot13", "hex", "bz2", "punycode", "undefined"])
def test_a_codec_that_is_no_encoding_of_files_is_guessed(codec: str) -> None:
    page = f'<?xml version="1.0" encoding="{codec}"?><a>Größe</a>'
    assert xml_text(page.encode()).text == "Größe"


@given(st.text(st.characters(exclude_categories=["C", "Z"])))
def test_text_of_xml_is_read_as_it_is_written(text: str) -> None:
    assert xml_text(f"<a>{escape(text)}</a>".encode()).text == text


def test_elements_and_groups_may_be_nested_however_deep_and_are_read_in_linear_time() -> None:
    assert xml_text(b"<a>" * 100_000 + b"text" + b"</a>" * 100_000).text == "text"
    assert text_of("{" * 200_000 + "x" + "\\" * 200_000).startswith("x")


# ---- Rich Text Format ----------------------------------------------------------------------------


def text_of(body: str) -> str:
    return rtf_text(rf"{{\rtf1\ansi\ansicpg1252\deff0 {body}}}").text


def test_rtf_is_read_as_its_reader_sees_it() -> None:
    record = rtf_text(samples.RTF)
    assert record.title == "On nets"
    assert " ".join(record.text.split()) == "Deep neural nets link Наука Größe —’{\\} note€"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"\u1053?\u1072?\'3fx", "На?x"),
        (r"\uc2\u1053\'3f\'3fx\uc0\u1072 y", "Нxаy"),
        (r"{\uc0\u1053}\u1072?x", "Наx"),
        (r"\u-10179?\u-8704?", "😀"),
        (r"\bin3 }}}x", "x"),
        (r"{\*\shpinst{\shptxt box}}", "box"),
        ("a\r\nb\\\nc", "ab\n\nc"),
        (r"{\fonttbl{\f0\fcharset128 Mincho;}}\f0\'93\'8c\'8b\'9e", "東京"),
        (r"}}}} x", " x"),
        (r"{{{{ x \'zz", " x 'zz"),
    ],
)
def test_letters_and_groups_of_rtf(body: str, text: str) -> None:
    assert text_of(body).rstrip() == text


# ---- Word, PowerPoint, OpenDocument and EPUB -----------------------------------------------------


_DOCUMENT = "word/document.xml"


def test_a_word_document_is_read_as_its_reader_sees_it() -> None:
    record = docx_text(zipped(samples.DOCX))
    lines = record.text.split("\n")
    expected = ["Deep neural nets", "Größe", "& more", "cell", "other", "box", "note"]
    assert [line for line in lines if line] == expected
    assert (record.title, record.date) == ("On nets", "2021-03-04")


def test_slides_are_read_in_order_and_then_the_notes() -> None:
    record = pptx_text(zipped(samples.PPTX))
    assert record.text.split("\n\n")[:4] == ["slide 1", "slide 2", "slide 10", "said aloud"]
    assert record.title == "On nets"


def test_an_opendocument_is_read_without_remarks() -> None:
    record = odt_text(zipped(samples.ODT))
    assert [part.strip() for part in record.text.split("\n\n")] == ["Heading", "one two\nthree", ""]
    assert (record.title, record.date) == ("T", "2022-01-01")


def test_the_chapters_of_a_book_are_read_in_the_order_of_the_book() -> None:
    record = epub_text(zipped(samples.EPUB))
    assert record.text.split() == ["first", "second", "é"]
    assert (record.title, record.date) == ("Book", "1999")


@pytest.mark.parametrize("reader", [docx_text, pptx_text, odt_text, epub_text])
def test_what_holds_nothing_of_the_kind_or_is_cut_off_is_told(reader: Any) -> None:
    for data in (zipped({"a.txt": "x"}), zipped({"META-INF/container.xml": "<container/>"})):
        with pytest.raises(DocumentsError, match="it holds no "):
            reader(data)
    data = zipped(samples.DOCX)
    for end in (2, *range(0, len(data), 97)):
        with pytest.raises(DocumentsError, match="it is damaged"):
            reader(data[:end])


def test_members_that_together_are_a_bomb_are_refused(tmp_path: Path) -> None:
    member = b"<a>" + b"a" * (9 << 20) + b"</a>"
    docx_text(zipped({_DOCUMENT: member}))  # alone, it is none
    bomb = zipped({_DOCUMENT: member, "word/endnotes.xml": member})
    (tmp_path / "a.docx").write_bytes(bomb)
    with pytest.raises(DocumentsError, match=r"a\.docx' cannot be read: it unpacks to more than"):
        read_corpus(tmp_path / "a.docx")


# ---- Jupyter notebooks ---------------------------------------------------------------------------


def test_prose_and_code_of_notebooks_are_read() -> None:
    record = notebook_text(json.dumps(samples.NOTEBOOK))
    assert " ".join(record.text.split()) == "# no title import numpy # On nets Deep nets a b"
    assert record.title == "On nets"


# ---- subtitles -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        (samples.SRT, "Deep nets/learn & grow./1984 was a year < now > then."),
        (
            samples.SRT.replace("\n", "\r\n"),
            "Deep nets/learn & grow./1984 was a year < now > then.",
        ),
        (samples.VTT, "Deep nets/learn"),  # captions that roll stand once
    ],
)
def test_of_subtitles_what_is_spoken_is_read(text: str, spoken: str) -> None:
    assert subtitles_text(text).text.split("\n") == spoken.split("/")


# ---- PDF -----------------------------------------------------------------------------------------


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Iterator[pdf_files._Reader]:
    """A reader of its own."""
    made = pdf_files._Reader()
    monkeypatch.setattr(pdf_files, "_reader", made)
    yield made
    made.end()


def test_pages_of_a_pdf_are_read_and_broken_files_skipped(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf(["Deep neural net-", "works learn."], "On networks"))
    (tmp_path / "b.PDF").write_bytes(pdf(["Second paper"]))
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    (tmp_path / "empty.pdf").write_bytes(pdf([]))
    skipped: dict[str, str] = {}
    records = list(read_documents(tmp_path, on_skip=skipped.__setitem__))
    assert [(r.id, r.title) for r in records] == [("a.pdf", "On networks"), ("b.PDF", "")]
    assert "Deep neural networks learn." in records[0].text
    assert "it is not a readable PDF" in skipped["broken.pdf"]
    assert skipped["empty.pdf"] == "it has no text"


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("program", ["import sys; sys.exit(1)", "import time; time.sleep(60)"])
def test_a_crash_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    (tmp_path / "crash.py").write_text(program)
    with monkeypatch.context() as context:
        context.setattr(pdf_files, "_PROGRAM", tmp_path / "crash.py")
        context.setattr(limited, "_LONGEST", 0.5)
        for _ in range(2):
            with pytest.raises(DocumentsError, match="it is damaged, or takes too much memory"):
                pdf_text(pdf(["text"]) + b" " * 1_000_000)
    assert pdf_text(pdf(["text"])).text.strip() == "text"


def test_hyphens_go_where_a_word_goes_on_in_the_next_line() -> None:
    text = "net-\nwork, so-\r\n\n called, a-b, 3-\n4, re\u2010 \n\tading, soft\u00ad hyphen"
    expected = "network, socalled, a-b, 3-\n4, reading, softhyphen"
    assert _HYPHEN.sub("", text) == expected
    no_word = "a-" + "\n" * 1_000_000 + "1"  # is one look
    assert _HYPHEN.sub("", no_word) == no_word


# ---- what is no document of the kind ----------------------------------------------------------


@pytest.mark.parametrize(
    ("reader", "data", "message"),
    [
        *((xml_text, page, "is not valid XML") for page in (b"", b"<a>", b"<a></b>", b"no xml")),
        (xml_text, b"<a>\x00</a>", "it is not valid XML"),
        *((notebook_text, data, "it is not ") for data in ("", "[" * 100_000, "{}", "[]")),
        *((notebook_text, f'{{"cells": {cells}}}', "it is not ") for cells in ("{}", "[1]")),
        (rtf_text, "text", "it is not RTF"),
        (subtitles_text, "just text", "no timings"),
    ],
)
def test_what_is_nothing_of_the_kind_is_told(reader: Any, data: Any, message: str) -> None:
    with pytest.raises(DocumentsError, match=message):
        reader(data)
    assert subtitles_text(" \n").text == ""


def test_entities_are_not_expanded_and_odd_archives_are_told() -> None:
    bomb = zipped({_DOCUMENT: LAUGHS})
    for reader, data in ((xml_text, LAUGHS.encode()), (docx_text, bomb)):
        with pytest.raises(DocumentsError, match="it declares entities"):
            reader(data)
    for place, value in ((8, 1), (10, 99)):  # it is encrypted, or compressed in another way
        odd = bytearray(zipped({_DOCUMENT: "<a/>"}))
        odd[odd.index(b"PK\1\2") + place] = value  # in the list of members
        with pytest.raises(DocumentsError, match="it cannot be unpacked"):
            docx_text(bytes(odd))
