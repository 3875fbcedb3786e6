"""How much there is of each topic in each period and in each group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.sparse import csr_array

from hlta.topics.periods import periods

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from hlta.documents.corpus import Corpus
    from hlta.documents.matrix import Documents
    from hlta.tree.latent_tree import LatentTree

_MOST_GROUPS: Final = 200
_AT_ONCE: Final = 1 << 24  # posteriors


@dataclass(frozen=True, eq=False)
class Division:
    """Documents in parts.

    unit    what a part is: "year", "month", "day" or "group"
    names   of the parts
    number  int64 (documents,): the part of each document, -1 for none
    """

    unit: str
    names: tuple[str, ...]
    number: NDArray[np.int64]

    @property
    def documents(self) -> NDArray[np.int64]:
        """How many there are in each part."""
        return np.bincount(self.number[self.number >= 0], minlength=len(self.names))


def by_period(corpus: Corpus) -> Division | None:
    """The periods of a corpus; None where there are no dates, or one period alone."""
    found = None if corpus.dates is None else periods(corpus.dates)
    return None if found is None else Division(found.unit, found.names, found.number)


def by_group(corpus: Corpus) -> Division | None:
    """The groups of a corpus, those with most documents first; None where there are none, or one."""
    if corpus.groups is None:
        return None
    names = _most_frequent(corpus.groups)
    if len(names) < 2:
        return None
    number = {name: k for k, name in enumerate(names)}
    members = np.array([number.get(value, -1) for value in corpus.groups])
    return Division("group", names, members)


def _most_frequent(values: Iterable[str]) -> tuple[str, ...]:
    count: dict[str, int] = {}
    for value in values:
        if value:
            count[value] = count.get(value, 0) + 1
    return tuple(sorted(count, key=lambda name: (-count[name], name))[:_MOST_GROUPS])


def shares(
    tree: LatentTree,
    documents: Documents,
    latents: NDArray[np.intp],
    divisions: Sequence[Division],
    *,
    n_jobs: int | None = None,
) -> list[NDArray[np.float64]]:
    """The mean of P(latent | document) over the documents of each part, parts by latents, exactly."""
    sums = [np.zeros((len(division.names), len(latents))) for division in divisions]
    step = max(1, _AT_ONCE // tree.n_latents)
    for begin in range(0, len(documents) if divisions else 0, step):
        rows = np.arange(begin, min(begin + step, len(documents)))
        every = tree.posteriors(documents.take(rows), n_jobs=n_jobs).dense()
        chosen = every[:, latents - tree.n_words]
        for k, division in enumerate(divisions):
            known = np.flatnonzero(division.number[rows] >= 0)
            entries = (np.ones(len(known)), (division.number[rows][known], known))
            sums[k] += csr_array(entries, shape=(len(division.names), len(rows))) @ chosen
    return [
        total / np.maximum(division.documents, 1)[:, None]
        for division, total in zip(divisions, sums, strict=True)
    ]
