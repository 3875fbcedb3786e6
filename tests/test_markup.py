"""XML: its text, in linear time, and no entities."""

from __future__ import annotations

from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlta import DocumentsError
from hlta.reading.formats.markup import xml_text
from tests.zipped import LAUGHS


def test_the_text_of_all_elements_is_read() -> None:
    page = """<?xml version="1.0"?><!DOCTYPE tei SYSTEM "tei.dtd"><!-- remark -->
    <tei xmlns="http://x" n="attribute"><head>On nets</head><a>one</a><b>two &amp; Gr&ouml;&#223;e</b>
    <![CDATA[<three>]]><?program text?></tei>"""
    assert xml_text(page.encode()).text.split("\n") == ["On nets", "one", "two & Größe", "<three>"]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "windows-1251", "koi8-r", "shift_jis", "utf-16", "utf-8-sig"]
)
def test_the_encoding_is_the_one_declared(encoding: str) -> None:
    text = "наука"
    page = f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig")}"?><a>{text}</a>'
    assert xml_text(page.encode(encoding)).text == text


def test_an_encoding_that_nobody_knows_is_guessed() -> None:
    page = '<?xml version="1.0" encoding="none-such"?><a>Größe</a>'
    assert xml_text(page.encode()).text == "Größe"


@pytest.mark.parametrize(
    "codec", ["rot13", "hex", "base64", "quopri", "uu", "bz2", "punycode", "idna", "undefined"]
)
def test_a_codec_that_is_no_encoding_of_files_is_guessed(codec: str) -> None:
    page = f'<?xml version="1.0" encoding="{codec}"?><a>Größe</a>'
    assert xml_text(page.encode()).text == "Größe"


def test_entities_are_not_expanded() -> None:
    with pytest.raises(DocumentsError, match="it declares entities"):
        xml_text(LAUGHS.encode())


@pytest.mark.parametrize("page", [b"", b"<a>", b"<a></b>", b"no xml", b"<a>\x00</a>"])
def test_what_is_no_xml_is_told(page: bytes) -> None:
    with pytest.raises(DocumentsError, match="it is not valid XML"):
        xml_text(page)


def test_elements_may_be_nested_however_deep() -> None:
    assert xml_text(b"<a>" * 100_000 + b"text" + b"</a>" * 100_000).text == "text"


@given(st.text(st.characters(exclude_categories=["C", "Z"])))
def test_text_is_read_as_it_is_written(text: str) -> None:
    assert xml_text(f"<a>{escape(text)}</a>".encode()).text == text
