"""A log of edits in another model: its topics are found again by their words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from hlta.edits.entries import Entry, Split
from hlta.edits.log import Record, describe, first_keywords
from hlta.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from hlta.edits.annotated_tree import AnnotatedTree

_LEAST_OVERLAP: Final = 0.25  # Jaccard index of the first keywords: 4 of 10 in common


class Matched(NamedTuple):
    """What could be made of a log."""

    records: tuple[Record, ...]  # the edits that could be made, with the names of this model
    refused: list[str]  # why others could not


def match_edits(
    records: Iterable[Record],
    model: AnnotatedTree,
    split: Callable[[AnnotatedTree, str, list[str], Sequence[Record]], Entry],
) -> Matched:
    """Make the edits that still apply; `split` learns anew how a topic splits."""
    made, refused = list[Record](), list[str]()
    for number, (entry, words) in enumerate(records, start=1):
        try:
            names = _found_again(entry.names, words, model)
            if isinstance(entry, Split):
                apart = [names[name] for name in entry.apart]
                again = split(model, names[entry.topic], apart, made)
            else:
                again = entry.renamed(names)
            after = again.applied(model)
            made.append(Record.of(again, model))
            model = after
        except OptionError as error:
            refused.append(f"edit {number}, {describe(entry)}: {error}")
    return Matched(tuple(made), refused)


def _found_again(
    names: Iterable[str], words: Mapping[str, list[str]], model: AnnotatedTree
) -> dict[str, str]:
    """The topics here that are most like those of another model, and words by themselves."""
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
    known = set(keywords)
    overlap = {
        other: len(known & set(own)) / len(known | set(own)) for other, own in topics.items()
    }
    best = max(overlap, key=lambda other: overlap[other])
    if overlap[best] < _LEAST_OVERLAP:
        raise OptionError(f"no topic here is like {name}, {' '.join(keywords[:5])}")
    return best
