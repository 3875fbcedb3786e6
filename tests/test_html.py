"""Text extracted from HTML."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

import pytest

from hlta import DocumentsError
from hlta.reading.formats.html import html_text
from hlta.reading.sources import read_documents

if TYPE_CHECKING:
    from pathlib import Path


def test_html_is_read_as_its_reader_sees_it(tmp_path: Path) -> None:
    pytest.importorskip("selectolax")
    page = """<!doctype html><title>On
      networks</title><style>p {color: red}</style><script>var secret = "x";</script>
      <nav>Home About</nav><p>Deep <b>n</b>eural networks</p><p>learn &amp; grow</p>"""
    (tmp_path / "a.html").write_text(page)
    (tmp_path / "b.htm").write_text("<p>größe", encoding="latin-1")
    a, b = read_documents(tmp_path)
    assert a.title == "On networks"
    assert a.text == "Deep neural networks\n\nlearn & grow"
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
    pytest.importorskip("selectolax")
    assert html_text(f"<title>Title</title><body>{body}") == ("Title", text)


@pytest.mark.parametrize(
    "nest", ["<div>{}</div>", "<b>{}", "<ul><li>{}", "<div></b>{}", "<table><tr><td>{}</table>"]
)
def test_pages_are_never_deeper_than_the_parser_is_fast(
    monkeypatch: pytest.MonkeyPatch, nest: str
) -> None:
    lexbor = pytest.importorskip("selectolax.lexbor")
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
    assert html_text(page)[1].strip() == "text"
    assert deepest <= 500


def test_pages_as_people_write_them_are_not_changed() -> None:
    pytest.importorskip("selectolax")
    page = "<p>one<br>" * 600 + "<div><i>two</i></div>" * 600
    assert html_text(page)[1].split() == ["one"] * 600 + ["two"] * 600


@pytest.mark.parametrize(
    ("module", "name", "extra"),
    [
        ("selectolax.lexbor", "a.html", "html"),
        ("zstandard", "a.txt.zst", "zst"),
    ],
)
def test_an_extra_that_is_not_installed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, name: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    (tmp_path / name).write_bytes(b"text")
    with pytest.raises(DocumentsError, match=rf'pip install "hlta\[{extra}\]"'):
        list(read_documents(tmp_path))
