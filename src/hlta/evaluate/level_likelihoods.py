"""What each level of a tree contributes to the log-likelihood of documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import xlog1py, xlogy

from hlta._support.threads import on_threads
from hlta.documents.given_matrices import as_documents
from hlta.tree.truncation import truncate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hlta.tree.latent_tree import LatentTree


def level_likelihoods(
    tree: LatentTree, documents: Any, *, n_jobs: int | None = None
) -> NDArray[np.float64]:
    """Log-likelihood of the tree cut above each level, from independent words to the whole tree.

    The tree keeps its parameters: each difference of consecutive entries is what one level, or the
    links at the top, contribute.

    Parameters
    ----------
    tree
        The model.
    documents
        A matrix of documents by words, columns in the order of `tree.words`.
    n_jobs
        Threads; None for all processors.

    Returns
    -------
    NDArray[np.float64]
        Mean log P(document) under independent words (entry 0); under levels 1 to k, the latent
        variables of level k being independent (entry k); and under the whole tree, with the links
        between its top-level latent variables (the last entry).

    Raises
    ------
    DocumentsError
        If the documents are not a matrix with a column per word.
    """
    checked = as_documents(documents, tree.n_words)
    p = tree.marginals[: tree.n_words]
    present = checked.document_frequency
    absent = len(checked) - present
    independent = float((xlogy(present, p) + xlog1py(absent, -p)).sum()) / max(1, len(checked))
    first = int(tree.level[tree.n_words :].min())  # levels below it hold no latent variables
    trees = [truncate(tree, level) for level in range(first, len(tree.levels))]
    with on_threads(n_jobs):
        means = [one.log_likelihood(checked).mean() for one in (*trees, tree)]
    return np.array([*[independent] * first, *means])
