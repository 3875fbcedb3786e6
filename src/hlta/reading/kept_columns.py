"""Columns that documents keep to be compared by, as long as these have few values."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from hlta.documents.fields import value_list
from hlta.documents.strings import StringsWriter
from hlta.errors import DocumentsError, OptionError

if TYPE_CHECKING:
    from hlta.documents.corpus import Corpus
    from hlta.documents.strings import Strings

ALL: Final = ("all",)
MOST_KEPT: Final = 20
"""Columns: each has a table of shares in the page."""
MOST_VALUES: Final = 10_000
"""Values of a column that is named: they are counted in memory."""
FEW: Final = 500
"""Values of a column that is not named: so many groups are compared."""
LONGEST: Final = 200
"""Characters of a value: longer ones are texts."""
_FOLLOWED: Final = 60  # columns, until it is known which ones have few values
_FOLLOWED_IN_PARTS: Final = 1000  # likewise, in each part of the documents
_REPEATED: Final = 2  # documents per value of a column that is not named, on average, at least
_SHOWN: Final = 8  # columns in a message


def columns_to_keep(given: Any) -> tuple[str, ...]:
    """The names of columns that are given: none, one, several, or "all"."""
    alone = isinstance(given, str) or not isinstance(given, Iterable)
    names = () if given is None else (given,) if alone else tuple(given)
    odd = [name for name in names if not isinstance(name, str) or not name]
    if odd or len(names) > MOST_KEPT:
        what = f"holds {odd[0]!r:.60}" if odd else f"names {len(names)} columns"
        raise OptionError(f'keep {what}; give the names of at most {MOST_KEPT} columns, or "all"')
    return ALL if ALL[0] in names else tuple(dict.fromkeys(names))


def with_group_name(corpus: Corpus, name: str | None) -> Corpus:
    """The corpus whose groups have the name of their column, if it has one; it is kept once."""
    if name is None or name.isdecimal() or corpus.groups is None:
        return corpus
    fields = {column: values for column, values in corpus.fields.items() if column != name}
    return replace(corpus, group_name=name, fields=fields)


Kept: TypeAlias = "dict[str, Strings | str]"
"""Columns in the order in which they came: their values or, of those that are left out, why."""


class KeptColumns:
    """Collects the columns to keep while documents pass by; what has too many values is left out.

    Parts of the documents that are to be joined follow many columns, or what is kept would depend on
    where the parts begin.
    """

    def __init__(self, keep: tuple[str, ...], *, is_part: bool = False) -> None:
        self._all = keep == ALL
        self._most = FEW if self._all else MOST_VALUES
        self._followed = _FOLLOWED_IN_PARTS if is_part else _FOLLOWED
        self._columns: dict[str, _Column | None] = {}  # None for those that are left out
        self._left: dict[str, str] = {}
        self._too_many = False
        self._count = 0
        for name in () if self._all else keep:
            self._columns[name] = _Column()

    def append(self, values: Iterable[tuple[str, str]]) -> None:
        """Add a document with these columns."""
        for name, value in values:
            self._extend(name, (value,))
        self._count += 1

    def extend(self, kept: Kept, count: int) -> None:
        """Add so many documents that another one collected."""
        for name, values in kept.items():
            self._extend(name, values)
        self._count += count

    def collected(self) -> Kept:
        """What was collected so far, whatever it is."""
        return {
            name: self._left[name] if column is None else column.read(self._count)
            for name, column in self._columns.items()
            if column is None or column.is_there
        }

    def read(self) -> dict[str, Strings]:
        """The columns that are kept in the end; a warning names the others."""
        followed = {name: column for name, column in self._columns.items() if column is not None}
        for name, column in followed.items():
            if not column.is_there:
                raise DocumentsError(
                    f"no document has a column {name!r:.60}; name one that there is, or leave it out"
                )
            if why := column.says_little(all_columns=self._all):
                self._leave(name, why)
        useful = [name for name in followed if name not in self._left]
        for name in useful[MOST_KEPT:]:
            self._leave(name, f"one of more than {MOST_KEPT} columns")
        self._warn()
        return {name: followed[name].read(self._count) for name in useful[:MOST_KEPT]}

    def _extend(self, name: str, values: Iterable[str]) -> None:
        """Add the values of a column, or why it is left out."""
        if name not in self._columns:
            if len(self._columns) >= self._followed:
                self._too_many = True
                return
            self._columns[name] = _Column()
        column = self._columns[name]
        if column is None:
            return
        if isinstance(values, str):
            self._leave(name, values)
            return
        column.extend(values, self._count)
        if column.is_long:
            self._leave(name, f"values of more than {LONGEST} characters")
        elif len(column.values) > self._most:
            self._leave(name, f"more than {self._most:,} values")

    def _leave(self, name: str, why: str) -> None:
        self._columns[name] = None
        self._left[name] = why

    def _warn(self) -> None:
        if not (self._left or self._too_many):
            return
        shown = [f"{name!r:.60} ({why})" for name, why in list(self._left.items())[:_SHOWN]]
        if (more := len(self._left) - _SHOWN) > 0:
            shown.append(f"and {more:,} more")
        if self._too_many:
            shown.append(f"and those beyond the first {_FOLLOWED} columns")
        remedy = (
            'name those that you need, as in keep="country" (--keep country)'
            if self._all
            else "leave them out, or give columns with fewer and shorter values"
        )
        warnings.warn(f"columns that are not kept: {', '.join(shown)}; {remedy}", stacklevel=2)


class _Column:
    """The values of a column so far, and which ones there are."""

    def __init__(self) -> None:
        self.values: set[str] = set()
        self.is_long = False
        self._writer = StringsWriter()
        self._length = self._filled = 0

    @property
    def is_there(self) -> bool:
        """Whether a document had the column."""
        return self._length > 0

    def extend(self, values: Iterable[str], before: int) -> None:
        """Add the values of consecutive documents, with so many `before` them."""
        self._pad(before)
        for value in values:
            self._writer.append(value)
            self._length += 1
            self._note(value)

    def read(self, count: int) -> Strings:
        """The values of so many documents; those at the end may have none."""
        self._pad(count)
        return self._writer.read()

    def says_little(self, *, all_columns: bool) -> str:
        """Why documents cannot be compared by it, or ""; where all columns are kept, it must say more."""
        if not self.values:
            return "no values"
        if all_columns and len(self.values) == 1:
            return "one value"
        if all_columns and len(self.values) * _REPEATED > self._filled:
            return "nearly as many values as documents"
        return ""

    def _note(self, value: str) -> None:
        self._filled += value != ""
        if value and value not in self.values:
            parts = value_list(value)
            self.values.update(parts)
            self.is_long |= any(len(part) > LONGEST for part in parts)

    def _pad(self, count: int) -> None:
        while self._length < count:
            self._writer.append("")
            self._length += 1
