"""The best parent of a variable: its mutual information with all latent variables one level above."""

from __future__ import annotations

from typing import NamedTuple

from numba import float64, int64, uint64

from hlta._kernels import types as t
from hlta._kernels.compiling import kernel
from hlta._kernels.information import mutual_information
from hlta._kernels.postings import Weights

ONE = uint64(1)


class Candidates(NamedTuple):
    """The result of `find_parents`, an entry per chosen variable."""

    best: t.OutInts  # (k,): the best parent, -1 where there is none
    best_information: t.OutReals  # (k,): MI with the best parent, in nats; -1 if there is none
    current_information: t.OutReals  # (k,): MI with the current parent; 0 if they do not count
    joint: t.OutReals  # (k,): P(variable = 1, best parent = 1)
    marginal: t.OutReals  # (k,): P(variable = 1)


@kernel
def find_parents(
    lower: Weights,
    upper: Weights,
    sums: t.Reals,
    chosen: t.Ints,
    current: t.Ints,
    alive: t.Flags,
    begin: int,
    end: int,
    together: t.OutReals,
    out: Candidates,
) -> None:
    """The parent with which each of the variables `chosen[begin:end]` has the most MI.

    lower     P(variable = 1 | d), a row per variable
    upper     P(latent = 1 | d), a row per document
    sums      float64 (m,)  the expected number of documents in which each latent variable is on
    chosen    int64 (k,)    the variables
    current   int64 (k,)    the current parent of each, -1 for none
    alive     uint8 (m,)    which latent variables may be chosen
    together  float64 (m,)  working memory, zero before and after
    A pair counts only if both are on together more often than by chance.
    """
    start, document, weight = lower
    indptr, indices, values = upper
    count = float64(indptr.size - 1)
    for k in range(uint64(begin), uint64(end)):
        v = uint64(chosen[k])
        total = 0.0
        for p in range(uint64(start[v]), uint64(start[v + ONE])):
            d = uint64(document[p])
            mine = float64(weight[p])
            total += mine
            for q in range(uint64(indptr[d]), uint64(indptr[d + ONE])):
                together[indices[q]] += mine * values[q]
        p_v = total / count
        best, best_information, current_information, joint = int64(-1), -1.0, 0.0, 0.0
        for z in range(together.size):
            both = together[z] / count
            together[z] = 0.0
            p_z = sums[z] / count
            more = both - p_v * p_z
            if more <= 0.0 and z != current[k]:
                continue
            # MI is at most chi-square / N, which takes no logarithms.
            spread = p_v * p_z * (1.0 - p_v) * (1.0 - p_z)
            if z != current[k] and more * more <= best_information * spread:
                continue
            shared = mutual_information(both, p_v, p_z)
            if z == current[k]:
                current_information = shared if more > 0.0 else 0.0
            if alive[z] and more > 0.0 and shared > best_information:
                best, best_information, joint = z, shared, both
        out.best[k] = best
        out.best_information[k] = best_information
        out.current_information[k] = current_information
        out.joint[k] = joint
        out.marginal[k] = p_v
