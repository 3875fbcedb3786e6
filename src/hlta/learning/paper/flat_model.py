"""LearnFlatModel (Algorithm 2) and StackModels (Section 5.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hlta.learning.paper.bridges import FlatModel, bridge_islands
from hlta.learning.paper.islands import build_islands
from hlta.learning.paper.mutual_information import measure_pairs
from hlta.tree.latent_tree import LatentTree
from hlta.tree.validation import FEWEST_NEIGHBOURS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlta.documents.matrix import Documents
    from hlta.monitor import Monitor
    from hlta.options import StructureOptions


def learn_flat_model(
    variables: Documents, options: StructureOptions, include_negative: bool, monitor: Monitor
) -> FlatModel:
    """LearnFlatModel: build islands, then bridge them."""
    pairs = measure_pairs(variables, include_negative=include_negative, monitor=monitor)
    islands = build_islands(
        pairs, limit=options.max_island_size, threshold=options.ud_threshold, monitor=monitor
    )
    return bridge_islands(pairs, islands, monitor=monitor)


def flat_model_to_tree(flat: FlatModel, names: Sequence[str], level: int) -> LatentTree:
    """The flat model as a tree with `names` as its words; `level` only names its latents."""
    n, m = len(flat.latent_of), flat.n_latents
    return LatentTree(
        words=tuple(names),
        parent=np.concatenate((flat.latent_of + n, np.where(flat.parent < 0, -1, flat.parent + n))),
        level=np.repeat((0, 1), (n, m)),
        probability=np.concatenate((flat.probability, flat.link)),
        latent_names=tuple(f"Z{level}-{i + 1}" for i in range(m)),
        allow_irregular=n < FEWEST_NEIGHBOURS,
    )


def stack_models(flat: LatentTree, tree: LatentTree) -> LatentTree:
    """Put a flat model of a tree's top-level latents on top of it (StackModels).

    Links among those latents are cut; the parameters are copied from both models.
    """
    new = tree.n_nodes - flat.n_words  # offset of the new latents' numbers in the whole tree
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
