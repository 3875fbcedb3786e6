"""EM for the parameters of a given tree: batch and stepwise, on the same pass over documents."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hlta._support.checks import check_real, check_seed, check_whole
from hlta._support.threads import on_threads
from hlta.documents.given_matrices import as_documents
from hlta.errors import TreeError
from hlta.learning.checkpoint import NOTHING_KEPT, Checkpoint, are_floats, damage
from hlta.options import EMOptions
from hlta.tree.counts import e_step
from hlta.tree.inference import Inference
from hlta.tree.parameters import Parameters, bound_estimate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hlta._support.arrays import Floats, Indices, Ints32
    from hlta.documents.matrix import Documents
    from hlta.tree.latent_tree import LatentTree

PSEUDO_COUNT: Final = 0.1
"""Documents added to every expected count, see `batch_em`."""

SHRINKAGE: Final = 3.0
"""Documents added that contain each word as often as all documents do, see `batch_em`."""

_STATE: Final = "EM"


@dataclass(frozen=True)
class EMResult:
    """The result of a run of EM.

    Attributes
    ----------
    tree
        The tree with its new parameters.
    log_likelihoods
        Mean log P(d) in each step, under the parameters at its start: over all documents in batch
        EM, over the minibatch in stepwise EM.
    """

    tree: LatentTree
    log_likelihoods: tuple[float, ...]


class Prior(NamedTuple):
    """Documents added to the expected counts."""

    word: Floats  # (n_words, 2): that lack and that contain the word, per parent state
    latent: Floats  # (n_latents,): in each state of the variable, per parent state
    row: float  # per parent state, spread over the variable's states as all documents are


def prior_counts(
    states: Ints32,
    documents: Documents,
    pseudo_count: float,
    shrinkage: float,
    state_shrinkage: float = 0.0,
) -> Prior:
    """The prior that `batch_em` describes, for latent variables with these numbers of states."""
    share = documents.document_frequency / len(documents)
    return prior_of(states, share, pseudo_count, shrinkage, state_shrinkage)


def prior_of(
    states: Ints32, share: Floats, pseudo_count: float, shrinkage: float, state_shrinkage: float
) -> Prior:
    """The same from the share of all documents that contain each word, float64 (n_words,)."""
    word = pseudo_count + shrinkage * np.column_stack((1.0 - share, share))
    # A whole row weighs the same however many states there are.
    return Prior(word, 2.0 * pseudo_count / states, state_shrinkage)


def maximise(word: Floats, latent: Floats, previous: Parameters, prior: Prior) -> Parameters:
    """The M-step: P(node | parent) from expected counts, see `Counts`, and those of the prior.

    A parent state without any counts keeps its parameters: there is nothing to estimate them from.
    """
    total = word.sum(axis=2) + prior.word.sum(axis=1)[:, None]
    is_known = (total > 0.0) & (previous.word > 0.0)
    present = word[:, :, 1] + prior.word[:, 1:]
    share = np.divide(present, total, out=np.zeros_like(present), where=is_known)
    words = np.where(is_known, bound_estimate(share), previous.word)
    # Unlike sum, cumsum adds one by one, so that the padding of states does not change the bits.
    has_state, whole = previous.has_state[:, None], latent.reshape(len(latent), -1)
    whole = whole.cumsum(axis=1)[:, -1]
    spread = np.divide(prior.row, whole, out=np.zeros_like(whole), where=whole > 0.0)
    spread_out = spread[:, None] * latent.cumsum(axis=1)[:, -1]
    found = latent + prior.latent[:, None, None] + spread_out[:, None]
    found = np.where(has_state, found, 0.0)
    total = found.cumsum(axis=2)[:, :, -1:]
    is_known = (total > 0.0) & (previous.latent[:, :, :1] > 0.0)
    share = np.divide(found, total, out=np.zeros_like(found), where=is_known)
    rows = np.where(has_state, bound_estimate(share), 0.0)
    if previous.most_states > 2:
        rows /= rows.cumsum(axis=2)[:, :, -1:]
    return previous._replace(word=words, latent=np.where(is_known, rows, previous.latent))


def batch_em(
    tree: LatentTree,
    documents: Any,
    *,
    steps: int = EMOptions.em_steps,
    pseudo_count: float = PSEUDO_COUNT,
    shrinkage: float = SHRINKAGE,
    state_shrinkage: float = 0.0,
    n_jobs: int | None = None,
    on_step: Callable[[int, float], None] | None = None,
    checkpoint: Checkpoint = NOTHING_KEPT,
) -> EMResult:
    """Batch EM: every step visits all documents, then re-estimates all parameters.

    Parameters
    ----------
    tree
        The starting point.
    documents
        A matrix of documents by words, columns in the order of `tree.words`.
    steps
        Number of steps (the paper's kappa).
    pseudo_count
        Documents added to the expected count of each state of a node, per state of its parent. Of
        K states each gets 2 / K times as many, so that a whole row weighs the same for any K.
    shrinkage
        Documents added for each state of a word's parent that contain the word as often as all
        documents do, so that a word is not ruled out because the few documents on a topic lack it
        by chance. With `pseudo_count` and `shrinkage` 0, EM maximises the likelihood as in the
        paper, and the log-likelihood never falls; otherwise, with `state_shrinkage` 0, the
        likelihood times Beta priors (Dirichlet priors, for more than two states) never falls.
    state_shrinkage
        Documents added for each state of a latent variable's parent, spread over the variable's
        own states as all documents are. They steady the many rows of variables with many states.
        Each step estimates that spread anew, so no objective is guaranteed to rise.
    n_jobs
        Threads; None for all processors. The result does not depend on it.
    on_step
        Called after each step with its number, from 1, and its mean log-likelihood.
    checkpoint
        Keeps the state after each step, so that a stopped run can resume; by default, none is kept.

    Returns
    -------
    EMResult

    Raises
    ------
    OptionError
        If an argument is outside its range.
    DocumentsError
        If the documents cannot be used.

    Examples
    --------
    >>> from hlta import LatentTree, batch_em
    >>> words = ("game", "team", "space", "nasa")
    >>> tree = LatentTree(words, [4, 4, 4, 4, -1], [0, 0, 0, 0, 1], [[0.3, 0.6]] * 4 + [[0.5, 0.5]])
    >>> result = batch_em(tree, [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1]], steps=5)
    >>> len(result.log_likelihoods)
    5
    """
    steps = check_whole("steps", steps, least=0)
    _check_prior(pseudo_count, shrinkage, state_shrinkage)
    checked = as_documents(documents, tree.n_words)
    seen, parameters = _resume(checkpoint, tree, on_step)
    prior = prior_counts(parameters.states, checked, pseudo_count, shrinkage, state_shrinkage)
    for step in range(len(seen), steps):
        inference = Inference.under(tree.numbering, parameters)
        with on_threads(n_jobs):
            counts = e_step(inference, checked)
        seen = (*seen, counts.log_likelihood / len(checked))
        if on_step is not None:
            on_step(step + 1, seen[-1])
        parameters = maximise(counts.word, counts.latent, parameters, prior)
        checkpoint.keep(_STATE, (seen, parameters))
    return EMResult(tree.with_probability(parameters), seen)


def stepwise_em(
    tree: LatentTree,
    documents: Any,
    *,
    batch_size: int = EMOptions.batch_size,
    exponent: float = EMOptions.step_exponent,
    updates: int = EMOptions.em_updates,
    pseudo_count: float = PSEUDO_COUNT,
    shrinkage: float = SHRINKAGE,
    state_shrinkage: float = 0.0,
    seed: int | np.random.Generator | None = None,
    n_jobs: int | None = None,
    on_step: Callable[[int, float], None] | None = None,
    checkpoint: Checkpoint = NOTHING_KEPT,
) -> EMResult:
    """Stepwise EM: the parameters change after every minibatch, so few passes are enough.

    The counts start at 0 and move towards those of minibatch u = 1, 2, ... by the step size
    (u + 2)**-exponent. Every epoch shuffles the documents and cuts all of them into minibatches
    whose sizes differ by at most one document.

    Parameters
    ----------
    tree, documents, n_jobs, on_step, checkpoint
        As in `batch_em`.
    batch_size
        Approximate number of documents per minibatch; all documents if there are fewer.
    exponent
        The paper's alpha: 0.5 to 1 to converge; 0 forgets all earlier minibatches.
    updates
        Number of minibatches.
    pseudo_count, shrinkage, state_shrinkage
        As in `batch_em`: documents added to all documents, scaled down for each minibatch.
    seed
        Determines the minibatches.

    Returns
    -------
    EMResult

    Raises
    ------
    OptionError
        If an argument is outside its range.
    DocumentsError
        If the documents cannot be used.
    """
    batch_size = check_whole("batch_size", batch_size, least=1)
    _check_prior(pseudo_count, shrinkage, state_shrinkage)
    hint = "0.5 to 1 converges, 0 forgets the past"
    check_real("exponent", exponent, least=0.0, most=1.0, hint=hint)
    checked = as_documents(documents, tree.n_words)
    batches = max(1, round(len(checked) / batch_size))
    updates = check_whole("updates", updates, least=0)
    check_seed(seed)

    shapes = (*tree.parameters.word.shape, 2), tree.parameters.latent.shape
    # `weight` is the sum of the minibatches' weights in the counts, which start at 0: at most 1.
    start = (np.zeros(shape) for shape in shapes)
    seen, parameters, word, latent, weight = _resume(checkpoint, tree, on_step, *start, 0.0)
    prior = prior_counts(parameters.states, checked, pseudo_count, shrinkage, state_shrinkage)
    shuffled = _minibatches(len(checked), batches, np.random.default_rng(seed))
    for update, rows in enumerate(islice(shuffled, len(seen), updates), start=len(seen) + 1):
        minibatch = checked.take(rows)
        inference = Inference.under(tree.numbering, parameters)
        with on_threads(n_jobs):
            counts = e_step(inference, minibatch)
        seen = (*seen, counts.log_likelihood / len(minibatch))
        stepsize = (update + 2.0) ** -exponent
        word = (1.0 - stepsize) * word + stepsize / len(minibatch) * counts.word
        latent = (1.0 - stepsize) * latent + stepsize / len(minibatch) * counts.latent
        weight = (1.0 - stepsize) * weight + stepsize
        # The scale of the counts cancels in the M-step if the prior counts share it.
        scaled = Prior(*(documents_added * weight / len(checked) for documents_added in prior))
        parameters = maximise(word, latent, parameters, scaled)
        checkpoint.keep(_STATE, (seen, parameters, word, latent, weight))
        if on_step is not None:
            on_step(update, seen[-1])
    return EMResult(tree.with_probability(parameters), seen)


def _minibatches(n_documents: int, batches: int, rng: np.random.Generator) -> Iterator[Indices]:
    """The row numbers of each minibatch, without end."""
    while True:
        for rows in np.array_split(rng.permutation(n_documents), batches):
            # Rows in ascending order are read sequentially; a minibatch has no order of its own.
            yield np.sort(rows)


def _resume(
    checkpoint: Checkpoint,
    tree: LatentTree,
    on_step: Callable[[int, float], None] | None,
    *start: Floats | float,
) -> tuple[Any, ...]:
    """The kept or initial log-likelihoods, parameters and counts; kept log-likelihoods are reported."""
    kept = checkpoint.get(_STATE)
    if kept is None:
        return (), tree.parameters, *start
    if not isinstance(kept, tuple) or len(kept) != len(start) + 2:
        raise damage(_STATE)
    seen, parameters, *counts = kept
    are_numbers = isinstance(seen, tuple) and all(isinstance(one, float) for one in seen)
    are_parameters = isinstance(parameters, tuple) and len(parameters) == len(Parameters._fields)
    if not (are_numbers and are_parameters and all(map(_are_like, start, counts))):
        raise damage(_STATE)
    parameters = Parameters(*parameters)
    try:
        tree.with_probability(parameters)  # a check only: its copy would be rounded
    except TreeError:
        raise damage(_STATE) from None
    if on_step is not None:
        for step, log_likelihood in enumerate(seen, start=1):
            on_step(step, log_likelihood)
    return seen, parameters, *counts


def _are_like(first: Floats | float, kept: Any) -> bool:
    """Whether kept counts, or a kept weight, are valid and have the shape of the initial ones."""
    if isinstance(first, float):
        return isinstance(kept, float) and 0.0 <= kept <= 1.0
    return are_floats(first.shape, kept) and bool((kept >= 0.0).all())


def _check_prior(pseudo_count: float, shrinkage: float, state_shrinkage: float) -> None:
    check_real("pseudo_count", pseudo_count, least=0.0)
    check_real("shrinkage", shrinkage, least=0.0)
    check_real("state_shrinkage", state_shrinkage, least=0.0)
