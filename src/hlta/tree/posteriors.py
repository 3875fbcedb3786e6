"""Posteriors and hard assignments: explicit where words are present, by rule elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hlta._kernels import posterior_inference
from hlta._support.arrays import offsets, ranges, read_only
from hlta._support.passes import Collecting, run_pass
from hlta.documents.matrix import as_documents

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hlta.documents.matrix import Documents
    from hlta.tree.inference import Inference
    from hlta.tree.numbering import Numbering

_SLACK: Final = 1e-9  # an unnecessary visit does no harm
_BUFFER: Final = 1 << 20  # posteriors of a shard, at most


@dataclass(frozen=True, eq=False)
class Posteriors:
    """P(latent = 1 | document) for all documents and latent variables, stored sparsely.

    A latent variable with none of the document's words below it is inactive: it depends on the
    document through its parent alone, by the same rule for every document,

        P(v = 1 | d) = rule[v, 0] * P(parent = 0 | d) + rule[v, 1] * P(parent = 1 | d)

    Latent variables are counted from 0, in the order of `LatentTree.latent_names`.

    Attributes
    ----------
    indptr : int64 (documents + 1,)
        Document d owns entries indptr[d] to indptr[d + 1].
    latents : uint32 (entries,)
        The active latent variables of each document, ascending; the root is always active.
    values : float64 (entries,)
        Their posteriors.
    rule : float64 (n_latents, 2)
        As above.
    parent : int32 (n_latents,)
        The parent of each latent variable, -1 for the root.
    """

    indptr: NDArray[np.int64]
    latents: NDArray[np.uint32]
    values: NDArray[np.float64]
    rule: NDArray[np.float64]
    parent: NDArray[np.int32]
    _numbering: Numbering

    @property
    def shape(self) -> tuple[int, int]:
        """Documents, latent variables."""
        return len(self.indptr) - 1, len(self.rule)

    def active(self) -> csr_array:
        """The explicit posteriors, sparse; entries it lacks are not 0 but follow the rule."""
        from scipy.sparse import csr_array

        entries = (self.values, self.latents.astype(np.int64), self.indptr)
        return csr_array(entries, shape=self.shape)

    def dense(self) -> NDArray[np.float64]:
        """All posteriors, documents by latent variables."""
        out = np.empty(self.shape)
        shape = self._numbering
        columns = (shape.nodes - shape.nodes.min()).astype(np.uint32)
        posterior_inference.fill_posteriors(
            self.indptr, self.latents, self.values, shape.parent, columns, self.rule, out
        )
        return out

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.asarray(self.dense(), dtype=dtype)


class LikelyPosteriors(NamedTuple):
    """The posteriors above a threshold, by document."""

    indptr: NDArray[np.int64]  # (documents + 1,): d owns entries indptr[d] to indptr[d + 1]
    latents: NDArray[np.uint32]  # latent variables, counted from 0, in no order
    values: NDArray[np.float64]  # their posteriors


def posteriors(inference: Inference, documents: Any, *, n_jobs: int | None = None) -> Posteriors:
    """The posterior of every latent variable for every document."""
    checked = as_documents(documents, inference.n_words)
    shape, nowhere = inference.numbering, np.full(inference.n_latents, np.inf)
    indptr, latents, values = _infer(inference, checked, nowhere, -1.0, n_jobs)
    order = np.lexsort((latents, np.repeat(np.arange(len(checked)), np.diff(indptr))))
    latent = shape.nodes - inference.n_words
    parent = np.full(inference.n_latents, -1, dtype=np.int32)
    parent[latent[1:]] = latent[shape.parent[1:]]
    return Posteriors(
        indptr=indptr,
        latents=latents[order],
        values=values[order],
        rule=inference.conditional[shape.number],
        parent=parent,
        _numbering=shape,
    )


def likely_posteriors(
    inference: Inference, documents: Any, least: float, *, n_jobs: int | None = None
) -> LikelyPosteriors:
    """The posteriors above `least`, of active and inactive latent variables alike."""
    checked = as_documents(documents, inference.n_words)
    thresholds = _activation_thresholds(inference, least)
    return _infer(inference, checked, thresholds, least, n_jobs)


def hard_assignment(
    inference: Inference, documents: Any, *, n_jobs: int | None = None
) -> csr_array:
    """The likelier state of every latent variable for every document, ties to state 0."""
    from scipy.sparse import csr_array

    indptr, latents, _ = likely_posteriors(inference, documents, 0.5, n_jobs=n_jobs)
    states = csr_array(
        (np.ones(len(latents), dtype=np.int8), latents.astype(np.int32), indptr),
        shape=(len(indptr) - 1, inference.n_latents),
    )
    states.sort_indices()
    return states


def _activation_thresholds(inference: Inference, least: float) -> NDArray[np.float64]:
    """The P(parent = 1 | d) above which an inactive latent, or one below it, may exceed `least`.

    An inactive v has P(v = 1 | d) = c0 + (c1 - c0) P(parent = 1 | d) in every document, so one
    threshold per latent variable tells which need no visit. It is infinite where no P suffices.
    """
    shape = inference.numbering
    thresholds = np.full(inference.n_latents, np.inf)
    target = np.full(inference.n_latents, least)
    for layer in reversed(list(shape.layers())[1:]):
        c0, c1 = inference.conditional[layer].T
        rising = np.divide(target[layer] - c0, c1 - c0, out=np.full(len(c0), np.inf), where=c1 > c0)
        rising[rising > 1.0 + _SLACK] = np.inf
        thresholds[layer] = np.where(c0 >= target[layer] - _SLACK, -1.0, rising - _SLACK)
        np.minimum.at(target, shape.parent[layer], thresholds[layer])
    return thresholds


def _infer(
    inference: Inference,
    documents: Documents,
    thresholds: NDArray[np.float64],
    least: float,
    n_jobs: int | None,
) -> LikelyPosteriors:
    """Posteriors above `least`, of active latents and of inactive ones that the search finds."""
    shape = inference.numbering
    m = inference.n_latents
    # Breadth-first numbers are grouped by parent. The root is always active.
    children = (np.flatnonzero(thresholds[1:] <= 1.0) + 1).astype(np.uint32)
    bounds = np.searchsorted(shape.parent[children], np.arange(m + 1)).astype(np.int64)
    search = posterior_inference.Search(
        read_only(bounds), read_only(children), inference.conditional, read_only(thresholds)
    )
    shards = ranges(len(documents), max(1, _BUFFER // m))

    def infer(shard: tuple[int, int]) -> tuple[NDArray[Any], ...]:
        """Entries per document, numbers of latent variables, and their posteriors."""
        begin, end = shard
        entries = np.empty(end - begin, dtype=np.int64)
        numbers = np.empty((end - begin) * m, dtype=np.uint32)
        values = np.empty(len(numbers))
        given = (documents.rows, begin, end, inference.tables, inference.memory(), search, least)
        filled = posterior_inference.infer_posteriors(*given, entries, numbers, values)
        return entries, numbers[:filled].copy(), values[:filled].copy()

    parts = run_pass(Collecting(infer), shards, n_jobs)
    entries, numbers, values = map(np.concatenate, zip(*parts, strict=True))
    latents = (shape.nodes - inference.n_words).astype(np.uint32)[numbers]
    return LikelyPosteriors(offsets(entries), latents, values)
