"""Text extracted from HTML pages and PDF files."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from hlta._support.checks import needing
from hlta.errors import DocumentsError

HTML: Final = frozenset({".html", ".htm", ".xhtml"})
PDF: Final = frozenset({".pdf"})
# Elements of a page that are not part of its text.
_NO_TEXT: Final = [
    *("script", "style", "noscript", "template", "svg", "iframe"),
    *("nav", "footer", "form"),
]
_HYPHEN = re.compile(r"[\x02\u00ad\ufffe]\s*|(?<=\w)[-\u2010]\s*\n\s*(?=[^\W\d_])")


class Extracted(NamedTuple):
    """A title, empty if there is none, and the text."""

    title: str
    text: str


def html_text(page: str) -> Extracted:
    """Extract what a reader of an HTML page sees, without navigation and forms."""
    with needing("HTML files need selectolax", extra="html", error=DocumentsError):
        from selectolax.lexbor import LexborHTMLParser
    tree = LexborHTMLParser(page)
    heading = tree.css_first("title")
    title = " ".join(heading.text().split()) if heading is not None else ""
    tree.strip_tags(_NO_TEXT)
    body = tree.body
    return Extracted(title, body.text(separator="\n", strip=True) if body is not None else "")


def pdf_text(path: str) -> Extracted:
    """Extract the text of all pages of a PDF; words hyphenated at the end of a line become whole."""
    with needing("PDF files need pypdfium2", extra="pdf", error=DocumentsError):
        from pypdfium2 import PdfDocument, PdfiumError
    try:
        document = PdfDocument(path)
    except PdfiumError as error:
        raise DocumentsError(f"it is not a readable PDF: {error}") from None
    try:
        title = document.get_metadata_dict(skip_empty=True).get("Title", "")
        pages = []
        for page in document:
            text = page.get_textpage()
            pages.append(text.get_text_bounded())
            text.close()
            page.close()
    except PdfiumError as error:
        raise DocumentsError(f"a page cannot be read: {error}") from None
    finally:
        document.close()
    return Extracted(" ".join(title.split()), _HYPHEN.sub("", "\n".join(pages)))
