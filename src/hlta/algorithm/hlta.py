"""HLTA (Algorithm 1): from documents to a hierarchical latent tree model."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from hlta.algorithm.association import includes_negative
from hlta.algorithm.em import batch_em, stepwise_em
from hlta.algorithm.flat_model import flat_model_to_tree, learn_flat_model, stack_models
from hlta.algorithm.refinement import SAMPLED, WHOLE, refine_structure
from hlta.algorithm.states import learn_states, refuse_too_many_states
from hlta.documents.matrix import as_documents
from hlta.monitor import Monitor
from hlta.options import AUTO_PRESENCES
from hlta.tree.state_order import order_states
from hlta.tree.truncation import truncated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlta.algorithm.em import EMResult
    from hlta.documents.matrix import Documents
    from hlta.options import EMOptions, StructureOptions
    from hlta.tree.latent_tree import LatentTree

_logger = logging.getLogger(__name__)
_RELEARN_DELTA_FACTOR: Final = 2.5  # factor on delta when the upper levels are learned again


@dataclass(frozen=True, eq=False)
class Learned:
    """The result of learning."""

    tree: LatentTree  # in every latent variable, the background comes first
    em: str  # "batch" or "stepwise"
    log_likelihoods: tuple[float, ...]  # mean log P(d) per step of EM, see `EMResult`


def hlta(
    documents: Documents,
    words: Sequence[str],
    structure: StructureOptions,
    parameters: EMOptions,
    *,
    seed: int | None,
    n_jobs: int | None = None,
    monitor: Monitor,
) -> Learned:
    """Learn the structure from a sample, refine it, run EM on all documents, and add states."""
    refuse_too_many_states(structure.states, documents)
    for_sample, for_em, for_states = np.random.SeedSequence(seed).spawn(3)
    sample = sample_documents(documents, structure.structure_sample, for_sample)
    negative = includes_negative(sample, structure, monitor)
    tree = build_hierarchy(sample, words, structure, negative, n_jobs=n_jobs, monitor=monitor)
    if structure.refine:
        plan = WHOLE if 2 * len(sample) >= len(documents) else SAMPLED
        visited = documents_to_refine_with(documents, structure.structure_sample, for_sample)
        relearn = partial(relearn_upper_levels, documents=visited, options=structure, n_jobs=n_jobs)
        tree = refine_structure(
            tree, visited, plan=plan, relearn=relearn, n_jobs=n_jobs, monitor=monitor
        )
    em = choose_em(documents, parameters, monitor)
    fitted = run_em(tree, documents, em, parameters, for_em, n_jobs, monitor)
    tree = learn_states(
        order_states(fitted.tree),
        documents,
        structure.states,
        seed=for_states,
        n_jobs=n_jobs,
        monitor=monitor,
    )
    return Learned(tree, em, fitted.log_likelihoods)


def build_hierarchy(
    variables: Documents,
    names: Sequence[str],
    options: StructureOptions,
    include_negative: bool,
    *,
    lower: LatentTree | None = None,
    n_jobs: int | None = None,
    monitor: Monitor,
) -> LatentTree:
    """The loop of Algorithm 1: stack flat models until tau latent variables or fewer are on top.

    The variables of each level are the latent variables of the level below, in their likelier
    states under that level's flat model (HardAssignment). `lower` is a tree to build on: the first
    `variables` are then its top-level latent variables.
    """
    tree = lower
    while True:
        level = 1 if tree is None else int(tree.level.max()) + 1
        with monitor.stage(f"level {level}"):
            model = learn_flat_model(variables, options, include_negative, n_jobs, monitor)
            flat = flat_model_to_tree(model, names, level)
            tree = flat if tree is None else stack_models(flat, tree)
            # Three or more latent variables always become fewer, as every island has at least two
            # members. Two stay: a latent variable above just these two would add nothing.
            if flat.n_latents <= max(options.max_top_topics, 2):
                return tree
            with monitor.stage("assignment", len(variables)):
                variables = as_documents(flat.hard_assignment(variables, n_jobs=n_jobs))
        names = flat.latent_names


def relearn_upper_levels(
    tree: LatentTree, documents: Documents, options: StructureOptions, n_jobs: int | None = None
) -> LatentTree:
    """Learn the levels above level 1 again, from the level-1 states under the whole model.

    With a larger delta than the first time, islands grow larger: the topics are fewer and clearer,
    and fit as well.
    """
    options = replace(options, ud_threshold=_RELEARN_DELTA_FACTOR * options.ud_threshold)
    states = tree.hard_assignment(documents, n_jobs=n_jobs)[:, tree.levels[1] - tree.n_words]
    lower = truncated(tree, 1)
    return build_hierarchy(
        as_documents(states),
        lower.latent_names,
        options,
        includes_negative(documents, options, Monitor()),
        lower=lower,
        n_jobs=n_jobs,
        monitor=Monitor(),
    )


# ---- documents -----------------------------------------------------------------------------------


def sample_documents(
    documents: Documents, size: int | None, seed: np.random.SeedSequence
) -> Documents:
    """`size` documents drawn without replacement, or all if there are no more than that."""
    if size is None or size >= len(documents):
        return documents
    rows = np.random.default_rng(seed).choice(len(documents), size, replace=False)
    return documents.take(np.sort(rows))


def documents_to_refine_with(
    documents: Documents, size: int | None, seed: np.random.SeedSequence
) -> Documents:
    """All documents if affordable, else twice the sample size: rare words need more to go by."""
    if size is None or len(documents.indices) <= AUTO_PRESENCES:
        return documents
    return sample_documents(documents, 2 * size, seed)


# ---- parameters ----------------------------------------------------------------------------------


def choose_em(documents: Documents, options: EMOptions, monitor: Monitor) -> str:
    """Resolve em="auto" by the number of presences, and report the choice."""
    if options.em != "auto":
        return options.em
    presences = len(documents.indices)
    em = "batch" if presences <= AUTO_PRESENCES else "stepwise"
    message = (
        f'em="auto": {em} EM, because the documents have {presences:,} presences '
        f"(batch up to {AUTO_PRESENCES:,})"
    )
    _logger.info(message)
    monitor.note(message)
    return em


def run_em(
    tree: LatentTree,
    documents: Documents,
    em: str,
    options: EMOptions,
    seed: np.random.SeedSequence,
    n_jobs: int | None,
    monitor: Monitor,
) -> EMResult:
    """Run EM, batch or stepwise, on the whole tree and all documents."""
    steps = options.em_steps if em == "batch" else options.em_updates

    def report(step: int, log_likelihood: float) -> None:  # noqa: ARG001
        monitor.advance()

    with monitor.stage(f"{em} EM", steps):
        if em == "batch":
            return batch_em(tree, documents, steps=steps, n_jobs=n_jobs, on_step=report)
        return stepwise_em(
            tree,
            documents,
            batch_size=options.batch_size,
            exponent=options.step_exponent,
            updates=steps,
            seed=np.random.default_rng(seed),
            n_jobs=n_jobs,
            on_step=report,
        )
