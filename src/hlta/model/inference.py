"""Exact inference in time proportional to the words present.

A subtree without a present word sends its parent the same message whatever the document. Those
messages are computed once per set of parameters (`AbsentMessages`); a document then visits only the
*active* latent variables, those with one of its words below them, and the rest follows by rule. The
derivation is in docs/inference.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hlta.corpus.documents import Documents, as_documents
from hlta.kernels import messages, passes
from hlta.kernels.scale import LOG_SAFE
from hlta.parallel.threads import map_in_order

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hlta.model.numbering import Numbering
    from hlta.model.tree import LatentTree

_GRAIN = 32_768  # presences a shard: enough work to outweigh handing it to a thread
_GRAIN_A_LATENT = 12  # and to outweigh setting up and merging its sums
_LINE = 64  # numbers between the small arrays of two threads: more than a line of the cache
_POSTERIOR_BUFFER = 1 << 22  # most posteriors a shard may hold at once


@dataclass(frozen=True, eq=False)
class AbsentMessages:
    """The document without words, and what the kernels need to know of every node beside it.

    Arrays are in the order of the numbering; their columns are listed in `kernels.messages`.
    """

    numbering: Numbering
    word_rows: NDArray[np.float64]
    rows: NDArray[np.float64]
    log_shift: NDArray[np.float64]
    conditional: NDArray[np.float64]
    log_ratio: NDArray[np.float64]
    log_likelihood: float
    guarded: bool

    @classmethod
    def of(cls, numbering: Numbering, probability: NDArray[np.float64]) -> AbsentMessages:
        """The messages under `probability`, given in the order of the nodes."""
        n, m = len(numbering.word_parent), len(numbering.parent)
        word, latent = probability[:n], probability[numbering.nodes]
        log_present, log_absent = np.log(word), np.log1p(-word)
        word_rows = np.empty((n, 2))
        odds = word / (1.0 - word)
        word_rows[:, messages.FACTOR] = odds[:, 1] / odds[:, 0]
        word_rows[:, messages.PRESENCE] = log_present[:, 0] - log_absent[:, 0]
        rows = np.empty((m, 8))
        rows[:, messages.P10], rows[:, messages.P11] = latent[:, 0], latent[:, 1]
        rows[:, messages.P00], rows[:, messages.P01] = 1.0 - latent[:, 0], 1.0 - latent[:, 1]
        log_ratio = np.zeros(m + 1)
        np.add.at(log_ratio, numbering.word_parent, log_absent[:, 1] - log_absent[:, 0])
        log_shift, conditional = np.empty(m), np.empty((m, 2))
        messages.collect_absent_messages(numbering.parent, log_ratio, log_shift, rows, conditional)
        log_likelihood = float(log_absent[:, 0].sum() + log_shift.sum())
        return cls(
            numbering=numbering,
            word_rows=word_rows,
            rows=rows,
            log_shift=log_shift,
            conditional=conditional,
            log_ratio=log_ratio[:m],
            log_likelihood=log_likelihood,
            guarded=_needs_guard(numbering, word_rows, rows, log_ratio[:m]),
        )

    @property
    def tables(self) -> tuple[NDArray[Any] | bool, ...]:
        """The arguments that every kernel over documents begins with."""
        shape = self.numbering
        return (
            shape.word_parent,
            self.word_rows,
            shape.parent,
            shape.depth,
            shape.start,
            self.rows,
            self.log_shift,
            self.guarded,
        )

    def scratch(self) -> tuple[NDArray[np.float64], NDArray[np.uint32], NDArray[np.uint32]]:
        """Working memory of one thread, at rest: every document leaves it as it found it."""
        start = self.numbering.start
        rows = np.zeros((len(self.numbering.parent) + 1, 4))
        # Small and always written to: in one line of the cache with another thread's, both would wait.
        lists = np.empty(int(start[-1]) + len(start) + 2 * _LINE, dtype=np.uint32)
        stop = lists[_LINE : _LINE + len(start)]
        stop[:] = start
        return rows, lists[2 * _LINE + len(start) :], stop


def _needs_guard(
    numbering: Numbering,
    word_rows: NDArray[np.float64],
    rows: NDArray[np.float64],
    log_ratio: NDArray[np.float64],
) -> bool:
    """Whether some document could take a likelihood ratio out of the range of a double.

    A latent's ratio is multiplied by at most one factor a child. A word's factor is fixed; that of
    a latent child lies between the two extremes of its message, which its own states bound.
    """
    m = len(log_ratio)
    word = np.log(word_rows[:, messages.FACTOR])
    message = np.log(rows[:, [messages.P01, messages.P11]] / rows[:, [messages.P00, messages.P10]])
    message += np.log(rows[:, [messages.UNMESSAGE]])
    children = np.concatenate((numbering.word_parent, numbering.parent[1:]))
    highest = np.concatenate((word, message[1:].max(axis=1)))
    lowest = np.concatenate((word, message[1:].min(axis=1)))
    up = np.bincount(children, weights=np.maximum(highest, 0.0), minlength=m)
    down = np.bincount(children, weights=np.minimum(lowest, 0.0), minlength=m)
    most = np.maximum(up + np.maximum(log_ratio, 0.0), -down - np.minimum(log_ratio, 0.0))
    return bool((most > LOG_SAFE).any() or rows[:, messages.POWER].any())


def absent_messages(tree: LatentTree) -> AbsentMessages:
    """The messages of the document without words in `tree`."""
    return AbsentMessages.of(tree._numbering, tree.probability)


# ---- log-likelihood -------------------------------------------------------------------------


def log_likelihood(
    tree: LatentTree, documents: Any, *, n_jobs: int | None = None
) -> NDArray[np.float64]:
    """Log P(d) of each document."""
    checked = as_documents(documents, tree.n_words)
    absent = absent_messages(tree)
    out = np.empty(len(checked))

    def score(shard: tuple[int, int]) -> None:
        passes.score_documents(
            checked.indptr, checked.indices, *shard, absent.tables, absent.scratch(), out
        )

    map_in_order(score, checked.split(_GRAIN), n_jobs)
    out += absent.log_likelihood
    return out


# ---- expected counts ------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Counts:
    """Expected sufficient statistics of a pass over documents.

    table           float64 (n_nodes, 2, 2): the expected number of documents with parent = j and
                    node = k. The root has no parent: its row repeats the counts of its two states.
    log_likelihood  the sum of log P(d)
    n_documents     how many documents were seen
    """

    table: NDArray[np.float64]
    log_likelihood: float
    n_documents: int


class _Sums(NamedTuple):
    """What a shard adds up: only where words are present."""

    latent: NDArray[np.float64]
    word: NDArray[np.float64]
    log_likelihood: float

    @classmethod
    def zeros(cls, absent: AbsentMessages) -> _Sums:
        return cls(np.zeros_like(absent.rows[:, :4]), np.zeros(len(absent.word_rows)), 0.0)

    def merge(self, other: _Sums) -> _Sums:
        self.latent.__iadd__(other.latent)
        self.word.__iadd__(other.word)
        return self._replace(log_likelihood=self.log_likelihood + other.log_likelihood)


def _accumulate(absent: AbsentMessages, documents: Documents, shard: tuple[int, int]) -> _Sums:
    sums = _Sums.zeros(absent)
    total = passes.accumulate_counts(
        documents.indptr,
        documents.indices,
        *shard,
        absent.tables,
        absent.scratch(),
        sums.latent,
        sums.word,
    )
    return sums._replace(log_likelihood=total)


def _finalize(absent: AbsentMessages, documents: Documents, sums: _Sums) -> Counts:
    shape = absent.numbering
    n, m = absent.word_rows.shape[0], len(shape.parent)
    latent, total = np.empty((m, 2, 2)), np.empty((m, 2))
    messages.distribute_totals(
        shape.parent, absent.conditional, sums.latent, float(len(documents)), latent, total
    )
    table = np.empty((n + m, 2, 2))
    table[shape.nodes] = latent
    table[:n, 1, 1] = sums.word
    table[:n, 0, 1] = np.maximum(documents.document_frequency - sums.word, 0.0)
    table[:n, :, 0] = np.maximum(total[shape.word_parent] - table[:n, :, 1], 0.0)
    log_likelihood = sums.log_likelihood + len(documents) * absent.log_likelihood
    return Counts(table, log_likelihood, len(documents))


def count(absent: AbsentMessages, documents: Documents, *, n_jobs: int | None = None) -> Counts:
    """The E-step: zeros, accumulate each shard, merge in the order of the shards."""
    shards = documents.split(max(_GRAIN, _GRAIN_A_LATENT * len(absent.rows)))
    sums = _Sums.zeros(absent)
    for part in map_in_order(lambda shard: _accumulate(absent, documents, shard), shards, n_jobs):
        sums = sums.merge(part)
    return _finalize(absent, documents, sums)


def expected_counts(tree: LatentTree, documents: Any, *, n_jobs: int | None = None) -> Counts:
    """The expected counts of all documents under the parameters of `tree`."""
    return count(absent_messages(tree), as_documents(documents, tree.n_words), n_jobs=n_jobs)


# ---- posteriors -----------------------------------------------------------------------------


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
    nothing = np.zeros(tree.n_latents, dtype=bool)
    found = _infer(absent, checked, nothing, n_jobs)
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


def hard_assignment(tree: LatentTree, documents: Any, *, n_jobs: int | None = None) -> csr_array:
    """The likelier state of every latent variable for every document, ties to state 0."""
    from scipy.sparse import csr_array

    checked = as_documents(documents, tree.n_words)
    absent = absent_messages(tree)
    found = (_likely(part) for part in _infer(absent, checked, _may_be_on(absent), n_jobs))
    indptr, latents, _ = _joined(tree, found)
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


def _may_be_on(absent: AbsentMessages) -> NDArray[np.bool_]:
    """Which inactive latent variables can be on, or have one below them that can.

    Inactive, v is on with a probability between its two conditionals, whatever its parent does: if
    neither exceeds 1/2 it never is. One flag a subtree spares the visit to all that never are.
    """
    flags: NDArray[np.bool_] = absent.conditional.max(axis=1) > 0.5
    for layer in reversed(list(absent.numbering.layers())[1:]):
        on = absent.numbering.parent[layer][flags[layer]]
        flags[on] = True
    return flags


def _infer(
    absent: AbsentMessages, documents: Documents, wanted: NDArray[np.bool_], n_jobs: int | None
) -> list[_Found]:
    """Posteriors of the active latent variables and of the inactive ones that are `wanted`."""
    shape = absent.numbering
    m = len(shape.parent)
    wanted = wanted.copy()
    wanted[0] = False  # the root is active anyway
    children = np.flatnonzero(wanted).astype(np.uint32)  # ascending, so grouped by parent
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
            absent.scratch(),
            bounds,
            children,
            absent.conditional,
            entries,
            numbers,
            values,
        )
        return _Found(entries, numbers[:filled].copy(), values[:filled].copy())

    starts = range(0, len(documents), most)
    shards = [(start, min(start + most, len(documents))) for start in starts]
    return map_in_order(infer, shards, n_jobs)


def _likely(found: _Found) -> _Found:
    on = found.values > 0.5
    rows = np.repeat(np.arange(len(found.entries)), found.entries)[on]
    entries = np.bincount(rows, minlength=len(found.entries))
    return _Found(entries, found.numbers[on], found.values[on])


def _joined(
    tree: LatentTree, found: Iterable[_Found]
) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.float64]]:
    entries, numbers, values = (np.concatenate(part) for part in zip(*found, strict=True))
    indptr = np.zeros(len(entries) + 1, dtype=np.int64)
    np.cumsum(entries, out=indptr[1:])
    latents = (tree._numbering.nodes - tree.n_words).astype(np.uint32)[numbers]
    return indptr, latents, values
