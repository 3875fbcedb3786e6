"""Text extracted from HTML and PDF."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from hlta import DocumentsError
from hlta.reading.sources import read_documents

if TYPE_CHECKING:
    from pathlib import Path


def pdf(lines: list[str], title: str = "") -> bytes:
    """A one-page PDF with some lines of text."""
    shown = "".join(f"({line}) Tj 0 -14 Td " for line in lines)
    stream = f"BT /F1 12 Tf 72 720 Td {shown}ET".encode("latin-1")
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R"
        b"/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        b"<</Title(%s)>>" % title.encode("latin-1"),
    ]
    data = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(data))
        data += b"%d 0 obj%sendobj\n" % (number, body)
    table = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    data += b"".join(b"%010d 00000 n \n" % place for place in places)
    return data + b"trailer<</Size %d/Root 1 0 R/Info 6 0 R>>\nstartxref\n%d\n%%%%EOF" % (
        len(objects) + 1,
        table,
    )


def test_pages_of_a_pdf_are_read_and_broken_files_skipped(tmp_path: Path) -> None:
    pytest.importorskip("pypdfium2")
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


def test_html_is_read_as_its_reader_sees_it(tmp_path: Path) -> None:
    pytest.importorskip("selectolax")
    page = """<!doctype html><title>On
      networks</title><style>p {color: red}</style><script>var secret = "x";</script>
      <nav>Home About</nav><p>Deep <b>neural</b> networks</p><p>learn &amp; grow</p>"""
    (tmp_path / "a.html").write_text(page)
    (tmp_path / "b.htm").write_text("<p>größe", encoding="latin-1")
    a, b = read_documents(tmp_path)
    assert a.title == "On networks"
    assert a.text.split() == ["Deep", "neural", "networks", "learn", "&", "grow"]
    assert b.text == "größe"


@pytest.mark.parametrize(
    ("module", "name", "extra"),
    [
        ("pypdfium2", "a.pdf", "pdf"),
        ("selectolax.lexbor", "a.html", "html"),
        ("zstandard", "a.txt.zst", "zst"),
    ],
)
def test_an_extra_that_is_not_installed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, name: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    (tmp_path / name).write_bytes(b"text")
    with pytest.raises(DocumentsError, match=rf"pip install 'hlta\[{extra}\]'"):
        list(read_documents(tmp_path))
