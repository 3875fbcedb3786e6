"""`Model`: what was learned from documents, and the edits of a person; `View`: how it is shown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from hlta.edits.entries import Split
from hlta.edits.log import EditLog
from hlta.topics.shares import Sharing, sizes_of
from hlta.topics.topic_tree import TopicTree
from hlta.tree.fingerprint import fingerprint

if TYPE_CHECKING:
    from hlta._support.arrays import Floats
    from hlta.drift import Drift
    from hlta.edits.annotated_tree import AnnotatedTree
    from hlta.learning.statistics import Statistics
    from hlta.options import TextOptions
    from hlta.seeds.reports import SeedReport
    from hlta.topics.aligned_documents import AlignedDocuments
    from hlta.topics.annotations import Annotations, Sizes
    from hlta.tree.latent_tree import LatentTree

_LOWEST_COUNTED: Final = 2  # level of topics whose sizes are counted, unless lower ones are shown


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
        What is known of the documents that it was learned from; None in files of early versions.
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
        """What is known of the topics after the edits."""
        return self.edited.annotations

    def with_learned(self, learned: AnnotatedTree, log: EditLog | None = None) -> Model:
        """The model with another tree as learned, without edits or with those of `log`."""
        log = EditLog(fingerprint(learned.tree)) if log is None else log
        return replace(self, learned=learned, edited=log.apply(learned), log=log)

    def with_log(self, log: EditLog) -> Model:
        """The model with these edits instead of its own."""
        edited = log.apply(self.learned)
        if edited.tree == self.tree:  # so the sizes of its topics stay valid
            edited = edited.annotate(sizes=self.annotations.sizes)
        return replace(self, edited=edited, log=log)

    def with_sizes(self, sizes: Sizes) -> Model:
        """The model with these sizes of its topics, as edited."""
        return replace(self, edited=self.edited.annotate(sizes=sizes))

    @property
    def ids_used(self) -> set[str]:
        """All names in the tree as it was learned, and the ids of topics that splits made."""
        edits = (record.entry for record in self.log.history)
        split = {edit.new for edit in edits if isinstance(edit, Split)}
        return split.union(self.learned.tree.names)


class View(NamedTuple):
    """How topics are shown: the parameters of `HLTA` of the same names."""

    lowest_level: int
    n_keywords: int | None
    n_topics: int | None

    def topics_of(self, model: Model) -> TopicTree:
        """The topics after the edits: a tree, or a list of `n_topics`."""
        topics = TopicTree.from_tree(
            model.tree,
            lowest_level=self.lowest_level,
            n_keywords=self.n_keywords,
            annotations=model.annotations,
            log=model.log.plain(),
        )
        if self.n_topics is not None:
            topics = self._list_of(topics)
        topics.usual_coverage = model.coverage
        return topics

    def sizes_of(
        self, annotated: AnnotatedTree, read: AlignedDocuments, usual_coverage: float | None
    ) -> Sizes:
        """The sizes of the topics; with `n_topics`, those listed divide all words among themselves."""
        tree, annotations = annotated
        lowest = min(self.lowest_level, _LOWEST_COUNTED, int(tree.level.max()))
        sharings = [Sharing.of_tree(tree, annotations.counts, lowest)]
        if self.n_topics is not None:
            listed = self._list_of(TopicTree.from_tree(tree, annotations=annotations))
            sharings.append(listed.shares().sharing)
        known = read.are_known(usual_coverage, by_vectors=sharings[0].goes_by_vectors)
        return sizes_of(tree, sharings, read.documents, known)

    def _list_of(self, topics: TopicTree) -> TopicTree:
        """The list of `n_topics` topics, pinned ones first."""
        cut = topics.cut(min(self.n_topics or 1, topics.most_in_cut))
        return topics.flat(sorted(cut, key=lambda topic: not topic.pinned))
