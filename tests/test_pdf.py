"""PDF: the text of all pages, read by a process that may crash."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from hlta import DocumentsError
from hlta.reading.formats import pdf as pdf_files
from hlta.reading.formats.pdf import _HYPHEN, pdf_text
from hlta.reading.sources import read_documents
from tests.pdfs import pdf

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Iterator[pdf_files._Reader]:
    """A reader of its own."""
    made = pdf_files._Reader()
    monkeypatch.setattr(pdf_files, "_reader", made)
    yield made
    made.end()


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


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("program", ["import sys; sys.exit(1)", "import time; time.sleep(60)"])
def test_a_crash_is_told_and_the_next_file_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    pytest.importorskip("pypdfium2")
    (tmp_path / "crash.py").write_text(program)
    with monkeypatch.context() as context:
        context.setattr(pdf_files, "_PROGRAM", tmp_path / "crash.py")
        context.setattr(pdf_files, "_LONGEST", 0.5)
        for _ in range(2):
            with pytest.raises(DocumentsError, match="it is damaged, or takes too much memory"):
                pdf_text(pdf(["text"]) + b" " * 1_000_000)
    assert pdf_text(pdf(["text"]))[1].strip() == "text"


@pytest.mark.usefixtures("reader")
def test_an_extra_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    with pytest.raises(DocumentsError, match=r'pip install "hlta\[pdf\]"'):
        pdf_text(b"%PDF")


def test_hyphens_go_where_a_word_goes_on_in_the_next_line() -> None:
    text = "net-\nwork, so-\r\n\n called, a-b, 3-\n4, re\u2010 \n\tading, soft\u00ad hyphen"
    expected = "network, socalled, a-b, 3-\n4, reading, softhyphen"
    assert _HYPHEN.sub("", text) == expected


def test_a_hyphen_before_a_million_line_breaks_is_one_look() -> None:
    text = "a-" + "\n" * 1_000_000 + "1"
    assert _HYPHEN.sub("", text) == text
