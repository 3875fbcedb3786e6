"""Text documents, presentations and books, which are zip archives of XML."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from hlta.errors import DocumentsError
from hlta.reading.encodings import Decoder
from hlta.reading.formats.html import html_text
from hlta.reading.formats.markup import BEGIN, END, TEXT, Archive, open_archive
from hlta.reading.records import Record

if TYPE_CHECKING:
    from collections.abc import Iterable


# The ends of paragraphs and lines after some elements, and elements that are characters.
_ENDS: Final = {"p": "\n\n", "h": "\n\n", "br": "\n", "cr": "\n", "line-break": "\n"}
_CHARACTERS: Final = {"tab": " ", "s": " ", "noBreakHyphen": "-"}
# Deleted text, copies for old programs, and comments in the margin.
_NO_TEXT: Final = frozenset(
    {"Fallback", "delText", "instrText", "tracked-changes", "annotation", "sequence-decls"}
)
_DAY: Final = 10  # characters of 2020-01-31
_CONTAINER: Final = "META-INF/container.xml"  # which names the package of a book
# The member with the metadata of a document, and the dates in it, as Microsoft's programs write them.
_OF_MICROSOFT: Final = ("docProps/core.xml", "created", "modified")


def docx_text(data: bytes) -> Record:
    """Paragraphs, tables and notes of a Word document; the record has no id."""
    with open_archive(data) as archive:
        if "word/document.xml" not in archive.names:
            raise DocumentsError("it holds no Word document")
        parts = ("document", "footnotes", "endnotes")
        text = _prose(archive, [f"word/{part}.xml" for part in parts], "t")
        return _describe(text, archive, *_OF_MICROSOFT)


def pptx_text(data: bytes) -> Record:
    """Slides and the speaker's notes of a PowerPoint presentation; the record has no id."""
    with open_archive(data) as archive:
        slides = _find_numbered(archive, "slides/slide") + _find_numbered(
            archive, "notesSlides/notesSlide"
        )
        if not slides:
            raise DocumentsError("it holds no PowerPoint slides")
        return _describe(_prose(archive, slides, "t"), archive, *_OF_MICROSOFT)


def odt_text(data: bytes) -> Record:
    """The text of an OpenDocument text or presentation; the record has no id."""
    with open_archive(data) as archive:
        if "content.xml" not in archive.names:
            raise DocumentsError("it holds no OpenDocument")
        text = _prose(archive, ["content.xml"])
        return _describe(text, archive, "meta.xml", "creation-date", "date")


def epub_text(data: bytes) -> Record:
    """The chapters of a book, in reading order; the record has no id."""
    with open_archive(data) as archive:
        roots = [given for name, given in archive.elements(_CONTAINER) if name == "rootfile"]
        package = next(filter(None, (given.get("full-path") for given in roots)), "")
        chapters = _chapters(archive, package)
        if not any(name in archive.names for name in chapters):
            raise DocumentsError("it holds no book: its chapters are not there")
        pages = (Decoder(None).text(archive.read(name), "it") for name in chapters)
        text = "\n\n".join(html_text(page).text for page in pages)
        return _describe(text, archive, package, "date")


def _chapters(archive: Archive, package: str) -> list[str]:
    """The files that the package of a book names, each once, in its order."""
    files: dict[str, str] = {}
    order: list[str] = []
    for name, given in archive.elements(package):
        if name == "item":
            files[given.get("id", "")] = unquote(given.get("href", ""))
        elif name == "itemref":
            order.append(given.get("idref", ""))
    folder = posixpath.dirname(package)
    named = dict.fromkeys(name for name in order if name in files)
    joined = (posixpath.join(folder, files[name]) for name in named)
    return list(dict.fromkeys(map(posixpath.normpath, joined)))


def _prose(archive: Archive, members: Iterable[str], holding: str | None = None) -> str:
    """The text of some members, within elements of the name `holding`; None for all text."""
    found: list[str] = []
    for member in members:
        within = left_out = 0  # elements that hold text, and those that are not read
        for step, what, _ in archive.events(member):
            within += step * (what == holding)
            left_out += step * (what in _NO_TEXT)
            if left_out:
                continue
            if step != TEXT:
                found.append((_CHARACTERS if step == BEGIN else _ENDS).get(what, ""))
            elif holding is None or within:
                found.append(what)
    return "".join(found)


def _describe(text: str, archive: Archive, member: str, *dates: str) -> Record:
    """A document with the title in a member of its archive, and the first of these dates in it."""
    found: dict[str, list[str]] = {name: [] for name in ("title", *dates)}
    known: set[str] = set()
    current = ""
    for step, what, _ in archive.events(member):
        if step == BEGIN and what in found and what not in known:
            known.add(what)
            current = what
        elif step == END and what == current:
            current = ""
        elif step == TEXT and current:
            found[current].append(what)
    title, *days = (" ".join("".join(parts).split()) for parts in found.values())
    return Record(text, "", title, next(filter(None, days), "")[:_DAY])


def _find_numbered(archive: Archive, start: str) -> list[str]:
    """The members with a number after `start`, in the order of the numbers."""
    pattern = re.compile(rf"ppt/{start}(\d{{1,9}})\.xml")
    found = [(int(match[1]), name) for name in archive.names if (match := pattern.fullmatch(name))]
    return [name for _, name in sorted(found)]
