"""Documents as they are read, the options of reading, and the columns of tables."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypedDict

from hlta._support.checks import check_choice, check_whole
from hlta.documents.dates import check_date_format
from hlta.documents.fields import as_string, as_values
from hlta.documents.strings import with_title
from hlta.errors import DocumentsError, OptionError
from hlta.reading.encodings import codec_of

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence

    Skip = Callable[[str, str], None]  # called with the place and the reason
    Tell = Callable[[str, "Columns"], None]  # called with the file and its columns

ALL: Final = ("all",)
"""The value of `ReadOptions.to_keep` that means all columns."""
MOST_KEPT: Final = 20
"""The most columns that are kept: each has a table of shares in the page."""
_MOST_OF_ALL: Final = 1000  # columns with keep="all"; those with many values are left out later
MOST_ABOVE: Final = 20
"""The number of first rows of a table among which the names of the columns are looked for."""
MAIL: Final = ("auto", "keep")
BROKEN: Final = ("stop", "skip")
_SHOWN: Final = 10  # names of columns in a message

# Names that columns usually have, in upper or lower case; the first that exists is taken.
USUAL_NAMES: Final = {
    "text": (
        *("text", "abstract", "body", "content", "document", "description", "message", "article"),
        *("comment", "comments", "review", "answer", "response", "feedback", "question"),
        *("tweet", "post", "summary", "headline"),
    ),
    "title": ("title", "headline", "subject", "name"),
    "id": ("id", "doc_id", "key", "url", "doi"),
    "date": ("date", "year", "created", "published", "created_at", "timestamp", "time"),
    "group": ("group", "category", "label", "venue", "section", "class", "topic", "type"),
}


class Record(NamedTuple):
    """A document as it was read; missing parts are empty strings."""

    text: str
    id: str
    title: str = ""
    date: str = ""
    group: str = ""
    kept: tuple[tuple[str, str], ...] = ()  # further columns and their values


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """How files become documents.

    text, title, id, date, group
              names of columns in tables, or of keys in JSON ("a.b" for the key b of the object a);
              None for those with usual names. Numbers, counted from "1", are for tables of text
              whose first row is a document and does not name the columns
    keep      names of further columns to compare documents by: one, several, or "all" for those
              with few values
    date_format
              how dates are written, as `datetime.strptime` takes it, such as "%d/%m/%y"; other dates
              are read as usual, as all are if it is None
    skip_rows how many rows of a table are above the one that names its columns; None to look for this
              among the first rows
    sheet     the name of the sheet of a workbook to read; None for all
    delimiter the character that separates the fields of a table of text; None to guess it. If it is
              given, files of plain text are such tables, too
    encoding   the encoding of the files; None to guess it
    mail      "auto": texts that begin with mail headers lose headers, quotes and signature; "keep":
              they keep them
    broken    what to do about lines that cannot be read: "stop" at the first, or "skip" and report
              them
    """

    text: str | None = None
    title: str | None = None
    id: str | None = None
    date: str | None = None
    group: str | None = None
    keep: str | Sequence[str] | None = None
    date_format: str | None = None
    skip_rows: int | None = None
    sheet: str | None = None
    delimiter: str | None = None
    encoding: str | None = None
    mail: str = "auto"
    broken: str = "stop"

    def __post_init__(self) -> None:
        columns_to_keep(self.keep)  # raises an error if this does not name columns
        for part in USUAL_NAMES:
            name = getattr(self, part)
            if name is not None and not isinstance(name, str):
                raise OptionError(
                    f"{part}={name!r:.60}: use the name of a column, a string, or None"
                )
        if self.date_format is not None:
            check_date_format(self.date_format)
        check_whole("skip_rows", self.skip_rows, least=0, none="those before the names of columns")
        _check_delimiter(self.delimiter)
        if self.encoding is not None and codec_of(self.encoding) is None:
            raise OptionError(f"encoding={self.encoding!r:.60} is not known; try utf-8 or latin-1")
        check_choice("mail", self.mail, MAIL)
        check_choice("broken", self.broken, BROKEN)

    @property
    def named(self) -> list[str]:
        """The names of columns that are given."""
        parts = [name for part in USUAL_NAMES if (name := getattr(self, part)) is not None]
        return [*parts, *(() if self.to_keep == ALL else self.to_keep)]

    @property
    def to_keep(self) -> tuple[str, ...]:
        """The names of the columns to keep, or `ALL`."""
        return columns_to_keep(self.keep)

    def by_number(self, names: Sequence[str]) -> bool:
        """Whether columns are given by number: as whole numbers that are not among their names."""
        named = self.named
        return bool(named) and all(name.isdecimal() and name not in names for name in named)


def columns_to_keep(given: Any) -> tuple[str, ...]:
    """The columns to keep, which are given as None, as one name, as several, or as "all"."""
    alone = isinstance(given, str) or not isinstance(given, Iterable)
    names = () if given is None else (given,) if alone else tuple(given)
    odd = [name for name in names if not isinstance(name, str) or not name]
    if odd or len(names) > MOST_KEPT:
        what = f"holds {odd[0]!r:.60}" if odd else f"names {len(names)} columns"
        raise OptionError(f'keep {what}; give the names of at most {MOST_KEPT} columns, or "all"')
    return ALL if ALL[0] in names else tuple(dict.fromkeys(names))


def _check_delimiter(delimiter: Any) -> None:
    if delimiter is None:
        return
    one = isinstance(delimiter, str) and len(delimiter) == 1 and delimiter.isascii()
    if not one or delimiter.isalnum() or delimiter in '"\r\n\0':
        raise OptionError(
            f'delimiter={delimiter!r:.20}: use one character, such as "," ";" "|" or a tab'
        )


class ReadKeywords(TypedDict, total=False):
    """The fields of `ReadOptions` as keywords, for type checkers and editors."""

    text: str | None
    title: str | None
    id: str | None
    date: str | None
    group: str | None
    keep: str | Sequence[str] | None
    date_format: str | None
    skip_rows: int | None
    sheet: str | None
    delimiter: str | None
    encoding: str | None
    mail: str
    broken: str


class Source(NamedTuple):
    """Where documents come from, and how they are read; by default, nothing is reported.

    name     of the file, for messages
    options  how it is read
    skip     called with the place and the reason for what is skipped
    prefix   put before the numbers of documents: the name of the file, if it is one of many
    tell     called with the name of a table and its columns when they are known
    work     called with how many steps of work precede a document, such as lines, see `within_budget`
    """

    name: str
    options: ReadOptions
    skip: Skip = lambda *_: None
    prefix: str = ""
    tell: Tell = lambda *_: None
    work: Callable[[int], None] = lambda _: None

    def among_others(self) -> Source:
        """The same for one of several files, whose broken lines are always skipped."""
        return self._replace(options=replace(self.options, broken="skip"))

    def within(self, name: str) -> Source:
        """The same for one of several files, with its name in messages and ids."""
        return self._replace(name=name, prefix=f"{name}:")

    def skips_within(self, where: str) -> Skip:
        """`skip` for what is within a document at this place, such as the files attached to a mail."""
        return lambda what, reason: self.skip(f"{where}, {what}", reason)

    def id_of(self, number: int) -> str:
        """The id, made of its number, of a document that has no other."""
        return f"{self.prefix}{number}"

    def columns(self, names: Sequence[str], *, advice: str = "") -> Columns:
        """The columns of a table with these names, see `find_columns`.

        A file that is alone must have the columns to keep; of several files, others may have them.
        """
        if not self.prefix:
            check_kept(names, self.options, self.name)
        return find_columns(names, self.options, self.name, advice=advice)

    def broken(self, where: str, problem: str) -> None:
        """Raise an error about what cannot be read, or skip it, as the options say."""
        if self.options.broken == "stop":
            raise DocumentsError(
                f'{where}, {problem}; correct it, or skip such lines (broken="skip", --skip-broken)'
            )
        self.skip(where, problem)


class Columns(NamedTuple):
    """The columns of a table that make up documents.

    text   the column with the texts
    parts  the column of each part, such as the text and the title; None for those that are missing
    kept   further columns that documents keep
    unused the other columns
    """

    text: str
    parts: dict[str, str | None]
    kept: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()

    @property
    def used(self) -> list[str]:
        """The names of the columns that exist, each once."""
        every = (*self.parts.values(), *self.kept)
        return list(dict.fromkeys(name for name in every if name is not None))

    def __str__(self) -> str:
        said = [
            f'{part} from "{name:.60}"' for part, name in self.parts.items() if name is not None
        ]
        if kept := [name for name in self.kept if name not in self.parts.values()]:
            said.append(f"keeping {_some(kept)}")
        return ", ".join(said) + (f"; unused: {_some(self.unused)}" if self.unused else "")

    def record(self, entry: Mapping[Any, Any], number: int | str) -> Record:
        """Make a document of a row; the title becomes a part of the text, the number an id if needed."""
        *parts, group = [entry.get(name) for name in self.parts.values()]
        body, title, id_, date = map(as_string, parts)
        kept = [(name, as_values(entry[name])) for name in self.kept if name in entry]
        text = with_title(title, body)
        return Record(text, id_ or str(number), title, date, as_values(group), tuple(kept))


def find_columns(
    names: Sequence[str], options: ReadOptions, where: str, *, advice: str = ""
) -> Columns:
    """The columns with each part of the documents: those that the options name, or with usual names.

    `advice` ends the error message if there is no column of texts.
    """
    found = usual_columns(names, options, where)
    text = found["text"]
    if text is None:
        raise DocumentsError(
            f"{where}: no column is named {', '.join(USUAL_NAMES['text'][:3])} or the like; name the "
            f"column with the text, one of {_some(names)}{advice}"
        )
    if found["title"] == text:
        found["title"] = None
    kept = choose_kept(names, options, found.values())
    used = {*found.values(), *kept, ""}
    return Columns(text, found, kept, tuple(name for name in names if name not in used))


def choose_kept(
    names: Sequence[str], options: ReadOptions, parts: Container[str | None]
) -> tuple[str, ...]:
    """The columns to keep among these names: those that the options name, or all that are no parts."""
    if options.to_keep == ALL:
        kept = tuple(name for name in dict.fromkeys(names) if name and name not in parts)
        if len(kept) > _MOST_OF_ALL:
            raise DocumentsError(
                f'keep="all" would keep {len(kept):,} columns; give the names of at most {MOST_KEPT}'
            )
        return kept
    return tuple(name for name in options.to_keep if name in names)


def check_kept(names: Sequence[str], options: ReadOptions, where: str) -> None:
    """Refuse columns to keep that are not among these names."""
    for name in () if options.to_keep == ALL else options.to_keep:
        _check_column(name, names, where)


def usual_columns(names: Sequence[str], options: ReadOptions, where: str) -> dict[str, str | None]:
    """The name of the column with each part of the documents; None for those that are missing."""
    # Of names that differ only in case, one in lower case counts.
    by_case = sorted(dict.fromkeys(names), key=str.islower)
    lower = {name.lower(): name for name in by_case}
    found: dict[str, str | None] = {}
    for part, usual in USUAL_NAMES.items():
        found[part] = getattr(options, part)
        if found[part] is None:
            found[part] = next((lower[name] for name in usual if name in lower), None)
        else:
            _check_column(found[part], names, where)
    return found


def _check_column(name: str | None, names: Sequence[str], where: str) -> None:
    if name not in names:
        raise DocumentsError(
            f"{where}: there is no column {name!r:.60}; the columns are {_some(names)}"
        )


def _some(columns: Sequence[str]) -> str:
    """The first names, for a message."""
    shown = ", ".join(f"{column!r:.40}" for column in columns[:_SHOWN])
    more = len(columns) - _SHOWN
    return shown + (f" and {more:,} more" if more > 0 else "")


def find_names(rows: Iterable[Sequence[str]], options: ReadOptions) -> int:
    """The number of the row that names the columns: the first that has all that documents need.

    Below the first row, only rows with more cells than all rows above them are tried, which skips lines
    that a program puts above a table, such as its title. If no row has all columns, a row with a usual
    name for the text is taken, so that the message about missing columns lists the others; or the first.
    """
    widest, usual = 0, 0
    for number, names in enumerate(islice(rows, MOST_ABOVE)):
        if not number and options.by_number(names):
            return 0
        width = sum(map(bool, names))
        if not number or width > max(1, widest):
            with suppress(DocumentsError):
                find_columns(names, options, "")
                return number
            if not usual and usual_columns(names, ReadOptions(), "")["text"]:
                usual = number
        widest = max(widest, width)
    return usual
