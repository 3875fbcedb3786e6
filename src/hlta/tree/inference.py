"""A tree prepared for passes over documents: the messages of the wordless document.

A subtree without a present word sends its parent the same message in every document. Those messages
are computed once per set of parameters; inference then visits only the *active* latent variables of
a document, those above one of its words, and the rest follows by rule. The derivation is in
docs/explanation/inference.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from hlta._kernels.propagation import Memory, Tables
from hlta._kernels.scale import LOG_SAFE, LOG_STEP
from hlta._support.arrays import aligned_zeros, read_only

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.tree.numbering import Numbering
    from hlta.tree.parameters import Parameters

_LINE: Final = 64  # uint32 numbers between small arrays of two threads: over a cache line


@dataclass(frozen=True, eq=False)
class Inference:
    """A tree under its parameters, as passes over documents take it.

    Latent variables are in the order of the numbering, unless stated; K is the largest number of
    states.

    numbering       shared by all trees of one shape
    parameters      in the order of the nodes
    tables          the argument that every kernel over documents takes
    conditional     float64 (m, K, K): P(v = k | parent = j, no word below v), as [v, j, k]
    log_wordless    float64 (m, K): log P(no word below v | v = k); -inf where v lacks the state
    log_likelihood  log P(wordless document)
    """

    numbering: Numbering
    parameters: Parameters
    tables: Tables
    conditional: NDArray[np.float64]
    log_wordless: NDArray[np.float64]
    log_likelihood: float

    @classmethod
    def under(cls, numbering: Numbering, parameters: Parameters) -> Inference:
        """A tree of this shape under `parameters`, which are in the order of the nodes."""
        latents = numbering.nodes - len(parameters.word)
        word, latent = parameters.word, parameters.latent[latents]
        has_state = parameters.has_state[latents]
        odds = word / (1.0 - word)
        factor = np.divide(odds, odds[:, :1], out=aligned_zeros(odds.shape))
        factor[:, 0] = np.log(odds[:, 0])
        factor[~has_state[numbering.word_parent]] = 1.0
        rows, log_wordless, log_likelihood = _wordless_messages(numbering, word, latent, has_state)
        log_ratio = log_wordless - log_wordless.max(axis=1, keepdims=True)
        power = aligned_zeros(log_ratio.shape)
        np.rint(log_ratio / LOG_STEP, out=power)  # -inf for a state that v lacks
        guarded = bool(power[has_state].any()) or _needs_guard(
            numbering, factor, latent, rows, has_state
        )
        conditional = rows * np.exp(log_ratio)[:, None, :]
        power[~has_state] = 0.0
        log_ratio[~has_state] = -np.inf
        ratio = np.exp(log_ratio - power * LOG_STEP)
        both = rows * ratio[:, None, :]
        m, most = ratio.shape
        orders = (both.swapaxes(1, 2), both)
        in_both = np.concatenate(orders, axis=1, out=aligned_zeros((m, 2 * most, most)))
        tables = Tables(
            states=(0,) * parameters.most_states,
            word_parent=read_only(numbering.word_parent),
            factor=read_only(factor),
            parent=read_only(numbering.parent),
            depth=read_only(numbering.depth),
            start=read_only(numbering.start),
            own_states=read_only(parameters.states[latents].astype(np.uint32)),
            rows=read_only(in_both),
            power=read_only(power),
            guarded=guarded,
        )
        return cls(
            numbering=numbering,
            parameters=parameters,
            tables=tables,
            conditional=read_only(conditional),
            log_wordless=log_wordless,
            log_likelihood=log_likelihood,
        )

    @property
    def n_words(self) -> int:
        """Number of words."""
        return len(self.tables.factor)

    @property
    def n_latents(self) -> int:
        """Number of latent variables."""
        return len(self.tables.rows)

    @property
    def most_states(self) -> int:
        """K, the largest number of states of a latent variable."""
        return len(self.tables.states)

    def memory(self) -> Memory:
        """Working memory of one thread, at rest."""
        start = self.numbering.start
        scratch = aligned_zeros((self.n_latents + 1, 2 * self.most_states))
        scratch[:, 0] = 1.0
        # Even if nothing is guarded: the same memory may serve other parameters, which are.
        lift = aligned_zeros((self.n_latents + 1, self.most_states))
        # Small and always written to: a cache line shared with another thread would stall both.
        lists = np.empty(int(start[-1]) + len(start) + 2 * _LINE, dtype=np.uint32)
        stop = lists[_LINE : _LINE + len(start)]
        stop[:] = start
        return Memory(scratch, lift, lists[2 * _LINE + len(start) :], stop)


def _wordless_messages(
    numbering: Numbering,
    word: NDArray[np.float64],
    latent: NDArray[np.float64],
    has_state: NDArray[np.bool_],
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Messages of the wordless document, from the leaves to the root, in the log domain.

    Returns P(v = k | parent = j) / m_v(j) up to a factor of v alone, where m_v(j) is the message to
    the parent; log P(no word below v | v = k); and log P(no word).
    """
    m, most = has_state.shape
    absent = np.log1p(-word)
    evidence: NDArray[np.float64] = np.column_stack(
        [np.bincount(numbering.word_parent, absent[:, k], minlength=m) for k in range(most)]
    )
    rows = np.empty_like(latent)
    log_likelihood = 0.0
    for layer in reversed(list(numbering.layers())):
        mine = evidence[layer]
        mine[~has_state[layer]] = -np.inf
        top = mine.max(axis=1, keepdims=True)
        message = np.einsum("vjk,vk->vj", latent[layer], np.exp(mine - top))
        message[message == 0.0] = 1.0  # for a state that the parent lacks
        rows[layer] = latent[layer] / message[:, :, None]
        log_message = np.log(message) + top
        if layer.start:
            np.add.at(evidence, numbering.parent[layer], log_message)
        else:
            log_likelihood = float(log_message[0, 0])
    # A state that the parent lacks has no weight: as state 0, it keeps within the range of a double.
    reached = rows.any(axis=2, keepdims=True)
    rows = np.where(reached, rows, rows[:, :1])
    return rows, evidence, log_likelihood


def _needs_guard(
    numbering: Numbering,
    factor: NDArray[np.float64],
    latent: NDArray[np.float64],
    rows: NDArray[np.float64],
    has_state: NDArray[np.bool_],
) -> bool:
    """Whether some document could take a likelihood ratio beyond exp(+-LOG_SAFE).

    The evidence for a state, relative to state 0, is multiplied by at most one factor per child. A
    word's factor is fixed; a latent child's lies between the messages that it would send if its
    state were known.
    """
    m, most = has_state.shape
    with np.errstate(divide="ignore", invalid="ignore"):
        word = np.log(factor)
        message = np.log(rows[1:] / rows[1:, :1])
    missing = ~has_state[1:, None, :] | ~np.any(latent[1:], axis=2, keepdims=True)
    highest = np.where(missing, -np.inf, message).max(axis=2)
    lowest = np.where(missing, np.inf, message).min(axis=2)
    children = np.concatenate((numbering.word_parent, numbering.parent[1:]))
    for k in range(1, most):
        of_words = np.where(np.isfinite(word[:, k]), word[:, k], 0.0)
        for sign, extreme in ((1.0, highest), (-1.0, lowest)):
            of_latents = np.where(np.isfinite(extreme[:, k]), extreme[:, k], 0.0)
            most_evidence = np.maximum(sign * np.concatenate((of_words, of_latents)), 0.0)
            if (np.bincount(children, most_evidence, minlength=m) > LOG_SAFE).any():
                return True
    return False
