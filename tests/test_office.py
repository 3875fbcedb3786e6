"""Word, PowerPoint, OpenDocument and EPUB."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hlta import DocumentsError, read_corpus
from hlta.reading.formats.office import docx_text, epub_text, odt_text, pptx_text
from tests.zipped import LAUGHS, zipped

if TYPE_CHECKING:
    from pathlib import Path

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
CORE = """<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>On
 nets</dc:title><dcterms:created>2021-03-04T10:00:00Z</dcterms:created></cp:coreProperties>"""


def docx(body: str, **more: str) -> bytes:
    document = f"<w:document {W}><w:body>{body}</w:body></w:document>"
    return zipped({"word/document.xml": document, "docProps/core.xml": CORE, **more})


def test_a_word_document_is_read_as_its_reader_sees_it() -> None:
    body = (
        "<w:p><w:pPr><w:pStyle w:val='x'/></w:pPr><w:r><w:t>Deep neu</w:t></w:r>"
        "<w:r><w:t>ral</w:t><w:tab/><w:t>nets</w:t></w:r></w:p>"
        "<w:p><w:del><w:r><w:delText>deleted</w:delText></w:r></w:del>"
        "<w:r><w:instrText>PAGEREF</w:instrText><w:t>Größe</w:t><w:br/><w:t>&amp; more</w:t></w:r></w:p>"
        "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>cell</w:t></w:r></w:p></w:tc>"
        "<w:tc><w:p><w:r><w:t>other</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
        "<mc:AlternateContent xmlns:mc='m'><mc:Choice><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Choice>"
        "<mc:Fallback><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent>"
    )
    note = "<w:footnote><w:p><w:r><w:t>note</w:t></w:r></w:p></w:footnote>"
    notes = f"<w:footnotes {W}>{note}</w:footnotes>"
    record = docx_text(docx(body, **{"word/footnotes.xml": notes}))
    lines = record.text.split("\n")
    assert [line for line in lines if line] == [
        *("Deep neural nets", "Größe", "& more", "cell", "other", "box", "note")
    ]
    assert (record.title, record.date) == ("On nets", "2021-03-04")


def test_slides_are_read_in_order_and_then_the_notes() -> None:
    def slide(text: str) -> str:
        return f"<p:sld xmlns:p='p' xmlns:a='a'><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:sld>"

    members = {f"ppt/slides/slide{n}.xml": slide(f"slide {n}") for n in (10, 2, 1)}
    notes = {"ppt/notesSlides/notesSlide1.xml": slide("said aloud")}
    record = pptx_text(zipped({**members, **notes, "docProps/core.xml": CORE}))
    assert record.text.split("\n\n")[:4] == ["slide 1", "slide 2", "slide 10", "said aloud"]
    assert record.title == "On nets"


def test_an_opendocument_is_read_without_remarks() -> None:
    content = """<office:document-content xmlns:office="o" xmlns:text="t" xmlns:dc="d"><office:body>
    <text:tracked-changes><text:p>deleted</text:p></text:tracked-changes><text:h>Heading</text:h>
    <text:p>one<text:s/>two<text:line-break/>th<office:annotation><text:p>remark</text:p>
    </office:annotation><text:span>ree</text:span></text:p></office:body>
    </office:document-content>"""
    meta = """<office:document-meta xmlns:office="o" xmlns:meta="m" xmlns:dc="d"><dc:title>T</dc:title>
    <dc:date>2022-01-01T00:00:00</dc:date></office:document-meta>"""
    record = odt_text(zipped({"content.xml": content, "meta.xml": meta}))
    assert [part.strip() for part in record.text.split("\n\n")] == ["Heading", "one two\nthree", ""]
    assert (record.title, record.date) == ("T", "2022-01-01")


def book(*chapters: str, package: str = "OEBPS/a.opf") -> dict[str, str | bytes]:
    items = "".join(f'<item id="c{n}" href="ch%20{n}.xhtml"/>' for n in range(len(chapters)))
    order = "".join(f'<itemref idref="c{n}"/>' for n in reversed(range(len(chapters))))
    return {
        "META-INF/container.xml": f'<container><rootfile full-path="{package}"/></container>',
        package: f'<package xmlns:dc="d"><metadata><dc:title>Book</dc:title><dc:date>1999</dc:date>'
        f"</metadata><manifest>{items}</manifest><spine>{order}</spine></package>",
        **{f"OEBPS/ch {n}.xhtml": f"<html><body><p>{c}</body>" for n, c in enumerate(chapters)},
    }


def test_the_chapters_of_a_book_are_read_in_the_order_of_the_book() -> None:
    pytest.importorskip("selectolax")
    record = epub_text(zipped(book("second &eacute;", "first")))
    assert record.text.split() == ["first", "second", "é"]
    assert (record.title, record.date) == ("Book", "1999")


@pytest.mark.parametrize("reader", [docx_text, pptx_text, odt_text, epub_text])
def test_what_holds_nothing_of_the_kind_is_told(reader: object) -> None:
    assert callable(reader)
    for data in (zipped({"a.txt": "x"}), zipped({"META-INF/container.xml": "<container/>"})):
        with pytest.raises(DocumentsError, match="it holds no "):
            reader(data)
    with pytest.raises(DocumentsError, match="it is damaged"):
        reader(b"PK")


def test_entities_are_not_expanded() -> None:
    with pytest.raises(DocumentsError, match="it declares entities, such as 'a'"):
        docx_text(zipped({"word/document.xml": LAUGHS}))


def test_a_document_that_is_cut_off_is_told() -> None:
    data = docx("<w:p><w:r><w:t>text</w:t></w:r></w:p>" * 1000)
    for end in range(0, len(data), 97):
        with pytest.raises(DocumentsError, match="it is damaged"):
            docx_text(data[:end])


def test_a_bomb_is_named(tmp_path: Path) -> None:
    (path := tmp_path / "a.docx").write_bytes(
        zipped({"word/document.xml": b"<a>" + b"a" * (1 << 25)})
    )
    with pytest.raises(DocumentsError, match=r"a\.docx' cannot be read: its member 'word/doc"):
        read_corpus(path)
