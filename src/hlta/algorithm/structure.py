"""The structure of the tree: by the paper's search, refined, or agreed upon by many samples."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from hlta._support.threads import map_in_order, resolve_jobs
from hlta.algorithm.association import includes_negative
from hlta.algorithm.consensus import Vote, agreed_partitions, stability
from hlta.algorithm.given_structure import fitted_tree
from hlta.algorithm.hierarchy import build_hierarchy, relearn_upper_levels
from hlta.algorithm.refinement import SAMPLED, VOTING, WHOLE, refine_structure
from hlta.documents.sampling import drawn
from hlta.monitor import Monitor
from hlta.options import AUTO_PRESENCES

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from hlta.algorithm.checkpoint import Checkpoint
    from hlta.documents.matrix import Documents
    from hlta.options import StructureOptions
    from hlta.tree.latent_tree import LatentTree

MOST_WORDS: Final = 15_000
"""With more words, their distances from each other would fill the memory, and samples do not vote."""
_MOST_AT_ONCE: Final = 2e9  # bytes that votes cast side by side may take for pairs of words


def learn_structure(
    documents: Documents,
    words: Sequence[str],
    marks: NDArray[np.uint64],
    options: StructureOptions,
    seed: np.random.SeedSequence,
    checkpoint: Checkpoint,
    *,
    n_jobs: int | None,
    monitor: Monitor,
) -> tuple[LatentTree, NDArray[np.float64] | None]:
    """A tree to run EM on, and how stable each topic is, if samples voted on it.

    `marks` are the fingerprints of the documents, by which samples are drawn.
    """
    for_sample, for_votes = seed.spawn(2)
    chosen = drawn(marks, options.structure_sample or len(documents), for_sample)
    sample = documents if len(chosen) == len(documents) else documents.take(chosen)
    negative = includes_negative(sample, options, monitor)
    if options.refine and options.samples > 1:
        if len(words) <= MOST_WORDS:
            size = max(1, len(sample) // 2)
            samples = [drawn(marks, size, part) for part in for_votes.spawn(options.samples)]
            votes = _votes(
                documents, words, samples, options, negative, checkpoint, n_jobs, monitor
            )
            with monitor.stage("consensus"):
                partitions = checkpoint.step(
                    "partitions",
                    lambda: agreed_partitions(votes, n_top=max(2, options.max_top_topics)),
                )
                tree = fitted_tree(partitions, sample, words, n_jobs=n_jobs)
                return tree, stability(tree, votes)
        monitor.note(
            f"{len(words):,} words are too many for samples to vote on the structure (at most "
            f"{MOST_WORDS:,}); it is learned once"
        )
    tree = build_hierarchy(
        sample, words, options, negative, checkpoint=checkpoint, n_jobs=n_jobs, monitor=monitor
    )
    if options.refine:
        visited = documents.take(drawn(marks, _to_refine_with(documents, sample), for_sample))
        plan = WHOLE if 2 * len(sample) >= len(documents) else SAMPLED
        relearn = partial(relearn_upper_levels, documents=visited, options=options, n_jobs=n_jobs)
        tree = refine_structure(
            tree,
            visited,
            plan=plan,
            relearn=relearn,
            checkpoint=checkpoint,
            n_jobs=n_jobs,
            monitor=monitor,
        )
    return tree, None


def _to_refine_with(documents: Documents, sample: Documents) -> int:
    """All documents if affordable, else twice the sample: rare words need more to go by."""
    affordable = len(documents.indices) <= AUTO_PRESENCES
    return len(documents) if affordable else 2 * len(sample)


def _votes(
    documents: Documents,
    words: Sequence[str],
    samples: Sequence[NDArray[np.intp]],
    options: StructureOptions,
    negative: bool,
    checkpoint: Checkpoint,
    n_jobs: int | None,
    monitor: Monitor,
) -> list[Vote]:
    """A vote per sample, cast side by side as far as memory allows."""
    side_by_side = min(resolve_jobs(n_jobs), int(_MOST_AT_ONCE / (4.0 * len(words) ** 2)))
    jobs = 1 if side_by_side > 1 else n_jobs
    silent = Monitor()

    def cast(sample: NDArray[np.intp]) -> Vote:
        drawn_documents = documents.take(sample)
        tree = build_hierarchy(
            drawn_documents, words, options, negative, n_jobs=jobs, monitor=silent
        )
        tree = refine_structure(tree, drawn_documents, plan=VOTING, n_jobs=jobs, monitor=silent)
        return Vote.of(tree)

    def collect(number: int) -> Vote:
        topics = checkpoint.step(f"vote {number}", lambda: cast(samples[number]).topics)
        monitor.advance()
        return Vote(topics)

    with monitor.stage("samples", len(samples)):
        return map_in_order(collect, range(len(samples)), max(1, side_by_side))
