"""The document without words: where exact inference starts from, for every document.

A subtree without a present word sends its parent the same message whatever the document. Those
messages are computed once per set of parameters; a document then visits only the *active* latent
variables, those with one of its words below them, and the rest follows by rule. The derivation is
in docs/inference.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from hlta._kernels import wordless as messages
from hlta._kernels.scale import LOG_SAFE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.tree.latent_tree import LatentTree
    from hlta.tree.numbering import Numbering

Memory: TypeAlias = "tuple[NDArray[np.float64], NDArray[np.uint32], NDArray[np.uint32]]"
"""Working memory of one thread: scratch rows, lists of active latents, where each list ends."""

_LINE = 64  # numbers between the small arrays of two threads: more than a line of the cache


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

    def memory(self) -> Memory:
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
