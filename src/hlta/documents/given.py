"""The metadata that a corpus is given, checked and converted to strings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from hlta._support.arrays import read_only
from hlta._support.checks import check_names, check_strings
from hlta.documents.fields import as_string
from hlta.documents.frames import plain
from hlta.documents.strings import Strings
from hlta.errors import DocumentsError

if TYPE_CHECKING:
    from numpy.typing import NDArray


def as_coverage(coverage: Any, n_documents: int) -> NDArray[np.float64] | None:
    """The checked coverage of each document, or None if it is not given."""
    if coverage is None:
        return None
    try:
        shares = np.asarray(coverage, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        shares = np.empty(0)
    if shares.shape != (n_documents,) or not ((shares >= 0) & (shares <= 1)).all():
        raise DocumentsError(
            f"coverage must be one number from 0 to 1 for each of the {n_documents:,} documents"
        )
    return read_only(shares)


def as_strings(name: str, values: Iterable[Any] | None, n_documents: int) -> Strings | None:
    """A string for each document, of strings, dates, or lists of groups, which get a line each."""
    if values is None:
        return None
    if not isinstance(values, Strings):
        check_list(name, values, "document")
        if name == "dates":
            values = map(plain, values)
        elif name == "groups":
            values = (as_string(one) if isinstance(one, (list, tuple)) else one for one in values)
        values = Strings.of(check_strings(values, f"entry {{:,}} of {name}", error=DocumentsError))
    if len(values) != n_documents:
        raise DocumentsError(
            f"{name} has {len(values):,} entries for {n_documents:,} documents; give one each"
        )
    return values


def as_fields(given: Any, n_documents: int) -> dict[str, Strings]:
    """By the name of each field, its values: a string for each document, with one value per line."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise DocumentsError(
            f"fields is of type {type(given).__name__}; give a dictionary from names to lists with an "
            "entry per document"
        )
    found = {}
    for name in check_names("fields", given, error=DocumentsError):
        values = given[name]
        if not isinstance(values, Strings):
            check_list(f"fields[{name!r:.60}]", values, "document")
            values = map(as_string, map(plain, values))
        if (strings := as_strings(f"fields[{name!r:.60}]", values, n_documents)) is not None:
            found[name] = strings
    return found


def check_list(name: str, values: Any, thing: str) -> None:
    """Refuse a single string, and what cannot be iterated over."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        kind = "a single string" if isinstance(values, str) else f"of type {type(values).__name__}"
        raise DocumentsError(f"{name} is {kind}; give a list with one string per {thing}")
