"""`LatentTree`: a tree of binary latent variables over binary words, as parallel arrays."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from hlta.errors import OptionError, TreeError
from hlta.tree.validation import (
    MAX_PROBABILITY,
    MIN_PROBABILITY,
    as_numbers,
    as_probabilities,
    breadth_first,
    check_levels,
    check_names,
    check_parents,
    check_regular,
    check_words,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from numpy.typing import ArrayLike, NDArray
    from scipy.sparse import csr_array

    from hlta.tree.counts import Counts
    from hlta.tree.numbering import Numbering
    from hlta.tree.posteriors import Posteriors


@dataclass(frozen=True, eq=False)
class LatentTree:
    """A latent tree model: words are the leaves, every other node is a binary latent variable.

    Nodes 0 .. n_words - 1 are the words, in the order of the columns of a document-word matrix; the
    latent variables follow in any order.

    Parameters
    ----------
    words
        The distinct names of the words.
    parent
        int (n_nodes,): the parent of each node, -1 for the root, which is a latent variable.
    level
        int (n_nodes,): 0 for words, from 1 upwards for latent variables. A parent is at the level
        of its latent child (a link, as between top-level latents) or above it.
    probability
        float (n_nodes, 2): P(node = 1 | parent = 0) and P(node = 1 | parent = 1), strictly between
        0 and 1. The root has no parent: its row holds P(root = 1) twice.
    latent_names
        Names of the latent variables; by default `Z<level>-<number within the level>`.
    allow_irregular
        A binary latent variable with fewer than three neighbours adds nothing to a model. Such a
        tree is refused, unless this is set.
    """

    words: tuple[str, ...]
    parent: NDArray[np.int32]
    level: NDArray[np.int32]
    probability: NDArray[np.float64]
    latent_names: tuple[str, ...] = ()
    allow_irregular: bool = field(default=False, kw_only=True)
    _order: NDArray[np.int32] = field(init=False, repr=False)  # latents, breadth-first

    def __post_init__(self) -> None:
        words = tuple(self.words)
        check_words(words)
        parent = as_numbers(self.parent, "parent")
        check_parents(parent, words)
        level = as_numbers(self.level, "level")
        if len(level) != len(parent):
            raise TreeError(
                f"level has {len(level)} entries, parent has {len(parent)}; give one a node"
            )
        names = tuple(self.latent_names) or _default_names(level[len(words) :])
        check_names(names, words, len(parent) - len(words))
        name_of = (*words, *names).__getitem__
        order = breadth_first(parent, len(words), name_of)
        check_levels(level, parent, len(words), name_of)
        if not self.allow_irregular:
            check_regular(parent, len(words), name_of)
        probability = as_probabilities(self.probability, parent, name_of)
        for array in (parent, level, probability, order):
            array.setflags(write=False)
        for attribute, value in (
            ("words", words),
            ("parent", parent),
            ("level", level),
            ("probability", probability),
            ("latent_names", names),
            ("_order", order),
        ):
            object.__setattr__(self, attribute, value)

    # ---- shape -------------------------------------------------------------------------------

    @property
    def n_words(self) -> int:
        """Number of words, the observed variables."""
        return len(self.words)

    @property
    def n_latents(self) -> int:
        """Number of latent variables."""
        return len(self.latent_names)

    @property
    def n_nodes(self) -> int:
        """Number of words and latent variables."""
        return len(self.parent)

    @property
    def n_parameters(self) -> int:
        """Free parameters: two a node, one for the root."""
        return 2 * self.n_nodes - 1

    @property
    def root(self) -> int:
        """The node without a parent."""
        return int(self._order[0])

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all nodes."""
        return self.words + self.latent_names

    @cached_property
    def levels(self) -> tuple[NDArray[np.intp], ...]:
        """The nodes of each level: `levels[0]` are the words, `levels[-1]` the top-level latents."""
        return tuple(np.flatnonzero(self.level == k) for k in range(int(self.level.max()) + 1))

    @cached_property
    def children(self) -> tuple[NDArray[np.intp], ...]:
        """The children of each node, ascending."""
        order = np.argsort(self.parent, kind="stable")
        bounds = np.searchsorted(self.parent[order], np.arange(self.n_nodes + 1))
        return tuple(order[a:b] for a, b in pairwise(bounds))

    def __repr__(self) -> str:
        widths = "/".join(str(len(nodes)) for nodes in self.levels[1:])
        return f"LatentTree({self.n_words:,} words, latents per level {widths})"

    def __eq__(self, other: object) -> bool:
        """Same words, names, structure and parameters, bit for bit."""
        if not isinstance(other, LatentTree):
            return NotImplemented
        return (
            self.words == other.words
            and self.latent_names == other.latent_names
            and np.array_equal(self.parent, other.parent)
            and np.array_equal(self.level, other.level)
            and np.array_equal(self.probability, other.probability)
        )

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def _numbering(self) -> Numbering:
        from hlta.tree.numbering import Numbering

        return Numbering.of(self)

    # ---- the distribution --------------------------------------------------------------------

    @cached_property
    def marginals(self) -> NDArray[np.float64]:
        """P(node = 1) of every node."""
        marginal = np.empty(self.n_nodes)
        numbering = self._numbering
        for layer in numbering.layers():
            nodes = numbering.nodes[layer]
            above = marginal[self.parent[nodes]] if nodes[0] != self.root else 0.0
            marginal[nodes] = _mixed(self.probability[nodes], above)
        leaves = slice(0, self.n_words)
        marginal[leaves] = _mixed(self.probability[leaves], marginal[self.parent[leaves]])
        marginal.setflags(write=False)
        return marginal

    def log_likelihood(self, documents: Any, *, n_jobs: int | None = None) -> NDArray[np.float64]:
        """Log P(d) of each document, natural logarithm, columns in the order of `words`."""
        from hlta.tree import counts

        return counts.log_likelihood(self, documents, n_jobs=n_jobs)

    def posteriors(self, documents: Any, *, n_jobs: int | None = None) -> Posteriors:
        """P(latent = 1 | document) of every latent variable; explicit only where words are present."""
        from hlta.tree import posteriors

        return posteriors.posteriors(self, documents, n_jobs=n_jobs)

    def hard_assignment(self, documents: Any, *, n_jobs: int | None = None) -> csr_array:
        """The likelier state of every latent variable for every document, ties to state 0.

        A sparse 0/1 matrix of documents by latent variables, in the order of `latent_names`.
        """
        from hlta.tree import posteriors

        return posteriors.hard_assignment(self, documents, n_jobs=n_jobs)

    def expected_counts(self, documents: Any, *, n_jobs: int | None = None) -> Counts:
        """Expected number of documents in each state of each node and its parent (the E-step)."""
        from hlta.tree import counts

        return counts.expected_counts(self, documents, n_jobs=n_jobs)

    def sample(
        self, n: int, seed: int | np.random.Generator | None = None, *, n_jobs: int | None = None
    ) -> csr_array:
        """Draw `n` documents: a sparse 0/1 matrix, the same for a seed and any number of threads."""
        from hlta.tree import sampling

        return sampling.sample(self, n, seed, n_jobs=n_jobs)

    # ---- relatives ---------------------------------------------------------------------------

    def with_probability(self, probability: ArrayLike) -> LatentTree:
        """The same tree with other parameters."""
        tree = replace(self, probability=probability)  # type: ignore[arg-type]
        for cached in ("_numbering", "levels", "children"):
            if cached in self.__dict__:
                tree.__dict__[cached] = self.__dict__[cached]
        return tree

    def swap_states(self, latents: NDArray[np.intp]) -> LatentTree:
        """The same distribution with states 0 and 1 of the given latent variables, nodes, exchanged."""
        swapped = np.zeros(self.n_nodes + 1, dtype=bool)  # the last entry stands for no parent
        swapped[latents] = True
        probability = self.probability.copy()
        turned = swapped[:-1]
        # 1 - p may round to 1 or fall below the least parameter that is allowed.
        probability[turned] = np.clip(1.0 - probability[turned], MIN_PROBABILITY, MAX_PROBABILITY)
        below = swapped[self.parent]
        probability[below] = probability[below, ::-1]
        return self.with_probability(probability)

    def with_words(self, words: Sequence[str]) -> LatentTree:
        """The same model with its words in another order, that of the columns of a matrix."""
        wanted = tuple(words)
        place = {word: number for number, word in enumerate(self.words)}
        odd = next((w for w in wanted if w not in place), None)
        if odd is not None:
            raise TreeError(f"words: {odd!r} is not a word of this tree")
        if len(wanted) != self.n_words or len(set(wanted)) != self.n_words:
            raise TreeError(
                f"words: {len(set(wanted)):,} distinct words given, the tree has {self.n_words:,}; "
                "give each of them once"
            )
        order = np.concatenate(
            ([place[word] for word in wanted], np.arange(self.n_words, self.n_nodes))
        ).astype(np.int32)
        return replace(
            self,
            words=wanted,
            parent=self.parent[order],
            level=self.level[order],
            probability=self.probability[order],
        )

    def reroot(self, latent: int) -> LatentTree:
        """The same distribution with another top-level latent variable, a node number, as the root."""
        if not self.n_words <= latent < self.n_nodes:
            raise OptionError(
                f"latent={latent}: the latent variables are nodes {self.n_words} to {self.n_nodes - 1}"
            )
        if self.level[latent] != self.level.max():
            raise OptionError(
                f"latent={latent}: {self.names[latent]!r} is at level {self.level[latent]}; "
                f"the root must be at the top, level {self.level.max()}"
            )
        parent, probability = self.parent.copy(), self.probability.copy()
        path = [latent]
        while path[-1] != self.root:
            path.append(int(self.parent[path[-1]]))
        for lower, upper in pairwise(path):
            # Bayes: P(upper = 1 | lower = k), with P(upper) as it was before any edge turned.
            prior = self.marginals[upper]
            one = prior * self.probability[lower, 1]
            zero = (1.0 - prior) * self.probability[lower, 0]
            one_absent = prior * (1.0 - self.probability[lower, 1])
            zero_absent = (1.0 - prior) * (1.0 - self.probability[lower, 0])
            parent[upper] = lower
            probability[upper] = (one_absent / (one_absent + zero_absent), one / (one + zero))
        parent[latent] = -1
        probability[latent] = self.marginals[latent]
        return replace(
            self,
            parent=parent,
            probability=np.clip(probability, MIN_PROBABILITY, MAX_PROBABILITY),
        )

    # ---- files -------------------------------------------------------------------------------

    def save(self, path: str | PathLike[str]) -> None:
        """Write the tree to a file, which is replaced as a whole or not at all."""
        from hlta.tree import model_file as storage

        storage.save_tree(self, path)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> LatentTree:
        """Read a tree that `save` wrote."""
        from hlta.tree import model_file as storage

        return storage.load_tree(path)

    def to_bif(self, path: str | PathLike[str]) -> None:
        """Write the tree in the interchange format of the authors' program."""
        from hlta.tree import bif

        bif.write_bif(self, path)

    @classmethod
    def from_bif(cls, path: str | PathLike[str], *, allow_irregular: bool = False) -> LatentTree:
        """Read a model of the authors' program, or one that `to_bif` wrote."""
        from hlta.tree import bif

        return bif.read_bif(path, allow_irregular=allow_irregular)


def _mixed(probability: NDArray[np.float64], above: Any) -> NDArray[np.float64]:
    mixed: NDArray[np.float64] = probability[:, 0] * (1.0 - above) + probability[:, 1] * above
    return mixed


def _default_names(level: NDArray[np.int32]) -> tuple[str, ...]:
    counts: Counter[int] = Counter()
    names = []
    for k in level.tolist():
        counts[k] += 1
        names.append(f"Z{k}-{counts[k]}")
    return tuple(names)
