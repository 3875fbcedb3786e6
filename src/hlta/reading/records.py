"""What reading yields, and where in a table each part of it stands."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hlta._support.checks import check_choice
from hlta.errors import DocumentsError, OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

MAIL: Final = ("auto", "keep")
BROKEN: Final = ("stop", "skip")

# Names that columns usually have, in any case; the first that is there is taken.
USUAL: Final = {
    "text": ("text", "abstract", "body", "content", "document", "description", "message"),
    "title": ("title", "headline", "subject", "name"),
    "id": ("id", "doc_id", "key", "url", "doi"),
    "date": ("date", "year", "created", "published", "created_at", "timestamp", "time"),
    "group": ("group", "category", "label", "venue", "section"),
}


class Record(NamedTuple):
    """A document as it was read; what there is none of is empty."""

    text: str
    id: str
    title: str = ""
    date: str = ""
    group: str = ""


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """How files become documents.

    text, title, id, date, group
                     names of columns or keys, of tables and JSON; None: those with usual names
    encoding         of the files; None: guessed
    mail             "auto": texts with mail headers lose them, quotes and signatures; "keep": they stay
    broken           lines that cannot be read: "stop" at the first, or "skip" and report them
    """

    text: str | None = None
    title: str | None = None
    id: str | None = None
    date: str | None = None
    group: str | None = None
    encoding: str | None = None
    mail: str = "auto"
    broken: str = "stop"

    def __post_init__(self) -> None:
        check_choice("mail", self.mail, MAIL)
        check_choice("broken", self.broken, BROKEN)
        if self.encoding is not None:
            try:
                "".encode(self.encoding)
            except LookupError:
                raise OptionError(
                    f"encoding={self.encoding!r} is not known; try utf-8 or latin-1"
                ) from None

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return tuple(field.name for field in fields(cls))


class Columns:
    """Which of a table's columns is the text, the title and so on: None where there is none."""

    def __init__(self, columns: Sequence[str], options: ReadOptions, where: str) -> None:
        self.text = _column("text", columns, options, where)
        self.title = _column("title", columns, options, where)
        self.id = _column("id", columns, options, where)
        self.date = _column("date", columns, options, where)
        self.group = _column("group", columns, options, where)
        if self.text is None:
            raise DocumentsError(
                f"{where}: no column is named {', '.join(USUAL['text'])}; name the one with the "
                f"text, one of {_some(columns)}"
            )
        if self.title == self.text:
            self.title = None

    @property
    def used(self) -> list[str]:
        """The names of those that there are, each once."""
        wanted = (self.text, self.title, self.id, self.date, self.group)
        return list(dict.fromkeys(name for name in wanted if name is not None))

    def record(self, entry: dict[str, Any], number: int) -> Record:
        """A row as a document; the title is a part of the text."""
        body, title, key, date, group = (
            as_string(entry.get(name)) if name is not None else ""
            for name in (self.text, self.title, self.id, self.date, self.group)
        )
        text = f"{title}\n{body}" if title else body
        return Record(text, key or str(number), title, date, group)


def _column(part: str, columns: Sequence[str], options: ReadOptions, where: str) -> str | None:
    named = getattr(options, part)
    if named is not None:
        if named not in columns:
            raise DocumentsError(
                f"{where}: there is no column {named!r}; there are {_some(columns)}"
            )
        return str(named)
    lower = {column.lower(): column for column in columns}
    return next((lower[name] for name in USUAL[part] if name in lower), None)


def _some(columns: Sequence[str]) -> str:
    shown = ", ".join(repr(column) for column in columns[:20])
    return shown + (f" and {len(columns) - 20:,} more" if len(columns) > 20 else "")


def as_string(value: Any) -> str:
    """A value of a table as text: nothing for nothing, and lists by their parts."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(as_string(part) for part in value)
    return str(value)
