"""Sizes: how large topics are, by the documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hlta._support.arrays import TINY
from hlta.tree.reshaping import topics_above, topics_within

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hlta._support.arrays import Floats, Indices, Ints
    from hlta.tree.latent_tree import LatentTree


class Sizes(NamedTuple):
    """How large topics are: a number per latent variable, in which NaN and -1 stand for unknown.

    Attributes
    ----------
    shares, spreads : float64 (n_latents,)
        Mean and variance of the share that the topic has in documents.
    documents, mainly : int64 (n_latents,)
        How many documents are on the topic, and of how many it is the main topic.
    """

    shares: Floats
    spreads: Floats
    documents: Ints
    mainly: Ints

    @classmethod
    def unknown(cls, n_latents: int) -> Sizes:
        """Of no topic."""
        return cls(*np.full((2, n_latents), np.nan), *np.full((2, n_latents), -1))

    def own(self, tree: LatentTree) -> Floats:
        """The shares of topics without those of the topics below them."""
        above, known = topics_above(tree), ~np.isnan(self.shares)
        members = known & (above >= 0)
        below = np.bincount(above[members], self.shares[members], minlength=len(above))
        return np.maximum(self.shares - below, 0.0)

    def edited(self, own: Floats, tree: LatentTree, before: Indices) -> Sizes:
        """The sizes in another tree, whose topics themselves have these shares, NaN if unknown.

        `before` are the places of its latent variables among those of this one, -1 for new ones. How
        many documents are on topics is not known until they are counted.
        """
        within, known = topics_within(tree), ~np.isnan(own)
        shares = np.clip(within @ np.where(known, own, 0.0), 0.0, 1.0)
        shares[(within @ known.astype(np.int32)) == 0] = np.nan
        spreads = np.append(self.spreads, np.nan)[before]
        return Sizes.unknown(tree.n_latents)._replace(shares=shares, spreads=spreads)

    def with_more(self, weight: float, new: Sizes, count: int) -> Sizes:
        """The sizes after further documents came, `count` of them beside earlier ones that weigh so much.

        Shares are means over all, and the numbers of documents are added up.
        """
        total = max(weight + count, TINY)

        def mean(one: Floats, other: Floats) -> Floats:
            return (weight * one + count * other) / total

        shares = np.clip(mean(self.shares, new.shares), 0.0, 1.0)
        squares = mean(self.spreads + self.shares**2, new.spreads + new.shares**2)
        counts = (
            np.where((one < 0) | (other < 0), -1, one + other)
            for one, other in zip(self[2:], new[2:], strict=True)
        )
        return Sizes(shares, np.clip(squares - shares**2, 0.0, 1.0), *counts)

    def plain(self) -> dict[str, Any]:
        """As JSON can hold it."""
        shares, spreads = (
            [None if np.isnan(value) else value for value in column.tolist()] for column in self[:2]
        )
        documents, mainly = (column.tolist() for column in self[2:])
        return {"shares": shares, "spreads": spreads, "documents": documents, "mainly": mainly}

    @classmethod
    def read(cls, plain: Mapping[str, Any], n_latents: int) -> Sizes:
        """From a file; raises LookupError, TypeError or ValueError if it is damaged."""
        shares, spreads = (
            np.array(plain[name], dtype=np.float64) for name in ("shares", "spreads")
        )
        documents, mainly = (
            np.array(plain[name], dtype=np.int64) for name in ("documents", "mainly")
        )
        sizes = cls(shares, spreads, documents, mainly)
        if any(column.shape != (n_latents,) for column in sizes):
            raise ValueError("sizes are not a number per latent variable")
        within = [np.isnan(column) | ((column >= 0.0) & (column <= 1.0)) for column in sizes[:2]]
        if not all(map(np.all, within)) or (documents < -1).any() or (mainly < -1).any():
            raise ValueError("sizes are not shares and numbers of documents")
        return sizes
