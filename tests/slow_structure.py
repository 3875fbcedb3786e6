"""Structure learning as one would write it down: dense, one document pattern at a time.

Nothing is shared with the package but the constants that say when EM rests.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from hlta.algorithm.progressive_em import GAIN, LEAST, STEPS, SURE

Floats = NDArray[np.float64]
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


def ratio(part: float, whole: float) -> float:
    return min(max(part / whole, LEAST), 1.0 - LEAST) if whole > 0.0 else 0.5


def chance(p: Floats, cell: tuple[int, ...]) -> float:
    """P(cell) for independent variables with P(v = 1) = p[v]."""
    return float(np.prod([p[v] if on else 1.0 - p[v] for v, on in enumerate(cell)]))


def table(columns: NDArray[np.integer]) -> dict[tuple[int, ...], float]:
    """How many documents show each pattern, for all patterns."""
    cells = dict.fromkeys(product((0, 1), repeat=columns.shape[1]), 0.0)
    for row in columns.tolist():
        cells[tuple(row)] += 1.0
    return cells


def learn_three(cells: dict[tuple[int, ...], float]) -> tuple[float, Floats]:
    total = sum(cells.values())
    turned = [0, 0, 0]
    for v in (1, 2):
        both = sum(n for c, n in cells.items() if c[0] and c[v])
        first, other = (sum(n for c, n in cells.items() if c[u]) for u in (0, v))
        # In counts, as everything else that decides: exact.
        turned[v] = int((total - first - other + both) * both < (first - both) * (other - both))
    ceiling = sum(n * np.log(n / total) for n in cells.values() if n)
    best, answer = -np.inf, (0.5, np.zeros((3, 2)))
    for reading in READINGS:
        if best >= ceiling - 1.0:
            break
        weight = {
            c: SURE if reading([x ^ t for x, t in zip(c, turned, strict=True)]) else 1.0 - SURE
            for c in cells
        }
        before = -np.inf
        for step in range(STEPS + 1):
            on = sum(n * weight[c] for c, n in cells.items())
            prior = ratio(on, total)
            p = np.empty((3, 2))
            for v in range(3):
                p[v, 1] = ratio(sum(n * weight[c] for c, n in cells.items() if c[v]), on)
                p[v, 0] = ratio(
                    sum(n * (1.0 - weight[c]) for c, n in cells.items() if c[v]), total - on
                )
            found = 0.0
            for c, n in cells.items():
                one, zero = prior * chance(p[:, 1], c), (1.0 - prior) * chance(p[:, 0], c)
                weight[c] = one / (one + zero)
                found += n * np.log(one + zero)
            if step > 0 and found - before < GAIN:
                break
            before = found
        if found > best + GAIN:
            best, answer = found, (prior, p)
    return answer


def learn_one(cells: dict[tuple[int, ...], float], prior: float, p: Floats) -> Floats:
    known = {
        ab: np.array([1.0 - prior, prior]) * [chance(p[:, y], ab) for y in (0, 1)]
        for ab in product((0, 1), repeat=2)
    }
    out = np.empty(2)
    share = {ab: known[ab] / known[ab].sum() for ab in known}
    for y in (0, 1):
        on = sum(n * share[c[:2]][y] for c, n in cells.items() if c[2])
        out[y] = ratio(on, sum(n * share[c[:2]][y] for c, n in cells.items()))
    before = -np.inf
    for step in range(STEPS):
        on, mass, found = np.zeros(2), np.zeros(2), 0.0
        for c, n in cells.items():
            joint = known[c[:2]] * (out if c[2] else 1.0 - out)
            found += n * np.log(joint.sum())
            mass += n * joint / joint.sum()
            on += n * joint / joint.sum() * c[2]
        if step > 0 and found - before < GAIN:
            break
        before = found
        out = np.array([ratio(on[y], mass[y]) for y in (0, 1)])
    return out


def learn_two(
    cells: dict[tuple[int, ...], float], prior: float, p: Floats, same: Floats
) -> tuple[Floats, Floats]:
    known = {
        ab: np.array([1.0 - prior, prior]) * [chance(p[:, y], ab) for y in (0, 1)]
        for ab in product((0, 1), repeat=2)
    }

    def fit(edge: Floats, q: Floats) -> tuple[float, Floats, Floats]:
        before = -np.inf
        for step in range(STEPS):
            counts, found = {}, 0.0
            for c, n in cells.items():
                joint = np.array(
                    [
                        [
                            known[c[:2]][y]
                            * (edge[y] if z else 1.0 - edge[y])
                            * chance(q[:, z], c[2:])
                            for z in (0, 1)
                        ]
                        for y in (0, 1)
                    ]
                )
                found += n * np.log(joint.sum())
                counts[c] = n * joint / joint.sum()
            if step > 0 and found - before < GAIN:
                break
            before = found
            all_of = sum(counts.values())
            edge = np.array([ratio(all_of[y, 1], all_of[y].sum()) for y in (0, 1)])
            q = np.array(
                [
                    [
                        ratio(
                            sum(m[:, z].sum() for c, m in counts.items() if c[v]),
                            all_of[:, z].sum(),
                        )
                        for z in (0, 1)
                    ]
                    for v in (2, 3)
                ]
            )
        return before, edge, q

    first = fit(np.array([1.0 - SURE, SURE]), same)
    # Z read from W and X alone.
    total = sum(cells.values())
    n_w, n_x, both = (
        sum(n for c, n in cells.items() if all(c[v] for v in which))
        for which in ((2,), (3,), (2, 3))
    )
    on, mass, q, n_z = np.zeros(2), np.zeros(2), np.zeros((2, 2)), 0.0
    for c, n in cells.items():
        if both * total >= n_w * n_x:
            z = 0.999 if c[2] and c[3] else SURE if c[2] or c[3] else 1.0 - SURE
        else:
            z = SURE if c[2] else 1.0 - SURE
        n_z += n * z
        q[0, 1] += n * z * c[2]
        q[1, 1] += n * z * c[3]
        share = known[c[:2]] / known[c[:2]].sum()
        mass += n * share
        on += n * share * z
    start = np.array(
        [
            [ratio(seen - q[v, 1], total - n_z), ratio(q[v, 1], n_z)]
            for v, seen in enumerate((n_w, n_x))
        ]
    )
    second = fit(np.array([ratio(on[y], mass[y]) for y in (0, 1)]), start)
    return max(first, second, key=lambda answer: answer[0])[1:]


def one_island(
    X: NDArray[np.integer], information: Floats, free: list[int], limit: int, threshold: float
) -> list[int]:
    """Algorithm 4, with the decisions at its ends that the documentation lists."""
    if len(free) == 2:
        return free
    pairs = information[np.ix_(free, free)].copy()
    np.fill_diagonal(pairs, -1.0)
    a, b = (free[k] for k in np.unravel_index(pairs.argmax(), pairs.shape))
    island, rest = [a, b], [v for v in free if v not in {a, b}]

    def nearest() -> int:
        return max(rest, key=lambda v: (max(information[v, s] for s in island), -v))

    third = nearest()
    island.append(third)
    rest.remove(third)
    prior, p = learn_three(table(X[:, island]))
    parameters = dict(zip(island, p, strict=True))
    while rest and (len(island) < limit or len(rest) == 1):
        x = nearest()
        w = max(island, key=lambda s: (information[x, s], -island.index(s)))
        of_x = learn_one(table(X[:, [a, b, x]]), prior, np.array([parameters[a], parameters[b]]))
        if len(rest) > 1:
            seeds = [third if s == w else s for s in (a, b)]
            edge, q = learn_two(
                table(X[:, [*seeds, w, x]]),
                prior,
                np.array([parameters[s] for s in seeds]),
                np.array([parameters[w], of_x]),
            )
            one = two = 0.0
            others = [s for s in island if s != w]
            for row in X:
                joint = np.array([1.0 - prior, prior])
                for y in (0, 1):
                    joint[y] *= chance(
                        np.array([parameters[s][y] for s in others]), tuple(row[others])
                    )
                wx = (row[w], row[x])
                one += np.log(
                    sum(
                        joint[y] * chance(np.array([parameters[w][y], of_x[y]]), wx) for y in (0, 1)
                    )
                )
                two += np.log(
                    sum(
                        joint[y] * (edge[y] if z else 1.0 - edge[y]) * chance(q[:, z], wx)
                        for y in (0, 1)
                        for z in (0, 1)
                    )
                )
            parameters_more = 2
            if two - one - parameters_more / 2.0 * np.log(len(X)) > threshold:
                return island if w in {a, b} else others
        island.append(x)
        rest.remove(x)
        parameters[x] = of_x
    return island


def islands(
    X: NDArray[np.integer], information: Floats, limit: int, threshold: float
) -> list[list[int]]:
    """Algorithm 3."""
    free, found = list(range(X.shape[1])), []
    while free:
        found.append(one_island(X, information, free, limit, threshold))
        free = [v for v in free if v not in found[-1]]
    return found
