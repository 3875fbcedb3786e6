"""What is text in HTML pages, in PDF files, and in mail and newsgroup posts."""

from __future__ import annotations

import re
from typing import Final

from hlta._support.checks import needing
from hlta.errors import DocumentsError

HTML: Final = frozenset({".html", ".htm", ".xhtml"})
PDF: Final = frozenset({".pdf"})
# Elements of a page that are not part of its text.
_NO_TEXT: Final = [
    *("script", "style", "noscript", "template", "svg"),
    *("nav", "footer", "form", "iframe"),
]
_HYPHEN = re.compile(r"[\x02\u00ad\ufffe]\s*|(?<=\w)[-\u2010]\s*\n\s*(?=[^\W\d_])")

# Mail and newsgroup posts.
_HEADER = re.compile(r"[A-Za-z][\w.-]*:")
_BLANK = re.compile(r"\n[ \t]*(?:\n|\Z)")
_SUBJECT = re.compile(r"\nsubject:([^\n]*)", re.IGNORECASE)
_SIGNATURE = re.compile(r"\n--[ \t]*\n")
# Patterns begin with a line break, which is found many times faster than the start of a line.
_QUOTED = re.compile(
    r"\n[ \t]*(?:(?:[A-Za-z]{0,4}[]>|}#]|:[ \t])|[Ii]n (?:[Aa]rticle|[Mm]essage|<))[^\n]*"
)
_WROTE = (" writes", " wrote", " says", " said", " Writes", " Wrote", " WRITES", " WROTE")
_LONGEST_HEAD = 1 << 14  # characters of all headers together
_REPLY = re.compile(r"(?i)^(?:(?:re|fwd?|aw)\s*(?:\[\d+\])?:\s*)+")


def html_text(page: str) -> tuple[str, str]:
    """The title of an HTML page, perhaps empty, and what a reader sees, without navigation and forms."""
    with needing("HTML files need selectolax", extra="html", error=DocumentsError):
        from selectolax.lexbor import LexborHTMLParser
    tree = LexborHTMLParser(page)
    heading = tree.css_first("title")
    title = " ".join(heading.text().split()) if heading is not None else ""
    tree.strip_tags(_NO_TEXT)
    body = tree.body
    return title, body.text(separator="\n", strip=True) if body is not None else ""


def pdf_text(path: str) -> tuple[str, str]:
    """The title of a PDF, perhaps empty, and the text of all pages; hyphenated words become whole."""
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
    return " ".join(title.split()), _HYPHEN.sub("", "\n".join(pages))


def looks_like_mail(text: str) -> bool:
    """Whether a text begins with header lines, among them From or Subject, and then an empty line."""
    if not _HEADER.match(text):
        return False
    names: set[str] = set()
    for number, line in enumerate(text[:_LONGEST_HEAD].splitlines()):
        if not line.strip():
            return bool(names & {"from", "subject"}) and number > 1
        if line[0] in " \t" and names:
            continue
        if number > 60 or not _HEADER.match(line):
            return False
        names.add(line.split(":", 1)[0].lower())
    return False


def strip_mail(text: str) -> tuple[str, str]:
    """The subject without "Re:", and the body without quotes, attributions and signature."""
    text = "\n" + text.replace("\r\n", "\n")
    blank = _BLANK.search(text)
    head, body = (text[: blank.start()], text[blank.end() - 1 :]) if blank else (text, "")
    subject = _SUBJECT.search(head)
    signature = _SIGNATURE.search(body + "\n")
    lines = _QUOTED.sub("", body[: signature.start()] if signature else body).split("\n")
    kept = [line for line in lines if not (" " + line.rstrip(" \t:")).endswith(_WROTE)]
    return _REPLY.sub("", subject[1].strip()) if subject else "", "\n".join(kept)
