"""Fields of documents, such as a country or a kind: they are filtered, coloured and compared by these.

Each document has any number of values of a field, each on a line of one string. The first field is the
group, if documents have groups.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hlta.documents.strings import Strings

GROUP: Final = "group"
"""The key of the first field, and its name as long as nobody knows another."""
# What stands before the colon of other terms in the page's address, or names no field elsewhere.
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

    key     what terms of the page's address call it: letters, digits and _; no two have the same
    name    what people call it
    values  of each document
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
    """The first field of a name or key, if there is one; `GROUP` is the groups, whatever they are.

    If no name is spelled so, upper and lower case count as the same.
    """
    exact = (field for field in fields if name in (field.name, field.key))
    alike = (field for field in fields if name.lower() in (field.name.lower(), field.key))
    return next(exact, None) or next(alike, None)


def columns_of(fields: Mapping[str, Strings], taken: Iterable[str]) -> dict[str, Strings]:
    """Fields as columns of a table: a number follows a name that it has `taken` for another column."""
    names = set(taken)
    return {_apart(name, names, " "): values for name, values in fields.items()}


def _apart(name: str, taken: set[str], between: str) -> str:
    """The name, followed by a number if it is taken; it is taken from then on."""
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name}{between}{number}"
    taken.add(found)
    return found


def value_list(values: str) -> list[str]:
    """The values that a document has of a field, each once: one, or several on lines of their own."""
    return list(dict.fromkeys(filter(None, map(str.strip, values.split("\n")))))


def as_values(cell: Any) -> str:
    r"""The values of a field in a cell, each on a line; a list may be as Python or JSON writes it.

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
    """A value of a table as text: None becomes empty, and each entry of a list a line."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    # Lists of NumPy, pandas and Polars have a shape.
    if isinstance(value, (list, tuple)) or getattr(value, "shape", None):
        return "\n".join(filter(None, map(as_string, value)))
    return str(value)
