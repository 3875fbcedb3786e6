"""Files that each hold one document: which they are, by their endings, and what is read in each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hlta.errors import DocumentsError
from hlta.reading.encodings import Decoder, holds_text
from hlta.reading.formats.html import html_text
from hlta.reading.formats.mail import bytes_look_like_mail, mail_of_bytes
from hlta.reading.formats.markup import xml_text
from hlta.reading.formats.notebooks import notebook_text
from hlta.reading.formats.office import docx_text, epub_text, odt_text, pptx_text
from hlta.reading.formats.pdf import pdf_text
from hlta.reading.formats.rtf import rtf_text
from hlta.reading.formats.subtitles import subtitles_text
from hlta.reading.records import ReadOptions, Record

if TYPE_CHECKING:
    from collections.abc import Callable


TEXT: Final = frozenset({"", ".txt", ".text", ".md", ".rst", ".tex"})
"""Endings of plain text. Named alone, such a file has a document per line."""
HTML: Final = frozenset({".html", ".htm", ".xhtml"})


def _mail(data: bytes, options: ReadOptions) -> Record:
    return mail_of_bytes(data, options.encoding, keep=options.mail == "keep")


def _text(data: bytes, options: ReadOptions) -> Record:
    """A plain text, which may be mail."""
    if bytes_look_like_mail(data):
        return _mail(data, options)
    return Record(_decoded(data, options), "")


def _decoded(data: bytes, options: ReadOptions) -> str:
    if not holds_text(data, options.encoding):
        raise DocumentsError("it holds no text: there are zero bytes at its beginning")
    return Decoder(options.encoding).text(data, "it")


_READERS: Final[dict[str, Callable[[bytes, ReadOptions], Record]]] = {
    **dict.fromkeys(TEXT, _text),
    **dict.fromkeys(HTML, lambda data, options: html_text(_decoded(data, options))),
    ".eml": _mail,
    ".pdf": lambda data, _: pdf_text(data),
    **dict.fromkeys((".docx", ".docm"), lambda data, _: docx_text(data)),
    **dict.fromkeys((".pptx", ".pptm"), lambda data, _: pptx_text(data)),
    **dict.fromkeys((".odt", ".odp"), lambda data, _: odt_text(data)),
    ".epub": lambda data, _: epub_text(data),
    ".rtf": lambda data, _: rtf_text(data.decode("latin-1")),
    ".xml": lambda data, options: xml_text(data, options.encoding),
    ".ipynb": lambda data, options: notebook_text(_decoded(data, options)),
    **dict.fromkeys(
        (".srt", ".vtt"), lambda data, options: subtitles_text(_decoded(data, options))
    ),
}


def is_single(kind: str) -> bool:
    """Whether files with an ending hold one document each, even if they are named alone."""
    return kind in _READERS and kind not in TEXT


def is_plain(kind: str) -> bool:
    """Whether an ending is one of plain text, or a number, as in article.123."""
    return kind in TEXT or kind[1:].isdigit()


def read_single(data: bytes, kind: str, options: ReadOptions) -> Record:
    """The document that a file holds, without an id; `kind` is its ending, and others are of texts."""
    return _READERS.get(kind, _text)(data, options)
