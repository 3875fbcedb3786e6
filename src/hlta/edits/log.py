"""`EditLog`: the edits of a model in the order in which they were made, and the file that holds them."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from operator import eq
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hlta._support.formats import check_fields, check_version
from hlta._support.messages import printable
from hlta._support.writing import write_text
from hlta.edits.entries import KINDS, Entry, Split
from hlta.errors import FormatError, OptionError
from hlta.topics.word_counts import words_of_topics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from os import PathLike

    from hlta.edits.annotated_tree import AnnotatedTree

FORMAT: Final = "hlta-edits"
VERSION: Final = 1  # of the format
_PRINTED: Final = "use a log as `hlta edit MODEL --json` prints it, and add edits to that"
WORDS_KEPT: Final = 10
"""Keywords of each topic that a record keeps, by which the topic is matched in another model."""
_FIELDS: Final = frozenset({"format", "version", "model", "settled", "edits"})
_LONGEST_LINE: Final = 200  # characters
_TYPES: Final[dict[str, Any]] = {
    "titles": dict,
    "learned": dict,
    "apart": list,
    "below": (str, type(None)),
}
"""The types of fields of entries; all others are strings."""
_LEAST_OVERLAP: Final = 0.25  # Jaccard index of the first keywords: 4 of 10 in common


class Record(NamedTuple):
    """An edit, and the first keywords of the topics that it names."""

    entry: Entry
    words: Mapping[str, list[str]]  # by the ids of the topics

    @classmethod
    def of(cls, entry: Entry, model: AnnotatedTree) -> Record:
        """The record of an edit; `model` is the one before the edit."""
        names = set(entry.names).intersection(model.tree.latent_names)
        return cls(entry, first_keywords(model, names))

    def plain(self) -> dict[str, Any]:
        """The record as a dictionary that JSON can hold."""
        return {**self.entry.plain(), "words": dict(self.words)}


@dataclass(frozen=True)
class EditLog:
    """The edits of a model.

    Attributes
    ----------
    origin : str
        The fingerprint of the model as it was learned, which identifies it.
    records : tuple of Record
        The edits in the order in which they were made.
    settled : tuple of Record
        Earlier edits, made before an update. They are part of the model and cannot be undone.
    """

    origin: str
    records: tuple[Record, ...] = ()
    settled: tuple[Record, ...] = ()

    @property
    def history(self) -> tuple[Record, ...]:
        """All edits that were ever made."""
        return (*self.settled, *self.records)

    def with_records(self, records: Iterable[Record]) -> EditLog:
        """The log with the same settled edits and other ones after them."""
        return EditLog(self.origin, tuple(records), self.settled)

    def apply(self, model: AnnotatedTree) -> AnnotatedTree:
        """The model after the edits, from the `model` as it was learned; an error names the edit."""
        for *_, after in self._steps(model):
            model = after
        return model

    def complete(self, model: AnnotatedTree) -> EditLog:
        """The log with the first keywords of topics, which a hand-written log may lack."""
        return self.with_records(
            Record.of(record.entry, before) for record, before, _ in self._steps(model)
        )

    def describe(self, model: AnnotatedTree) -> list[str]:
        """A line for each edit, with the titles that topics had before it."""
        return [
            printable(record.entry.in_words(before.call))[:_LONGEST_LINE]
            for record, before, _ in self._steps(model)
        ]

    def _steps(self, model: AnnotatedTree) -> Iterator[tuple[Record, AnnotatedTree, AnnotatedTree]]:
        """Each edit, and the model before and after it."""
        for number, record in enumerate(self.records, start=len(self.settled) + 1):
            try:
                after = record.entry.apply(model)
            except OptionError as error:
                raise OptionError(f"edit {number}, {describe(record.entry)}: {error}") from None
            yield record, model, after
            model = after

    def plain(self) -> dict[str, Any]:
        """The log as a dictionary that JSON can hold."""
        head = {"format": FORMAT, "version": VERSION, "model": self.origin}
        settled = {"settled": len(self.settled)} if self.settled else {}
        return {**head, **settled, "edits": [record.plain() for record in self.history]}

    def to_json(self) -> str:
        """The log as JSON, one line per edit."""
        plain = self.plain()
        edits = ",\n".join(json.dumps(edit, ensure_ascii=False) for edit in plain.pop("edits"))
        lines = f"\n{edits}\n" if edits else ""
        return f'{json.dumps(plain)[:-1]}, "edits": [{lines}]}}\n'

    def save(self, path: str | PathLike[str]) -> None:
        """Write the log; the file is replaced as a whole or not at all."""
        # A word may hold a lone surrogate, which only JSON's own escapes can express.
        write_text(path, self.to_json(), "backslashreplace")

    @classmethod
    def load(cls, path: str | PathLike[str]) -> EditLog:
        """Read a log that `save` or a person wrote; raises `FormatError` if it is not a log."""
        try:
            whole = json.loads(Path(path).read_text(encoding="utf-8-sig"))
        except (ValueError, RecursionError) as error:
            what = f"it is not JSON ({error})"
            raise FormatError(f"{path} is not a log of edits: {what}; {_PRINTED}") from None
        if not isinstance(whole, dict) or whole.get("format") != FORMAT:
            raise FormatError(
                f'{path} is not a log of edits: "format" is not "{FORMAT}"; {_PRINTED}'
            )
        check_version(str(path), whole.get("version"), VERSION)
        check_fields(f"{path}: the log has", whole, _FIELDS)
        origin = whole.get("model")
        if not isinstance(origin, str):
            raise FormatError(f'{path}: "model" does not name a model; {_PRINTED}')
        try:
            return cls.of(origin, whole.get("edits"), whole.get("settled", 0))
        except ValueError as error:
            raise FormatError(f"{path}: {error}") from None

    @classmethod
    def of(cls, origin: str, values: Any, settled: Any) -> EditLog:
        """The log in values read from JSON; raises ValueError if they are not valid.

        `settled` is the number of settled edits.
        """
        if not isinstance(values, list):
            raise ValueError("the edits are not a list")
        records = tuple(_read_record(k, value) for k, value in enumerate(values, start=1))
        if not isinstance(settled, int) or not 0 <= settled <= len(records):
            raise ValueError(f"{settled!r} of {len(records)} edits cannot be settled")
        return cls(origin, records[settled:], records[:settled])


def _read_record(number: int, value: Any) -> Record:
    """The record in values read from JSON; raises ValueError if they are not valid."""
    kind = value.get("edit") if isinstance(value, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise ValueError(f"edit {number} is of kind {kind!r:.40}, not one of {', '.join(KINDS)}")
    found = {}
    for field in fields(KINDS[kind]):
        right = _TYPES.get(field.name, str)
        if field.name not in value or not isinstance(value[field.name], right):
            raise ValueError(f"edit {number}, {kind}, has no valid {field.name!r}")
        found[field.name] = value[field.name]
    if "apart" in found:
        found["apart"] = tuple(found["apart"])
        if not _strings(found["apart"]):
            raise ValueError(f"edit {number}, {kind}: 'apart' holds more than strings")
    check_fields(f"edit {number}, {kind}, has", value, {"edit", "words", *found})
    words = value.get("words", {})
    if not isinstance(words, dict) or not all(
        isinstance(w, list) and _strings(w) for w in words.values()
    ):
        raise ValueError(f"edit {number}, {kind}: 'words' are not lists of words by topic")
    return Record(KINDS[kind](**found), words)


def _strings(values: Iterable[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def describe(entry: Entry) -> str:
    """An edit in one line of a message, without control characters, cut to `_LONGEST_LINE`."""
    return printable(str(entry))[:_LONGEST_LINE]


def first_keywords(model: AnnotatedTree, names: Iterable[str]) -> dict[str, list[str]]:
    """The first keywords of some topics, by their ids."""
    tree, table = model.tree, words_of_topics(model.tree, model.annotations.counts)
    number = {name: k for k, name in enumerate(tree.latent_names)}
    return {
        name: [tree.words[w] for w in table.word[table.of_topic(number[name])[:WORDS_KEPT]]]
        for name in sorted(names)
    }


# ---- a log of edits for another model, whose topics are matched by their words -----------------


def match_edits(
    records: Iterable[Record],
    model: AnnotatedTree,
    split: Callable[[AnnotatedTree, str, list[str], Sequence[Record]], Entry],
) -> tuple[list[Record], list[str]]:
    """Make the edits of a log of another model that apply to this one; `split` learns splits anew.

    The result is the records of these edits, with the names of this model, and why others were refused.
    """
    made, refused = list[Record](), list[str]()
    for number, (entry, words) in enumerate(records, start=1):
        try:
            names = _find_again(entry.names, words, model)
            if isinstance(entry, Split):
                apart = [names[name] for name in entry.apart]
                again = split(model, names[entry.topic], apart, made)
            else:
                again = entry.rename(names)
            after = again.apply(model)
            made.append(Record.of(again, model))
            model = after
        except OptionError as error:
            refused.append(f"edit {number}, {describe(entry)}: {error}")
    return made, refused


def _find_again(
    names: Iterable[str], words: Mapping[str, list[str]], model: AnnotatedTree
) -> dict[str, str]:
    """The names in this model: for a topic with `words`, the most similar topic; else the word itself."""
    topics = first_keywords(model, model.tree.latent_names)
    return {
        name: _most_alike(name, words[name], topics) if words.get(name) else _word(name, model)
        for name in names
    }


def _word(name: str, model: AnnotatedTree) -> str:
    if name not in model.tree.words:
        raise OptionError(
            f"no word here is called {name!r:.60}, and if it is a topic, the log does not say what "
            "it was about; add its first keywords to the words of the edit"
        )
    return name


def _most_alike(name: str, keywords: list[str], topics: Mapping[str, list[str]]) -> str:
    def likeness(other: str) -> tuple[float, int]:
        """The overlap of the keywords, and how many are in the same place, as topics may share them."""
        both = len({*keywords} & {*topics[other]}) / len({*keywords, *topics[other]})
        return both, sum(map(eq, keywords, topics[other]))

    best = max(topics, key=likeness)
    if likeness(best)[0] < _LEAST_OVERLAP:
        raise OptionError(f"no topic here is like {name}, {' '.join(keywords[:5])}")
    return best
