"""`Annotations` and `Sizes`: what a model stores about its topics besides the tree."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hlta._support.arrays import TINY
from hlta.topics.word_counts import WordCounts
from hlta.tree.reshaping import topics_above, topics_within

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from hlta._support.arrays import Floats, Indices, Ints
    from hlta.tree.latent_tree import LatentTree

REPEATED: Final = 0.75
"""A topic with at least this share of the documents of the topic above is not listed."""
_FEWEST: Final = 2
"""Nor is a topic that fewer documents are on, except root topics, and those of level 1, whose few words
seldom make a fifth of a document."""
_SETS: Final = ("titled", "hidden", "pinned")
_NONE: Final = frozenset[str]()
_NO_TEXTS: Final[Mapping[str, str]] = {}  # unlike a proxy of it, this can be pickled


class Sizes(NamedTuple):
    """How large topics are: a number per latent variable, NaN or -1 if it is unknown.

    Attributes
    ----------
    shares, spreads : float64 (n_latents,)
        Mean and variance of the share that the topic has in documents.
    documents, mainly : int64 (n_latents,)
        How many documents are on the topic, and of how many it is the main topic.
    weight : float
        The number of documents that shares are means of, fewer after fading; NaN in files of earlier
        versions.
    folded : frozenset of str
        The ids of the topics that were not listed before an edit after which documents were not counted.
    """

    shares: Floats
    spreads: Floats
    documents: Ints
    mainly: Ints
    weight: float = math.nan
    folded: frozenset[str] = _NONE

    @property
    def columns(self) -> tuple[Floats, Floats, Ints, Ints]:
        """The fields that have a number per latent variable."""
        return self.shares, self.spreads, self.documents, self.mainly

    @classmethod
    def unknown(cls, n_latents: int) -> Sizes:
        """Sizes that are unknown for all topics."""
        return cls(*np.full((2, n_latents), np.nan), *np.full((2, n_latents), -1))

    def own(self, tree: LatentTree) -> Floats:
        """The shares of topics without those of the topics below them."""
        above, known = topics_above(tree), ~np.isnan(self.shares)
        members = known & (above >= 0)
        below = np.bincount(above[members], self.shares[members], minlength=len(above))
        return np.maximum(self.shares - below, 0.0)

    def carry(self, own: Floats, tree: LatentTree, before: Indices) -> Sizes:
        """The sizes in another tree, from its topics' `own` shares, NaN if unknown.

        `before` are the numbers that its latent variables have in this tree, -1 for new ones. The
        numbers of documents are unknown until documents are counted.
        """
        within, known = topics_within(tree), ~np.isnan(own)
        shares = np.clip(within @ np.where(known, own, 0.0), 0.0, 1.0)
        shares[(within @ known.astype(np.int32)) == 0] = np.nan
        spreads = np.append(self.spreads, np.nan)[before]
        documents, mainly = np.full((2, tree.n_latents), -1)
        return Sizes(shares, spreads, documents, mainly, self.weight, self.folded)

    def with_more(self, new: Sizes, weight: float) -> Sizes:
        """The sizes in these documents and further ones.

        The earlier documents count as `weight` documents; `new` are the sizes in the further ones.
        Shares are weighted means, and the numbers of documents are added up.
        """
        total = max(weight + new.weight, TINY)

        def mean(one: Floats, other: Floats) -> Floats:
            return (weight * one + new.weight * other) / total

        shares = np.clip(mean(self.shares, new.shares), 0.0, 1.0)
        squares = mean(self.spreads + self.shares**2, new.spreads + new.shares**2)
        documents, mainly = (
            np.where((one < 0) | (other < 0), -1, one + other)
            for one, other in ((self.documents, new.documents), (self.mainly, new.mainly))
        )
        spreads = np.clip(squares - shares**2, 0.0, 1.0)
        return Sizes(shares, spreads, documents, mainly, total, self.folded)

    def plain(self) -> dict[str, Any]:
        """The sizes as JSON values."""
        shares = {name: _shares(getattr(self, name)) for name in ("shares", "spreads")}
        counts = {name: getattr(self, name).tolist() for name in ("documents", "mainly")}
        weight = {} if math.isnan(self.weight) else {"weight": self.weight}
        folded = {"folded": sorted(self.folded)} if self.folded else {}
        return shares | counts | weight | folded

    @classmethod
    def read(cls, plain: Mapping[str, Any], n_latents: int) -> Sizes:
        """Read sizes from a file; raises LookupError, TypeError or ValueError if it is damaged."""
        shares, spreads = (_read_shares(plain[name], name, 1) for name in ("shares", "spreads"))
        documents, mainly = (
            np.array(plain[name], dtype=np.int64) for name in ("documents", "mainly")
        )
        weight = float(plain.get("weight", math.nan))
        folded = plain.get("folded", [])
        if not isinstance(folded, list) or not _strings(folded):
            raise ValueError("folded is not a list of ids")
        sizes = cls(shares, spreads, documents, mainly, weight, frozenset(folded))
        if any(column.shape != (n_latents,) for column in sizes.columns):
            raise ValueError("sizes are not a number per latent variable")
        if (sizes.documents < -1).any() or (sizes.mainly < -1).any():
            raise ValueError("sizes are not numbers of documents")
        if sizes.weight < 0.0 or math.isinf(sizes.weight):
            raise ValueError("sizes are not of a number of documents")
        return sizes


class Annotations(NamedTuple):
    """What is known of the topics besides the tree.

    Attributes
    ----------
    stability : float64 (latent variables,) or None
        See `Topic.stability`; NaN where it is not known.
    titles : dict of str
        Titles by the id of the topic; other topics get titles of keywords.
    notes : dict of str
        What a person noted, by the id of the topic.
    titled, hidden, pinned : frozenset of str
        The ids of the topics whose titles a person gave, of those that are hidden with all topics
        below them, and of those that come before their siblings.
    contrast : float64 (words,) or None
        The contrast of the words of the model, see `hlta.topics.contrast`.
    word_stability : float64 (levels, words) or None
        The share of the samples in which a word is in the topic most like its own, for each level
        from 1 up; NaN where it has no topic of the level.
    sizes : Sizes or None
        How large the topics are, by the documents.
    counts : WordCounts or None
        The words of the topics, as counted in the documents.
    """

    stability: Floats | None = None
    titles: Mapping[str, str] = _NO_TEXTS
    notes: Mapping[str, str] = _NO_TEXTS
    titled: frozenset[str] = _NONE
    hidden: frozenset[str] = _NONE
    pinned: frozenset[str] = _NONE
    contrast: Floats | None = None
    word_stability: Floats | None = None
    sizes: Sizes | None = None
    counts: WordCounts | None = None

    def stability_of(self, latent: int) -> float | None:
        """The stability of a latent variable, counted from 0, if it is known."""
        if self.stability is None or np.isnan(self.stability[latent]):
            return None
        return float(self.stability[latent])

    def word_stability_of(self, word: int, level: int) -> float | None:
        """The stability of a word in its topic of a level, if it is known."""
        shares = self.word_stability
        if shares is None or level > len(shares):
            return None
        share = float(shares[level - 1, word])
        return None if math.isnan(share) else share

    def find_folded(self, tree: LatentTree) -> frozenset[str]:
        """The ids of the topics of `tree` that are not listed, unless a person named or pinned them.

        They have nearly all documents of the topic above, or hardly any; or it is unknown how many they
        have, and they were not listed before.
        """
        if self.sizes is None:
            return _NONE
        above, documents = topics_above(tree), self.sizes.documents
        is_same = (documents[above] > 0) & (documents >= REPEATED * documents[above])
        is_empty = (documents >= 0) & (documents < _FEWEST) & (tree.level[tree.n_words :] > 1)
        was_folded = (documents < 0) & np.isin(tree.latent_names, list(self.sizes.folded))
        folded = np.flatnonzero((above >= 0) & (is_same | is_empty | was_folded)).tolist()
        return frozenset(tree.latent_names[v] for v in folded) - self.titled - self.pinned

    def plain(self) -> dict[str, Any]:
        """The fields that are not in `arrays`, as JSON values."""
        words, sizes, counts = self.word_stability, self.sizes, self.counts
        return {
            "stability": None if self.stability is None else _shares(self.stability),
            "titles": dict(self.titles),
            **({"notes": dict(self.notes)} if self.notes else {}),
            **{name: sorted(ids) for name in _SETS if (ids := getattr(self, name))},
            **({} if self.contrast is None else {"contrast": self.contrast.tolist()}),
            **({} if words is None else {"word_stability": list(map(_shares, words))}),
            **({} if sizes is None else {"sizes": sizes.plain()}),
            **({} if counts is None else {"counts": counts.plain()}),
        }

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The fields that a file stores as arrays."""
        return {} if self.counts is None else self.counts.arrays

    @classmethod
    def read(
        cls,
        header: Mapping[str, Any],
        n_words: int,
        n_latents: int,
        arrays: Mapping[str, NDArray[Any]] = MappingProxyType({}),
    ) -> Annotations:
        """Read the header and arrays of a file; raises ValueError or TypeError if it is damaged."""
        titles, notes = header.get("titles"), header.get("notes")
        stability, contrast, words = (
            None if header.get(name) is None else _read_shares(header[name], name, dimensions)
            for name, dimensions in (("stability", 1), ("contrast", 1), ("word_stability", 2))
        )
        if stability is not None and stability.shape != (n_latents,):
            raise ValueError("stability is not a share per latent variable")
        titles, notes = ({} if texts is None else texts for texts in (titles, notes))
        if not all(isinstance(t, dict) and _strings(t.values()) for t in (titles, notes)):
            raise ValueError("titles or notes are not strings by the ids of topics")
        ids = [header.get(name) or [] for name in _SETS]
        if not all(isinstance(names, list) and _strings(names) for names in ids):
            raise ValueError("titled, hidden or pinned is not a list of ids")
        if contrast is not None and (contrast.shape != (n_words,) or np.isnan(contrast).any()):
            raise ValueError("contrast is not a share per word")
        if words is not None and words.shape[1] != n_words:
            raise ValueError("word_stability is not a share per word")
        sizes, counts, shape = header.get("sizes"), header.get("counts"), (n_latents, n_words)
        titled, hidden, pinned = map(frozenset, ids)
        return cls(
            *(stability, titles, notes, titled, hidden, pinned, contrast, words),
            sizes=None if sizes is None else Sizes.read(sizes, n_latents),
            counts=None if counts is None else WordCounts.read(counts, arrays, shape),
        )


FIELDS: Final = frozenset({*Annotations._fields, "documents", "corrections"})
"""The fields that `Annotations.plain` may give, and two of earlier versions, which are not read."""


def _shares(values: Floats) -> list[float | None]:
    """Shares as JSON values, None for NaN."""
    return [None if math.isnan(value) else value for value in values.tolist()]


def _read_shares(plain: Any, name: str, dimensions: int) -> Floats:
    """An array of shares from JSON values, NaN for None."""
    shares = np.array(plain, dtype=np.float64)  # None becomes NaN
    within = np.isnan(shares) | ((shares >= 0.0) & (shares <= 1.0))
    if shares.ndim != dimensions or not within.all():
        raise ValueError(f"{name} does not hold shares")
    return shares


def _strings(values: Any) -> bool:
    return all(isinstance(value, str) for value in values)
