"""What EM does with expected counts: those of inactive latent variables, and the M-step.

Arrays are padded to K states; loops go over the states that there are.
"""

from __future__ import annotations

import numpy as np

from hlta._kernels import types as t
from hlta._kernels.compiling import helper, kernel
from hlta._kernels.wordless import Shape


@kernel
def complete_counts(
    shape: Shape,
    nodes: t.Ids,
    rows: t.RealCube,
    conditional: t.RealCube,
    active: t.RealCube,
    present: t.RealTable,
    total: t.OutRealTable,
    latent: t.OutRealCube,
    word: t.OutRealCube,
) -> None:
    """Add to the counts of active latent variables what follows by rule, from the root downwards.

    nodes                uint32 (m,)           the place of each latent variable in `latent`
    rows, conditional                          see `Tables` and `Inference`
    active, present                            sums over documents, see `accumulate_counts`
    total                float64 (m, K) out    documents with v = k, by number; 0 before
    latent, word         out                   see `Counts`; `latent` is 0 before
    """
    most = total.shape[1]
    for k in range(shape.states[0]):
        total[0, k] = max(active[0, 0, k], 0.0)
        for j in range(most):
            latent[nodes[0], j, k] = total[0, k]
    for v in range(1, len(total)):
        above, own, out = shape.parent[v], shape.states[v], latent[nodes[v]]
        for j in range(shape.states[above]):
            visited = 0.0  # documents with parent = j in which v is active
            for k in range(own):
                out[j, k] = active[v, j, k] * rows[v, most + j, k]
                visited += out[j, k]
            idle = max(total[above, j] - visited, 0.0)
            for k in range(own):
                out[j, k] += idle * conditional[v, j, k]
                total[v, k] += out[j, k]
    for w in range(len(word)):
        above = shape.word_parent[w]
        for j in range(most):
            word[w, j, 1] = present[w, j]
            word[w, j, 0] = max(total[above, j] - present[w, j], 0.0)


@helper
def bounded(estimate: float, floor: float) -> float:
    """An estimated probability within [floor, 1 - floor]."""
    return min(max(estimate, floor), 1.0 - floor)


@kernel
def estimate_words(
    counts: t.RealCube, prior: t.RealTable, floor: float, word: t.OutRealTable
) -> None:
    """P(word present | parent=j) from expected counts and those of the prior.

    counts  float64 (n, K, 2)   see `Counts`
    prior   float64 (n, 2)      see `Prior`
    word    float64 (n, K) out  0 where the parent lacks the state, which stays; otherwise what it was
                                before, which stays where there is nothing to estimate from
    """
    for w in range(len(word)):
        added = prior[w, 0] + prior[w, 1]
        for j in range(word.shape[1]):
            total = counts[w, j, 0] + counts[w, j, 1] + added
            if total > 0.0 and word[w, j] > 0.0:
                word[w, j] = bounded((counts[w, j, 1] + prior[w, 1]) / total, floor)


@helper
def estimate_row(found: t.OutReals, own: int, total: float, floor: float, row: t.OutReals) -> None:
    """Shares of a total, all within [floor, 1 - floor]; more than two are made to add up to 1."""
    whole = 0.0
    for k in range(own):
        row[k] = bounded(found[k] / total, floor)
        whole += row[k]
    if row.size > 2:
        for k in range(own):
            row[k] /= whole


@kernel
def estimate_latents(
    counts: t.RealCube, prior: t.Reals, row: float, floor: float, latent: t.OutRealCube
) -> None:
    """P(v=k | parent=j) likewise.

    counts      float64 (m, K, K)      see `Counts`
    prior, row  float64 (m,), float64  see `Prior`
    latent      float64 (m, K, K) out  as `word` of `estimate_words`
    """
    most = latent.shape[1]
    share, found = np.zeros(most), np.empty(most)
    for v in range(len(latent)):
        own, whole = 0, 0.0
        while own < most and latent[v, 0, own] > 0.0:
            share[own] = 0.0
            own += 1
        for j in range(most):
            for k in range(own):
                share[k] += counts[v, j, k]
                whole += counts[v, j, k]
        spread = row / whole if whole > 0.0 else 0.0
        for j in range(most):
            if latent[v, j, 0] == 0.0:
                continue
            total = 0.0
            for k in range(own):
                found[k] = counts[v, j, k] + prior[v] + spread * share[k]
                total += found[k]
            if total > 0.0:
                estimate_row(found, own, total, floor, latent[v, j])
