"""Levels: flat models stacked until few latent variables are left (Algorithm 1 of the paper)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.sparse import csr_array

from hlta.algorithm.bridges import FlatModel, bridge_islands
from hlta.algorithm.islands import build_islands
from hlta.algorithm.mutual_information import measure_pairs, share_of_avoidance
from hlta.algorithm.soft_assignments import Soft
from hlta.documents.matrix import as_documents
from hlta.monitor import Monitor
from hlta.options import MUCH_AVOIDANCE
from hlta.tree.latent_tree import LatentTree
from hlta.tree.posteriors import likely_posteriors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlta.documents.matrix import Documents
    from hlta.options import StructureOptions

_STRICTER: Final = 2.5


def learn_structure(
    documents: Documents,
    words: Sequence[str],
    options: StructureOptions,
    *,
    n_jobs: int | None = None,
    monitor: Monitor,
) -> LatentTree:
    """The whole tree, level by level, with the parameters that building it gave."""
    any_sign = settle_association(documents, options, monitor) == "any"
    return _build_up(None, documents, tuple(words), options, any_sign, n_jobs, monitor)


def renew_levels(
    tree: LatentTree, documents: Documents, options: StructureOptions, *, n_jobs: int | None = None
) -> LatentTree:
    """Learn the levels above the first anew, from the states that the whole model gives the first.

    To split a group takes more than in the first place: fewer and clearer topics, as good a fit.
    """
    options = replace(options, ud_threshold=_STRICTER * options.ud_threshold)
    indptr, latents, _ = likely_posteriors(tree, documents, 0.5, n_jobs=n_jobs)
    first = tree.levels[1]
    states = Soft(indptr, latents, np.empty(len(latents), dtype=np.float32), tree.n_latents)
    states = states.columns(first - tree.n_words)
    rows = csr_array(
        (
            np.ones(len(states.indices), dtype=np.int8),
            states.indices.astype(np.int32),
            states.indptr,
        ),
        shape=(len(documents), len(first)),
    )
    variables = as_documents(rows)
    any_sign = settle_association(documents, options, Monitor()) == "any"
    below = _lowest_levels(tree, 1)
    every = below.names
    names = tuple(every[v] for v in below.levels[-1])
    return _build_up(below, variables, names, options, any_sign, n_jobs, Monitor())


def _build_up(
    tree: LatentTree | None,
    variables: Documents,
    names: tuple[str, ...],
    options: StructureOptions,
    any_sign: bool,
    n_jobs: int | None,
    monitor: Monitor,
) -> LatentTree:
    """Stack flat models until few latent variables are on top."""
    while True:
        level = 1 if tree is None else int(tree.level.max()) + 1
        with monitor.stage(f"level {level}"):
            model = learn_flat_model(
                variables, options, any_sign=any_sign, n_jobs=n_jobs, monitor=monitor
            )
            flat = plant(model, names, level)
            tree = flat if tree is None else stack(flat, tree)
            # Three latents or more always become fewer: every island has at least two members. Two
            # don't: a latent variable above nothing but them would add nothing to the model.
            if flat.n_latents <= max(options.max_top_topics, 2):
                return tree
            with monitor.stage("assignment", len(variables)):
                variables = as_documents(flat.hard_assignment(variables, n_jobs=n_jobs))
            names = flat.latent_names


def _lowest_levels(tree: LatentTree, highest: int) -> LatentTree:
    """The tree up to a level, whose latent variables are linked in a row for `stack` to cut."""
    nodes = np.flatnonzero(tree.level <= highest)
    number = np.full(tree.n_nodes + 1, -1)
    number[nodes] = np.arange(len(nodes))
    parent, probability = number[tree.parent[nodes]], tree.probability[nodes].copy()
    top = np.flatnonzero(tree.level[nodes] == highest)
    parent[top] = np.concatenate(([-1], top[:-1]))
    probability[top] = tree.marginals[nodes[top], None]
    return LatentTree(
        words=tree.words, parent=parent, level=tree.level[nodes], probability=probability
    )


def settle_association(documents: Documents, options: StructureOptions, monitor: Monitor) -> str:
    """Settle "auto" by the data; say so where it is not what text gives."""
    if options.association != "auto":
        return options.association
    share = share_of_avoidance(documents)
    if share < MUCH_AVOIDANCE:
        return "positive"
    monitor.note(
        f'association="auto": "any", as {share:.0%} of what columns tell about each other comes from '
        "pairs that avoid each other"
    )
    return "any"


def learn_flat_model(
    variables: Documents,
    options: StructureOptions,
    *,
    any_sign: bool,
    n_jobs: int | None = None,
    monitor: Monitor,
) -> FlatModel:
    """Islands, and bridges between them (Algorithm 2)."""
    pairs = measure_pairs(variables, any_sign=any_sign, n_jobs=n_jobs, monitor=monitor)
    islands = build_islands(
        pairs, limit=options.max_island_size, threshold=options.ud_threshold, monitor=monitor
    )
    return bridge_islands(pairs, islands, n_jobs=n_jobs, monitor=monitor)


def plant(flat: FlatModel, names: Sequence[str], level: int) -> LatentTree:
    """A flat model as a tree over variables of these names."""
    n, m = len(flat.latent_of), flat.n_latents
    return LatentTree(
        words=tuple(names),
        parent=np.concatenate((flat.latent_of + n, np.where(flat.parent < 0, -1, flat.parent + n))),
        level=np.repeat((0, 1), (n, m)),
        probability=np.concatenate((flat.probability, flat.link)),
        latent_names=tuple(f"Z{level}-{i + 1}" for i in range(m)),
        allow_irregular=n < 3,
    )


def stack(flat: LatentTree, tree: LatentTree) -> LatentTree:
    """Put a flat model of a tree's top-level latents on top of it (StackModels).

    Links among those latents are cut; all parameters are copied from where they were learned.
    """
    new = tree.n_nodes - flat.n_words  # how much further the new latents stand in the whole tree
    top = tree.levels[-1]
    parent, probability = tree.parent.copy(), tree.probability.copy()
    parent[top] = flat.parent[: flat.n_words] + new
    probability[top] = flat.probability[: flat.n_words]
    above = flat.parent[flat.n_words :]
    return LatentTree(
        words=tree.words,
        parent=np.concatenate((parent, np.where(above < 0, -1, above + new))),
        level=np.concatenate((tree.level, np.full(flat.n_latents, len(tree.levels)))),
        latent_names=tree.latent_names + flat.latent_names,
        probability=np.concatenate((probability, flat.probability[flat.n_words :])),
    )
