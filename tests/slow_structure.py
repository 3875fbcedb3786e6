"""Structure learning as one would write it down: dense, one document pattern at a time.

Nothing is shared with the package but the constants that say when EM rests. Each function has the
name of the one that it is the oracle of.
"""

from itertools import product
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hlta._kernels.progressive_em import GAIN, LEAST, STEPS, SURE

Floats: TypeAlias = NDArray[np.float64]
Cell: TypeAlias = tuple[int, ...]
Cells: TypeAlias = dict[Cell, float]

# Ways to read a latent variable over three others: when it is on.
READINGS = (
    lambda on: sum(on) >= 2,
    lambda on: sum(on) >= 1,
    lambda on: sum(on) == 3,
    lambda on: on[0] + on[1] == 2,
    lambda on: on[0] + on[2] == 2,
    lambda on: on[1] + on[2] == 2,
    lambda on: on[0] == 1,
    lambda on: on[1] == 1,
    lambda on: on[2] == 1,
)


class LatentClasses(NamedTuple):
    """P(Y = 1) and P(v = 1 | Y) of three variables, and the log-likelihood."""

    prior: float
    p: Floats
    log_likelihood: float


class SecondLatent(NamedTuple):
    """P(Z = 1 | Y), P(W = 1 | Z) and P(X = 1 | Z), and the log-likelihood."""

    edge: Floats
    p: Floats
    log_likelihood: float


class Island(NamedTuple):
    """Variables in the order in which they joined, P(v = 1 | Y) of each, and P(Y = 1)."""

    members: list[int]
    p: Floats
    prior: float


# ---- tables of a few variables -------------------------------------------------------------------


def ratio(part: float, whole: float) -> float:
    return min(max(part / whole, LEAST), 1.0 - LEAST) if whole > 0.0 else 0.5


def chance(p: Floats, cell: Cell) -> float:
    """P(cell) for independent variables with P(v = 1) = p[v]."""
    return float(np.prod([p[v] if on else 1.0 - p[v] for v, on in enumerate(cell)]))


def table(columns: NDArray[np.integer]) -> Cells:
    """How many documents show each pattern, for all patterns."""
    cells = dict.fromkeys(product((0, 1), repeat=columns.shape[1]), 0.0)
    for row in columns.tolist():
        cells[tuple(row)] += 1.0
    return cells


def count_where(cells: Cells, *variables: int) -> float:
    """How many documents have all of these variables present."""
    return sum(n for c, n in cells.items() if all(c[v] for v in variables))


def pair_cells(prior: float, p: Floats) -> dict[Cell, Floats]:
    """P(Y = y, cell) of two variables."""
    states = np.array([1.0 - prior, prior])
    return {ab: states * [chance(p[:, y], ab) for y in (0, 1)] for ab in product((0, 1), repeat=2)}


# ---- LearnLCM ------------------------------------------------------------------------------------


def learn_lcm(cells: Cells) -> LatentClasses:
    total = sum(cells.values())
    turned = [0, 0, 0]
    for v in (1, 2):
        both, first, other = (count_where(cells, *which) for which in ((0, v), (0,), (v,)))
        # In counts, as everything else that decides: exact.
        turned[v] = int((total - first - other + both) * both < (first - both) * (other - both))
    ceiling = sum(n * np.log(n / total) for n in cells.values() if n)
    best = LatentClasses(0.5, np.zeros((3, 2)), -np.inf)
    for reading in READINGS:
        if best.log_likelihood >= ceiling - 1.0:
            break
        weight = {
            c: SURE if reading([x ^ t for x, t in zip(c, turned, strict=True)]) else 1.0 - SURE
            for c in cells
        }
        fitted = fit_lcm(cells, weight)
        if fitted.log_likelihood > best.log_likelihood + GAIN:
            best = fitted
    return best


def fit_lcm(cells: Cells, weight: Cells) -> LatentClasses:
    """EM from P(Y = 1 | cell)."""
    total, before = sum(cells.values()), -np.inf
    p = np.empty((3, 2))
    for step in range(STEPS + 1):
        on = sum(n * weight[c] for c, n in cells.items())
        prior = ratio(on, total)
        for v in range(3):
            with_on = sum(n * weight[c] for c, n in cells.items() if c[v])
            with_off = sum(n * (1.0 - weight[c]) for c, n in cells.items() if c[v])
            p[v] = ratio(with_off, total - on), ratio(with_on, on)
        log_likelihood = 0.0
        for c, n in cells.items():
            one, zero = prior * chance(p[:, 1], c), (1.0 - prior) * chance(p[:, 0], c)
            weight[c] = one / (one + zero)
            log_likelihood += n * np.log(one + zero)
        if step > 0 and log_likelihood - before < GAIN:
            break
        before = log_likelihood
    return LatentClasses(prior, p, log_likelihood)


# ---- Pem-Lcm and Pem-Ltm-2l ----------------------------------------------------------------------


def pem_lcm(cells: Cells, known: dict[Cell, Floats]) -> Floats:
    """P(X | Y) from the cells of two known variables and X."""
    share = {ab: known[ab] / known[ab].sum() for ab in known}
    mass = sum(n * share[c[:2]] for c, n in cells.items())
    on = sum(n * share[c[:2]] for c, n in cells.items() if c[2])
    out = np.array([ratio(on[y], mass[y]) for y in (0, 1)])
    before = -np.inf
    for step in range(STEPS):
        on, mass, log_likelihood = np.zeros(2), np.zeros(2), 0.0
        for c, n in cells.items():
            joint = known[c[:2]] * (out if c[2] else 1.0 - out)
            log_likelihood += n * np.log(joint.sum())
            mass += n * joint / joint.sum()
            on += n * joint / joint.sum() * c[2]
        if step > 0 and log_likelihood - before < GAIN:
            break
        before = log_likelihood
        out = np.array([ratio(on[y], mass[y]) for y in (0, 1)])
    return out


def fit_ltm_2l(cells: Cells, known: dict[Cell, Floats], edge: Floats, q: Floats) -> SecondLatent:
    """EM for all that is below Y on the way to W and X, from the values given."""
    before = -np.inf
    for step in range(STEPS):
        counts, log_likelihood = {}, 0.0
        for c, n in cells.items():
            below = [chance(q[:, z], c[2:]) for z in (0, 1)]
            joint = known[c[:2]][:, None] * np.stack((1.0 - edge, edge), axis=1) * below
            log_likelihood += n * np.log(joint.sum())
            counts[c] = n * joint / joint.sum()
        if step > 0 and log_likelihood - before < GAIN:
            break
        before = log_likelihood
        every = np.sum(list(counts.values()), axis=0)
        edge = np.array([ratio(every[y, 1], every[y].sum()) for y in (0, 1)])
        of_z = every.sum(axis=0)
        on = [sum(m.sum(axis=0) for c, m in counts.items() if c[v]) for v in (2, 3)]
        q = np.array([[ratio(on_v[z], of_z[z]) for z in (0, 1)] for on_v in on])
    return SecondLatent(edge, q, before)


def pem_ltm_2l(cells: Cells, known: dict[Cell, Floats], same: Floats) -> SecondLatent:
    """W and X below a latent variable Z of their own; `same` is P(W | Y) and P(X | Y) without it."""
    first = fit_ltm_2l(cells, known, np.array([1.0 - SURE, SURE]), same)
    # Z read from W and X alone.
    total = sum(cells.values())
    n_w, n_x, both = (count_where(cells, *which) for which in ((2,), (3,), (2, 3)))
    on, mass, q, n_z = np.zeros(2), np.zeros(2), np.zeros(2), 0.0
    for c, n in cells.items():
        if both * total >= n_w * n_x:
            z = 0.999 if c[2] and c[3] else SURE if c[2] or c[3] else 1.0 - SURE
        else:
            z = SURE if c[2] else 1.0 - SURE
        n_z += n * z
        q += n * z * np.array(c[2:])
        share = known[c[:2]] / known[c[:2]].sum()
        mass += n * share
        on += n * share * z
    start = np.array(
        [
            [ratio(n_v - q_v, total - n_z), ratio(q_v, n_z)]
            for n_v, q_v in ((n_w, q[0]), (n_x, q[1]))
        ]
    )
    edge = np.array([ratio(on[y], mass[y]) for y in (0, 1)])
    second = fit_ltm_2l(cells, known, edge, start)
    return max(first, second, key=lambda fitted: fitted.log_likelihood)


# ---- islands (Algorithms 3 and 4) ----------------------------------------------------------------


def bic_gain(X: NDArray[np.integer], island: Island, w: int, x: int, of_x: Floats) -> float:
    """BIC with a second latent variable above members w and x, less BIC without: the UD-test."""
    members, prior = island.members, island.prior
    at = members.index(w)
    # The footnote: if a seed is W, the third variable takes its place.
    seeds = [2 if at == 0 else 0, 2 if at == 1 else 1]
    known = pair_cells(prior, island.p[seeds])
    same = np.stack((island.p[at], of_x))
    fitted = pem_ltm_2l(table(X[:, [*(members[s] for s in seeds), w, x]]), known, same)
    edge = np.stack((1.0 - fitted.edge, fitted.edge), axis=1)  # y, z
    others = [m for m in range(len(members)) if m != at]
    gain = 0.0
    for row in X:
        seen = tuple(row[[members[m] for m in others]])
        rest = [chance(island.p[others, y], seen) for y in (0, 1)]
        joint = np.array([1.0 - prior, prior]) * rest
        wx = (row[w], row[x])
        gain += float(np.log(joint @ edge @ [chance(fitted.p[:, z], wx) for z in (0, 1)]))
        gain -= float(np.log(joint @ [chance(same[:, y], wx) for y in (0, 1)]))
    parameters_more = 2
    return gain - parameters_more / 2.0 * float(np.log(len(X)))


def fit_candidate(X: NDArray[np.integer], island: Island, x: int) -> Floats:
    """P(X | Y), from the two seeds and X."""
    a, b = island.members[:2]
    return pem_lcm(table(X[:, [a, b, x]]), pair_cells(island.prior, island.p[:2]))


def one_island(
    X: NDArray[np.integer], information: Floats, free: list[int], limit: int, threshold: float
) -> Island:
    """Algorithm 4, with the decisions at its ends that the documentation lists."""
    alone = len(free) == 2
    pairs = information[np.ix_(free, free)].copy()
    np.fill_diagonal(pairs, -1.0)
    a, b = (free[k] for k in np.unravel_index(pairs.argmax(), pairs.shape))
    members = [a, b]
    # Two variables don't determine a latent variable: the nearest of all others helps them.
    rest = [v for v in (range(X.shape[1]) if alone else free) if v not in {a, b}]

    def nearest() -> int:
        return max(rest, key=lambda v: (max(information[v, s] for s in members), -v))

    third = nearest() if rest else a
    members.append(third)
    lcm = learn_lcm(table(X[:, members]))
    if alone:
        return Island([a, b], lcm.p[:2], lcm.prior)
    island = Island(members, lcm.p, lcm.prior)
    rest.remove(third)
    while rest and (len(members) < limit or len(rest) == 1):
        x = nearest()
        w = max(members, key=lambda s: (information[x, s], -members.index(s)))
        of_x = fit_candidate(X, island, x)
        if len(rest) > 1 and bic_gain(X, island, w, x, of_x) > threshold:
            if w in {a, b}:
                return island
            kept = [m for m in range(len(members)) if members[m] != w]
            return Island([members[m] for m in kept], island.p[kept], lcm.prior)
        members.append(x)
        rest.remove(x)
        island = Island(members, np.vstack((island.p, of_x)), lcm.prior)
    return island


def build_islands(
    X: NDArray[np.integer], information: Floats, limit: int, threshold: float
) -> list[Island]:
    """Algorithm 3."""
    free, islands = list(range(X.shape[1])), []
    while free:
        islands.append(one_island(X, information, free, limit, threshold))
        free = [v for v in free if v not in islands[-1].members]
    return islands


# ---- bridges -------------------------------------------------------------------------------------


def pem_bridge(
    cells: Cells, above: dict[Cell, Floats], below: dict[Cell, Floats], start: Floats
) -> Floats:
    """P(Z = 1 | Y) from the cells of two children of Y and two of Z; `below` is P(cell | Z)."""
    edge, before = start, -np.inf
    for step in range(STEPS):
        counts, log_likelihood = np.zeros((2, 2)), 0.0
        for c, n in cells.items():
            joint = above[c[:2]][:, None] * np.stack((1.0 - edge, edge), axis=1) * below[c[2:]]
            log_likelihood += n * np.log(joint.sum())
            counts += n * joint / joint.sum()
        if step > 0 and log_likelihood - before < GAIN:
            break
        before = log_likelihood
        edge = np.array([ratio(counts[y, 1], counts[y].sum()) for y in (0, 1)])
    return edge


def fit_bridge(X: NDArray[np.integer], upper: Island, lower: Island) -> Floats:
    """P(Z = 1 | Y) of two islands, each represented by the first two members given."""
    cells = table(X[:, upper.members[:2] + lower.members[:2]])
    above = pair_cells(upper.prior, upper.p[:2])
    below = {
        ab: both / [1.0 - lower.prior, lower.prior]
        for ab, both in pair_cells(lower.prior, lower.p[:2]).items()
    }
    return pem_bridge(cells, above, below, np.repeat(lower.prior, 2))
