"""Posteriors and hard assignments: explicit where words are present, by rule elsewhere."""

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
_SLACK: Final = 1e-9  # an unnecessary visit does no harm


@dataclass(frozen=True, eq=False)
class Posteriors:
    """P(latent variable = k | document) for all documents, stored sparsely.

    A latent variable with none of the document's words below it is inactive: it depends on the
    document through its parent alone, by the same rule for every document,

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
        P(v = k | d) of each.
    rule : float64 (n_latents, K, K)
        As above, [v, j, k].
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
        """Documents, latent variables."""
        return len(self.indptr) - 1, len(self.rule)

    def dense(self) -> Floats:
        """P(v is on | d), in any state but the background: documents by latent variables."""
        out, states = np.empty(self.shape), np.empty(self.rule.shape[:2])
        posterior_inference.fill_on(self._active, self._completion, states, out)
        return out

    def states(self) -> Floats:
        """All P(v = k | d): documents by latent variables by states."""
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
    """P(on) from the probabilities of the states, and in which of them it is on.

    They are added up in the order of the states, as kernels do.
    """
    total = np.zeros(values.shape[:-1])
    for k in range(values.shape[-1]):
        total += np.where(is_on[..., k], values[..., k], 0.0)
    return np.minimum(total, 1.0)


# Reductions: what is kept of the posteriors of a shard, float64 (entries, K), and of P(on | d) of each.


def _on(_: Floats, on: Floats) -> Floats:
    return on.copy()


def _likeliest(values: Floats, _: Floats) -> NDArray[np.int8]:
    return np.asarray(values.argmax(axis=1), dtype=np.int8)


def _keep(values: Floats, _: Floats) -> Floats:
    return values.copy()


class Entries(NamedTuple):
    """What is known of some latent variables, by document."""

    indptr: Ints  # (documents + 1,): d owns entries indptr[d] to indptr[d + 1]
    latents: NDArray[np.uint32]  # latent variables, counted from 0, in no order
    values: NDArray[Any]  # (entries, ...): what is known of each


def infer_posteriors(inference: Inference, documents: Any) -> Posteriors:
    """The posterior of every latent variable for every document; those of inactive ones by rule."""
    checked = as_documents(documents, inference.n_words)
    shape, first = inference.numbering, np.ones(inference.n_latents, dtype=np.int64)
    no_search = np.zeros(inference.n_latents, dtype=bool)  # for inactive ones
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
    """P(on | d) of the latent variables where it is above `least`, active and inactive alike."""
    background = inference.parameters.background[inference.numbering.nodes - inference.n_words]
    return _search(inference, documents, background.astype(np.int64), least, _on)


def hard_assignment(inference: Inference, documents: Any) -> csr_array:
    """The likeliest state of every latent variable for every document, ties to the lowest."""
    from scipy.sparse import csr_array

    # Where a state other than 0 is the likeliest, all others than 0 have at least 1/2 together.
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
    """What `reduce` makes of the posteriors of latent variables with P(on | d) above `least`.

    On means in one of the states from the `first` of each, by number.
    """
    checked = as_documents(documents, inference.n_words)
    reach = _reach(inference, first)
    to_search = reach.max(axis=1) > least - _SLACK
    return _infer(inference, checked, first, to_search, reach, least, reduce)


def _reach(inference: Inference, first: Ints) -> Floats:
    """The most that P(on | parent = j) is at each latent variable or one below it, all inactive.

    Whatever the document, P(on | d) is at most the mean of this over the parent's posterior.
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
    """Posteriors of active latents, and of those inactive ones `to_search` for which P(on) > least."""
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
    """Entries per document, numbers of latent variables, and what is kept of their posteriors."""
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
