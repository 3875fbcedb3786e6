"""The recipe: from documents to a hierarchical latent tree model."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hlta._support.passes import passes_leave_this_process
from hlta._support.writing import drafting, parents_of, real
from hlta.documents.corpus_folder import store_shards
from hlta.documents.sampling import in_own_order
from hlta.learning.checkpoint import NOTHING_KEPT, Checkpoint
from hlta.learning.checkpoint_folder import checkpoint_in
from hlta.learning.em import EMResult, batch_em, stepwise_em
from hlta.learning.seeds import NO_WISHES, Seeds, Wishes
from hlta.learning.states import (
    USUAL_SHRINKAGE,
    add_island_states,
    learn_states,
    refuse_too_many_states,
)
from hlta.learning.statistics import Statistics
from hlta.learning.structure import Structure, learn_structure, refuse_seeds_without_votes
from hlta.options import AUTO_PRESENCES, EMOptions, StructureOptions
from hlta.tree.state_order import order_states

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from os import PathLike

    from hlta._support.arrays import Floats
    from hlta.documents.matrix import Documents
    from hlta.monitor import Monitor
    from hlta.tree.latent_tree import LatentTree


@dataclass(frozen=True, eq=False)
class Learned:
    """The result of learning."""

    tree: LatentTree  # its states are in order: the background comes first
    stability: Floats | None  # (n_latents,): of each topic
    word_stability: Floats | None  # (levels, n_words): of each word in its topics
    em: str  # "batch" or "stepwise"
    log_likelihoods: tuple[float, ...]  # mean log P(d) per step of EM, see `EMResult`
    statistics: Statistics  # what an update with further documents needs
    together: tuple[float, ...]  # for each wish, see `Structure`


def learn_model(
    documents: Documents,
    words: Sequence[str],
    structure: StructureOptions,
    em_options: EMOptions,
    *,
    random_state: int | None,
    checkpoint: str | PathLike[str] | None = None,
    monitor: Monitor,
    wishes: Wishes = NO_WISHES,
) -> Learned:
    """Learn the structure, guided by `wishes`, add states to islands, and run EM on all documents.

    If `states` is a number or "auto", all latent variables get their states after EM instead; if "auto"
    finds nothing that predicts better, EM runs again from the default states.

    The result does not depend on the order of the documents or of the words. A fit that was stopped
    resumes from its `checkpoint`, a folder, with the same result.
    """
    refuse_too_many_states(structure.states, documents)
    if any(wishes):
        refuse_seeds_without_votes(structure)
    documents, names, marks = in_own_order(documents, words)
    options = (structure, em_options)
    with (
        checkpoint_in(checkpoint, documents, names, options, wishes, random_state, monitor) as kept,
        within_reach(documents, checkpoint) as documents,
    ):
        entropy = kept.step(
            "seed",
            lambda: np.random.SeedSequence(random_state).entropy,
            partial(_is_entropy, random_state),
        )
        for_structure, for_em, for_states = np.random.SeedSequence(entropy).spawn(3)
        tree, stability, word_stability, together = kept.step(
            "structure",
            lambda: learn_structure(
                *(documents, names, marks, structure, for_structure, kept),
                monitor=monitor,
                seeds=Seeds.of(wishes, names),
            ),
            partial(Structure.fits, names),
        )
        em = choose_em(documents, em_options, monitor)

        def fit(start: LatentTree, kept: Checkpoint) -> tuple[LatentTree, tuple[float, ...]]:
            found = run_em(start, documents, em, em_options, for_em, monitor, kept)
            sizes = found.tree.marginals[len(words) :]
            return order_states(found.tree, size=sizes), found.log_likelihoods

        def with_island_states() -> LatentTree:
            return add_island_states(order_states(tree), for_states)

        fitted, likelihoods = fit(with_island_states() if structure.states is None else tree, kept)
        fitted, shrinkage = learn_states(
            fitted, documents, structure.states, seed=for_states, monitor=monitor
        )
        if structure.states == "auto" and shrinkage is None:
            fitted, likelihoods = fit(with_island_states(), NOTHING_KEPT)
        count = float(len(documents))
        statistics = Statistics(count, count, **(shrinkage or USUAL_SHRINKAGE)._asdict())
    if word_stability is not None:  # from alphabetical order to that of `words`
        place = {name: k for k, name in enumerate(names)}
        word_stability = word_stability[:, [place[word] for word in words]]
    tree = fitted.with_words(words)
    return Learned(tree, stability, word_stability, em, likelihoods, statistics, together)


def _is_entropy(random_state: int | None, value: Any) -> bool:
    """Whether a kept entropy fits `random_state`: the same number, or any number if that is None."""
    return isinstance(value, int) and value >= 0 and random_state in (None, value)


@contextmanager
def within_reach(
    documents: Documents, checkpoint: str | PathLike[str] | None
) -> Iterator[Documents]:
    """The documents where passes can read them: in files, if passes run outside this process.

    The files are beside the checkpoint, or else in a temporary folder, and are deleted at the end.
    """
    if not passes_leave_this_process():
        yield documents
        return
    if checkpoint is None:
        with tempfile.TemporaryDirectory(prefix="hlta-", ignore_cleanup_errors=True) as folder:
            yield store_shards(Path(folder), documents)
        return
    beside = real(checkpoint)
    with parents_of(beside), drafting(beside) as draft:
        yield store_shards(draft, documents)


def choose_em(documents: Documents, options: EMOptions, monitor: Monitor) -> str:
    """Resolve em="auto" by the number of presences, and report it if the result is "stepwise"."""
    if options.em != "auto":
        return options.em
    presences = documents.n_presences
    em = "batch" if presences <= AUTO_PRESENCES else "stepwise"
    message = (
        f'em="auto": {em} EM, because the documents have {presences:,} presences '
        f"(batch up to {AUTO_PRESENCES:,})"
    )
    if em == "stepwise":
        monitor.note(message)
    return em


def run_em(
    tree: LatentTree,
    documents: Documents,
    em: str,
    options: EMOptions,
    seed: np.random.SeedSequence,
    monitor: Monitor,
    checkpoint: Checkpoint = NOTHING_KEPT,
) -> EMResult:
    """Run EM, batch or stepwise, on the whole tree and all documents."""
    steps = options.em_steps if em == "batch" else options.em_updates

    def report(step: int, log_likelihood: float) -> None:  # noqa: ARG001
        monitor.advance()

    with monitor.stage("fitting probabilities", steps):
        if em == "batch":
            return batch_em(tree, documents, steps=steps, on_step=report, checkpoint=checkpoint)
        return stepwise_em(
            tree,
            documents,
            batch_size=options.batch_size,
            exponent=options.step_exponent,
            updates=steps,
            seed=np.random.default_rng(seed),
            on_step=report,
            checkpoint=checkpoint,
        )
