"""How far the topics that a model gives to documents agree with those that a person gives them."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hlta._support.cells import from_cell, read_rows
from hlta.errors import DocumentsError, FormatError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from os import PathLike

    from numpy.typing import NDArray

_SHOWN = 5  # unknown names in a message


class CoderAgreement(NamedTuple):
    """How far a coder and a model agree on one topic, in the documents that were coded.

    Attributes
    ----------
    coder, model, both : int
        Documents that are on the topic according to the coder, to the model, and to both.
    kappa : float
        Cohen's kappa: 0 as by chance, 1 where they always agree; NaN if both put all documents, or
        none, on the topic.
    only_coder, only_model : tuple of str
        The ids of the documents that are on the topic according to one of them alone.
    """

    coder: int
    model: int
    both: int
    kappa: float
    only_coder: tuple[str, ...] = ()
    only_model: tuple[str, ...] = ()


def read_codes(path: str | PathLike[str]) -> dict[str, set[str]]:
    """The topics that a coder gave to each document, from a CSV file with `document` and `topic`.

    Parameters
    ----------
    path
        The file: a row per document and topic; a document on no topic has one with an empty topic.
        Columns are separated by commas, semicolons or tabs.

    Returns
    -------
    dict of str to set of str

    Raises
    ------
    FormatError
        If it is no CSV file in UTF-8, a column is missing, or there are no rows.
    """
    found: dict[str, set[str]] = defaultdict(set)
    name = repr(str(path))
    use = (
        "its first line must name the columns document and topic, with commas, semicolons or tabs "
        "between them"
    )
    for row in read_rows(Path(path), name, ("document", "topic"), use):
        document, given = from_cell(row["document"] or ""), row["topic"]
        if not document.strip() and not given:
            continue  # an empty row of a spreadsheet
        topics = found[document]
        if topic := from_cell(given or "").strip():
            topics.add(topic)
    if not found:
        raise FormatError(f"{name} has no rows; give one per document and topic")
    return dict(found)


def coder_agreement(
    codes: Mapping[str, set[str]],
    ids: Sequence[str],
    topics: Sequence[Any],
    is_on: NDArray[np.bool_],
) -> tuple[CoderAgreement, list[CoderAgreement]]:
    """Compare a coder's topics with those of a model, over all and topic by topic.

    A document to which the coder gave a topic is also on the topics above it.

    Parameters
    ----------
    codes
        The ids or titles of the coder's topics of each document, as `read_codes` gives them.
    ids
        The id of each document of the model.
    topics
        Topics with an id, a title and a parent, such as those of a `TopicTree`.
    is_on : bool (documents, topics)
        Which documents are on which topics according to the model.

    Returns
    -------
    CoderAgreement
        Over all pairs of a document and a topic; it names no documents.
    list of CoderAgreement
        One per topic. Documents that were not coded do not count.

    Raises
    ------
    DocumentsError
        If the coder names a document or a topic that does not exist, or that several share.
    """
    place = {topic.id: k for k, topic in enumerate(topics)}
    titled: dict[str, list[int]] = defaultdict(list)
    for k, topic in enumerate(topics):
        titled[topic.title].append(k)
    rows: dict[str, list[int]] = defaultdict(list)
    for k, one in enumerate(ids):
        rows[one].append(k)
    named = {**titled, **{name: [k] for name, k in place.items()}}
    codes = {one if one in rows else one.strip(): given for one, given in codes.items()}
    given = {name for topics_of_one in codes.values() for name in topics_of_one}
    problems = [*_problems("documents", codes, rows), *_problems("topics", given, named)]
    if problems:
        raise DocumentsError(
            f"the coder names {'; '.join(problems)}; use ids of documents, such as {ids[0]!r:.60}, and "
            f"ids or titles of topics, such as {topics[0].id!r}"
        )
    coded = np.zeros((len(codes), len(topics)), dtype=bool)
    for k, own in enumerate(codes.values()):
        for name in own:
            at = topics[named[name][0]]
            while at is not None:
                coded[k, place[at.id]] = True
                at = at.parent
    found = is_on[[rows[one][0] for one in codes]]
    names = np.array(list(codes), dtype=object)
    by_topic = [
        _on_topic(a, b)._replace(only_coder=tuple(names[a & ~b]), only_model=tuple(names[b & ~a]))
        for a, b in zip(coded.T, found.T, strict=True)
    ]
    return _on_topic(coded.ravel(), found.ravel()), by_topic


def _problems(what: str, given: Iterable[str], known: Mapping[str, list[int]]) -> Iterator[str]:
    """Phrases that list the names that are unknown, and those that several documents or topics have."""
    names = sorted(given)
    for how, wrong in (
        ("are unknown", [one for one in names if one not in known]),
        ("several have", [one for one in names if len(known.get(one, ())) > 1]),
    ):
        if wrong:
            some = ", ".join(f"{one!r:.60}" for one in wrong[:_SHOWN])
            more = f" and {len(wrong) - _SHOWN:,} more" if len(wrong) > _SHOWN else ""
            yield f"{what} that {how}: {some}{more}"


def _on_topic(coder: NDArray[np.bool_], model: NDArray[np.bool_]) -> CoderAgreement:
    p, q = coder.mean(), model.mean()
    chance = p * q + (1 - p) * (1 - q)
    kappa = np.nan if chance == 1.0 else ((coder == model).mean() - chance) / (1 - chance)
    return CoderAgreement(
        int(coder.sum()), int(model.sum()), int((coder & model).sum()), float(kappa)
    )
