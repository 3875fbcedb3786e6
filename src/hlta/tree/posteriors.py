"""Posteriors and hard assignments: explicit where words are present, by rule elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hlta._kernels import propagation as passes
from hlta._support.threads import map_in_order
from hlta.documents.matrix import Documents, as_documents
from hlta.tree.inference import AbsentMessages, absent_messages

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hlta.tree.latent_tree import LatentTree
    from hlta.tree.numbering import Numbering

_SLACK = 1e-9  # a visit too many does no harm
_POSTERIOR_BUFFER = 1 << 20  # most posteriors a shard may hold at once


@dataclass(frozen=True, eq=False)
class Posteriors:
    """P(latent = 1 | document) for all documents and latent variables, stored sparsely.

    A latent variable with none of the document's words below it is inactive: it depends on the
    document through its parent alone, by the same rule for every document,

        P(v = 1 | d) = rule[v, 0] * P(parent = 0 | d) + rule[v, 1] * P(parent = 1 | d)

    Latent variables are counted from 0, in the order of `LatentTree.latent_names`.

    indptr   int64 (documents + 1,): document d owns entries indptr[d] to indptr[d + 1]
    latents  uint32: the active latent variables of each document, ascending; always the root
    values   float64: their posteriors
    rule     float64 (n_latents, 2), see above
    parent   int32 (n_latents,): the parent of each latent variable, -1 for the root
    """

    indptr: NDArray[np.int64]
    latents: NDArray[np.uint32]
    values: NDArray[np.float64]
    rule: NDArray[np.float64]
    parent: NDArray[np.int32]
    _numbering: Numbering

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.indptr) - 1, len(self.rule)

    def active(self) -> csr_array:
        """The explicit posteriors as a sparse matrix; what is absent is not 0 but follows the rule."""
        from scipy.sparse import csr_array

        return csr_array(
            (self.values, self.latents.astype(np.int64), self.indptr), shape=self.shape
        )

    def dense(self) -> NDArray[np.float64]:
        """All posteriors, documents by latent variables."""
        out = np.empty(self.shape)
        shape = self._numbering
        columns = (shape.nodes - shape.nodes.min()).astype(np.uint32)
        passes.fill_posteriors(
            self.indptr, self.latents, self.values, shape.parent, columns, self.rule, out
        )
        return out

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.asarray(self.dense(), dtype=dtype)


def posteriors(tree: LatentTree, documents: Any, *, n_jobs: int | None = None) -> Posteriors:
    """The posterior of every latent variable for every document."""
    checked = as_documents(documents, tree.n_words)
    absent = absent_messages(tree)
    shape = absent.numbering
    found = _infer(absent, checked, np.full(tree.n_latents, np.inf), -1.0, n_jobs)
    indptr, latents, values = _joined(tree, found)
    order = np.lexsort((latents, np.repeat(np.arange(len(checked)), np.diff(indptr))))
    parent = tree.parent[tree.n_words :] - tree.n_words
    return Posteriors(
        indptr=indptr,
        latents=latents[order],
        values=values[order],
        rule=absent.conditional[shape.number],
        parent=np.where(parent < 0, -1, parent).astype(np.int32),
        _numbering=shape,
    )


def likely_posteriors(
    tree: LatentTree, documents: Any, least: float, *, n_jobs: int | None = None
) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.float64]]:
    """The posteriors above `least`, of active and inactive latent variables alike.

    By document: where its entries begin, latent variables counted from 0 (in no order), values.
    """
    checked = as_documents(documents, tree.n_words)
    absent = absent_messages(tree)
    return _joined(tree, _infer(absent, checked, _need(absent, least), least, n_jobs))


def hard_assignment(tree: LatentTree, documents: Any, *, n_jobs: int | None = None) -> csr_array:
    """The likelier state of every latent variable for every document, ties to state 0."""
    from scipy.sparse import csr_array

    checked = as_documents(documents, tree.n_words)
    absent = absent_messages(tree)
    indptr, latents, _ = _joined(tree, _infer(absent, checked, _need(absent, 0.5), 0.5, n_jobs))
    states = csr_array(
        (np.ones(len(latents), dtype=np.int8), latents.astype(np.int32), indptr),
        shape=(len(checked), tree.n_latents),
    )
    states.sort_indices()
    return states


class _Found(NamedTuple):
    """Posteriors of one shard: entries a document, numbers of latent variables, values."""

    entries: NDArray[np.int64]
    numbers: NDArray[np.uint32]
    values: NDArray[np.float64]


def _need(absent: AbsentMessages, least: float) -> NDArray[np.float64]:
    """How likely the parent must be on for an inactive latent to exceed `least`, or one below it.

    Inactive, v is on with c0 + (c1 - c0) P(parent=1|d), the same for every document, so that a
    threshold a node spares the visit to all that are off. Infinite where nothing suffices.
    """
    shape = absent.numbering
    need = np.full(len(shape.parent), np.inf)
    target = np.full(len(shape.parent), least)
    for layer in reversed(list(shape.layers())[1:]):
        c0, c1 = absent.conditional[layer].T
        rising = np.divide(target[layer] - c0, c1 - c0, out=np.full(len(c0), np.inf), where=c1 > c0)
        rising[rising > 1.0 + _SLACK] = np.inf
        need[layer] = np.where(c0 >= target[layer] - _SLACK, -1.0, rising - _SLACK)
        np.minimum.at(target, shape.parent[layer], need[layer])
    return need


def _infer(
    absent: AbsentMessages,
    documents: Documents,
    need: NDArray[np.float64],
    least: float,
    n_jobs: int | None,
) -> list[_Found]:
    """Posteriors of the active latent variables and of inactive ones, as far as parents `need` be.

    Of these the ones above `least`.
    """
    shape = absent.numbering
    m = len(shape.parent)
    # Ascending, so grouped by parent. The root is active anyway.
    children = (np.flatnonzero(need[1:] <= 1.0) + 1).astype(np.uint32)
    bounds = np.searchsorted(shape.parent[children], np.arange(m + 1)).astype(np.int64)
    most = max(1, _POSTERIOR_BUFFER // m)

    def infer(shard: tuple[int, int]) -> _Found:
        begin, end = shard
        entries = np.empty(end - begin, dtype=np.int64)
        numbers = np.empty((end - begin) * m, dtype=np.uint32)
        values = np.empty((end - begin) * m)
        filled = passes.infer_posteriors(
            documents.indptr,
            documents.indices,
            *shard,
            absent.tables,
            absent.memory(),
            bounds,
            children,
            absent.conditional,
            need,
            least,
            entries,
            numbers,
            values,
        )
        return _Found(entries, numbers[:filled].copy(), values[:filled].copy())

    starts = range(0, len(documents), most)
    shards = [(start, min(start + most, len(documents))) for start in starts]
    return map_in_order(infer, shards, n_jobs)


def _joined(
    tree: LatentTree, found: Iterable[_Found]
) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.float64]]:
    entries, numbers, values = (np.concatenate(part) for part in zip(*found, strict=True))
    indptr = np.zeros(len(entries) + 1, dtype=np.int64)
    np.cumsum(entries, out=indptr[1:])
    latents = (tree._numbering.nodes - tree.n_words).astype(np.uint32)[numbers]
    return indptr, latents, values
