"""Draw documents from a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hlta._kernels.drawing import DrawTables, draw_documents
from hlta._support.arrays import TINY, offsets, ranges, read_only
from hlta._support.checks import check_seed, check_whole
from hlta._support.threads import map_in_order

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from hlta._support.arrays import Floats, Ints, Ints32
    from hlta.tree.inference import Inference

_SHARD = 4096  # documents drawn from one stream of random numbers
_MOST = 1 << 28  # the most documents and words together, which take some 5 GB during drawing


def sample(
    inference: Inference, n: int, seed: int | np.random.Generator | None, *, mean_length: float
) -> csr_array:
    """Draw `n` documents, of `mean_length` words on average, as a sparse 0/1 matrix.

    The result does not depend on the number of threads: each shard has its own random stream.
    """
    from scipy.sparse import csr_array

    check_whole("n", n, least=0, most=int(_MOST / (1.0 + mean_length)))
    check_seed(seed)
    tables, n_words = _draw_tables(inference), inference.n_words
    shards = ranges(int(n), _SHARD)
    streams = np.random.default_rng(seed).spawn(len(shards))

    room = n_words + int(1.2 * mean_length * _SHARD)

    def draw(task: tuple[tuple[int, int], np.random.Generator]) -> tuple[Ints, Ints32]:
        (begin, end), rng = task
        entries = np.empty(end - begin, dtype=np.int64)
        drawn, at = [], begin
        while at < end:
            words = np.empty(room, dtype=np.uint32)
            rest = entries[at - begin :]
            at, filled = draw_documents(rng, at, end, tables, rest, words)
            drawn.append(words[:filled].copy())
        # A single sort orders the whole shard by document, then by word.
        row = np.repeat(np.arange(end - begin) * n_words, entries)
        keys = row + np.concatenate(drawn)
        keys.sort()
        return entries, (keys - row).astype(np.int32)

    parts = map_in_order(draw, list(zip(shards, streams, strict=True)))
    entries = np.concatenate([part[0] for part in parts] or [np.empty(0, dtype=np.int64)])
    words = np.concatenate([part[1] for part in parts] or [np.empty(0, dtype=np.int32)])
    ones = np.ones(len(words), dtype=np.int8)
    return csr_array((ones, words, offsets(entries)), shape=(int(n), n_words))


def _draw_tables(inference: Inference) -> DrawTables:
    """The tables of `draw_documents`, with latent variables by breadth-first number."""
    shape, n, m = inference.numbering, inference.n_words, inference.n_latents
    parent = np.concatenate((shape.word_parent, shape.parent[1:])).astype(np.int64)
    order = np.argsort(parent, kind="stable")
    bounds = np.searchsorted(parent[order], np.arange(m + 1)).astype(np.int64)
    children = np.concatenate((np.arange(n), n + 1 + np.arange(m - 1)))[order]

    # log P(subtree empty | parent = j): of a word, that of its absence; of a latent, its message.
    latent, log_empty = inference.parameters.latent[shape.nodes - n], inference.log_wordless
    full = -np.expm1(np.minimum(log_empty, 0.0))  # P(occupied | v = k)
    weight = latent * full[:, None, :]  # P(v = k, v occupied | parent = j), as [v, j, k]
    occupied = weight.sum(axis=2)
    of_words = np.log1p(-inference.parameters.word)
    empty = np.concatenate((of_words, _log_empty(latent, log_empty, occupied)[1:]))
    hazard = np.maximum(-empty, 0.0)[order]
    for v in range(m):
        hazard[bounds[v] : bounds[v + 1]].cumsum(axis=0, out=hazard[bounds[v] : bounds[v + 1]])

    # P(v >= k | parent = j, v occupied), and P(root occupied).
    cumulative = weight[:, :, ::-1].cumsum(axis=2)[:, :, ::-1]
    cumulative /= np.maximum(cumulative[:, :, :1], TINY)
    root = float(occupied[0, 0])
    return DrawTables(
        n_words=n,
        bounds=read_only(bounds),
        children=read_only(children),
        hazard=read_only(hazard),
        occupied=read_only(np.ascontiguousarray(cumulative)),
        root=root,
    )


def _log_empty(latent: Floats, log_empty: Floats, occupied: Floats) -> Floats:
    """Log P(v empty | parent = j), float64 (m, K).

    If P(v occupied | parent = j) is small, log1p keeps its digits; otherwise, a log-sum-exp does, as
    P(v empty | parent = j) may be tiny.
    """
    top = log_empty.max(axis=1, keepdims=True)
    share = np.einsum("vjk,vk->vj", latent, np.exp(log_empty - top))
    share[~latent.any(axis=2)] = 1.0  # for a state that the parent lacks
    return np.where(occupied < 0.5, np.log1p(-np.minimum(occupied, 0.5)), np.log(share) + top)
