"""A tree prepared for passes over documents: the messages of the wordless document.

A subtree without a present word sends its parent the same message in every document. Those messages
are computed once per set of parameters. Inference then visits only the *active* latent variables of
a document, those above one of its words; the posteriors of the others follow from their parents' by
the same table in every document. The derivation is in docs/explanation/inference.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from hlta._kernels.propagation import Memory, Tables
from hlta._kernels.wordless import Filled, Shape, fill_tables
from hlta._support.arrays import aligned_zeros, read_only

if TYPE_CHECKING:
    from hlta._support.arrays import Floats
    from hlta.tree.numbering import Numbering
    from hlta.tree.parameters import Parameters

_LINE: Final = 64  # uint32 numbers of padding around small arrays: over a cache line


@dataclass(frozen=True, eq=False)
class Inference:
    """A tree and its parameters, prepared for passes over documents.

    Latent variables are in the order of the numbering, unless stated otherwise; K is the largest
    number of states.

    numbering       shared by all trees of one shape
    parameters      in the order of the nodes
    shape           the structure of the tree, as kernels take it
    tables          the tree and its parameters, as kernels over documents take them
    conditional     float64 (m, K, K): P(v = k | parent = j, no word below v), as [v, j, k]
    log_wordless    float64 (m, K): log P(no word below v | v = k); -inf where v lacks the state
    log_likelihood  log P(wordless document)
    """

    numbering: Numbering
    parameters: Parameters
    shape: Shape
    tables: Tables
    conditional: Floats
    log_wordless: Floats
    log_likelihood: float

    @classmethod
    def under(cls, numbering: Numbering, parameters: Parameters) -> Inference:
        """Prepare the tree of this numbering with `parameters`, which are in the order of the nodes."""
        latents, most = numbering.nodes - len(parameters.word), parameters.most_states
        n, m = len(parameters.word), len(latents)
        shape = Shape(
            word_parent=read_only(numbering.word_parent),
            parent=read_only(numbering.parent),
            states=read_only(np.append(parameters.states[latents], 1).astype(np.uint32)),
        )
        filled = Filled(
            log_wordless=np.zeros((m, most)),
            factor=aligned_zeros((n, most)),
            conditional=np.zeros((m, most, most)),
            rows=aligned_zeros((m, 2 * most, most)),
            power=aligned_zeros((m, most)),
        )
        word, latent = read_only(parameters.word), read_only(parameters.latent[latents])
        log_likelihood, guarded = fill_tables(shape, word, latent, filled)
        tables = Tables(
            states=(0,) * most,
            word_parent=shape.word_parent,
            factor=read_only(filled.factor),
            parent=shape.parent,
            depth=read_only(numbering.depth),
            start=read_only(numbering.start),
            own_states=shape.states[:m],
            rows=read_only(filled.rows),
            power=read_only(filled.power),
            guarded=guarded,
        )
        return cls(
            numbering=numbering,
            parameters=parameters,
            shape=shape,
            tables=tables,
            conditional=read_only(filled.conditional),
            log_wordless=filled.log_wordless,
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
        """New working memory of one thread, at rest: with no latent variable marked as active."""
        start = self.numbering.start
        scratch = aligned_zeros((self.n_latents + 1, 2 * self.most_states))
        scratch[:, 0] = 1.0
        # Allocated even if nothing is guarded: the memory may serve other parameters, which are.
        lift = aligned_zeros((self.n_latents + 1, self.most_states))
        # Kernels write to these small lists all the time: two threads must not share a cache line.
        lists = np.empty(int(start[-1]) + len(start) + 2 * _LINE, dtype=np.uint32)
        stop = lists[_LINE : _LINE + len(start)]
        stop[:] = start
        return Memory(scratch, lift, lists[2 * _LINE + len(start) :], stop)
