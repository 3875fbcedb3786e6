"""The recipe: from documents to a tree of topics, one line a stage."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hlta.algorithm.em import batch_em, stepwise_em
from hlta.algorithm.flat_model import learn_structure
from hlta.algorithm.refinement import SAMPLED, WHOLE, refine_structure
from hlta.options import AUTO_PRESENCES
from hlta.tree.state_order import order_states

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlta.algorithm.em import EMResult
    from hlta.documents.matrix import Documents
    from hlta.monitor import Monitor
    from hlta.options import EMOptions, StructureOptions
    from hlta.tree.latent_tree import LatentTree

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Learned:
    """What learning leaves behind.

    tree             states in order: 1 is the topic, 0 the background
    em               "batch" or "stepwise"
    log_likelihoods  mean log P(d) before each step of EM, see `EMResult`
    """

    tree: LatentTree
    em: str
    log_likelihoods: tuple[float, ...]


def learn(
    documents: Documents,
    words: Sequence[str],
    structure: StructureOptions,
    parameters: EMOptions,
    *,
    seed: int | None,
    n_jobs: int | None = None,
    monitor: Monitor,
) -> Learned:
    """Learn the tree, then its parameters, then which state of each latent variable is the topic."""
    for_sample, for_em = np.random.SeedSequence(seed).spawn(2)
    sample = sample_documents(documents, structure.structure_sample, for_sample)
    tree = learn_structure(sample, words, structure, n_jobs=n_jobs, monitor=monitor)
    if structure.refine:
        plan = WHOLE if 2 * len(sample) >= len(documents) else SAMPLED
        seen = documents_to_refine_with(documents, structure.structure_sample, for_sample)
        tree = refine_structure(tree, seen, structure, plan=plan, n_jobs=n_jobs, monitor=monitor)
    em = choose_em(documents, parameters, monitor)
    fitted = learn_parameters(tree, documents, em, parameters, for_em, n_jobs, monitor)
    return Learned(order_states(fitted.tree), em, fitted.log_likelihoods)


def sample_documents(
    documents: Documents, size: int | None, seed: np.random.SeedSequence
) -> Documents:
    """`size` documents drawn without replacement; all of them if there are no more."""
    if size is None or size >= len(documents):
        return documents
    rows = np.random.default_rng(seed).choice(len(documents), size, replace=False)
    return documents.take(np.sort(rows))


def documents_to_refine_with(
    documents: Documents, size: int | None, seed: np.random.SeedSequence
) -> Documents:
    """All where that is affordable, else twice the sample: rare words that it lacks find their place."""
    if size is None or len(documents.indices) <= AUTO_PRESENCES:
        return documents
    return sample_documents(documents, 2 * size, seed)


def choose_em(documents: Documents, options: EMOptions, monitor: Monitor) -> str:
    """Settle "auto" by the size of the data, and say so."""
    if options.em != "auto":
        return options.em
    presences = len(documents.indices)
    em = "batch" if presences <= AUTO_PRESENCES else "stepwise"
    message = (
        f'em="auto": {em} EM, as the documents have {presences:,} words '
        f"(batch up to {AUTO_PRESENCES:,})"
    )
    _logger.info(message)
    monitor.note(message)
    return em


def learn_parameters(
    tree: LatentTree,
    documents: Documents,
    em: str,
    options: EMOptions,
    seed: np.random.SeedSequence,
    n_jobs: int | None,
    monitor: Monitor,
) -> EMResult:
    """EM on the whole tree and all documents."""
    steps = options.em_steps if em == "batch" else options.em_updates

    def told(step: int, log_likelihood: float) -> None:  # noqa: ARG001
        monitor.advance()

    with monitor.stage(f"{em} EM", steps):
        if em == "batch":
            return batch_em(tree, documents, steps=steps, n_jobs=n_jobs, on_step=told)
        return stepwise_em(
            tree,
            documents,
            batch_size=options.batch_size,
            exponent=options.step_exponent,
            updates=steps,
            seed=np.random.default_rng(seed),
            n_jobs=n_jobs,
            on_step=told,
        )
