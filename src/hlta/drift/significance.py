"""Tests of many differences at once, so that there are few false alarms among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr, ndtri

if TYPE_CHECKING:
    from hlta._support.arrays import Floats, Indices


def discoveries(p_values: Floats, rate: float) -> Indices:
    """The tests that find something, the surest first, by the rule of Benjamini and Hochberg.

    On average, at most a share `rate` of what is found is chance; where there is nothing to
    find, something is found with that probability.
    """
    order = np.argsort(p_values, kind="stable")
    allowed = rate * np.arange(1, len(order) + 1) / max(1, len(order))
    passed = np.flatnonzero(p_values[order] <= allowed)
    return np.asarray(order[: passed[-1] + 1 if len(passed) else 0])


def difference(
    before: Floats, after: Floats, n_before: Floats | float, n_after: Floats | float
) -> Floats:
    """How many standard errors a share rose from one set of documents to another.

    Shares are compared on the scale of the arc sine, on which the error does not depend on the share.
    """
    rise = 2.0 * (np.arcsin(np.sqrt(after)) - np.arcsin(np.sqrt(before)))
    return np.asarray(rise / np.sqrt(1.0 / n_before + 1.0 / n_after))


def two_sided(z: Floats) -> Floats:
    """How probable a difference of this many standard errors, or more, is by chance."""
    return np.asarray(2.0 * ndtr(-np.abs(z)))


def interval(share: float, n: float) -> tuple[float, float]:
    """A 95% interval for the share in the population that `n` documents were drawn from."""
    half = ndtri(0.975) / (2.0 * np.sqrt(n))
    middle = np.arcsin(np.sqrt(share))
    ends = np.clip((middle - half, middle + half), 0.0, np.pi / 2.0)
    low, high = (np.sin(ends) ** 2).tolist()
    return low, high
