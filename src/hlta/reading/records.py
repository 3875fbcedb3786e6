"""Documents as they are read, the options of reading, and the columns of tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypedDict

from hlta._support.checks import check_choice
from hlta.errors import DocumentsError, OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Skip = Callable[[str, str], None]  # called with the place and the reason

MAIL: Final = ("auto", "keep")
BROKEN: Final = ("stop", "skip")

# Names that columns usually have, in any case; the first that exists is taken.
USUAL_NAMES: Final = {
    "text": ("text", "abstract", "body", "content", "document", "description", "message"),
    "title": ("title", "headline", "subject", "name"),
    "id": ("id", "doc_id", "key", "url", "doi"),
    "date": ("date", "year", "created", "published", "created_at", "timestamp", "time"),
    "group": ("group", "category", "label", "venue", "section"),
}


class Record(NamedTuple):
    """A document as it was read; missing parts are empty strings."""

    text: str
    id: str
    title: str = ""
    date: str = ""
    group: str = ""


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """How files become documents.

    text, title, id, date, group
              names of columns in tables, or of keys in JSON; None for those with usual names
    encoding  the encoding of the files; None to guess it
    mail      "auto": texts that begin with mail headers lose headers, quotes and signature; "keep":
              they stay as they are
    broken    what to do about lines that cannot be read: "stop" at the first, or "skip" and report
              them
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


class ReadKeywords(TypedDict, total=False):
    """The fields of `ReadOptions`, as type checkers and editors know them where they are keywords."""

    text: str | None
    title: str | None
    id: str | None
    date: str | None
    group: str | None
    encoding: str | None
    mail: str
    broken: str


class Source(NamedTuple):
    """Where documents come from, and how they are read."""

    name: str
    options: ReadOptions
    skip: Skip

    def broken(self, where: str, problem: str) -> None:
        """Stop at what cannot be read, or skip it, as the options say."""
        if self.options.broken == "stop":
            raise DocumentsError(
                f'{where}, {problem}; correct it, or skip such lines (broken="skip", --skip-broken)'
            )
        self.skip(where, problem)


class Columns(NamedTuple):
    """Which column of a table is the text, the title and so on; None for those that are missing."""

    text: str
    title: str | None
    id: str | None
    date: str | None
    group: str | None

    @property
    def used(self) -> list[str]:
        """The names of the columns that exist, each once."""
        return list(dict.fromkeys(name for name in self if name is not None))

    def record(self, entry: dict[str, Any], number: int) -> Record:
        """Make a document of a row; the title becomes a part of the text."""
        body, title, id_, date, group = (
            as_string(entry.get(name)) if name is not None else "" for name in self
        )
        text = f"{title}\n{body}" if title else body
        return Record(text, id_ or str(number), title, date, group)


def find_columns(names: Sequence[str], options: ReadOptions, where: str) -> Columns:
    """The columns with each part of the documents: as the options name them, or with usual names."""
    lower = {name.lower(): name for name in names}
    found: dict[str, str | None] = {}
    for part, usual in USUAL_NAMES.items():
        found[part] = getattr(options, part)
        if found[part] is None:
            found[part] = next((lower[name] for name in usual if name in lower), None)
        elif found[part] not in names:
            raise DocumentsError(
                f"{where}: there is no column {found[part]!r}; the columns are {_some(names)}"
            )
    text = found.pop("text")
    if text is None:
        raise DocumentsError(
            f"{where}: no column is named {', '.join(USUAL_NAMES['text'])}; name the column with "
            f"the text, one of {_some(names)}"
        )
    if found["title"] == text:
        found["title"] = None
    return Columns(text, **found)


def _some(columns: Sequence[str]) -> str:
    """The first names, for a message."""
    shown = ", ".join(f"{column!r:.60}" for column in columns[:20])
    return shown + (f" and {len(columns) - 20:,} more" if len(columns) > 20 else "")


def as_string(value: Any) -> str:
    """A value of a table as text: None becomes empty, and each entry of a list a line."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(as_string(part) for part in value)
    return str(value)
