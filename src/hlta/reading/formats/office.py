"""Text documents, presentations and books, which are zip archives of XML."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from hlta.errors import DocumentsError
from hlta.reading.encodings import Decoder
from hlta.reading.formats.archives import Archive, opened
from hlta.reading.formats.html import html_text
from hlta.reading.formats.markup import Elements, local
from hlta.reading.records import Record

if TYPE_CHECKING:
    from collections.abc import Iterable


# How a paragraph or a line ends after some elements, and those that stand for a character.
_ENDS: Final = {"p": "\n\n", "h": "\n\n", "br": "\n", "cr": "\n", "line-break": "\n"}
_CHARACTERS: Final = {"tab": " ", "s": " ", "noBreakHyphen": "-"}
# What was deleted, what is shown for old programs a second time, and remarks at the margin.
_NO_TEXT: Final = frozenset(
    {"Fallback", "delText", "instrText", "tracked-changes", "annotation", "sequence-decls"}
)
_DAY: Final = 10  # characters of 2020-01-31


class _Prose(Elements):
    """The text of the elements `holding` text; None for all."""

    def __init__(self, holding: str | None = None) -> None:
        self.found: list[str] = []
        self._holding = holding
        self._within = 0  # elements that hold text
        self._left_out = 0  # elements that are not read

    def begin(self, name: str, attributes: dict[str, str]) -> None:  # noqa: ARG002
        self._left_out += name in _NO_TEXT
        self._within += name == self._holding
        if not self._left_out:
            self.found.append(_CHARACTERS.get(name, ""))

    def end(self, name: str) -> None:
        self._left_out -= name in _NO_TEXT
        self._within -= name == self._holding
        if not self._left_out:
            self.found.append(_ENDS.get(name, ""))

    def text(self, text: str) -> None:
        if not self._left_out and (self._holding is None or self._within):
            self.found.append(text)


class _Fields(Elements):
    """The first text of each of some elements, such as the title and the date."""

    def __init__(self, *names: str) -> None:
        self._names = names
        self._current: str | None = None
        self._found: dict[str, list[str]] = {}

    def begin(self, name: str, attributes: dict[str, str]) -> None:  # noqa: ARG002
        if name in self._names and name not in self._found:
            self._current = name
            self._found[name] = []

    def end(self, name: str) -> None:
        if name == self._current:
            self._current = None

    def text(self, text: str) -> None:
        if self._current is not None:
            self._found[self._current].append(text)

    def __getitem__(self, name: str) -> str:
        return " ".join("".join(self._found.get(name, ())).split())

    def record(self, text: str, *dates: str) -> Record:
        """A document with these fields; the first date that is there is its date."""
        day = next((self[name] for name in dates if self[name]), "")[:_DAY]
        return Record(text, "", self["title"], day)


def docx_text(data: bytes) -> Record:
    """Paragraphs, tables and notes of a Word document; the record has no id."""
    with opened(data) as archive:
        if "word/document.xml" not in archive.names:
            raise DocumentsError("it holds no Word document")
        parts = ("document", "footnotes", "endnotes")
        text = _text(archive, [f"word/{part}.xml" for part in parts], "t")
        return _core(archive).record(text, "created", "modified")


def pptx_text(data: bytes) -> Record:
    """Slides and the speaker's notes of a PowerPoint presentation; the record has no id."""
    with opened(data) as archive:
        slides = _numbered(archive, "slides/slide") + _numbered(archive, "notesSlides/notesSlide")
        if not slides:
            raise DocumentsError("it holds no PowerPoint slides")
        return _core(archive).record(_text(archive, slides, "t"), "created", "modified")


def odt_text(data: bytes) -> Record:
    """The text of an OpenDocument text or presentation; the record has no id."""
    with opened(data) as archive:
        if "content.xml" not in archive.names:
            raise DocumentsError("it holds no OpenDocument")
        fields = _Fields("title", "creation-date", "date")
        archive.parse("meta.xml", fields)
        return fields.record(_text(archive, ["content.xml"]), "creation-date", "date")


def epub_text(data: bytes) -> Record:
    """The chapters of a book, in the order in which they are read; the record has no id."""
    with opened(data) as archive:
        root = _Package()
        archive.parse("META-INF/container.xml", root)
        fields, package = _Fields("title", "date"), _Package()
        archive.parse(root.full_path, fields)
        archive.parse(root.full_path, package)
        folder = posixpath.dirname(root.full_path)
        joined = (posixpath.normpath(posixpath.join(folder, name)) for name in package.chapters)
        chapters = list(dict.fromkeys(joined))  # a chapter is read once
        if not any(name in archive.names for name in chapters):
            raise DocumentsError("it holds no book: its chapters are not there")
        pages = (Decoder(None).text(archive.read(name), "it") for name in chapters)
        return fields.record("\n\n".join(html_text(page).text for page in pages), "date")


class _Package(Elements):
    """What a book consists of: where its package is, and the chapters that the package names."""

    def __init__(self) -> None:
        self.full_path = ""
        self._files: dict[str, str] = {}
        self._order: list[str] = []

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        given = {local(key): value for key, value in attributes.items()}
        if name == "rootfile":
            self.full_path = self.full_path or given.get("full-path", "")
        elif name == "item":
            self._files[given.get("id", "")] = unquote(given.get("href", ""))
        elif name == "itemref":
            self._order.append(given.get("idref", ""))

    @property
    def chapters(self) -> list[str]:
        """The names of files, relative to the package."""
        return [self._files[name] for name in self._order if name in self._files]


def _text(archive: Archive, names: Iterable[str], holding: str | None = None) -> str:
    prose = _Prose(holding)
    for name in names:
        archive.parse(name, prose)
    return "".join(prose.found)


def _core(archive: Archive) -> _Fields:
    """What Microsoft's programs note about a document."""
    fields = _Fields("title", "created", "modified")
    archive.parse("docProps/core.xml", fields)
    return fields


def _numbered(archive: Archive, start: str) -> list[str]:
    """The members with a number after `start`, in the order of the numbers."""
    pattern = re.compile(rf"ppt/{start}(\d{{1,9}})\.xml")
    found = [(int(match[1]), name) for name in archive.names if (match := pattern.fullmatch(name))]
    return [name for _, name in sorted(found)]
