"""What each level of a tree contributes to the log-likelihood of documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import xlog1py, xlogy

from hlta.documents.matrix import as_documents
from hlta.tree.truncation import truncated

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

    Examples
    --------
    >>> from hlta import LatentTree
    >>> from hlta.evaluate import level_likelihoods
    >>> probability = [[0.1, 0.6], [0.1, 0.8], [0.1, 0.7], [0.3, 0.3]]
    >>> tree = LatentTree(("deep", "neural", "net"), [3, 3, 3, -1], [0, 0, 0, 1], probability)
    >>> level_likelihoods(tree, [[1, 1, 1], [0, 0, 0], [0, 0, 0]]).round(3)
    array([-1.935, -1.202, -1.202])
    """
    checked = as_documents(documents, tree.n_words)
    p = tree.marginals[: tree.n_words]
    present = checked.document_frequency
    absent = len(checked) - present
    independent = float((xlogy(present, p) + xlog1py(absent, -p)).sum()) / max(1, len(checked))
    trees = [truncated(tree, level) for level in range(1, len(tree.levels))]
    means = [one.log_likelihood(checked, n_jobs=n_jobs).mean() for one in (*trees, tree)]
    return np.array([independent, *means])
