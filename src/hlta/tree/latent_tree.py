"""`LatentTree`: a tree of latent variables over binary words, as parallel arrays."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hlta._support.threads import on_threads
from hlta.errors import FormatError, TreeError
from hlta.tree.bif import read_bif, write_bif
from hlta.tree.model_file import TREE, read_tree, save_tree
from hlta.tree.numbering import Numbering
from hlta.tree.parameters import (
    Parameters,
    as_parameters,
    binary_table,
    count_parameters,
    state_marginals,
)
from hlta.tree.validation import TreeFields, check_shape

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from os import PathLike

    from numpy.typing import ArrayLike, NDArray
    from scipy.sparse import csr_array

    from hlta.documents.matrix import Documents
    from hlta.tree.inference import Inference
    from hlta.tree.posteriors import Posteriors

AT_ONCE: Final = 1 << 23  # posterior probabilities of states in memory at a time
_OF_SHAPE: Final = {
    *("words", "parent", "level", "latent_names", "allow_irregular", "_order"),
    *("numbering", "levels", "children"),
}
"""The fields and cached properties of a tree that do not depend on its parameters."""


class Portion(NamedTuple):
    """Consecutive documents and their posteriors.

    first      int: the number of the first document
    documents  Documents: the documents
    on         float64 (documents, n_latents): P(latent variable on | document)
    """

    first: int
    documents: Documents
    on: NDArray[np.float64]


@dataclass(frozen=True, eq=False, init=False)
class LatentTree:
    """A latent tree model: words are the leaves, every other node is a latent variable.

    A word is present or absent. A latent variable has two states or more: state 0, or the first few,
    are the background, and in the others it is *on*. Nodes 0 .. n_words - 1 are the words, in the
    order of the columns of a document-word matrix; the latent variables follow in any order. A tree
    is immutable: its arrays are read-only copies.

    Parameters
    ----------
    words
        Distinct names of the words.
    parent
        int (n_nodes,): the parent of each node, -1 for the root, which is a latent variable.
    level
        int (n_nodes,): 0 for words, 1 to 100 for latent variables. A parent is at a higher level
        than its child, or at the same level as a latent child (a link, as between top-level latent
        variables).
    probability
        With two states everywhere, float (n_nodes, 2): P(node = 1 | parent = 0) and
        P(node = 1 | parent = 1), strictly between 0 and 1. The root has no parent: its row holds
        P(root = 1) twice. With more states, `Parameters`.
    latent_names
        Distinct names of the latent variables; by default `Z<level>-<number within the level>`.
    allow_irregular
        Whether latent variables may have fewer than three neighbours. By default they may not,
        because a smaller tree could represent the same distribution.

    Attributes
    ----------
    parameters : Parameters
        P(node | parent) of every node, for any number of states.

    Raises
    ------
    TreeError
        If the arguments do not describe a tree; the message names the node.

    Examples
    --------
    >>> tree = LatentTree(
    ...     words=("nasa", "orbit", "launch"),
    ...     parent=[3, 3, 3, -1],
    ...     level=[0, 0, 0, 1],
    ...     probability=[[0.1, 0.6], [0.1, 0.6], [0.2, 0.5], [0.3, 0.3]],
    ... )
    >>> tree.marginals
    array([0.25, 0.25, 0.29, 0.3 ])
    """

    words: tuple[str, ...]
    parent: NDArray[np.int32]
    level: NDArray[np.int32]
    parameters: Parameters
    latent_names: tuple[str, ...]
    allow_irregular: bool
    _order: NDArray[np.int32] = field(init=False, repr=False)  # latents, breadth-first

    def __init__(
        self,
        words: Sequence[str],
        parent: ArrayLike,
        level: ArrayLike,
        probability: ArrayLike | Parameters,
        latent_names: Sequence[str] = (),
        *,
        allow_irregular: bool = False,
    ) -> None:
        fields = check_shape(words, parent, level, latent_names, allow_irregular=allow_irregular)
        name_of = (*fields["words"], *fields["latent_names"]).__getitem__
        parameters = as_parameters(probability, fields["parent"], len(fields["words"]), name_of)
        fields["parameters"] = parameters
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        for array in (self.parent, self.level, self._order, *parameters):
            array.setflags(write=False)

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
        """Number of free parameters."""
        return count_parameters(self.parameters.states, self.parent)

    @cached_property
    def probability(self) -> NDArray[np.float64]:
        """P(node = 1 | parent = j), float64 (n_nodes, 2), of a tree with two states everywhere.

        Raises
        ------
        TreeError
            If a latent variable has more than two states.
        """
        table = binary_table(self.parameters)
        table.setflags(write=False)
        return table

    @property
    def root(self) -> int:
        """The node without a parent."""
        return int(self._order[0])

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all nodes: the words, then the latent variables."""
        return self.words + self.latent_names

    @cached_property
    def levels(self) -> tuple[NDArray[np.intp], ...]:
        """The nodes of each level, ascending: `levels[0]` are the words, `levels[-1]` the top."""
        return tuple(np.flatnonzero(self.level == k) for k in range(int(self.level.max()) + 1))

    @cached_property
    def children(self) -> tuple[NDArray[np.intp], ...]:
        """The children of each node, ascending; words have none."""
        order = np.argsort(self.parent, kind="stable")
        bounds = np.searchsorted(self.parent[order], np.arange(self.n_nodes + 1))
        return tuple(order[a:b] for a, b in pairwise(bounds))

    def __repr__(self) -> str:
        widths = "/".join(str(len(nodes)) for nodes in self.levels[1:])
        return f"LatentTree({self.n_words:,} words, latents per level {widths})"

    def __eq__(self, other: object) -> bool:
        """Whether words, names, structure and parameters are the same, bit for bit."""
        if not isinstance(other, LatentTree):
            return NotImplemented
        same_names = self.words == other.words and self.latent_names == other.latent_names
        mine: tuple[NDArray[Any], ...] = (self.parent, self.level, *self.parameters)
        others: tuple[NDArray[Any], ...] = (other.parent, other.level, *other.parameters)
        return same_names and all(map(np.array_equal, mine, others))

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def numbering(self) -> Numbering:
        """The latent variables in the order in which the kernels visit them."""
        return Numbering.of(self.parent, self._order)

    @property
    def fields(self) -> TreeFields:
        """The arguments that construct this tree."""
        return TreeFields(
            words=self.words,
            parent=self.parent,
            level=self.level,
            probability=self.parameters,
            latent_names=self.latent_names,
            allow_irregular=self.allow_irregular,
        )

    def inference(self) -> Inference:
        """Prepare the tree for passes over documents."""
        from hlta.tree.inference import Inference

        return Inference.under(self.numbering, self.parameters)

    @cached_property
    def marginals(self) -> NDArray[np.float64]:
        """P(word present) and P(latent variable on) of every node, float64 (n_nodes,)."""
        states, is_on = self.state_marginals, self.parameters.is_on
        above = states[self.parent[: self.n_words] - self.n_words]
        words = (self.parameters.word * above).sum(axis=1)
        marginal = np.concatenate((words, np.where(is_on, states, 0.0).sum(axis=1)))
        marginal.setflags(write=False)
        return marginal

    @cached_property
    def state_marginals(self) -> NDArray[np.float64]:
        """P(latent variable in state k), float64 (n_latents, K)."""
        return state_marginals(self.parameters, self.numbering)

    def with_probability(self, probability: ArrayLike | Parameters) -> LatentTree:
        """Return the same tree with other parameters.

        Parameters
        ----------
        probability
            As in the constructor.
        """
        parameters = as_parameters(probability, self.parent, self.n_words, self.names.__getitem__)
        for array in parameters:
            array.setflags(write=False)
        tree = object.__new__(LatentTree)  # its shape has been checked
        shape = {name: value for name, value in vars(self).items() if name in _OF_SHAPE}
        tree.__dict__.update(shape, parameters=parameters)
        return tree

    def with_words(self, words: Sequence[str]) -> LatentTree:
        """Return the same model with its words in another order, such as that of a matrix's columns.

        Parameters
        ----------
        words
            All words of the tree, each once.

        Raises
        ------
        TreeError
            If these are not exactly the words of the tree.
        """
        number = {word: node for node, word in enumerate(self.words)}
        unknown = next((word for word in words if word not in number), None)
        if unknown is not None:
            raise TreeError(f"words: {unknown!r} is not a word of this tree")
        if len(words) != self.n_words or len(set(words)) != self.n_words:
            raise TreeError(
                f"words: {len(set(words)):,} distinct words given, but the tree has "
                f"{self.n_words:,}; give each of them once"
            )
        latents = np.arange(self.n_words, self.n_nodes)
        order = np.concatenate(([number[word] for word in words], latents)).astype(np.int32)
        parameters = self.parameters._replace(word=self.parameters.word[order[: self.n_words]])
        arrays = self.parent[order], self.level[order], parameters
        names = self.latent_names
        return LatentTree(words, *arrays, names, allow_irregular=self.allow_irregular)

    def log_likelihood(self, documents: Any, *, n_jobs: int | None = None) -> NDArray[np.float64]:
        """Compute log P(document), natural logarithm, of each document.

        Parameters
        ----------
        documents
            A matrix of documents by words, sparse or dense, columns in the order of `words`.
            Entries other than 0 mean that the word is present.
        n_jobs
            Number of threads; None for all processors. The result does not depend on it.

        Returns
        -------
        float64 (n_documents,)

        Raises
        ------
        DocumentsError
            If the matrix does not fit the tree.
        """
        from hlta.tree import counts

        with on_threads(n_jobs):
            return counts.log_likelihood(self.inference(), documents)

    def posteriors(self, documents: Any, *, n_jobs: int | None = None) -> Posteriors:
        """Compute P(latent variable = k | document) of every latent variable for every document.

        Parameters
        ----------
        documents, n_jobs
            As in `log_likelihood`.

        Returns
        -------
        Posteriors
            A sparse form; `.dense()` gives the matrix of P(on | document), `.states()` all states.
        """
        from hlta.tree.posteriors import infer_posteriors

        with on_threads(n_jobs):
            return infer_posteriors(self.inference(), documents)

    def dense_posteriors(
        self, documents: Documents, *, n_jobs: int | None = None
    ) -> Iterator[Portion]:
        """Compute dense posteriors of a few documents at a time, to save memory.

        How many at a time depends on the tree alone, so sums over them have the same bits for any
        number of threads.

        Parameters
        ----------
        documents
            Documents over the words of the tree.
        n_jobs
            As in `log_likelihood`.

        Yields
        ------
        Portion
        """
        from hlta.tree.posteriors import infer_posteriors

        inference = self.inference()
        for first, part in documents.chunks(AT_ONCE // self.state_marginals.size):
            with on_threads(n_jobs):
                found = infer_posteriors(inference, part)
            yield Portion(first, part, found.dense())

    def hard_assignment(self, documents: Any, *, n_jobs: int | None = None) -> csr_array:
        """Find the likeliest state of every latent variable for every document, ties to the lowest.

        Parameters
        ----------
        documents, n_jobs
            As in `log_likelihood`.

        Returns
        -------
        csr_array (n_documents, n_latents)
        """
        from hlta.tree import posteriors

        with on_threads(n_jobs):
            return posteriors.hard_assignment(self.inference(), documents)

    def sample(
        self, n: int, seed: int | np.random.Generator | None = None, *, n_jobs: int | None = None
    ) -> csr_array:
        """Draw documents from the distribution, as a sparse 0/1 matrix.

        Parameters
        ----------
        n
            Number of documents; the sum of documents and their words may be some 270 million.
        seed
            The same seed gives the same documents for any `n_jobs`; None gives others every time.
        n_jobs
            Number of threads; None for all processors.

        Returns
        -------
        csr_array (n, n_words)
        """
        from hlta.tree import sampling

        mean_length = float(self.marginals[: self.n_words].sum())
        with on_threads(n_jobs):
            return sampling.sample(self.inference(), n, seed, mean_length=mean_length)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the tree to a file, which is replaced as a whole or not at all.

        Parameters
        ----------
        path
            The file.
        """
        save_tree(self.fields, path)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> LatentTree:
        """Read a tree that `save` wrote.

        Parameters
        ----------
        path
            The file.
        """
        saved = read_tree(path, TREE)
        return tree_from_file(saved.fields, saved.refusal)

    def to_bif(self, path: str | PathLike[str]) -> None:
        """Write the tree in BIF, the interchange format of the authors' program.

        Parameters
        ----------
        path
            The file.
        """
        write_bif(self.fields, path)

    @classmethod
    def from_bif(cls, path: str | PathLike[str], *, allow_irregular: bool = False) -> LatentTree:
        """Read a model of the authors' program, or one that `to_bif` wrote.

        Parameters
        ----------
        path
            The file, in UTF-8. Its leaves are the words, in the order of the file.
        allow_irregular
            Whether latent variables may have fewer than three neighbours.

        Raises
        ------
        FormatError
            If the file is not BIF, or does not hold a tree whose leaves are binary.

        Warns
        -----
        ClippedProbabilityWarning
            If probabilities of 0 or 1 were moved inside (0, 1).
        """
        fields = read_bif(path)._replace(allow_irregular=allow_irregular)
        return tree_from_file(fields, os.fspath(path))


def tree_from_file(fields: TreeFields, refusal: str) -> LatentTree:
    """Construct the tree that a file holds; `refusal` begins the error message if it is invalid."""
    try:
        return LatentTree(**fields._asdict())
    except TreeError as error:
        raise FormatError(f"{refusal}: {error}") from error
