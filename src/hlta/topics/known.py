"""`Known`: what a model knows of its topics besides the tree, in memory and in files."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

_NONE: Final = frozenset[str]()


class Known(NamedTuple):
    """What is known of the topics besides the tree.

    Attributes
    ----------
    documents : int64 (latent variables,) or None
        See `Topic.documents`.
    stability : float64 (latent variables,) or None
        See `Topic.stability`; NaN where it is not known.
    titles : dict of str
        Titles by the id of the topic; the others are made of keywords.
    titled, hidden, pinned : frozenset of str
        The ids of the topics whose titles a person gave, of those that are hidden with all below
        them, and of those that come first.
    """

    documents: NDArray[np.int64] | None = None
    stability: NDArray[np.float64] | None = None
    titles: Mapping[str, str] = MappingProxyType({})
    titled: frozenset[str] = _NONE
    hidden: frozenset[str] = _NONE
    pinned: frozenset[str] = _NONE

    def stability_of(self, latent: int) -> float | None:
        """The stability of a latent variable, counted from 0, if it is known."""
        if self.stability is None or np.isnan(self.stability[latent]):
            return None
        return float(self.stability[latent])

    def plain(self) -> dict[str, Any]:
        """As JSON can hold it."""
        documents, stability, titles, *sets = self
        shares = None
        if stability is not None:
            shares = [None if math.isnan(value) else value for value in stability.tolist()]
        return {
            "documents": None if documents is None else documents.tolist(),
            "stability": shares,
            "titles": dict(titles),
            **{name: sorted(ids) for name, ids in zip(self._fields[3:], sets, strict=True) if ids},
        }

    @classmethod
    def read(cls, header: dict[str, Any], n_latents: int) -> Known:
        """From the header of a file; raises ValueError or TypeError if it is damaged."""
        documents, stability, titles, *sets = map(header.get, cls._fields)
        if documents is not None:
            documents = np.array(documents, dtype=np.int64)
            if documents.shape != (n_latents,) or (documents < 0).any():
                raise ValueError("documents is not a number per latent variable")
        if stability is not None:
            stability = np.array(stability, dtype=np.float64)  # None becomes NaN
            within = np.isnan(stability) | ((stability >= 0.0) & (stability <= 1.0))
            if stability.shape != (n_latents,) or not within.all():
                raise ValueError("stability is not a share per latent variable")
        titles = {} if titles is None else titles
        if not isinstance(titles, dict) or not _strings(titles.values()):
            raise ValueError("titles are not strings by the ids of topics")
        ids = [[] if names is None else names for names in sets]
        if not all(isinstance(names, list) and _strings(names) for names in ids):
            raise ValueError("titled, hidden or pinned is not a list of ids")
        return cls(documents, stability, titles, *map(frozenset, ids))


def _strings(values: Any) -> bool:
    return all(isinstance(value, str) for value in values)
