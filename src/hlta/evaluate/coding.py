"""Whether topics of documents agree with those that a person gave them."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hlta.errors import DocumentsError, FormatError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from numpy.typing import NDArray

_SHOWN = 5  # unknown ids in a message


class CoderAgreement(NamedTuple):
    """How far a coder and a model agree on one topic, in the documents that were coded.

    Attributes
    ----------
    coder, model, both : int
        Documents that are on the topic to the coder, to the model, and to both.
    kappa : float
        Cohen's kappa: 0 as by chance, 1 where they always agree; NaN if both put all documents, or
        none, on the topic.
    """

    coder: int
    model: int
    both: int
    kappa: float


def read_codes(path: str | PathLike[str]) -> dict[str, set[str]]:
    """The topics that a coder gave to each document, from a CSV file with `document` and `topic`.

    Parameters
    ----------
    path
        The file: a row per document and topic; a document on no topic has one with an empty topic.

    Returns
    -------
    dict of str to set of str

    Raises
    ------
    FormatError
        If a column is missing, or there are no rows.
    """
    found: dict[str, set[str]] = defaultdict(set)
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        if not {"document", "topic"} <= set(reader.fieldnames or ()):
            raise FormatError(
                f"{str(path)!r} lacks the column 'document' or 'topic'; name both in its first line"
            )
        for row in reader:
            topics = found[(row["document"] or "").strip()]
            if topic := (row["topic"] or "").strip():
                topics.add(topic)
    if not found:
        raise FormatError(f"{str(path)!r} has no rows; give one per document and topic")
    return dict(found)


def coder_agreement(
    codes: Mapping[str, set[str]],
    ids: Sequence[str],
    names: Sequence[Sequence[str]],
    is_on: NDArray[np.bool_],
) -> list[CoderAgreement]:
    """Compare a coder's topics with those of a model, topic by topic.

    Parameters
    ----------
    codes
        The coder's topics of each document, as `read_codes` gives them.
    ids
        The id of each document of the model.
    names
        The names of each topic, such as its id and title; one suffices.
    is_on : bool (documents, topics)
        Which documents are on which topics to the model.

    Returns
    -------
    list of CoderAgreement
        One per topic. Documents that were not coded do not count.

    Raises
    ------
    DocumentsError
        If the coder has documents or topics that are not among these.
    """
    place = {name: k for k, own in enumerate(names) for name in own}
    row = {one: k for k, one in enumerate(ids)}
    _check("documents", codes, row)
    _check("topics", {topic for topics in codes.values() for topic in topics}, place)
    coded = np.zeros((len(codes), len(names)), dtype=bool)
    for k, topics in enumerate(codes.values()):
        coded[k, [place[topic] for topic in topics]] = True
    found = is_on[[row[one] for one in codes]]
    return [_on_topic(a, b) for a, b in zip(coded.T, found.T, strict=True)]


def _check(
    what: str, given: Sequence[str] | Mapping[str, object] | set[str], known: object
) -> None:
    """Refuse names that are not known."""
    unknown = sorted(one for one in given if one not in known)  # type: ignore[operator]
    if unknown:
        some = ", ".join(map(repr, unknown[:_SHOWN])) + (", …" if len(unknown) > _SHOWN else "")
        raise DocumentsError(
            f"the coder has {what} that are unknown: {some}; use those of the model"
        )


def _on_topic(coder: NDArray[np.bool_], model: NDArray[np.bool_]) -> CoderAgreement:
    p, q = coder.mean(), model.mean()
    chance = p * q + (1 - p) * (1 - q)
    kappa = np.nan if chance == 1.0 else ((coder == model).mean() - chance) / (1 - chance)
    return CoderAgreement(
        int(coder.sum()), int(model.sum()), int((coder & model).sum()), float(kappa)
    )
