"""Posteriors and hard assignments: stored for active latent variables, derived for the others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hlta._kernels import posterior_inference
from hlta._support.arrays import offsets, ranges, read_only
from hlta._support.passes import Collecting, run_pass
from hlta.documents.given_matrices import as_documents
from hlta.tree.counts import GRAIN

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hlta._support.arrays import Bools, Floats, Ints, Ints32
    from hlta.documents.matrix import Documents
    from hlta.tree.inference import Inference

    _Reduction = Callable[[Floats, Floats], NDArray[Any]]

_BUFFER: Final = 1 << 20  # probabilities of states in memory per thread, at most
_SLACK: Final = 1e-9  # for rounding errors of bounds; an unnecessary visit does no harm


@dataclass(frozen=True, eq=False)
class Posteriors:
    """P(latent variable = k | document) for all documents, stored sparsely.

    A latent variable with none of the document's words below it is inactive. Its posterior follows
    from that of its parent, by the same rule for every document,

        P(v = k | d) = sum over j of rule[v, j, k] * P(parent = j | d)

    Latent variables are counted from 0, in the order of `LatentTree.latent_names`; K is the largest
    number of states.

    Attributes
    ----------
    indptr : int64 (documents + 1,)
        Document d owns entries indptr[d] to indptr[d + 1].
    latents : uint32 (entries,)
        The active latent variables of each document, ascending; the root is always active.
    values : float64 (entries, K)
        P(v = k | d) of each entry.
    rule : float64 (n_latents, K, K)
        The rule of inactive latent variables, as [v, j, k].
    parent : int32 (n_latents,)
        The parent of each latent variable, -1 for the root.
    """

    indptr: Ints
    latents: NDArray[np.uint32]
    values: Floats
    rule: Floats
    parent: Ints32
    _completion: posterior_inference.Completion

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of documents and of latent variables."""
        return len(self.indptr) - 1, len(self.rule)

    def dense(self) -> Floats:
        """P(v is on | d), float64 (documents, n_latents)."""
        out, states = np.empty(self.shape), np.empty(self.rule.shape[:2])
        posterior_inference.fill_on(self._active, self._completion, states, out)
        return out

    def states(self) -> Floats:
        """P(v = k | d), float64 (documents, n_latents, K)."""
        out = np.empty((len(self.indptr) - 1, *self.rule.shape[:2]))
        for d in range(len(out)):
            posterior_inference.complete(d, self._active, self._completion, out[d])
        return out

    @property
    def _active(self) -> posterior_inference.Active:
        return posterior_inference.Active(
            read_only(self.indptr), read_only(self.latents), read_only(self.values)
        )


def _sum_on(values: Floats, is_on: Bools) -> Floats:
    """P(on): the sum of the probabilities of the states in which a latent variable is on.

    They are added in the order of the states, as in the kernels.
    """
    total = np.zeros(values.shape[:-1])
    for k in range(values.shape[-1]):
        total += np.where(is_on[..., k], values[..., k], 0.0)
    return np.minimum(total, 1.0)


# Reductions: from posteriors, float64 (entries, K), and P(on | d) of each entry, to what is kept.


def _on(_: Floats, on: Floats) -> Floats:
    return on.copy()


def _likeliest(values: Floats, _: Floats) -> NDArray[np.int8]:
    return np.asarray(values.argmax(axis=1), dtype=np.int8)


def _keep(values: Floats, _: Floats) -> Floats:
    return values.copy()


class Entries(NamedTuple):
    """Values of some latent variables of each document."""

    indptr: Ints  # (documents + 1,): d owns entries indptr[d] to indptr[d + 1]
    latents: NDArray[np.uint32]  # latent variables, counted from 0, unsorted
    values: NDArray[Any]  # (entries, ...): the value of each entry


def infer_posteriors(inference: Inference, documents: Any) -> Posteriors:
    """The posteriors of all latent variables for every document, stored for active ones only."""
    checked = as_documents(documents, inference.n_words)
    shape, first = inference.numbering, np.ones(inference.n_latents, dtype=np.int64)
    no_search = np.zeros(inference.n_latents, dtype=bool)  # visits no inactive ones
    reach = np.zeros((inference.n_latents, inference.most_states))
    indptr, latents, values = _infer(inference, checked, first, no_search, reach, -1.0, _keep)
    order = np.lexsort((latents, np.repeat(np.arange(len(checked)), np.diff(indptr))))
    latent = shape.nodes - inference.n_words
    parent = np.full(inference.n_latents, -1, dtype=np.int32)
    parent[latent[1:]] = latent[shape.parent[1:]]
    parameters, rule = inference.parameters, read_only(inference.conditional[shape.number])
    return Posteriors(
        indptr=indptr,
        latents=latents[order],
        values=values[order],
        rule=rule,
        parent=parent,
        _completion=posterior_inference.Completion(
            parent=read_only(shape.parent),
            column=read_only(latent.astype(np.uint32)),
            states=read_only(parameters.states.astype(np.int64)),
            first=read_only(parameters.background.astype(np.int64)),
            rule=rule,
        ),
    )


def likely_posteriors(inference: Inference, documents: Any, least: float) -> Entries:
    """P(on | d) of all latent variables, active or inactive, where it is above `least`."""
    background = inference.parameters.background[inference.numbering.nodes - inference.n_words]
    return _search(inference, documents, background.astype(np.int64), least, _on)


def hard_assignment(inference: Inference, documents: Any) -> csr_array:
    """The likeliest state of every latent variable for every document, ties to the lowest."""
    from scipy.sparse import csr_array

    # If a state other than 0 is the likeliest, the states other than 0 together have at least 1/2.
    first = np.ones(inference.n_latents, dtype=np.int64)
    indptr, latents, values = _search(inference, documents, first, 0.5 - _SLACK, _likeliest)
    states = csr_array(
        (values, latents.astype(np.int32), indptr), shape=(len(indptr) - 1, inference.n_latents)
    )
    states.eliminate_zeros()
    states.sort_indices()
    return states


def _search(
    inference: Inference, documents: Any, first: Ints, least: float, reduce: _Reduction
) -> Entries:
    """`reduce` of the posteriors of all latent variables with P(on | d) above `least`.

    Here a latent variable is on in its states from `first`, which has one entry per breadth-first
    number.
    """
    checked = as_documents(documents, inference.n_words)
    reach = _reach(inference, first)
    to_search = reach.max(axis=1) > least - _SLACK
    return _infer(inference, checked, first, to_search, reach, least, reduce)


def _reach(inference: Inference, first: Ints) -> Floats:
    """The largest P(on | parent = j) of each latent variable v and all below it, if all are inactive.

    In any document, P(on | d) of these is at most the mean of this over the posterior of v's parent.
    """
    conditional = inference.conditional
    reach = _sum_on(conditional, np.arange(inference.most_states) >= first[:, None, None])
    parent = inference.numbering.parent
    for layer in reversed(list(inference.numbering.layers())[1:]):
        above = parent[layer]
        through = np.einsum("vjk,vk->vj", conditional[above], reach[layer])
        np.maximum.at(reach, above, through)
    return reach


def _infer(
    inference: Inference,
    documents: Documents,
    first: Ints,
    to_search: Bools,
    reach: Floats,
    least: float,
    reduce: _Reduction,
) -> Entries:
    """Posteriors with P(on | d) > `least`, of active latent variables and inactive ones `to_search`."""
    shape, m = inference.numbering, inference.n_latents
    # Breadth-first numbers are grouped by parent. The root is always active.
    children = (np.flatnonzero(to_search[1:]) + 1).astype(np.uint32)
    bounds = np.searchsorted(shape.parent[children], np.arange(m + 1)).astype(np.int64)
    search = posterior_inference.Search(
        read_only(bounds),
        read_only(children),
        inference.conditional,
        read_only(first),
        read_only(reach),
        least - _SLACK,
    )
    work = Collecting(partial(_infer_shard, inference, search, least, reduce))
    parts = run_pass(work, documents.shards(GRAIN))
    entries, numbers, values = map(np.concatenate, zip(*parts, strict=True))
    latents = (shape.nodes - inference.n_words).astype(np.uint32)[numbers]
    return Entries(offsets(entries), latents, values)


def _infer_shard(
    inference: Inference,
    search: posterior_inference.Search,
    least: float,
    reduce: _Reduction,
    shard: Documents,
) -> tuple[NDArray[Any], ...]:
    """Number of entries per document, numbers of latent variables, and their reduced posteriors."""
    m, most = inference.n_latents, inference.most_states
    at_once = max(1, _BUFFER // (m * most))
    entries = np.empty(len(shard), dtype=np.int64)
    numbers = np.empty(min(len(shard), at_once) * m, dtype=np.uint32)
    values, on = np.empty((len(numbers), most)), np.empty(len(numbers))
    rows, memory, found = shard.rows, inference.memory(), []
    for begin, end in ranges(len(shard), at_once):
        given = (rows, begin, end, inference.tables, memory, search, least, entries[begin:end])
        filled = posterior_inference.infer_posteriors(*given, numbers, values, on)
        found.append((numbers[:filled].copy(), reduce(values[:filled], on[:filled])))
    return (entries, *map(np.concatenate, zip(*found, strict=True)))
