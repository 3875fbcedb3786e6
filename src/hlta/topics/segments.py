"""Tests whether the share of a topic changed, or differs, by more than chance explains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.special import erfcinv, xlogy

if TYPE_CHECKING:
    from hlta._support.arrays import Floats

CHANCE: Final = 0.05
"""The largest probability that any change or difference is reported where there is none."""
FEW: Final = 30
"""Parts with fewer documents are not compared."""


def required_gain(comparisons: int) -> float:
    """The gain in log-likelihood that a difference needs if so many are tested (Bonferroni).

    Where there is no difference, twice the gain has about a chi-square distribution with one degree of
    freedom, by Wilks' theorem.

    Examples
    --------
    >>> round(2 * required_gain(1), 3)
    3.841
    """
    return float(erfcinv(CHANCE / max(1, comparisons)) ** 2)


def log_likelihood(share: Floats, documents: Floats) -> Floats:
    """The maximum log-likelihood of so many documents, of which this share is on a topic."""
    return np.asarray(documents * (xlogy(share, share) + xlogy(1.0 - share, 1.0 - share)))


def gain(share: Floats, documents: Floats) -> float:
    """The log-likelihood ratio of a share for each part over one share for all."""
    together = np.array(np.average(share, weights=documents))
    apart = log_likelihood(share, documents).sum()
    return float(apart - log_likelihood(together, documents.sum()))


def segments(share: Floats, documents: Floats, effective_size: float, penalty: float) -> list[int]:
    """The first period of each segment of a series; within a segment, the share is constant.

    Of all ways to divide the periods into segments of `FEW` documents or more, each with one share, the
    one with the largest log-likelihood after a penalty for each change is chosen. So two neighbouring
    segments have a `gain` of at least that penalty: otherwise they would be one.

    Parameters
    ----------
    share : float64 (periods,)
        The mean share of the documents of each period.
    documents : float64 (periods,)
    effective_size
        How many documents, each on the topic alone or not at all, one document counts as.
    penalty
        See `required_gain`.

    Returns
    -------
    list of int
        Empty if there are fewer than `FEW` documents.

    Examples
    --------
    >>> documents = np.full(6, 100.0)
    >>> segments(np.array([0.1, 0.1, 0.1, 0.4, 0.4, 0.1]), documents, 1.0, required_gain(5))
    [0, 3, 5]
    """
    count, on = (
        np.concatenate(([0.0], np.cumsum(values))) for values in (documents, documents * share)
    )
    best = np.full(len(count), -np.inf)
    best[0], before = 0.0, np.zeros(len(count), dtype=np.int64)
    for end in range(1, len(count)):
        size = count[end] - count[:end]
        begins = np.flatnonzero(size >= FEW)
        if len(begins):
            size = size[begins]
            mean = np.clip((on[end] - on[begins]) / size, 0.0, 1.0)
            value = best[begins] + log_likelihood(mean, effective_size * size) - penalty
            before[end], best[end] = begins[value.argmax()], value.max()
    if best[-1] == -np.inf:
        return []
    found, end = [], len(documents)
    while end:
        end = int(before[end])
        found.append(end)
    return found[::-1]
