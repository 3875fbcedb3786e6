"""Fields, such as a country or a kind, by which documents are filtered, coloured and compared.

A document has any number of values of a field, in a string with one value per line. The first field is
the group, if documents have groups.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hlta.documents.strings import Strings

GROUP: Final = "group"
"""The key of the field of groups, and its default name."""
# Keys that other fields cannot have: they have another meaning in the page's address or elsewhere.
_TAKEN: Final = frozenset(
    {
        *("all", "none", "not", "copies", "topic", "main", "word", "text", "date", "area", "set"),
        *(GROUP, "period", "both", "time"),
    }
)

_QUOTED: Final = re.compile(r"""'[^'\n]*'|"[^"\n]*\"""")
_WRITTEN: Final = re.compile(rf"\[[\s,]*(?:(?:{_QUOTED.pattern})[\s,]*)*\]")  # a list of strings


class Field(NamedTuple):
    """A field of documents.

    key     its unique name in the page's address: letters, digits and _
    name    its name for people
    values  its values in each document, one per line
    """

    key: str
    name: str
    values: Strings


def fields_of(groups: Strings | None, name: str, kept: Mapping[str, Strings]) -> tuple[Field, ...]:
    """The fields of documents: their groups under a name, then the columns that were kept."""
    found = [] if groups is None else [Field(GROUP, name, groups)]
    taken = set(_TAKEN)
    for column, values in kept.items():
        stem = re.sub(r"\W+", "_", column.lower()).strip("_") or "field"
        found.append(Field(_apart(stem, taken, "_"), column, values))
    return tuple(found)


def find_field(fields: Sequence[Field], name: str) -> Field | None:
    """The first field with a name or key, or None; `GROUP` is the key of the groups.

    If there is none, the first whose name or key differs only in case.
    """
    exact = (field for field in fields if name in (field.name, field.key))
    alike = (field for field in fields if name.lower() in (field.name.lower(), field.key))
    return next(exact, None) or next(alike, None)


def columns_of(fields: Mapping[str, Strings], taken: Iterable[str]) -> dict[str, Strings]:
    """Fields as columns of a table; a number is added to names that are `taken` by other columns."""
    names = set(taken)
    return {_apart(name, names, " "): values for name, values in fields.items()}


def _apart(name: str, taken: set[str], between: str) -> str:
    """The name, followed by a number if it is taken; the result is added to `taken`."""
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name}{between}{number}"
    taken.add(found)
    return found


def value_list(values: str) -> list[str]:
    """The distinct values of a field in a document, from a string with one value per line."""
    return list(dict.fromkeys(filter(None, map(str.strip, values.split("\n")))))


def as_values(cell: Any) -> str:
    r"""The values of a field in a cell, one per line; the cell may hold a list in Python or JSON syntax.

    Examples
    --------
    >>> as_values("['sports', 'news']")
    'sports\nnews'
    """
    text = as_string(cell)
    if _WRITTEN.fullmatch(text) is None:
        return text
    return "\n".join(value[1:-1] for value in _QUOTED.findall(text))


def as_string(value: Any) -> str:
    """A value of a table as text: None becomes "", and a list has one entry per line."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    # Lists of NumPy, pandas and Polars have a shape.
    if isinstance(value, (list, tuple)) or getattr(value, "shape", None):
        return "\n".join(filter(None, map(as_string, value)))
    return str(value)
