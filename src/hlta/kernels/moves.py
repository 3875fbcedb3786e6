"""Where a variable belongs: its mutual information with every latent variable it could hang below."""

from __future__ import annotations

from numba import float32, float64, int64, uint8, void
from numba.core.types import Array, Tuple

from hlta.kernels.bridges import term
from hlta.kernels.compiling import kernel
from hlta.kernels.pairs import documents, numbers, pointers, postings

_values = Array(float32, 1, "C", readonly=True)
_out_numbers = Array(int64, 1, "C")
_out_reals = Array(float64, 1, "C")


@kernel(
    void(
        Tuple((postings, _values)),
        Tuple((documents, _values, numbers)),
        pointers,
        pointers,
        Array(uint8, 1, "C", readonly=True),
        int64,
        int64,
        _out_reals,
        _out_numbers,
        Array(float64, 2, "C"),
    )
)
def find_parents(lower, upper, chosen, current, alive, begin, end, together, best, found):
    """The parent that each of the variables `chosen[begin:end]` shares most information with.

    lower     by variable: its documents and P(variable = 1 | d) there, as far as it counts
    upper     by document: latent variables and P(latent = 1 | d), as far as it counts; their sums
    chosen    int64 (k,)       variables to look at
    current   int64 (k,)       the latent variable each hangs below now, -1 for none
    alive     uint8 (m,)       which latent variables may be chosen
    together  float64 (m,)     working memory, zero before and after
    best      int64 (k,)       filled in; -1 where there is none
    found     float64 (k, 4)   filled in: information with the best and with the current one, P(both
                               are 1) for the best, P(variable = 1)
    Only pairs that are on together more often than by chance count.
    """
    (start, where, _), weight = lower
    (indptr, indices), values, sums = upper
    count = float64(indptr.size - 1)
    for k in range(begin, end):
        v = chosen[k]
        total = 0.0
        for p in range(start[v], start[v + 1]):
            d = where[p]
            mine = float64(weight[p])
            total += mine
            for q in range(indptr[d], indptr[d + 1]):
                together[indices[q]] += mine * values[q]
        p_v = total / count
        best[k] = -1
        found[k, 0] = -1.0
        found[k, 1] = 0.0
        found[k, 2] = 0.0
        found[k, 3] = p_v
        for z in range(together.size):
            both = together[z] / count
            together[z] = 0.0
            p_z = sums[z] / count
            more = both - p_v * p_z
            if more <= 0.0 and z != current[k]:
                continue
            shared = term(both, p_v * p_z)
            neither, apart = 1.0 - p_v - p_z + both, (1.0 - p_v) * (1.0 - p_z)
            # The other terms are no more than what log(1 + x) <= x allows: mostly one logarithm will do.
            if z != current[k] and shared + neither * more / apart <= found[k, 0]:
                continue
            shared += term(neither, apart)
            shared += term(p_v - both, p_v * (1.0 - p_z)) + term(p_z - both, p_z * (1.0 - p_v))
            if z == current[k]:
                found[k, 1] = shared if more > 0.0 else 0.0
            if alive[z] and more > 0.0 and shared > found[k, 0]:
                found[k, 0] = shared
                found[k, 2] = both
                best[k] = z
