"""What a tree says of documents: likelihoods, posteriors, expected counts, samples."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hlta._support.threads import on_threads

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from hlta.documents.matrix import Documents
    from hlta.tree.inference import Inference
    from hlta.tree.posteriors import Posteriors


AT_ONCE: Final = 1 << 23  # probabilities of states in memory at a time


class Portion(NamedTuple):
    """Some documents, and what a tree says of them.

    first      int: the number of the first one
    documents  Documents: consecutive ones
    on         float64 (documents, n_latents): P(latent variable on | document)
    """

    first: int
    documents: Documents
    on: NDArray[np.float64]


class DocumentQueries:
    """The methods of a tree that pass over documents; all of them rest on `inference`."""

    words: tuple[str, ...]

    @cached_property
    @abstractmethod
    def marginals(self) -> NDArray[np.float64]:
        """P(word present) and P(latent variable on)."""

    @cached_property
    @abstractmethod
    def state_marginals(self) -> NDArray[np.float64]:
        """P(latent variable = k)."""

    @abstractmethod
    def inference(self) -> Inference:
        """Prepare the tree for passes over documents."""

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
        from hlta.tree.posteriors import posteriors

        with on_threads(n_jobs):
            return posteriors(self.inference(), documents)

    def portions(self, documents: Documents, *, n_jobs: int | None = None) -> Iterator[Portion]:
        """Compute dense posteriors of some documents at a time, so that they take little memory.

        How many at a time depends on the tree alone: sums over them have the same bits for any
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
        from hlta.tree.posteriors import posteriors

        inference = self.inference()
        for first, part in documents.chunks(AT_ONCE // self.state_marginals.size):
            with on_threads(n_jobs):
                found = posteriors(inference, part)
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
            Number of documents; documents and their words may be some 270 million together.
        seed
            The same seed gives the same documents for any `n_jobs`; None draws others every time.
        n_jobs
            Number of threads; None for all processors.

        Returns
        -------
        csr_array (n, n_words)
        """
        from hlta.tree import sampling

        mean_length = float(self.marginals[: len(self.words)].sum())
        with on_threads(n_jobs):
            return sampling.sample(self.inference(), n, seed, mean_length=mean_length)
