"""JSON, one object per line or an array of them, as documents."""

from __future__ import annotations

import json
from typing import IO, TYPE_CHECKING, Any, Final

from hlta.documents.fields import as_string
from hlta.errors import DocumentsError
from hlta.reading.encodings import Decoder
from hlta.reading.records import Columns, Record, Source, find_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


_REMEMBERED: Final = 1 << 14  # keys, at most, in the sets of keys that are remembered
_LONGEST: Final = 1 << 24  # characters of an object in a line


def json_lines(
    lines: Iterable[tuple[int, str]], source: Source, *, first: bool = True
) -> Iterator[Record]:
    """Read one JSON object per numbered line; if `first`, the first must have a key for the text."""

    def entries() -> Iterator[tuple[int, Any]]:
        for number, line in lines:
            if len(line) > _LONGEST:
                source.broken(
                    f"{source.name}, line {number:,}", f"has more than {_LONGEST:,} characters"
                )
                continue
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError) as error:
                source.broken(f"{source.name}, line {number:,}", f"is not valid JSON: {error}")

    return _objects(entries(), "line", source, first=first)


def json_array(file: IO[bytes], source: Source) -> Iterator[Record]:
    """Read a JSON array of objects or of texts, or a single object, all of it at once."""
    name = source.name
    try:
        entries = json.loads(Decoder(source.options.encoding).text(file.read(), name))
    except (ValueError, RecursionError) as error:
        raise DocumentsError(
            f"{name} is not valid JSON: {error}; if it has one object per line, call it .jsonl"
        ) from None
    if isinstance(entries, dict) and source.prefix:  # a file among others may hold one
        entries = [entries]
    if not isinstance(entries, list):
        raise DocumentsError(
            f"{name} is not a JSON array; use an array of objects, as pandas writes it with "
            "orient='records', or of texts"
        )
    return _objects(enumerate(entries, start=1), "entry", source)


def _objects(
    entries: Iterable[tuple[int, Any]], kind: str, source: Source, *, first: bool = True
) -> Iterator[Record]:
    """Documents of numbered objects, whose keys may differ; if `first`, the first must have a text key.

    An array may also hold strings, each of which is a text.
    """
    nested = [name for name in source.options.named if "." in name]
    known: dict[tuple[str, ...], Columns | None] = {}
    remembered = 0
    for number, entry in entries:
        where = f"{source.name}, {kind} {number:,}"
        if kind == "entry" and isinstance(entry, str) and entry:
            yield Record(entry, source.id_of(number))
            continue
        if not isinstance(entry, dict):
            source.broken(where, "is not a JSON object")
            continue
        try:
            flat = _with_nested(entry, nested) if nested else entry
            keys = tuple(flat)
            if keys not in known:
                remembered += len(keys)
                if remembered > _REMEMBERED:
                    known.clear()
                    remembered = len(keys)
                known[keys] = _columns(keys, source, where, first=first)
            first = False
            columns = known[keys]
            text = None if columns is None else flat.get(columns.text)
            if columns is not None and isinstance(text, dict):
                names = ", ".join(f"{f'{columns.text}.{key}'!r:.60}" for key in list(text)[:5])
                source.broken(where, f"has an object as its text; name a key of it: {names}")
            elif columns is not None and (found := _nested_lists(flat, columns, source, nested)):
                belongs = "where one value or a list of values belongs"
                source.broken(where, f"has a list of lists in {found[0]!r:.60}, {belongs}")
            elif columns is None or not as_string(text).strip():
                source.skip(where, "it has no text")
            else:
                yield columns.record(flat, source.id_of(number))
        except RecursionError:
            source.broken(where, "is nested too deeply")


def _columns(keys: tuple[str, ...], source: Source, where: str, *, first: bool) -> Columns | None:
    """The keys with each part of the document; only the first object must have all that options name."""
    if first:
        columns = find_columns(keys, source.options, where)
        source.tell(source.name, columns)
        return columns
    try:
        return find_columns([*keys, *source.options.named], source.options, where)
    except DocumentsError:
        return None


def _with_nested(entry: dict[str, Any], names: list[str]) -> dict[str, Any]:
    """The object, with the value below the keys "a" and then "b" added as "a.b", for each such name."""
    found = {name: _below(entry, name.split(".")) for name in names if name not in entry}
    return entry | {name: value for name, value in found.items() if value is not None}


def _nested_lists(
    entry: dict[str, Any], columns: Columns, source: Source, below: list[str]
) -> list[str]:
    """The keys with lists of lists, among that of the text and those that options name, but `below`."""
    asked = dict.fromkeys((columns.text, *source.options.named))
    return [name for name in asked if name not in below and _is_nested(entry.get(name))]


def _is_nested(value: Any) -> bool:
    """Whether this is a list that holds lists."""
    return isinstance(value, list) and any(isinstance(part, list) for part in value)


def _below(value: Any, keys: list[str]) -> Any:
    """What is below the keys; of a list, what is below them in each of its entries."""
    if not keys:
        return value
    if isinstance(value, list):
        parts = [_below(part, keys) for part in value]
        return [part for part in parts if part is not None] or None
    return _below(value.get(keys[0]), keys[1:]) if isinstance(value, dict) else None
