"""`Model`: what was learned from documents, and what a person made of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hlta.edits.entries import Split
from hlta.edits.log import EditLog
from hlta.tree.fingerprint import fingerprint

if TYPE_CHECKING:
    from hlta._support.arrays import Floats
    from hlta.drift import Drift
    from hlta.edits.annotated_tree import AnnotatedTree
    from hlta.learning.statistics import Statistics
    from hlta.options import TextOptions
    from hlta.seeds.reports import SeedReport
    from hlta.topics.annotations import Annotations
    from hlta.topics.sizes import Sizes
    from hlta.tree.latent_tree import LatentTree


@dataclass(frozen=True, eq=False, kw_only=True)
class Model:
    """A fitted model.

    Attributes
    ----------
    learned, edited : AnnotatedTree
        The tree and what is known of its topics, as they were learned and after the edits.
    log : EditLog
        The edits.
    text : TextOptions or None
        How texts become words; None if it was learned from a matrix.
    coverage : float or None
        See `HLTA.coverage_`.
    is_named : bool
        Whether a data frame named the columns.
    statistics : Statistics or None
        What is known of the documents so far; None in files of early versions.
    em : str
    log_likelihoods : float64 (steps,)
    seeds : tuple of SeedReport
        See the attributes of `HLTA`.
    drift : Drift or None
        How the documents of the last update differed.
    """

    learned: AnnotatedTree
    edited: AnnotatedTree
    log: EditLog
    text: TextOptions | None
    coverage: float | None
    is_named: bool
    statistics: Statistics | None
    em: str
    log_likelihoods: Floats
    seeds: tuple[SeedReport, ...]
    drift: Drift | None = None

    @property
    def tree(self) -> LatentTree:
        """The tree after the edits."""
        return self.edited.tree

    @property
    def annotations(self) -> Annotations:
        """What is known of its topics, in the same tree."""
        return self.edited.annotations

    def with_learned(self, learned: AnnotatedTree, log: EditLog | None = None) -> Model:
        """The model in which this was learned, without edits or with those of a log of it."""
        log = EditLog(fingerprint(learned.tree)) if log is None else log
        return replace(self, learned=learned, edited=log.applied(learned), log=log)

    def with_log(self, log: EditLog) -> Model:
        """The model with these edits instead of its own."""
        edited = log.applied(self.learned)
        if edited.tree == self.tree:  # the documents on its topics have been counted already
            edited = edited.annotated(sizes=self.annotations.sizes)
        return replace(self, edited=edited, log=log)

    def with_sizes(self, sizes: Sizes) -> Model:
        """The model after its topics, as edited, were counted in documents."""
        return replace(self, edited=self.edited.annotated(sizes=sizes))

    @property
    def ids_used(self) -> set[str]:
        """The ids that topics have, had as they were learned, or had in the log."""
        edits = (record.entry for record in self.log.history)
        split = {edit.new for edit in edits if isinstance(edit, Split)}
        return split.union(self.learned.tree.names)
