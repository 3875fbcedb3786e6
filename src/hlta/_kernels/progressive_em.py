"""Progressive EM: LearnLCM, Pem-Lcm (Algorithm 5) and Pem-Ltm-2l (Algorithm 6).

Each runs EM in a submodel with three or four observed variables. Such a submodel sees the documents
as a contingency table of 8 or 16 cells, so the time of an EM step does not depend on their number.
All parameters p[v, y] are P(v = 1 | latent = y).

Compiled functions must follow those they call.
"""

from __future__ import annotations

import numpy as np

from hlta._kernels import types as t
from hlta._kernels.compiling import helper

STEPS = 150  # steps of EM, at most
GAIN = 0.01  # EM stops when a step gains less than this in total log-likelihood
LEAST = 1e-6  # parameters stay within [LEAST, 1 - LEAST]
SURE = 0.93  # probability that a start gives to the states it assumes

# Starts of LearnLCM: bit c says whether the latent variable is assumed on in cell c. In order: at
# least two of the three variables are present; at least one; all; each pair; each one.
READINGS = (0xE8, 0xFE, 0x80, 0x88, 0xA0, 0xC0, 0xAA, 0xCC, 0xF0)  # starts of LearnLCM, as bits


@helper
def estimate(part: float, whole: float) -> float:
    """A probability, part / whole, within [LEAST, 1 - LEAST]; 0.5 if the whole is 0."""
    if whole <= 0.0:
        return 0.5
    return min(max(part / whole, LEAST), 1.0 - LEAST)


@helper
def fill_pair_cells(
    prior: float, p: t.RealTable, first: int, second: int, known: t.OutRealTable
) -> None:
    """Fill `known` float64 (4, 2) with P(Y = y, cell of two members of an island) at [cell, y]."""
    for c in range(4):
        for y in range(2):
            a = p[first, y] if c & 1 else 1.0 - p[first, y]
            b = p[second, y] if c & 2 else 1.0 - p[second, y]
            known[c, y] = a * b * (prior if y == 1 else 1.0 - prior)


@helper
def copy_table(source: t.RealTable, target: t.OutRealTable) -> None:
    """Copy the rows that both have; `target[:] = source` would take ten times longer to compile."""
    for v in range(min(source.shape[0], target.shape[0])):
        target[v, 0] = source[v, 0]
        target[v, 1] = source[v, 1]


# ---- LearnLCM ------------------------------------------------------------------------------------


@helper
def fit_lcm(cells: t.Reals, start: t.Reals, prior: t.OutReals, p: t.OutRealTable) -> float:
    """EM from the posteriors `start`, P(latent = 1 | cell), until a step gains less than GAIN.

    `prior` and `p` are as in `learn_lcm`. Returns their log-likelihood.
    """
    weight = np.empty(8)
    total = 0.0
    for c in range(8):
        weight[c] = start[c]
        total += cells[c]
    before = -np.inf
    for step in range(STEPS + 1):
        on = 0.0
        for c in range(8):
            on += cells[c] * weight[c]
        prior[0] = estimate(on, total)
        for v in range(3):
            with_on = 0.0
            with_off = 0.0
            for c in range(8):
                if (c >> v) & 1:
                    with_on += cells[c] * weight[c]
                    with_off += cells[c] * (1.0 - weight[c])
            p[v, 1] = estimate(with_on, on)
            p[v, 0] = estimate(with_off, total - on)
        log_likelihood = 0.0
        for c in range(8):
            one, zero = prior[0], 1.0 - prior[0]
            for v in range(3):
                if (c >> v) & 1:
                    one *= p[v, 1]
                    zero *= p[v, 0]
                else:
                    one *= 1.0 - p[v, 1]
                    zero *= 1.0 - p[v, 0]
            weight[c] = one / (one + zero)
            if cells[c] > 0.0:
                log_likelihood += cells[c] * np.log(one + zero)
        if log_likelihood - before < GAIN and step > 0:
            break
        before = log_likelihood
    return log_likelihood


@helper
def avoiding_variables(cells: t.Reals) -> int:
    """Bit v is set if variables v and 0 occur together less often than by chance."""
    turned = 0
    for v in range(1, 3):
        neither = one = other = both = 0.0
        for c in range(8):
            if c & 1 and (c >> v) & 1:
                both += cells[c]
            elif c & 1:
                one += cells[c]
            elif (c >> v) & 1:
                other += cells[c]
            else:
                neither += cells[c]
        if neither * both < one * other:
            turned |= 1 << v
    return turned


@helper
def saturated_log_likelihood(cells: t.Reals) -> float:
    """The log-likelihood of a table under its own frequencies, which no model exceeds."""
    total = 0.0
    log_likelihood = 0.0
    for c in range(cells.size):
        total += cells[c]
        if cells[c] > 0.0:
            log_likelihood += cells[c] * np.log(cells[c])
    if total > 0.0:
        log_likelihood -= total * np.log(total)
    return log_likelihood


@helper
def learn_lcm(cells: t.Reals, prior: t.OutReals, p: t.OutRealTable) -> float:
    """LearnLCM: a latent class model of three variables, by EM from deterministic starts.

    The first start assumes the latent variable on where at least two of the three are present;
    variables that avoid the first are negated. If the fit falls short of the saturated
    log-likelihood by more than a nat, the other `READINGS` are tried and the best fit is kept.

    cells  float64 (8,)    documents per cell; bit v of the cell's number: variable v is present
    prior  float64 (1,)    P(latent = 1), filled in
    p      float64 (3+, 2) P(v = 1 | latent), the first three rows filled in
    Returns the log-likelihood.
    """
    turned = avoiding_variables(cells)
    start = np.empty(8)
    best_prior = 0.5
    best_p = np.empty((3, 2))
    best = -np.inf
    ceiling = saturated_log_likelihood(cells)
    for reading in READINGS:
        if best >= ceiling - 1.0:
            break
        for c in range(8):
            start[c] = SURE if (reading >> (c ^ turned)) & 1 else 1.0 - SURE
        log_likelihood = fit_lcm(cells, start, prior, p)
        if log_likelihood > best + GAIN:
            best = log_likelihood
            best_prior = prior[0]
            copy_table(p, best_p)
    prior[0] = best_prior
    copy_table(best_p, p)
    return best


# ---- Pem-Lcm (Algorithm 5) -----------------------------------------------------------------------


@helper
def pem_lcm(cells: t.Reals, known: t.RealTable, out: t.OutReals) -> None:
    """Pem-Lcm (Algorithm 5): P(X | Y) with all else fixed.

    The log-likelihood is concave in P(X | Y), so one start is enough.
    cells  float64 (8,)    the first two members in bits 0 and 1, X in bit 2
    known  float64 (4, 2)  P(Y = y, cell of the two members)
    out    float64 (2,)    P(X = 1 | Y), filled in
    """
    on0 = on1 = of0 = of1 = 0.0
    for c in range(4):
        weight = known[c, 1] / (known[c, 0] + known[c, 1])
        both = cells[c] + cells[c + 4]
        of1 += weight * both
        of0 += (1.0 - weight) * both
        on1 += weight * cells[c + 4]
        on0 += (1.0 - weight) * cells[c + 4]
    out[0] = estimate(on0, of0)
    out[1] = estimate(on1, of1)
    before = -np.inf
    for step in range(STEPS):
        on0 = on1 = of0 = of1 = log_likelihood = 0.0
        for c in range(8):
            if cells[c] > 0.0:
                one = known[c & 3, 1] * (out[1] if c >= 4 else 1.0 - out[1])
                zero = known[c & 3, 0] * (out[0] if c >= 4 else 1.0 - out[0])
                log_likelihood += cells[c] * np.log(one + zero)
                up = cells[c] * one / (one + zero)
                of1 += up
                of0 += cells[c] - up
                if c >= 4:
                    on1 += up
                    on0 += cells[c] - up
        if log_likelihood - before < GAIN and step > 0:
            break
        before = log_likelihood
        out[0] = estimate(on0, of0)
        out[1] = estimate(on1, of1)


# ---- Pem-Ltm-2l (Algorithm 6) --------------------------------------------------------------------


# Longer than a screen: each sum is a scalar of its own, because small arrays would be slower.
@helper
def fit_ltm_2l(cells: t.Reals, known: t.RealTable, edge: t.OutReals, p: t.OutRealTable) -> float:
    """P(Z | Y), P(W | Z), P(X | Z) with all else fixed, by EM from the values in `edge` and `p`.

    cells  float64 (16,)   two known children of Y in bits 0 and 1, W in bit 2, X in bit 3
    known  float64 (4, 2)  P(Y = y, cell of the two known variables)
    edge   float64 (2,)    P(Z = 1 | Y), start and result
    p      float64 (2, 2)  P(W = 1 | Z), P(X = 1 | Z), start and result
    Returns the log-likelihood before the last M-step.
    """
    part = np.empty((2, 2, 4))  # [y, z, wx]: P(z, w, x | y)
    ratio = np.empty((2, 4))  # [y, wx]: expected documents with y, w, x, over P(w, x | y)
    before = -np.inf
    for step in range(STEPS):
        for y in range(2):
            for z in range(2):
                through = edge[y] if z == 1 else 1.0 - edge[y]
                for wx in range(4):
                    w = p[0, z] if wx & 1 else 1.0 - p[0, z]
                    x = p[1, z] if wx & 2 else 1.0 - p[1, z]
                    part[y, z, wx] = through * w * x
        log_likelihood = 0.0
        for wx in range(4):
            below0 = part[0, 0, wx] + part[0, 1, wx]
            below1 = part[1, 0, wx] + part[1, 1, wx]
            ratio[0, wx] = 0.0
            ratio[1, wx] = 0.0
            for c in range(4):
                n = cells[c + 4 * wx]
                if n > 0.0:
                    s = known[c, 0] * below0 + known[c, 1] * below1
                    log_likelihood += n * np.log(s)
                    ratio[0, wx] += n * known[c, 0] / s
                    ratio[1, wx] += n * known[c, 1] / s
        if log_likelihood - before < GAIN and step > 0:
            break
        before = log_likelihood
        of_y0 = of_y1 = on_y0 = on_y1 = 0.0
        on_w0 = on_w1 = on_x0 = on_x1 = 0.0
        for wx in range(4):
            off = ratio[0, wx] * part[0, 0, wx] + ratio[1, wx] * part[1, 0, wx]
            on0 = ratio[0, wx] * part[0, 1, wx]
            on1 = ratio[1, wx] * part[1, 1, wx]
            of_y0 += ratio[0, wx] * part[0, 0, wx] + on0
            of_y1 += ratio[1, wx] * part[1, 0, wx] + on1
            on_y0 += on0
            on_y1 += on1
            if wx & 1:
                on_w0 += off
                on_w1 += on0 + on1
            if wx & 2:
                on_x0 += off
                on_x1 += on0 + on1
        total = of_y0 + of_y1
        on_z = on_y0 + on_y1
        edge[0] = estimate(on_y0, of_y0)
        edge[1] = estimate(on_y1, of_y1)
        p[0, 0] = estimate(on_w0, total - on_z)
        p[0, 1] = estimate(on_w1, on_z)
        p[1, 0] = estimate(on_x0, total - on_z)
        p[1, 1] = estimate(on_x1, on_z)
    return before


@helper
def start_apart(cells: t.Reals, known: t.RealTable, edge: t.OutReals, p: t.OutRealTable) -> None:
    """A start with Z on where W or X is, surest where both are; where W is if they avoid each other."""
    total = n_w = n_x = n_both = 0.0
    for c in range(16):
        total += cells[c]
        if c & 4:
            n_w += cells[c]
        if c & 8:
            n_x += cells[c]
        if c & 12 == 12:
            n_both += cells[c]
    together = n_both * total >= n_w * n_x
    on0 = on1 = of0 = of1 = 0.0
    z_w = z_x = n_z = 0.0
    for c in range(16):
        if together:
            z = SURE if c & 12 else 1.0 - SURE
            if c & 12 == 12:
                z = 0.999
        else:
            z = SURE if c & 4 else 1.0 - SURE
        n_z += z * cells[c]
        if c & 4:
            z_w += z * cells[c]
        if c & 8:
            z_x += z * cells[c]
        weight = known[c & 3, 1] / (known[c & 3, 0] + known[c & 3, 1])
        of0 += cells[c] * (1.0 - weight)
        of1 += cells[c] * weight
        on0 += cells[c] * (1.0 - weight) * z
        on1 += cells[c] * weight * z
    edge[0] = estimate(on0, of0)
    edge[1] = estimate(on1, of1)
    p[0, 1] = estimate(z_w, n_z)
    p[0, 0] = estimate(n_w - z_w, total - n_z)
    p[1, 1] = estimate(z_x, n_z)
    p[1, 0] = estimate(n_x - z_x, total - n_z)


@helper
def pem_ltm_2l(
    cells: t.Reals, known: t.RealTable, same: t.RealTable, edge: t.OutReals, p: t.OutRealTable
) -> float:
    """Pem-Ltm-2l (Algorithm 6) from two deterministic starts; the better result is kept.

    In the first, Z is nearly Y, so that m2 starts close to m1: `same` float64 (2, 2) holds
    P(W = 1 | Y) and P(X = 1 | Y) of m1. The second is that of `start_apart`. The other arguments and
    the result are those of `fit_ltm_2l`, but `edge` and `p` are results only.
    """
    edge[0], edge[1] = 1.0 - SURE, SURE
    copy_table(same, p)
    best = fit_ltm_2l(cells, known, edge, p)
    other_edge = np.empty(2)
    other = np.empty((2, 2))
    start_apart(cells, known, other_edge, other)
    log_likelihood = fit_ltm_2l(cells, known, other_edge, other)
    if log_likelihood > best:
        best = log_likelihood
        edge[0], edge[1] = other_edge[0], other_edge[1]
        copy_table(other, p)
    return best
