"""The loop of Algorithm 1: flat models, stacked one on top of the other."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from hlta.documents.given_matrices import as_documents
from hlta.documents.writer import DocumentsWriter
from hlta.learning.checkpoint import NOTHING_KEPT, Checkpoint, is_tree_of
from hlta.learning.paper.flat_model import flat_model_to_tree, learn_flat_model, stack_models

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlta.documents.matrix import Documents
    from hlta.monitor import Monitor
    from hlta.options import StructureOptions
    from hlta.tree.latent_tree import LatentTree


def build_hierarchy(
    variables: Documents,
    names: Sequence[str],
    options: StructureOptions,
    include_negative: bool,
    *,
    checkpoint: Checkpoint = NOTHING_KEPT,
    monitor: Monitor,
) -> LatentTree:
    """The loop of Algorithm 1: stack flat models until tau latent variables or fewer are on top.

    The variables of each level are the latent variables of the level below, in their likelier
    states under that level's flat model (HardAssignment).
    """

    def learn_level(level: int) -> LatentTree:
        model = learn_flat_model(variables, options, include_negative, monitor)
        return flat_model_to_tree(model, names, level)

    tree: LatentTree | None = None
    while True:
        level = 1 if tree is None else int(tree.level.max()) + 1
        with monitor.stage(f"level {level}"):
            flat = checkpoint.step(
                f"level {level}", partial(learn_level, level), partial(is_tree_of, names)
            )
            tree = flat if tree is None else stack_models(flat, tree)
            # Three or more latent variables always become fewer, as every island has at least two
            # members. Two stay: a latent variable above just these two would add nothing.
            if flat.n_latents <= max(options.max_top_topics, 2):
                return tree
            with monitor.stage("assignment", len(variables)):
                variables = _assign_states(flat, variables)
        names = flat.latent_names


def _assign_states(flat: LatentTree, variables: Documents) -> Documents:
    """The latent variables of a flat model in their likelier states, a few documents at a time."""
    writer = DocumentsWriter(flat.n_latents)
    for _, part in variables.parts():
        writer.append(as_documents(flat.hard_assignment(part)))
    return writer.read()
