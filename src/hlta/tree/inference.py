"""A tree prepared for passes over documents: the messages of the wordless document.

A subtree without a present word sends its parent the same message in every document. Those messages
are computed once per set of parameters; inference then visits only the *active* latent variables of
a document, those above one of its words, and the rest follows by rule. The derivation is in
docs/inference.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from hlta._kernels import wordless
from hlta._kernels.propagation import Memory, Tables
from hlta._kernels.scale import LOG_SAFE
from hlta._support.arrays import read_only

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.tree.numbering import Numbering

_LINE: Final = 64  # uint32 numbers between small arrays of two threads: over a cache line


@dataclass(frozen=True, eq=False)
class Inference:
    """A tree under its parameters, as passes over documents take it.

    Latent variables are in the order of the numbering, unless stated.

    numbering       shared by all trees of one shape
    probability     float64 (n_nodes, 2), in the order of the nodes
    tables          the argument that every kernel over documents takes
    conditional     float64 (m, 2): P(v = 1 | parent = j, no word below v)
    log_ratio       float64 (m,): log of lambda(1) / lambda(0) in the wordless document
    log_likelihood  log P(wordless document)
    """

    numbering: Numbering
    probability: NDArray[np.float64]
    tables: Tables
    conditional: NDArray[np.float64]
    log_ratio: NDArray[np.float64]
    log_likelihood: float

    @classmethod
    def under(cls, numbering: Numbering, probability: NDArray[np.float64]) -> Inference:
        """A tree of this shape under `probability`, float64 (n_nodes, 2) in node order."""
        n, m = len(numbering.word_parent), len(numbering.parent)
        word, latent = probability[:n], probability[numbering.nodes]
        log_present, log_absent = np.log(word), np.log1p(-word)
        word_rows = np.empty((n, 2))
        odds = word / (1.0 - word)
        word_rows[:, wordless.FACTOR] = odds[:, 1] / odds[:, 0]
        word_rows[:, wordless.PRESENCE] = log_present[:, 0] - log_absent[:, 0]
        rows = np.empty((m, 8))
        rows[:, wordless.P10], rows[:, wordless.P11] = latent[:, 0], latent[:, 1]
        rows[:, wordless.P00], rows[:, wordless.P01] = 1.0 - latent[:, 0], 1.0 - latent[:, 1]
        log_ratio = np.zeros(m + 1)
        np.add.at(log_ratio, numbering.word_parent, log_absent[:, 1] - log_absent[:, 0])
        log_shift, conditional = np.empty(m), np.empty((m, 2))
        wordless.collect_wordless_messages(
            numbering.parent, log_ratio, log_shift, rows, conditional
        )
        guarded = _needs_guard(numbering, word_rows, rows, log_ratio[:m])
        return cls(
            numbering=numbering,
            probability=probability,
            tables=Tables(
                word_parent=read_only(numbering.word_parent),
                word_rows=read_only(word_rows),
                parent=read_only(numbering.parent),
                depth=read_only(numbering.depth),
                start=read_only(numbering.start),
                rows=read_only(rows),
                log_shift=read_only(log_shift),
                guarded=guarded,
            ),
            conditional=read_only(conditional),
            log_ratio=log_ratio[:m],
            log_likelihood=float(log_absent[:, 0].sum() + log_shift.sum()),
        )

    @property
    def n_words(self) -> int:
        """Number of words."""
        return len(self.tables.word_rows)

    @property
    def n_latents(self) -> int:
        """Number of latent variables."""
        return len(self.tables.rows)

    def memory(self) -> Memory:
        """Working memory of one thread, at rest."""
        start = self.numbering.start
        scratch = np.zeros((self.n_latents + 1, 4))
        # Small and always written to: a cache line shared with another thread would stall both.
        lists = np.empty(int(start[-1]) + len(start) + 2 * _LINE, dtype=np.uint32)
        stop = lists[_LINE : _LINE + len(start)]
        stop[:] = start
        return Memory(scratch, lists[2 * _LINE + len(start) :], stop)


def _needs_guard(
    numbering: Numbering,
    word_rows: NDArray[np.float64],
    rows: NDArray[np.float64],
    log_ratio: NDArray[np.float64],
) -> bool:
    """Whether some document could take a likelihood ratio beyond exp(+-LOG_SAFE).

    A latent variable's ratio is multiplied by at most one factor per child. A word's factor is
    fixed; a latent child's lies between the messages that it would send if its state were known.
    """
    m = len(log_ratio)
    word = np.log(word_rows[:, wordless.FACTOR])
    message = np.log(rows[:, [wordless.P01, wordless.P11]] / rows[:, [wordless.P00, wordless.P10]])
    message += np.log(rows[:, [wordless.UNMESSAGE]])
    children = np.concatenate((numbering.word_parent, numbering.parent[1:]))
    highest = np.concatenate((word, message[1:].max(axis=1)))
    lowest = np.concatenate((word, message[1:].min(axis=1)))
    up = np.bincount(children, weights=np.maximum(highest, 0.0), minlength=m)
    down = np.bincount(children, weights=np.minimum(lowest, 0.0), minlength=m)
    most = np.maximum(up + np.maximum(log_ratio, 0.0), -down - np.minimum(log_ratio, 0.0))
    return bool((most > LOG_SAFE).any() or rows[:, wordless.POWER].any())
