"""Files that hold one document each: their endings, and the functions that read them."""

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
from hlta.reading.records import Record, Source

if TYPE_CHECKING:
    from collections.abc import Callable


TEXT: Final = frozenset({"", ".txt", ".text", ".md", ".rst", ".tex"})
"""Endings of plain text. Named alone, such a file has a document per line."""
MAIL: Final = ".eml"
HTML: Final = frozenset({".html", ".htm", ".xhtml"})


_OF_BYTES: Final[dict[str, Callable[[bytes], Record]]] = {
    ".pdf": pdf_text,
    **dict.fromkeys((".docx", ".docm"), docx_text),
    **dict.fromkeys((".pptx", ".pptm"), pptx_text),
    **dict.fromkeys((".odt", ".odp"), odt_text),
    ".epub": epub_text,
    ".rtf": lambda data: rtf_text(data.decode("latin-1")),
}
_OF_TEXT: Final[dict[str, Callable[[str], Record]]] = {
    **dict.fromkeys(HTML, html_text),
    **dict.fromkeys((".srt", ".vtt"), subtitles_text),
    ".ipynb": notebook_text,
}


def is_single(kind: str) -> bool:
    """Whether files with an ending hold one document each, even if they are named alone."""
    return kind in _OF_BYTES or kind in _OF_TEXT or kind in {MAIL, ".xml"}


def is_plain(kind: str) -> bool:
    """Whether an ending is one of plain text, or a number, as in article.123."""
    return kind in TEXT or kind[1:].isdigit()


def read_single(data: bytes, kind: str, source: Source) -> Record:
    """The document in a file, without an id; if its ending, `kind`, is not known here, it is text."""
    options = source.options
    if kind in _OF_BYTES:
        return _OF_BYTES[kind](data)
    if kind == ".xml":
        return xml_text(data, options.encoding)
    if kind == MAIL or (kind not in _OF_TEXT and bytes_look_like_mail(data)):
        keep = options.mail == "keep"
        skip = source.skips_within(source.name)
        return mail_of_bytes(data, options.encoding, keep=keep, skip=skip)
    if not holds_text(data, options.encoding):
        raise DocumentsError("it holds no text: there are zero bytes at its beginning")
    text = Decoder(options.encoding).text(data, "it")
    return _OF_TEXT[kind](text) if kind in _OF_TEXT else Record(text, "")
